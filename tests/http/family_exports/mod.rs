//! Exports over HTTP: requested, written by a job, downloaded, removed, and hidden from keys that
//! see only some accounts; and the command that writes one.

mod archive;
pub(crate) mod fixed_point;

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::both;
use crate::command_line::{fails, file, works};
use crate::support::{Client, Scope, Sql, until};

pub(crate) const PATH: &str = "/api/v1/family_exports";

/// The export once it has ended.
#[track_caller]
pub(crate) fn ended(api: &Client, id: &str) -> Value {
    until("the export to end", || {
        let shown = api.get(&format!("{PATH}/{id}")).expect_status(200).json();
        let has_ended =
            shown["data"]["completed_at"] != Value::Null || shown["data"]["status"] == "failed";
        has_ended.then(|| shown["data"].clone())
    })
}

/// Requests an export and waits until it is written.
#[track_caller]
pub(crate) fn export(api: &Client) -> Value {
    let requested = api.request("POST", PATH, Some(("application/json", &b"{}"[..])));
    let requested = requested.expect_status(202).json();
    let export = ended(api, requested["data"]["id"].as_str().unwrap());
    assert_eq!(export["status"], "completed", "{export}");
    export
}

/// The lines but for the family's own, sorted, with the number of its record in the place of each
/// id: some lists are in the order of the ids of what they are about.
pub(crate) fn without_ids(text: &str) -> Vec<String> {
    let mut numbers: HashMap<String, String> = HashMap::new();
    for (number, (kind, data)) in records(text).into_iter().enumerate() {
        let parts = data["split_lines"].as_array().cloned().unwrap_or_default();
        let parts = parts.iter().enumerate();
        for (part, id) in parts.map(|(part, one)| (part + 1, &one["id"])).chain([(0, &data["id"])])
        {
            if let Some(id) = id.as_str() {
                numbers.insert(id.to_owned(), format!("{kind} {number}.{part}"));
            }
        }
    }
    let is_own = |line: &&str| !line.contains("\"type\":\"Family\"");
    let line = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        replace_ids(&mut record, &numbers);
        record.to_string()
    };
    let mut lines: Vec<String> = text.lines().filter(is_own).map(line).collect();
    lines.sort_unstable();
    lines
}

/// Tags are in the order of their ids, so their numbers are sorted.
fn replace_ids(value: &mut Value, numbers: &HashMap<String, String>) {
    match value {
        Value::String(text) => {
            if let Some(number) = numbers.get(text) {
                number.clone_into(text);
            } else if text.len() == 36 && text.matches('-').count() == 4 {
                "gone".clone_into(text);
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|one| replace_ids(one, numbers)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|one| replace_ids(one, numbers));
            if let Some(tags) = fields.get_mut("tag_ids").and_then(Value::as_array_mut) {
                tags.sort_by_key(Value::to_string);
            }
        }
        _ => {}
    }
}

/// The records of a text, with their types.
fn records(text: &str) -> Vec<(String, Value)> {
    let record = |line: &str| {
        let record: Value = serde_json::from_str(line).unwrap();
        (record["type"].as_str().unwrap().to_owned(), record["data"].clone())
    };
    text.lines().map(record).collect()
}

