use super::words::Words;
use super::*;
use crate::error::Result;

const CHECKING: u128 = 1;
const SAVINGS: u128 = 2;
const CARD: u128 = 3;

fn account(number: u128) -> AccountId {
    AccountId(uuid::Uuid::from_u128(number))
}

fn id(number: u128) -> EntryId {
    EntryId(uuid::Uuid::from_u128(number))
}

fn context() -> Context {
    let named = |name: &str, account_type| Account { name: name.to_owned(), account_type };
    Context {
        accounts: HashMap::from([
            (account(CHECKING), named("Everyday", AccountType::Depository)),
            (account(SAVINGS), named("Rainy Day", AccountType::Depository)),
            (account(CARD), named("Gold Card", AccountType::CreditCard)),
        ]),
        categories: HashMap::from([
            (CategoryId(uuid::Uuid::from_u128(1)), "Food:Groceries".to_owned()),
            (CategoryId(uuid::Uuid::from_u128(2)), "Überträge".to_owned()),
            (CategoryId(uuid::Uuid::from_u128(3)), "Sonstiges".to_owned()),
        ]),
        rejected: HashSet::new(),
    }
}

fn entry(number: u128, account_number: u128, day: i64, amount: i64, name: &str) -> Entry {
    Entry {
        id: id(number),
        account: account(account_number),
        day,
        amount,
        currency: Currency::EUR,
        name: name.to_owned(),
        notes: None,
        category: None,
        pending: false,
        split: false,
        taken: false,
    }
}

fn in_context(context: &Context, mut entries: Vec<Entry>) -> Result<Vec<MatchedPair>> {
    entries.sort_by_key(|entry| entry.day);
    let mut found = Vec::new();
    let mut take = |one| found.push(one);
    let mut matcher = Matcher::new(context);
    for entry in entries {
        matcher.push(entry, &mut take)?;
    }
    matcher.finish(&mut take);
    found.sort_by_key(|found| (found.outflow, found.inflow));
    Ok(found)
}

fn found(entries: Vec<Entry>) -> Vec<MatchedPair> {
    in_context(&context(), entries).unwrap()
}

/// What comes of one pair: 500.00 out of the first account and into the second.
fn one(out: Entry, into: Entry) -> Option<(Decision, u8)> {
    let found = found(vec![out, into]);
    assert!(found.len() <= 1);
    found.first().map(|found| (found.decision, found.score))
}

#[test]
fn a_lone_pair_is_certain_for_three_days_and_then_proposed() {
    for (days, expected) in [
        (0, Some((Decision::Confirm, 70))),
        (1, Some((Decision::Confirm, 65))),
        (-3, Some((Decision::Confirm, 55))),
        (3, Some((Decision::Confirm, 55))),
        (4, Some((Decision::Propose, 50))),
        (-4, Some((Decision::Propose, 50))),
        (5, None),
    ] {
        let out = entry(1, CHECKING, 100, 5_000_000, "A");
        let into = entry(2, SAVINGS, 100 + days, -5_000_000, "B");
        assert_eq!(one(out, into), expected, "{days}");
    }
}

#[test]
fn what_does_not_cancel_is_no_pair() {
    let out = || entry(1, CHECKING, 100, 5_000_000, "A");
    let into = || entry(2, SAVINGS, 100, -5_000_000, "B");
    type Change = fn(&mut Entry);
    let cases: [(&str, Change); 7] = [
        ("the same sign", |entry| entry.amount = 5_000_000),
        ("another size", |entry| entry.amount = -5_000_001),
        ("another currency", |entry| entry.currency = Currency::USD),
        ("the same account", |entry| entry.account = account(CHECKING)),
        ("an account out of sight", |entry| entry.account = account(9)),
        ("the smallest number", |entry| entry.amount = i64::MIN),
        ("nothing", |entry| entry.amount = 0),
    ];
    for (case, change) in cases {
        let mut into = into();
        change(&mut into);
        assert_eq!(one(out(), into), None, "{case}");
    }
    let flags: [Change; 3] =
        [|entry| entry.pending = true, |entry| entry.split = true, |entry| entry.taken = true];
    for flag in flags {
        for side in 0..2 {
            let mut pair = [out(), into()];
            flag(&mut pair[side]);
            let [out, into] = pair;
            assert_eq!(one(out, into), None);
        }
    }
    assert!(one(out(), into()).is_some());
}

