//! Entries of other sources: of files and people, changed, moved and deleted since.

use super::*;

fn plan_with(others: Vec<OtherEntry>, rows: &[SourceRow]) -> SyncPlan {
    plan(&KnownAccount { rows: Vec::new(), others }, &answer(rows.to_vec()))
}

fn claim(number: u128, row: usize) -> SyncChange {
    SyncChange::Claim { entry: entry(number), row, keeps_id: true }
}

fn leave_deleted(number: u128, row: usize) -> SyncChange {
    SyncChange::LeaveDeleted { entry: entry(number), row, keeps_id: true }
}

#[test]
fn what_was_deleted_before_the_link_does_not_come_back() {
    let deleted = |number, row| other(number, row, OtherState::Deleted);
    let others = vec![
        deleted(1, booked("", 1, 350, "CARD 0423 CORNER BAKERY")),
        deleted(2, booked("b", 9, 700, "Green Grocer")),
        deleted(3, booked("", 3, 90, "Kiosk")),
    ];
    let rows = [
        booked("a", 1, 350, "Corner Bakery"),
        booked("b", 2, 700, "Green Grocer"),
        booked("c", 3, 90, "Kiosk"),
        booked("d", 3, 90, "Kiosk"),
        booked("e", 3, 90, "Rent of the box"),
        pending("f", 1, 350, "Corner Bakery"),
    ];
    let plan = plan_with(others, &rows);
    let left = [leave_deleted(1, 0), leave_deleted(2, 1), leave_deleted(3, 2)];
    assert_eq!(plan.changes, [&[add(3, true), add(4, true), add(5, true)][..], &left].concat());
    assert_eq!(plan.counts, Counts { added: 3, deleted_before: 3, ..Counts::default() });
    assert!(!Counts { added: 0, ..plan.counts }.has_changes());
    assert_eq!(plan.suggestions, []);
}

#[test]
fn a_row_is_a_living_entry_before_it_is_one_that_was_deleted() {
    let living = other(1, booked("", 1, 350, "CARD 0423 KIOSK"), OtherState::Here);
    let deleted = other(2, booked("", 1, 350, "Kiosk"), OtherState::Deleted);
    let row = booked("a", 1, 350, "Kiosk");
    assert_eq!(
        plan_with(vec![living, deleted.clone()], std::slice::from_ref(&row)).changes,
        [claim(1, 0)]
    );
    // The imported one was the second of a pending one, which stays and is booked.
    let known =
        KnownAccount { rows: vec![known(3, pending("", 1, 350, "Kiosk"))], others: vec![deleted] };
    let changes = plan(&known, &answer([row])).changes;
    assert_eq!(changes, [follow(3, 0, true, Reason::Booked)]);
}

#[test]
fn entries_are_compared_as_they_came_and_as_they_are() {
    let came = |row: SourceRow, origin| OtherEntry {
        origin: Some(origin),
        ..other(1, row, OtherState::Here)
    };
    let row = booked("a", 1, 350, "AMZN Mktp DE");
    let origin = booked("", 1, 350, "AMZN Mktp DE");
    for now in [
        booked("", 1, 350, "Amazon"),
        booked("", 1, 400, "AMZN Mktp DE"),
        booked("", 8, 350, "AMZN Mktp DE"),
    ] {
        let plan = plan_with(vec![came(now.clone(), origin.clone())], std::slice::from_ref(&row));
        assert_eq!((plan.changes, plan.suggestions), (vec![claim(1, 0)], vec![]), "{now:?}");
        let twice = plan_with(vec![came(now, origin.clone())], &[row.clone(), row.clone()]);
        assert_eq!(twice.counts.added, 1, "one entry is one row");
    }
    let moved = other(1, origin.clone(), OtherState::Moved);
    assert_eq!(plan_with(vec![moved], std::slice::from_ref(&row)).changes, [claim(1, 0)]);
    let typed = came(booked("", 1, 350, "Amazon"), booked("", 1, 999, "Kiosk"));
    let row = booked("a", 1, 350, "Amazon");
    assert_eq!(plan_with(vec![typed], &[row]).changes, [claim(1, 0)], "as it is");
    let with_id = came(booked("a", 1, 400, "Amazon"), booked("a", 1, 350, "AMZN Mktp DE"));
    let row = booked("a", 2, 350, "AMZN Mktp DE");
    assert_eq!(plan_with(vec![with_id], &[row]).changes, [claim(1, 0)], "by its id");
}

/// The bank was not asked for the days before the window: an entry there has a row of its own.
#[test]
fn entries_from_before_the_window_are_in_question_if_their_names_are_similar() {
    let before = |name| vec![other(1, booked("", -2, 350, name), OtherState::Here)];
    let rows = [booked("a", 0, 350, "Corner Bakery")];
    assert_eq!(plan_with(before("Kiosk"), &rows).suggestions, []);
    let doubt = Suggestion { entry: entry(1), row: 0, doubt: Doubt::Resembles };
    assert_eq!(plan_with(before("CORNER BAKERY 0423"), &rows).suggestions, [doubt]);
    let gone = vec![other(1, booked("", 1, 350, "Kiosk"), OtherState::Deleted)];
    assert_eq!(plan_with(gone, &rows).suggestions, [], "what is gone is no side of a pair");
}

