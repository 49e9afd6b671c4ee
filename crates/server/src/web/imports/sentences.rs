//! Problems of imports as sentences for people: the texts of the API name its fields, and some are
//! fragments.

use jiff::civil::{DateTime, date};
use jiff::fmt::strtime;
use purser_core::error::Problem;
use purser_core::import::columns::placed;
use purser_core::import::layout_problem::{LayoutProblem, ProposedColumn};
use purser_core::import::settings::Signage;

use crate::http::content::FILE_FIELD;

/// A time at which all date formats look different.
const EXAMPLE: DateTime = date(2024, 12, 31).at(18, 30, 0, 0);

/// A format of dates as an example: nobody has to know what `%d` means.
pub(super) fn example_of(pattern: &str) -> String {
    strtime::format(pattern, EXAMPLE).unwrap_or_else(|_| pattern.to_owned())
}

/// A column as people call it: one without a header of its own by its place.
pub(super) fn column_name(label: &str) -> String {
    match placed(label) {
        Some(column) => format!("Column {}", column + 1),
        None => label.to_owned(),
    }
}

/// The problem, without what only the API has names for.
pub(super) fn for_people(problem: &Problem) -> String {
    match problem.path() {
        Some("account_id") => "Choose an account of the list.".to_owned(),
        Some(FILE_FIELD) => "One file at a time.".to_owned(),
        _ => sentence(&problem.text_in_place()),
    }
}

/// Why a file can't be read, beside the control of the setting that solves it: its choices are the
/// headers, and show formats of dates by example.
pub(super) fn of_layout(problem: &LayoutProblem) -> String {
    match problem {
        LayoutProblem::SkipsEverything { .. } => "The file has no line after these.".to_owned(),
        LayoutProblem::NoColumn { content, .. } => {
            format!("No column holds the {}.", content.as_str())
        }
        LayoutProblem::TwoColumns { content, headers } => {
            let [one, other] = headers.each_ref().map(|header| column_name(header));
            format!("The {} may be in {one} or in {other}: which one is it?", content.as_str())
        }
        LayoutProblem::WhichColumn { content, columns, likely } => {
            let content = content.as_str();
            let shown = |one: &ProposedColumn| {
                format!("{} (for example \"{}\")", column_name(&one.header), one.cell)
            };
            let places: Vec<String> = columns.iter().map(shown).collect();
            let likely = likely.and_then(|position| columns.get(position));
            let likely = likely.filter(|_| columns.len() > 1);
            let proposal = likely
                .map_or(String::new(), |one| format!(" {} is likely.", column_name(&one.header)));
            format!("The {content} may be in {}.{proposal}", places.join(" or in "))
        }
        LayoutProblem::NoHeader { .. } => "The first line looks like data.".to_owned(),
        LayoutProblem::AmbiguousDates { patterns, cell } => {
            let [one, other] = patterns.each_ref().map(|pattern| example_of(pattern));
            format!("{one} and {other} fit equally well (for example \"{cell}\").")
        }
        LayoutProblem::SeveralAccounts => {
            "The file has several accounts, which can't all be the one that was chosen: let the \
             file decide, and choose an account for each."
                .to_owned()
        }
        _ => of_direction(problem).unwrap_or_else(|| sentence(&problem.to_string())),
    }
}

/// A question about which way money went; nothing for any other.
fn of_direction(problem: &LayoutProblem) -> Option<String> {
    Some(match problem {
        LayoutProblem::OldestDirection { others, .. } => {
            let (way, other) = match others {
                Signage::InflowsNegative => ("out", "in"),
                Signage::InflowsPositive => ("in", "out"),
            };
            format!(
                "No amount has a sign. The balances show that all rows but the oldest are money \
                 {way}, and nothing shows it of the oldest. Is that one money {way}, too? If not, \
                 choose this all the same, then correct that row and put a minus before its \
                 amount: that makes it money {other}."
            )
        }
        LayoutProblem::UnknownDirection { has_signs, is_debt, .. } => {
            let seen = match (has_signs, is_debt) {
                (true, true) => {
                    "Many amounts are positive, and the account is a debt: are these money out \
                     (purchases) or in (payments and refunds)?"
                }
                (true, false) => {
                    "Most amounts are positive, as on some statements of cards: are these money \
                     out or in?"
                }
                (false, _) => "No amount has a sign: are they money out or money in?",
            };
            let likely = if *is_debt && !has_signs { " Out (purchases) is likely." } else { "" };
            format!("{seen}{likely}")
        }
        LayoutProblem::UnmarkedAmounts { header, marked, others } => format!(
            "Of the amounts in {} {marked} are marked as money in, and {others} have no mark: are \
             these money out, which is likely, or money in?",
            column_name(header)
        ),
        LayoutProblem::MixedSigns { headers } => {
            let names: Vec<String> = headers.iter().map(|one| column_name(one)).collect();
            let names = names.join(" and ");
            format!(
                "Amounts of the same direction in {names} have different signs: which of them are \
                 money that came back?"
            )
        }
        LayoutProblem::TurnedElsewhere { credit } => {
            let credit = column_name(credit);
            format!(
                "In a file of another account {credit} was chosen as money out: is it money in \
                 here, as its name suggests, or money out, too?"
            )
        }
        LayoutProblem::UnknownTradeDirection { header } => format!(
            "Nothing shows which shares in {} were bought and which were sold: are positive \
             quantities purchases or sales, or does a column have the type?",
            column_name(header)
        ),
        LayoutProblem::UnsignedMoneyOrDebt { header, .. } => format!(
            "The amounts have no signs, and \"{header}\" shows which way each went only if it is \
             known what it counts: money that the account holds, or a debt that grows with each \
             purchase?"
        ),
        _ => return None,
    })
}

/// With a capital and a full stop: problems are written as part of a sentence.
pub(super) fn sentence(text: &str) -> String {
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{}{end}", with_capital(text))
}

/// With a capital at its beginning.
pub(super) fn with_capital(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{}", letters.as_str())
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
