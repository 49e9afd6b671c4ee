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
}

const IN_CRASH: &[&str] = &["-p", "purser", "--test", "crash"];
const IN_PROOFS: &[&str] = &["-p", "purser", "--test", "proofs"];
const IN_HTTP: &[&str] = &["-p", "purser", "--test", "http"];
const IN_STORE_TOO: &[&str] =
    &["-p", "purser", "-p", "purser-store", "--lib", "--test", "http", "--test", "proofs"];
const IN_APP_TOO: &[&str] = &["-p", "purser", "-p", "purser-app", "--lib", "--test", "proofs"];

const PROOFS: [Proof; 12] = [
    Proof { name: "kills", targets: IN_CRASH, tests: "binary(crash)" },
    Proof { name: "power-cuts", targets: IN_PROOFS, tests: "test(/^power_cuts/)" },
    Proof {
        name: "leases",
        targets: IN_STORE_TOO,
        tests: "(binary(http) & test(/^nodes::/)) | \
            (package(purser-store) & test(/^jobs::tests::/)) | \
            (binary(proofs) & test(/^leases/))",
    },
    Proof { name: "retries", targets: IN_PROOFS, tests: "test(/^retries/)" },
    Proof { name: "same-day", targets: IN_PROOFS, tests: "test(/^same_day/)" },
    Proof { name: "io-faults", targets: IN_PROOFS, tests: "test(/^io_faults/)" },
    Proof { name: "upgrades", targets: IN_PROOFS, tests: "test(/^upgrades/)" },
    Proof { name: "nodes", targets: IN_PROOFS, tests: "test(/^nodes/)" },
    Proof { name: "long-life", targets: IN_PROOFS, tests: "test(/^long_life/)" },
    Proof { name: "clocks", targets: IN_PROOFS, tests: "test(/^clocks/)" },
    Proof { name: "undos", targets: IN_HTTP, tests: "test(/^imports::undo_state/)" },
    Proof {
        name: "syncs",
        targets: IN_APP_TOO,
        tests: "(package(purser-app) & test(/^connections::histories/)) | \
            (binary(proofs) & test(/^syncs/))",
    },
];

pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    let Some((name, options)) = arguments.split_first() else { return list() };
    let mut variables = vec![("PURSER_PROOF_LENGTH", "long".to_owned())];
    for option in options.chunks(2) {
        variables.push(variable(option)?);
    }
    let Some(proof) = PROOFS.iter().find(|proof| proof.name == name) else {
        return Err(format!("there is no proof '{name}'; cargo xtask prove lists them"));
    };
    let runner =
        ["--release", "--profile", "proof", "--success-output", "final", "-E", proof.tests];
    let runner: Vec<String> =
        runner.iter().chain(proof.targets).map(|text| (*text).to_owned()).collect();
    // What runs at length may need more room than there is memory.
    test::with_servers(false, &std::env::temp_dir(), &runner, &variables)
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
