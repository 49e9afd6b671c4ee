//! Balances that the bank reported and that the ledger came to anyway.

use purser_core::connection::FoundAccountState;
use purser_core::ids::ConnectionId;

use super::*;
use crate::connections::changes::{self, NewConnection};
use crate::connections::found::{self, FoundAccount, ListedAccount};
use crate::connections::tests::listed;

/// Links the account to one at a provider.
fn link(linked: &Linked<'_>) -> ConnectionId {
    let account = linked.of.account;
    linked.write(|tx| {
        let id = ConnectionId(tx.new_id()?);
        let new = NewConnection {
            id,
            provider: "lunchflow",
            provider_type: "aggregator",
            name: "Banks",
            credentials: b"sealed",
        };
        changes::create(tx, &new)?;
        let listed = ListedAccount {
            external_id: "1".to_owned(),
            name: "Giro".to_owned(),
            institution_name: None,
            state: FoundAccountState::Active,
            upstream: None,
            currency: None,
        };
        found::put(tx, id, &[listed])?;
        let at_bank = found::list(tx, id)?[0].id;
        found::link(tx, id, at_bank, account).map(|_| id)
    })
}

fn shown(linked: &Linked<'_>, connection: ConnectionId) -> FoundAccount {
    linked.read(|tx| Ok(found::list(tx, connection)?.remove(0)))
}

#[test]
fn days_for_which_the_bank_reported_what_the_ledger_had_keep_their_balance() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let connection = link(&linked);
        let rows = answer([booked("a", 1, 350_000, "Kiosk")]);
        linked.sync(&rows, 2, Some(650_000));
        let first = shown(&linked, connection);
        assert_eq!((first.observed_on, first.drift), (Some(day(2)), Some(0)));
        let before = linked.state();
        linked.sync(&rows, 6, Some(650_000));
        assert_eq!(linked.state(), before, "nothing is written");
        let same = shown(&linked, connection);
        assert_eq!((same.observed_on, same.drift), (Some(day(6)), Some(0)));

        // What isn't explained came after the last day on which both had the same.
        let (sync, _) = linked.sync(&rows, 9, Some(600_000));
        let drifted = shown(&linked, connection);
        assert_eq!((drifted.observed_on, drifted.drift), (Some(day(9)), Some(-50_000)));
        let balances = [2, 5, 6, 7, 9].map(|date| linked.balance(date));
        assert_eq!(balances, [650_000, 650_000, 650_000, 600_000, 600_000]);
        linked.check();
        linked.write(|tx| crate::sync_plans::undo::undo(tx, sync).map(drop));
        assert_eq!(linked.state(), before);
        linked.check();
    });
}

/// An account that the family had already: what it opened with, or what a person stated of it, and
/// its transactions come to something else than the bank reports first.
#[test]
fn the_first_balance_is_compared_with_what_was_stated_before() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let connection = link(&linked);
        super::changes::import(&linked, (booked("", 1, 50_000, "Kiosk"), None));
        linked.sync(&answer([]), 2, Some(900_000));
        assert_eq!(shown(&linked, connection).drift, Some(-50_000));
        // A new account has nothing to compare with, but for a balance that a person stated.
        let account = make(fixture, linked.family, &input("New", "depository", "0")).summary.id;
        let new =
            Linked { fixture, family: linked.family, of: SourceAccount { account, ..linked.of } };
        linked.write(|tx| {
            found::put(tx, connection, &[listed("1"), listed("2")])?;
            let at_bank = found::list(tx, connection)?;
            let open = at_bank.iter().find(|one| one.account.is_none()).unwrap().id;
            found::link(tx, connection, open, account).map(drop)
        });
        new.sync(&answer([]), 2, Some(900_000));
        let found = linked.read(|tx| found::list(tx, connection));
        let of_new = found.iter().find(|one| one.account == Some(account)).unwrap();
        assert_eq!((of_new.observed_on, of_new.drift), (Some(day(2)), None));
        linked.check();
    });
}