both! {
    fn an_export_is_written_and_downloaded(server) {
        let family = server.family();
        let account = family.account("Giro", "depository");
        family.import(&account, "Date,Amount,Name\n2024-01-02,-1.50,A\n2024-01-03,2.00,B\n");
        let api = &family.api;
        let export = export(api);
        let path = export["download_path"].as_str().unwrap();
        let file = api.get(path).expect_status(200);
        assert_eq!(file.header("content-type"), Some("application/x-ndjson"));
        assert_eq!(file.header("content-length"), Some(export["byte_size"].to_string().as_str()));
        let name = file.header("content-disposition").unwrap();
        assert!(name.starts_with("attachment; filename=\"purser-2"), "{name}");
        let records = records(&file.text());
        assert_eq!(export["records_count"], records.len());
        let of = |kind: &str| -> Vec<&Value> {
            records.iter().filter(|(of, _)| of == kind).map(|(_, data)| data).collect()
        };
        assert_eq!(records[0].0, "Family");
        assert_eq!(of("Account")[0]["id"], account.as_str());
        let amounts: Vec<&Value> = of("Transaction").iter().map(|one| &one["amount"]).collect();
        assert_eq!(amounts, ["1.50", "-2.00"], "money out is positive");
        let listed = api.get(PATH).expect_status(200).json();
        assert_eq!(listed["data"], json!([export]));
        assert_eq!(listed["meta"],
            json!({ "page": 1, "per_page": 25, "total_count": 1, "total_pages": 1 }));
        server.run_json(&["check"], "");
    }

    fn a_repeated_request_with_a_key_is_one_export(server) {
        let family = server.family();
        let api = family.api.with_header("Idempotency-Key", "once");
        let first = export(&api);
        let again = api.request("POST", PATH, Some(("application/json", &b"{}"[..])));
        assert_eq!(again.expect_status(202).json()["data"]["id"], first["id"]);
        assert_ne!(export(&family.api)["id"], first["id"]);
    }

    fn an_export_that_is_not_there_yet_is_no_file(server) {
        let family = server.family();
        let export = export(&family.api);
        let (id, sql) = (export["id"].as_str().unwrap(), Sql::open(&server));
        let set = |status: &str| sql.run(&format!(
            "UPDATE family_exports SET status = '{status}', file_id = NULL, completed_at = NULL"
        ));
        for status in ["processing", "failed"] {
            set(status);
            let error = family.api.get(&format!("{PATH}/{id}/download"))
                .expect_error(409, "export_not_ready");
            assert!(error["message"].as_str().unwrap().contains(status), "{error}");
        }
        // Whoever requests one while another waits gets that one.
        set("pending");
        let again = family.api.request("POST", PATH, None).expect_status(202).json();
        assert_eq!(again["data"]["id"], id);
        set("failed");
        sql.run("DELETE FROM family_exports");
    }

    fn an_export_goes_on_after_a_crash(server) {
        let family = server.family();
        let requested = family.api.request("POST", PATH, None).expect_status(202).json();
        server.kill();
        server.start_again();
        let api = server.client().with_key(&server.key(&family.email, Scope::Read));
        let export = ended(&api, requested["data"]["id"].as_str().unwrap());
        assert_eq!(export["status"], "completed", "{export}");
        api.get(export["download_path"].as_str().unwrap()).expect_status(200);
        server.run_json(&["check"], "");
    }

    fn only_the_newest_exports_stay(server) {
        let family = server.family();
        let mut paths = Vec::new();
        for _ in 0..7 {
            paths.push(export(&family.api)["download_path"].as_str().unwrap().to_owned());
        }
        let listed = family.api.get(PATH).expect_status(200).json();
        assert_eq!(listed["meta"]["total_count"], 5);
        family.api.get(&paths[1]).expect_error(404, "not_found");
        family.api.get(&paths[2]).expect_status(200);
        until("the files of the others to be removed", || {
            let files = Sql::open(&server).query("SELECT COUNT(*) FROM files");
            let jobs = Sql::open(&server).query("SELECT COUNT(*) FROM jobs");
            (files[0][0] == "5" && jobs[0][0] == "0").then_some(())
        });
        server.run_json(&["check"], "");
    }

    fn who_may_request_and_see_exports(server) {
        let (family, other) = (server.family(), server.family());
        let export = export(&family.api);
        let path = format!("{PATH}/{}", export["id"].as_str().unwrap());
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        reader.request("POST", PATH, None).expect_error(403, "insufficient_scope");
        reader.get(&path).expect_status(200);
        reader.get(&format!("{path}/download")).expect_status(200);
        let account = family.account("Checking", "depository");
        let made = server.run_json(
            &["key", "add", "--user", &family.email, "--name", "one account", "--scope",
                "read_write", "--account", &account],
            "",
        );
        let restricted = server.client().with_key(made["key"].as_str().unwrap());
        restricted.request("POST", PATH, None).expect_error(403, "restricted_key");
        for client in [&restricted, &other.api] {
            client.get(&path).expect_error(404, "not_found");
            client.get(&format!("{path}/download")).expect_error(404, "not_found");
            assert_eq!(client.get(PATH).expect_status(200).json()["data"], json!([]));
        }
    }

    fn the_command_writes_what_the_server_writes(server) {
        let family = server.family();
        let account = family.account("Giro", "depository");
        family.import(&account, "Date,Amount,Name\n2024-01-02,-1.50,A\n");
        let export = export(&family.api);
        let download = family.api.get(export["download_path"].as_str().unwrap());
        let expected = download.expect_status(200).text();
        let path = file(&server, "family.ndjson", "something else");
        fails(&server, &["export", &path], 1, &["is there already: --force replaces it"]);
        let shown = works(&server, &["export", &path, "--force"]);
        assert!(shown.starts_with(&format!("{} records in ", expected.lines().count())), "{shown}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        server.stop();
        assert_eq!(works(&server, &["export", "-"]), expected, "without a server, too");
    }
}
