//! `cargo xtask bench`: builds what is measured with the release profile and runs `purser-bench`.
//!
//! When a measurement is to run on PostgreSQL, a throwaway server is started for it.

use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::postgres::{self, Cluster};
use crate::process::{cargo, exit_code, must_succeed, workspace};

pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    let build = ["build", "--release", "--package", "purser", "--package", "purser-bench"];
    must_succeed(cargo().args(build))?;
    let release = target_folder().join("release");
    let program = || {
        let mut command = Command::new(release.join("purser-bench"));
        command.env("PURSER_BENCH_BINARY", release.join("purser")).current_dir(workspace());
        command
    };
    if arguments.is_empty() {
        // Without a name: every table on SQLite that needs nothing else.
        for name in ["import", "scale", "native", "waits", "undo", "start", "reads", "ledger"] {
            must_succeed(program().arg(name))?;
        }
        return Ok(0);
    }
    let mut command = program();
    command.args(arguments);
    let needs_postgres =
        |argument: &String| ["postgres", "both", "copy"].contains(&argument.as_str());
    let cluster = if arguments.iter().any(needs_postgres) {
        let binaries = postgres::binaries::find_or_install(false)?;
        Some(Cluster::start(&binaries, &std::env::temp_dir(), false)?)
    } else {
        None
    };
    if let Some(cluster) = &cluster {
        command.env("PURSER_BENCH_POSTGRES", cluster.url());
    }
    exit_code(&mut command)
}

fn target_folder() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => workspace().join(folder),
        None => workspace().join("target"),
    }
}
