//! A disk that fills up: at every page of the log that a step writes, in the middle of a large
//! publish, and while a file arrives. Each step is done whole or not at all, the server goes on,
//! and everything that was answered well is there after a restart.
//!
//! Only on SQLite: the files of PostgreSQL are not the server's.

use serde_json::{Value, json};

use super::{IMPORTS, assert_whole, balance, body, path, post, text, transactions, upload};
use crate::support::{Answer, Backend, Family, Options, Server, Sql, State, until};

const CSV: &str = "Date,Amount,Name,Category,Tags\n\
                   2024-01-02,-1.00,A,Food,x\n\
                   2024-01-03,-2.00,B,Fun,\"x,y\"\n";
const OTHER_CSV: &str = "Date,Amount,Name\n2024-01-04,-4.00,C\n";
/// What belongs to an import and its jobs rather than to the ledger.
const OF_THE_IMPORT: [&str; 4] = ["imports", "import_plan_blocks", "jobs", "audit_events"];
/// No small step writes as many pages.
const FRAMES_MAX: u64 = 300;
/// Names that make the pages of a publish more than the cache takes.
const LONG_NAME_CHARS: usize = 220;
const LARGE_ROWS: usize = 36_000;
/// Less than such a publish writes, and more than what else is written meanwhile.
const LARGE_FRAMES: u64 = 1_000;

/// A server that has a full disk at times, and a family with a ledger.
struct Disk {
    server: Server,
    sql: Sql,
    family: Family,
    account: String,
}

impl Disk {
    fn new() -> Self {
        let options = Options::new().outlive_limits().env("PURSER_RATE_LIMIT", "0");
        // The largest publish of these tests is one commit.
        let options = options.env("PURSER_PUBLISH_PART_ROWS", LARGE_ROWS);
        let server = Server::start_with(Backend::Sqlite, options);
        let family = server.family();
        let account = family.account("Main", "depository");
        family.import(&account, "Date,Amount,Name\n2024-01-01,-5.00,Before\n");
        let disk = Self { sql: Sql::open(&server), server, family, account };
        disk.no_jobs();
        disk
    }

    fn to_account(&self) -> Value {
        json!({ "account_id": self.account })
    }

    fn show(&self, import: &Value) -> Value {
        self.family.api.get(&path(import, "")).expect_status(200).json()["data"].clone()
    }

    fn ledger(&self) -> State {
        State::read(&self.sql).without(&OF_THE_IMPORT)
    }

    /// Lets jobs be claimed at once if their worker could not even give them back.
    fn no_jobs(&self) {
        until("the jobs to end", || {
            self.sql.run("UPDATE jobs SET run_at = 0, lease_until = 0 WHERE state <> 'failed'");
            self.sql.query("SELECT id FROM jobs").is_empty().then_some(())
        });
    }

    /// How often the worker failed.
    fn failures(&self) -> usize {
        let log = self.server.log();
        ["job failed", "job waits", "can't be claimed"]
            .iter()
            .map(|line| log.matches(line).count())
            .sum()
    }

    /// Everybody can read, whatever is full.
    fn assert_readable(&self, lines: usize) {
        assert_eq!(transactions(&self.family).len(), lines);
        self.family.api.get(IMPORTS).expect_status(200);
    }

    /// Takes a step with room for no page, for one, and so on until it is done. Each refusal gives
    /// the reason and leaves everything as it was. Returns the good answer.
    fn fill_up(&self, name: &str, step: impl Fn() -> Answer) -> Answer {
        let lines = transactions(&self.family).len();
        for frames in 0..FRAMES_MAX {
            let before = State::read(&self.sql);
            self.server.leave_room(frames);
            let answer = step();
            self.assert_readable(lines);
            self.server.limit_files(None);
            if answer.status < 300 {
                assert!(frames > 1, "{name} writes no page");
                assert_ne!(State::read(&self.sql), before, "{name} does nothing");
                return answer;
            }
            let refused = answer.expect_error(503, "unavailable");
            assert!(!text(&refused["message"]).contains("SQL"), "no internals: {refused}");
            State::read(&self.sql).assert_is(&before, name);
        }
        panic!("{name} doesn't fit in {FRAMES_MAX} pages");
    }

