//! Work in the background that fails: through no fault of its own it waits and goes on by itself;
//! what was given up is tried again when the operator asks.

use std::time::Duration;

use serde_json::{Value, json};

use crate::imports::{balance, both_whole, path, post, text, upload};
use crate::support::{Backend, Client, Options, Server, Sql, sql, until, until_within};

/// What a job has when it fails of itself.
const TRIES: usize = 6;
/// How long a job waits once there is room again: for its lease at most, and its work.
const GOES_ON: Duration = Duration::from_secs(20);
/// Room for the job's claims, but not for its work, in pages of the log.
const FRAMES: u64 = 200;
const LONG_NAME_CHARS: usize = 220;
const CSV: &str = "Date,Amount,Name\n2024-01-02,-1.00,A\n";

fn jobs(server: &Server) -> Vec<Value> {
    let listed = server.run_json(&["jobs", "list"], "");
    listed["jobs"].as_array().expect("jobs").clone()
}

fn status(api: &Client, import: &Value) -> Value {
    api.get(&path(import, "")).expect_status(200).json()["data"]["status"].clone()
}

/// Lets jobs run at once until something has happened. Where there is nothing to change, nothing is
/// written, so that it takes no room on a full disk.
#[track_caller]
fn hurry(sql: &Sql, what: &str, happened: impl Fn() -> bool) {
    until(what, || {
        sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued' AND run_at > 0");
        happened().then_some(())
    });
}

#[test]
fn a_job_waits_for_room_however_long_that_takes() {
    let options = Options::new().outlive_limits().env("PURSER_RATE_LIMIT", "0");
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let account = family.account("Main", "depository");
    let sql = Sql::open(&server);
    let row = |row| format!("2024-01-{:02},-0.01,{row:0>LONG_NAME_CHARS$}\n", 1 + row % 28);
    let csv = format!("Date,Amount,Name\n{}", (0..5_000).map(row).collect::<String>());
    let import = upload(&family.api, &csv, &json!({ "account_id": account }));
    server.leave_room(FRAMES);
    family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
    hurry(&sql, "more tries than a job has", || server.log().matches("job waits").count() > TRIES);
    let waiting = &jobs(&server)[0];
    assert_eq!(waiting["failed_tries"], 0, "{waiting}");
    assert!(text(&waiting["reason"]).contains("disk"), "{waiting}");
    assert_eq!(status(&family.api, &import), "importing");
    server.limit_files(None);
    until_within(GOES_ON, "the publish to go on", || {
        (status(&family.api, &import) == "complete").then_some(())
    });
    assert_eq!(balance(&family, &account), "-50.00");
}

