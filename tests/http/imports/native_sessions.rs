//! Import sessions: a file in the server's own format that is sent in chunks.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::in_parts::{in_the_middle, show as show_import};
use super::native::{CLEAN, native, readback, state};
use super::native_in_parts::all_that_it_has;
use super::undo::{publish_again, undo};
use super::{all, assert_whole, both_whole, count, errors, path, publish, text};
use crate::support::{Answer, Client, Multipart, Scope, Sql, State, until};

const SESSIONS: &str = "/api/v1/import_sessions";

/// A session with the first of two chunks; its id.
#[track_caller]
pub(crate) fn begun(api: &Client, name: &str) -> String {
    let body = json!({ "client_session_id": name, "expected_chunks": 2 });
    let session = api.post(SESSIONS, &body).expect_status(201).json()["data"].clone();
    send(api, &session, 1, TAG).expect_status(201);
    text(&session["id"]).to_owned()
}

/// What an operation on sessions may be sent.
pub(crate) fn body(operation: &str) -> Value {
    match operation.ends_with("/chunks") {
        true => json!({ "sequence": 2, "raw_file_content": TAG.replace("Trip", "taken") }),
        false => json!({ "expected_chunks": 1 }),
    }
}

fn session_path(session: &Value, below: &str) -> String {
    format!("{SESSIONS}/{}{below}", text(&session["id"]))
}

#[track_caller]
fn create(api: &Client, expected: usize) -> Value {
    let body = json!({ "type": "SureImport", "expected_chunks": expected });
    api.post(SESSIONS, &body).expect_status(201).json()["data"].clone()
}

#[track_caller]
fn shown(api: &Client, session: &Value) -> Value {
    api.get(&session_path(session, "")).expect_status(200).json()["data"].clone()
}

fn send(api: &Client, session: &Value, sequence: usize, content: &str) -> Answer {
    let body = json!({ "sequence": sequence, "raw_file_content": content });
    api.post(&session_path(session, "/chunks"), &body)
}

fn publish_session(api: &Client, session: &Value) -> Answer {
    api.request("POST", &session_path(session, "/publish"), None)
}

/// Publishes a session that can be published; its import at the end.
#[track_caller]
fn published(api: &Client, session: &Value) -> Value {
    let queued = publish_session(api, session).expect_status(202).json()["data"].clone();
    let import = api.wait_for_import(text(&queued["import_id"]));
    assert_eq!(import["status"], "complete", "{import}");
    import
}

/// Lines in so many chunks, each line in the next one: nearly every reference leads to another
/// chunk.
fn dealt(lines: &str, chunks: usize) -> Vec<String> {
    let chunk = |first: usize| {
        lines.lines().skip(first).step_by(chunks).map(|line| format!("{line}\n")).collect()
    };
    (0..chunks).map(chunk).collect()
}

fn sha256(content: &str) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn files(sql: &Sql) -> String {
    sql.query("SELECT COUNT(*) FROM files")[0][0].clone()
}

/// What an undo must leave as it was.
fn without_sessions(sql: &Sql) -> State {
    state(sql).without(&["import_sessions", "import_session_chunks", "family_exports"])
}

const TAG: &str = "{\"type\":\"Tag\",\"data\":{\"id\":\"t\",\"name\":\"Trip\"}}\n";