/// A problem that the provider reports may stay for ever: ids that changed, corrections and
/// bookings don't wait for its end. Only what is missing isn't known to be gone.
#[test]
fn beside_a_problem_of_the_provider_rows_show_what_became_of_others() {
    let before = account([
        known(1, booked("1", 3, 5_000, "Kiosk")),
        known(2, booked("2", 4, 5_000, "Trattoria")),
        known(3, pending("", 5, 700, "Night Owl")),
        known(4, pending("", 6, 90, "Hotel")),
    ]);
    let rows = [
        booked("101", 3, 5_000, "Kiosk"),
        booked("2", 4, 6_000, "Trattoria"),
        booked("3", 6, 700, "Night Owl"),
    ];
    let doubtful = ReportedRows { is_whole: false, is_doubtful: true, ..answer(rows.clone()) };
    let plan_now = plan(&before, &doubtful);
    let changes = [
        follow(1, 0, true, Reason::Identified),
        follow(2, 1, false, Reason::Corrected),
        follow(3, 2, true, Reason::Booked),
    ];
    assert_eq!((&plan_now.changes[..], &plan_now.suggestions[..]), (&changes[..], &[][..]));
    // If the old id comes again after all, it is a transaction beside it.
    let after = account([known(1, rows[0].clone())]);
    let both = [rows[0].clone(), booked("1", 3, 5_000, "Kiosk")];
    assert_eq!(plan(&after, &answer(both)).changes, [add(1, true)]);
}

/// What a person deleted doesn't take the row about which a question is open: the pending entry
/// would go, and the payment would be nowhere.
#[test]
fn a_row_in_question_is_added_although_it_was_deleted() {
    let deleted = other(2, booked("", 2, 3_500, "Trattoria"), OtherState::Deleted);
    let known = KnownAccount {
        rows: vec![known(1, pending("", 1, 3_000, "Trattoria"))],
        others: vec![deleted],
    };
    let plan = plan(&known, &answer([booked("a", 2, 3_500, "Trattoria")]));
    let question = Suggestion { entry: entry(1), row: 0, doubt: Doubt::AmountDiffers };
    assert_eq!((plan.changes, plan.suggestions), (vec![add(0, true)], vec![question]));
}

/// Two entries have one name and day: the one that came as the row is taken, and not the one that
/// was corrected to the same amount. That one is the other row.
#[test]
fn what_an_entry_came_with_counts_before_what_it_is() {
    let others = vec![
        OtherEntry {
            origin: Some(booked("", 1, 350, "Kiosk")),
            ..other(1, booked("", 1, 400, "Kiosk"), OtherState::Here)
        },
        other(2, booked("", 1, 400, "Kiosk"), OtherState::Here),
    ];
    let (large, small) = (booked("a", 1, 400, "Kiosk"), booked("b", 1, 350, "Kiosk"));
    let in_order = plan_with(others.clone(), &[large.clone(), small.clone()]);
    assert_eq!(in_order.changes, [claim(2, 0), claim(1, 1)]);
    assert_eq!(plan_with(others, &[small, large]).changes, [claim(1, 0), claim(2, 1)]);
}

/// Whether an entry that was moved to another linked account is a row of this one or of that one
/// isn't known: the row is added, and a person decides.
#[test]
fn an_entry_that_was_moved_to_another_linked_account_is_in_question() {
    let moved = |number| other(number, booked("", 1, 350, "Kiosk"), OtherState::MovedToLinked);
    let row = |id: &str| booked(id, 1, 350, "CARD 0423 KIOSK");
    let question = |row| Suggestion { entry: entry(1), row, doubt: Doubt::Moved };
    let plan = plan_with(vec![moved(1)], &[row("a"), row("b")]);
    assert_eq!(plan.changes, [add(0, true), add(1, true)]);
    assert_eq!(plan.suggestions, [question(0)], "one entry, one question");
    // An entry that is here comes first, and what only resembles one is asked about as before.
    let here = other(2, booked("", 1, 350, "Kiosk"), OtherState::Here);
    let plan = plan_with(vec![moved(1), here], &[row("a"), booked("b", 1, 350, "Bakery")]);
    assert_eq!((plan.changes, plan.suggestions), (vec![add(1, true), claim(2, 0)], vec![]));
}

/// Equal names come before similar ones, whatever the order.
#[test]
fn a_row_is_in_question_with_the_moved_entry_of_its_name() {
    let moved = |number, name| other(number, booked("", 1, 350, name), OtherState::MovedToLinked);
    let others = vec![moved(1, "Kiosk"), moved(2, "Kiosk North")];
    let question = |number, row| Suggestion { entry: entry(number), row, doubt: Doubt::Moved };
    let row = |id, name| booked(id, 1, 350, name);
    let one = plan_with(others.clone(), &[row("a", "Kiosk North")]);
    assert_eq!(one.suggestions, [question(2, 0)]);
    let both = plan_with(others, &[row("a", "Kiosk North 7"), row("b", "Kiosk")]);
    assert_eq!(both.suggestions, [question(1, 1), question(2, 0)]);
}

#[test]
fn an_entry_in_the_account_is_taken_before_one_that_was_moved_away() {
    let row = || booked("", 1, 350, "Kiosk");
    let others = vec![other(1, row(), OtherState::Moved), other(2, row(), OtherState::Here)];
    assert_eq!(plan_with(others, &[booked("a", 1, 350, "Kiosk")]).changes, [claim(2, 0)]);
}
