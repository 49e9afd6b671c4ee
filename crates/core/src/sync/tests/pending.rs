//! Pending rows, case by case.

use super::*;

fn plan_of(before: SourceRow, rows: impl IntoIterator<Item = SourceRow>) -> SyncPlan {
    plan(&account([known(1, before)]), &answer(rows))
}

#[test]
fn r2735_r2778_a_booked_row_ends_the_pending_state() {
    let same_id = plan_of(pending("a", 3, 350, "Kiosk"), [booked("a", 3, 350, "Kiosk")]);
    assert_eq!(same_id.changes, [follow(1, 0, false, Reason::Booked)]);
    let no_id = plan_of(pending("", 3, 350, "Kiosk"), [booked("", 3, 350, "Kiosk")]);
    assert_eq!(no_id.changes, [follow(1, 0, false, Reason::Booked)]);
    assert_eq!(no_id.counts, Counts { booked: 1, ..Counts::default() });
}

#[test]
fn r395_r1470_an_id_that_changes_with_the_booking_is_followed() {
    for id in ["", "p1"] {
        let rows = [booked("b1", 5, 350, "KIOSK BERLIN")];
        let plan = plan_of(pending(id, 3, 350, "Kiosk"), rows);
        assert_eq!(plan.changes, [follow(1, 0, true, Reason::Booked)]);
    }
}

#[test]
fn a_row_that_is_known_as_booked_under_another_id_does_not_book_a_pending_one() {
    let before = [pending("a", 3, 350, "Kiosk"), booked("b", 4, 350, "Kiosk")];
    let known = account(before.into_iter().zip(1..).map(|(row, number)| known(number, row)));
    let plan = plan(&known, &answer([booked("a", 4, 350, "Kiosk")]));
    assert_eq!(plan.changes, [absent(1)]);
}

#[test]
fn r2013_an_amount_alone_books_nothing() {
    let plan = plan_of(pending("", 3, 350, "Kiosk"), [booked("b", 4, 350, "Night Owl Café")]);
    assert_eq!(plan.changes, [absent(1), add(0, true)]);
    assert!(plan.suggestions.is_empty());
}

#[test]
fn a_booking_comes_at_most_a_day_before_and_eight_days_after() {
    for (date, is_booked) in [(2, false), (3, true), (12, true), (13, false)] {
        let plan = plan_of(pending("", 4, 350, "Kiosk"), [booked("b", date, 350, "Kiosk")]);
        assert_eq!(plan.counts.booked == 1, is_booked, "day {date}");
    }
}

#[test]
fn another_amount_of_the_same_merchant_is_a_question() {
    let doubt = Suggestion { entry: entry(1), row: 0, doubt: Doubt::AmountDiffers };
    let amounts =
        [(1180, true), (1300, true), (1301, false), (999, true), (700, true), (699, false)];
    for (amount, is_suggested) in amounts {
        let rows = [booked("b", 4, amount, "Trattoria Sole")];
        let plan = plan_of(pending("", 3, 1000, "Trattoria Sole"), rows);
        let added = [add(0, true)];
        let both = [absent(1), add(0, true)];
        assert_eq!(plan.changes, if is_suggested { &added[..] } else { &both[..] }, "{amount}");
        assert_eq!(plan.suggestions == [doubt], is_suggested, "{amount}");
    }
    let rows = [booked("a", 4, 1180, "Trattoria Sole")];
    let plan = plan_of(pending("a", 3, 1000, "Trattoria Sole"), rows);
    assert_eq!(plan.changes, [follow(1, 0, false, Reason::Booked)], "the id makes it certain");
}

#[test]
fn equal_fares_are_booked_in_the_order_of_their_days() {
    let fare = |date| pending("", date, 290, "City Transit");
    let known = account([known(1, fare(3)), known(2, fare(4))]);
    let rows = [booked("b", 6, 290, "City Transit"), booked("a", 5, 290, "City Transit")];
    let changes = plan(&known, &answer(rows)).changes;
    let expected = [follow(2, 0, true, Reason::Booked), follow(1, 1, true, Reason::Booked)];
    assert_eq!(changes, expected);
}

#[test]
fn several_candidates_are_a_question() {
    let rows = [booked("a", 4, 290, "City Transit"), booked("b", 5, 290, "City Transit")];
    let plan = plan_of(pending("", 3, 290, "City Transit"), rows);
    assert_eq!(plan.changes, [add(0, true), add(1, true)]);
    let doubts =
        [0, 1].map(|row| Suggestion { entry: entry(1), row, doubt: Doubt::SeveralCandidates });
    assert_eq!(plan.suggestions, doubts);
}

#[test]
fn of_twin_pending_rows_the_one_that_a_person_touched_is_booked() {
    let twin = pending("", 3, 350, "Kiosk");
    let touched = KnownRow { state: KnownState::Touched, ..known(2, twin.clone()) };
    let known = account([known(1, twin), touched]);
    let changes = plan(&known, &answer([booked("b", 4, 350, "Kiosk")])).changes;
    assert_eq!(changes, [absent(1), follow(2, 0, true, Reason::Booked)]);
}

