use proptest::prelude::*;

use super::amount::{Amount, DecimalMark};
use super::model::{
    BalanceKind, BankStatement, Entry, EntryStatus, Location, ProblemAbout, StatedBalance,
    StatedTotal, StatementProblem, TotalOf,
};
use super::proof::{Missing, Proof, StatementCheck, check};
use super::tally::Tally;

fn amount(text: &str) -> Amount {
    Amount::parse(text, DecimalMark::Point, None).unwrap()
}

fn balance(kind: BalanceKind, text: &str) -> StatedBalance {
    StatedBalance {
        kind,
        amount: amount(text),
        currency: Some("EUR".to_owned()),
        on: None,
        is_between_pages: false,
        location: Location::default(),
    }
}

fn statement(opening: &str, closing: &str) -> BankStatement {
    let balances =
        vec![balance(BalanceKind::Opening, opening), balance(BalanceKind::Closing, closing)];
    BankStatement { balances, ..BankStatement::default() }
}

fn entry(text: &str) -> Entry {
    Entry { amount: amount(text), ..Entry::default() }
}

fn checked(statement: &BankStatement, entries: &[Entry]) -> StatementCheck {
    let mut tally = Tally::default();
    entries.iter().for_each(|entry| tally.add(entry, statement.currency()));
    check(statement, &tally)
}

#[test]
fn balances_prove_booked_entries() {
    let pending = Entry { status: EntryStatus::Pending, ..entry("99.00") };
    let information = Entry { status: EntryStatus::Information, ..entry("7.00") };
    let entries = [entry("-10.00"), entry("0.5"), pending, information];
    let proven = checked(&statement("100.00", "90.50"), &entries);
    assert_eq!(proven.proof, Proof::Proven { opening: amount("100"), closing: amount("90.50") });
    assert!(proven.is_proven() && !proven.is_contradicted());
    let wrong = checked(&statement("100.00", "90.51"), &entries);
    let Proof::Differs { difference, sum, .. } = wrong.proof else { panic!("{wrong:?}") };
    assert_eq!((difference, sum), (amount("0.01"), amount("-9.50")));
    assert!(checked(&statement("5", "5.00"), &[]).is_proven());
}

#[test]
fn what_is_missing_is_named() {
    let missing =
        |statement: &BankStatement, entries: &[Entry]| match checked(statement, entries).proof {
            Proof::Incomplete { missing, .. } => missing,
            proof => panic!("{proof:?}"),
        };
    let none = BankStatement::default();
    assert_eq!(missing(&none, &[]), [Missing::OpeningBalance, Missing::ClosingBalance]);
    let mut several = statement("1.00", "1.00");
    several.balances.push(balance(BalanceKind::Opening, "2.00"));
    assert_eq!(missing(&several, &[]), [Missing::OneBalance("opening")]);
    several.balances[2].amount = amount("1.0");
    assert!(checked(&several, &[]).is_proven());
    let mut currencies = statement("1.00", "1.00");
    currencies.balances[1].currency = Some("USD".to_owned());
    assert_eq!(missing(&currencies, &[]), [Missing::OneCurrency]);
    let foreign = Entry { currency: Some("USD".to_owned()), ..entry("0.00") };
    let both = statement("1.00", "1.00");
    assert_eq!(missing(&both, &[foreign]), [Missing::EntriesInTheCurrency(1)]);
    let mut unread = statement("1.00", "1.00");
    unread.problems.push(StatementProblem {
        about: ProblemAbout::Balance,
        location: Location::default(),
        reason: String::new(),
    });
    assert_eq!(missing(&unread, &[]), [Missing::ReadableBalance]);
    let most = entry(&"9".repeat(18));
    let many: Vec<Entry> = std::iter::repeat_n(most.clone(), 3)
        .chain([Entry { amount: amount("0.000000000000000001"), ..most }])
        .collect();
    assert!(matches!(checked(&both, &many).proof, Proof::Differs { .. }));
}

#[test]
fn unreadable_entries_leave_a_difference() {
    let tally = Tally { unreadable: 2, ..Tally::default() };
    let Proof::Incomplete { missing, difference } = check(&statement("1.00", "3.50"), &tally).proof
    else {
        panic!()
    };
    assert_eq!(missing, [Missing::ReadableEntries(2)]);
    assert_eq!(difference, Some(amount("2.50")));
}

#[test]
fn reversals_with_the_other_sign_are_noticed() {
    let reversal = Entry { is_reversal: true, ..entry("4.00") };
    let entries = [entry("-1.00"), reversal];
    let differs = |closing: &str| match checked(&statement("10.00", closing), &entries).proof {
        Proof::Differs { if_reversals_are_opposite, .. } => if_reversals_are_opposite,
        proof => panic!("{proof:?}"),
    };
    assert!(checked(&statement("10.00", "13.00"), &entries).is_proven());
    assert!(differs("5.00"));
    assert!(!differs("5.01"));
}

#[test]
fn totals_are_compared() {
    let total = |of, count, sum: &str| StatedTotal {
        of,
        count: Some(count),
        sum: Some(amount(sum)),
        currency: None,
        location: Location::default(),
    };
    let pending = Entry { status: EntryStatus::Pending, ..entry("-3.00") };
    let entries = [entry("-10.00"), entry("0.50"), pending];
    let mut whole = statement("10.00", "0.50");
    whole.totals = vec![
        total(TotalOf::All, 3, "13.50"),
        total(TotalOf::Credits, 1, "0.50"),
        total(TotalOf::Debits, 2, "13.00"),
        total(TotalOf::Net, 3, "-12.50"),
    ];
    let found = checked(&whole, &entries);
    assert_eq!((found.totals_agree, found.is_proven()), (4, true));
    for (at, wrong) in
        [(0, total(TotalOf::All, 2, "13.50")), (2, total(TotalOf::Debits, 2, "13.01"))]
    {
        let mut one = whole.clone();
        one.totals[at] = wrong.clone();
        let found = checked(&one, &entries);
        assert!(!found.is_proven() && found.is_contradicted());
        assert_eq!(found.differences[0].stated, wrong);
    }
}

proptest! {
    /// With any entry changed, left out or doubled, the balances prove nothing.
    #[test]
    fn any_change_is_noticed(
        opening in -1_000_000_i64..1_000_000,
        cents in prop::collection::vec(-100_000_i64..100_000, 1..20),
        at: prop::sample::Index,
        by in prop_oneof![-500_i64..0, 1_i64..500],
    ) {
        let closing = opening + cents.iter().sum::<i64>();
        let text = |cents: i64| Amount::new(cents, 2).to_string();
        let statement = statement(&text(opening), &text(closing));
        let entries = |cents: &[i64]| -> Vec<Entry> {
            cents.iter().map(|cents| entry(&text(*cents))).collect()
        };
        prop_assert!(checked(&statement, &entries(&cents)).is_proven());
        let at = at.index(cents.len());
        let mut changed = cents.clone();
        changed[at] += by;
        prop_assert!(checked(&statement, &entries(&changed)).is_contradicted());
        let mut without = cents.clone();
        let taken = without.remove(at);
        prop_assert_eq!(checked(&statement, &entries(&without)).is_proven(), taken == 0);
        let mut doubled = cents.clone();
        doubled.push(taken);
        prop_assert_eq!(checked(&statement, &entries(&doubled)).is_proven(), taken == 0);
    }
}
