//! A log that can't be written: the server goes on, and counts the lines that are lost.

use std::fs::File;
use std::process::Command;

use tempfile::TempDir;

use crate::support::{Backend, Options, Server, until};

fn lost_lines(server: &Server) -> u64 {
    let numbers = server.client().get("/metrics").expect_status(200).text();
    let lost = numbers.lines().find_map(|line| line.strip_prefix("purser_log_lines_lost_total "));
    lost.map_or(0, |lost| lost.parse().expect("a number"))
}

fn verbose() -> Options {
    Options::new().env("PURSER_LOG", "trace").env("PURSER_RATE_LIMIT", "0")
}

/// Requests are answered, and lines of the log are lost meanwhile.
#[track_caller]
fn assert_serves(server: &Server) {
    let before = lost_lines(server);
    let family = server.family();
    until("lines to be lost", || {
        for _ in 0..20 {
            family.api.get("/api/v1/accounts").expect_status(200);
        }
        (lost_lines(server) > before).then_some(())
    });
}

#[test]
fn a_log_on_a_full_disk_does_not_end_the_server() {
    let mut server = Server::start_with(Backend::Sqlite, verbose().log_to("/dev/full"));
    assert_serves(&server);
    assert!(server.stop().success());
}

#[test]
fn a_reader_of_the_log_that_stops_or_dies_does_not_end_the_server() {
    let folder = TempDir::with_prefix("purser-test-").expect("a folder");
    let pipe = folder.path().join("log");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    // Nobody reads, but somebody could.
    let reader = File::options().read(true).write(true).open(&pipe).expect("the pipe");
    let mut server = Server::start_with(Backend::Sqlite, verbose().log_to(&pipe));
    assert_serves(&server);
    drop(reader);
    assert_serves(&server);
    assert!(server.stop().success());
}
