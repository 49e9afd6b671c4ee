//! Answers to which fees and taxes come off beside the amounts.

use std::cmp::Reverse;

use super::Reading;
use crate::import::layout::Layout;
use crate::import::row_filter::listed;
use crate::import::settings::NO_COLUMN;
use crate::import::transaction::detection::choices;
use crate::import::transaction::header_names::taxes::fees_or_taxes;
use crate::text::quoted;

const SETTING: &str = "fee_col_label";

/// All of them, each choice of them, or none; beside those that balances have proven. More come off
/// with the first answers, which make nobody richer.
pub(super) fn readings(layout: &Layout, fee: &str, others: &[String]) -> Vec<Reading> {
    let column = |header: &str| {
        (0..layout.headers.len()).find(|column| quoted(&layout.header(*column)) == header)
    };
    let all: Vec<String> =
        [fee].into_iter().chain(others.iter().map(String::as_str)).map(str::to_owned).collect();
    let Some(columns) = all.iter().map(|header| column(header)).collect::<Option<Vec<usize>>>()
    else {
        return Vec::new();
    };
    let reading = |chosen: Vec<usize>| {
        let is_all = chosen.len() == columns.len();
        let fees: Vec<usize> = layout.columns.fees().chain(chosen).collect();
        let labels: Vec<String> = fees.iter().map(|column| layout.header(*column)).collect();
        let value = match &labels[..] {
            [] => NO_COLUMN.to_owned(),
            // A label alone is taken as it is.
            [label] => label.clone(),
            _ => listed(labels.iter().map(String::as_str)),
        };
        let meaning = match labels.is_empty() {
            true => format!("the amounts are what was booked, whatever is in {}", shown(&all)),
            false => {
                let what = fees_or_taxes(&labels);
                let alone = if is_all { "" } else { ", and nothing else" };
                format!("the {what} in {} come off beside the amounts{alone}", shown(&labels))
            }
        };
        Reading::new(layout, (SETTING, &value), meaning, |layout| layout.columns.set_fees(fees))
    };
    let mut chosen = choices(&columns);
    chosen.push(Vec::new());
    chosen.sort_by_key(|chosen| Reverse(chosen.len()));
    chosen.into_iter().map(reading).collect()
}

fn shown(headers: &[String]) -> String {
    let headers = headers.iter().map(|header| format!("\"{}\"", quoted(header)));
    headers.collect::<Vec<String>>().join(" and ")
}