    /// As [`Disk::fill_up`] for a step that queues a job: it may be refused, or its job fails for
    /// as long as the disk is full. `back` brings the ledger back to where it was.
    fn fill_up_job(&self, import: &Value, step: &str, done: &str, back: &str) {
        let (mut refusals, mut failures) = (0, 0);
        for frames in (0..FRAMES_MAX).step_by(3) {
            let (before, lines) = (self.ledger(), transactions(&self.family).len());
            let (known, status) = (self.failures(), self.show(import)["status"].clone());
            self.server.leave_room(frames);
            let answer = self.family.api.post(&path(import, step), &json!({}));
            if answer.status != 202 {
                let code = answer.json()["error"].clone();
                assert!(code == "publish_failed" || code == "unavailable", "{}", answer.text());
                assert_eq!(self.show(import)["status"], status);
                refusals += 1;
            } else {
                let is_done = until("the first try to end", || {
                    let is_done = self.show(import)["status"] == done;
                    (is_done || self.failures() > known).then_some(is_done)
                });
                if is_done {
                    self.server.limit_files(None);
                    self.no_jobs();
                    assert!(refusals > 0 && failures > 0, "{step}: {refusals}, {failures}");
                    return;
                }
                failures += 1;
            }
            let now = self.ledger();
            // A later try may have found the room that the first one did not.
            if now != before {
                assert_eq!(self.show(import)["status"], done, "{step}: half of it");
            } else {
                self.assert_readable(lines);
            }
            self.server.limit_files(None);
            if self.show(import)["status"] == status {
                continue;
            }
            self.no_jobs();
            assert_eq!(self.show(import)["status"], done, "{step} goes on by itself");
            self.family.api.post(&path(import, back), &json!({})).expect_status(202);
            self.no_jobs();
        }
        panic!("{step} doesn't fit in {FRAMES_MAX} pages");
    }

    /// Files of uploads, also those that are not whole yet.
    fn files(&self) -> usize {
        fn count(folder: &std::path::Path) -> usize {
            let entries = std::fs::read_dir(folder).expect("a folder");
            let entries = entries.map(|entry| entry.expect("an entry").path());
            entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
        }
        count(&self.server.data_folder().join("files"))
    }

    /// What was answered well is there after a restart, and whole.
    fn assert_lasts(mut self) {
        let (before, lines) = (self.ledger(), transactions(&self.family));
        self.server.kill();
        self.server.start_again();
        assert_eq!(transactions(&self.family), lines);
        self.ledger().assert_is(&before, "after a restart");
        assert_whole(&self.server);
    }
}

#[test]
fn each_step_is_whole_or_not_at_all() {
    let disk = Disk::new();
    let api = &disk.family.api;
    let made = disk.fill_up("upload", || post(api, CSV, &disk.to_account()));
    let import = made.json()["data"].clone();
    disk.fill_up("configuration", || {
        api.patch(&path(&import, ""), &json!({ "signage_convention": "inflows_negative" }))
    });
    disk.fill_up("row", || {
        api.patch(&path(&import, "/rows/1"), &json!({ "cells": { "Amount": "7.00" } }))
    });
    assert_eq!(disk.show(&import)["stats"]["valid_rows_count"], 2);
    disk.fill_up("file", || {
        api.put(&path(&import, "/file"), &json!({ "raw_file_content": OTHER_CSV }))
    });
    assert_eq!(disk.show(&import)["stats"]["rows_count"], 1);
    disk.fill_up("deletion", || api.delete(&path(&import, "")));
    api.get(&path(&import, "")).expect_error(404, "not_found");
    disk.assert_lasts();
}

#[test]
fn publish_and_undo_are_whole_or_not_at_all() {
    let disk = Disk::new();
    let import = upload(&disk.family.api, CSV, &disk.to_account());
    disk.fill_up_job(&import, "/publish", "complete", "/revert");
    assert_eq!(balance(&disk.family, &disk.account), "-8.00");
    disk.fill_up_job(&import, "/revert", "pending", "/publish");
    assert_eq!(balance(&disk.family, &disk.account), "-5.00");
    disk.assert_lasts();
}

