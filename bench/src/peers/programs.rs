//! The programs: how each is had, what it calls its version, and how it is started.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;
use crate::server::binary;

/// A program and its script.
pub(super) struct Program {
    pub(super) name: &'static str,
    /// The folder below `bench/peers`.
    pub(super) folder: &'static str,
    pub(super) prepare: fn(&Path) -> Result<()>,
    pub(super) version: fn(&Path) -> Result<String>,
    /// The import of a file into the books in a folder.
    pub(super) command: fn(&Path, &Path, &Path) -> Result<Command>,
}

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        name: "hledger",
        folder: "hledger",
        prepare: |_| debian_package("hledger", "hledger"),
        version: |_| {
            let text = output(Command::new("hledger").arg("--version"))?;
            Ok(text.split([' ', ',']).nth(1).unwrap_or("?").to_owned())
        },
        command: |_, csv, books| {
            let mut command = Command::new("sh");
            command.arg(script("hledger/import.sh")?).arg(csv).arg(books);
            Ok(command)
        },
    },
    Program {
        name: "Beancount",
        folder: "beancount",
        prepare: prepare_beancount,
        version: |tools| {
            let print = "import beancount; print(beancount.__version__)";
            output(Command::new(python(tools)).args(["-c", print]))
        },
        command: |tools, csv, books| {
            let mut command = Command::new(python(tools));
            command.arg(script("beancount/import.py")?).arg(csv).arg(books);
            Ok(command)
        },
    },
    Program {
        name: "GnuCash",
        folder: "gnucash",
        prepare: |_| debian_package("python3-gnucash", "gnucash-cli"),
        version: |_| {
            let text = output(Command::new("gnucash-cli").arg("--version"))?;
            Ok(text.split_whitespace().last().unwrap_or("?").to_owned())
        },
        command: |_, csv, books| {
            // The bindings belong to the system's own Python.
            let mut command = Command::new("/usr/bin/python3");
            command.arg(script("gnucash/import.py")?).arg(csv).arg(books);
            Ok(command)
        },
    },
    Program {
        name: "Actual",
        folder: "actual",
        prepare: prepare_actual,
        version: |tools| {
            let file = modules(tools).join("node_modules/@actual-app/api/package.json");
            let package: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
            Ok(package["version"].as_str().unwrap_or("?").to_owned())
        },
        command: |tools, csv, books| {
            let mut command = Command::new("node");
            command.arg(script("actual/import.mjs")?).arg(csv).arg(books);
            command.env("PEER_MODULES", modules(tools));
            Ok(command)
        },
    },
];

/// Where what is installed is kept: `target/peers`.
pub(super) fn tools() -> Result<PathBuf> {
    let binary = binary()?;
    let target = binary.parent().and_then(Path::parent).ok_or("the binary has no folder")?;
    let tools = target.join("peers");
    std::fs::create_dir_all(&tools)?;
    Ok(tools)
}

fn script(path: &str) -> Result<PathBuf> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(path).canonicalize()?)
}

pub(super) fn python(tools: &Path) -> PathBuf {
    tools.join("beancount/bin/python")
}

fn modules(tools: &Path) -> PathBuf {
    tools.join("actual")
}

fn prepare_beancount(tools: &Path) -> Result<()> {
    if python(tools).exists() {
        return Ok(());
    }
    must_succeed(Command::new("python3").args(["-m", "venv"]).arg(tools.join("beancount")))?;
    let packages = ["-m", "pip", "install", "--quiet", "beancount", "beangulp"];
    must_succeed(Command::new(python(tools)).args(packages))
}

fn prepare_actual(tools: &Path) -> Result<()> {
    let folder = modules(tools);
    if folder.join("node_modules/@actual-app/api").exists() {
        return Ok(());
    }
    std::fs::create_dir_all(&folder)?;
    std::fs::copy(script("actual/package.json")?, folder.join("package.json"))?;
    must_succeed(
        Command::new("npm").args(["install", "--no-fund", "--no-audit"]).current_dir(folder),
    )
}

/// Installs a package unless its program is there.
fn debian_package(package: &str, program: &str) -> Result<()> {
    if Command::new(program).arg("--version").output().is_ok() {
        return Ok(());
    }
    must_succeed(Command::new("apt-get").args([
        "install",
        "-y",
        "--no-install-recommends",
        package,
    ]))
}

fn must_succeed(command: &mut Command) -> Result<()> {
    let program = command.get_program().to_string_lossy().into_owned();
    let done = command.stdin(Stdio::null()).stdout(Stdio::null()).output()?;
    if done.status.success() {
        return Ok(());
    }
    let errors = String::from_utf8_lossy(&done.stderr);
    let last = errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("").to_owned();
    Err(format!("{program}: {} {last}", done.status).into())
}

fn output(command: &mut Command) -> Result<String> {
    let done = command.output()?;
    let text = String::from_utf8_lossy(&done.stdout).trim().to_owned();
    if done.status.success() { Ok(text) } else { Err(format!("{}", done.status).into()) }
}
