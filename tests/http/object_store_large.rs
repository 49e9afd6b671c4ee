//! Files that are more than one piece of a connection, in a bucket: what happens to them in the
//! middle of their way, and how much memory they take.

use std::fs;

use serde_json::json;

use crate::family_exports::export;
use crate::imports::{IMPORTS, assert_whole, post, upload};
use crate::object_store::{forget_copies, names};
use crate::support::{Backend, Fault, Multipart, ObjectStore, Server, until};

const MIB: usize = 1024 * 1024;

/// A statement of this size at least.
fn csv(bytes: usize) -> String {
    let mut lines = "date,amount,name\n".to_owned();
    let name = "x".repeat(1000);
    while lines.len() < bytes {
        lines.push_str(&format!("2026-01-02,-3.50,{name}\n"));
    }
    lines
}

#[test]
fn a_body_that_is_cut_or_changed_on_its_way_up_is_no_file() {
    let bucket = ObjectStore::start();
    let server = Server::start_with(Backend::Sqlite, bucket.options());
    let family = server.family();
    let fields = json!({ "account_id": family.account("Main", "depository") });
    let content = csv(MIB);
    for fault in [Fault::CutBody(MIB / 2), Fault::CutBody(MIB - 1), Fault::FlipBody(MIB / 2)] {
        bucket.faults.set_for("PUT", fault);
        post(&family.api, &content, &fields).expect_error(503, "unavailable");
        assert!(bucket.faults.met() > 0, "{fault:?}");
        bucket.faults.set(Fault::Pass);
        let listed = family.api.get(IMPORTS).expect_status(200).json();
        assert_eq!(listed["meta"]["total_count"], 0, "{fault:?}: {listed}");
        until("nothing of it to be left", || bucket.files().is_empty().then_some(()));
    }
    let id = upload(&family.api, &content, &fields)["id"].as_str().unwrap().to_owned();
    let stored = fs::read(bucket.content(&bucket.files()[0])).unwrap();
    assert!(stored == content.as_bytes());
    let rows = names(&family.api, &id).len();
    for fault in [Fault::Cut(MIB / 2), Fault::FlipAt(MIB / 2)] {
        forget_copies(&server.data_folder());
        bucket.faults.set_for("GET", fault);
        family.api.get(&format!("{IMPORTS}/{id}/rows")).expect_error(503, "unavailable");
        assert!(bucket.faults.met() > 0, "{fault:?}");
        bucket.faults.set(Fault::Pass);
        assert_eq!(names(&family.api, &id).len(), rows, "{fault:?}");
    }
    assert_whole(&server);
}

/// The most memory that the server has had since the last [`forget_peak`], in bytes.
fn peak(server: &Server) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", server.process_id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

fn forget_peak(server: &Server) {
    fs::write(format!("/proc/{}/clear_refs", server.process_id()), "5").unwrap();
}

/// What a large file may take beside what the server has anyway.
const WAY_BYTES_MAX: usize = 40 * MIB;

/// A file of 100 MiB goes up in pieces, and comes down so. A publish reads it out of the bucket,
/// too; the memory of that isn't compared here, because most of it is the database's.
#[test]
fn a_large_file_takes_little_memory_on_its_way_up_and_down() {
    let bucket = ObjectStore::start();
    let mut server = Server::start_with(Backend::Sqlite, bucket.options());
    let family = server.family_in("EUR");
    let content = crate::imports::native_large::file(100 * MIB);
    let form = Multipart::new()
        .file("file", "all.ndjson", "application/octet-stream", content.as_bytes())
        .text("type", "NativeImport");
    forget_peak(&server);
    let before = peak(&server);
    let import = family.api.post_form(IMPORTS, &form).expect_status(201).json()["data"].clone();
    let up = peak(&server) - before;
    assert_eq!(import["status_detail"]["publishable"], true, "{import}");
    let stored = fs::read(bucket.content(&bucket.files()[0])).unwrap();
    assert!(stored == content.as_bytes());
    let id = import["id"].as_str().unwrap();
    forget_copies(&server.data_folder());
    family.api.post(&format!("{IMPORTS}/{id}/publish"), &json!({})).expect_status(202);
    assert_eq!(family.api.wait_for_import(id)["status"], "complete");
    assert!(up < WAY_BYTES_MAX, "{up} bytes more on the way up");
    assert_whole(&server);

    // A server that has just started has done nothing for the first time yet: a small file first.
    let other = server.family();
    let [large, small] =
        [&family, &other].map(|one| export(&one.api)["download_path"].as_str().unwrap().to_owned());
    assert!(server.stop().success());
    forget_copies(&server.data_folder());
    server.start_again();
    let first = other.api.get(&small).expect_status(200).bytes.len();
    assert!(first < MIB, "{first} bytes");
    for way in ["out of the bucket", "from its copy"] {
        forget_peak(&server);
        let before = peak(&server);
        let length = family.api.get(&large).expect_status(200).bytes.len();
        assert!(length > 50 * MIB, "{length} bytes");
        let down = peak(&server) - before;
        assert!(down < WAY_BYTES_MAX, "{down} bytes more on the way down, {way}");
    }
}
