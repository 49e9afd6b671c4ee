use super::*;

pub(super) fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

pub(super) fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

pub(super) fn found(kind: MappingKind, value: &str, codes: &[&str]) -> DistinctName {
    let currencies = codes.iter().map(|code| currency(code)).collect();
    DistinctName { kind, value: value.into(), key: name_key(value), rows: 1, currencies }
}

fn family() -> ExistingRecords {
    let mut existing = ExistingRecords::default();
    existing.account(id(1), "checking".into(), currency("USD"));
    existing.account(id(2), "savings".into(), currency("USD"));
    existing.account(id(3), "savings".into(), currency("USD"));
    existing.category(id(10), None, "food".into());
    existing.category(id(11), Some(id(10)), "food:groceries".into());
    existing.tag(id(20), "trip".into());
    existing
}

#[test]
fn names_match_what_exists() {
    let cases = [
        (found(MappingKind::Account, " Checking ", &["USD"]), Resolution::Existing(id(1))),
        (found(MappingKind::Account, "Cash", &["USD"]), Resolution::Create),
        (found(MappingKind::Category, "FOOD", &[]), Resolution::Existing(id(10))),
        (found(MappingKind::Category, "Food : groceries", &[]), Resolution::Existing(id(11))),
        (found(MappingKind::Category, "Groceries", &[]), Resolution::Existing(id(11))),
        (found(MappingKind::Category, "Fun:Groceries", &[]), Resolution::Create),
        (found(MappingKind::Tag, "Trip", &[]), Resolution::Existing(id(20))),
        (found(MappingKind::Tag, "trips", &[]), Resolution::Create),
    ];
    for (found, expected) in cases {
        assert_eq!(resolve(&found, &family()), expected, "{}", found.value);
    }
}

#[test]
fn a_name_stands_for_the_account_that_it_stood_for_before() {
    let mut existing = family();
    existing.former_name(id(1), "giro".into());
    existing.former_name(id(1), "giro".into());
    // An account that is gone, and a name that an account has by now.
    existing.former_name(id(9), "gone".into());
    existing.former_name(id(1), "savings".into());
    existing.former_name(id(1), "shared".into());
    existing.former_name(id(2), "shared".into());
    let resolved = |value, codes| resolve(&found(MappingKind::Account, value, codes), &existing);
    let choose = |why: &str| Resolution::Choose(why.into());
    assert_eq!(resolved("Giro", &["USD"]), Resolution::Existing(id(1)));
    assert_eq!(resolved("Giro", &["EUR"]), Resolution::Create, "it takes dollars");
    assert_eq!(resolved("Gone", &["USD"]), Resolution::Create);
    assert_eq!(resolved("Savings", &["USD"]), choose("2 accounts are called Savings"));
    assert_eq!(
        resolved("Shared", &["USD"]),
        choose("In earlier files Shared stood for 2 different accounts")
    );
    let currencies = existing.account_currencies();
    assert_eq!(currencies.get("giro"), Some(&currency("USD")));
    assert!(!currencies.contains_key("shared") && !currencies.contains_key("gone"));
}

#[test]
fn a_person_chooses_where_a_name_is_ambiguous() {
    for (value, codes, why) in [
        ("Savings", &["USD"][..], "2 accounts are called Savings"),
        ("Checking", &["EUR"], "Checking is an account in USD, but its rows are in EUR"),
        ("Cash", &["EUR", "USD"], "The rows of Cash have several currencies: EUR, USD"),
        ("", &["USD"], "The file doesn't say which account the rows belong to"),
    ] {
        let found = found(MappingKind::Account, value, codes);
        assert_eq!(resolve(&found, &family()), Resolution::Choose(why.into()));
    }
}

#[test]
fn both_levels_of_a_category_are_created_once() {
    let mut preparation = Preparation::default();
    for value in ["Fun:Other", "Income:Other", "fun", "Fun:Films", "Food:Bars"] {
        preparation.create(&found(MappingKind::Category, value, &[]), &family()).unwrap();
    }
    let created: Vec<(String, Option<Target>)> = preparation
        .creations
        .iter()
        .map(|creation| match creation {
            Creation::Category { key, parent, .. } => (key.clone(), *parent),
            other => panic!("{other:?}"),
        })
        .collect();
    let below = |slot| Some(Target::Created(Slot(slot)));
    assert_eq!(
        created,
        [
            ("fun".into(), None),
            ("fun:other".into(), below(0)),
            ("income".into(), None),
            ("income:other".into(), below(2)),
            ("fun:films".into(), below(0)),
            ("food:bars".into(), Some(Target::Existing(id(10)))),
        ]
    );
    let fun = preparation.target(MappingKind::Category, " FUN ");
    assert_eq!(fun, Some(Target::Created(Slot(0))));
}

fn created(preparation: &Preparation) -> Vec<(&str, &str, Option<Target>)> {
    let mut categories = Vec::new();
    for creation in &preparation.creations {
        match creation {
            Creation::Category { name, key, parent, .. } => {
                categories.push((name.as_str(), key.as_str(), *parent));
            }
            other => panic!("{other:?}"),
        }
    }
    categories
}

#[test]
fn a_parent_is_of_the_first_level() {
    let mut existing = ExistingRecords::default();
    existing.category(id(1), None, "income".into());
    existing.category(id(2), Some(id(1)), "income:other".into());
    let misc = found(MappingKind::Category, "Other:Misc", &[]);
    let other = found(MappingKind::Category, "Other", &[]);
    let expected =
        [("Other", "other", None), ("Misc", "other:misc", Some(Target::Created(Slot(0))))];
    for names in [[&misc, &other], [&other, &misc]] {
        let mut preparation = Preparation::default();
        for name in names {
            preparation.create(name, &existing).unwrap();
        }
        assert_eq!(created(&preparation), expected);
        // The mapping was chosen at the upload, before there was another account.
        let plain = preparation.target(MappingKind::Category, "other");
        assert_eq!(plain, Some(Target::Existing(id(2))));
    }
    let mut preparation = Preparation::default();
    preparation.assign(MappingKind::Category, "Other", id(2));
    preparation.create(&misc, &existing).unwrap();
    assert_eq!(created(&preparation), expected);
}

#[test]
fn a_path_means_no_leaf_of_another() {
    let mut existing = ExistingRecords::default();
    existing.category(id(1), None, "a".into());
    existing.category(id(2), Some(id(1)), "a:b:c".into());
    let path = |value| resolve(&found(MappingKind::Category, value, &[]), &existing);
    assert_eq!(path("B:C"), Resolution::Create);
    assert_eq!(path("A : b:c"), Resolution::Existing(id(2)));
}

#[test]
fn every_colon_splits_a_path() {
    let mut preparation = Preparation::default();
    for value in ["Food：Fruit", "food:fruit", "Food ﹕ Nuts：Roasted"] {
        preparation
            .create(&found(MappingKind::Category, value, &[]), &ExistingRecords::default())
            .unwrap();
    }
    let food = Some(Target::Created(Slot(0)));
    assert_eq!(
        created(&preparation),
        [
            ("Food", "food", None),
            ("Fruit", "food:fruit", food),
            ("Nuts：Roasted", "food:nuts:roasted", food),
        ]
    );
    assert_eq!(path_key("：Food"), ":food");
    for c in '\0'..=char::MAX {
        assert_eq!(is_colon(c), name_key(&format!("x{c}")).contains(':'), "{c:?}");
    }
}
