use proptest::prelude::*;
use uuid::Uuid;

use super::type_words;
use crate::import::kinds::Kind;
use crate::import::mapping::MappingKind;
use crate::import::row_edit::RowChoice;
use crate::import::whole::testing::{File, id, layout, reasons, verdicts};
use crate::import::whole::{AccountRecord, FamilyRecords, NameTargets, Step, WholePlan};
use crate::ledger::account::{AccountType, NewAccount};
use crate::money::Currency;
use crate::plan::{Creation, Target};

/// Types of accounts that a person has chosen, by text; else what the text means.
struct Types(&'static [(&'static str, AccountType)]);

impl NameTargets for Types {
    fn target(&self, _kind: MappingKind, _name: &str) -> Option<Target> {
        None
    }

    fn account_type(&self, text: &str) -> Option<AccountType> {
        let chosen = self.0.iter().find(|(known, _)| *known == text).map(|(_, chosen)| *chosen);
        chosen.or_else(|| type_words::meaning(text).map(|(found, _)| found))
    }

    fn problem(&self, kind: MappingKind, name: &str) -> Option<String> {
        assert_eq!(kind, MappingKind::AccountType);
        Some(format!("choose {name}"))
    }
}

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn account(number: u128, name: &str, account_type: AccountType) -> AccountRecord {
    AccountRecord { id: id(number), name: name.to_owned(), account_type, currency: currency("EUR") }
}

fn family(accounts: &[AccountRecord]) -> FamilyRecords {
    FamilyRecords { accounts: accounts.to_vec(), ..FamilyRecords::default() }
}

fn plan(text: &str, accounts: &[AccountRecord]) -> WholePlan {
    File::new(Kind::Account, text).plan_with(&family(accounts), &Types(&[]), |_| RowChoice::Plan)
}

fn created(plan: &WholePlan) -> Vec<&NewAccount> {
    let creations = plan.creations.iter();
    let accounts = creations.map(|creation| match creation {
        Creation::Account(account) => account,
        other => panic!("{other:?}"),
    });
    accounts.collect()
}

/// The accounts after the plan was published.
fn published(accounts: &[AccountRecord], plan: &WholePlan) -> Vec<AccountRecord> {
    let mut after = accounts.to_vec();
    for row in &plan.rows {
        if let Some(Step::Create(slot)) = &row.step {
            let new = created(plan)[slot.0 as usize];
            after.push(AccountRecord {
                id: Uuid::from_u128(1_000 + u128::from(slot.0)),
                name: new.name.clone(),
                account_type: new.account_type,
                currency: new.currency,
            });
        }
    }
    after
}

#[test]
fn columns_have_many_names() {
    for (header, expected) in [
        ("Account type*|Name*|Balance*|Currency|Balance Date", [1, 0, 2, 3, 4].map(Some)),
        (
            "id|name|type|subtype|balance|currency|created_at",
            [Some(1), Some(2), Some(4), Some(5), None],
        ),
        ("Kontoart|Konto|Kontostand (EUR)|Stichtag", [Some(1), Some(0), Some(2), None, Some(3)]),
    ] {
        let layout = layout(Kind::Account, header);
        let fields = ["name", "type", "balance", "currency", "date"];
        let found = fields.map(|field| layout.fields.get(field).copied());
        assert_eq!((found, layout.problems.len()), (expected, 0), "{header}");
    }
    let problems = layout(Kind::Account, "Name|Type").problems;
    assert!(problems[0].to_string().starts_with("No column holds the balance"), "{problems:?}");
}

#[test]
fn rows_become_accounts_with_their_openings() {
    let plan = plan(
        "Account type|Name|Balance|Currency|Balance Date\n\
         Girokonto|Main|1.200,50||31.01.2024\n\
         CreditCard|Visa|300,00|USD|\n\
         other asset|Painting|5.000,00|EUR|\n\
         Hypothek|House|0,00|EUR|",
        &[],
    );
    assert_eq!(verdicts(&plan), ["create"; 4]);
    assert_eq!(
        reasons(&plan),
        [
            "A new depository (checking) with 1200.50 EUR on 2024-01-31",
            "A new credit card with a debt of 300.00 USD before the first entry",
            "A new other asset with 5000.00 EUR before the first entry",
            "A new loan (mortgage) with nothing in EUR before the first entry",
        ]
    );
    let made: Vec<_> = created(&plan)
        .iter()
        .map(|one| (one.account_type, one.subtype.as_deref(), one.opening.amount))
        .collect();
    assert_eq!(
        made,
        [
            (AccountType::Depository, Some("checking"), 12_005_000),
            (AccountType::CreditCard, None, 3_000_000),
            (AccountType::OtherAsset, None, 50_000_000),
            (AccountType::Loan, Some("mortgage"), 0),
        ]
    );
    assert_eq!(created(&plan)[0].opening.date, Some(jiff::civil::date(2024, 1, 31)));
}

#[test]
fn the_sign_of_a_debt_is_a_question_as_soon_as_one_is_negative() {
    let text = "name|type|balance\nA|checking|-5.00\nB|loan|-100.00\nC|credit card|20.00";
    let open = plan(text, &[]);
    assert_eq!(verdicts(&open), ["create", "needs_choice", "needs_choice"]);
    let why = "Is -100.00 EUR a debt or money in excess? Which sign a debt has in the file is to be \
               stated (debt_sign)";
    assert_eq!(reasons(&open)[1], why);
    let with = |sign: &str| {
        let file = File::with_setting(Kind::Account, text, ("debt_sign", sign));
        let plan = file.plan_with(&family(&[]), &Types(&[]), |_| RowChoice::Plan);
        created(&plan).iter().map(|one| one.opening.amount / 10_000).collect::<Vec<_>>()
    };
    assert_eq!(with("negative"), [-5, 100, -20]);
    assert_eq!(with("positive"), [-5, -100, 20]);
    let marked = plan("name|type|balance\nA|loan|100.00 DR\nB|loan|7.00 CR", &[]);
    let amounts: Vec<i64> = created(&marked).iter().map(|one| one.opening.amount).collect();
    assert_eq!(amounts, [1_000_000, -70_000]);
    assert!(reasons(&marked)[1].contains("7.00 EUR paid in excess"), "{marked:?}");
}

