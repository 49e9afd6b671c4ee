//! Undoing a run gives the ledger before it, but for what people did since.

use purser_core::ledger::transaction_values::TransactionValues;

use super::super::undo::{preview, undo};
use super::*;
use crate::transactions;

statements! {
    /// Makes a run one of a connection.
    OF_CONNECTION = "UPDATE syncs SET connection_id = $1 WHERE family_id = $2 AND id = $3";
}

#[test]
fn an_undo_gives_the_ledger_before_and_a_sync_the_one_after() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let first = [
            booked("a", 1, 350_000, "Kiosk"),
            pending("", 2, 90_000, "Bakery"),
            pending("", 2, 70_000, "Hotel"),
            booked("c", 1, 20_000, "Bar"),
        ];
        linked.sync(&answer(first), 2, Some(4_000_000));
        linked.sync(&answer([booked("a", 1, 350_000, "Kiosk")]), 3, None);
        let before = linked.state();
        let later = answer([
            booked("a2", 1, 350_000, "Kiosk"),
            booked("b", 4, 90_000, "BAKERY BERLIN"),
            booked("c", 1, 25_000, "Bar"),
            booked("d", 4, 10_000, "New"),
            pending("", 4, 5_000, "Newer"),
        ]);
        let (sync, plan) = linked.sync(&later, 4, Some(3_000_000));
        let counts = plan.counts;
        let some =
            [counts.added, counts.booked, counts.corrected, counts.identified, counts.removed];
        assert_eq!(some, [2, 1, 1, 1, 1]);
        let after = linked.state();
        let shown = linked.read(|tx| preview(tx, sync));
        let done = linked.write(|tx| undo(tx, sync));
        assert_eq!((shown.removed, shown.kept), (2, 0));
        assert_eq!((done.removed, done.kept, shown.restored), (2, 0, done.restored));
        assert_eq!(linked.state(), before);
        linked.check();
        linked.sync(&later, 4, Some(3_000_000));
        assert_eq!(linked.state(), after);
        linked.check();
    });
}

#[test]
fn notes_that_came_with_the_booking_go_with_its_undo() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        linked.sync(&answer([pending("", 1, 350_000, "Kiosk")]), 1, None);
        let entry = linked.entries()[0];
        let notes = || linked.read(|tx| transactions::get(tx, entry)).notes;
        let mut rows = answer([booked("a", 2, 350_000, "Kiosk")]);
        rows.rows[0].notes = Some("CARD 0423".to_owned());
        let (sync, _) = linked.sync(&rows, 2, None);
        assert_eq!(notes().as_deref(), Some("CARD 0423"));
        linked.write(|tx| undo(tx, sync).map(drop));
        assert_eq!(notes(), None);
        // What a person wrote meanwhile stays.
        let (sync, _) = linked.sync(&rows, 2, None);
        let own = TransactionValues {
            notes: Some(Some("Sweets".to_owned())),
            ..TransactionValues::default()
        };
        linked.write(|tx| transactions::revise(tx, entry, &own).map(drop));
        linked.write(|tx| undo(tx, sync).map(drop));
        assert_eq!(notes().as_deref(), Some("Sweets"));
        linked.check();
    });
}

/// Nobody books or drops what is pending in an account that isn't linked.
#[test]
fn an_undo_after_the_link_has_ended_leaves_nothing_pending() {
    on_both(|fixture| {
        assert_eq!(STATEMENTS.len(), 1);
        let linked = Linked::new(fixture);
        linked.sync(&answer([pending("", 1, 350_000, "Kiosk")]), 1, None);
        let (sync, _) = linked.sync(&answer([booked("a", 2, 350_000, "Kiosk")]), 2, None);
        // Of a connection that has no link to the account.
        linked.write(|tx| {
            let id = purser_core::ids::ConnectionId(tx.new_id()?);
            let new = crate::connections::changes::NewConnection {
                id,
                provider: linked.of.source,
                provider_type: "aggregator",
                name: "Banks",
                credentials: b"sealed",
            };
            crate::connections::changes::create(tx, &new)?;
            let family = linked.family;
            tx.execute(&OF_CONNECTION, vals![id, family, sync]).map(drop)
        });
        linked.write(|tx| undo(tx, sync).map(drop));
        assert!(linked.entries().is_empty(), "what was booked is pending again, and goes");
        linked.check();
    });
}

#[test]
fn an_undo_leaves_what_people_did() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let rows = answer([booked("a", 1, 350_000, "Kiosk"), booked("b", 2, 90_000, "Bakery")]);
        let (sync, _) = linked.sync(&rows, 3, None);
        let entries = linked.entries();
        let name = TransactionValues {
            name: Some(Some("Sweets".to_owned())),
            ..TransactionValues::default()
        };
        linked.write(|tx| transactions::revise(tx, entries[0], &name).map(drop));
        let done = linked.write(|tx| undo(tx, sync));
        assert_eq!((done.removed, done.kept), (1, 1));
        assert_eq!(linked.entries(), entries[..1]);
        linked.check();
        let (_, plan) = linked.sync(&rows, 4, None);
        assert_eq!((plan.counts.added, plan.counts.known), (1, 1));
        let again = linked.write(|tx| undo(tx, sync));
        assert_eq!((again.removed, again.restored), (0, 0), "it is undone already");
    });
}

#[test]
fn only_the_newest_run_of_an_account_is_undone() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let (first, _) = linked.sync(&answer([pending("", 1, 350_000, "Kiosk")]), 1, None);
        let rows = answer([booked("a", 2, 350_000, "Kiosk")]);
        let (second, _) = linked.sync(&rows, 2, None);
        linked.sync(&rows, 3, None);
        let refused = fixture.store.write_blocking(linked.family, |tx| undo(tx, first));
        assert_eq!(refused.unwrap_err().code(), "sync_not_newest");
        linked.write(|tx| undo(tx, second).map(drop));
        linked.write(|tx| undo(tx, first).map(drop));
        assert!(linked.entries().is_empty());
        linked.check();
    });
}
