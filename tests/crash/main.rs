//! `kill -9` at random moments, many times: nothing acknowledged is lost, half-written,
//! doubled or stuck.
//!
//! Clients upload and publish small files without pause, and undo some of what they published.
//! Their answers go into a ledger with three outcomes: acknowledged, refused, unknown (the
//! connection died before the answer). Then the process is killed and started again on the same
//! data. At the end everything must have settled: each acknowledged import is complete with exactly
//! its rows, or pending without any if its undo was acknowledged; an unknown one is there whole or
//! not at all; balances are what the rows add up to, and `purser check` finds nothing. Imports that
//! are not published yet are changed meanwhile: see [`changes`]. Imports of categories and of the
//! other types come and go: see [`categories`] and [`types`]. Small writes are compared after each
//! death: see [`writes`].

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

#[path = "../support/mod.rs"]
mod support;

mod categories;
mod changes;
mod ledger;
mod types;
mod uploads;
mod writes;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use categories::Categories;
use changes::Drafts;
use ledger::Ledger;
use serde_json::Value;
use support::{Backend, Client, Dice, Options, Server, Sql, repeats, rounds, until_within};
use types::Types;
use writes::Writes;

/// As a test, and at length.
#[cfg(not(feature = "planted-defect"))]
const KILLS: [u64; 2] = [60, 10_000];
/// PostgreSQL outlives the process, so fewer kills are enough.
#[cfg(not(feature = "planted-defect"))]
const KILLS_POSTGRES: [u64; 2] = [12, 2_000];
/// In one of so many kills the process is between the two commits.
#[cfg(feature = "planted-defect")]
const CONTROL_KILLS: [u64; 2] = [150, 150];
/// So many small writes are acknowledged for each kill on average at least, at length: 200,000.
const ACKNOWLEDGED: u64 = 20;
/// Up to so many are acknowledged in a life before it may end, as a test and at length.
const ACKNOWLEDGED_MAX: [u64; 2] = [6, 60];
const CLIENTS: u64 = 2;
/// One import for so many kills is there before the first.
const STOCK_SHARE: u64 = 2;
/// A process lives at most as long as so many imports take.
const LIFE_IMPORTS: u64 = 4;
/// A lease on PostgreSQL and the time to work off what has piled up.
const SETTLING: Duration = Duration::from_secs(120);

#[cfg(not(feature = "planted-defect"))]
#[test]
fn nothing_acknowledged_is_lost_on_sqlite() {
    survive(Backend::Sqlite, KILLS, 60_000);
}

#[cfg(not(feature = "planted-defect"))]
#[test]
fn nothing_acknowledged_is_lost_on_postgres() {
    // It takes longer to connect, and to commit.
    survive(Backend::Postgres, KILLS_POSTGRES, 300_000);
}

/// The control, over processes: a program that commits a publish before its completion.
#[cfg(feature = "planted-defect")]
#[test]
fn a_completion_of_its_own_is_found() {
    let survived = catch_unwind(|| survive(Backend::Sqlite, CONTROL_KILLS, 60_000));
    let panic = survived.expect_err("nothing was wrong");
    let text = panic.downcast_ref::<String>().expect("a message");
    assert!(text.contains("to settle"), "something else was wrong: {text}");
}

/// Kills the server so many times, each at a moment in its first `micros_max`, or later on a
/// machine that is busy.
fn survive(backend: Backend, [short, long]: [u64; 2], micros_max: u64) {
    let options = Options::new().env("PURSER_RATE_LIMIT", "0").env("PURSER_LOG", "error");
    let mut server = Server::start_with(backend, options);
    let family = server.family();
    let account = family.account("Under fire", "depository");
    let ledger = Arc::new(Ledger::default());
    let mut dice = Dice::seeded();
    let drafts = Drafts::new(&server);
    let categories = Categories::new(&server);
    let types = Types::new(&server);
    let writes = Writes::new(&server);
    let stocked = u32::try_from(rounds(short, long).expected(short) / STOCK_SHARE)
        .expect("a number of imports");
    let micros_max = micros_max.max(stock(&family.api, &account, stocked, &ledger));

    let mut kills = 0;
    for round in rounds(short, long) {
        kills = round + 1;
        let round = u32::try_from(round).expect("a number of kills");
        let stop = Arc::new(AtomicBool::new(false));
        let changer = drafts.start(round, dice.between(0, u64::from(u32::MAX)), &stop);
        let importer = categories.start(round, &stop);
        let mover = types.start(round, &stop);
        let writers = writes.start(round, &stop);
        let clients: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (ledger, stop) = (Arc::clone(&ledger), Arc::clone(&stop));
                let (api, account) = (family.api.clone(), account.clone());
                thread::spawn(move || {
                    let mut number = 0;
                    while !stop.load(Ordering::Relaxed) {
                        let name = format!("r{round}c{client}n{number}");
                        // One client begins with an undo and the other with an upload, so that the
                        // kill meets both. Some of the imports are not published yet.
                        let pick = (u64::from(round) * CLIENTS + client).wrapping_mul(7_919);
                        if (client + number) % 2 == 0
                            && let Some((name, id)) = ledger.to_undo(pick + number)
                        {
                            uploads::undo(&api, &name, &id, &ledger);
                        }
                        uploads::send(&api, &account, &name, &ledger);
                        number += 1;
                    }
                })
            })
            .collect();
        dice.pause(500, micros_max);
        writes.wait_for(dice.below(repeats(ACKNOWLEDGED_MAX[0], ACKNOWLEDGED_MAX[1]) + 1));
        server.kill();
        stop.store(true, Ordering::Relaxed);
        clients.into_iter().for_each(|client| client.join().expect("a client"));
        changer.join().expect("whoever changes drafts");
        importer.join().expect("whoever imports categories");
        mover.join().expect("whoever imports the other types");
        writers.into_iter().for_each(|writer| writer.join().expect("whoever writes"));
        server.start_again();
        drafts.verify();
        writes.verify(round);
    }

    settle(&server, &family.api, &ledger);
    eprintln!("{kills} kills: {}", ledger.summary());
    ledger.verify(&server, &family.api, &account);
    drafts.assert_as_uploaded();
    categories.verify();
    types.verify();
    writes.verify_all();
    let wanted = kills * repeats(0, ACKNOWLEDGED);
    assert!(writes.acknowledged() >= wanted, "{wanted} small writes should be acknowledged");
}