#[test]
fn an_account_of_the_name_and_type_is_never_made_twice() {
    let known = [
        account(1, "Main", AccountType::Depository),
        account(2, "Cash", AccountType::Depository),
        account(3, "cash", AccountType::Depository),
    ];
    let text = "name|type|balance|currency\nMAIN|savings|1.00|\nMain|brokerage|2.00|\n\
                Main|loan|3.00|\nMain|loan|3.00|\nCash|checking|1.00|";
    let plan = plan(text, &known);
    assert_eq!(verdicts(&plan), ["matched_by_name", "create", "create", "repeats", "needs_choice"]);
    assert_eq!(reasons(&plan)[0], "It is the account \"Main\", which stays as it is");
    assert_eq!(reasons(&plan)[4], "2 accounts of this type are called \"Cash\"");
    let foreign = self::plan("name|type|balance|currency\nMain|giro|1.00|USD", &known);
    assert_eq!(reasons(&foreign), ["The account \"Main\" is in EUR, the row in USD"]);
    let file = File::new(Kind::Account, "name|type|balance\nMain|giro|1.00");
    let second = file.plan_with(&family(&known), &Types(&[]), |_| RowChoice::Create);
    assert_eq!(verdicts(&second), ["create"], "a person may want one");
}

#[test]
fn an_unknown_type_is_chosen() {
    let text = "name|type|balance\nA|Zzz|1.00\nB||2.00\nC|zzz|3.00";
    let open = plan(text, &[]);
    assert_eq!(verdicts(&open), ["needs_choice"; 3]);
    assert_eq!(reasons(&open), ["choose Zzz", "choose ", "choose zzz"]);
    let file = File::new(Kind::Account, text);
    let types = Types(&[
        ("Zzz", AccountType::Vehicle),
        ("", AccountType::Loan),
        ("zzz", AccountType::Vehicle),
    ]);
    let chosen = file.plan_with(&family(&[]), &types, |_| RowChoice::Plan);
    let types: Vec<AccountType> = created(&chosen).iter().map(|one| one.account_type).collect();
    assert_eq!(types, [AccountType::Vehicle, AccountType::Loan, AccountType::Vehicle]);
}

#[test]
fn what_is_wrong_has_its_line() {
    let file = File::new(
        Kind::Account,
        "name|type|balance|currency|date\n\
         |giro|1.00||\nA|giro||EUR|\nB|giro|x||\nC|giro|1.00|ZZZ|\nD|giro|1.00|EUR|2030-01-01\n\
         E|giro|1.00||2024-01-01\ne|savings|2.00||2024-01-01\nF|giro|£1.00|EUR|\n\
         G|giro|1.00 USD|EUR|\nH|giro|1.00001|EUR|2024-13-45",
    );
    let expected = [
        (2, "name is blank"),
        (3, "balance is blank"),
        (4, "balance \"x\" is not an amount"),
        (5, "currency \"ZZZ\" is not a known currency such as USD"),
        (7, "Line 8 has the same account with another balance"),
        (8, "Line 7 has the same account with another balance"),
    ];
    let found = file.reasons();
    for (line, why) in expected {
        assert!(found.contains(&(line, why.to_owned())), "{line} {why}: {found:?}");
    }
    let lines: Vec<u64> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, (2..=11).collect::<Vec<u64>>(), "{found:?}");
}

#[test]
fn amounts_and_days_that_can_be_read_in_two_ways_are_a_question() {
    let file = File::unread(Kind::Account, "name|type|balance|date\nA|giro|1,234|01/02/2024");
    let texts: Vec<String> = file.iter().map(ToString::to_string).collect();
    assert!(texts[0].starts_with("The number format is ambiguous"), "{texts:?}");
    assert!(texts[1].starts_with("The date format is ambiguous"), "{texts:?}");
}

proptest! {
    /// Whatever the family and the file: what is there stays, and the same file once more creates
    /// nothing.
    #[test]
    fn twice_is_once(
        own in prop::collection::vec((0usize..3, 0usize..3), 0..4),
        rows in prop::collection::vec((0usize..3, 0usize..5, -3i64..4), 1..7),
    ) {
        let names = ["A", "a", "B"];
        let types = [AccountType::Depository, AccountType::Loan, AccountType::Vehicle];
        let known: Vec<AccountRecord> = (1u128..)
            .zip(&own)
            .map(|(number, (name, kind))| account(number, names[*name], types[*kind]))
            .collect();
        let words = ["giro", "savings", "loan", "Hypothek", "car"];
        let mut text = String::from("name|type|balance");
        for (name, word, balance) in &rows {
            text.push_str(&format!("\n{}|{}|{balance}.00", names[*name], words[*word]));
        }
        let first = plan(&text, &known);
        let after = published(&known, &first);
        prop_assert_eq!(&after[..known.len()], &known[..]);
        let again = plan(&text, &after);
        if first.rows.iter().all(|row| row.verdict.as_str() != "needs_choice") {
            prop_assert!(again.rows.iter().all(|row| row.step.is_none()), "{text}\n{again:?}");
        }
    }
}
