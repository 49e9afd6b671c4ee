//! Single settings, read from their texts.

use super::Separator;
use crate::error::Problems;
use crate::import::row_filter::RowFilter;
use crate::text::date::DateFormat;

pub(super) fn listed<'a>(values: impl Iterator<Item = &'a str>) -> String {
    values.map(|value| format!("\"{value}\"")).collect::<Vec<_>>().join(", ")
}

pub(super) fn one_of<T>(
    name: &str,
    sent: Option<String>,
    problems: &mut Problems,
    read: impl Fn(&str) -> (Option<T>, String),
) -> Option<T> {
    let (value, allowed) = read(&sent?);
    if value.is_none() {
        problems.field(name, format!("must be one of {allowed}"));
    }
    value
}

/// A separator is looked at as it was sent: a tab would be lost in trimming.
pub(super) fn separator(sent: Option<String>, problems: &mut Problems) -> Option<Separator> {
    let sent = sent?;
    let text = if sent == "\t" { "\t" } else { sent.trim() };
    if text.is_empty() {
        return None;
    }
    let value = Separator::parse(text);
    if value.is_none() {
        problems.field("col_sep", "must be one of \",\", \";\", a tab, \"|\"");
    }
    value
}

pub(super) fn date_format(sent: Option<String>, problems: &mut Problems) -> Option<String> {
    let pattern = sent?;
    match DateFormat::new(&pattern) {
        Ok(_) => Some(pattern),
        Err(error) => {
            problems.field("date_format", format!("{error}; a valid one is %Y-%m-%d"));
            None
        }
    }
}

pub(super) fn row_filter(sent: Option<String>, problems: &mut Problems) -> Option<RowFilter> {
    let filter = RowFilter::parse(&sent?);
    filter.map_err(|problem| problems.field("row_filter", problem)).ok()
}

pub(super) fn rows_to_skip(sent: Option<String>, problems: &mut Problems) -> Option<u32> {
    let value = sent?.parse().ok();
    if value.is_none() {
        problems.field("rows_to_skip", "must be a whole number of 0 or more");
    }
    value
}
