//! The sentences of questions that depend on what was seen in the file.

use super::{ColumnContent, ProposedColumn};
use crate::import::row_filter::{RowCondition, RowFilter};
use crate::import::settings::Signage;
use crate::import::source_file::SourceSheet;
use crate::import::transaction::header_names::taxes::fees_or_taxes;
use crate::text::quoted;

/// Sheets that a sentence lists.
const SHEETS_LISTED_MAX: usize = 10;

/// The question which of some columns holds something, each with its first cell.
pub(super) fn which_column(
    content: ColumnContent,
    columns: &[ProposedColumn],
    likely: Option<usize>,
) -> String {
    let shown = |one: &ProposedColumn| format!("\"{}\" (for example \"{}\")", one.header, one.cell);
    let shown: Vec<String> = columns.iter().map(shown).collect();
    let content = content.as_str();
    let question = if columns.len() == 1 { "say whether it is" } else { "say which one it is" };
    let places = shown.join(" or in ");
    match likely.and_then(|position| columns.get(position)) {
        Some(one) if columns.len() > 1 => {
            format!("The {content} may be in {places}; \"{}\" is likely, {question}", one.header)
        }
        _ => format!("The {content} may be in {places}; {question}"),
    }
}

/// The question which of several sheets is read.
pub(super) fn which_sheet(sheets: &[SourceSheet]) -> String {
    format!("Several sheets have a table ({}); say which one it is", listed(sheets))
}

/// A sheet was named that isn't there.
pub(super) fn no_sheet(name: &str, sheets: &[SourceSheet]) -> String {
    let name = quoted(name);
    if sheets.is_empty() {
        return format!("The file has no sheet \"{name}\", because it is no spreadsheet");
    }
    format!("The file has no sheet \"{name}\", but {}; say which one it is", listed(sheets))
}

fn listed(sheets: &[SourceSheet]) -> String {
    let shown = sheets.iter().take(SHEETS_LISTED_MAX);
    let mut names: Vec<String> =
        shown.map(|sheet| format!("\"{}\"", quoted(&sheet.name))).collect();
    if sheets.len() > SHEETS_LISTED_MAX {
        names.push(format!("{} more", sheets.len() - SHEETS_LISTED_MAX));
    }
    names.join(", ")
}

/// That rows have no balance which shows the direction of their amounts without signs.
pub(super) fn no_balances(amount: &str, balance: &str, rows: u64, lines: &[u64]) -> String {
    let lines: Vec<String> = lines.iter().map(u64::to_string).collect();
    format!(
        "{rows} rows have no \"{balance}\" that shows which way their amounts in \"{amount}\" went, \
         which have no signs (first in line {})",
        lines.join(", ")
    )
}

/// The question about the oldest of amounts without a sign, of which balances show the others.
pub(super) fn which_way_oldest(header: &str, others: Signage) -> String {
    let (way, other) = match others {
        Signage::InflowsNegative => ("money out", "money in"),
        Signage::InflowsPositive => ("money in", "money out"),
    };
    format!(
        "No amount in \"{header}\" has a sign. The balances show that all rows but the oldest are \
         {way}; what there was before that one is not known: if it is {way}, too, send {}, else \
         send that and write its amount with a minus, which is {other} then",
        others.as_str()
    )
}

/// The question about amounts without a mark beside those that are marked as money in.
pub(super) fn which_way_unmarked(header: &str, marked: u64, others: u64) -> String {
    format!(
        "Of the amounts in \"{header}\" {marked} are marked as money in, and {others} have no mark: \
         are these money out (inflows_negative, which is likely) or money in (inflows_positive)?"
    )
}

/// The question about balances that the rows contradict.
pub(super) fn ends_differ(ends: &str) -> String {
    format!(
        "The balances that the file states before and after its rows do not agree with them: \
         {ends}; rows may be missing, or amounts may be read wrongly"
    )
}

