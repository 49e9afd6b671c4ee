//! `cargo xtask prove`: proofs of what the program promises, at length.
//!
//! Their short forms are tests like all others. A proof at length runs in a release build, without
//! a bound on its time.

use crate::Result;
use crate::test;

/// A proof: the tests that it is, and where they are, so that nothing else is built.
struct Proof {
    name: &'static str,
    targets: &'static [&'static str],
    tests: &'static str,
    /// What is compiled into the program for the controls: the name of a feature.
    defect: Option<&'static str>,
}

/// Those tests of a proof that have to find a planted defect.
const CONTROLS: &str = "test(/(_finds?_|_(is|are)_found$)/)";

const IN_CRASH: &[&str] = &["-p", "purser", "--test", "crash"];
const IN_PROOFS: &[&str] = &["-p", "purser", "--test", "proofs"];
const IN_HTTP: &[&str] = &["-p", "purser", "--test", "http"];
const IN_STORE_TOO: &[&str] =
    &["-p", "purser", "-p", "purser-store", "--lib", "--test", "http", "--test", "proofs"];
const IN_APP_TOO: &[&str] = &["-p", "purser", "-p", "purser-app", "--lib", "--test", "proofs"];

const fn proof(name: &'static str, targets: &'static [&'static str], tests: &'static str) -> Proof {
    Proof { name, targets, tests, defect: None }
}

const PROOFS: [Proof; 12] = [
    Proof { defect: Some("planted-defect"), ..proof("kills", IN_CRASH, "binary(crash)") },
    proof("power-cuts", IN_PROOFS, "test(/^power_cuts/)"),
    proof(
        "leases",
        IN_STORE_TOO,
        "(binary(http) & test(/^nodes::/)) | \
            (package(purser-store) & test(/^jobs::tests::/)) | \
            (binary(proofs) & test(/^leases/))",
    ),
    proof("retries", IN_PROOFS, "test(/^retries/)"),
    proof("same-day", IN_PROOFS, "test(/^same_day/)"),
    proof("io-faults", IN_PROOFS, "test(/^io_faults/)"),
    proof("upgrades", IN_PROOFS, "test(/^upgrades/)"),
    proof("nodes", IN_PROOFS, "test(/^nodes/)"),
    proof("long-life", IN_PROOFS, "test(/^long_life/)"),
    proof("clocks", IN_PROOFS, "test(/^clocks/)"),
    proof("undos", IN_HTTP, "test(/^imports::undo_state/)"),
    proof(
        "syncs",
        IN_APP_TOO,
        "(package(purser-app) & test(/^connections::histories/)) | \
            (binary(proofs) & test(/^syncs/))",
    ),
];

/// Runs the controls, which must find what is planted, and then the proof itself. A program with a
/// defect is built first, so that what is left is one without.
pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    let Some((name, options)) = arguments.split_first() else { return list() };
    let mut variables = vec![("PURSER_PROOF_LENGTH", "long".to_owned())];
    for option in options.chunks(2) {
        variables.push(variable(option)?);
    }
    let Some(proof) = PROOFS.iter().find(|proof| proof.name == name) else {
        return Err(format!("there is no proof '{name}'; cargo xtask prove lists them"));
    };
    let tests = proof.tests;
    let controlled = run_tests(proof, proof.defect, &format!("({tests}) & {CONTROLS}"), &[])?;
    let proved = run_tests(proof, None, &format!("({tests}) - {CONTROLS}"), &variables)?;
    match (controlled, proved) {
        (0, proved) => Ok(proved),
        (code, _) => {
            eprintln!("xtask: a planted defect was not found, so the proof shows nothing");
            Ok(code)
        }
    }
}

/// No test at all is a failure, too.
fn run_tests(
    proof: &Proof,
    defect: Option<&str>,
    tests: &str,
    variables: &[(&str, String)],
) -> Result<u8> {
    let mut runner = vec!["--release", "--profile", "proof", "--success-output", "final"];
    runner.extend(["--no-tests", "fail", "-E", tests]);
    runner.extend(proof.targets);
    runner.extend(defect.iter().flat_map(|defect| ["--features", defect]));
    let runner: Vec<String> = runner.into_iter().map(str::to_owned).collect();
    // What runs at length may need more room than there is memory.
    test::with_servers(false, &std::env::temp_dir(), &runner, variables)
}

/// The variable that an option with its number sets.
fn variable(option: &[String]) -> Result<(&'static str, String)> {
    let name = match option {
        [name, _] if name == "--seed" => "PURSER_TEST_SEED",
        [name, _] if name == "--minutes" => "PURSER_PROOF_MINUTES",
        _ => "",
    };
    match option {
        [_, number] if !name.is_empty() && number.parse::<u32>().is_ok() => {
            Ok((name, number.clone()))
        }
        _ => Err("prove takes a name, --seed N and --minutes N; see cargo xtask help".to_owned()),
    }
}

fn list() -> Result<u8> {
    for Proof { name, tests, .. } in PROOFS {
        println!("{name:12} {tests}");
    }
    Ok(0)
}
