//! A backup of one database becomes the other, and comes back equal.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::{assert_same, check, contents, filled, path, refusal, rows, run};
use crate::both;
use crate::journals::family_with;
use crate::random_family::random_family;
use crate::support::{Backend, Options, Server, until};

#[test]
fn a_database_moves_to_the_other_kind_and_back_and_is_equal() {
    let (mut server, family) = filled(Backend::Sqlite);
    (0..3).for_each(|seed| drop(family_with(&server, &random_family(seed))));
    assert!(server.stop().success());
    let first = path(&server, "first.tar.gz");
    let printed = run(&server, &["backup"], &first);
    assert!(printed.contains(" rows of ") && printed.contains(" files, "), "{printed}");
    let found = rows(&first);
    for table in ["entries", "trades", "budgets", "audit_events", "balances", "key_hashes"] {
        assert!(!found[table].is_empty(), "{table}");
    }
    assert!(!found.contains_key("sessions"), "nobody is signed in by a backup");
    assert!(found.keys().any(|name| name.starts_with("files/")));

    let postgres = Server::prepared(Backend::Postgres, Options::new());
    run(&postgres, &["restore"], &first);
    check(&postgres);
    let second = path(&postgres, "second.tar.gz");
    run(&postgres, &["backup"], &second);
    assert_same(&first, &second);

    let mut back = Server::prepared(Backend::Sqlite, Options::new().env("PURSER_RATE_LIMIT", "0"));
    run(&back, &["restore"], &second);
    check(&back);
    let third = path(&back, "third.tar.gz");
    run(&back, &["backup"], &third);
    assert_same(&first, &third);

    back.start_again();
    let old = back.client().with_same_headers(&family.api);
    let accounts = old.get("/api/v1/accounts").expect_status(200).json();
    assert!(accounts.to_string().contains("Main"), "{accounts}");
    // It goes on like any other.
    old.post("/api/v1/tags", &json!({ "name": "after" })).expect_status(201);
}

