//! Answers that name a column: what every row needs is in none that is known, in one that can't be
//! read, or in one of several.

use super::{Reading, signs};
use crate::import::cells::CellsBuf;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::{ColumnContent, ProposedColumn};
use crate::import::settings::NO_COLUMN;
use crate::import::transaction::content;
use crate::import::transaction::header_names::units::is_in_another_unit;
use crate::money::Currency;
use crate::text::quoted;

/// Columns that are offered.
const COLUMNS_OFFERED: usize = 5;

/// Which of two columns holds the date or the amount.
pub(super) fn of_two(
    layout: &Layout,
    content: ColumnContent,
    names: &[String; 2],
    records: &[CellsBuf],
) -> Vec<Reading> {
    let is_called = |column: &usize, name: &String| {
        let label = layout.header(*column);
        label == *name || quoted(&label) == *name
    };
    let column = |name| (0..layout.headers.len()).find(|column| is_called(column, name));
    let columns = names.iter().filter_map(column);
    // Where two columns may be the amount, nothing is known of what its signs mean.
    let records = if content == ColumnContent::Amount { &[] } else { records };
    columns.filter_map(|column| reading(layout, content, column, records)).collect()
}

/// Which of some columns holds something, the likely one first.
pub(super) fn of_proposed(
    layout: &Layout,
    content: ColumnContent,
    columns: &[ProposedColumn],
    likely: Option<usize>,
    records: &[CellsBuf],
) -> Vec<Reading> {
    let mut positions: Vec<usize> = (0..columns.len()).collect();
    positions.sort_by_key(|position| Some(*position) != likely);
    let columns = positions.into_iter().filter_map(|position| columns.get(position));
    let columns: Vec<usize> = columns.take(COLUMNS_OFFERED).map(|one| one.column).collect();
    let (debit, credit) = (layout.columns.debit, layout.columns.credit);
    let of_two = |debit, credit| two(layout, [debit, credit], records);
    match (content, columns.as_slice(), debit, credit) {
        (ColumnContent::MoneyOut, [one, other], None, None) => {
            vec![of_two(*one, *other), of_two(*other, *one)]
        }
        (ColumnContent::MoneyOut, some, None, Some(credit)) => {
            some.iter().map(|debit| of_two(*debit, credit)).collect()
        }
        (ColumnContent::MoneyIn, some, Some(debit), None) => {
            some.iter().map(|credit| of_two(debit, *credit)).collect()
        }
        (_, some, ..) => {
            some.iter().filter_map(|column| reading(layout, content, *column, records)).collect()
        }
    }
}

/// That money out is in one column, and money in in another one.
fn two(layout: &Layout, [debit, credit]: [usize; 2], records: &[CellsBuf]) -> Reading {
    let mut reading = signs::two(layout, debit, credit);
    let format =
        [debit, credit].into_iter().find_map(|one| content::format_of_amounts(records, one));
    reading.layout.number_format = layout.number_format.or(format);
    reading
}

/// Other columns than the present one that hold days or amounts.
pub(super) fn others(
    layout: &Layout,
    content: ColumnContent,
    records: &[CellsBuf],
) -> Vec<Reading> {
    let count = layout.headers.len();
    let columns = match content {
        ColumnContent::Date => content::columns_of_days(records, count),
        ColumnContent::Amount => content::columns_of_amounts(records, count),
        _ => return Vec::new(),
    };
    let is_present = |column: &usize| match (content, &layout.amount) {
        (ColumnContent::Date, _) => layout.columns.date == Some(*column),
        (_, Some(AmountSource::Signed { column: its })) => its == column,
        _ => false,
    };
    // Whoever has cents or thousands converts them in the file.
    let is_in_unit = |column: &usize| !is_in_another_unit(&layout.header(*column));
    let others = columns.into_iter().filter(|column| !is_present(column) && is_in_unit(column));
    let others = others.take(COLUMNS_OFFERED);
    others.filter_map(|column| reading(layout, content, column, records)).collect()
}

/// Other columns that may hold the amounts from which the balances in a column don't follow.
pub(super) fn other_amounts(layout: &Layout, balance: &str, records: &[CellsBuf]) -> Vec<Reading> {
    if !matches!(layout.amount, Some(AmountSource::Signed { .. })) {
        return Vec::new();
    }
    let mut found = others(layout, ColumnContent::Amount, records);
    found.retain(|one| one.settings.iter().all(|(_, label)| quoted(label) != balance));
    found
}

/// Whether a column that nobody named holds the currency of the amounts.
pub(super) fn currency(
    layout: &Layout,
    header: &str,
    found: Currency,
    expected: Currency,
) -> Vec<Reading> {
    let label = |column: &usize| quoted(&layout.header(*column)) == header;
    let Some(column) = (0..layout.headers.len()).find(label) else { return Vec::new() };
    let setting = "currency_col_label";
    let (found, expected) = (found.code(), expected.code());
    let header = layout.header(column);
    let yes = Reading::new(
        layout,
        (setting, &header),
        format!("the amounts are in {found}, as \"{}\" has it", quoted(&header)),
        |layout| layout.columns.currency = Some(column),
    );
    let meaning =
        format!("the amounts are in {expected}, and \"{}\" is something else", quoted(&header));
    vec![yes, Reading::new(layout, (setting, NO_COLUMN), meaning, |_| {})]
}

/// The file as it is if a column holds the date, the amount or the currency. The format of that
/// column is the one of the records. While a day is in doubt nobody has looked at the amounts, so
/// that neither their format nor what their signs mean is known.
fn reading(
    layout: &Layout,
    content: ColumnContent,
    column: usize,
    records: &[CellsBuf],
) -> Option<Reading> {
    let setting = match content {
        ColumnContent::Date => "date_col_label",
        ColumnContent::Amount => "amount_col_label",
        ColumnContent::Currency => "currency_col_label",
        // Two columns are in doubt for these alone.
        _ => return None,
    };
    let header = layout.header(column);
    let meaning = format!("the {} is in \"{}\"", content.as_str(), quoted(&header));
    Some(Reading::new(layout, (setting, &header), meaning, |layout| match content {
        ColumnContent::Date => {
            layout.columns.date = Some(column);
            let format = content::format_of_days(records, column);
            layout.date_format = format
                .map(|format| format.pattern().to_owned())
                .or_else(|| layout.date_format.take());
        }
        ColumnContent::Amount => {
            layout.amount = Some(AmountSource::Signed { column });
            layout.number_format =
                content::format_of_amounts(records, column).or(layout.number_format);
        }
        _ => layout.columns.currency = Some(column),
    }))
}
