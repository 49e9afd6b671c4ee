//! Installing Debian packages, when that is wanted.

use std::process::Command;

use crate::Result;
use crate::postgres::account;
use crate::process::must_succeed;

/// Installs packages, without what they only recommend.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    must_succeed(apt_get().arg("update"))?;
    must_succeed(apt_get().args(["install", "--yes", "--no-install-recommends"]).args(packages))
}

fn apt_get() -> Command {
    let mut command = if account::is_root() {
        Command::new("apt-get")
    } else {
        let mut command = Command::new("sudo");
        // sudo clears the environment, so the variable is set on its other side.
        command.args(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        command
    };
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}
