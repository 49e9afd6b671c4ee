//! Packages of Python, each in an environment of its own below `target/`.

use std::process::Command;

use crate::Result;
use crate::apt;
use crate::process::{answers, must_succeed, workspace};

/// Installs a package into a new environment, given as a path in the workspace.
pub(crate) fn install(environment: &str, package: &str) -> Result<()> {
    if !answers(Command::new("python3").args(["-c", "import ensurepip"])) {
        apt::install(&["python3-venv"])?;
    }
    let environment = workspace().join(environment);
    must_succeed(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package];
    must_succeed(Command::new(environment.join("bin/python")).args(pip))
}
