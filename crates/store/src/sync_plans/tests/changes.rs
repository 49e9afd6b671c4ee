//! What single changes do to entries, balances and what people have set.

use purser_core::ledger::input::AmountText;
use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::plan::{Change, Target, TransactionDraft};
use purser_core::sync::Counts;

use super::*;
use crate::ledger::Executor;
use crate::testing::event;
use crate::transactions;

/// The oldest transaction as it is shown.
fn first(linked: &Linked<'_>) -> transactions::Transaction {
    let entry = linked.entries()[0];
    linked.read(|tx| transactions::get(tx, entry))
}

fn rename(linked: &Linked<'_>, entry: EntryId, name: &str) {
    let values =
        TransactionValues { name: Some(Some(name.to_owned())), ..TransactionValues::default() };
    linked.write(|tx| transactions::revise(tx, entry, &values).map(drop));
}

#[test]
fn a_pending_transaction_counts_nowhere_until_it_is_booked() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        linked.sync(&answer([pending("", 2, 350_000, "Kiosk")]), 2, None);
        let shown = first(&linked);
        assert!(shown.pending && shown.amount == 350_000 && shown.booked.is_none());
        assert_eq!(linked.balance(9), 1_000_000);
        linked.check();
        let rows = answer([booked("b1", 4, 350_000, "KIOSK BERLIN")]);
        let (_, plan) = linked.sync(&rows, 4, None);
        assert_eq!(plan.counts, Counts { booked: 1, ..Counts::default() });
        let shown = first(&linked);
        assert_eq!((shown.pending, shown.date, &*shown.name), (false, day(4), "KIOSK BERLIN"));
        assert_eq!(shown.external_id.as_deref(), Some("b1"));
        assert_eq!((linked.balance(3), linked.balance(4)), (1_000_000, 650_000));
        assert!(linked.plan(&rows, 4).changes.is_empty());
        linked.check();
    });
}

#[test]
fn what_a_person_set_stays_and_the_rest_follows() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        linked.sync(&answer([pending("", 2, 350_000, "Kiosk")]), 2, None);
        rename(&linked, linked.entries()[0], "Sweets");
        assert_eq!(linked.balance(9), 1_000_000, "still pending");
        linked.check();
        let rows = answer([booked("b1", 4, 350_000, "KIOSK BERLIN")]);
        linked.sync(&rows, 4, None);
        let shown = first(&linked);
        assert_eq!((shown.pending, shown.date, &*shown.name), (false, day(4), "Sweets"));
        assert_eq!(linked.balance(9), 650_000);
        let corrected = answer([booked("b1", 4, 360_000, "KIOSK BERLIN")]);
        linked.sync(&corrected, 5, None);
        let shown = first(&linked);
        assert_eq!((shown.amount, &*shown.name), (360_000, "Sweets"));
        assert!(linked.plan(&corrected, 5).changes.is_empty());
        linked.check();
    });
}

#[test]
fn what_a_person_deleted_does_not_come_back() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let rows = [booked("a", 2, 350_000, "Kiosk"), pending("", 3, 90_000, "Bakery")];
        linked.sync(&answer(rows), 3, None);
        for entry in linked.entries() {
            linked.write(|tx| transactions::remove(tx, entry).map(drop));
        }
        let later = answer([booked("a2", 2, 350_000, "Kiosk"), booked("b", 4, 90_000, "Bakery")]);
        let (_, plan) = linked.sync(&later, 4, None);
        assert_eq!(plan.counts, Counts { deleted_before: 2, ..Counts::default() });
        assert!(linked.entries().is_empty());
        assert!(linked.plan(&later, 4).changes.is_empty());
        linked.check();
    });
}

#[test]
fn a_pending_transaction_that_is_not_booked_leaves_no_trace() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let before = linked.state();
        let hold = answer([pending("p", 2, 350_000, "Hotel")]);
        linked.sync(&hold, 2, None);
        linked.sync(&answer([]), 3, None);
        assert_eq!(linked.entries().len(), 1, "one answer may lack it");
        linked.sync(&answer([]), 4, None);
        assert_eq!(linked.state(), before);
        let (_, plan) = linked.sync(&hold, 5, None);
        assert_eq!(plan.counts.added, 1, "it is no tombstone");
        linked.check();
    });
}

/// A transaction of a file; a rule gave it its name, if the file had another one.
pub(super) fn import(linked: &Linked<'_>, (row, file_name): (SourceRow, Option<&str>)) -> EntryId {
    linked.write(|tx| {
        let mut executor = Executor::begin(tx, 1)?;
        let draft = TransactionDraft {
            account: Target::Existing(linked.of.account.0),
            date: row.date,
            amount: row.amount,
            currency: row.currency,
            rate: None,
            name: &row.name,
            source_name: file_name,
            notes: None,
            category: None,
            merchant: None,
            tags: &[],
            excluded: false,
            source: row.id.as_ref().map(|_| linked.of.source),
            external_id: row.id.as_deref(),
        };
        let entry = executor.apply(tx, &Change::AddTransaction(draft))?.entry;
        executor.finish(tx, event())?;
        Ok(entry)
    })
}

