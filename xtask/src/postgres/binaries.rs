//! Finding the programs of a PostgreSQL server, and installing them when that is wanted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::apt;
use crate::process::output_of;

/// The oldest version that the program supports.
const VERSION_MIN: u32 = 15;
/// Folders that hold one folder for each installed version, with `bin` in it.
const VERSIONED: &[&str] = &["/usr/lib/postgresql", "/usr/local/lib/postgresql", "/opt/postgresql"];

/// A folder with `initdb` and `postgres`.
#[derive(Debug)]
pub(crate) struct Binaries {
    directory: PathBuf,
    /// The major version of the server.
    pub(crate) version: u32,
}

impl Binaries {
    /// The path of one program.
    pub(crate) fn path(&self, program: &str) -> PathBuf {
        self.directory.join(program)
    }

    fn at(directory: PathBuf) -> Option<Self> {
        if !directory.join("initdb").is_file() {
            return None;
        }
        let shown = output_of(Command::new(directory.join("postgres")).arg("--version"))?;
        Some(Self { directory, version: major_version(&shown)? })
    }
}

/// Finds the programs; with `install`, fetches them when they are missing or too old.
pub(crate) fn find_or_install(install: bool) -> Result<Binaries> {
    match find() {
        Ok(binaries) => Ok(binaries),
        Err(missing) if !install => Err(format!(
            "{missing}; install it (apt-get install postgresql) or run cargo xtask test --install"
        )),
        Err(missing) => {
            println!("{missing}: installing it with apt-get");
            apt::install(&["postgresql"])?;
            find().map_err(|missing| format!("{missing}, even after apt-get install postgresql"))
        }
    }
}

fn find() -> Result<Binaries> {
    let mut newest_too_old = None;
    for directory in candidates() {
        match Binaries::at(directory) {
            Some(binaries) if binaries.version >= VERSION_MIN => return Ok(binaries),
            Some(binaries) => newest_too_old = newest_too_old.max(Some(binaries.version)),
            None => {}
        }
    }
    Err(match newest_too_old {
        Some(version) => {
            format!("PostgreSQL {VERSION_MIN} or newer is needed, only version {version} is here")
        }
        None => format!("the server programs of PostgreSQL {VERSION_MIN} or newer are not here"),
    })
}

/// What `pg_config` names, then installed versions from new to old, then the search path.
fn candidates() -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Some(directory) = output_of(Command::new("pg_config").arg("--bindir")) {
        found.push(PathBuf::from(directory));
    }
    for parent in VERSIONED {
        found.extend(versions_below(Path::new(parent)));
    }
    if let Some(path) = std::env::var_os("PATH") {
        found.extend(std::env::split_paths(&path));
    }
    found
}

fn versions_below(parent: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    let mut versions: Vec<(u32, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())))
        .collect();
    versions.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    versions.into_iter().map(|(_, path)| path.join("bin")).collect()
}

/// `postgres (PostgreSQL) 15.4 (…)`, `17beta1`, `18devel`: the digits after the closing bracket.
fn major_version(shown: &str) -> Option<u32> {
    let (_, rest) = shown.split_once("(PostgreSQL) ")?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::major_version;

    #[test]
    fn versions_as_the_server_prints_them() {
        assert_eq!(major_version("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)"), Some(15));
        assert_eq!(major_version("postgres (PostgreSQL) 18beta1"), Some(18));
        assert_eq!(major_version("postgres (PostgreSQL) 19devel"), Some(19));
        assert_eq!(major_version("something else"), None);
    }
}