both_whole! {
    fn what_needs_a_choice_is_named(server) {
        let family = server.family_in("EUR");
        for _ in 0..2 {
            family.account_with(
                json!({ "name": "Cash", "account_type": "depository", "currency": "EUR" }),
            );
        }
        let session = create(&family.api, 1);
        let cash = json!({ "type": "Account", "data": { "id": "a", "name": "Cash",
            "accountable_type": "Depository", "currency": "EUR", "balance": "0" } });
        send(&family.api, &session, 1, &format!("{cash}\n")).expect_status(201);
        let refused = publish_session(&family.api, &session).expect_status(422).json();
        let refused = refused.to_string();
        assert!(refused.contains("more accounts of this name"), "{refused}");
        assert!(refused.contains("other names"), "{refused}");
    }

    fn chunks_in_any_order_are_one_import(server) {
        let whole = server.family_in("EUR");
        publish(&whole.api, &dealt(CLEAN, 3).concat(), &native());
        let family = server.family_in("EUR");
        let (api, sql) = (&family.api, Sql::open(&server));
        let before = without_sessions(&sql);
        let session = create(api, 3);
        assert_eq!(session["type"], "NativeImport");
        assert_eq!((&session["status"], &session["chunks"]), (&json!("pending"), &json!([])));
        let chunks = dealt(CLEAN, 3);
        for at in [2, 0, 1] {
            let sent = send(api, &session, at + 1, &chunks[at]).expect_status(201).json();
            let found = sent["data"]["chunks"].as_array().unwrap();
            let found = found.iter().find(|chunk| chunk["sequence"] == at + 1).unwrap();
            assert_eq!(found["checksum"], sha256(&chunks[at]));
            assert_eq!(found["byte_size"], chunks[at].len());
            assert_eq!(found["rows_count"], chunks[at].lines().count());
            assert_eq!(found["lines_count"], found["rows_count"]);
        }
        let listed = shown(api, &session);
        assert_eq!(listed["chunks_count"], 3);
        assert!(listed["expires_at"].is_string() && listed["import_id"].is_null(), "{listed}");
        assert_eq!(count(api), 0, "no import yet");
        let import = published(api, &session);
        assert_eq!(import["type"], "NativeImport");
        assert_eq!(readback(api, &import)["status"], "matched");
        assert_eq!(all_that_it_has(&family), all_that_it_has(&whole));
        let complete = shown(api, &session);
        assert_eq!((&complete["status"], &complete["error"]), (&json!("complete"), &Value::Null));
        assert_eq!(complete["import_id"], import["id"]);
        assert_eq!(complete["chunks"][1]["status"], "complete");
        assert_eq!(complete["expires_at"], Value::Null);
        // What is complete stays so.
        publish_session(api, &session).expect_status(202);
        assert_eq!(count(api), 1);
        let listed = api.get(SESSIONS).expect_status(200).json();
        assert_eq!(listed["meta"]["total_count"], 1);
        assert_eq!(listed["data"][0]["id"], session["id"]);
        assert!(listed["data"][0]["chunks"].is_null(), "{listed}");

        undo(api, &import);
        without_sessions(&sql).assert_is(&before, "the undo");
        assert_eq!(shown(api, &session)["status"], "pending");
        publish_session(api, &session).expect_status(202);
        api.wait_for_import(text(&import["id"]));
        assert_eq!(shown(api, &session)["status"], "complete");
        assert_eq!(count(api), 1);
        undo(api, &import);
        publish_again(api, &import);
        assert_eq!(shown(api, &session)["status"], "complete");
        // The session goes with its import, and its chunks went before.
        api.delete(&path(&import, "")).expect_status(200);
        api.get(&session_path(&session, "")).expect_error(404, "not_found");
        assert_eq!(sql.query("SELECT COUNT(*) FROM import_session_chunks"), [["0"]]);
    }

    fn what_is_sent_again_is_there_once(server) {
        let family = server.family_in("EUR");
        let api = &family.api;
        let body = json!({ "client_session_id": " mine ", "expected_chunks": "2" });
        let session = api.post(SESSIONS, &body).expect_status(201).json()["data"].clone();
        assert_eq!(session["client_session_id"], "mine");
        let again = api.post(SESSIONS, &body).expect_status(201).json()["data"].clone();
        assert_eq!(again, session);
        let other = json!({ "client_session_id": "mine", "expected_chunks": 3 });
        api.post(SESSIONS, &other).expect_error(409, "import_session_conflict");
        // The name is the family's own.
        let foreign = server.family_in("EUR");
        let foreign = foreign.api.post(SESSIONS, &other).expect_status(201).id();
        assert_ne!(foreign, text(&session["id"]));
        api.get(&format!("{SESSIONS}/{foreign}")).expect_error(404, "not_found");

        let form = |content: &str, checksum: &str| {
            let form = Multipart::new()
                .text("sequence", "1")
                .text("client_chunk_id", "one")
                .text("checksum", checksum)
                .file("file", "one.ndjson", "application/x-ndjson", content.as_bytes());
            api.post_form(&session_path(&session, "/chunks"), &form)
        };
        form(TAG, &sha256("other")).expect_error(422, "checksum_mismatch");
        let first = form(TAG, &sha256(TAG).to_uppercase()).expect_status(201).json();
        assert_eq!(first["data"]["chunks_count"], 1);
        let sql = Sql::open(&server);
        let stored = files(&sql);
        assert_eq!(form(TAG, "").expect_status(201).json(), first);
        let once = api.with_header("Idempotency-Key", "once");
        for _ in 0..2 {
            send(&once, &session, 2, CLEAN).expect_status(201);
        }
        assert_eq!(files(&sql).parse::<u32>().unwrap(), stored.parse::<u32>().unwrap() + 1);
        api.delete(&session_path(&session, "/chunks/2")).expect_status(200);
        api.delete(&session_path(&session, "")).expect_status(200);
        api.get(&session_path(&session, "")).expect_error(404, "not_found");
        until("the files to go", || (files(&sql) == "0").then_some(()));
    }

    fn what_does_not_fit_is_a_conflict(server) {
        let family = server.family_in("EUR");
        let api = &family.api;
        let session = create(api, 2);
        let chunk = |sequence: usize, name: &str, content: &str| {
            let body = json!({ "sequence": sequence, "client_chunk_id": name,
                "raw_file_content": content });
            api.post(&session_path(&session, "/chunks"), &body)
        };
        chunk(1, "one", TAG).expect_status(201);
        for (sequence, name, content) in
            [(1, "one", CLEAN), (1, "two", TAG), (2, "one", CLEAN), (3, "three", CLEAN)]
        {
            chunk(sequence, name, content).expect_error(409, "import_session_conflict");
        }
        assert_eq!(shown(api, &session)["chunks_count"], 1);
        let refused = publish_session(api, &session).expect_error(422, "missing_chunks");
        assert_eq!(refused["message"], "Of 2 chunks these are missing: 2");
        chunk(2, "two", CLEAN).expect_status(201);
        let import = published(api, &session);
        // A repetition is no new chunk; everything else comes too late.
        assert_eq!(chunk(2, "two", CLEAN).expect_status(201).json()["data"]["status"], "complete");
        chunk(2, "two", TAG).expect_error(409, "import_session_conflict");
        let late = api.delete(&session_path(&session, "/chunks/2"));
        late.expect_error(409, "import_session_conflict");
        api.delete(&session_path(&session, "/chunks/3")).expect_error(404, "not_found");
        // The import stays when its session goes.
        api.delete(&session_path(&session, "")).expect_status(200);
        api.get(&path(&import, "")).expect_status(200);
    }

    fn what_is_wrong_is_named_with_chunk_and_line_and_can_be_corrected(server) {
        let family = server.family_in("EUR");
        let (api, sql) = (&family.api, Sql::open(&server));
        let session = create(api, 3);
        let transaction = |id: &str, account: &str, amount: &str| {
            let data = json!({ "id": id, "account_id": account, "date": "2024-01-05",
                "amount": amount, "currency": "EUR", "name": "X" });
            format!("{}\n", json!({ "type": "Transaction", "data": data }))
        };
        let account = json!({ "type": "Account", "data": { "id": "a", "name": "Giro",
            "balance": "0", "opening_balance": "0", "accountable_type": "Depository",
            "currency": "EUR" } });
        // Without a line end, and with a mark: both chunks still begin with a line of their own.
        let first = format!("\u{feff}{}\n\n{account}", TAG.trim_end());
        let second = transaction("t1", "a", "1.00") + &transaction("t2", "b", "1.00");
        let third = transaction("t3", "a", "1,00");
        for (at, content) in [&first, &second, &third].into_iter().enumerate() {
            send(api, &session, at + 1, content).expect_status(201);
        }
        let before = state(&sql);
        let stored = files(&sql);
        let refused = publish_session(api, &session).expect_error(422, "invalid_rows");
        assert_eq!(refused["message"], "2 rows of 5 can't be imported");
        assert!(refused["import_id"].is_null(), "{refused}");
        let reasons = errors(&refused);
        assert_eq!(reasons.len(), 2, "{reasons:?}");
        assert!(reasons[0].starts_with("Chunk 2, line 2") && reasons[0].contains("account_id"),
            "{reasons:?}");
        assert!(reasons[1].starts_with("Chunk 3, line 1") && reasons[1].contains("amount"),
            "{reasons:?}");
        state(&sql).assert_is(&before, "the refusal");
        assert_eq!((files(&sql), count(api)), (stored, 0), "nothing is stored");
        assert_eq!(shown(api, &session)["status"], "pending");
        for (sequence, content) in
            [(2, transaction("t1", "a", "1.00")), (3, transaction("t3", "a", "2.00"))]
        {
            send(api, &session, sequence, &content).expect_error(409, "import_session_conflict");
            api.delete(&session_path(&session, &format!("/chunks/{sequence}"))).expect_status(200);
            send(api, &session, sequence, &content).expect_status(201);
        }
        let import = published(api, &session);
        assert_eq!(import["stats"]["rows_count"], 4, "{import}");
        let transactions = all(api, "/api/v1/transactions", "transactions");
        assert_eq!(transactions.len(), 2, "{transactions:?}");
    }

    fn what_a_chunk_and_a_session_may_be(server) {
        let family = server.family_in("EUR");
        let api = &family.api;
        for (wrong, part) in [
            (json!({}), "expected_chunks"),
            (json!({ "expected_chunks": 0 }), "expected_chunks"),
            (json!({ "expected_chunks": "many" }), "expected_chunks"),
            (json!({ "expected_chunks": 1001 }), "expected_chunks"),
            (json!({ "expected_chunks": 1, "type": "TransactionImport" }), "NativeImport"),
            (json!({ "expected_chunks": 1, "client_session_id": "x".repeat(256) }), "255"),
        ] {
            let refused = api.post(SESSIONS, &wrong).expect_error(422, "validation_failed");
            assert!(refused["message"].to_string().contains(part), "{part}: {refused}");
        }
        let longest = json!({ "expected_chunks": 1000, "client_session_id": "é".repeat(255) });
        let session = api.post(SESSIONS, &longest).expect_status(201).json()["data"].clone();
        let chunks = session_path(&session, "/chunks");
        for (wrong, code) in [
            (json!({ "raw_file_content": TAG }), "validation_failed"),
            (json!({ "sequence": 0, "raw_file_content": TAG }), "validation_failed"),
            (json!({ "sequence": "first", "raw_file_content": TAG }), "validation_failed"),
            (json!({ "sequence": 1, "client_chunk_id": "x".repeat(256),
                "raw_file_content": TAG }), "validation_failed"),
            (json!({ "sequence": 1 }), "missing_content"),
            (json!({ "sequence": 1, "raw_file_content": " \n" }), "missing_content"),
            (json!({ "sequence": 1, "raw_file_content": "%PDF-1.4" }), "invalid_file_type"),
        ] {
            api.post(&chunks, &wrong).expect_error(422, code);
        }
        let line = format!("{TAG}{{\"type\":\"Tag\",\"data\":{{\"id\":\"");
        let broken = [line.as_bytes(), b"\xff\"}}\n"].concat();
        let broken = (&broken[..], "invalid_ndjson", "Line 2");
        for (content, code, part) in [broken, (b"PK\x03\x04", "invalid_file_type", "archive")] {
            let form = Multipart::new().text("sequence", "1");
            let form = form.file("file", "x", "text/plain", content);
            let refused = api.post_form(&chunks, &form).expect_error(422, code);
            assert!(refused["message"].to_string().contains(part), "{refused}");
        }
        assert_eq!(shown(api, &session)["chunks_count"], 0);
        assert_eq!(files(&Sql::open(&server)), "0");
        for _ in 1..20 {
            create(api, 1);
        }
        let refused = api.post(SESSIONS, &json!({ "expected_chunks": 1 }));
        refused.expect_error(409, "too_many_import_sessions");
        // Another family has its own.
        create(&server.family().api, 1);
        api.delete(&session_path(&session, "")).expect_status(200);
        create(api, 1);
    }

    fn sessions_are_for_keys_that_may_write_everything(server) {
        let family = server.family_in("EUR");
        let account = family.account("Giro", "depository");
        let session = create(&family.api, 1);
        send(&family.api, &session, 1, TAG).expect_status(201);
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        assert_eq!(shown(&reader, &session)["chunks_count"], 1);
        let made = server.run_json(
            &["key", "add", "--user", &family.email, "--name", "one account", "--scope",
                "read_write", "--account", &account],
            "",
        );
        let restricted = server.client().with_key(text(&made["key"]));
        assert_eq!(restricted.get(SESSIONS).expect_status(200).json()["meta"]["total_count"], 0);
        restricted.get(&session_path(&session, "")).expect_error(404, "not_found");
        for (key, code) in [(&reader, "insufficient_scope"), (&restricted, "restricted_key")] {
            key.post(SESSIONS, &json!({ "expected_chunks": 1 })).expect_error(403, code);
            send(key, &session, 1, TAG).expect_error(403, code);
            publish_session(key, &session).expect_error(403, code);
            key.delete(&session_path(&session, "/chunks/1")).expect_error(403, code);
            key.delete(&session_path(&session, "")).expect_error(403, code);
        }
        published(&family.api, &session);
    }

    fn two_publishes_at_once_are_one(server) {
        let family = server.family_in("EUR");
        let session = create(&family.api, 1);
        send(&family.api, &session, 1, CLEAN).expect_status(201);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| publish_session(&family.api, &session).expect_status(202));
            }
        });
        let import = shown(&family.api, &session)["import_id"].clone();
        assert_eq!(family.api.wait_for_import(text(&import))["status"], "complete");
        assert_eq!(count(&family.api), 1);
        let sql = Sql::open(&server);
        until("the chunks to go", || (files(&sql) == "1").then_some(()));
    }
}

