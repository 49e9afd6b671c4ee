//! Identity of rows, case by case. Numbers are those of the defects that other programs had.

use super::*;

#[test]
fn an_answer_that_is_known_changes_nothing() {
    let rows = [booked("a", 1, 350, "Corner Bakery"), pending("", 2, 90, "Kiosk")];
    let known = account([known(1, rows[0].clone()), known(2, rows[1].clone())]);
    let plan = plan(&known, &answer(rows));
    assert!(plan.changes.is_empty() && plan.suggestions.is_empty());
    assert_eq!(plan.counts, Counts { known: 2, ..Counts::default() });
}

#[test]
fn r2720_r3497_equal_rows_stay_as_many_as_there_are() {
    let coffee = booked("", 1, 350, "Corner Bakery");
    let reported = answer([coffee.clone(), coffee.clone(), coffee.clone()]);
    let known = account([known(1, coffee.clone()), known(2, coffee)]);
    assert_eq!(plan(&known, &reported).changes, [add(2, false)]);
}

#[test]
fn two_pending_rows_without_an_id_stay_two() {
    let coffee = pending("", 1, 350, "Corner Bakery");
    let reported = answer([coffee.clone(), coffee]);
    let changes = plan(&account([]), &reported).changes;
    assert_eq!(changes, [add(0, false), add(1, false)]);
}

#[test]
fn two_ids_are_two_transactions() {
    let known = account([known(1, booked("a", 1, 350, "Corner Bakery"))]);
    let rows = [booked("a", 1, 350, "Corner Bakery"), booked("b", 1, 350, "Corner Bakery")];
    assert_eq!(plan(&known, &answer(rows)).changes, [add(1, true)]);
}

#[test]
fn an_id_of_several_rows_is_none() {
    let rows = [booked("NONREF", 1, 350, "Corner Bakery"), booked("NONREF", 2, 90, "Kiosk")];
    let changes = plan(&account([]), &answer(rows)).changes;
    assert_eq!(changes, [add(0, false), add(1, false)]);
}

#[test]
fn an_id_that_older_rows_had_makes_no_update_of_another_purchase() {
    let before = known(1, booked("NONREF", -20, 350, "Corner Bakery"));
    let rows = [booked("NONREF", 5, 350, "Corner Bakery")];
    let changes = plan(&account([before]), &answer(rows)).changes;
    assert_eq!(changes, [add(0, false)], "the older one lies before the window");
    let before = known(1, booked("NONREF", 3, 900, "Green Grocer"));
    let rows = [booked("NONREF", 5, 350, "Corner Bakery")];
    let changes = plan(&account([before]), &answer(rows)).changes;
    assert_eq!(changes, [add(0, false)], "neither amount nor name is alike");
}

#[test]
fn what_the_bank_corrects_is_followed() {
    let before = known(1, booked("a", 3, 350, "Corner Bakery"));
    let rows = [booked("a", 4, 380, "Corner Bakery")];
    let changes = plan(&account([before]), &answer(rows)).changes;
    assert_eq!(changes, [follow(1, 0, false, Reason::Corrected)]);
}

#[test]
fn a_row_that_gets_an_id_is_the_same_row() {
    let before = known(1, booked("", 3, 350, "Corner Bakery"));
    let rows = [booked("a", 3, 350, "Corner Bakery")];
    let changes = plan(&account([before]), &answer(rows)).changes;
    assert_eq!(changes, [follow(1, 0, true, Reason::Identified)]);
    let before = known(1, booked("a", 3, 350, "Corner Bakery"));
    let rows = [booked("", 3, 350, "Corner Bakery")];
    let changes = plan(&account([before]), &answer(rows)).changes;
    assert_eq!(changes, [], "an id that the answer leaves out is kept");
}

