use purser_core::ledger::account_values::AccountValues;
use purser_core::ledger::input::AmountText;

use super::*;
use crate::audit;
use crate::families::FamilyId;
use crate::testing::{Fixture, on_both};

/// The fields of an account in a test.
pub(crate) fn input(name: &str, account_type: &str, opening: &str) -> AccountInput {
    AccountInput {
        name: Some(name.to_owned()),
        account_type: Some(account_type.to_owned()),
        opening_balance: Some(AmountText::Text(opening.to_owned())),
        ..AccountInput::default()
    }
}

/// Creates an account for a test.
pub(crate) fn make(fixture: &Fixture, family: FamilyId, input: &AccountInput) -> Account {
    fixture.store.write_blocking(family, |tx| create(tx, input)).unwrap()
}

#[test]
fn accounts_are_listed_by_name_and_seen_by_their_family_only() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let (other, _) = fixture.family("two");
        let names = ["beta", "Alpha", "Ämter", "beta"];
        let made: Vec<AccountId> = names
            .iter()
            .map(|name| make(fixture, family, &input(name, "depository", "10")).summary.id)
            .collect();
        let read = |family, only: Option<&[AccountId]>, limit, offset| {
            let list = |tx: &mut FamilyTx<'_>| list(tx, Listing::default(), limit, offset);
            let listed = fixture.store.read_blocking(family, |tx| tx.seeing(only, list));
            let (page, total) = listed.unwrap();
            let ids: Vec<AccountId> = page.iter().map(|account| account.summary.id).collect();
            (ids, total)
        };
        let by_name = vec![made[1], made[0], made[3], made[2]];
        assert_eq!(read(family, None, 10, 0), (by_name.clone(), 4));
        assert_eq!(read(family, None, 2, 1), (by_name[1..3].to_vec(), 4));
        assert_eq!(read(family, None, 2, 9), (Vec::new(), 4));
        assert_eq!(read(family, Some(&made[..1]), 10, 0), (vec![made[0]], 1));
        assert_eq!(read(other, None, 10, 0), (Vec::new(), 0));

        let show = |family, only: Option<&[AccountId]>| {
            fixture.store.read_blocking(family, |tx| tx.seeing(only, |tx| get(tx, made[0])))
        };
        assert_eq!(show(family, None).unwrap().balance, 100_000);
        assert_eq!(show(other, None).unwrap_err().code(), "not_found");
        assert_eq!(show(family, Some(&made[1..])).unwrap_err().code(), "not_found");
    });
}

#[test]
fn a_dated_opening_is_an_anchor_and_counts_from_its_day() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let opened = |date: &str| {
            let dated = AccountInput {
                opening_date: Some(date.to_owned()),
                ..input("Card", "credit_card", "12.3456")
            };
            make(fixture, family, &dated)
        };
        // The fixture's day is 2024-05-17 in Berlin.
        assert_eq!(opened("2024-05-17").balance, 123_456);
        assert_eq!(opened("2024-05-18").balance, 0);
    });
}

#[test]
fn a_restricted_key_makes_no_accounts() {
    let fixture = Fixture::sqlite();
    let (family, _) = fixture.family("one");
    let made = fixture.store.write_blocking(family, |tx| {
        tx.seeing(Some(&[]), |tx| create(tx, &input("A", "loan", "0")))
    });
    assert_eq!(made.unwrap_err().code(), "restricted_key");
}

#[test]
fn what_a_change_replaces_is_in_its_event() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        let noted = AccountInput { notes: Some("old".to_owned()), ..input("A", "depository", "0") };
        let id = make(fixture, family, &noted).summary.id;
        let values =
            AccountValues { notes: Some(Some("new".to_owned())), ..AccountValues::default() };
        let changed = fixture.store.write_blocking(family, |tx| revise(tx, id, &values)).unwrap();
        assert_eq!(changed.notes.as_deref(), Some("new"));
        let selection = audit::Selection { subject_id: Some(id.0), before: None };
        let events = fixture.store.read_blocking(family, |tx| audit::list(tx, selection, 9));
        let events = events.unwrap();
        assert_eq!(events[0].action, "account.revise");
        assert_eq!(events[0].details["before"]["notes"], "old");
        assert_eq!(events[0].details["after"]["notes"], "new");
        assert_eq!(events[1].details["after"]["notes"], "old");
    });
}
