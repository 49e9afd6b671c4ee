//! Backups of a running server, and what becomes of them on either database.

mod damaged;
mod interrupted;
mod round_trip;
mod scheduled;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Backend, Family, Options, Server};

/// A server with the invented family, which has something of nearly everything, and one more.
fn filled(backend: Backend) -> (Server, Family) {
    let options = Options::new().arg("--demo").env("PURSER_RATE_LIMIT", "0");
    let server = Server::start_with(backend, options);
    let family = server.family();
    let account = family.account("Main \"quoted\" \\ ä", "depository");
    family.import(&account, "Date,Amount,Name\n2024-01-02,-1.00,Café\n2024-01-03,5.00,B\n");
    (server, family)
}

/// A path for a backup in the server's own temporary folder, beside its data.
fn path(server: &Server, name: &str) -> PathBuf {
    server.data_folder().with_file_name(name)
}

/// Runs a command on a file; what it printed, which must have succeeded.
#[track_caller]
fn run(server: &Server, command: &[&str], file: &Path) -> String {
    let done = server.run(&[command, &[file.to_str().unwrap()]].concat(), "");
    assert!(done.status.success(), "purser {command:?}: {done:?}");
    done.stdout
}

/// What a command that must fail printed, in one line.
#[track_caller]
fn refusal(server: &Server, command: &[&str], file: &Path) -> String {
    let done = server.run(&[command, &[file.to_str().unwrap()]].concat(), "");
    assert!(!done.status.success(), "purser {command:?} succeeded: {done:?}");
    assert_eq!(done.stderr.lines().count(), 1, "{done:?}");
    done.stderr
}

#[track_caller]
fn check(server: &Server) {
    let checked = server.run(&["check"], "");
    assert!(checked.status.success(), "{checked:?}");
}

/// What is in a backup, by the names of tables and files, unpacked with the system's own tools.
fn contents(backup: &Path) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let mut tar = Command::new("tar");
    let done = tar.arg("-xzf").arg(backup).arg("-C").arg(folder.path()).output().expect("tar");
    assert!(done.status.success(), "{done:?}");
    assert_eq!(String::from_utf8_lossy(&done.stderr), "");
    let mut found = BTreeMap::new();
    collect(folder.path(), folder.path(), &mut found);
    assert!(found.contains_key("manifest.json") && found.contains_key("end.json"));
    found
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            found.insert(name, fs::read(&path).unwrap());
        }
    }
}

/// The rows of each table, sorted, and the files.
fn rows(backup: &Path) -> BTreeMap<String, Vec<String>> {
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, content) in contents(backup) {
        if name.starts_with("files/") {
            tables.insert(name, vec![format!("{content:?}")]);
        } else if let Some(part) = name.strip_prefix("tables/") {
            let (table, _) = part.split_once('/').unwrap();
            let text = String::from_utf8(content).unwrap();
            let rows = tables.entry(table.to_owned()).or_default();
            rows.extend(text.lines().map(str::to_owned));
        }
    }
    tables.values_mut().for_each(|rows| rows.sort());
    tables
}

/// Fails with what differs, table by table.
#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (rows(one), rows(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (table, rows) in &one {
        assert_eq!(rows, &other[table], "{table}");
    }
}
