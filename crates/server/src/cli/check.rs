//! `purser check`: whether the data is whole.

use purser_app::check::{self, Outcome};
use purser_app::data::Data;
use purser_core::error::{Error, Result};
use serde::Serialize;

use super::import::is_server_running;
use super::output;
use super::{Globals, open_existing};

/// The result in JSON.
#[derive(Serialize)]
struct Report<'a> {
    ok: bool,
    checks: &'a [Outcome],
}

pub(super) fn run(globals: &Globals) -> Result<()> {
    let Data { store, files, .. } = open_existing(globals)?;
    let mut printer = Printer::new(globals);
    let each = |outcome: &Outcome| printer.outcome(outcome);
    // Nobody else writes where no server runs.
    let outcomes = match is_server_running(globals, &store)? {
        true => check::run_beside_server(&store, &files, each),
        false => check::run(&store, &files, each),
    };
    printer.end(&outcomes)
}

/// Prints outcomes as they come, or all of them at the end.
pub(super) struct Printer {
    json: bool,
    printed: Result<()>,
}

impl Printer {
    /// Prints what the command was asked for.
    pub(super) fn new(globals: &Globals) -> Self {
        Self { json: globals.json, printed: Ok(()) }
    }

    /// Prints an outcome for people.
    pub(super) fn outcome(&mut self, outcome: &Outcome) {
        if !self.json && self.printed.is_ok() {
            self.printed = output::line(line(outcome)).and_then(|()| problems(outcome));
        }
    }

    /// An error if a rule doesn't hold.
    pub(super) fn end(self, outcomes: &[Outcome]) -> Result<()> {
        self.printed?;
        let broken = outcomes.iter().filter(|outcome| !outcome.holds()).count();
        if self.json {
            output::json(&Report { ok: broken == 0, checks: outcomes })?;
        }
        match broken {
            0 => Ok(()),
            1 => Err(failed("One rule does not hold".to_owned())),
            several => Err(failed(format!("{several} rules do not hold"))),
        }
    }
}

fn failed(message: String) -> Error {
    Error::Conflict { code: "check_failed", message }
}

/// The rule, what was looked at, and what came of it, in columns.
fn line(outcome: &Outcome) -> String {
    let Outcome { rule, checked, unit, problems_count, .. } = outcome;
    let result = match (outcome.not_needed, problems_count) {
        (Some(why), 0) => return format!("{rule:<48}  {why}"),
        (_, 0) => "ok".to_owned(),
        (_, 1) => "1 PROBLEM".to_owned(),
        (_, several) => format!("{several} PROBLEMS"),
    };
    format!("{rule:<48}  {checked:>10} {unit:<13}  {result}")
}

fn problems(outcome: &Outcome) -> Result<()> {
    for problem in &outcome.problems {
        output::line(format!("    {problem}"))?;
    }
    let unnamed = outcome.problems_count.saturating_sub(outcome.problems.len() as u64);
    if unnamed > 0 {
        output::line(format!("    and {unnamed} more"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_what_was_checked_and_the_result() {
        let outcome = |not_needed, problems_count| Outcome {
            name: "jobs",
            rule: "Jobs have the lease of their state",
            checked: 12,
            unit: "jobs",
            not_needed,
            problems_count,
            problems: Vec::new(),
            is_broken_off: false,
        };
        for (outcome, end) in [
            (outcome(None, 0), "        12 jobs           ok"),
            (outcome(None, 1), "  1 PROBLEM"),
            (outcome(None, 30), "  30 PROBLEMS"),
            (outcome(Some("not here"), 0), "  not here"),
            (outcome(Some("not here"), 1), "  1 PROBLEM"),
        ] {
            let line = line(&outcome);
            assert!(line.ends_with(end), "{line}");
            assert!(line.starts_with("Jobs have the lease of their state  "), "{line}");
        }
    }
}