#[test]
fn r3436_ids_that_a_bank_gives_anew_make_no_new_entries() {
    let rows = [
        booked("a", 1, 350, "Corner Bakery"),
        booked("b", 1, 350, "Corner Bakery"),
        booked("c", 2, 90, "Kiosk"),
    ];
    let known = account((1..).zip(rows.clone()).map(|(number, row)| known(number, row)));
    let anew = rows.map(|row| SourceRow { id: row.id.map(|id| format!("{id}2")), ..row });
    let changes = plan(&known, &answer(anew)).changes;
    let identified: Vec<SyncChange> =
        (0..3).map(|row| follow(row as u128 + 1, row, true, Reason::Identified)).collect();
    assert_eq!(changes, identified);
}

#[test]
fn in_an_answer_that_is_not_whole_a_new_id_is_a_question() {
    let known = account([known(1, booked("a", 1, 350, "Corner Bakery"))]);
    let rows = [booked("b", 1, 350, "Corner Bakery")];
    let partial = ReportedRows { is_whole: false, ..answer(rows) };
    let plan = plan(&known, &partial);
    assert_eq!(plan.changes, [add(0, true)]);
    let doubt = Suggestion { entry: entry(1), row: 0, doubt: Doubt::AnswerIncomplete };
    assert_eq!(plan.suggestions, [doubt]);
}

#[test]
fn r3436_what_was_deleted_does_not_come_back_with_a_new_id_in_an_answer_that_is_not_whole() {
    let before = known(1, booked("a", 1, 350, "Corner Bakery"));
    let known = account([KnownRow { state: KnownState::Deleted, ..before }]);
    let rows = [booked("b", 1, 350, "Corner Bakery")];
    let changes = plan(&known, &ReportedRows { is_whole: false, ..answer(rows) }).changes;
    assert_eq!(changes, [follow(1, 0, true, Reason::Identified)]);
}

#[test]
fn r2835_what_was_deleted_does_not_come_back() {
    let deleted = |number, row| KnownRow { state: KnownState::Deleted, ..known(number, row) };
    let known = account([
        deleted(1, booked("a", 1, 350, "Corner Bakery")),
        deleted(2, booked("", 2, 90, "Kiosk")),
        deleted(3, booked("c", 3, 700, "Green Grocer")),
        deleted(4, pending("", 4, 800, "Night Owl")),
    ]);
    let rows = [
        booked("a", 1, 350, "Corner Bakery"),
        booked("", 2, 90, "Kiosk"),
        booked("c2", 3, 700, "Green Grocer"),
        booked("d", 6, 800, "Night Owl"),
    ];
    let plan = plan(&known, &answer(rows));
    let changes = [follow(3, 2, true, Reason::Identified), follow(4, 3, true, Reason::Booked)];
    assert_eq!(plan.changes, changes, "only what is known of the rows changes");
    assert_eq!(plan.counts, Counts { deleted_before: 4, ..Counts::default() });
}

#[test]
fn one_of_two_equal_rows_may_be_deleted() {
    let coffee = booked("", 1, 350, "Corner Bakery");
    let deleted = KnownRow { state: KnownState::Deleted, ..known(1, coffee.clone()) };
    let known = account([deleted, known(2, coffee.clone())]);
    let both = plan(&known, &answer([coffee.clone(), coffee.clone()]));
    assert_eq!((both.changes.len(), both.counts.known, both.counts.deleted_before), (0, 1, 1));
    let one = plan(&known, &answer([coffee]));
    assert_eq!((one.changes.len(), one.counts.known), (0, 1), "the row is the living one");
}