both! {
    /// What is written meanwhile is in it or not, but never half.
    fn a_backup_of_a_server_that_is_written_to_is_whole(
        server = Options::new().env("PURSER_RATE_LIMIT", "0")
    ) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let row = |row| format!("2024-01-{:02},-{row}.00,Row {row}\n", 1 + row % 28);
        let csv = format!("Date,Amount,Name\n{}", (1..3_000).map(row).collect::<String>());
        let is_done = AtomicBool::new(false);
        let backups: Vec<_> = std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                let mut number = 0;
                while !is_done.load(Ordering::SeqCst) {
                    let import = family.import(&account, &csv);
                    let import = format!("/api/v1/imports/{}", import["id"].as_str().unwrap());
                    let undo = format!("{import}/revert");
                    family.api.request("POST", &undo, None).expect_status(202);
                    until("the undo", || {
                        let now = family.api.get(&import).expect_status(200).json();
                        (now["data"]["status"] == "pending").then_some(())
                    });
                    number += 1;
                }
                number
            });
            let made = (0..4).map(|number| {
                let backup = path(&server, &format!("{number}.tar.gz"));
                run(&server, &["backup"], &backup);
                backup
            });
            let made = made.collect();
            is_done.store(true, Ordering::SeqCst);
            assert!(writer.join().unwrap() > 0);
            made
        });
        for backup in backups {
            let verified = run(&server, &["backup", "--verify"], &backup);
            assert!(verified.contains("Balances are what the entries make"), "{verified}");
            assert!(verified.contains("is restored: "), "{verified}");
        }
    }

    fn a_backup_has_a_manifest_that_people_can_read(server) {
        let family = server.family();
        family.account("Main", "depository");
        let backup = path(&server, "backup.tar.gz");
        let done = server.run_json(&["backup", backup.to_str().unwrap()], "");
        assert_eq!(done["bytes"], fs::metadata(&backup).unwrap().len());
        assert_eq!((&done["missing_files"], &done["altered_files"]), (&json!([]), &json!([])));
        let contents = contents(&backup);
        let manifest: Value = serde_json::from_slice(&contents["manifest.json"]).unwrap();
        assert_eq!(manifest["format"], "purser backup");
        let tables = manifest["tables"].as_array().unwrap();
        let at = |name: &str| tables.iter().position(|table| table["name"] == name).unwrap();
        assert!(at("families") < at("accounts") && at("accounts") < at("entries"));
        let end: Value = serde_json::from_slice(&contents["end.json"]).unwrap();
        assert_eq!(end["rows"][at("accounts")], 1);
    }

    fn a_file_that_is_missing_or_altered_is_named_and_keeps_nobody_from_a_backup(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        family.import(&account, "Date,Amount,Name\n2024-01-02,-1.00,A\n");
        family.import(&account, "Date,Amount,Name\n2024-02-02,-1.00,A\n");
        let mut files = Vec::new();
        let mut folders = vec![server.data_folder().join("files")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { files.push(path) }
            }
        }
        files.sort();
        let id = |at: usize| files[at].file_name().unwrap().to_str().unwrap().to_owned();
        fs::remove_file(&files[0]).unwrap();
        fs::write(&files[1], "other").unwrap();
        let backup = path(&server, "backup.tar.gz");
        let printed = run(&server, &["backup"], &backup);
        assert!(printed.contains(&format!("file {} is missing", id(0))), "{printed}");
        assert!(printed.contains(&format!("file {} was changed", id(1))), "{printed}");
        let verified = server.run(&["backup", "--verify", backup.to_str().unwrap()], "");
        assert!(!verified.status.success());
        assert!(verified.stdout.contains(&id(0)) && verified.stdout.contains(&id(1)));
    }

    fn a_database_that_is_used_is_not_replaced_unless_that_is_wanted(server) {
        let family = server.family();
        family.account("Before", "depository");
        let backup = path(&server, "backup.tar.gz");
        run(&server, &["backup"], &backup);
        let again = refusal(&server, &["backup"], &backup);
        assert!(again.contains("a backup replaces no file"), "{again}");
        family.account("After", "depository");
        let running = refusal(&server, &["restore", "--replace"], &backup);
        assert!(running.contains("nother Purser server") || running.contains("stop every server"));
        family.api.get("/api/v1/accounts").expect_status(200);

        assert!(server.stop().success());
        let used = refusal(&server, &["restore"], &backup);
        assert!(used.contains("--replace") && used.contains("families"), "{used}");
        run(&server, &["restore", "--replace"], &backup);
        check(&server);
        server.start_again();
        let accounts = family.api.get("/api/v1/accounts").expect_status(200).json().to_string();
        assert!(accounts.contains("Before") && !accounts.contains("After"), "{accounts}");
        if server.backend() == Backend::Sqlite {
            let kept = fs::read_dir(server.data_folder()).unwrap().filter(|entry| {
                let name = entry.as_ref().unwrap().file_name().into_string().unwrap();
                name.starts_with("purser.db.replaced-")
            });
            let kept: Vec<_> = kept.map(|entry| entry.unwrap().path()).collect();
            assert_eq!(kept.len(), 1, "{kept:?}");
            let old = rusqlite::Connection::open(&kept[0]).unwrap();
            let count = "SELECT COUNT(*) FROM accounts";
            assert_eq!(old.query_row(count, [], |row| row.get::<_, i64>(0)).unwrap(), 2);
        }
    }
}

/// As after a crash, or a power cut, that left a log, and as on a disk that lost the database.
#[test]
fn what_is_left_of_a_log_does_not_get_into_the_restored_database() {
    for is_gone in [false, true] {
        let mut server = Server::start(Backend::Sqlite);
        let family = server.family();
        family.account("Before", "depository");
        let backup = path(&server, "backup.tar.gz");
        run(&server, &["backup"], &backup);
        family.account("After", "depository");
        server.kill();
        let database = server.data_folder().join("purser.db");
        assert!(fs::metadata(database.with_extension("db-wal")).unwrap().len() > 0);
        if is_gone {
            fs::remove_file(&database).unwrap();
        } else {
            fs::write(&database, vec![b'x'; 40_000]).unwrap();
        }
        let arguments: &[&str] = if is_gone { &["restore"] } else { &["restore", "--replace"] };
        if !is_gone {
            refusal(&server, &["restore"], &backup);
        }
        run(&server, arguments, &backup);
        check(&server);
        server.start_again();
        let accounts = family.api.get("/api/v1/accounts").expect_status(200).json().to_string();
        assert!(accounts.contains("Before") && !accounts.contains("After"), "{accounts}");
    }
}
