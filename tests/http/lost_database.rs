//! A database that isn't where it was: at a start, or while the server runs.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::both;
use crate::imports::IMPORTS;
use crate::support::{Backend, Family, Options, Server, Sql, sql, until};

const CSV: &str = "date,amount,name\n2026-01-02,-3.50,Coffee\n";
/// The database, its log and the index of the log.
const FILES: [&str; 3] = ["purser.db", "purser.db-wal", "purser.db-shm"];
const WRITERS: usize = 3;
/// Writes that are acknowledged before the fault.
const WRITES_BEFORE: usize = 30;

fn serve(server: &Server, more: &[&str]) -> String {
    let refused = server.run(&[&["serve", "--listen", "127.0.0.1:0"], more].concat(), "");
    assert!(!refused.status.success(), "{refused:?}");
    assert_eq!(refused.stdout, "");
    refused.stderr
}

both! {
    fn a_start_without_the_database_is_refused(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let upload = json!({ "raw_file_content": CSV, "account_id": account });
        family.api.post(IMPORTS, &upload).expect_status(201);
        assert!(server.stop().success());
        let data = server.data_folder();
        let missing = match server.backend() {
            Backend::Sqlite => {
                fs::rename(data.join("purser.db"), data.join("kept")).unwrap();
                "isn't there"
            }
            Backend::Postgres => {
                Sql::open(&server).run("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
                "the database is empty"
            }
        };
        for _ in 0..2 {
            let refusal = serve(&server, &[]);
            assert!(refusal.contains(missing), "{refusal}");
            assert!(refusal.contains("files") && refusal.contains("--new-database"), "{refusal}");
            assert_eq!(refusal.lines().count(), 1, "{refusal}");
        }
        let command = server.run(&["jobs", "list"], "");
        assert!(!command.status.success(), "{command:?}");
        if server.backend() == Backend::Sqlite {
            assert!(!data.join("purser.db").exists(), "nothing was made in its place");
        }

        server.start_again_with(Options::new().arg("--new-database"));
        family.api.get(IMPORTS).expect_error(401, "unauthorized");
        assert!(server.stop().success());
        server.start_again_with(Options::new());
    }
}

#[test]
fn a_log_without_its_database_is_kept() {
    let mut server = Server::start(Backend::Sqlite);
    server.family();
    server.kill();
    let data = server.data_folder();
    fs::remove_dir_all(data.join("files")).unwrap();
    fs::rename(data.join("purser.db"), data.join("kept")).unwrap();
    let log = fs::read(data.join("purser.db-wal")).unwrap();
    assert!(!log.is_empty());
    let refusal = serve(&server, &[]);
    assert!(refusal.contains("purser.db-wal"), "{refusal}");
    assert_eq!(fs::read(data.join("purser.db-wal")).unwrap(), log);
    fs::rename(data.join("kept"), data.join("purser.db")).unwrap();
    server.start_again();
}

/// What is done to the files of a running server, and how it is taken back: the second folder
/// keeps them by another name.
struct Fault {
    strike: fn(&Path, &Path),
    undo: fn(&Path, &Path),
}

/// Gives every file a second name, which stays when the first is deleted.
fn keep(data: &Path, kept: &Path) {
    fs::create_dir(kept).unwrap();
    FILES.iter().for_each(|name| fs::hard_link(data.join(name), kept.join(name)).unwrap());
}

fn put_back(data: &Path, kept: &Path) {
    FILES.iter().for_each(|name| fs::rename(kept.join(name), data.join(name)).unwrap());
}

#[test]
fn nothing_is_acknowledged_after_the_database_was_deleted() {
    survive(&Fault {
        strike: |data, kept| {
            keep(data, kept);
            fs::remove_file(data.join("purser.db")).unwrap();
        },
        undo: put_back,
    });
}

#[test]
fn nothing_is_acknowledged_after_another_file_took_its_place() {
    survive(&Fault {
        strike: |data, kept| {
            keep(data, kept);
            fs::copy(data.join("purser.db"), data.join("restored")).unwrap();
            fs::rename(data.join("restored"), data.join("purser.db")).unwrap();
        },
        undo: put_back,
    });
}

#[test]
fn nothing_is_acknowledged_after_the_log_was_deleted() {
    survive(&Fault {
        strike: |data, kept| {
            keep(data, kept);
            fs::remove_file(data.join("purser.db-wal")).unwrap();
        },
        undo: put_back,
    });
}

/// As if the volume were unmounted and an empty one mounted.
#[test]
fn nothing_is_acknowledged_after_the_folder_went_away() {
    survive(&Fault {
        strike: |data, kept| {
            fs::rename(data, kept).unwrap();
            fs::create_dir(data).unwrap();
        },
        undo: |data, kept| {
            fs::remove_dir_all(data).unwrap();
            fs::rename(kept, data).unwrap();
        },
    });
}

/// Strikes while others write. Whatever was acknowledged is there once the fault is taken back, and
/// what was sent after the fault was refused.
fn survive(fault: &Fault) {
    let options = Options::new().env("PURSER_RATE_LIMIT", "0");
    let mut server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let account = family.account("Main", "depository");
    let data = server.data_folder();
    let kept = data.with_file_name("kept");
    let struck = AtomicBool::new(false);
    let acknowledged = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| {
                let (family, struck) = (&family, &struck);
                scope.spawn(move || write_until_refused(family, writer, struck))
            })
            .collect();
        until("writes", || {
            let count = sql::value(&server, "SELECT COUNT(*) FROM tags");
            (count.parse::<usize>().unwrap() > WRITES_BEFORE).then_some(())
        });
        (fault.strike)(&data, &kept);
        struck.store(true, Ordering::SeqCst);
        writers.into_iter().flat_map(|writer| writer.join().expect("a writer")).collect::<Vec<_>>()
    });
    server.client().get("/readyz").expect_error(503, "unavailable");
    assert_eq!(server.log().matches("was removed or replaced").count(), 1, "{}", server.log());
    // The files that are open are still read.
    family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200);

    server.kill();
    (fault.undo)(&data, &kept);
    server.start_again();
    let names = sql::query(&server, "SELECT name FROM tags").concat();
    for name in acknowledged {
        assert!(names.contains(&name), "{name} was acknowledged");
    }
    let checked = server.run(&["check"], "");
    assert!(checked.status.success(), "{checked:?}");
}

/// Makes one tag after the other and returns those that were acknowledged, up to the first refusal.
fn write_until_refused(family: &Family, writer: usize, struck: &AtomicBool) -> Vec<String> {
    let mut acknowledged = Vec::new();
    loop {
        let was_struck = struck.load(Ordering::SeqCst);
        let name = format!("tag {writer} {}", acknowledged.len());
        let answer = family.api.post("/api/v1/tags", &json!({ "name": name }));
        if answer.status == 503 {
            answer.expect_error(503, "unavailable");
            return acknowledged;
        }
        answer.expect_status(201);
        assert!(!was_struck, "{name} was acknowledged although the database was gone");
        acknowledged.push(name);
    }
}

/// Without a write nobody would notice but the server itself.
#[test]
fn an_idle_server_notices_that_its_database_is_gone() {
    let server = Server::start(Backend::Sqlite);
    server.client().get("/readyz").expect_status(200);
    fs::remove_file(server.data_folder().join("purser.db")).unwrap();
    let ready = until("the server to notice", || {
        let ready = server.client().get("/readyz");
        (ready.status != 200).then_some(ready)
    });
    let reason = ready.expect_error(503, "unavailable");
    assert!(reason["message"].as_str().unwrap().contains("removed or replaced"), "{reason}");
}
