//! Worlds of the simulator: days pass, banks misbehave, people delete and rename. In the end the
//! ledger has what the bank has, and every invariant of the database holds.

use purser_bank_simulator::Quirk;
use purser_bank_simulator::world::{ACCOUNTS, Account, World};
use purser_core::ledger::transaction_values::TransactionValues;

use super::*;
use crate::transactions;

/// Days on which there is a sync.
const DAYS: i64 = 12;
/// The combinations of what banks do wrong.
const QUIRKS: [&[Quirk]; 6] = [
    &[],
    &[Quirk::BlankIds, Quirk::TwinPendings, Quirk::Tips],
    &[Quirk::RotatingIds, Quirk::LatePostings],
    &[Quirk::OneIdForAll, Quirk::TwinPendings],
    &[Quirk::OneIdForAll, Quirk::Tips, Quirk::LatePostings],
    &[Quirk::BlankIds, Quirk::RotatingIds, Quirk::Tips],
];

/// The answer of the bank on a day about the days before.
fn answer_of(world: &World, account: &Account, from: Date) -> ReportedRows {
    let to = world.today.saturating_add(1.day());
    let rows = world.rows(account, true).into_iter();
    let rows = rows.filter(|row| row.date >= from && row.date <= to).map(|row| ReportedRow {
        row: SourceRow {
            id: row.id,
            date: row.date,
            amount: -row.amount * 100,
            currency: Currency::EUR,
            name: row.payee.to_owned(),
            pending: row.pending,
        },
        notes: Some(row.description),
    });
    let rows = rows.collect();
    ReportedRows {
        rows,
        from,
        to,
        is_whole: true,
        is_doubtful: false,
        has_pending: true,
        unreadable: 0,
        unreadable_ids: Vec::new(),
    }
}

/// Day, amount and name of booked rows, sorted.
fn booked_rows(reported: &ReportedRows) -> Vec<(Date, i64, String)> {
    let booked = reported.rows.iter().filter(|one| !one.row.pending);
    let mut rows: Vec<_> =
        booked.map(|one| (one.row.date, one.row.amount, one.row.name.clone())).collect();
    rows.sort();
    rows
}

/// The rows that the ledger knows as booked; those of deleted entries, too.
fn known_rows(linked: &Linked<'_>, reported: &ReportedRows) -> Vec<(Date, i64, String)> {
    let known = linked.read(|tx| sync_rows::known(tx, linked.of, reported));
    let booked = known.rows.into_iter().filter(|one| !one.row.pending);
    let mut rows: Vec<_> = booked.map(|one| (one.row.date, one.row.amount, one.row.name)).collect();
    rows.sort();
    rows
}

/// A person renames one of the transactions and deletes another.
fn meddle(linked: &Linked<'_>, number: usize) {
    let entries = linked.entries();
    let (one, other) = (entries[number * 7 % entries.len()], entries[number * 5 % entries.len()]);
    let name =
        TransactionValues { name: Some(Some("Mine".to_owned())), ..TransactionValues::default() };
    linked.write(|tx| transactions::revise(tx, one, &name).map(drop));
    linked.write(|tx| transactions::remove(tx, other).map(drop));
}

fn live(linked: &Linked<'_>, seed: u64, quirks: &[Quirk]) {
    let account = &ACCOUNTS[(seed % 2) as usize];
    let start = Date::constant(2024, 4, 20);
    let mut world = World::new(seed, start);
    world.quirks = quirks.to_vec();
    for number in 0..DAYS {
        world.today = start.saturating_add(number.days());
        let pending = linked.read(|tx| sync_rows::oldest_pending(tx, linked.of));
        let from = world.today.saturating_sub((if number == 0 { 40 } else { 10 }).days());
        let from = pending.map_or(from, |date| from.min(date.saturating_sub(1.day())));
        let reported = answer_of(&world, account, from);
        let today = i64::from((world.today - day(0)).get_days());
        let pending_before = linked.read(|tx| sync_rows::pending(tx, linked.of)).len() as u64;
        let before = linked.state();
        let (sync, plan) = linked.sync(&reported, today, Some(world.balance(account) * 100));
        assert!(plan.counts.removed <= pending_before, "only pending entries go");
        assert!(linked.plan(&reported, today).changes.is_empty(), "seed {seed}, day {number}");
        assert_eq!(linked.balance(today), world.balance(account) * 100);
        if number % 4 == 3 {
            let after = linked.state();
            linked.write(|tx| crate::sync_plans::undo::undo(tx, sync).map(drop));
            assert_eq!(linked.state(), before, "seed {seed}, day {number}, undone");
            linked.sync(&reported, today, Some(world.balance(account) * 100));
            assert_eq!(linked.state(), after, "seed {seed}, day {number}, again");
        }
        if number % 5 == 2 {
            meddle(linked, number as usize);
        }
    }
    // No more happens at the bank: what is pending is booked, and what is gone is missed.
    for number in [DAYS + 4, DAYS + 5] {
        let mut quiet = world.clone();
        quiet.today = start.saturating_add(number.days());
        let from = start.saturating_sub(30.days());
        let reported = answer_of(&quiet, account, from);
        let today = i64::from((quiet.today - day(0)).get_days());
        linked.sync(&reported, today, None);
        assert_eq!(known_rows(linked, &reported), booked_rows(&reported), "seed {seed}");
    }
    linked.check();
}

#[test]
fn worlds_of_the_simulator_come_to_what_their_banks_have() {
    on_both(|fixture| {
        let (family, _) = fixture.family("one");
        for (seed, quirks) in (1..).zip(QUIRKS) {
            let name = format!("Account {seed}");
            let account = make(fixture, family, &input(&name, "depository", "0")).summary.id;
            let of = SourceAccount { account, source: "lunchflow" };
            live(&Linked { fixture, family, of }, seed, quirks);
        }
    });
}
