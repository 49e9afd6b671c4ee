//! How dates, amounts and directions are written, as choices.

use std::collections::BTreeMap;

use purser_core::import::layout::{AmountSource, Layout};
use purser_core::import::settings::Signage;
use purser_core::import::trade::signs::TotalMeaning;
use purser_core::text::number::NumberFormat;

use super::super::sentences::example_of;
use super::{Field, NOT_KNOWN, as_found, field};
use crate::web::view::Choice;

/// Formats that are offered; another that is in effect is offered too.
const DATE_FORMATS: [&str; 18] = [
    "%Y-%m-%d",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d.%m.%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y%m%d",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d.%m.%y",
    "%d-%m-%y",
    "%d %b %Y",
    "%d-%b-%Y",
    "%b %d, %Y",
    "%d.%m.%Y.",
    "%y-%m-%d",
];

const BY_BALANCE: &str = "the balance shows it";
const PLUS_IN: &str = "+ is money in";
const MINUS_IN: &str = "\u{2212} is money in";

/// Which sheet of a spreadsheet with several is read.
pub(super) fn sheet(layout: &Layout, set: &BTreeMap<&'static str, String>) -> Option<Field> {
    let sheets = &layout.file.sheets;
    if sheets.len() < 2 {
        return None;
    }
    let mut choices = vec![as_found(layout.file.sheet.clone(), NOT_KNOWN)];
    choices.extend(sheets.iter().map(|sheet| {
        let hidden = if sheet.is_hidden { " (hidden)" } else { "" };
        Choice::new(sheet.name.clone(), format!("{}{hidden}", sheet.name))
    }));
    Some(field("sheet", "Sheet", choices, set))
}

/// How a file is divided; a sheet is divided into its cells.
pub(super) fn division(layout: &Layout, set: &BTreeMap<&'static str, String>) -> Vec<Field> {
    let separator = layout.file.sheets.is_empty().then(|| separator(layout, set));
    separator.into_iter().chain([has_header(layout, set)]).collect()
}

fn has_header(layout: &Layout, set: &BTreeMap<&'static str, String>) -> Field {
    let words = [("true", "is the header"), ("false", "is data")];
    let found = words[usize::from(layout.shape.is_some())].1;
    let mut choices = vec![as_found(Some(found.to_owned()), NOT_KNOWN)];
    choices.extend(words.map(|(value, label)| Choice::new(value, label)));
    field("has_header", "The first line", choices, set)
}

pub(super) fn formats(layout: &Layout, set: &BTreeMap<&'static str, String>) -> Vec<Field> {
    let date_found = layout.date_format.as_deref().map(example_of);
    let mut dates = vec![as_found(date_found, NOT_KNOWN)];
    dates.extend(DATE_FORMATS.iter().map(|pattern| {
        Choice::new(*pattern, format!("{}{}", example_of(pattern), order(pattern)))
    }));
    let number_found = layout.number_format.map(|format| format.as_str().to_owned());
    let mut numbers = vec![as_found(number_found, NOT_KNOWN)];
    numbers.extend(NumberFormat::ALL.iter().map(|one| Choice::new(one.as_str(), one.as_str())));
    let is_asked =
        layout.problems.iter().any(|problem| problem.setting() == Some("signage_convention"));
    let sign_found = (!is_asked).then_some(match layout.signage {
        _ if layout.unsigned_column().is_some() => BY_BALANCE,
        Signage::InflowsPositive => PLUS_IN,
        Signage::InflowsNegative => MINUS_IN,
    });
    let signs = vec![
        as_found(sign_found.map(str::to_owned), NOT_KNOWN),
        Choice::new("inflows_positive", PLUS_IN),
        Choice::new("inflows_negative", MINUS_IN),
    ];
    vec![
        field("date_format", "Dates", dates, set),
        field("number_format", "Amounts", numbers, set),
        field("signage_convention", "Sign", signs, set),
    ]
}

/// Which part comes first, where the example leaves it open: no day is 2024, but a year can be 31.
fn order(pattern: &str) -> &'static str {
    match pattern {
        _ if !pattern.contains("%y") => "",
        _ if pattern.starts_with("%d") => " · day first",
        _ if pattern.starts_with("%m") => " · month first",
        _ => " · year first",
    }
}

