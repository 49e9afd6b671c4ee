//! Files of exchange rates and of prices, as feeds serve them and as people keep them.
//!
//! * [`rates`]: tables with a rate in each row, and the European Central Bank's tables, as CSV and
//!   as XML.
//! * [`prices`]: tables with a price in each row, and prices of one security as CSV or JSON.
//!
//! All of it is read strictly: `YYYY-MM-DD`, plain decimals, known currencies. Anything else is an
//! error with its line and is never left out; only cells that mark a missing rate are skipped.
//! Files are read whole, so their size is limited by [`BYTES_MAX`] and [`ROWS_MAX`].

mod ecb;
mod json;
pub mod prices;
pub mod rates;
mod table;

use std::fmt;

use purser_core::text::size::size;

/// Bytes of a file; the caller stops reading there.
pub const BYTES_MAX: usize = 16 * 1024 * 1024;
/// Rates or prices of a file. The European Central Bank's whole history has some 220,000.
pub const ROWS_MAX: usize = 500_000;
/// The number of problems that are reported for a file.
pub const PROBLEMS_MAX: usize = 20;
/// Characters of a cell that a problem quotes.
const QUOTED_CHARS_MAX: usize = 40;

/// Why a file can't be taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.texts().join("; "))]
pub struct FeedError(Vec<FeedProblem>);

/// One reason why a file can't be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
enum FeedProblem {
    /// A problem of the file as a whole. The text quotes nothing of it.
    File(String),
    /// A problem of one row. The text may quote its cells.
    Row { unit: &'static str, number: u64, text: String },
}

impl FeedError {
    /// The problems as sentences that name lines where they can and quote cells: for people who
    /// brought the file themselves.
    pub fn texts(&self) -> Vec<String> {
        let text = |problem: &FeedProblem| match problem {
            FeedProblem::File(text) => text.clone(),
            FeedProblem::Row { unit, number, text } => format!("{unit} {number}: {text}"),
        };
        self.0.iter().map(text).collect()
    }

    /// The first problem as a sentence that quotes nothing of the file: for what came from an
    /// address, which may have answered with something that nobody is to see.
    pub fn unquoted(&self) -> String {
        match self.0.first() {
            Some(FeedProblem::File(text)) => text.clone(),
            Some(FeedProblem::Row { unit, number, .. }) => format!("{unit} {number} can't be read"),
            None => String::new(),
        }
    }

    fn one(problem: impl Into<String>) -> Self {
        Self(vec![FeedProblem::File(problem.into())])
    }

    fn too_many_rows() -> Self {
        Self::one(format!("The file has more than {ROWS_MAX} rows"))
    }
}

/// Collects what is wrong with rows, up to a limit.
#[derive(Debug)]
struct RowProblems {
    /// What is counted: `Line`, or `Object` where there are no lines.
    unit: &'static str,
    found: Vec<FeedProblem>,
}

impl RowProblems {
    fn new() -> Self {
        Self::counting("Line")
    }

    fn counting(unit: &'static str) -> Self {
        Self { unit, found: Vec::new() }
    }

    fn push(&mut self, number: u64, problem: impl fmt::Display) {
        if !self.is_full() {
            let text = problem.to_string();
            self.found.push(FeedProblem::Row { unit: self.unit, number, text });
        }
    }

    fn is_full(&self) -> bool {
        self.found.len() >= PROBLEMS_MAX
    }

    fn into_result(self) -> Result<(), FeedError> {
        if self.found.is_empty() { Ok(()) } else { Err(FeedError(self.found)) }
    }
}

/// The text of a file: UTF-8, perhaps after a byte-order mark.
fn text(bytes: &[u8]) -> Result<&str, FeedError> {
    if bytes.len() > BYTES_MAX {
        return Err(FeedError::one(format!("The file is larger than {}", size(BYTES_MAX as u64))));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_err(|_| FeedError::one("The file is not UTF-8"))?;
    if text.trim().is_empty() {
        return Err(FeedError::one("The file is empty"));
    }
    Ok(text)
}

/// A cell as a problem shows it: short, and without anything that steers a terminal.
fn quoted(cell: &str) -> String {
    let shown: String = cell.chars().take(QUOTED_CHARS_MAX).map(harmless).collect();
    format!("\"{shown}\"")
}

fn harmless(character: char) -> char {
    if character.is_control() { ' ' } else { character }
}
