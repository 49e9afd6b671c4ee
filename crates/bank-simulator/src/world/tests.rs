use jiff::civil::date;

use super::*;

fn world(day: i8, quirks: &[Quirk]) -> World {
    let mut world = World::new(7, date(2026, 3, 1));
    world.today = date(2026, 3, day);
    world.quirks = quirks.to_vec();
    world
}

/// Every row of the first two accounts, with pending ones.
fn rows(world: &World) -> Vec<Row> {
    ACCOUNTS[..2].iter().flat_map(|account| world.rows(account, true)).collect()
}

#[test]
fn a_world_is_the_same_again() {
    assert_eq!(rows(&world(15, &[])), rows(&world(15, &[])));
    let mut other = world(15, &[]);
    other.seed = 8;
    assert_ne!(rows(&other), rows(&world(15, &[])));
    let pending = rows(&world(15, &[])).iter().filter(|row| row.pending).count();
    assert!(pending > 0 && rows(&world(15, &[])).len() > 500);
}

#[test]
fn what_is_booked_stays_and_pending_is_booked_within_days() {
    let (before, after) = (rows(&world(15, &[])), rows(&world(20, &[])));
    for row in &before {
        let later = after.iter().find(|other| other.id == row.id).unwrap();
        assert!(!later.pending);
        assert_eq!(later.amount, row.amount);
    }
}

#[test]
fn the_balance_moves_by_what_is_booked() {
    let before = world(15, &[]);
    let after = World { today: date(2026, 3, 16), ..before.clone() };
    for account in &ACCOUNTS[..3] {
        let ids: Vec<_> = before.rows(account, false).into_iter().map(|row| row.id).collect();
        let mut booked = after.rows(account, false);
        booked.retain(|row| !ids.contains(&row.id));
        let sum: i64 = booked.iter().map(|row| row.amount).sum();
        assert_eq!(after.balance(account) - before.balance(account), sum);
    }
}

#[test]
fn each_quirk_shows() {
    let usual = rows(&world(15, &[]));
    let with = |quirk| rows(&world(15, &[quirk]));
    let blank = |rows: &[Row]| rows.iter().filter(|row| row.id.is_none()).count();
    assert_eq!(blank(&usual), 0);
    assert!(blank(&with(Quirk::BlankIds)) > 0);
    assert!(with(Quirk::TwinPendings).len() > usual.len());
    let (late, soon) = (with(Quirk::LatePostings), usual.len());
    assert!(late.iter().all(|row| usual.contains(row)));
    let hidden = (10..20)
        .map(|day| rows(&world(day, &[])).len() - rows(&world(day, &[Quirk::LatePostings])).len());
    assert!(late.len() <= soon && hidden.sum::<usize>() > 0);
    assert!(with(Quirk::ShortHistory).iter().all(|row| row.date >= date(2026, 2, 13)));
    let sum = |rows: &[Row]| rows.iter().map(|row| row.amount).sum::<i64>();
    assert!(sum(&with(Quirk::Tips)) < sum(&usual));
    assert!(with(Quirk::OneIdForAll).iter().all(|row| row.id.as_deref() == Some("NONREF")));
    let today = with(Quirk::RotatingIds);
    let tomorrow = rows(&world(16, &[Quirk::RotatingIds]));
    let stays = |row: &&Row| tomorrow.iter().any(|other| other.id == row.id);
    let kept = today.iter().filter(stays).count();
    assert!(kept > today.len() / 2 && kept < today.len() * 9 / 10, "{kept}");
    assert!(with(Quirk::NoIds).iter().all(|row| row.id.is_none()));
    let renamed = with(Quirk::Renames);
    let shops = |rows: &[Row], pending| {
        let mut names: Vec<_> =
            rows.iter().filter(|row| row.pending == pending).map(|row| row.payee).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(shops(&renamed, true), shops(&usual, true));
    assert_ne!(shops(&renamed, false), shops(&usual, false));
    let cancelled = with(Quirk::CancelledHolds);
    assert!(cancelled.iter().all(|row| usual.contains(row)) && cancelled.len() < usual.len());
    assert!(world(15, &[Quirk::NoAccounts]).accounts().is_empty());
    assert_eq!(world(15, &[Quirk::AccountRemoved]).accounts().len(), ACCOUNTS.len() - 1);
    assert!(world(15, &[Quirk::ConsentExpired]).is_expired(&ACCOUNTS[1]));
}
