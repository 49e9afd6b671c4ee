//! `cargo xtask bench`: builds what is measured with the release profile and runs `purser-bench`.

use crate::Result;
use crate::process::{cargo, exit_code, must_succeed, workspace};

pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    let build = ["build", "--release", "--package", "purser", "--package", "purser-bench"];
    must_succeed(cargo().args(build))?;
    let release = target_folder().join("release");
    let mut command = std::process::Command::new(release.join("purser-bench"));
    command.args(arguments).env("PURSER_BENCH_BINARY", release.join("purser"));
    exit_code(command.current_dir(workspace()))
}

fn target_folder() -> std::path::PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => workspace().join(folder),
        None => workspace().join("target"),
    }
}
