//! `cargo xtask test`: doc tests, then everything else by the test runner.
//!
//! A PostgreSQL server is started for the run and its URL is given to the tests in
//! `PURSER_TEST_POSTGRES`, so that no test has a reason to skip. For the same reason a browser must
//! be there, the accounting programs that the ledger is compared with, the programs that read the
//! description of the interface, an object store, and tesseract, which the server itself looks for.
//! The runner comes last: its summary ends the output, and its exit code is the result.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::browser::{self, Browser};
use crate::ledgers::{self, Ledgers};
use crate::objects;
use crate::openapi;
use crate::postgres::{self, Cluster};
use crate::process::{answers, cargo, exit_code};
use crate::{Result, scratch, tesseract};

/// Where the tests find a server in which they may create databases.
const URL_VARIABLE: &str = "PURSER_TEST_POSTGRES";
/// The same server for a superuser, whom the program refuses.
const SUPERUSER_VARIABLE: &str = "PURSER_TEST_POSTGRES_SUPERUSER";
/// And the certificate of the authority that vouches for that server.
const AUTHORITY_VARIABLE: &str = "PURSER_TEST_POSTGRES_AUTHORITY";
/// Asks the journeys in the browser for pictures.
const PICTURES_VARIABLE: &str = "PURSER_TEST_PICTURES";
/// Where the tests of pages find a browser and its driver.
const BROWSER_VARIABLE: &str = "PURSER_TEST_BROWSER";
const DRIVER_VARIABLE: &str = "PURSER_TEST_WEBDRIVER";
/// Where the differential tests find the programs that they compare with.
const HLEDGER_VARIABLE: &str = "PURSER_TEST_HLEDGER";
const BEANCOUNT_VARIABLE: &str = "PURSER_TEST_BEANCOUNT";
/// Where the tests of the API's description find a Python with a validator and a generator.
const OPENAPI_VARIABLE: &str = "PURSER_TEST_OPENAPI";
/// Where the tests of files in a bucket find the program of the object store.
const OBJECTS_VARIABLE: &str = "PURSER_TEST_OBJECT_STORE";
/// Where the values that properties are tried with begin.
const PROPERTIES_VARIABLE: &str = "PROPTEST_RNG_SEED";

/// The programs that tests look through or compare with.
struct Programs {
    browser: Browser,
    ledgers: Ledgers,
    openapi: PathBuf,
    objects: PathBuf,
}

pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    let (own, for_runner) = match arguments.iter().position(|argument| argument == "--") {
        Some(at) => (&arguments[..at], &arguments[at + 1..]),
        None => (arguments, [].as_slice()),
    };
    let mut install = false;
    for argument in own {
        match argument.as_str() {
            "--install" => install = true,
            other => return Err(format!("test doesn't know '{other}'; see cargo xtask help")),
        }
    }

    with_servers(install, &scratch::folder(), for_runner, &[])
}

/// Runs tests beside the servers and programs that they need, with variables of their own, and
/// temporary files in `folder`. Everything is run if nothing is chosen.
pub(crate) fn with_servers(
    install: bool,
    folder: &Path,
    for_runner: &[String],
    variables: &[(&str, String)],
) -> Result<u8> {
    tesseract::require(install)?;
    let programs = Programs {
        browser: browser::find_or_install(install)?,
        ledgers: ledgers::find_or_install(install)?,
        openapi: openapi::find_or_install(install)?,
        objects: objects::find_or_install(install)?,
    };
    let binaries = postgres::binaries::find_or_install(install)?;
    let cluster = Cluster::start(&binaries, folder, true)?;
    let shown = folder.display();
    println!("PostgreSQL {} on {}, temporary files in {shown}", binaries.version, cluster.url());

    if for_runner.is_empty() {
        let code = exit_code(prepared(&cluster, &programs).args(["test", "--doc", "--workspace"]))?;
        if code != 0 {
            return Ok(code);
        }
    } else {
        println!("doc tests are left out: arguments are for the test runner");
    }
    let mut runner = prepared(&cluster, &programs);
    runner.env("TMPDIR", folder);
    runner.envs(variables.iter().map(|(name, value)| (name, value)));
    if answers(cargo().args(["nextest", "--version"])) {
        runner.args(["nextest", "run"]).args(for_runner);
        if !for_runner.iter().any(|argument| argument.starts_with("--test-threads")) {
            runner.arg(format!("--test-threads={}", tests_at_once()));
        }
        // The whole workspace, unless packages are named.
        if !for_runner.iter().any(|argument| argument == "-p" || argument == "--package") {
            runner.arg("--workspace");
        }
    } else {
        // Named one by one, because the doc tests have run.
        runner.args(["test", "--workspace", "--lib", "--bins", "--tests"]);
        runner.arg("--no-fail-fast").arg("--").args(for_runner);
    }
    exit_code(&mut runner)
}

/// How many tests run at the same time: more than there are processors, because most tests wait
/// half of their time, for a database, a browser or a server.
fn tests_at_once() -> usize {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    processors * 2
}

/// Cargo with the server's address, and without a developer's own settings of the program.
fn prepared(cluster: &Cluster, programs: &Programs) -> Command {
    let mut command = cargo();
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PURSER_") && name != PICTURES_VARIABLE {
            command.env_remove(name);
        }
    }
    // The same values in each run, so that a change fails for its own sake.
    if std::env::var_os(PROPERTIES_VARIABLE).is_none() {
        command.env(PROPERTIES_VARIABLE, "1");
    }
    command.env(URL_VARIABLE, cluster.url());
    command.env(SUPERUSER_VARIABLE, cluster.superuser_url());
    command.env(AUTHORITY_VARIABLE, cluster.authority());
    let Programs { browser, ledgers, openapi, objects } = programs;
    command.env(BROWSER_VARIABLE, &browser.browser);
    command.env(DRIVER_VARIABLE, &browser.driver);
    command.env(HLEDGER_VARIABLE, &ledgers.hledger);
    command.env(BEANCOUNT_VARIABLE, &ledgers.beancount);
    command.env(OPENAPI_VARIABLE, openapi);
    command.env(OBJECTS_VARIABLE, objects);
    command
}