/// The question about balances of a debt that lines state.
pub(super) fn sense_of_ends(ends: &str, is_debt: bool) -> String {
    let (sense, other) = match is_debt {
        true => ("what is owed", "money that was paid in"),
        false => ("money that was paid in", "what is owed"),
    };
    format!(
        "The balances that the file states before and after its rows agree with them as {sense}: \
         {ends}; if they are {other}, rows are missing, or amounts are read wrongly"
    )
}

/// The question about a balance on which the direction of the amounts depends.
pub(super) fn money_or_debt(header: &str) -> String {
    format!(
        "Which way money went is not certain: the balance in \"{header}\" may be money that the \
         account holds, or a debt that grows with each purchase"
    )
}

/// The question about a balance that alone shows the directions.
pub(super) fn what_it_counts(header: &str) -> String {
    format!(
        "The amounts have no signs, and \"{header}\" shows the direction of each only if it is \
         known what it counts: money that the account holds, or a debt that grows with each \
         purchase? Answer with balance_check compare, and signage_convention inflows_positive for \
         money or inflows_negative for a debt"
    )
}

/// Headers in quotation marks.
pub(super) fn quoted_list(headers: &[String]) -> String {
    headers.iter().map(|header| format!("\"{header}\"")).collect::<Vec<_>>().join(" and ")
}

/// The question about amounts of which nothing shows the direction.
pub(super) fn which_way(header: &str, has_signs: bool, is_debt: bool) -> String {
    let seen = if has_signs && is_debt {
        format!("Many amounts in \"{header}\" are positive, and the account is a debt")
    } else if has_signs {
        format!("Most amounts in \"{header}\" are positive, as on some statements of cards")
    } else {
        format!("All amounts in \"{header}\" are unsigned")
    };
    let proposal = match (has_signs, is_debt) {
        (true, false) => {
            "are positive amounts money in (inflows_positive, as in a bank account) or money out \
             (inflows_negative)?"
        }
        (true, true) => {
            "are positive amounts money out (purchases: inflows_negative) or money in (payments and \
             refunds: inflows_positive)?"
        }
        (false, true) => {
            "are they money out (purchases: inflows_negative, which is likely), money in \
             (inflows_positive), or does a column have the direction?"
        }
        (false, false) => {
            "are they money out (inflows_negative), money in (inflows_positive), or does a column \
             have the direction?"
        }
    };
    format!("{seen}: {proposal}")
}

/// The question about words for a status; the example takes those that mean booked as well.
pub(super) fn which_are_booked(
    header: &str,
    words: &[String],
    booked: &[String],
    filter: &RowFilter,
) -> String {
    let listed = words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
    let values = booked.iter().chain(words).cloned().collect();
    let taken = RowCondition { column: header.to_owned(), is_not: false, values };
    let filter = filter.clone().with(taken);
    format!(
        "Whether rows with {listed} in \"{header}\" are booked is not certain; list the words to \
         take in the row filter, as in: {filter}"
    )
}

/// The question about fees and taxes that the amounts may contain.
pub(super) fn which_come_off(fee: &str, others: &[String], amount: &str) -> String {
    let headers: Vec<String> =
        [fee].into_iter().chain(others.iter().map(String::as_str)).map(str::to_owned).collect();
    let what = fees_or_taxes(&headers);
    let (have, ask) = match others {
        [] => ("has", "say whether they"),
        _ => ("have", "say which of them"),
    };
    format!(
        "{} {have} {what}, and nothing shows whether \"{amount}\" contains them: {ask} come off \
         beside the amounts",
        quoted_list(&headers)
    )
}

/// That the header of the amount names a currency that is none today.
pub(super) fn which_code(header: &str, code: &str, former: Option<&str>) -> String {
    match former {
        Some(refusal) => format!(
            "The amounts in \"{header}\" seem to be in a currency that has ended: {refusal}, or say \
             that they are in another one"
        ),
        None => format!(
            "\"{code}\" in \"{header}\" is not a known currency: say that the amounts are in that \
             of the account if it means something else"
        ),
    }
}