both_whole! {
    fn an_upload_is_published_though_the_process_died_before_it_could_queue_that(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let sql = Sql::open(&server);
        let import = upload(&family.api, CSV, &json!({ "account_id": account }));
        // What the first commit of an upload with `publish` leaves for the second.
        let id = text(&import["id"]);
        sql.run(&format!(
            "UPDATE imports SET publish_wanted = TRUE;
             INSERT INTO jobs (id, family_id, kind, payload, dedupe_key, state, run_at, attempts,
                attempts_max, lease_token, created_at)
             SELECT id, family_id, 'import.take_up', '{{\"import_id\":\"{id}\"}}',
                'import.take_up:{id}', 'queued', 0, 0, 6, 0, 0 FROM imports"
        ));
        hurry(&sql, "the publish", || status(&family.api, &import) == "complete");
        assert_eq!(balance(&family, &account), "-1.00");
        until("no jobs", || jobs(&server).is_empty().then_some(()));
    }

    fn what_was_given_up_is_tried_again_when_somebody_asks(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let sql = Sql::open(&server);
        sql::refuse(&server, "entries");
        let publish = json!({ "account_id": account, "publish": "true" });
        let import = json!({ "id": post(&family.api, CSV, &publish).expect_status(201).id() });
        hurry(&sql, "the last try", || status(&family.api, &import) == "failed");
        let given_up = jobs(&server)[0].clone();
        assert_eq!(given_up["state"], "failed");
        assert_eq!(given_up["kind"], "import.publish");
        assert!(text(&given_up["reason"]).contains("planted fault"), "{given_up}");
        sql::allow(&server, "entries");
        let retry = ["jobs", "retry", text(&given_up["id"])];
        assert_eq!(server.run_json(&retry, "")["queued"], true);
        until("the publish", || (status(&family.api, &import) == "complete").then_some(()));
        assert_eq!(balance(&family, &account), "-1.00");
        until("no jobs", || jobs(&server).is_empty().then_some(()));
        let missing = server.run(&retry, "");
        assert!(!missing.status.success());
        assert_eq!(missing.stderr, "purser: Job not found\n");
    }

    fn the_page_of_an_import_shows_what_it_waits_for(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let visitor = server.signed_in(&family);
        let sql = Sql::open(&server);
        sql::refuse(&server, "entries");
        let publish = json!({ "account_id": account, "publish": "true" });
        let id = post(&family.api, CSV, &publish).expect_status(201).id();
        let shows = |reason: &str| {
            until(reason, || {
                let page = visitor.get(&format!("/imports/{id}")).expect_status(200).text();
                let text = format!("It waits for its next try: {reason}");
                page.contains(&text).then_some(())
            });
        };
        shows("An error on the server stopped it.");
        let full = "There is no space left for the database.";
        until("a job that waits", || {
            sql.run(&format!(
                "UPDATE jobs SET last_error = '{full}', run_at = run_at + 100000000
                    WHERE state = 'queued' AND last_error <> '{full}'"
            ));
            (jobs(&server)[0]["reason"] == full).then_some(())
        });
        shows(full);
        sql::allow(&server, "entries");
        sql.run("UPDATE jobs SET run_at = 0");
        assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
    }

    fn a_job_that_ends_the_process_again_and_again_is_given_up(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let sql = Sql::open(&server);
        sql::refuse(&server, "entries");
        let publish = json!({ "account_id": account, "publish": "true" });
        let import = json!({ "id": post(&family.api, CSV, &publish).expect_status(201).id() });
        until("a failed try", || (jobs(&server)[0]["failed_tries"] != 0).then_some(()));
        server.kill();
        sql::allow(&server, "entries");
        // As if the tenth process had just died of it.
        sql.run(
            "UPDATE jobs SET state = 'running', deaths = 9, attempts = 1, run_at = 0,
                lease_owner = 'dead', lease_until = 1",
        );
        server.start_again();
        // On SQLite it would wait for a minute after so many deaths.
        hurry(&sql, "the end of it", || status(&family.api, &import) == "failed");
        let given_up = jobs(&server)[0].clone();
        assert_eq!(given_up["state"], "failed");
        let reason = "the process ended 10 times in a row while the job ran";
        assert_eq!(given_up["reason"], reason);
        let shown = family.api.get(&path(&import, "")).expect_status(200).text();
        assert!(shown.contains("the server ended again and again"), "{shown}");
        let retry = ["jobs", "retry", text(&given_up["id"])];
        assert_eq!(server.run_json(&retry, "")["queued"], true);
        until("the publish", || (status(&family.api, &import) == "complete").then_some(()));
        assert_eq!(balance(&family, &account), "-1.00");
    }

    fn a_job_that_nobody_waits_for_is_removed_instead(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let sql = Sql::open(&server);
        sql::refuse(&server, "entries");
        let publish = json!({ "account_id": account, "publish": "true" });
        let import = json!({ "id": post(&family.api, CSV, &publish).expect_status(201).id() });
        hurry(&sql, "the last try", || status(&family.api, &import) == "failed");
        sql::allow(&server, "entries");
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        family.api.wait_for_import(text(&import["id"]));
        let given_up = until("only the job that was given up", || match jobs(&server).as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        });
        let retried = server.run_json(&["jobs", "retry", text(&given_up["id"])], "");
        assert_eq!(retried["queued"], false);
        assert_eq!(jobs(&server), Vec::<Value>::new());
        assert_eq!(balance(&family, &account), "-1.00");
    }
}