#[test]
fn entries_of_other_sources_are_claimed_if_they_are_the_same() {
    let other = |number, row| other(number, row, OtherState::Here);
    let others = vec![
        other(1, booked("", 1, 350, "CARD 0423 CORNER BAKERY")),
        other(2, booked("", 2, 90, "Rent of the box")),
        other(3, booked("", 3, 700, "Green Grocer")),
        other(4, booked("", 3, 700, "Green Grocer")),
    ];
    let known = KnownAccount { rows: Vec::new(), others };
    let rows = [
        booked("a", 1, 350, "Corner Bakery"),
        booked("b", 4, 90, "Kiosk"),
        booked("c", 3, 700, "Green Grocer"),
        pending("d", 3, 700, "Green Grocer"),
    ];
    let plan = plan(&known, &answer(rows));
    let claim = |number, row| SyncChange::Claim { entry: entry(number), row, keeps_id: true };
    assert_eq!(plan.changes, [add(1, true), add(3, true), claim(1, 0), claim(3, 2)]);
    let doubt = Suggestion { entry: entry(2), row: 1, doubt: Doubt::Resembles };
    assert_eq!(plan.suggestions, [doubt]);
}

#[test]
fn a_pending_row_that_was_imported_as_booked_is_not_booked_beside_it() {
    for id in ["", "a"] {
        let other = other(9, booked("", 4, 350, "CARD 0423 KIOSK"), OtherState::Here);
        let known = KnownAccount {
            rows: vec![known(1, pending(id, 3, 350, "Kiosk"))],
            others: vec![other],
        };
        let row = booked("a", 4, 350, "Kiosk");
        let changes = plan(&known, &answer([row.clone()])).changes;
        let claim = SyncChange::Claim { entry: entry(9), row: 0, keeps_id: id.is_empty() };
        assert_eq!(changes, [absent(1), claim], "the id is the pending one's until that goes");
        let twice = plan(&known, &answer([SourceRow { id: None, ..row.clone() }, row])).changes;
        assert!(twice.iter().any(|one| one.reason() == Reason::Booked), "{twice:?}");
        assert!(twice.iter().any(|one| one.reason() == Reason::Claimed), "{twice:?}");
    }
}

#[test]
fn an_entry_that_was_added_with_the_id_is_the_row() {
    let other = other(1, booked("a", 1, 350, "Breakfast"), OtherState::Here);
    let known = KnownAccount { rows: Vec::new(), others: vec![other] };
    let same = plan(&known, &answer([booked("a", 2, 350, "Corner Bakery")]));
    let claim = SyncChange::Claim { entry: entry(1), row: 0, keeps_id: true };
    assert_eq!(same.changes, [claim]);
    let another = plan(&known, &answer([booked("a", 9, 90, "Kiosk")]));
    assert_eq!(another.changes, [add(0, false)], "an id is of one entry only");
}

#[test]
fn an_empty_answer_changes_no_booked_entry() {
    let known = account([known(1, booked("a", 1, 350, "Corner Bakery"))]);
    assert_eq!(plan(&known, &answer([])), SyncPlan::default());
}

#[test]
fn very_many_rows_are_added_in_the_order_of_their_ids() {
    let row = |number: i64| {
        let id = if number % 3 == 0 { String::new() } else { format!("{:05}", 9_999 - number) };
        booked(&id, number % 30, number, "Shop")
    };
    let ordered = |count: i64| {
        let reported = answer((0..count).map(row));
        let gone = known(1, pending("x", 1, 1, "Elsewhere"));
        let mut plan = plan(&account([gone]), &reported);
        let before = plan.clone();
        plan.order_many_added(&reported);
        (before, plan)
    };
    let (before, few) = ordered(100);
    assert_eq!(before, few, "the order of the answer");
    let (before, many) = ordered(6_000);
    assert_eq!(before.changes.len(), many.changes.len());
    let rows: Vec<usize> = many
        .changes
        .iter()
        .filter_map(|change| match change {
            SyncChange::Add { row, .. } => Some(*row),
            _ => None,
        })
        .collect();
    let (without, with) = rows.split_at(2_000);
    assert!(without.iter().all(|row| row % 3 == 0) && without.is_sorted());
    assert!(with.is_sorted_by(|one, next| one > next), "ids fall while rows go on");
}
