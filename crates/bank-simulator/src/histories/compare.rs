//! Whether a ledger has what its bank has.

use std::collections::BTreeMap;

use jiff::civil::Date;

/// A transaction as both sides have it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The day in the family's time zone.
    pub date: Date,
    /// Hundredths; negative for money out.
    pub amount: i64,
    /// The other side of the purchase.
    pub name: String,
    /// Whether it isn't booked yet.
    pub pending: bool,
}

/// What became of a line at home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineState {
    /// Nobody did anything with it.
    Untouched,
    /// A person changed it or decided something about it.
    Touched,
    /// A person deleted the transaction.
    Deleted,
    /// A person deleted it when the bank had the transaction less often. It may have been the same
    /// one all the same, if the bank had booked it since the last run, so it may count or not.
    Surplus,
}

/// A line that the program knows from the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLine {
    /// The line as the bank reported it last.
    pub line: Line,
    /// What became of it.
    pub state: LineState,
}

/// How often each line is there.
pub fn count<'a>(lines: impl IntoIterator<Item = &'a Line>) -> BTreeMap<&'a Line, i64> {
    let mut counts = BTreeMap::new();
    for line in lines {
        *counts.entry(line).or_default() += 1;
    }
    counts
}

/// Compares what a quiet bank reports with what is known from it, as multisets. Lines that a person
/// deleted count, because they must not come back. A pending line that isn't at the bank may only
/// be left if a person touched or deleted it, and surplus ones may count or not.
///
/// # Errors
/// Every line of which the numbers differ.
pub fn compare(bank: &[Line], known: &[KnownLine]) -> Result<(), String> {
    let at_bank = count(bank);
    let at_home = count(known.iter().map(|one| &one.line));
    let in_state =
        |state| count(known.iter().filter(|one| one.state == state).map(|one| &one.line));
    let (untouched, surplus) = (in_state(LineState::Untouched), in_state(LineState::Surplus));
    let mut problems = Vec::new();
    for (line, wanted) in &at_bank {
        let found = at_home.get(line).copied().unwrap_or(0);
        if found < *wanted {
            problems.push(format!("{found} instead of {wanted} of {line:?}"));
        }
    }
    for (line, found) in &at_home {
        let wanted = at_bank.get(line).copied().unwrap_or(0);
        // What a person holds on to may be left over.
        let held = match line.pending {
            true => found - untouched.get(line).copied().unwrap_or(0),
            false => surplus.get(line).copied().unwrap_or(0),
        };
        if *found > wanted + held {
            problems.push(format!("{found} instead of {wanted} of {line:?}"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn line(amount: i64, pending: bool) -> Line {
        Line { date: date(2026, 3, 1), amount, name: "Kiosk".to_owned(), pending }
    }

    fn known(amount: i64, pending: bool, state: LineState) -> KnownLine {
        KnownLine { line: line(amount, pending), state }
    }

    #[test]
    fn lines_are_compared_as_often_as_they_are_there() {
        use LineState::{Deleted, Surplus, Touched, Untouched};
        let bank = [line(1, false), line(1, false), line(2, true)];
        let good = [
            known(1, false, Deleted),
            known(1, false, Untouched),
            known(2, true, Untouched),
            known(3, true, Touched),
        ];
        assert_eq!(compare(&bank, &good), Ok(()));
        let spare = known(1, false, Surplus);
        assert_eq!(compare(&bank, &[&good[..], std::slice::from_ref(&spare)].concat()), Ok(()));
        assert_eq!(compare(&bank, &[&[spare], &good[1..]].concat()), Ok(()));
        for wrong in [
            &good[1..],
            &good[..2],
            &[&good[..], &[known(1, false, Touched)]].concat()[..],
            &[&good[..], &[known(4, true, Untouched)]].concat()[..],
            &[&good[..], &[known(2, true, Untouched)]].concat()[..],
        ] {
            assert!(compare(&bank, wrong).is_err(), "{wrong:?}");
        }
    }
}
