//! Which columns hold the amount.
//!
//! An amount stands in every row, in one column or in one of two. Of several columns of amounts
//! nothing is taken here: a running balance decides later, or a person. Whole numbers without a
//! sign may be anything, so they are only proposed.

use super::complete::Search;
use super::facts::{Facts, mostly};
use crate::import::layout::AmountSource;
use crate::import::layout_problem::ColumnContent;
use crate::import::transaction::header_names::currency_in;

/// What the columns of the amount are called in problems.
const CONTENTS: [ColumnContent; 3] =
    [ColumnContent::Amount, ColumnContent::MoneyOut, ColumnContent::MoneyIn];
/// Columns that are compared in pairs.
const PAIRED_MAX: usize = 24;

/// Takes the amount's column or columns, or asks for them.
pub(super) fn find(search: &mut Search<'_>) {
    if let Some(known) = search.layout.columns.debit.or(search.layout.columns.credit) {
        return complete_pair(search, known);
    }
    let all = search.open(Facts::are_numbers);
    let is_amounts = |column: &usize| search.facts_of(*column).is_some_and(Facts::are_amounts);
    let is_full = |column: &usize| search.facts_of(*column).is_some_and(Facts::is_full);
    let (marked, plain): (Vec<usize>, Vec<usize>) = all.into_iter().partition(is_amounts);
    let pairs = [pairs(search, &marked), pairs(search, &plain)];
    let full = |columns: &[usize], pairs: &[[usize; 2]]| -> Vec<usize> {
        let is_paired = |column: &usize| pairs.iter().any(|pair| pair.contains(column));
        columns.iter().copied().filter(|column| is_full(column) && !is_paired(column)).collect()
    };
    let singles = [full(&marked, &pairs[0]), full(&plain, &pairs[1])];
    match (&pairs[0][..], &singles[0][..]) {
        ([], [single]) => match &pairs[1][..] {
            // What has decimals is the balance then, or neither is.
            [pair, ..] => ask_for_pair(search, *pair),
            // Another column of amounts, even one with gaps, may be the amount, and this one the
            // balance.
            [] if marked.len() > 1 => ask(search, &marked),
            [] if !plain.is_empty() && !has_signs(search, *single) => {
                ask(search, &[&marked[..], &plain[..]].concat());
            }
            [] => take_or_ask(search, &singles[0]),
        },
        ([pair], []) if marked.len() == 2 => take_pair(search, *pair),
        ([pair], _) => ask_for_pair(search, *pair),
        ([], []) => match (&pairs[1][..], &singles[1][..]) {
            ([pair], _) => ask_for_pair(search, *pair),
            (_, columns) => ask(search, columns),
        },
        (_, columns) => ask(search, columns),
    }
}

fn take_or_ask(search: &mut Search<'_>, columns: &[usize]) {
    let Some(column) = search.only(columns) else { return ask(search, columns) };
    search.settle(&CONTENTS);
    search.layout.columns.amount = Some(column);
    search.layout.amount = Some(AmountSource::Signed { column });
    if search.settings.labels.currency.is_none() && search.layout.columns.currency.is_none() {
        search.layout.amount_currency = currency_in(&search.layout.header(column));
    }
    search.note("amount_col_label");
}

/// The signs may show which of two columns is money out.
fn take_pair(search: &mut Search<'_>, pair: [usize; 2]) {
    let has_minus = |column: usize| {
        search.facts_of(column).is_some_and(|its| its.minus > 0 && its.minus == its.nonzero)
    };
    let has_none = |column: usize| search.facts_of(column).is_some_and(|its| its.minus == 0);
    let [first, second] = pair;
    let is_pair_unnamed = search.only(&[first]).is_some() && search.only(&[second]).is_some();
    match (has_minus(first) && has_none(second), has_minus(second) && has_none(first)) {
        (true, _) if is_pair_unnamed => take(search, first, second),
        (_, true) if is_pair_unnamed => take(search, second, first),
        _ => ask_for_pair(search, pair),
    }
}

/// A person has named one of two columns: the other one is its counterpart.
fn complete_pair(search: &mut Search<'_>, known: usize) {
    let columns = &search.layout.columns;
    let (is_debit, is_whole) = (columns.debit.is_some(), columns.credit.is_some());
    if is_debit && is_whole {
        return;
    }
    let mut others = search.open(Facts::are_numbers);
    others.retain(|other| is_exclusive(search, [known, *other]));
    let content = if is_debit { ColumnContent::MoneyIn } else { ColumnContent::MoneyOut };
    match (search.only(&others), others.first().copied()) {
        (Some(other), _) if is_debit => take(search, known, other),
        (Some(other), _) => take(search, other, known),
        (None, Some(likely)) => {
            search.settle(&CONTENTS);
            search.ask(content, &others, likely);
        }
        (None, None) => {}
    }
}

fn take(search: &mut Search<'_>, debit: usize, credit: usize) {
    search.settle(&CONTENTS);
    (search.layout.columns.debit, search.layout.columns.credit) = (Some(debit), Some(credit));
    search.layout.amount = Some(AmountSource::DebitCredit { debit, credit });
    search.note("debit_col_label");
    search.note("credit_col_label");
}

/// Money out stands before money in more often than not.
fn ask_for_pair(search: &mut Search<'_>, pair: [usize; 2]) {
    search.settle(&CONTENTS);
    search.ask(ColumnContent::MoneyOut, &pair, pair[0]);
}

/// An amount has signs more often than anything else.
fn ask(search: &mut Search<'_>, columns: &[usize]) {
    let signed = columns.iter().copied().find(|column| has_signs(search, *column));
    let likely = signed.or(columns.first().copied());
    let Some(likely) = likely else { return };
    search.settle(&CONTENTS);
    search.ask(ColumnContent::Amount, columns, likely);
}

fn has_signs(search: &Search<'_>, column: usize) -> bool {
    search.facts_of(column).is_some_and(|its| its.minus + its.plus > 0)
}

/// Pairs of columns of which each row fills exactly one.
fn pairs(search: &Search<'_>, columns: &[usize]) -> Vec<[usize; 2]> {
    let columns = &columns[..columns.len().min(PAIRED_MAX)];
    let mut pairs = Vec::new();
    for (position, first) in columns.iter().enumerate() {
        for second in &columns[position + 1..] {
            if is_exclusive(search, [*first, *second]) {
                pairs.push([*first, *second]);
            }
        }
    }
    pairs
}

fn is_exclusive(search: &Search<'_>, columns: [usize; 2]) -> bool {
    let is_filled = |cell: &str| cell.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
    let mut filled = [0, 0];
    for record in search.records {
        let cells = record.as_cells();
        match columns.map(|column| is_filled(cells.get(column))) {
            [true, true] => return false,
            [true, false] => filled[0] += 1,
            [false, true] => filled[1] += 1,
            [false, false] => {}
        }
    }
    filled[0] > 0 && filled[1] > 0 && mostly(filled[0] + filled[1], search.records.len())
}