#[test]
fn what_was_deleted_before_the_link_does_not_come_back() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let of_file = import(&linked, (booked("", 2, 350_000, "CARD 0423 KIOSK"), None));
        let with_id = import(&linked, (booked("b", 9, 90_000, "Bakery"), None));
        for entry in [of_file, with_id] {
            linked.write(|tx| transactions::remove(tx, entry).map(drop));
        }
        let before = linked.state();
        let rows = answer([booked("a", 2, 350_000, "Kiosk"), booked("b", 4, 90_000, "Bakery")]);
        let (sync, plan) = linked.sync(&rows, 10, None);
        assert_eq!(plan.counts, Counts { deleted_before: 2, ..Counts::default() });
        assert!(linked.entries().is_empty());
        assert!(linked.plan(&rows, 10).changes.is_empty(), "the rows are known from now on");
        linked.check();
        linked.write(|tx| super::super::undo::undo(tx, sync).map(drop));
        assert_eq!(linked.state(), before);
        linked.check();
    });
}

/// The entry that goes when two are merged is no transaction that a person deleted.
#[test]
fn what_was_merged_is_not_taken_for_deleted() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        import(&linked, (booked("", 3, 350_000, "Breakfast"), None));
        let rows = answer([booked("a", 4, 350_000, "Kiosk")]);
        let (_, plan) = linked.sync(&rows, 5, None);
        assert_eq!(plan.counts.suggested, 1);
        let pair = linked.read(|tx| crate::sync_suggestions::list(tx, None))[0].id;
        linked.write(|tx| crate::sync_suggestions::merge(tx, pair).map(drop));
        let twice = [booked("a", 4, 350_000, "Kiosk"), booked("b", 4, 350_000, "Kiosk")];
        assert_eq!(linked.sync(&answer(twice), 6, None).1.counts.added, 1);
        linked.check();
    });
}

#[test]
fn what_was_changed_or_moved_before_the_link_is_claimed() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let file_name = "AMZN Mktp DE";
        let renamed = import(&linked, (booked("", 2, 350_000, "Amazon"), Some(file_name)));
        let corrected = import(&linked, (booked("", 3, 90_000, "Kiosk"), None));
        let moved = import(&linked, (booked("", 4, 70_000, "Bakery"), None));
        let input = input("Second", "depository", "0");
        let second = make(linked.fixture, linked.family, &input).summary.id;
        let amount = Some(AmountText::Text("9.50".to_owned()));
        let values = TransactionValues { amount, ..TransactionValues::default() };
        linked.write(|tx| transactions::revise(tx, corrected, &values).map(drop));
        let account = Some(second.0.to_string());
        let values = TransactionValues { account, ..TransactionValues::default() };
        linked.write(|tx| transactions::revise(tx, moved, &values).map(drop));
        let rows = answer([
            booked("a", 2, 350_000, file_name),
            booked("b", 3, 90_000, "Kiosk"),
            booked("c", 4, 70_000, "Bakery"),
        ]);
        let (_, plan) = linked.sync(&rows, 5, None);
        assert_eq!(plan.counts, Counts { claimed: 3, ..Counts::default() });
        assert_eq!(linked.entries(), [renamed, corrected], "nothing is there twice");
        assert!(linked.plan(&rows, 5).changes.is_empty());
        linked.check();
    });
}

#[test]
fn an_imported_transaction_is_claimed_and_survives() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let entry = import(&linked, (booked("", 2, 350_000, "CARD 0423 KIOSK"), None));
        let before = linked.state();
        let rows = answer([booked("a", 2, 350_000, "Kiosk")]);
        let (sync, plan) = linked.sync(&rows, 3, None);
        assert_eq!(plan.counts, Counts { claimed: 1, ..Counts::default() });
        assert_eq!((linked.entries(), linked.balance(9)), (vec![entry], 650_000));
        assert!(linked.plan(&rows, 3).changes.is_empty());
        linked.check();
        linked.write(|tx| super::super::undo::undo(tx, sync).map(drop));
        assert_eq!(linked.state(), before);
        linked.check();
    });
}

#[test]
fn the_balance_of_the_bank_is_an_observation_of_its_day() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let first = answer([booked("a", 2, 350_000, "Kiosk")]);
        linked.sync(&first, 3, Some(5_000_000));
        let ends = [1, 2, 3].map(|date| linked.balance(date));
        assert_eq!(ends, [5_350_000, 5_000_000, 5_000_000], "earlier days follow from it");
        let (_, plan) = linked.sync(&first, 4, Some(5_000_000));
        assert!(plan.changes.is_empty());
        let entries = linked.state();
        linked.sync(&first, 5, Some(5_000_000));
        assert_eq!(linked.state(), entries, "what the ledger comes to is not written again");
        linked.sync(&first, 6, Some(4_000_000));
        // Days between two observations follow from the later one.
        let ends = [3, 5, 6].map(|date| linked.balance(date));
        assert_eq!(ends, [5_000_000, 4_000_000, 4_000_000]);
        linked.sync(&first, 7, None);
        assert_eq!(linked.balance(7), 4_000_000, "a balance that didn't come changes nothing");
        linked.check();
    });
}

#[test]
fn one_id_in_two_accounts_is_two_transactions() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let family = linked.family;
        let account = make(fixture, family, &input("Card", "credit_card", "0")).summary.id;
        let other = Linked { fixture, family, of: SourceAccount { account, ..linked.of } };
        let rows = answer([booked("same", 2, 350_000, "Kiosk")]);
        for one in [&linked, &other] {
            assert_eq!(one.sync(&rows, 3, None).1.counts.added, 1, "r3011");
            assert_eq!(one.entries().len(), 1);
        }
        linked.check();
    });
}
