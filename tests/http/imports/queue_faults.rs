//! What happens when the queue refuses a job, or the database one of a step's last rows: the step
//! fails as a whole, the database is what it was, and once the fault is gone the step succeeds.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::{IMPORTS, balance, both_whole, path, post, publish, text, transactions, upload};
use crate::support::{Backend, Client, Family, Scope, Server, Sql, State, sql, until};

const CSV: &str = "Date,Amount,Name,Category,Tags\n\
                   2024-01-02,-1.00,A,Food,x\n\
                   2024-01-03,-2.00,B,Fun,\"x,y\"\n";
const OTHER_CSV: &str = "Date,Amount,Name\n2024-01-03,+2.00,Move\n";
/// What belongs to the import and to its job; a refused publish may note something there.
const OF_THE_IMPORT: [&str; 3] = ["imports", "import_plan_blocks", "jobs"];
/// What an upload leaves behind although its publish is refused.
const OF_THE_UPLOAD: [&str; 6] =
    ["imports", "import_plan_blocks", "import_mappings", "import_offsets", "files", "audit_events"];

#[track_caller]
fn show(api: &Client, import: &Value) -> Value {
    api.get(&path(import, "")).expect_status(200).json()["data"].clone()
}

/// The steps that answer when they are done, in an order in which each is possible.
const STEPS: [&str; 5] = ["upload", "configuration", "row", "file", "deletion"];

/// Takes one of [`STEPS`] on an import that is pending.
#[track_caller]
fn take(api: &Client, import: &Value, account: &str, step: &str) -> crate::support::Answer {
    match step {
        "upload" => post(api, OTHER_CSV, &json!({ "account_id": account })),
        "configuration" => {
            api.patch(&path(import, ""), &json!({ "signage_convention": "inflows_negative" }))
        }
        "row" => api.patch(
            &path(import, "/rows/1"),
            &json!({ "choice": "leave_out", "cells": { "Amount": "7.00" } }),
        ),
        "file" => api.put(&path(import, "/file"), &json!({ "raw_file_content": OTHER_CSV })),
        _ => api.delete(&path(import, "")),
    }
}

/// Lets a job that waits for its next try run at once, until something has happened.
fn hurry(sql: &Sql, what: &str, happened: impl Fn() -> bool) {
    until(what, || {
        sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
        happened().then_some(())
    });
}

/// Revokes all keys as soon as an upload is stored that is to be published.
fn revoke_between_commits(server: &Server) {
    sql::run(
        server,
        match server.backend() {
            Backend::Sqlite => {
                "CREATE TRIGGER revokes AFTER INSERT ON jobs WHEN NEW.kind = 'import.take_up'
                 BEGIN UPDATE api_keys SET revoked_at = 1; END"
            }
            Backend::Postgres => {
                "CREATE FUNCTION revokes() RETURNS trigger LANGUAGE plpgsql
                    AS $$ BEGIN UPDATE api_keys SET revoked_at = 1; RETURN NULL; END $$;
                 CREATE TRIGGER revokes AFTER INSERT ON jobs FOR EACH ROW
                    WHEN (NEW.kind = 'import.take_up') EXECUTE FUNCTION revokes()"
            }
        },
    );
}

/// A family with a ledger, and the account that it is in.
fn household(server: &Server) -> (Family, String) {
    let family = server.family();
    let account = family.account("Main", "depository");
    family.import(&account, "Date,Amount,Name\n2024-01-01,-5.00,Before\n");
    no_jobs(&Sql::open(server));
    (family, account)
}

/// Waits until nothing is queued any more.
#[track_caller]
fn no_jobs(sql: &Sql) {
    until("the jobs to end", || sql.query("SELECT id FROM jobs").is_empty().then_some(()));
}