#[test]
fn a_missing_pending_row_goes_at_the_second_day() {
    let before = known(1, pending("", 3, 350, "Kiosk"));
    let on = |one: &KnownRow, number| {
        reconcile(&account([one.clone()]), &answer([]), day(number)).changes
    };
    assert_eq!(on(&before, 4), [absent(1)]);
    let once = KnownRow { absences: 1, absent_on: Some(day(4)), ..before.clone() };
    assert_eq!(on(&once, 4), [], "the same day counts once");
    let gone = [SyncChange::Remove { entry: entry(1), reason: Reason::Gone }];
    assert_eq!(on(&once, 5), gone);
    assert_eq!(on(&before, 17), [absent(1)]);
    assert_eq!(on(&before, 18), gone, "after 14 days at once");
    let touched = KnownRow { state: KnownState::Touched, ..once };
    assert_eq!(on(&touched, 18), [absent(1)], "what a person has touched stays");
    let twice = KnownRow { absences: 2, ..touched };
    assert_eq!(on(&twice, 19), [], "and isn't counted on");
}

/// A person is asked whether a tip is the pending row; it stays until there is an answer.
#[test]
fn a_pending_row_does_not_go_while_a_person_is_asked() {
    let before = known(1, pending("", 3, 1000, "Trattoria Sole"));
    let once = KnownRow { absences: 1, absent_on: Some(day(4)), ..before };
    let rows = [booked("b", 5, 1180, "Trattoria Sole")];
    let asked = reconcile(&account([once.clone()]), &answer(rows.clone()), day(5));
    assert_eq!((asked.changes, asked.suggestions.len()), (vec![add(0, true)], 1));
    let questioned = KnownRow { is_questioned: true, ..once.clone() };
    let known_then = account([questioned, known(2, rows[0].clone())]);
    for today in [6, 40] {
        assert_eq!(reconcile(&known_then, &answer(rows.clone()), day(today)).changes, []);
    }
    let decided = account([once, known(2, rows[0].clone())]);
    let gone = [SyncChange::Remove { entry: entry(1), reason: Reason::Gone }];
    assert_eq!(reconcile(&decided, &answer(rows), day(6)).changes, gone);
}

/// A partial answer made a question of a booking; whole ones decide it.
#[test]
fn a_question_because_of_a_partial_answer_is_answered_by_whole_ones() {
    let mut ledger = ledger::Ledger::default();
    ledger.sync(&answer([pending("", 3, 350, "Kiosk")]), 3);
    let rows = [booked("b", 4, 350, "Kiosk")];
    let asked = ledger.sync(&ReportedRows { is_whole: false, ..answer(rows.clone()) }, 4);
    assert_eq!(asked.suggestions.len(), 1);
    for today in [5, 6] {
        ledger.sync(&answer(rows.clone()), today);
    }
    assert_eq!((ledger.untouched_pending(), ledger.booked()), (0, ledger::sorted(rows)));
}

/// What is older than any window lacks in every answer.
#[test]
fn a_pending_row_from_before_all_windows_goes() {
    let before = known(1, pending("", 3, 350, "Kiosk"));
    let late = ReportedRows { from: day(20), to: day(110), ..answer([]) };
    let on = |state, number| {
        let one = KnownRow { state, ..before.clone() };
        reconcile(&account([one]), &late, day(number)).changes
    };
    assert_eq!(on(KnownState::Untouched, 93), [], "it is asked for");
    let gone = [SyncChange::Remove { entry: entry(1), reason: Reason::Gone }];
    assert_eq!(on(KnownState::Untouched, 94), gone);
    assert_eq!(on(KnownState::Touched, 94), [absent(1)], "what a person has touched stays");
    let partial = ReportedRows { is_whole: false, ..late };
    assert_eq!(reconcile(&account([before]), &partial, day(94)).changes, []);
}

