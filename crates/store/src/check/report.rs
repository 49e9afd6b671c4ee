//! What a check found.

use purser_core::error::{Error, Result};
use serde::Serialize;

use crate::driver::{DatabaseError, Sql, Tx};

/// The number of problems of a check that are named; further ones are only counted.
pub const PROBLEMS_NAMED: usize = 20;

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// The check's stable name.
    #[serde(rename = "check")]
    pub name: &'static str,
    /// The rule that should hold.
    pub rule: &'static str,
    /// The number of things that were checked, in `unit`.
    pub checked: u64,
    /// The noun for what was counted.
    pub unit: &'static str,
    /// The reason why there is nothing to check, if there is nothing.
    pub not_needed: Option<&'static str>,
    /// The number of problems that were found.
    pub problems_count: u64,
    /// The first of the problems.
    pub problems: Vec<String>,
    /// Whether the check was broken off before its end; that is one of the problems.
    #[serde(skip)]
    pub is_broken_off: bool,
}

impl Outcome {
    /// Whether the rule holds.
    pub fn holds(&self) -> bool {
        self.problems_count == 0
    }

    /// Only the problems that an earlier look has found, too. If there are more than are named,
    /// they can't be compared, and all of them stay. So do those of both looks if one of them was
    /// broken off: it may have missed what the other one has found.
    pub(super) fn and_before(mut self, earlier: &Self) -> Self {
        if self.is_broken_off || earlier.is_broken_off {
            let mut others = earlier.problems.clone();
            let named = others.len() as u64;
            others.retain(|problem| !self.problems.contains(problem));
            let unnamed = earlier.problems_count.saturating_sub(named);
            self.problems_count += others.len() as u64 + unnamed;
            self.problems.extend(others);
            self.problems.truncate(PROBLEMS_NAMED);
            self.is_broken_off = true;
            return self;
        }
        let are_named = |one: &Self| one.problems_count == one.problems.len() as u64;
        if are_named(&self) && are_named(earlier) {
            self.problems.retain(|problem| earlier.problems.contains(problem));
            self.problems_count = self.problems.len() as u64;
        }
        self
    }
}

/// What a check has found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    checked: u64,
    not_needed: Option<&'static str>,
    problems_count: u64,
    problems: Vec<String>,
}

impl Findings {
    /// Adds to the number of things that were checked.
    pub(super) fn count(&mut self, checked: u64) {
        self.checked += checked;
    }

    /// Like [`Findings::count`], with the number that a statement returns.
    pub(super) fn count_rows(&mut self, tx: &mut Tx<'_>, sql: &Sql) -> Result<()> {
        let rows = tx.query_one(sql, &[], |row| row.count(0))?;
        self.count(rows);
        Ok(())
    }

    /// Records that there is nothing to check.
    pub(super) fn not_needed(&mut self, why: &'static str) {
        self.not_needed = Some(why);
    }

    /// Counts a problem; it is only put into words if it is one of the first.
    pub(super) fn problem(&mut self, sentence: impl FnOnce() -> String) {
        self.problems_count += 1;
        if self.problems.len() < PROBLEMS_NAMED {
            self.problems.push(sentence());
        }
    }

    pub(super) fn into_outcome(
        mut self,
        (name, rule, unit): (&'static str, &'static str, &'static str),
        result: Result<()>,
    ) -> Outcome {
        let is_broken_off = result.is_err();
        if let Err(error) = result {
            self.problem(|| format!("the check can't be carried out: {}", with_cause(&error)));
        }
        Outcome {
            name,
            rule,
            checked: self.checked,
            unit,
            not_needed: self.not_needed,
            problems_count: self.problems_count,
            problems: self.problems,
            is_broken_off,
        }
    }
}

/// An error with its private half, for the operator; statements are left out.
pub(super) fn with_cause(error: &Error) -> String {
    let cause = match error {
        Error::Internal { cause } | Error::Unavailable { cause, .. } => cause,
        other => return other.to_string(),
    };
    match cause.downcast_ref::<DatabaseError>() {
        Some(error) => error.message.clone(),
        None => cause.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked(problems: &[&str], result: Result<()>) -> Outcome {
        let mut findings = Findings::default();
        problems.iter().for_each(|problem| findings.problem(|| (*problem).to_owned()));
        findings.into_outcome(("name", "rule", "unit"), result)
    }

    fn found(problems: &[&str]) -> Outcome {
        looked(problems, Ok(()))
    }

    #[test]
    fn a_look_that_was_broken_off_takes_nothing_back() {
        let broken = |problems: &[&str], why| looked(problems, Err(Error::internal(why)));
        let gone = "the check can't be carried out: gone".to_owned();
        let (a, lost) = ("a".to_owned(), "the check can't be carried out: lost".to_owned());
        let cases = [
            (found(&["a"]), broken(&[], "gone"), vec![a.clone(), gone.clone()]),
            (broken(&[], "gone"), found(&["a"]), vec![gone.clone(), a.clone()]),
            (broken(&["a"], "gone"), found(&["a"]), vec![a, gone.clone()]),
            (found(&[]), broken(&[], "gone"), vec![gone.clone()]),
            (broken(&[], "gone"), broken(&[], "lost"), vec![gone, lost]),
        ];
        for (later, earlier, problems) in cases {
            let both = later.and_before(&earlier);
            assert_eq!((both.problems_count, both.problems), (problems.len() as u64, problems));
        }
    }

    #[test]
    fn what_was_found_once_only_is_no_problem() {
        let both = found(&["a", "c"]).and_before(&found(&["a", "b"]));
        assert_eq!((both.problems_count, both.problems), (1, vec!["a".to_owned()]));
        assert!(found(&["c"]).and_before(&found(&["a"])).holds());
        assert!(found(&[]).and_before(&found(&["a"])).holds());
        let many = ["x"; PROBLEMS_NAMED + 1];
        assert_eq!(found(&many).and_before(&found(&["a"])).problems_count, many.len() as u64);
        assert_eq!(found(&["a"]).and_before(&found(&many)).problems_count, 1);
    }
}
