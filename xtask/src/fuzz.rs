//! `cargo xtask fuzz`: runs the targets in `fuzz/` for a bounded time.
//!
//! Fuzzing needs `cargo-fuzz` and a nightly toolchain, because the sanitizers are only there.
//! `--check` compiles the targets on the stable toolchain, so that they don't rot where fuzzing
//! itself can't run.

use std::fs;
use std::process::Command;

use crate::Result;
use crate::process::{answers, cargo, exit_code, must_succeed, workspace};

const SECONDS_DEFAULT: u32 = 60;

pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    let mut target = None;
    let mut seconds = SECONDS_DEFAULT;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--check" => {
                return exit_code(cargo().args(["check", "--manifest-path", "fuzz/Cargo.toml"]));
            }
            "--seconds" => {
                let text = rest.next().map(String::as_str).unwrap_or_default();
                seconds = text.parse().map_err(|_| format!("--seconds: '{text}' is no number"))?;
            }
            name if !name.starts_with('-') && target.is_none() => target = Some(name.to_owned()),
            other => return Err(format!("fuzz doesn't know '{other}'; see cargo xtask help")),
        }
    }
    let known = targets()?;
    let chosen = match target {
        None => known,
        Some(name) if known.contains(&name) => vec![name],
        Some(name) => {
            return Err(format!("no target '{name}'; there are {}", known.join(", ")));
        }
    };
    check_tools()?;
    for name in chosen {
        println!("fuzzing {name} for {seconds} s");
        must_succeed(nightly().args(["fuzz", "run", &name]).args(folders(&name)?).arg("--").args(
            [
                format!("-max_total_time={seconds}"),
                "-timeout=10".to_owned(),
                "-rss_limit_mb=2048".to_owned(),
            ],
        ))?;
    }
    Ok(0)
}

/// The folder that grows while a target runs, and the one with what it begins with, if it has one.
fn folders(name: &str) -> Result<Vec<String>> {
    let [corpus, seeds] = ["corpus", "seeds"].map(|folder| format!("fuzz/{folder}/{name}"));
    if !workspace().join(&seeds).is_dir() {
        return Ok(Vec::new());
    }
    let grows = workspace().join(&corpus);
    fs::create_dir_all(&grows).map_err(|error| format!("{grows:?}: {error}"))?;
    Ok(vec![corpus, seeds])
}

/// The names of the targets are the names of their files.
fn targets() -> Result<Vec<String>> {
    let folder = workspace().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{folder:?}: {error}"))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".rs")?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

fn check_tools() -> Result<()> {
    if !answers(nightly().arg("--version")) {
        return Err("fuzzing needs a nightly toolchain: rustup toolchain install nightly".into());
    }
    if !answers(nightly().args(["fuzz", "--version"])) {
        return Err("fuzzing needs cargo-fuzz: cargo install cargo-fuzz".into());
    }
    Ok(())
}

/// Cargo of the nightly toolchain: by its proxy, since the cargo that runs us is stable's own.
fn nightly() -> Command {
    let mut command = Command::new("cargo");
    command.arg("+nightly").env_remove("RUSTUP_TOOLCHAIN").current_dir(workspace());
    command
}