#[test]
fn texts_and_categories_count() {
    for (from, to, category, expected) in [
        ("Umbuchung", "Eingang", None, Some((Decision::Confirm, 80))),
        ("to Rainy Day", "x", None, Some((Decision::Confirm, 80))),
        ("x", "ONLINE TRANSFER FROM EVERYDAY", None, Some((Decision::Confirm, 100))),
        ("x", "Refund shoes", None, None),
        ("Transfer", "Salary", None, Some((Decision::Propose, 50))),
        ("x", "y", Some(1), None),
        ("x", "y", Some(2), Some((Decision::Confirm, 60))),
        ("x", "y", Some(3), Some((Decision::Confirm, 60))),
        ("Transfer", "y", Some(1), Some((Decision::Propose, 50))),
        ("Payment received", "x", None, Some((Decision::Confirm, 60))),
    ] {
        let mut out = entry(1, CHECKING, 100, 5_000_000, from);
        out.category = category.map(|number| CategoryId(uuid::Uuid::from_u128(number)));
        let into = entry(2, SAVINGS, 102, -5_000_000, to);
        assert_eq!(one(out, into), expected, "{from}, {to}, {category:?}");
    }
    let out = entry(1, CHECKING, 100, 5_000_000, "x");
    let into = entry(2, CARD, 102, -5_000_000, "Payment received, thank you");
    assert_eq!(one(out, into), Some((Decision::Confirm, 80)), "payments of debts are transfers");
    let mut out = entry(1, CHECKING, 100, 5_000_000, "x");
    out.notes = Some("Przelew".to_owned());
    assert_eq!(one(out, entry(2, CARD, 100, -5_000_000, "y")), Some((Decision::Confirm, 90)));
}

#[test]
fn reasons_are_sentences() {
    let mut out = entry(1, CHECKING, 100, 5_000_000, "Transfer\nto  rainy day 1234");
    out.category = Some(CategoryId(uuid::Uuid::from_u128(1)));
    let entries = vec![
        out,
        entry(2, SAVINGS, 101, -5_000_000, "y"),
        entry(3, CARD, 103, -5_000_000, &"long ".repeat(20)),
    ];
    let found = found(entries);
    assert_eq!(
        found[0].reasons,
        [
            "The amounts are equal and opposite.",
            "They are one day apart.",
            "“Transfer to rainy day 1234” reads like a transfer.",
            "“Transfer to rainy day 1234” names the account Rainy Day.",
            "One other entry would fit as well.",
            "The category Food:Groceries speaks against a transfer.",
        ]
    );
    assert_eq!((found.len(), found[0].decision, found[0].score), (1, Decision::Propose, 65));
}

#[test]
fn rivals_on_either_side_make_it_a_question() {
    // Two real transfers of one day: four ways to pair them, none of them certain.
    let twice = vec![
        entry(1, CHECKING, 100, 5_000_000, "A"),
        entry(2, CHECKING, 100, 5_000_000, "A"),
        entry(3, SAVINGS, 100, -5_000_000, "B"),
        entry(4, SAVINGS, 100, -5_000_000, "B"),
    ];
    let pairs = found(twice.clone());
    assert_eq!(pairs.len(), 4);
    assert!(pairs.iter().all(|found| found.decision == Decision::Propose && found.score == 60));

    // A person has rejected the other pairs, so that only one is left for each.
    let mut decided = context();
    decided.rejected.extend([(id(1), id(4)), (id(2), id(3))]);
    let found = in_context(&decided, twice).unwrap();
    let pairs: Vec<_> = found.iter().map(|one| (one.outflow, one.inflow, one.decision)).collect();
    let certain = Decision::Confirm;
    assert_eq!(pairs, [(id(1), id(3), certain), (id(2), id(4), certain)]);
}

#[test]
fn many_equal_entries_do_not_flood() {
    for many in [5_u128, 10, 40, 2_000] {
        let pairs = |name: &str| {
            let entries = (0..many).flat_map(|number| {
                [
                    entry(2 * number, CHECKING, 100, 10_000, name),
                    entry(2 * number + 1, SAVINGS, 100, -10_000, name),
                ]
            });
            found(entries.collect())
        };
        assert!(pairs("Coffee").is_empty(), "{many} without a text");
        let proposed = pairs("Transfer");
        if many > CANDIDATES_MAX as u128 {
            assert!(proposed.is_empty(), "{many}");
        } else {
            assert!(!proposed.is_empty() && proposed.len() <= PROPOSALS_MAX * many as usize);
            assert!(proposed.iter().all(|found| found.decision == Decision::Propose));
        }
    }
}

