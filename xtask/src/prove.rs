//! `cargo xtask prove`: proofs of what the program promises, at length.
//!
//! Their short forms are tests like all others. A proof at length runs in a release build, without
//! a bound on its time.

use crate::Result;
use crate::test;

/// The proofs, and the tests that each of them is.
const PROOFS: [(&str, &str); 12] = [
    ("kills", "binary(crash)"),
    ("power-cuts", "binary(proofs) & test(/^power_cuts/)"),
    (
        "leases",
        "(binary(http) & test(/^nodes::/)) | (package(purser-store) & test(/^jobs::tests::/)) | \
         (binary(proofs) & test(/^leases/))",
    ),
    ("retries", "binary(proofs) & test(/^retries/)"),
    ("same-day", "binary(proofs) & test(/^same_day/)"),
    ("io-faults", "binary(proofs) & test(/^io_faults/)"),
    ("upgrades", "binary(proofs) & test(/^upgrades/)"),
    ("nodes", "binary(proofs) & test(/^nodes/)"),
    ("long-life", "binary(proofs) & test(/^long_life/)"),
    ("clocks", "binary(proofs) & test(/^clocks/)"),
    ("undos", "binary(http) & test(/^imports::undo_state/)"),
    (
        "syncs",
        "(package(purser-app) & test(/^connections::histories/)) | \
         (binary(proofs) & test(/^syncs/))",
    ),
];

pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    let mut variables = vec![("PURSER_PROOF_LENGTH", "long".to_owned())];
    let name = match arguments {
        [] => return list(),
        [name] => name,
        [name, option, seed] if option == "--seed" => {
            variables.push(("PURSER_TEST_SEED", seed.clone()));
            name
        }
        _ => return Err("prove takes a name and --seed N; see cargo xtask help".to_owned()),
    };
    let Some((_, tests)) = PROOFS.iter().find(|(known, _)| known == name) else {
        return Err(format!("there is no proof '{name}'; cargo xtask prove lists them"));
    };
    let runner = ["--release", "--profile", "proof", "--success-output", "final"];
    let runner = runner.into_iter().chain(["-E", tests]);
    // What runs at length may need more room than there is memory.
    let folder = std::env::temp_dir();
    test::with_servers(false, &folder, &runner.map(str::to_owned).collect::<Vec<_>>(), &variables)
}

fn list() -> Result<u8> {
    for (name, tests) in PROOFS {
        println!("{name:12} {tests}");
    }
    Ok(0)
}
