//! An undo of a large run: in parts, across a crash, with nothing in its way.

use serde_json::{Value, json};

use super::banked::{booked_lines, linked, with_pending};
use super::managing::show;
use super::syncing::{BACKENDS, request, synced};
use crate::support::{Banks, Family, Server, Sql, until};

/// Waits until a run is undone in all accounts.
#[track_caller]
pub(super) fn until_reverted(family: &Family, run: &str) {
    until("the undo", || {
        let all = statuses(family, run);
        all.iter().all(|status| status == "reverted").then_some(())
    });
}

/// How far the undo of a run is, for each account that it changed.
fn statuses(family: &Family, run: &str) -> Vec<Value> {
    let body = family.api.get(&format!("/api/v1/syncs/{run}")).expect_status(200).json();
    let changes = body["data"]["changes"].as_array().expect("a list");
    changes.iter().map(|one| one["revert_status"].clone()).collect()
}

#[test]
fn a_large_undo_goes_on_after_a_crash_and_no_sync_comes_between() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let mut server = Server::start_with(backend, with_pending(&banks));
        let (family, id) = linked(&server);
        let latest = || show(&family, &id)["sync"]["latest"].clone();
        let run = latest()["id"].as_str().expect("a run").to_owned();
        let body = family.api.get(&format!("/api/v1/syncs/{run}")).expect_status(200).json();
        let changes = body["data"]["changes"].as_array().expect("a list").iter();
        let mut accounts: Vec<String> = changes
            .filter(|one| one["counts"]["added"].as_u64() > Some(0))
            .map(|one| one["account_id"].as_str().expect("an id").to_owned())
            .collect();
        accounts.sort();
        let lines = || accounts.iter().map(|one| booked_lines(&family, one)).collect::<Vec<_>>();
        let after = lines();
        let path = format!("/api/v1/syncs/{run}/revert");
        let shown = || family.api.get(&path).expect_status(200).json();
        let all = shown();
        assert_eq!(all["status"], Value::Null);
        assert_eq!(all["removed_count"], after.iter().map(Vec::len).sum::<usize>());
        assert!(all["removed_count"].as_u64() > Some(20), "many parts: {all}");

        // The changes of the last account can't be read, so they can't be taken back.
        let sql = Sql::open(&server);
        let last = sql.uuid(accounts.last().expect("an account"));
        let of_last = format!("FROM sync_images WHERE account_id = {last}");
        assert!(!sql.query(&format!("SELECT number {of_last}")).is_empty());
        sql.run(&format!("UPDATE sync_images SET image = 'x' || image WHERE account_id = {last}"));
        let undo = || family.api.post(&path, &json!({})).expect_status(200).json();
        let begun = undo();
        assert_eq!(begun["status"], "reverting");
        assert_eq!(begun["removed_count"], all["removed_count"]);
        until("the entries to go", || (shown()["removed_count"] == 0).then_some(()));
        assert!(statuses(&family, &run).contains(&json!("reverting")));
        assert!(lines().iter().all(Vec::is_empty));
        let asked = request(&family, &id)["id"].clone();
        assert_ne!(asked, json!(run));
        let again = undo();
        assert_eq!(again["status"], "reverting");
        assert!(again["restored_count"].as_u64() > Some(0), "{again}");

        server.kill();
        server.start_again_with(with_pending(&banks));
        assert_eq!(shown()["status"], "reverting");
        assert_eq!((&latest()["id"], &latest()["status"]), (&asked, &json!("pending")));
        let sql = Sql::open(&server);
        let repaired = "UPDATE sync_images SET image = SUBSTR(image, 2)";
        sql.run(&format!("{repaired} WHERE account_id = {last}"));
        until("the undo", || {
            sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
            statuses(&family, &run).iter().all(|one| one == "reverted").then_some(())
        });
        // The sync that waited brings it back.
        synced(&family, &id);
        assert_eq!(latest()["id"], asked);
        assert_eq!(latest()["status"], "completed");
        assert_eq!(lines(), after);
        server.run_json(&["check"], "");
    }
}

#[test]
fn an_undo_that_is_given_up_shows_it_and_goes_on_when_it_is_requested_again() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let server = Server::start_with(backend, with_pending(&banks));
        let (family, id) = linked(&server);
        let run = show(&family, &id)["sync"]["latest"]["id"].as_str().expect("a run").to_owned();
        let path = format!("/api/v1/syncs/{run}/revert");
        let sql = Sql::open(&server);
        sql.run("UPDATE sync_images SET image = 'x' || image");
        let undo = || family.api.post(&path, &json!({})).expect_status(200).json();
        assert_eq!(undo()["status"], "reverting");
        until("the end of all tries", || {
            sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
            (family.api.get(&path).json()["status"] == "failed").then_some(())
        });
        sql.run("UPDATE sync_images SET image = SUBSTR(image, 2)");
        assert!(["reverting", "reverted"].map(Value::from).contains(&undo()["status"]));
        until_reverted(&family, &run);
        server.run_json(&["check"], "");
    }
}

#[test]
fn what_an_undo_that_was_given_up_removed_comes_with_the_next_sync_which_stands_then() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let server = Server::start_with(backend, with_pending(&banks));
        let (family, id) = linked(&server);
        let run = show(&family, &id)["sync"]["latest"]["id"].as_str().expect("a run").to_owned();
        let body = family.api.get(&format!("/api/v1/syncs/{run}")).expect_status(200).json();
        let changes = body["data"]["changes"].as_array().expect("a list").iter();
        let accounts: Vec<String> =
            changes.map(|one| one["account_id"].as_str().expect("an id").to_owned()).collect();
        let lines = || accounts.iter().map(|one| booked_lines(&family, one)).collect::<Vec<_>>();
        let all = lines();
        let path = format!("/api/v1/syncs/{run}/revert");
        let sql = Sql::open(&server);
        sql.run("UPDATE sync_images SET image = 'x' || image");
        family.api.post(&path, &json!({})).expect_status(200);
        // While it is under way its connection stays.
        let connection = format!("/api/v1/provider_connections/{id}");
        family.api.delete(&connection).expect_error(409, "sync_not_ended");
        until("the end of all tries", || {
            sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
            (family.api.get(&path).json()["status"] == "failed").then_some(())
        });
        assert_ne!(lines(), all);
        sql.run("UPDATE sync_images SET image = SUBSTR(image, 2)");
        let asked = request(&family, &id)["id"].clone();
        until("the sync", || {
            let latest = show(&family, &id)["sync"]["latest"].clone();
            (latest["id"] == asked && latest["status"] == "completed").then_some(())
        });
        assert_eq!(lines(), all);
        // Its older images would be taken back over what is newer.
        family.api.post(&path, &json!({})).expect_error(409, "sync_not_newest");
        let jobs = server.run_json(&["jobs", "list"], "");
        let jobs = jobs["jobs"].as_array().expect("a list");
        let job = jobs.iter().find(|job| job["kind"] == "sync.revert").expect("the job");
        let retried = server.run(&["jobs", "retry", job["id"].as_str().expect("an id")], "");
        assert!(!retried.status.success(), "{}", retried.stdout);
        assert_eq!(lines(), all);
        server.run_json(&["check"], "");
    }
}
