use super::*;
use crate::import::mapping::tests::{currency, found, id};
use crate::plan::Slot;

fn family() -> ExistingRecords {
    let mut existing = ExistingRecords::default();
    existing.account(id(1), "checking".into(), currency("USD"));
    existing.account(id(2), "cash eur".into(), currency("EUR"));
    existing.account(id(3), "cash usd".into(), currency("EUR"));
    existing.category(id(10), None, "food".into());
    existing.tag(id(20), "trip".into());
    existing
}

fn create(name: &str) -> Choice {
    Choice::Create { name: Some(name.to_owned()) }
}

#[test]
fn a_choice_must_fit_the_rows() {
    use MappingKind::{Account, Category, Tag};
    let per_currency = Choice::PerCurrency { name: None };
    let cases = [
        (found(Account, "X", &["USD"]), Choice::Existing(id(1)), None),
        (found(Account, "X", &[]), Choice::Existing(id(1)), None),
        // They are converted.
        (found(Account, "X", &["EUR"]), Choice::Existing(id(1)), None),
        (found(Account, "X", &[]), create("Y"), Some("trades go into an account that exists")),
        (found(Account, "X", &["USD"]), Choice::Existing(id(9)), Some("there is no such account")),
        (found(Category, "X", &[]), Choice::Existing(id(1)), Some("there is no such category")),
        (found(Category, "X", &[]), Choice::Existing(id(10)), None),
        (found(Tag, "X", &[]), Choice::Existing(id(20)), None),
        (found(Tag, "X", &[]), Choice::Existing(id(10)), Some("there is no such tag")),
        (found(Account, "X", &["EUR"]), create("Y"), None),
        (
            found(Account, "X", &["EUR", "USD"]),
            create("Y"),
            Some("the rows of X have several currencies"),
        ),
        (found(Account, "X", &["EUR", "USD"]), per_currency.clone(), None),
        (found(Account, "", &["USD"]), Choice::Create { name: None }, Some("a name is needed")),
        (found(Account, "", &["USD"]), create("Main"), None),
        (found(Tag, "X", &[]), per_currency, Some("only accounts can be made per currency")),
    ];
    for (found, choice, expected) in cases {
        let fits = choice.fits(&found, &family());
        assert_eq!(fits.err().as_deref(), expected, "{found:?} {choice:?}");
    }
    let long = create(&"x".repeat(LABEL_CHARS_MAX + 1));
    assert!(long.check(Tag, "X").unwrap_err().contains("longer than"));
    assert!(create("a\0b").check(Tag, "X").is_err());
}

#[test]
fn a_name_can_stand_for_an_account_in_each_currency() {
    let mut preparation = Preparation::default();
    let cash = found(MappingKind::Account, "Cash", &["EUR", "USD", "CHF"]);
    preparation.choose(&cash, &Choice::PerCurrency { name: None }, &family()).unwrap();
    // "cash usd" exists, but holds euros.
    let names: Vec<_> = preparation
        .creations
        .iter()
        .map(|creation| match creation {
            Creation::Account(account) => (account.name.as_str(), account.currency.code()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(names, [("Cash USD", "USD"), ("Cash CHF", "CHF")]);
    let target = |code| preparation.account(" CASH ", currency(code));
    assert_eq!(target("EUR"), Some(Target::Existing(id(2))));
    assert_eq!(target("USD"), Some(Target::Created(Slot(0))));
    assert_eq!(target("GBP"), None);
}

#[test]
fn what_is_created_may_be_called_otherwise() {
    let mut preparation = Preparation::default();
    for (kind, value, name) in [
        (MappingKind::Account, "X", "Checking"),
        (MappingKind::Category, "Essen", "FOOD"),
        (MappingKind::Category, "Kino", "Fun:Films"),
        (MappingKind::Category, "Film", "fun:films"),
        (MappingKind::Tag, "a", "b"),
        (MappingKind::Tag, "c", "B"),
        (MappingKind::Tag, "d", "trip"),
    ] {
        let found = found(kind, value, &["USD"]);
        preparation.choose(&found, &create(name), &family()).unwrap();
    }
    preparation.create(&found(MappingKind::Tag, "B", &[]), &family()).unwrap();
    assert_eq!(preparation.creations.len(), 4, "{:?}", preparation.creations);
    let target = |kind, value| preparation.target(kind, value);
    // A second account of the name, because a person chose so.
    let account = preparation.account("x", currency("USD"));
    assert_eq!(account, Some(Target::Created(Slot(0))));
    assert_eq!(target(MappingKind::Category, "essen"), Some(Target::Existing(id(10))));
    assert_eq!(target(MappingKind::Category, "kino"), Some(Target::Created(Slot(2))));
    assert_eq!(target(MappingKind::Category, "film"), Some(Target::Created(Slot(2))));
    for tag in ["a", "b", "c"] {
        assert_eq!(target(MappingKind::Tag, tag), Some(Target::Created(Slot(3))), "{tag}");
    }
    assert_eq!(target(MappingKind::Tag, "d"), Some(Target::Existing(id(20))));
}

#[test]
fn choices_are_kept_as_json() {
    let chosen = MappingChoice {
        kind: MappingKind::Account,
        key: "cash".into(),
        choice: Choice::PerCurrency { name: None },
    };
    let json = serde_json::to_string(&chosen).unwrap();
    assert_eq!(serde_json::from_str::<MappingChoice>(&json).unwrap(), chosen, "{json}");
}
