//! The peer of the import: the `sqlite3` program on the same files, see `sql/`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::Result;

const SCHEMA: &str = include_str!("../sql/peer_schema.sql");
const IMPORT: &str = include_str!("../sql/peer_import.sql");

/// What the peer made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) entries: u64,
    pub(crate) tags_of_entries: u64,
    pub(crate) balances: u64,
}

/// The version of the program. If it is missing, the error names what to install.
pub(crate) fn version() -> Result<String> {
    let output = Command::new("sqlite3").arg("--version").output().map_err(|error| {
        format!("the sqlite3 program is needed ({error}): apt-get install sqlite3")
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.split_whitespace().next().unwrap_or("?").to_owned())
}

/// A database of the peer.
#[derive(Debug)]
pub(crate) struct Peer {
    folder: PathBuf,
}

impl Peer {
    /// Not made before the first import, which is to an empty database.
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Imports a file to be there before the one that counts.
    pub(crate) fn fill(&self, csv: &Path) -> Result<()> {
        self.import(csv)?;
        let dropped = Command::new("sqlite3")
            .args(["-batch", "-init", "/dev/null"])
            .arg(self.folder.join("peer.db"))
            .arg("DROP TABLE raw")
            .status()?;
        if dropped.success() { Ok(()) } else { Err(format!("sqlite3 failed: {dropped}").into()) }
    }

    /// Imports a file; the wall time of the whole program, and what is there then.
    pub(crate) fn import(&self, csv: &Path) -> Result<(Duration, Stored)> {
        let file = csv.to_str().filter(|path| !path.contains(['"', ' ', '\n']));
        let file = file.ok_or("the path of the file has characters that sqlite3 needs quoted")?;
        let import = IMPORT.replace(".import FILE raw", &format!(".import {file} raw"));
        let script = self.folder.join("peer.sql");
        std::fs::write(&script, format!("{SCHEMA}\n{import}"))?;

        let started = Instant::now();
        let output = Command::new("sqlite3")
            .args(["-batch", "-init", "/dev/null"])
            .arg(self.folder.join("peer.db"))
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
}

fn parse(line: &str) -> Result<Stored> {
    let numbers: Vec<u64> =
        line.split('|').map(str::parse).collect::<std::result::Result<_, _>>()?;
    match numbers[..] {
        [entries, tags_of_entries, balances] => Ok(Stored { entries, tags_of_entries, balances }),
        _ => Err(format!("sqlite3 printed {line:?} instead of three counts").into()),
    }
}