// An upload and its publish are two commits: who looks in between, or after a death in between,
// finds a job that is for later.
both_whole! {
    fn a_publish_that_is_still_to_be_queued_is_no_damage(server) {
        let (family, account) = household(&server);
        let import = upload(&family.api, CSV, &json!({ "account_id": account }));
        let (sql, id) = (Sql::open(&server), import["id"].as_str().unwrap());
        let key = sql.uuid(id);
        sql.run(&format!(
            "UPDATE imports SET publish_wanted = TRUE WHERE id = {key};
             INSERT INTO jobs (id, family_id, kind, payload, dedupe_key, state, run_at, attempts,
                    attempts_max, lease_token, created_at)
                SELECT id, family_id, 'import.take_up', '{{\"import_id\":\"{id}\"}}', 'take up',
                    'queued', created_at + 200000000, 0, 6, 0, created_at
                FROM imports WHERE id = {key}"
        ));
        let checked = server.run(&["check"], "");
        assert!(checked.status.success(), "{checked:?}");
        sql.run(&format!("UPDATE imports SET publish_wanted = FALSE WHERE id = {key}"));
        let checked = server.run(&["check"], "");
        assert!(checked.stdout.contains("which doesn't wait for one"), "{checked:?}");
        sql.run("UPDATE jobs SET run_at = 0");
        no_jobs(&sql);
    }

    fn a_refused_publish_leaves_the_import_pending(server) {
        let (family, account) = household(&server);
        let fields = json!({ "account_id": account });
        let import = upload(&family.api, CSV, &fields);
        let sql = Sql::open(&server);
        let before = State::read(&sql);
        sql::refuse_where(&server, "jobs", "NEW.kind = 'import.publish'");
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        let refused = refused.expect_error(500, "publish_failed");
        assert_eq!(refused["import_id"], import["id"]);
        let after = State::read(&sql);
        // That it was tried is noted, and nothing else.
        after.without(&["imports"]).assert_is(&before.without(&["imports"]), "publish");
        let mut shown = show(&family.api, &import);
        shown["updated_at"] = import["updated_at"].clone();
        assert_eq!(shown, import);

        let both = json!({ "account_id": account, "publish": "true", "name_col_label": "Name" });
        let refused = post(&family.api, CSV, &both).expect_error(500, "publish_failed");
        let uploaded = json!({ "id": refused["import_id"] });
        assert_eq!(show(&family.api, &uploaded)["status"], "pending");
        let later = State::read(&sql);
        later.without(&OF_THE_UPLOAD).assert_is(&after.without(&OF_THE_UPLOAD), "upload");

        sql::allow(&server, "jobs");
        publish_again(&family.api, &import);
        assert_eq!(balance(&family, &account), "-8.00");
        let again = publish_again(&family.api, &uploaded);
        assert_eq!(again["plan"]["create_count"], 0, "{again}");
        assert_eq!(balance(&family, &account), "-8.00", "its rows are those of the first");
    }

    fn an_upload_of_a_key_that_ends_in_between_is_not_published_afterwards(server) {
        let (family, account) = household(&server);
        revoke_between_commits(&server);
        let fields = json!({ "account_id": account, "publish": "true" });
        post(&family.api, CSV, &fields).expect_error(401, "unauthorized");
        let sql = Sql::open(&server);
        let kept = "SELECT id FROM imports WHERE status = 'pending' AND NOT publish_wanted";
        assert_eq!(sql.query(kept).len(), 1);
        assert!(sql.query("SELECT id FROM jobs WHERE kind = 'import.take_up'").is_empty());
        let no_more = match server.backend() {
            Backend::Sqlite => "DROP TRIGGER revokes",
            Backend::Postgres => "DROP TRIGGER revokes ON jobs",
        };
        sql::run(&server, no_more);
        let again = server.client().with_key(&server.key(&family.email, Scope::ReadWrite));
        let again = post(&again, CSV, &fields).expect_status(201).json()["data"].clone();
        let of_first = format!("{kept} AND id <> {}", sql.uuid(text(&again["id"])));
        assert!(sql.query(&of_first).is_empty(), "it is the same import: {again}");
        // The trigger left what a revocation removes.
        sql.run("UPDATE api_keys SET revoked_at = NULL");
    }

    fn a_refused_undo_leaves_the_import_complete(server) {
        let (family, account) = household(&server);
        let import = publish(&family.api, CSV, &json!({ "account_id": account }));
        let sql = Sql::open(&server);
        no_jobs(&sql);
        let before = State::read(&sql);
        sql::refuse(&server, "jobs");
        let refused = family.api.post(&path(&import, "/revert"), &json!({}));
        let refused = refused.expect_error(500, "revert_not_queued");
        assert_eq!(refused["import_id"], import["id"]);
        assert!(!refused.to_string().contains("planted"), "no internals: {refused}");
        State::read(&sql).assert_is(&before, "undo");
        assert_eq!(show(&family.api, &import), import);
        sql::allow(&server, "jobs");
        undo(&family.api, &import);
        assert_eq!(transactions(&family).len(), 1);
    }

    fn a_refused_matching_changes_nothing(server) {
        let (family, account) = household(&server);
        let savings = family.account("Savings", "depository");
        sql::run(&server, "UPDATE families SET transfer_matching = 'off'");
        publish(&family.api, OTHER_CSV, &json!({ "account_id": savings }));
        family.import(&account, "Date,Amount,Name\n2024-01-03,-2.00,Move to savings\n");
        sql::run(&server, "UPDATE families SET transfer_matching = 'automatic'");
        let sql = Sql::open(&server);
        let before = State::read(&sql);
        sql::refuse(&server, "jobs");
        let refused = family.api.post("/api/v1/transfers/match", &json!({}));
        let refused = refused.expect_error(500, "internal_server_error");
        assert!(!refused.to_string().contains("planted"), "no internals: {refused}");
        State::read(&sql).assert_is(&before, "matching");
        sql::allow(&server, "jobs");

        // The job itself: what it finds can't be written for a while.
        sql::refuse(&server, "transfers");
        family.api.post("/api/v1/transfers/match", &json!({})).expect_status(202);
        server.wait_for_log("planted fault");
        let jobs = ["jobs"];
        State::read(&sql).without(&jobs).assert_is(&before.without(&jobs), "the job");
        sql::allow(&server, "transfers");
        hurry(&sql, "the matching", || sql.query("SELECT id FROM jobs").is_empty());
        assert_eq!(sql.query("SELECT status FROM transfers").len(), 1);
    }

    /// The completion of a publish queues the matching: both or none.
    fn a_publish_with_refused_matching_is_tried_again_whole(server) {
        let (family, account) = household(&server);
        let savings = family.account("Savings", "depository");
        publish(&family.api, OTHER_CSV, &json!({ "account_id": savings }));
        let sql = Sql::open(&server);
        no_jobs(&sql);
        let csv = "Date,Amount,Name,Category\n2024-01-03,-2.00,Move to savings,New\n";
        let import = upload(&family.api, csv, &json!({ "account_id": account }));
        let before = State::read(&sql).without(&OF_THE_IMPORT);
        sql::refuse_where(&server, "jobs", "NEW.kind = 'transfers.match'");
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        hurry(&sql, "two tries that fail", || {
            let failed = "SELECT id FROM jobs WHERE last_error IS NOT NULL AND attempts >= 2";
            !sql.query(failed).is_empty()
        });
        State::read(&sql).without(&OF_THE_IMPORT).assert_is(&before, "a part of a publish");
        assert_eq!(show(&family.api, &import)["status"], "importing", "it isn't given up");
        sql::allow(&server, "jobs");
        hurry(&sql, "the publish and its matching", || {
            sql.query("SELECT id FROM jobs").is_empty()
        });
        assert_eq!(show(&family.api, &import)["status"], "complete");
        assert_eq!(transactions(&family).len(), 3);
        assert_eq!(sql.query("SELECT status FROM transfers").len(), 1, "its job wasn't lost");
    }

    /// None of them needs a job, and a plan that is not of now is made anew without one.
    fn what_queues_nothing_goes_on(server) {
        let (family, account) = household(&server);
        let import = upload(&family.api, CSV, &json!({ "account_id": account }));
        sql::refuse(&server, "jobs");
        let valuation = json!({ "valuation": {
            "account_id": account, "amount": "1.00", "date": "2024-01-05",
        } });
        family.api.post("/api/v1/valuations", &valuation).expect_status(201);
        until("a plan of now", || {
            (show(&family.api, &import)["plan"]["current"] == true).then_some(())
        });
        // A deletion queues the removal of the file.
        for step in STEPS.into_iter().filter(|step| *step != "deletion") {
            let answer = take(&family.api, &import, &account, step);
            assert!(answer.status < 300, "{step}: {}", answer.text());
        }
        take(&family.api, &import, &account, "deletion").expect_error(500, "internal_server_error");
        family.api.get(&path(&import, "")).expect_status(200);
        sql::allow(&server, "jobs");
        let deleted = take(&family.api, &import, &account, "deletion");
        assert!(deleted.status < 300, "{}", deleted.text());
        family.api.get(&path(&import, "")).expect_error(404, "not_found");
    }

    fn a_step_with_a_refused_last_row_leaves_nothing(server) {
        let (family, account) = household(&server);
        let import = upload(&family.api, CSV, &json!({ "account_id": account }));
        let sql = Sql::open(&server);
        for step in STEPS {
            let before = State::read(&sql);
            sql::refuse(&server, "audit_events");
            let refused = take(&family.api, &import, &account, step);
            refused.expect_error(500, "internal_server_error");
            State::read(&sql).assert_is(&before, step);
            sql::allow(&server, "audit_events");
            let answer = take(&family.api, &import, &account, step);
            assert!(answer.status < 300, "{step}: {}", answer.text());
            let changed = State::read(&sql);
            assert_ne!(changed, before, "{step} does something");
        }
    }

    fn jobs_with_a_refused_last_row_leave_nothing(server) {
        let (family, account) = household(&server);
        let import = upload(&family.api, CSV, &json!({ "account_id": account }));
        let sql = Sql::open(&server);
        let lines = [transactions(&family).len(), 3, 1];
        for (round, (step, action)) in
            [("/publish", "import.publish"), ("/revert", "import.revert")].into_iter().enumerate()
        {
            let beside = ["imports", "import_plan_blocks", "jobs", "audit_events"];
            let before = State::read(&sql).without(&beside);
            sql::refuse_where(&server, "audit_events", &format!("NEW.action = '{action}'"));
            family.api.post(&path(&import, step), &json!({})).expect_status(202);
            until("a try that fails", || {
                let failed = "SELECT id FROM jobs WHERE last_error IS NOT NULL";
                (!sql.query(failed).is_empty()).then_some(())
            });
            State::read(&sql).without(&beside).assert_is(&before, step);
            assert_eq!(transactions(&family).len(), lines[round]);
            sql::allow(&server, "audit_events");
            hurry(&sql, "the job to end", || sql.query("SELECT id FROM jobs").is_empty());
            assert_eq!(transactions(&family).len(), lines[round + 1]);
        }
        assert_eq!(show(&family.api, &import)["status"], "pending");
        assert_eq!(text(&family.api.get(IMPORTS).json()["data"][0]["status"]), "pending");
    }
}