/// One row that stays unreadable keeps the others from nothing.
#[test]
fn rows_that_cannot_be_read_are_there_and_others_are_judged() {
    let hidden = known(1, pending("a", 3, 350, "Kiosk"));
    let gone = known(2, pending("b", 3, 90, "Kiosk"));
    let nameless = known(3, pending("", 3, 70, "Kiosk"));
    let before = account([hidden, gone, nameless]);
    let ids = vec!["a".to_owned()];
    let with_id = ReportedRows { unreadable: 1, unreadable_ids: ids.clone(), ..answer([]) };
    assert_eq!(plan(&before, &with_id).changes, [absent(2), absent(3)]);
    let missed = |one: &KnownRow| KnownRow {
        absences: one.absences + 1,
        absent_on: Some(day(9)),
        ..one.clone()
    };
    let later = account(before.rows.iter().map(missed));
    let goes = |number| SyncChange::Remove { entry: entry(number), reason: Reason::Gone };
    assert_eq!(plan(&later, &with_id).changes, [goes(2), goes(3)]);
    let without_id = ReportedRows { unreadable: 2, ..with_id };
    let changes = [goes(2), absent(3)];
    assert_eq!(plan(&later, &without_id).changes, changes, "it may be the one without an id");
    // A correction and a new id are followed beside it.
    let before =
        account([known(1, booked("a", 3, 350, "Kiosk")), known(2, booked("b", 3, 9, "x"))]);
    let rows = [booked("b", 3, 10, "x"), booked("c", 3, 350, "Kiosk")];
    let reported = ReportedRows { unreadable: 1, unreadable_ids: ids, ..answer(rows) };
    let changes = [add(1, true), follow(2, 0, false, Reason::Corrected)];
    assert_eq!(plan(&before, &reported).changes, changes, "the first is there, unreadable");
}

#[test]
fn a_pending_row_that_is_back_is_not_counted_further() {
    let row = pending("", 3, 350, "Kiosk");
    let once = KnownRow { absences: 1, absent_on: Some(day(4)), ..known(1, row.clone()) };
    let changes = plan(&account([once]), &answer([row])).changes;
    assert_eq!(changes, [SyncChange::MarkPresent { entry: entry(1) }]);
}

#[test]
fn answers_that_cannot_show_it_make_nothing_absent() {
    let known = account([known(1, pending("", 3, 350, "Kiosk"))]);
    for reported in [
        ReportedRows { is_whole: false, ..answer([]) },
        ReportedRows { has_pending: false, ..answer([]) },
        ReportedRows { from: day(4), ..answer([]) },
    ] {
        assert_eq!(plan(&known, &reported), SyncPlan::default());
    }
}

#[test]
fn r1011_a_pending_row_after_the_booked_one_with_its_id_changes_nothing() {
    let plan = plan_of(booked("a", 3, 350, "Kiosk"), [pending("a", 3, 350, "Kiosk")]);
    assert_eq!(plan.changes, []);
}

#[test]
fn a_pending_and_a_booked_row_with_one_id_are_one_transaction() {
    let rows = [pending("a", 3, 350, "Kiosk"), booked("a", 4, 350, "Kiosk")];
    let plan = plan_of(pending("a", 3, 350, "Kiosk"), rows);
    assert_eq!(plan.changes, [follow(1, 1, false, Reason::Booked)]);
}

#[test]
fn without_pending_rows_those_that_nobody_touched_go() {
    let touched = KnownRow { state: KnownState::Touched, ..known(2, pending("", 3, 350, "Kiosk")) };
    let deleted = KnownRow { state: KnownState::Deleted, ..known(3, pending("", 3, 350, "Kiosk")) };
    let rows =
        [known(1, pending("", 3, 350, "Kiosk")), touched, deleted, known(4, booked("", 3, 1, "x"))];
    let gone = [SyncChange::Remove { entry: entry(1), reason: Reason::NotAsked }];
    assert_eq!(drop_pending(&rows), gone);
}

#[test]
fn in_an_answer_that_is_not_whole_a_booking_without_an_id_is_a_question() {
    let before = known(1, pending("", 3, 350, "Kiosk"));
    let partial = ReportedRows { is_whole: false, ..answer([booked("b", 4, 350, "Kiosk")]) };
    let asked = plan(&account([before.clone()]), &partial);
    assert_eq!(asked.changes, [add(0, true)]);
    let doubt = Suggestion { entry: entry(1), row: 0, doubt: Doubt::AnswerIncomplete };
    assert_eq!(asked.suggestions, [doubt]);
    let deleted = KnownRow { state: KnownState::Deleted, ..before };
    let changes = plan(&account([deleted]), &partial).changes;
    assert_eq!(changes, [follow(1, 0, true, Reason::Booked)], "a deleted one stays deleted");
}

/// Who deletes what the bank has not reported for two days has not deleted its next transaction of
/// the same amount.
#[test]
fn what_was_deleted_as_missing_takes_no_booking() {
    let deleted = |row, absences| KnownRow {
        state: KnownState::Deleted,
        absences,
        absent_on: Some(day(5)),
        ..known(1, row)
    };
    let hotel = pending("p", 3, 10_000, "Hotel");
    let answered = answer([booked("b", 8, 10_000, "Hotel")]);
    let changes = |absences| plan(&account([deleted(hotel.clone(), absences)]), &answered).changes;
    assert_eq!(changes(2), [add(0, true)]);
    assert_eq!(changes(1), [follow(1, 0, true, Reason::Booked)], "the bank had it until then");
    let same = answer([booked("p", 8, 10_000, "Hotel")]);
    let plan = plan(&account([deleted(hotel, 2)]), &same);
    assert_eq!(plan.changes, [follow(1, 0, false, Reason::Booked)], "it is the one of this id");
}
