//! Why a publish is refused.

use purser_core::error::{Error, Problem};
use purser_store::imports::Mapping;

/// Why rows can't be published.
pub(super) fn unchosen(mappings: &[Mapping], changed: &[Mapping]) -> String {
    let problem = changed.iter().chain(mappings).find_map(|mapping| mapping.problem.clone());
    problem.unwrap_or_else(|| "A choice is needed for some of the rows".to_owned())
}

pub(super) fn invalid(line: u64, reasons: &[String]) -> Error {
    let sentence = format!("Line {line} can't be imported: {}", reasons.join("; "));
    Error::invalid(Problem::about(format!("line {line}"), sentence))
}
