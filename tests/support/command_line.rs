//! The program's other commands, run to their end on the server's data.

use std::io::Write;
use std::process::{Command, ExitStatus, Stdio};

use serde_json::Value;

use super::secrets;
use super::server::{Options, Server};

/// What a command printed and how it ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Outcome {
    /// The output as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in output {:?}", self.stdout))
    }
}

impl Server {
    /// Runs a command; `input` goes to its standard input.
    #[track_caller]
    pub(crate) fn run(&self, arguments: &[&str], input: &str) -> Outcome {
        outcome(self.command(), arguments, input)
    }

    /// Runs a command with more settings than the server's.
    #[track_caller]
    pub(crate) fn run_with(&self, options: &Options, arguments: &[&str]) -> Outcome {
        outcome(self.command_with(options), arguments, "")
    }

    /// Runs a command with `--json` that must succeed, and reads what it printed.
    #[track_caller]
    pub(crate) fn run_json(&self, arguments: &[&str], input: &str) -> Value {
        let outcome = self.run(&[&["--json"], arguments].concat(), input);
        assert!(outcome.status.success(), "purser {arguments:?} failed: {outcome:?}");
        outcome.json()
    }
}

#[track_caller]
fn outcome(mut command: Command, arguments: &[&str], input: &str) -> Outcome {
    let mut child = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A command that refuses its arguments may end before it reads.
    let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("its output");
    secrets::require_none("standard output", &output.stdout);
    secrets::require_none("the error output", &output.stderr);
    Outcome {
        status: output.status,
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}