#[test]
fn an_upload_with_publish_is_stored_or_not_and_published_in_the_end() {
    let disk = Disk::new();
    let api = &disk.family.api;
    let mut codes = Vec::new();
    for frames in (0..FRAMES_MAX).step_by(3) {
        let name = format!("Row {frames}");
        let csv = format!("Date,Amount,Name\n2024-02-01,-1.00,{name}\n");
        let fields = json!({ "account_id": disk.account, "publish": "true" });
        let (known, lines) = (disk.failures(), transactions(&disk.family).len());
        disk.server.leave_room(frames);
        let answer = post(api, &csv, &fields);
        let code = answer.json()["error"].as_str().unwrap_or("none").to_owned();
        let id = answer.json()["import_id"].as_str().map(str::to_owned);
        let import = match (answer.status, code.as_str()) {
            (503, "unavailable") => None,
            (500, "publish_failed") => id,
            (201, "none") => Some(answer.id()),
            _ => panic!("{}", answer.text()),
        };
        codes.push(code.clone());
        let import = import.map(|id| json!({ "id": id }));
        if code == "none" {
            let import = import.as_ref().expect("an import");
            let is_done = until("the first try to end", || {
                let is_done = disk.show(import)["status"] == "complete";
                (is_done || disk.failures() > known).then_some(is_done)
            });
            if is_done {
                disk.server.limit_files(None);
                disk.no_jobs();
                break;
            }
        }
        let seen = transactions(&disk.family).len();
        // A later try may have found the room that the first one did not.
        let is_published = |import| disk.show(import)["status"] == "complete";
        assert!(
            seen == lines || seen == lines + 1 && import.as_ref().is_some_and(is_published),
            "{frames}: {seen} of {lines}"
        );
        disk.server.limit_files(None);
        // Sent again, as known programs do: one import, published once.
        let (stored, again) = match (&import, code.as_str()) {
            (Some(import), "none") => (import.clone(), None),
            (stored, _) => {
                let again = post(api, &csv, &fields).expect_status(201).id();
                (stored.clone().unwrap_or_else(|| json!({ "id": again })), Some(again))
            }
        };
        assert!(again.is_none_or(|again| stored["id"] == again), "{frames}: a second import");
        disk.no_jobs();
        assert_eq!(disk.show(&stored)["status"], "complete");
        let found = transactions(&disk.family).iter().filter(|line| line.contains(&name)).count();
        assert_eq!((found, transactions(&disk.family).len()), (1, lines + 1), "{frames}");
    }
    for code in ["unavailable", "publish_failed", "none"] {
        assert!(codes.iter().any(|one| one == code), "never {code}: {codes:?}");
    }
    disk.assert_lasts();
}

#[test]
fn a_matching_is_whole_or_not_at_all() {
    let disk = Disk::new();
    let api = &disk.family.api;
    let savings = disk.family.account("Savings", "depository");
    disk.sql.run("UPDATE families SET transfer_matching = 'off'");
    disk.family.import(&disk.account, "Date,Amount,Name\n2024-01-03,-2.00,Move to savings\n");
    disk.family.import(&savings, "Date,Amount,Name\n2024-01-03,2.00,Move\n");
    disk.sql.run("UPDATE families SET transfer_matching = 'automatic'");
    let (mut refusals, mut failures) = (0, 0);
    for frames in 0..FRAMES_MAX {
        let (before, known) = (disk.ledger(), disk.failures());
        disk.server.leave_room(frames);
        let answer = api.post("/api/v1/transfers/match", &json!({}));
        if answer.status != 202 {
            answer.expect_error(503, "unavailable");
            disk.server.limit_files(None);
            disk.ledger().assert_is(&before, "refused");
            refusals += 1;
            continue;
        }
        let is_done = until("the first try to end", || {
            let is_done = disk.sql.query("SELECT id FROM jobs").is_empty();
            (is_done || disk.failures() > known).then_some(is_done)
        });
        if !is_done {
            // Pairs are made in commits of their own, so only the end of the job may be missing;
            // and a later try may have found room.
            if disk.sql.query("SELECT id FROM transfers").is_empty() {
                disk.ledger().assert_is(&before, "the job");
            }
            failures += 1;
        }
        disk.server.limit_files(None);
        disk.no_jobs();
        assert_eq!(disk.sql.query("SELECT id FROM transfers").len(), 1);
        if is_done {
            assert!(refusals > 0 && failures > 0, "{refusals} and {failures}");
            return disk.assert_lasts();
        }
        disk.sql.run("DELETE FROM transfers");
    }
    panic!("the matching doesn't fit");
}