fn separator(layout: &Layout, set: &BTreeMap<&'static str, String>) -> Field {
    let named = [(",", "comma"), (";", "semicolon"), ("\t", "tab"), ("|", "pipe")];
    let found = named.iter().find(|(text, _)| *text == layout.separator.as_str());
    let mut choices = vec![as_found(found.map(|(_, name)| (*name).to_owned()), NOT_KNOWN)];
    choices.extend(named.iter().map(|(text, name)| Choice::new(*text, *name)));
    field("col_sep", "Separator", choices, set)
}

pub(super) fn strategy(layout: &Layout, set: &BTreeMap<&'static str, String>) -> Field {
    let found = match &layout.amount {
        Some(AmountSource::Signed { .. }) => Some("the sign"),
        Some(AmountSource::ByBalance { .. }) => Some("the balance"),
        Some(AmountSource::DebitCredit { .. }) => Some("two columns"),
        Some(AmountSource::Directed { .. }) => Some("another column"),
        None => None,
    };
    let choices = vec![
        as_found(found.map(str::to_owned), NOT_KNOWN),
        Choice::new("signed_amount", "the sign"),
        Choice::new("custom_column", "another column"),
        Choice::new("minus_is_reversal", "columns or words; a minus is money that came back"),
        Choice::new(
            "plain_is_reversal",
            "columns or words; an amount without a minus is money that came back",
        ),
        Choice::new("direction_and_sign", "columns or words; the rarer sign is money back"),
        Choice::new("direction_only", "columns or words, whatever the sign"),
    ];
    field("amount_type_strategy", "Direction", choices, set)
}

pub(super) fn debt_sign(set: &BTreeMap<&'static str, String>) -> Field {
    let choices = vec![
        Choice::new("", "positive, unless one is negative"),
        Choice::new("positive", "positive"),
        Choice::new("negative", "negative"),
    ];
    let mut field = field("debt_sign", "A debt is", Vec::new(), &BTreeMap::new());
    field.choices = choices;
    field.value = set.get("debt_sign").cloned().unwrap_or_default();
    field
}

pub(super) fn total_meaning(layout: &Layout, set: &BTreeMap<&'static str, String>) -> Field {
    let text = |meaning| match meaning {
        TotalMeaning::Net => "what was paid or received, with fees and taxes",
        TotalMeaning::Gross => "what it was before fees and taxes",
    };
    let found = layout.sign_rule.as_ref().and_then(|rule| rule.total).map(text);
    let mut choices = vec![as_found(found.map(str::to_owned), NOT_KNOWN)];
    choices.extend(TotalMeaning::ALL.iter().map(|one| Choice::new(one.as_str(), text(*one))));
    field("total_meaning", "A total is", choices, set)
}

pub(super) fn balance_check(set: &BTreeMap<&'static str, String>) -> Field {
    let choices = vec![
        Choice::new("", "compare each row"),
        Choice::new("compare", "compare, even if it is a debt"),
        Choice::new("compare_debt", "compare, and lines state what is owed"),
        Choice::new("compare_money", "compare, and lines state money that was paid in"),
        Choice::new("ignore_ends", "compare, even if it is a debt, and no line states its ends"),
        Choice::new("ignore", "ignore the balance"),
        Choice::new("ignore_account", "ignore it, and that the account is another"),
    ];
    let mut field = field("balance_check", "Balance check", Vec::new(), &BTreeMap::new());
    field.choices = choices;
    field.value = set.get("balance_check").cloned().unwrap_or_default();
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_distinguished_by_their_example() {
        let shown: Vec<String> = DATE_FORMATS.iter().map(|pattern| example_of(pattern)).collect();
        let distinct: std::collections::BTreeSet<_> = shown.iter().collect();
        assert_eq!(distinct.len(), DATE_FORMATS.len(), "{shown:?}");
        assert_eq!(["%d/%m/%y", "%m/%d/%Y"].map(order), [" · day first", ""]);
    }
}
