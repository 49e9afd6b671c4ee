//! Which columns may be a balance or a direction, by their names and by what else they are, and
//! the order of the rows.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::super::balance::RowOrder;
use super::super::balance::readings::{Number, Reading, Sample, Trial};
use super::super::header_names::balances::balance_rank;
use super::super::header_names::units::is_in_another_unit;
use super::super::header_names::{Role, known};
use crate::import::layout::Layout;
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::import::settings::Settings;
use crate::text::date::DateFormat;

/// A column with more different words isn't tried as a direction.
const WORDS_MAX: usize = 4;

/// Columns that are called a balance and that nothing else takes, the preferred first.
pub(super) fn named_columns(layout: &Layout) -> Vec<usize> {
    let columns = layout.headers.iter().enumerate();
    let mut ranked: Vec<(u8, usize)> = columns
        .filter(|(column, _)| is_free(layout, *column))
        .filter_map(|(column, header)| Some((balance_rank(header)?, column)))
        .collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, column)| column).collect()
}

/// Whether a column holds neither a day nor a text of the rows, nor amounts that its name states
/// in cents or thousands: a balance in the same unit follows from them.
pub(super) fn is_free(layout: &Layout, column: usize) -> bool {
    let columns = &layout.columns;
    let taken = [
        columns.date,
        columns.category,
        columns.tags,
        columns.notes,
        columns.account,
        columns.currency,
        columns.external_id,
    ];
    let role = layout.headers.get(column).and_then(|header| known(header)).map(|(role, _)| role);
    !taken.contains(&Some(column))
        && !columns.names.contains(&column)
        && !matches!(role, Some(Role::Date | Role::ExternalId | Role::Account))
        && !layout.headers.get(column).is_some_and(|header| is_in_another_unit(header))
}

/// The different words of a column, if they are few.
pub(super) fn words_of(sample: &Sample, column: usize) -> Vec<String> {
    let mut words: Vec<&str> = Vec::new();
    for word in sample.column(column).filter(|cell| !cell.is_empty()) {
        if !words.contains(&word) {
            words.push(word);
        }
        if words.len() > WORDS_MAX {
            return Vec::new();
        }
    }
    words.into_iter().map(str::to_owned).collect()
}

/// Two columns of which each row fills one, and of which nothing shows which is money out.
pub(super) fn proposed_pairs(layout: &Layout) -> Vec<[usize; 2]> {
    let pairs = layout.problems.iter().filter_map(|problem| match problem {
        LayoutProblem::WhichColumn { content: ColumnContent::MoneyOut, columns, .. } => {
            columns.iter().map(|one| one.column).collect::<Vec<_>>().try_into().ok()
        }
        _ => None,
    });
    pairs.collect()
}

/// Whether header or settings make a column that of money out, or of money in.
pub(super) fn is_called(layout: &Layout, settings: &Settings, column: usize) -> bool {
    let role = known(&layout.header(column)).map(|(role, _)| role);
    let labels = ["debit_col_label", "credit_col_label"];
    matches!(role, Some(Role::Debit | Role::Credit))
        || labels.iter().any(|name| settings.label(name).is_some())
}

/// Whether a proven balance leaves nothing of the problem.
pub(super) fn is_decided_by_balance(problem: &LayoutProblem) -> bool {
    problem.is_open_to_cells() || matches!(problem, LayoutProblem::UncertainDirection { .. })
}

/// Notes that a setting was found in the file.
pub(super) fn note(layout: &mut Layout, setting: &str) {
    if !layout.found.iter().any(|name| name == setting) {
        layout.found.push(setting.to_owned());
    }
}

/// The changes of every source of a trial, by the reading that has it.
pub(super) fn changes_of(
    sample: &mut Sample,
    trial: &Trial<'_>,
) -> impl Fn(&Reading) -> Vec<Number> + use<> {
    let mut all = HashMap::new();
    for format in trial.formats {
        for (index, source) in trial.sources.iter().enumerate() {
            for is_marked in sample.markings(source).iter().copied() {
                let changes = sample.changes(source, *format, is_marked);
                all.insert((index, *format, is_marked), changes);
            }
        }
    }
    move |reading| {
        let its = (reading.source, reading.format, reading.is_marked);
        all.get(&its).cloned().unwrap_or_default()
    }
}

/// The order of the rows by their days, if these are known and differ: that of most rows which
/// follow a row of another day of their group.
pub(super) fn order_by_days(
    sample: &Sample,
    layout: &Layout,
    groups: &[usize],
) -> Option<RowOrder> {
    let format = DateFormat::new(layout.date_format.as_deref()?).ok()?;
    let column = layout.columns.date?;
    let mut last_days = HashMap::new();
    let (mut later, mut earlier) = (0, 0);
    for (cell, group) in sample.column(column).zip(groups) {
        let Ok(day) = format.parse(cell) else { continue };
        match last_days.insert(group, day).map(|before| day.cmp(&before)) {
            Some(Ordering::Greater) => later += 1,
            Some(Ordering::Less) => earlier += 1,
            Some(Ordering::Equal) | None => {}
        }
    }
    match later.cmp(&earlier) {
        Ordering::Greater => Some(RowOrder::OldestFirst),
        Ordering::Less => Some(RowOrder::NewestFirst),
        Ordering::Equal => None,
    }
}
