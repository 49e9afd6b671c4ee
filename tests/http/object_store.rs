//! Uploaded files in a bucket of a real object store: everything that is done with files, nodes
//! that share nothing else, and a store that fails in any way.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::family_exports::export;
use crate::imports::{IMPORTS, assert_whole, post, sql, upload};
use crate::support::{Backend, Client, Fault, ObjectStore, Server, until, until_within};

const CSV: &str = "date,amount,name\n2026-01-02,-3.50,Coffee\n2026-01-03,-4.00,Tea\n";
/// How long work may wait after what kept it from going on is over.
const GOES_ON: Duration = Duration::from_secs(60);
const DENIED: &str = "HTTP/1.1 403 Forbidden\r\nContent-Length: 52\r\nConnection: close\r\n\r\n\
    <Error><Code>SignatureDoesNotMatch</Code></Error>   ";
const BUSY: &str = "HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
const ELSEWHERE: &str = "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://127.0.0.1:1/x\r\n\
    Content-Length: 0\r\nConnection: close\r\n\r\n";
const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 27\r\n\
    Connection: close\r\n\r\n<html>Please sign in</html>";
const NO_BUCKET: &str = "HTTP/1.1 404 Not Found\r\nContent-Length: 40\r\nConnection: close\r\n\r\n\
    <Error><Code>NoSuchBucket</Code></Error>";
const NOTHING: &str = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// Tests that bring a bucket of their own, each on both databases.
macro_rules! both_with_a_bucket {
    ($($(#[$meta:meta])* fn $name:ident($backend:ident) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            use super::*;

            fn on($backend: Backend) $body

            #[test]
            fn sqlite() {
                on(Backend::Sqlite);
            }

            #[test]
            fn postgres() {
                on(Backend::Postgres);
            }
        }
    )*};
}

/// What the data folder has for the database.
fn local(data: &Path) -> PathBuf {
    let mut folders = fs::read_dir(data.join("files")).unwrap();
    folders.next().unwrap().unwrap().path()
}

/// Lets no copy help.
pub(crate) fn forget_copies(data: &Path) {
    let _ = fs::remove_dir_all(local(data).join("cache"));
}

pub(crate) fn names(api: &Client, id: &str) -> Vec<Value> {
    let rows = api.get(&format!("{IMPORTS}/{id}/rows")).expect_status(200).json();
    let rows = rows["data"].as_array().unwrap();
    rows.iter().map(|row| row["fields"]["name"].clone()).collect()
}

fn refusal(server: &Server, arguments: &[&str]) -> String {
    let refused = server.run(arguments, "");
    assert!(!refused.status.success(), "{arguments:?}: {refused:?}");
    assert_eq!(refused.stderr.lines().count(), 1, "{refused:?}");
    refused.stderr
}

/// The name of a backup of long ago.
const OLD: &str = "purser-2020-01-01T00-00-00Z.tar.gz";
pub(crate) const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

