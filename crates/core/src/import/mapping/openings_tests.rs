use super::*;
use crate::import::mapping::tests::{currency, found, id};
use crate::import::mapping::{Choice, ExistingRecords, MappingKind};

fn ends(account: &str, code: &str, opening: Option<i64>) -> BalanceEnds {
    BalanceEnds {
        account: account.to_owned(),
        currency: currency(code),
        first_day: "2026-01-02".parse().unwrap(),
        opening,
        last_day: "2026-01-31".parse().unwrap(),
        closing: None,
        sum: None,
    }
}

/// The accounts that are created, with their openings.
fn openings(preparation: &Preparation) -> Vec<(&str, i64)> {
    let creations = preparation.creations.iter();
    let accounts = creations.filter_map(|creation| match creation {
        Creation::Account(account) => Some((account.name.as_str(), account.opening.amount)),
        _ => None,
    });
    accounts.collect()
}

#[test]
fn new_accounts_open_with_the_balance_before_their_first_row() {
    let mut existing = ExistingRecords::default();
    existing.account(id(1), "known".into(), currency("USD"));
    for (sense, sign) in [(Sense::Money, 1), (Sense::Debt, -1)] {
        let mut preparation = Preparation::default();
        for name in ["Main", "Known", "Twice", "Open"] {
            let found = found(MappingKind::Account, name, &["USD"]);
            preparation.create(&found, &existing).unwrap();
        }
        let unnamed = found(MappingKind::Account, "", &["EUR"]);
        let choice = Choice::Create { name: Some("Chosen".into()) };
        preparation.choose(&unnamed, &choice, &existing).unwrap();
        let cash = found(MappingKind::Account, "Cash", &["EUR", "USD"]);
        preparation.choose(&cash, &Choice::PerCurrency { name: None }, &existing).unwrap();
        let stated = [
            ends("Main", "USD", Some(10_000)),
            ends("Known", "USD", Some(7)),
            ends("Twice", "USD", Some(1)),
            ends("TWICE", "USD", Some(2)),
            ends("Open", "USD", None),
            ends("", "EUR", Some(-300)),
            ends("Cash", "EUR", Some(40)),
            ends("Cash", "USD", Some(50)),
        ];
        preparation.take_openings(&stated, sense);
        assert_eq!(
            openings(&preparation),
            [
                ("Main", sign * 10_000),
                ("Twice", 0),
                ("Open", 0),
                ("Chosen", sign * -300),
                ("Cash EUR", sign * 40),
                ("Cash USD", sign * 50),
            ]
        );
    }
}
