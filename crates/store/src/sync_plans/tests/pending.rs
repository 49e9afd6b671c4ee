//! Which pending transactions a bank is asked for, and which wait for a person.

use purser_core::import::transaction::duplicates::Aspect;
use purser_core::ledger::transaction_values::TransactionValues;

use super::*;
use crate::imports::{Candidate, Comparable, candidates};
use crate::{sync_suggestions, sync_unreported, transactions};

fn oldest(linked: &Linked<'_>) -> Option<Date> {
    linked.read(|tx| sync_rows::oldest_pending(tx, linked.of))
}

#[test]
fn a_question_that_nobody_answers_stretches_no_window() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        linked.sync(&answer([pending("", 3, 1_000, "Trattoria")]), 3, None);
        assert_eq!(oldest(&linked), Some(day(3)));
        let tip = [booked("b", 4, 1_180, "Trattoria")];
        linked.sync(&answer(tip.clone()), 4, None);
        assert_eq!(oldest(&linked), None, "a person decides");
        let pairs = linked.read(|tx| sync_suggestions::list(tx, None));
        linked.write(|tx| sync_suggestions::dismiss(tx, pairs[0].id));
        assert_eq!(oldest(&linked), Some(day(3)));
        for today in [5, 6] {
            linked.sync(&answer(tip.clone()), today, None);
        }
        assert_eq!((oldest(&linked), linked.entries().len()), (None, 1));
        linked.check();
    });
}

#[test]
fn whole_answers_decide_what_a_partial_one_made_a_question() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        linked.sync(&answer([pending("", 3, 1_000, "Kiosk")]), 3, None);
        let rows = answer([booked("b", 4, 1_000, "Kiosk")]);
        linked.sync(&ReportedRows { is_whole: false, ..rows.clone() }, 4, None);
        assert_eq!(oldest(&linked), Some(day(3)), "whole answers decide");
        assert_eq!(linked.read(|tx| sync_suggestions::list(tx, None)).len(), 1);
        for today in [5, 6] {
            linked.sync(&rows, today, None);
        }
        assert_eq!((oldest(&linked), linked.entries().len()), (None, 1));
        assert_eq!(linked.read(|tx| sync_suggestions::list(tx, None)), []);
        linked.check();
    });
}

#[test]
fn what_a_person_touched_and_the_bank_never_books_is_shown() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let rows = [pending("", 3, 1_000, "Hotel"), pending("", 3, 2_000, "Kiosk")];
        linked.sync(&answer(rows), 3, None);
        let shown = || linked.read(sync_unreported::list);
        let hotel = linked.entries()[0];
        let notes = TransactionValues {
            notes: Some(Some("Deposit".to_owned())),
            ..TransactionValues::default()
        };
        linked.write(|tx| transactions::revise(tx, hotel, &notes).map(drop));
        linked.sync(&answer([]), 4, None);
        assert_eq!(shown(), [], "it may be there tomorrow");
        linked.sync(&answer([]), 5, None);
        let found = shown();
        assert_eq!(found.iter().map(|one| one.id).collect::<Vec<_>>(), [hotel]);
        assert_eq!(found[0].absent_on, Some(day(5)));
        linked.sync(&answer([pending("", 3, 1_000, "Hotel")]), 6, None);
        assert_eq!(shown(), [], "it is there again");
        linked.check();
    });
}

/// The page of such entries advises to delete what the bank has cancelled: the next transaction of
/// the same amount is another one.
#[test]
fn what_is_deleted_as_advised_takes_no_later_booking() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        linked.sync(&answer([pending("", 3, 1_000, "Hotel")]), 3, None);
        let hotel = linked.entries()[0];
        let notes = TransactionValues {
            notes: Some(Some("Deposit".to_owned())),
            ..TransactionValues::default()
        };
        linked.write(|tx| transactions::revise(tx, hotel, &notes).map(drop));
        for today in [4, 5] {
            linked.sync(&answer([]), today, None);
        }
        let shown = linked.read(sync_unreported::list);
        assert_eq!(shown.iter().map(|one| one.id).collect::<Vec<_>>(), [hotel]);
        linked.write(|tx| transactions::remove(tx, hotel).map(drop));
        let stay = answer([booked("b", 8, 1_000, "Hotel")]);
        linked.sync(&stay, 8, None);
        assert_eq!(linked.entries().len(), 1);
        assert_eq!(linked.plan(&stay, 9).changes, []);
        linked.check();
    });
}

/// A row of a file stands for the booked one of two equal transactions. The pending one may be
/// booked on another day, and the file has a row of its own for it then.
#[test]
fn a_row_of_a_file_does_not_stand_for_a_pending_transaction() {
    on_both(|fixture| {
        let linked = Linked::new(fixture);
        let rows = [booked("a", 2, 350_000, "Kiosk"), pending("b", 2, 350_000, "Kiosk")];
        linked.sync(&answer(rows), 2, None);
        let found = || {
            let mut found = linked.read(|tx| {
                let mut found = Vec::new();
                let (account, any) = (linked.of.account, Comparable::Transactions);
                let mut take = |one: Candidate| {
                    found.push((one.external_id, one.aspect));
                    Ok(())
                };
                candidates(tx, account, any, day(2), day(2), &mut |_, _| true, &mut take)?;
                Ok(found)
            });
            found.sort_by(|one, other| one.0.cmp(&other.0));
            found
        };
        let of = |id: &str, aspect| (Some(id.to_owned()), aspect);
        let expected = [of("a", Aspect::Unchanged), of("b", Aspect::Current)];
        assert_eq!(found(), expected);
        // Nor does it under the name that a person gave it, or under the bank's.
        let renamed =
            TransactionValues { name: Some(Some("Mine".to_owned())), ..Default::default() };
        let pending = linked.entries()[1];
        linked.write(|tx| transactions::revise(tx, pending, &renamed).map(drop));
        assert_eq!(found(), expected);
    });
}
