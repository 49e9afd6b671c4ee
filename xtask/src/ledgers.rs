//! Finding the accounting programs that the ledger is compared with, and installing them when that
//! is wanted: hledger comes from Debian, Beancount into an environment of its own below `target/`.

use std::path::PathBuf;
use std::process::Command;

use crate::Result;
use crate::apt;
use crate::process::{answers, workspace};
use crate::python;

/// The environment of Python that has Beancount.
const ENVIRONMENT: &str = "target/beancount";

/// The accounting programs that the ledger is compared with.
#[derive(Debug)]
pub(crate) struct Ledgers {
    /// The hledger program, which adds up journals.
    pub(crate) hledger: PathBuf,
    /// A Python that has Beancount.
    pub(crate) beancount: PathBuf,
}

/// Finds the programs; with `install`, fetches what is missing.
pub(crate) fn find_or_install(install: bool) -> Result<Ledgers> {
    match find() {
        Ok(found) => Ok(found),
        Err(missing) if !install => {
            Err(format!("{missing}; install it or run cargo xtask test --install"))
        }
        Err(missing) => {
            println!("{missing}: installing it");
            if !has_hledger() {
                apt::install(&["hledger"])?;
            }
            if !has_beancount() {
                python::install(ENVIRONMENT, "beancount==3.*")?;
            }
            find().map_err(|missing| format!("{missing}, even after it was installed"))
        }
    }
}

fn find() -> Result<Ledgers> {
    if !has_hledger() {
        return Err("hledger is not here, which balances are compared with".to_owned());
    }
    if !has_beancount() {
        return Err("Beancount is not here, which lots are compared with".to_owned());
    }
    Ok(Ledgers { hledger: "hledger".into(), beancount: python() })
}

fn has_hledger() -> bool {
    answers(Command::new("hledger").arg("--version"))
}

fn has_beancount() -> bool {
    answers(Command::new(python()).args(["-c", "import beancount"]))
}

fn python() -> PathBuf {
    workspace().join(ENVIRONMENT).join("bin/python")
}