both_with_a_bucket! {
    fn everything_that_is_done_with_files(backend) {
        let bucket = ObjectStore::start();
        let mut server = Server::start_with(backend, bucket.options());
        let family = server.family();
        let api = &family.api;
        let account = family.account("Main", "depository");
        let id = upload(api, CSV, &json!({ "account_id": account }))["id"].as_str().unwrap().to_owned();
        assert_eq!(bucket.files().len(), 1);
        let is_number = |name: &str| name.parse::<i64>().is_ok();
        let folders = fs::read_dir(local(&server.data_folder())).unwrap();
        let folders = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        assert_eq!(folders.filter(|name| is_number(name)).count(), 0, "no file stays in the folder");
        forget_copies(&server.data_folder());
        assert_eq!(names(api, &id), ["Coffee", "Tea"]);
        forget_copies(&server.data_folder());
        api.post(&format!("{IMPORTS}/{id}/publish"), &json!({})).expect_status(202);
        assert_eq!(api.wait_for_import(&id)["status"], "complete");
        // In another encoding, so that there is a second file with the text.
        let latin = b"date,amount,name\n2026-01-04,-1.00,Caf\xe9\n";
        let form = crate::support::Multipart::new().file("file", "latin.csv", "text/csv", latin);
        let form = form.text("account_id", &account);
        let second = api.post_form(IMPORTS, &form).expect_status(201).id();
        assert_eq!(bucket.files().len(), 3);
        assert_eq!(names(api, &second), ["Café"]);
        let export = export(api);
        let path = export["download_path"].as_str().unwrap().to_owned();
        forget_copies(&server.data_folder());
        assert!(api.get(&path).expect_status(200).text().contains("Coffee"));
        assert_eq!(bucket.files().len(), 4);
        assert_whole(&server);
        api.delete(&format!("{IMPORTS}/{second}")).expect_status(200);
        until("the files of the import to be removed", || (bucket.files().len() == 2).then_some(()));

        // A backup has the files, wherever they are, and is restored to wherever they are to be.
        let backup = server.data_folder().with_file_name("backup.tar.gz");
        let backup = backup.to_str().unwrap();
        let made = server.run_json(&["backup", backup], "");
        assert_eq!((&made["files"], &made["missing_files"]), (&json!(2), &json!([])));
        let verified = server.run(&["backup", "--verify", backup], "");
        assert!(verified.status.success(), "{verified:?}");
        assert!(server.stop().success());
        let mut folder = Server::prepared(backend, crate::support::Options::new());
        assert!(folder.run(&["restore", backup], "").status.success());
        assert_whole(&folder);
        folder.start_again();
        assert_eq!(names(&folder.client().with_same_headers(api), &id), ["Coffee", "Tea"]);
        assert!(folder.stop().success());
        let other = ObjectStore::start();
        let mut third = Server::prepared(backend, other.options());
        assert!(third.run(&["restore", backup], "").status.success());
        assert_eq!(other.files(), bucket.files());
        assert_whole(&third);
        third.start_again();
        assert_eq!(names(&third.client().with_same_headers(api), &id), ["Coffee", "Tea"]);
    }

    fn a_store_that_fails_loses_and_invents_nothing(backend) {
        let bucket = ObjectStore::start();
        let server = Server::start_with(backend, bucket.options());
        let family = server.family();
        let api = &family.api;
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        let id = upload(api, CSV, &fields)["id"].as_str().unwrap().to_owned();
        for fault in [Fault::Refuse, Fault::Cut(0), Fault::Answer(DENIED), Fault::Answer(BUSY),
            Fault::Answer(ELSEWHERE), Fault::Answer(PAGE), Fault::Answer(NOTHING)]
        {
            bucket.faults.set(fault);
            let error = post(api, CSV, &fields).expect_error(503, "unavailable");
            assert_eq!(error["message"], "Files on the server can't be read or written just now");
            forget_copies(&server.data_folder());
            api.get(&format!("{IMPORTS}/{id}/rows")).expect_error(503, "unavailable");
            assert!(bucket.faults.met() > 1, "{fault:?}");
            bucket.faults.set(Fault::Pass);
            assert_eq!(names(api, &id), ["Coffee", "Tea"], "after {fault:?}");
        }
        // The content itself comes back cut off, or as another one.
        for fault in [Fault::Cut(1), Fault::Short(10), Fault::Flip] {
            forget_copies(&server.data_folder());
            bucket.faults.set_for("GET", fault);
            api.get(&format!("{IMPORTS}/{id}/rows")).expect_error(503, "unavailable");
            bucket.faults.set(Fault::Pass);
            assert_eq!(names(api, &id), ["Coffee", "Tea"], "after {fault:?}");
        }
        bucket.faults.set(Fault::Slow(100));
        forget_copies(&server.data_folder());
        assert_eq!(names(api, &id), ["Coffee", "Tea"], "slowly");
        bucket.faults.set(Fault::Pass);
        // Work waits, and goes on by itself.
        bucket.faults.set(Fault::Refuse);
        forget_copies(&server.data_folder());
        api.post(&format!("{IMPORTS}/{id}/publish"), &json!({})).expect_status(202);
        until("the job to wait", || {
            let jobs = server.run_json(&["jobs", "list"], "");
            jobs.to_string().contains("can't be read or written").then_some(())
        });
        assert_eq!(api.get(&format!("{IMPORTS}/{id}")).json()["data"]["status"], "importing");
        bucket.faults.set(Fault::Pass);
        let ended = until_within(GOES_ON, "the publish to go on", || {
            let import = api.get(&format!("{IMPORTS}/{id}")).json()["data"].clone();
            (import["status"] != "importing").then_some(import)
        });
        assert_eq!(ended["status"], "complete");
        until("uploads that were refused to be removed", || (bucket.files().len() == 1).then_some(()));
        assert_whole(&server);
        // What was changed in the bucket is neither published nor taken for the file.
        let second = upload(api, "date,amount,name\n2026-02-02,-1.00,X\n", &fields);
        let second = second["id"].as_str().unwrap();
        let first = ended_file(&server, &id);
        let stored = bucket.files().into_iter().find(|key| !key.contains(&first));
        fs::write(bucket.content(&stored.unwrap()), "date,amount,name\n2026-02-02,-9.00,X\n").unwrap();
        forget_copies(&server.data_folder());
        api.post(&format!("{IMPORTS}/{second}/publish"), &json!({})).expect_status(202);
        assert_eq!(api.wait_for_import(second)["status"], "failed");
        assert!(server.run(&["check"], "").stdout.contains("has other bytes"));
    }

    fn the_servers_backups_go_to_the_bucket(backend) {
        let bucket = ObjectStore::start();
        let options = bucket.options().env("PURSER_BACKUP_TO_BUCKET", "on");
        let options = options.env("PURSER_BACKUP_KEEP", "1");
        let mut server = Server::start_with(backend, options.clone());
        let backups = || -> Vec<String> {
            bucket.keys().into_iter().filter(|key| key.starts_with("backups/")).collect()
        };
        let first = until("a first backup", || backups().pop());
        let family = server.family();
        let account = family.account("Main", "depository");
        let id = upload(&family.api, CSV, &json!({ "account_id": account }))["id"].clone();
        assert!(server.stop().success());
        // The next one is due when there is none that is new enough.
        fs::rename(bucket.content(&first), bucket.content(&first).with_file_name(OLD)).unwrap();
        server.start_again();
        let second = until("a second backup, and the first to be removed", || {
            let backups = backups();
            (backups.len() == 1 && !backups[0].ends_with(OLD)).then(|| backups[0].clone())
        });
        let left = fs::read_dir(local(&server.data_folder()).join("incoming")).unwrap();
        assert_eq!(left.count(), 0, "nothing stays in the data directory");
        let file = bucket.content(&second);
        let mut restored = Server::prepared(backend, crate::support::Options::new());
        let outcome = restored.run(&["restore", file.to_str().unwrap()], "");
        assert!(outcome.status.success(), "{outcome:?}");
        assert_whole(&restored);
        restored.start_again();
        let api = restored.client().with_same_headers(&family.api);
        assert_eq!(names(&api, id.as_str().unwrap()), ["Coffee", "Tea"]);
        // Without a bucket there is no place for them.
        let nowhere = Server::prepared(backend, crate::support::Options::new());
        let mut command = nowhere.command();
        let refused = command.args(SERVE).env("PURSER_BACKUP_TO_BUCKET", "on").output().unwrap();
        let shown = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && shown.contains("PURSER_S3_BUCKET"), "{shown}");
        let both = command.env("PURSER_BACKUP_DIR", server.data_folder()).output().unwrap();
        let shown = String::from_utf8_lossy(&both.stderr).into_owned();
        assert!(!both.status.success() && shown.contains("a folder or to the bucket"), "{shown}");
    }

    fn a_kill_leaves_only_objects_that_no_row_names(backend) {
        let bucket = ObjectStore::start();
        let mut server = Server::start_with(backend, bucket.options());
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        upload(&family.api, CSV, &fields);
        // Before the object is there, and after that but before its row.
        for (method, objects) in [("PUT", 1), ("HEAD", 2)] {
            bucket.faults.set_for(method, Fault::Hang);
            let body = crate::imports::body("date,amount,name\n2026-03-02,-1.00,Y\n", &fields);
            std::thread::scope(|scope| {
                let sent = scope.spawn(|| family.api.try_post(IMPORTS, &body).is_none());
                until("the upload to hang", || (bucket.faults.met() > 0).then_some(()));
                server.kill();
                assert!(sent.join().unwrap(), "no answer");
            });
            bucket.faults.set(Fault::Pass);
            assert_eq!(bucket.files().len(), objects, "{method}");
            server.start_again();
            let listed = family.api.get(IMPORTS).expect_status(200).json();
            assert_eq!(listed["meta"]["total_count"], 1, "{listed}");
            assert_whole(&server);
        }
        // While a publish reads: it is taken up again.
        let id = upload(&family.api, "date,amount,name\n2026-04-02,-1.00,Z\n", &fields)["id"].clone();
        let id = id.as_str().unwrap();
        forget_copies(&server.data_folder());
        bucket.faults.set_for("GET", Fault::Hang);
        family.api.post(&format!("{IMPORTS}/{id}/publish"), &json!({})).expect_status(202);
        until("the publish to hang", || (bucket.faults.met() > 0).then_some(()));
        server.kill();
        bucket.faults.set(Fault::Pass);
        server.start_again();
        let ended = until_within(GOES_ON, "the publish to go on", || {
            let import = family.api.get(&format!("{IMPORTS}/{id}")).json()["data"].clone();
            (import["status"] != "importing").then_some(import)
        });
        assert_eq!(ended["status"], "complete");
        assert_whole(&server);
    }

    fn a_start_asks_the_bucket_and_files_are_moved(backend) {
        let bucket = ObjectStore::start();
        let mut server = Server::start(backend);
        let family = server.family();
        let account = family.account("Main", "depository");
        let id = upload(&family.api, CSV, &json!({ "account_id": account }))["id"].clone();
        let id = id.as_str().unwrap();
        assert!(server.stop().success());
        assert!(refusal(&server, &["files", "move", "--to", "bucket"]).contains("PURSER_S3_BUCKET"));
        server.start_again_with(crate::support::Options::new());
        assert!(server.stop().success());
        let moved = server.run_with(&bucket.options(), &["files", "move", "--to", "bucket"]);
        assert!(moved.status.success() && moved.stdout.contains("Moved: 1 files"), "{moved:?}");
        assert_eq!(bucket.files().len(), 1);
        assert!(refusal(&server, &SERVE).contains("are in a bucket"));
        server.start_again_with(bucket.options());
        fs::remove_dir_all(local(&server.data_folder())).unwrap();
        assert!(server.stop().success());
        server.start_again();
        assert_eq!(names(&family.api, id), ["Coffee", "Tea"], "nothing of the folder is needed");
        let beside = refusal(&server, &["files", "move", "--to", "folder"]);
        assert!(beside.contains("running") || beside.contains("connected"), "{beside}");
        assert!(server.stop().success());
        let refused = |options: &crate::support::Options, problem: &str| {
            let outcome = server.run_with(options, &SERVE);
            assert!(!outcome.status.success() && outcome.stderr.contains(problem), "{outcome:?}");
            assert!(!format!("{outcome:?}").contains("canary"), "no key is shown: {outcome:?}");
        };
        refused(&bucket.options_for("other"), "no files of this database");
        refused(&bucket.options().env("PURSER_S3_ACCESS_KEY", "wrong"), "403");
        refused(&bucket.options().env("PURSER_S3_SECRET_KEY", "wrong"), "403 SignatureDoesNotMatch");
        refused(&bucket.options().env("PURSER_S3_ALLOW_HTTP", "off"), "https://");
        refused(&bucket.options().env("PURSER_S3_PREFIX", "else"), "no files of this database");
        bucket.faults.set(Fault::Refuse);
        refused(&bucket.options(), "can't be reached");
        bucket.faults.set(Fault::Answer(NO_BUCKET));
        refused(&bucket.options(), "404 NoSuchBucket");
        bucket.faults.set(Fault::Pass);
        let moved = server.run(&["files", "move", "--to", "folder"], "");
        assert!(moved.status.success(), "{moved:?}");
        server.start_again_with(crate::support::Options::new());
        assert_eq!(names(&family.api, id), ["Coffee", "Tea"]);
        assert_whole(&server);
    }
}

