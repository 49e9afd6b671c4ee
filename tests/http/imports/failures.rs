//! What happens when the database refuses: to queue a publish, or to carry it out.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::{
    IMPORTS, balance, both_whole, count, merged, path, post, sql, text, transactions, upload,
};
use crate::support::{Client, Multipart, Server, until};

const CSV: &str = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-01-03,-2.00,B\n";
/// Tries of a job, as the program has it.
const TRIES: u32 = 6;

/// A publish that can't be queued; the id of the import that stays.
#[track_caller]
fn not_queued(api: &Client, csv: &str, fields: &Value) -> String {
    let refused = post(api, csv, fields).expect_error(500, "publish_failed");
    assert!(!refused.to_string().contains("planted"), "no internals: {refused}");
    text(&refused["import_id"]).to_owned()
}

#[track_caller]
fn show(api: &Client, id: &str) -> Value {
    api.get(&format!("{IMPORTS}/{id}")).expect_status(200).json()["data"].clone()
}

/// Makes each try to queue a publish fail.
#[track_caller]
fn refuse_publishes(server: &Server) {
    sql::refuse_where(server, "jobs", "NEW.kind = 'import.publish'");
}

/// Lets the queued job run at once instead of after its pause, until it is gone or given up.
fn hurry(server: &Server, what: &str, ended: impl Fn() -> bool) {
    until(what, || {
        sql::run(server, "UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
        ended().then_some(())
    });
}

both_whole! {
    fn an_upload_that_cannot_be_queued_stays_pending(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account, "publish": "true" });
        refuse_publishes(&server);
        let id = not_queued(&family.api, CSV, &fields);
        let import = show(&family.api, &id);
        assert_eq!(import["status"], "pending");
        assert_eq!(import["status_detail"]["publishable"], true);
        assert!(import.get("error").is_none(), "nothing of it is the file's fault: {import}");
        let wished = "SELECT COUNT(*) FROM imports WHERE publish_wanted";
        assert_eq!(sql::value(&server, wished), "0", "nobody waits for it any more");
        family
            .api
            .post(&format!("{IMPORTS}/{id}/publish"), &json!({}))
            .expect_error(500, "publish_failed");
        sql::allow(&server, "jobs");

        server.stop();
        server.start_again();
        assert_eq!(show(&family.api, &id)["status"], "pending", "not even after a restart");
        family.api.post(&format!("{IMPORTS}/{id}/publish"), &json!({})).expect_status(202);
        assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
        assert_eq!(balance(&family, &account), "-3.00");
    }

    /// Known programs repeat a POST after a 500, up to three times.
    fn a_repeated_upload_takes_the_first_up_again(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account, "publish": "true" });
        refuse_publishes(&server);
        let id = not_queued(&family.api, CSV, &fields);
        assert_eq!(not_queued(&family.api, CSV, &fields), id);
        // What differs is another import.
        let more = format!("{CSV}2024-01-04,-4.00,C\n");
        let other = not_queued(&family.api, &more, &fields);
        let named =
            not_queued(&family.api, CSV, &merged(&fields, &json!({ "name_col_label": "Name" })));
        assert_eq!(count(&family.api), 3);
        sql::allow(&server, "jobs");
        let stored = upload(&family.api, CSV, &json!({ "account_id": account }));
        assert_ne!(stored["id"], *id, "without the wish to publish nothing is taken up");

        let answer = post(&family.api, CSV, &fields).expect_status(201);
        assert_eq!(answer.id(), id);
        assert_eq!(answer.json()["data"]["status"], "importing");
        assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
        assert_eq!(transactions(&family).len(), 2);
        // It is done: one more upload is one more import.
        let again = post(&family.api, CSV, &fields).expect_status(201).id();
        assert!(![&id, &other, &named].contains(&&again));
        family.api.wait_for_import(&again);
        assert_eq!(transactions(&family).len(), 2, "its rows are those of the first");
        assert_eq!(count(&family.api), 5);
        for id in [&other, &named] {
            assert_eq!(show(&family.api, id)["status"], "pending");
        }
    }

    fn after_ten_minutes_it_is_another_upload(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account, "publish": "true" });
        refuse_publishes(&server);
        let id = not_queued(&family.api, CSV, &fields);
        sql::allow(&server, "jobs");
        sql::run(&server, "UPDATE imports SET publish_failed_at = publish_failed_at - 601000000");
        // What the process remembers of it ends with the process.
        server.stop();
        server.start_again();
        let other = post(&family.api, CSV, &fields).expect_status(201).id();
        assert_ne!(other, id);
        family.api.wait_for_import(&other);
        assert_eq!(show(&family.api, &id)["status"], "pending");
    }

    fn another_family_takes_up_nothing(server) {
        let [ours, theirs] = [server.family(), server.family()];
        let fields = |account: &str| json!({ "account_id": account, "publish": "true" });
        let account = ours.account("Main", "depository");
        let csv = "Date,Amount,Name,Account\n2024-01-02,-1.00,A,Cash\n";
        refuse_publishes(&server);
        let id = not_queued(&ours.api, csv, &json!({ "publish": "true" }));
        not_queued(&ours.api, CSV, &fields(&account));
        sql::allow(&server, "jobs");
        let made = post(&theirs.api, csv, &json!({ "publish": "true" })).expect_status(201).id();
        assert_ne!(made, id);
        theirs.api.wait_for_import(&made);
    }

    fn the_same_idempotency_key_goes_on_at_once(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let keyed = family.api.with_header("Idempotency-Key", "once");
        let fields = json!({ "account_id": account, "publish": "true" });
        refuse_publishes(&server);
        let id = not_queued(&keyed, CSV, &fields);
        assert_eq!(not_queued(&keyed, CSV, &fields), id);
        sql::allow(&server, "jobs");
        let answer = post(&keyed, CSV, &fields).expect_status(201);
        assert_eq!(
            (answer.id(), &answer.json()["data"]["status"]),
            (id.clone(), &json!("importing"))
        );
        family.api.wait_for_import(&id);
        let replayed = post(&keyed, CSV, &fields).expect_status(201);
        assert_eq!(replayed.json(), answer.json());
        assert_eq!((count(&family.api), transactions(&family).len()), (1, 2));
    }

    fn a_publish_that_always_fails_ends_failed_and_can_be_tried_again(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "Date,Amount,Name,Category,Tags\n2024-01-02,-1.00,A,Food,t\n";
        sql::refuse(&server, "entries");
        let id = post(&family.api, csv, &json!({ "account_id": account, "publish": "true" }))
            .expect_status(201)
            .id();
        hurry(&server, "the last try", || show(&family.api, &id)["status"] == "failed");
        let import = show(&family.api, &id);
        assert_eq!(
            import["status_detail"],
            json!({
                "uploaded": true, "configured": true, "terminal": true, "cleaned": true,
                "publishable": true, "revertable": false,
            })
        );
        let sentence = text(&import["error"]);
        assert!(sentence.ends_with('.') && sentence.contains("Nothing was changed"), "{sentence}");
        for internal in ["planted", "SQL", "sqlite", "postgres", "entries", "Error"] {
            assert!(!sentence.contains(internal), "{sentence}");
        }
        let listed = family.api.get(&format!("{IMPORTS}?status=failed")).json()["data"][0].clone();
        assert_eq!((&listed["id"], &listed["error"]), (&json!(id), &import["error"]));
        assert_eq!(
            sql::query(&server, "SELECT state, attempts FROM jobs"),
            [["failed".to_owned(), TRIES.to_string()]]
        );
        assert!(transactions(&family).is_empty());
        assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM categories"), "0", "all or nothing");
        assert!(server.log().contains("planted fault"), "the cause is in the log");

        sql::allow(&server, "entries");
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        let done = family.api.wait_for_import(&id);
        assert_eq!(done["status"], "complete");
        assert!(done.get("error").is_none(), "{done}");
        assert_eq!(transactions(&family), ["2024-01-02 -1.00 USD A #Food [t] @Main"]);
    }

    fn a_fault_that_goes_away_is_not_seen(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        sql::refuse(&server, "entries");
        let id = post(&family.api, CSV, &json!({ "account_id": account, "publish": "true" }))
            .expect_status(201)
            .id();
        server.wait_for_log("job failed");
        assert_eq!(show(&family.api, &id)["status"], "importing");
        sql::allow(&server, "entries");
        let done = family.api.wait_for_import(&id);
        assert_eq!((&done["status"], done.get("error")), (&json!("complete"), None));
        assert_eq!(transactions(&family).len(), 2);
    }

    fn a_file_that_is_gone_fails_with_a_sentence(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let import = upload(&family.api, CSV, &json!({ "account_id": account }));
        let files = server.data_folder().join("files");
        let aside = server.data_folder().join("aside");
        std::fs::rename(&files, &aside).expect("the folder");
        let rows = family.api.get(&path(&import, "/rows")).expect_error(503, "unavailable");
        let sentence = text(&rows["message"]);
        assert!(sentence.starts_with("The uploaded file "), "{sentence}");
        assert!(sentence.ends_with(" is missing on the server"), "{sentence}");
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        let failed = family.api.wait_for_import(text(&import["id"]));
        assert_eq!(failed["status"], "failed");
        assert!(text(&failed["error"]).contains("is missing on the server"), "{failed}");
        std::fs::rename(&aside, &files).expect("the folder");
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        assert_eq!(family.api.wait_for_import(text(&import["id"]))["status"], "complete");
    }

    /// As it came, and its text in UTF-8.
    fn a_file_that_was_changed_on_the_disk_is_not_published(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv: Vec<u8> = CSV.replace("00,A", "00,\u{e9}").chars().map(|one| one as u8).collect();
        let form = Multipart::new()
            .text("account_id", &account)
            .file("file", "bank.csv", "text/csv", &csv);
        let import = family.api.post_form(IMPORTS, &form).expect_status(201).json()["data"].clone();
        let stored = stored_files(&server.data_folder().join("files"));
        assert_eq!(stored.len(), 2, "{stored:?}");
        for file in stored {
            let content = std::fs::read(&file).expect("a file");
            let mut changed = content.clone();
            *changed.last_mut().expect("a byte") = b' ';
            std::fs::write(&file, changed).expect("a file");
            family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
            let failed = family.api.wait_for_import(text(&import["id"]));
            assert_eq!(failed["status"], "failed");
            let sentence = text(&failed["error"]);
            assert!(sentence.contains("was changed on the server"), "{sentence}");
            assert!(transactions(&family).is_empty());
            std::fs::write(&file, content).expect("a file");
        }
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        assert_eq!(family.api.wait_for_import(text(&import["id"]))["status"], "complete");
    }
}

/// The files in a folder and in those below it.
fn stored_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let entries = entries.map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { stored_files(&path) } else { vec![path] }).collect()
}
