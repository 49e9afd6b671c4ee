//! Columns that no known name explains, but that hold what decides about every row.
//!
//! Where the day would be taken from a value date, a column of days without a known name may be the
//! booking date. Where nothing names a currency, a column that has one code in every row may be it.
//! Both are questions: nothing is taken from a column that nobody knows.

use super::SAMPLES;
use super::candidates::is_free;
use crate::import::cells::Cells;
use crate::import::layout::Layout;
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::import::settings::Settings;
use crate::import::transaction::balance::readings::columns_of;
use crate::import::transaction::header_names::balances::balance_rank;
use crate::import::transaction::header_names::{Role, TRANSACTION, is_about_another_amount, known};
use crate::import::transaction::interpret::is_placeholder;
use crate::money::Currency;
use crate::text::date::DateFormat;
use crate::text::number::parse_amount;
use crate::text::quoted;

/// The columns, and what would be taken without them.
#[derive(Debug)]
pub(super) struct UnnamedColumns {
    columns: Vec<UnnamedColumn>,
    /// The day comes from a column that is called something else than a booking date.
    is_day_open: bool,
    /// Nothing names a currency, so that this one would be taken.
    expected: Option<Currency>,
    /// The amounts of the first rows.
    amounts: Vec<String>,
    rows: usize,
}

#[derive(Debug)]
struct UnnamedColumn {
    column: usize,
    samples: Vec<String>,
    /// The code that all rows have so far.
    code: Option<Currency>,
}

impl UnnamedColumns {
    /// The columns, if one of them could be asked about.
    pub(super) fn of(layout: &Layout, settings: &Settings, default: Currency) -> Option<Self> {
        let day = layout.columns.date.and_then(|column| known(layout.headers.get(column)?));
        let is_day_open = settings.labels.date.is_none()
            && day.is_some_and(|(role, rank)| role == Role::Date && rank > TRANSACTION);
        let is_currency_open = settings.labels.currency.is_none()
            && layout.columns.currency.is_none()
            && layout.amount_currency.is_none();
        if !is_day_open && !is_currency_open {
            return None;
        }
        let amounts = layout.amount.as_ref().map(columns_of);
        let is_unnamed = |column: &usize| {
            let header = layout.headers.get(*column).map_or("", String::as_str);
            is_free(layout, *column)
                && !amounts.is_some_and(|amounts| amounts.contains(column))
                && known(header).is_none()
                && balance_rank(header).is_none()
                && !is_about_another_amount(header)
        };
        let of = |column| UnnamedColumn { column, samples: Vec::new(), code: None };
        let columns: Vec<UnnamedColumn> =
            (0..layout.headers.len()).filter(is_unnamed).map(of).collect();
        let expected = is_currency_open.then_some(default);
        let one = Self { columns, is_day_open, expected, amounts: Vec::new(), rows: 0 };
        (!one.columns.is_empty()).then_some(one)
    }

    /// Looks at a record with a day; one without any amount is no row.
    pub(super) fn observe(&mut self, cells: Cells<'_>, amounts: &[usize]) {
        let has_amount = |column: &usize| !is_placeholder(cells.get(*column));
        if !amounts.is_empty() && !amounts.iter().any(has_amount) {
            return;
        }
        let is_first = self.rows == 0;
        if self.rows < SAMPLES {
            self.amounts.extend(amounts.iter().map(|column| cells.get(*column).to_owned()));
            for one in &mut self.columns {
                one.samples.push(cells.get(one.column).to_owned());
            }
        }
        self.rows += 1;
        if self.expected.is_none() {
            return;
        }
        for one in self.columns.iter_mut().filter(|one| is_first || one.code.is_some()) {
            let cell = cells.get(one.column);
            match one.code {
                Some(code) if cell == code.code() => {}
                _ => one.code = Currency::parse(cell).filter(|_| is_first),
            }
        }
    }

    // Adds the questions.
    pub(super) fn finish(self, layout: &mut Layout) {
        if self.is_day_open {
            self.ask_for_day(layout);
        }
        if let Some(expected) = self.expected {
            self.ask_for_currency(layout, expected);
        }
    }

    fn ask_for_day(&self, layout: &mut Layout) {
        let Some(taken) = layout.columns.date else { return };
        let format = layout.date_format.as_deref().and_then(|text| DateFormat::new(text).ok());
        let Some(format) = format else { return };
        let is_day = |cell: &String| cell.is_empty() || format.parse(cell).is_ok();
        let is_rival = |one: &&UnnamedColumn| {
            one.samples.iter().any(|cell| !cell.is_empty()) && one.samples.iter().all(is_day)
        };
        if let Some(rival) = self.columns.iter().find(is_rival) {
            let headers = [taken, rival.column].map(|column| quoted(&layout.header(column)));
            let content = ColumnContent::Date;
            layout.problems.push(LayoutProblem::TwoColumns { content, headers });
        }
    }

    fn ask_for_currency(&self, layout: &mut Layout, expected: Currency) {
        // The balance may have shown another amount, the header of which names its currency.
        if layout.columns.currency.is_some() || layout.amount_currency.is_some() {
            return;
        }
        let Some(format) = layout.number_format else { return };
        let names = |cell: &String| {
            parse_amount(cell, format, 8).is_ok_and(|amount| amount.currency.is_some())
        };
        if self.amounts.iter().any(names) {
            return;
        }
        let is_other =
            |one: &UnnamedColumn| Some((one.column, one.code.filter(|code| *code != expected)?));
        if let Some((column, found)) = self.columns.iter().find_map(is_other) {
            let header = quoted(&layout.header(column));
            layout.problems.push(LayoutProblem::UnnamedCurrency { header, found, expected });
        }
    }
}
