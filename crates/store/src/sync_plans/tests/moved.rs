//! Entries that a person moved from one linked account to another, before a sync knew them.

use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::sync::{Counts, Doubt};

use super::changes::import;
use super::*;
use crate::connections::found;
use crate::connections::tests::{connect, listed};
use crate::sync_suggestions::{self, Duplicate};
use crate::transactions;

/// Two linked accounts of one provider, and an entry that was moved from the first to the second.
fn moved(fixture: &Fixture) -> (Linked<'_>, Linked<'_>, EntryId) {
    let linked = Linked::new(fixture);
    let family = linked.family;
    let account = make(fixture, family, &input("Second", "depository", "0")).summary.id;
    let other = Linked { fixture, family, of: SourceAccount { account, ..linked.of } };
    let connection = connect(fixture, family, "Bank");
    linked.write(|tx| {
        found::put(tx, connection, &[listed("a"), listed("b")])?;
        let both = found::list(tx, connection)?;
        found::link(tx, connection, both[0].id, linked.of.account)?;
        found::link(tx, connection, both[1].id, account).map(drop)
    });
    let entry = import(&linked, (booked("", 2, 50_000, "Account fee"), None));
    let to = Some(account.0.to_string());
    let values = TransactionValues { account: to, ..TransactionValues::default() };
    linked.write(|tx| transactions::revise(tx, entry, &values).map(drop));
    (linked, other, entry)
}

fn pairs(linked: &Linked<'_>) -> Vec<Duplicate> {
    linked.read(|tx| sync_suggestions::list(tx, None))
}

/// The file of one account was imported into another one, and its transaction moved: the row of the
/// account where it is now is it, and the equal row of the other one is another transaction. Until
/// that row has come, it is a question.
#[test]
fn what_was_moved_to_another_linked_account_is_claimed_there() {
    on_both(|fixture| {
        let (linked, other, entry) = moved(fixture);
        let first = linked.sync(&answer([booked("a", 2, 50_000, "Account fee")]), 3, None).1;
        assert_eq!(first.counts, Counts { added: 1, suggested: 1, ..Counts::default() });
        assert_eq!(pairs(&linked).len(), 1);
        let second = other.sync(&answer([booked("b", 2, 50_000, "Account fee")]), 3, None).1;
        assert_eq!(second.counts, Counts { claimed: 1, ..Counts::default() });
        assert_eq!((linked.entries().len(), other.entries()), (1, vec![entry]));
        assert_eq!(pairs(&linked), [], "the row of the other account is it");
        linked.check();
    });
}

/// The same the other way round: once the entry is a row of the second account, the row of the
/// first is another one, without a question.
#[test]
fn what_is_a_row_of_another_account_is_no_question() {
    on_both(|fixture| {
        let (linked, other, entry) = moved(fixture);
        other.sync(&answer([booked("b", 2, 50_000, "Account fee")]), 3, None);
        let first = linked.sync(&answer([booked("a", 2, 50_000, "Account fee")]), 3, None).1;
        assert_eq!(first.counts, Counts { added: 1, ..Counts::default() });
        assert_eq!((linked.entries().len(), other.entries()), (1, vec![entry]));
        linked.check();
    });
}

/// A person moved it on purpose, and the bank has it in the first account only: it is asked about,
/// and whoever answers that both are one keeps it where it is.
#[test]
fn what_was_moved_on_purpose_is_there_once() {
    on_both(|fixture| {
        let (linked, other, entry) = moved(fixture);
        let rows = answer([booked("a", 2, 50_000, "Account fee")]);
        linked.sync(&rows, 3, None);
        let found = pairs(&linked);
        let [pair] = &found[..] else { panic!("one question: {found:?}") };
        assert_eq!((pair.doubt, pair.account), (Doubt::Moved, linked.of.account));
        assert_eq!((pair.entry.id, pair.entry.account), (entry, other.of.account));
        assert_eq!(pair.other.account, linked.of.account);
        linked.write(|tx| sync_suggestions::merge(tx, pair.id).map(drop));
        assert_eq!((linked.entries(), other.entries()), (vec![], vec![entry]));
        for today in [3, 4] {
            linked.sync(&rows, today, None);
            other.sync(&answer([]), today, None);
            assert_eq!((linked.entries(), other.entries()), (vec![], vec![entry]));
        }
        assert_eq!(pairs(&linked), []);
        linked.check();
    });
}

/// The id of the row changes in an answer that isn't whole: whoever answers that both rows are one
/// is still asked whether the moved entry is it, whichever of the two it was asked about.
#[test]
fn what_was_moved_stays_a_question_when_its_row_is_merged() {
    on_both(|fixture| {
        let (linked, other, entry) = moved(fixture);
        linked.sync(&answer([booked("a", 2, 50_000, "Account fee")]), 3, None);
        let again = answer([booked("z", 2, 50_000, "Account fee")]);
        linked.sync(&ReportedRows { is_whole: false, ..again }, 4, None);
        let ids = pairs(&linked).into_iter().filter(|one| one.doubt == Doubt::AnswerIncomplete);
        let [id] = ids.map(|one| one.id).collect::<Vec<_>>()[..] else { panic!("one such pair") };
        linked.write(|tx| sync_suggestions::merge(tx, id).map(drop));
        let left = pairs(&linked);
        let [pair] = &left[..] else { panic!("one question: {left:?}") };
        assert_eq!((pair.doubt, pair.entry.id), (Doubt::Moved, entry));
        assert_eq!((pair.account, pair.other.id), (linked.of.account, linked.entries()[0]));
        linked.write(|tx| sync_suggestions::merge(tx, pair.id).map(drop));
        assert_eq!((linked.entries(), other.entries()), (vec![], vec![entry]));
        assert_eq!(pairs(&linked), []);
        linked.check();
    });
}

/// What the first account's bank has reported once stays what it is, wherever it was moved.
#[test]
fn what_was_synced_and_moved_then_stays_moved() {
    on_both(|fixture| {
        let (linked, other, _) = moved(fixture);
        let rows = answer([booked("x", 3, 70_000, "Bakery")]);
        let (sync, _) = linked.sync(&rows, 3, None);
        let entry = linked.entries()[0];
        let to = Some(other.of.account.0.to_string());
        let values = TransactionValues { account: to, ..TransactionValues::default() };
        linked.write(|tx| transactions::revise(tx, entry, &values).map(drop));
        other.sync(&answer([]), 3, None);
        linked.sync(&rows, 4, None);
        linked.write(|tx| super::super::undo::undo(tx, sync).map(drop));
        linked.sync(&rows, 5, None);
        assert!(linked.entries().is_empty(), "it doesn't come again");
        assert!(other.entries().contains(&entry));
        linked.check();
    });
}