/// The new plan can't be stored; the answer shows that the plan is old.
#[test]
fn a_plan_that_can_not_be_stored_is_made_later() {
    let disk = Disk::new();
    let api = &disk.family.api;
    let import = upload(api, OTHER_CSV, &disk.to_account());
    disk.family.import(&disk.account, OTHER_CSV);
    disk.no_jobs();
    disk.server.leave_room(0);
    let shown = disk.show(&import);
    assert_eq!(
        (&shown["plan"]["current"], &shown["plan"]["create_count"]),
        (&json!(false), &json!(1))
    );
    disk.server.wait_for_log("the plan can't be made just now");
    assert_eq!(disk.show(&import)["plan"]["current"], false);
    disk.server.limit_files(None);
    let shown = until("a plan of now", || {
        let shown = disk.show(&import);
        (shown["plan"]["current"] == true).then_some(shown)
    });
    assert_eq!(shown["plan"]["create_count"], 0, "{shown}");
    disk.assert_lasts();
}

/// The pages of a large publish go to the log before it ends.
#[test]
fn a_disk_that_fills_up_in_the_middle_of_a_large_publish() {
    let disk = Disk::new();
    let api = &disk.family.api;
    let mut csv = "Date,Amount,Name\n".to_owned();
    for row in 0..LARGE_ROWS {
        csv.push_str(&format!("2024-01-{:02},-0.01,{row:0>LONG_NAME_CHARS$}\n", 1 + row % 28));
    }
    let import = upload(api, &csv, &disk.to_account());
    let (before, known) = (disk.ledger(), disk.failures());
    disk.server.leave_room(LARGE_FRAMES);
    api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
    until("a try that fails", || (disk.failures() > known).then_some(()));
    disk.server.limit_files(None);
    disk.ledger().assert_is(&before, "a part of a publish");
    disk.assert_readable(1);
    assert_eq!(disk.show(&import)["status"], "importing");
    disk.no_jobs();
    assert_eq!(disk.show(&import)["status"], "complete");
    assert_eq!(balance(&disk.family, &disk.account), "-365.00");
    disk.assert_lasts();
}

/// As it came, and in UTF-8.
#[test]
fn a_file_that_does_not_fit_leaves_nothing() {
    let disk = Disk::new();
    let api = &disk.family.api;
    let row = |name: &str| format!("Date,Amount,Name\n2024-01-02,-1.00,{name}\n");
    let (text_file, latin) = (row(&"x".repeat(300_000)), row(&"\u{e9}".repeat(40_000)));
    let latin: Vec<u8> = latin.chars().map(|char| u8::try_from(char).expect("Latin-1")).collect();
    let before = (State::read(&disk.sql), disk.files());
    disk.server.leave_room(15);
    let form = crate::support::Multipart::new()
        .text("account_id", &disk.account)
        .file("file", "a.csv", "text/csv", &latin);
    for answer in
        [api.post(IMPORTS, &body(&text_file, &disk.to_account())), api.post_form(IMPORTS, &form)]
    {
        let refused = answer.expect_error(503, "unavailable");
        assert_eq!(refused["message"], "There is no space left for files");
        assert_eq!(disk.files(), before.1, "it makes room again");
        State::read(&disk.sql).assert_is(&before.0, "a file that doesn't fit");
    }
    disk.server.limit_files(None);
    api.post_form(IMPORTS, &form).expect_status(201);
    assert_eq!(disk.files(), before.1 + 2);
    disk.assert_lasts();
}