#[test]
fn a_kill_in_the_middle_leaves_it_whole_and_once() {
    let mut server = super::in_parts::server();
    let family = server.family_in("EUR");
    let rows = |from: usize| {
        let row = |row: usize| {
            let data = json!({ "id": format!("r{row}"), "account_id": "a1", "date": "2024-01-05",
                "amount": "0.50", "currency": "EUR", "name": format!("Row {row}") });
            format!("{}\n", json!({ "type": "Transaction", "data": data }))
        };
        (from..from + 3_000).map(row).collect::<String>()
    };
    let session = create(&family.api, 3);
    for (at, content) in [rows(0), rows(3_000), CLEAN.to_owned()].iter().enumerate() {
        send(&family.api, &session, at + 1, content).expect_status(201);
    }
    let queued = publish_session(&family.api, &session).expect_status(202).json();
    let id = text(&queued["data"]["import_id"]).to_owned();
    in_the_middle(&server, "publish", |_| server.signal("KILL"));
    server.kill();
    assert_whole(&server);
    server.start_again();
    assert_eq!(family.api.wait_for_import(&id)["status"], "complete");
    assert_eq!(readback(&family.api, &show_import(&family, &id))["status"], "matched");
    assert_eq!(shown(&family.api, &session)["status"], "complete");
    assert_whole(&server);
}
