//! Finding the object store that the tests of files in a bucket talk to, and building it when that
//! is wanted: s3s-fs, a server that checks signatures and keeps objects in a folder.

use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::process::{cargo, must_succeed, output_of, workspace};

/// The folder in which it is installed.
const FOLDER: &str = "target/s3s-fs";
const VERSION: &str = "0.14.1";

/// Finds the program of the store; with `install`, builds what is missing.
pub(crate) fn find_or_install(install: bool) -> Result<PathBuf> {
    let folder = workspace().join(FOLDER);
    let program = folder.join("bin/s3s-fs");
    let is_there = || {
        let shown = output_of(Command::new(&program).arg("--version"));
        shown.is_some_and(|shown| shown.split_whitespace().any(|word| word == VERSION))
    };
    if is_there() {
        return Ok(program);
    }
    let missing = format!("s3s-fs {VERSION} is not here, the object store of the tests");
    if !install {
        return Err(format!("{missing}; run cargo xtask test --install"));
    }
    println!("{missing}: installing it");
    let mut command = cargo();
    command.args(["install", "--quiet", "--locked", "--debug", "--features", "binary"]);
    command.arg("--root").arg(&folder).arg("--target-dir").arg(folder.join("build"));
    // Half of the time and a third of the size, and nobody looks into it.
    command.env("CARGO_PROFILE_DEV_DEBUG", "none");
    must_succeed(command.arg(format!("s3s-fs@{VERSION}")))?;
    // What the build leaves is larger than everything else.
    std::fs::remove_dir_all(folder.join("build")).map_err(|error| format!("{FOLDER}: {error}"))?;
    match is_there() {
        true => Ok(program),
        false => Err(format!("{missing}, even after it was installed")),
    }
}
