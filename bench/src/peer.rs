//! The peer of the import: the `sqlite3` program on the same file, see `sql/peer.sql`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;

const SCRIPT: &str = include_str!("../sql/peer.sql");

/// What the peer made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) entries: u64,
    pub(crate) tags_of_entries: u64,
    pub(crate) balances: u64,
}

/// The version of the program; an error that says what to install if it is missing.
pub(crate) fn version() -> Result<String> {
    let output = Command::new("sqlite3").arg("--version").output().map_err(|error| {
        format!("the sqlite3 program is needed ({error}): apt-get install sqlite3")
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.split_whitespace().next().unwrap_or("?").to_owned())
}

/// Runs it on a fresh database in the folder; the wall time of the whole program.
pub(crate) fn run(folder: &Path, csv: &Path) -> Result<(Duration, Stored)> {
    let file = csv.to_str().filter(|path| !path.contains(['"', ' ', '\n']));
    let file = file.ok_or("the path of the file has characters that sqlite3 needs quoted")?;
    let script = folder.join("peer.sql");
    std::fs::write(&script, SCRIPT.replace(".import FILE raw", &format!(".import {file} raw")))?;

    let started = Instant::now();
    let output = Command::new("sqlite3")
        .args(["-batch", "-init", "/dev/null"])
        .arg(folder.join("peer.db"))
        .stdin(std::fs::File::open(&script)?)
        .stderr(Stdio::inherit())
        .output()?;
    let wall = started.elapsed();
    if !output.status.success() {
        return Err(format!("sqlite3 failed: {}", output.status).into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok((wall, parse(text.lines().last().unwrap_or_default())?))
}

fn parse(line: &str) -> Result<Stored> {
    let numbers: Vec<u64> =
        line.split('|').map(str::parse).collect::<std::result::Result<_, _>>()?;
    match numbers[..] {
        [entries, tags_of_entries, balances] => Ok(Stored { entries, tags_of_entries, balances }),
        _ => Err(format!("sqlite3 printed {line:?} instead of three counts").into()),
    }
}
