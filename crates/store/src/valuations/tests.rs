use jiff::SignedDuration;
use purser_core::ledger::input::AmountText;

use super::*;
use crate::accounts::tests::{input, make};
use crate::testing::{Fixture, on_both};

fn values(amount: &str, date: &str) -> ValuationValues {
    ValuationValues {
        amount: Some(AmountText::Text(amount.to_owned())),
        date: Some(date.to_owned()),
        ..ValuationValues::default()
    }
}

struct Case<'f> {
    fixture: &'f Fixture,
    family: FamilyId,
    account: AccountId,
}

impl<'f> Case<'f> {
    fn new(fixture: &'f Fixture) -> Self {
        let (family, _) = fixture.family("one");
        let account = make(fixture, family, &input("House", "property", "100")).summary.id;
        Self { fixture, family, account }
    }

    fn set(&self, values: ValuationValues) -> Result<(Valuation, bool)> {
        let input = ValuationInput { account: self.account, values };
        self.fixture.store.write_blocking(self.family, |tx| set(tx, &input))
    }

    fn revise(&self, id: EntryId, values: &ValuationValues) -> Result<Valuation> {
        self.fixture.store.write_blocking(self.family, |tx| revise(tx, id, values))
    }

    fn balance(&self) -> i64 {
        let account =
            self.fixture.store.read_blocking(self.family, |tx| accounts::get(tx, self.account));
        account.unwrap().balance
    }

    fn list(&self, listing: Listing) -> (Vec<String>, u64) {
        let listed =
            self.fixture.store.read_blocking(self.family, |tx| list(tx, listing, 10, 0)).unwrap();
        (listed.0.iter().map(|valuation| valuation.date.to_string()).collect(), listed.1)
    }
}

#[test]
fn a_day_has_one_valuation_and_it_keeps_its_id() {
    on_both(|fixture| {
        let case = Case::new(fixture);
        let noted = ValuationValues { notes: Some(Some("n".into())), ..values("5", "2024-05-01") };
        let (first, existed) = case.set(noted).unwrap();
        assert!(!existed);
        assert_eq!((case.balance(), first.notes.as_deref()), (50_000, Some("n")));
        fixture.clock.advance(SignedDuration::from_secs(1));
        let (second, existed) = case.set(values("6", "2024-05-01")).unwrap();
        assert!(existed);
        assert_eq!(
            (second.id, second.kind, second.notes.as_deref()),
            (first.id, first.kind, Some("n"))
        );
        assert_eq!((second.amount, case.balance()), (60_000, 60_000));
        assert_eq!(second.created_at, first.created_at);
        assert!(second.updated_at > first.updated_at);
        assert_eq!(case.list(Listing::default()), (vec!["2024-05-01".to_owned()], 1));
    });
}

#[test]
fn a_valuation_moves_only_onto_a_free_day() {
    on_both(|fixture| {
        let case = Case::new(fixture);
        let (old, _) = case.set(values("5", "2024-05-01")).unwrap();
        case.set(values("7", "2024-05-03")).unwrap();
        let day = |date: &str| ValuationValues { date: Some(date.into()), ..Default::default() };
        let occupied = case.revise(old.id, &day("2024-05-03")).unwrap_err();
        assert_eq!(occupied.code(), "validation_failed");
        assert_eq!(case.balance(), 70_000);
        assert_eq!(case.revise(old.id, &day("2024-05-05")).unwrap().id, old.id);
        assert_eq!(case.balance(), 50_000);
        let cleared = ValuationValues { notes: Some(None), ..Default::default() };
        assert_eq!(case.revise(old.id, &cleared).unwrap().amount, 50_000);
        let days = ["2024-05-05", "2024-05-03"].map(str::to_owned);
        assert_eq!(case.list(Listing::default()), (days.to_vec(), 2));
    });
}

#[test]
fn what_is_taken_away_no_longer_counts() {
    on_both(|fixture| {
        let case = Case::new(fixture);
        let (valuation, _) = case.set(values("5", "2024-05-01")).unwrap();
        let removed = |family| fixture.store.write_blocking(family, |tx| remove(tx, valuation.id));
        let (other, _) = fixture.family("two");
        assert_eq!(removed(other).unwrap_err().code(), "not_found");
        removed(case.family).unwrap();
        assert_eq!(case.balance(), 1_000_000);
        assert_eq!(removed(case.family).unwrap_err().code(), "not_found");
        assert_eq!(case.list(Listing::default()), (Vec::new(), 0));
    });
}

#[test]
fn lists_are_filtered_and_restricted() {
    on_both(|fixture| {
        let case = Case::new(fixture);
        for day in ["2024-05-01", "2024-05-02", "2024-05-03"] {
            case.set(values("5", day)).unwrap();
        }
        let day = |day| Some(jiff::civil::date(2024, 5, day));
        let from = Listing { start: day(2), ..Listing::default() };
        assert_eq!(case.list(from).1, 2);
        let to = Listing { end: day(1), account: Some(case.account), ..Listing::default() };
        assert_eq!(case.list(to), (vec!["2024-05-01".to_owned()], 1));
        let list = |tx: &mut FamilyTx<'_>| list(tx, Listing::default(), 10, 0);
        let nowhere = fixture.store.read_blocking(case.family, |tx| tx.seeing(Some(&[]), list));
        assert_eq!(nowhere.unwrap(), (Vec::new(), 0));
        let elsewhere =
            Listing { account: Some(AccountId(uuid::Uuid::nil())), ..Listing::default() };
        assert_eq!(case.list(elsewhere), (Vec::new(), 0));
    });
}

#[test]
fn values_are_judged_before_anything_is_written() {
    let fixture = Fixture::sqlite();
    let case = Case::new(&fixture);
    for (amount, date) in [("x", "2024-05-01"), ("5", "2025-05-18"), ("5", "1899-12-31")] {
        assert_eq!(case.set(values(amount, date)).unwrap_err().code(), "validation_failed");
    }
    assert_eq!(case.list(Listing::default()).1, 0);
}
