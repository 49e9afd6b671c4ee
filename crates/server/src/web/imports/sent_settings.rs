//! The settings that a form sends.

use std::collections::BTreeMap;

use purser_core::import::settings::MORE_LABELS;

use super::questions;
use super::settings::{COLUMNS, MORE_COLUMNS};
use crate::web::form::Form;

/// The settings in a form: those that the page has, and `None` for "as found".
pub(super) fn sent(form: &Form) -> BTreeMap<String, Option<String>> {
    let names = COLUMNS.iter().chain(&MORE_COLUMNS).map(|(name, _)| *name).chain(MORE_LABELS);
    let names = names.chain([
        "date_format",
        "number_format",
        "signage_convention",
        "col_sep",
        "amount_type_strategy",
        "amount_type_inflow_value",
        "balance_check",
        "debt_sign",
        "total_meaning",
        "has_header",
        "row_filter",
        "rows_to_skip",
        "sheet",
    ]);
    let value = |name: &str| match form.text(name) {
        // A tab is white space, and a separator.
        "\t" => Some("\t".to_owned()),
        _ => form.filled(name).map(str::to_owned),
    };
    let names: Vec<&str> = names.collect();
    let mut sent: BTreeMap<String, Option<String>> = names
        .iter()
        .filter(|name| form.is_on(name))
        .map(|name| ((*name).to_owned(), value(name)))
        .collect();
    // The button that was pressed counts, whatever is chosen elsewhere.
    let answered = questions::answered(form).into_iter();
    let answered = answered.filter(|(name, _)| names.contains(&name.as_str()));
    sent.extend(answered.map(|(name, value)| (name, Some(value))));
    sent
}
