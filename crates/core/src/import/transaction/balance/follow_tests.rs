use super::*;

fn balance(order: RowOrder) -> RunningBalance {
    RunningBalance {
        column: 0,
        order,
        sense: Sense::Money,
        proofs: 0,
        breaks: Vec::new(),
        ends: Vec::new(),
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