/// Waits until nothing is left to do. An upload that is still to be published counts as unsettled
/// too, because it will be, also if somebody tried to undo it before.
fn settle(server: &Server, api: &Client, ledger: &Ledger) {
    let undone = ledger.undone_ids();
    let sql = Sql::open(server);
    until_within(SETTLING, "every import to settle", || {
        let listed =
            |status: &str| ledger::all(api, &format!("/api/v1/imports?status={status}&"), "data");
        let is_undone = |import: &Value| undone.contains(import["id"].as_str().expect("an id"));
        let is_wanted = "SELECT id FROM imports WHERE status = 'pending' AND publish_wanted";
        let settled = sql.query(is_wanted).is_empty()
            && listed("importing").is_empty()
            && listed("reverting").is_empty()
            && listed("pending").iter().all(is_undone);
        settled.then_some(())
    });
}

/// Publishes imports, so that there is something to undo from the first moment on. Returns how long
/// a process should live at most, in microseconds: on a busy machine, long enough that a job isn't
/// killed as often as it may be tried.
fn stock(api: &Client, account: &str, count: u32, ledger: &Ledger) -> u64 {
    let began = Instant::now();
    for number in 0..count {
        uploads::send(api, account, &format!("stock{number}"), ledger);
    }
    until_within(SETTLING, "the first imports to be published", || {
        let path = "/api/v1/imports?status=importing";
        (api.get(path).expect_status(200).json()["meta"]["total_count"] == 0).then_some(())
    });
    let each = began.elapsed() / count.max(1);
    u64::try_from(each.as_micros()).expect("a short time") * LIFE_IMPORTS
}

/// What a kill could do if effects and their completion were several commits. Each is one defect
/// in the data of imports that were fine.
#[test]
fn what_is_lost_half_there_doubled_or_stuck_is_found() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Under fire", "depository");
    let ledger = Ledger::default();
    for number in 0..3 {
        uploads::send(&family.api, &account, &format!("n{number}"), &ledger);
    }
    settle(&server, &family.api, &ledger);
    let (name, id) = ledger.to_undo(0).expect("an import");
    uploads::undo(&family.api, &name, &id, &ledger);
    settle(&server, &family.api, &ledger);
    let verify = || {
        let verified = AssertUnwindSafe(|| ledger.verify(&server, &family.api, &account));
        catch_unwind(verified).map_err(|panic| panic.downcast_ref::<String>().cloned())
    };
    verify().expect("nothing is wrong yet");
    let sql = Sql::open(&server);
    sql.run("PRAGMA foreign_keys = OFF");
    let status = |from, to| format!("UPDATE imports SET status = '{to}' WHERE status = '{from}'");
    let of_other = |from, to| format!("UPDATE entries SET name = '{to}' WHERE name = '{from}'");
    for (defect, end_of_it, found) in [
        (status("complete", "importing"), status("importing", "complete"), "stuck or failed"),
        (of_other("n1 0", "n2 20"), of_other("n2 20", "n1 0"), "n1 is half there or doubled"),
        ("DELETE FROM entries WHERE name LIKE 'n1 %'".to_owned(), String::new(), "n1: {"),
    ] {
        sql.run(&defect);
        let panic = verify().expect_err(found);
        assert!(panic.as_deref().is_some_and(|text| text.contains(found)), "{found}: {panic:?}");
        sql.run(&end_of_it);
    }
}
