use super::*;

fn balance(order: RowOrder) -> RunningBalance {
    RunningBalance {
        column: 0,
        order,
        sense: Sense::Money,
        proofs: 0,
        breaks: Vec::new(),
        ends: Vec::new(),
        directions: None,
    }
}

fn follow(order: RowOrder) -> Follow {
    Follow::new(&balance(order))
}

/// Takes a row with money in.
fn take(follow: &mut Follow, row: u64, account: &str, change: i64, balance: i128) {
    let link = Link {
        account,
        date: "2026-01-01".parse().unwrap(),
        currency: Currency::EUR,
        amount: -change,
        balance: Stated::Value(balance),
    };
    follow.row(row, row + 1, &link, RowChoice::Plan);
}

#[test]
fn nothing_follows_from_a_row_that_cannot_be_read() {
    let mut forward = follow(RowOrder::OldestFirst);
    take(&mut forward, 1, "A", 10, 10);
    take(&mut forward, 2, "B", 1, 1);
    forward.unreadable_row();
    take(&mut forward, 4, "A", 10, 70);
    take(&mut forward, 5, "A", 10, 80);
    take(&mut forward, 6, "B", 1, 9);
    let found = forward.finish();
    assert_eq!((found.breaks.len(), found.proofs), (0, 1));
    let ends: Vec<_> = found.ends.iter().map(|ends| (ends.opening, ends.closing)).collect();
    assert_eq!(ends, [(Some(0), Some(80)), (Some(0), Some(9))]);
}

/// What can't be read isn't imported either, so the account opens with what the rows above it show.
#[test]
fn rows_at_the_end_that_cannot_be_read_are_passed_over() {
    let mut backward = follow(RowOrder::NewestFirst);
    take(&mut backward, 1, "A", 10, 80);
    take(&mut backward, 2, "B", 1, 9);
    backward.unreadable_row();
    take(&mut backward, 4, "A", 10, 20);
    let found = backward.finish();
    assert_eq!(found.breaks.len(), 0);
    let ends: Vec<_> = found.ends.iter().map(|ends| (ends.opening, ends.closing)).collect();
    assert_eq!(ends, [(Some(10), Some(80)), (Some(8), Some(9))]);
}

#[test]
fn many_accounts_and_many_bad_rows_take_the_time_of_their_sum() {
    // The product would take hours.
    let mut many = follow(RowOrder::OldestFirst);
    for row in 0..IMPORT_MAPPINGS_MAX {
        take(&mut many, row as u64, &row.to_string(), 1, 1);
    }
    for _ in 0..5_000_000 {
        many.unreadable_row();
    }
    assert!(!many.is_overflowing());
    take(&mut many, 1, "one more", 1, 1);
    assert!(many.is_overflowing());
}

/// Takes a row without a balance, or the last one of a day with it.
fn day(follow: &mut Follow, row: u64, change: i64, balance: Option<i128>, choice: RowChoice) {
    let link = Link {
        account: "",
        date: "2026-01-01".parse().unwrap(),
        currency: Currency::EUR,
        amount: -change,
        balance: balance.map_or(Stated::Blank, Stated::Value),
    };
    follow.row(row, row + 1, &link, choice);
}

/// The rows that break, each with the line of the balance that proves it.
fn broken(follow: Follow) -> Vec<(u64, Option<u64>)> {
    follow.finish().breaks.iter().map(|found| (found.row, found.proof_line)).collect()
}

#[test]
fn a_wrong_amount_names_the_rows_of_its_day() {
    use RowChoice::{Create, Plan};
    let rows = |wrong: i64, choice: RowChoice| {
        vec![
            (5, None, Plan),
            (5, Some(110), Plan),
            (wrong, None, Plan),
            (3, None, choice),
            (2, Some(116), choice),
            (4, Some(120), Plan),
        ]
    };
    let forward = |rows: Vec<(i64, Option<i128>, RowChoice)>| {
        let mut found = follow(RowOrder::OldestFirst);
        for (row, (change, balance, choice)) in (1..).zip(rows) {
            day(&mut found, row, change, balance, choice);
        }
        broken(found)
    };
    assert_eq!(forward(rows(1, Plan)), []);
    assert_eq!(forward(rows(9, Plan)), [(3, Some(6)), (4, Some(6)), (5, None)]);
    assert_eq!(forward(rows(9, Create)), [], "whoever takes the balance takes the day");
}

#[test]
fn newest_first_the_rows_below_the_balance_are_its_day() {
    let backward = |wrong: i64, balance: i128| {
        let mut found = follow(RowOrder::NewestFirst);
        for (row, (change, balance)) in (1..).zip([
            (4, Some(120)),
            (2, Some(balance)),
            (3, None),
            (wrong, None),
            (5, Some(110)),
            (5, None),
            (1, Some(100)),
        ]) {
            day(&mut found, row, change, balance, RowChoice::Plan);
        }
        found.finish()
    };
    assert_eq!(backward(1, 116).breaks, []);
    let rows = |found: &FollowedBalance| {
        let rows = found.breaks.iter().map(|found| (found.row, found.proof_line));
        rows.collect::<Vec<_>>()
    };
    let found = backward(9, 116);
    assert_eq!(rows(&found), [(2, None), (3, Some(3)), (4, Some(3))]);
    assert_eq!((found.mismatches(), found.ends[0].sum), (1, Some(15)));
    // A wrong balance alone: the amounts around it are right.
    let found = backward(1, 117);
    assert_eq!(rows(&found), [(2, None)]);
    assert_eq!(found.ends[0].sum, Some(19));
}

#[test]
fn very_many_rows_of_one_balance_are_a_question() {
    let mut found = follow(RowOrder::OldestFirst);
    day(&mut found, 1, 1, Some(1), RowChoice::Plan);
    for row in 2..=1_000 {
        day(&mut found, row, 1, None, RowChoice::Plan);
    }
    day(&mut found, 1_001, 1, Some(5), RowChoice::Plan);
    let found = found.finish();
    assert_eq!(found.breaks.len(), BALANCE_BREAKS_MAX);
    assert!(found.more_breaks > 0);
}