#[test]
fn chance_is_no_evidence() {
    // Every pair has an amount of its own, but so many are around that some would be equal anyway.
    let entries = |name: &'static str, pairs: u128| -> Vec<Entry> {
        let pair = |number: u128| {
            let amount = 10_000 + 100 * number as i64;
            [
                entry(2 * number, CHECKING, 100, amount, name),
                entry(2 * number + 1, SAVINGS, 100, -amount, "y"),
            ]
        };
        (0..pairs).flat_map(pair).collect()
    };
    let crowd = u128::from(CROWD_MIN);
    assert_eq!(found(entries("x", crowd - 1)).len() as u128, crowd - 1);
    assert_eq!(found(entries("x", crowd)), []);
    let pairs = found(entries("Transfer", crowd));
    assert_eq!(pairs.len() as u128, crowd);
    assert!(pairs.iter().all(|found| found.decision == Decision::Confirm && found.score == 55));
    let chance = "There are 40 bookings around it, so equal amounts may be chance.";
    assert!(pairs[0].reasons.iter().any(|reason| reason == chance), "{:?}", pairs[0].reasons);
}

#[test]
fn entries_come_in_the_order_of_their_days() {
    let context = context();
    let mut matcher = Matcher::new(&context);
    matcher.push(entry(1, CHECKING, 100, 1, "x"), &mut |_| {}).unwrap();
    let earlier = matcher.push(entry(2, CHECKING, 99, 1, "x"), &mut |_| {});
    assert_eq!(earlier.unwrap_err().code(), "internal_server_error");
}

#[test]
fn pairs_are_handed_out_while_entries_come_in() {
    let context = context();
    let mut matcher = Matcher::new(&context);
    let mut count = 0;
    for day in 0..1_000 {
        let pair = [
            entry(day * 2, CHECKING, day as i64 * 10, 70_000, "x"),
            entry(day * 2 + 1, SAVINGS, day as i64 * 10, -70_000, "y"),
        ];
        for one in pair {
            matcher.push(one, &mut |_| count += 1).unwrap();
        }
        assert!(count + 2 >= day, "{count} of {day}");
    }
    matcher.finish(&mut |_| count += 1);
    assert_eq!(count, 1_000);
}

#[test]
fn words_are_found_in_many_languages() {
    for text in [
        "ONLINE TRANSFER REF #IB0",
        "SEPA-Überweisung an",
        "Umbuchung",
        "VIREMENT INTERNE",
        "Transferencia inmediata",
        "TRASPASO",
        "Bonifico istantaneo",
        "Overboeking eigen rekening",
        "Överföring",
        "Overførsel",
        "Tilisiirto",
        "PRZELEW WEWNĘTRZNY",
        "Převod",
        "Átutalás",
        "Havale/EFT",
        "ПЕРЕВОД между счетами",
        "振込 カ)",
        "转账",
        "계좌이체",
    ] {
        assert!(Words::of(text).mean_transfer(), "{text}");
        assert!(!Words::of(text).mean_other(), "{text}");
    }
    for text in ["Virgin Media", "Left luggage", "Coffee", "Satirfarm", "", "REWE SAGT DANKE"] {
        assert!(!Words::of(text).mean_transfer(), "{text}");
    }
    for text in ["Gehalt 01/2026", "PAYROLL ACME", "Remboursement", "Zwrot", "Dividends", "給与"]
    {
        assert!(Words::of(text).mean_other(), "{text}");
    }
    for text in ["Transfers", "Credit card payments", "Savings & Investments", "Misc", "Sparen"] {
        assert!(Words::of(text).allow_transfer(), "{text}");
    }
    for text in ["Groceries", "Salary", "Interest on savings", "Restaurants"] {
        assert!(!Words::of(text).allow_transfer(), "{text}");
    }
    let names = |text: &str, name: &str| Words::of(text).name(&Words::of(name));
    assert!(
        names("An DKB-Tagesgeld 12", "DKB Tagesgeld")
            && !names("DKB und Tagesgeld", "DKB Tagesgeld")
    );
    assert!(!names("A to B", "B") && !names("anything", "") && !names("Checkings", "Checking"));
}

#[test]
fn the_type_follows_from_where_the_money_goes() {
    for (account_type, expected) in [
        (AccountType::Loan, TransferType::LoanPayment),
        (AccountType::CreditCard, TransferType::LiabilityPayment),
        (AccountType::OtherLiability, TransferType::LiabilityPayment),
        (AccountType::Investment, TransferType::Transfer),
    ] {
        assert_eq!(TransferType::into_account(account_type), expected);
    }
}