/// The id of the file of an import.
fn ended_file(server: &Server, id: &str) -> String {
    let files = sql::query(server, "SELECT file_id FROM imports ORDER BY id");
    assert!(!id.is_empty());
    uuid_text(&files[0][0])
}

/// An id as names of objects have it, however the database shows it.
fn uuid_text(shown: &str) -> String {
    let digits: String = shown.chars().filter(char::is_ascii_hexdigit).collect();
    assert_eq!(digits.len(), 32, "{shown}");
    let part = |from: usize, to: usize| &digits[from..to];
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-").to_lowercase()
}

/// Nodes share the database and the bucket, and have a folder each.
#[test]
fn two_nodes_need_no_shared_folder() {
    let bucket = ObjectStore::start();
    let server = Server::start_with(Backend::Postgres, bucket.options());
    let folder = tempfile::tempdir().unwrap();
    let mut node = server.start_beside_in(folder.path());
    let family = server.family();
    let other = node.client().with_same_headers(&family.api);
    let account = family.account("Main", "depository");
    let fields = json!({ "account_id": account });
    let ids: Vec<String> = (0..6)
        .map(|at| {
            let api = if at % 2 == 0 { &family.api } else { &other };
            let csv = format!("date,amount,name\n2026-01-0{},-1.00,Row {at}\n", at + 1);
            post(api, &csv, &fields).expect_status(201).id()
        })
        .collect();
    for (at, id) in ids.iter().enumerate() {
        for api in [&family.api, &other] {
            assert_eq!(names(api, id), [format!("Row {at}")]);
        }
        let api = if at % 2 == 0 { &other } else { &family.api };
        api.post(&format!("{IMPORTS}/{id}/publish"), &json!({})).expect_status(202);
    }
    for id in &ids {
        assert_eq!(other.wait_for_import(id)["status"], "complete");
    }
    other.delete(&format!("{IMPORTS}/{}", ids[0])).expect_status(200);
    until("the file to be removed", || (bucket.files().len() == 5).then_some(()));
    assert!(node.stop().success());
    assert_whole(&server);
}
