//! Finding the object store that the tests of files in a bucket talk to, and installing it when
//! that is wanted: s3rver, from the registry of npm. It doesn't check signatures of version 4.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::apt;
use crate::process::{answers, must_succeed, workspace};

/// The folder in which it is installed.
const FOLDER: &str = "target/s3rver";
const VERSION: &str = "3.7.1";

/// Finds the program of the store, which Node runs; with `install`, fetches what is missing.
pub(crate) fn find_or_install(install: bool) -> Result<PathBuf> {
    match find() {
        Ok(found) => Ok(found),
        Err(missing) if !install => Err(format!("{missing}; run cargo xtask test --install")),
        Err(missing) => {
            println!("{missing}: installing it");
            if !has("node") {
                apt::install(&["nodejs"])?;
            }
            if !has("npm") {
                apt::install(&["npm"])?;
            }
            let folder = workspace().join(FOLDER);
            fs::create_dir_all(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
            let options =
                ["install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--no-save"];
            let mut npm = Command::new("npm");
            npm.args(options).arg("--prefix").arg(&folder).arg(format!("s3rver@{VERSION}"));
            must_succeed(&mut npm)?;
            find().map_err(|missing| format!("{missing}, even after it was installed"))
        }
    }
}

fn find() -> Result<PathBuf> {
    if !has("node") {
        return Err("Node is not here, which runs the object store of the tests".to_owned());
    }
    let package = workspace().join(FOLDER).join("node_modules/s3rver");
    let manifest = fs::read_to_string(package.join("package.json")).unwrap_or_default();
    if !manifest.contains(&format!("\"version\": \"{VERSION}\"")) {
        return Err(format!("s3rver {VERSION} is not here, the object store of the tests"));
    }
    Ok(package.join("bin/s3rver.js"))
}

fn has(program: &str) -> bool {
    answers(Command::new(program).arg("--version"))
}
