//! Headers of columns, whatever the kind of their file: how they are compared and listed.

use crate::error::Problem;
use crate::limits::HEADERS_LISTED_MAX;
use crate::text::label::name_key;
use crate::text::quoted;

/// What a label is compared by.
pub fn label_key(label: &str) -> String {
    let separators = ['-', '_', '\u{2010}', '\u{2011}', '\u{2013}'];
    let plain: String = label
        .chars()
        .filter(|c| *c != '*' && *c != '\u{feff}')
        .map(|c| if separators.contains(&c) { ' ' } else { c })
        .collect();
    name_key(&plain)
}

/// How a column is named by its place: `#3` is the third. It is a label in every file, also where
/// the header is blank, there twice, or not there at all.
pub fn place_label(column: usize) -> String {
    format!("#{}", column + 1)
}

/// The column that such a label names.
pub fn placed(label: &str) -> Option<usize> {
    let number: usize = label.trim().strip_prefix('#')?.trim_start().parse().ok()?;
    number.checked_sub(1)
}

/// The column that a label means: the first that is called so, else the one at the place that it
/// names. `keys` are the headers as [`label_key`] makes them.
pub(super) fn column_of(label: &str, keys: &[String]) -> Option<usize> {
    let key = label_key(label);
    let named = keys.iter().position(|header| !key.is_empty() && *header == key);
    named.or_else(|| placed(label).filter(|column| *column < keys.len()))
}

/// Headers as a message lists them: the first, shortened, and how many more there are.
pub(super) fn listed(headers: &[String]) -> String {
    let shown = headers.iter().take(HEADERS_LISTED_MAX);
    let shown: Vec<String> = shown.map(|header| format!("\"{}\"", quoted(header))).collect();
    let shown = shown.join(", ");
    match headers.len().saturating_sub(HEADERS_LISTED_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Headers that occur more than once, in the order of their second occurrence.
pub fn duplicates(headers: &[String]) -> Vec<String> {
    let keys: Vec<String> = headers.iter().map(|header| label_key(header)).collect();
    let repeats =
        |index: &usize| !keys[*index].is_empty() && keys[..*index].contains(&keys[*index]);
    (0..headers.len()).filter(repeats).map(|index| headers[index].clone()).collect()
}

/// What is wrong with the label that was sent in a setting: the header doesn't have it.
pub(super) fn missing(setting: &str, label: &str, headers: &[String]) -> Problem {
    let (label, headers) = (quoted(label), listed(headers));
    Problem::field(setting, format!("\"{label}\" is not in the header; headers found: {headers}"))
}
