//! Columns that no known name explains, but that hold what decides about every row.
//!
//! Where the day would be taken from a value date, a column of days without a known name may be the
//! booking date. Where nothing names a currency, a column that has nothing but codes may be it, and
//! so may the one above the header. These are questions: nothing is taken from a column that nobody
//! knows. Only for accounts that aren't known yet, or that have it, the currency above the header
//! is taken.

use std::collections::HashMap;

use super::SAMPLES;
use super::candidates::is_free;
use crate::import::cells::Cells;
use crate::import::kind::Context;
use crate::import::layout::Layout;
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::import::settings::Settings;
use crate::import::transaction::balance::readings::columns_of;
use crate::import::transaction::header_names::balances::balance_rank;
use crate::import::transaction::header_names::{
    Role, TRANSACTION, is_about_another_amount, is_about_another_currency, known,
};
use crate::import::transaction::interpret::is_placeholder;
use crate::money::Currency;
use crate::text::date::DateFormat;
use crate::text::label::name_key;
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
    /// The currency above the header can be that of an account that isn't known yet.
    is_account_open: bool,
    /// The accounts that rows name, beside a currency above the header.
    named: Option<NamedAccounts>,
    /// The amounts of the first rows.
    amounts: Vec<String>,
    rows: usize,
}

/// The accounts of the family that rows name.
#[derive(Debug)]
struct NamedAccounts {
    column: usize,
    /// The currency above the header.
    above: Currency,
    /// The currencies of all accounts, by the keys of their names.
    currencies: HashMap<String, Currency>,
    /// The first currency of an account of a row that isn't the one above the header.
    other: Option<Currency>,
}

impl NamedAccounts {
    fn of(layout: &Layout, context: Context<'_>) -> Option<Self> {
        let column = layout.columns.account.filter(|_| context.account.is_none())?;
        let currencies = context.account_currencies.clone();
        Some(Self { column, above: layout.currency_above?, currencies, other: None })
    }

    fn observe(&mut self, cells: Cells<'_>) {
        if self.other.is_none() {
            let its = self.currencies.get(&name_key(cells.get(self.column)));
            self.other = its.copied().filter(|currency| *currency != self.above);
        }
    }
}

#[derive(Debug)]
struct UnnamedColumn {
    column: usize,
    samples: Vec<String>,
    /// The first code that isn't the expected one.
    code: Option<Currency>,
    /// A cell is no code.
    is_something_else: bool,
    /// It is called the currency of the purchase: only if every row has the same code it may be
    /// that of the account.
    is_abroad: bool,
    is_partial: bool,
}

impl UnnamedColumns {
    /// The columns, if one of them could be asked about.
    pub(super) fn of(layout: &Layout, settings: &Settings, context: Context<'_>) -> Option<Self> {
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
        let is_account_open = context.account.is_none() && layout.columns.account.is_none();
        let header = |column: usize| layout.headers.get(column).map_or("", String::as_str);
        let is_abroad = |column: usize| {
            is_account_open && known(header(column)) == Some((Role::Currency, TRANSACTION))
        };
        let is_unnamed = |column: &usize| {
            let header = header(*column);
            is_free(layout, *column)
                && !amounts.is_some_and(|amounts| amounts.contains(column))
                && (known(header).is_none() || is_abroad(*column))
                && balance_rank(header).is_none()
                && (is_abroad(*column)
                    || !(is_about_another_amount(header) || is_about_another_currency(header)))
        };
        let of = |column| UnnamedColumn {
            column,
            samples: Vec::new(),
            code: None,
            is_something_else: false,
            is_abroad: is_abroad(column),
            is_partial: false,
        };
        let columns: Vec<UnnamedColumn> =
            (0..layout.headers.len()).filter(is_unnamed).map(of).collect();
        let expected = is_currency_open.then(|| context.default_currency());
        let has_above = expected.is_some() && layout.currency_above.is_some();
        let amounts = Vec::new();
        let named = NamedAccounts::of(layout, context);
        let one = Self { columns, is_day_open, expected, is_account_open, named, amounts, rows: 0 };
        (has_above || !one.columns.is_empty()).then_some(one)
    }

    /// Looks at a record with a day; one without any amount is no row.
    pub(super) fn observe(&mut self, cells: Cells<'_>, amounts: &[usize]) {
        let has_amount = |column: &usize| !is_placeholder(cells.get(*column));
        if !amounts.is_empty() && !amounts.iter().any(has_amount) {
            return;
        }
        if self.rows < SAMPLES {
            self.amounts.extend(amounts.iter().map(|column| cells.get(*column).to_owned()));
            for one in &mut self.columns {
                one.samples.push(cells.get(one.column).to_owned());
            }
        }
        self.rows += 1;
        self.named.iter_mut().for_each(|named| named.observe(cells));
        let Some(expected) = self.expected else { return };
        for one in self.columns.iter_mut().filter(|one| !one.is_something_else) {
            let cell = cells.get(one.column);
            if cell.is_empty() {
                one.is_partial = true;
                continue;
            }
            match Currency::parse(cell) {
                None => one.is_something_else = true,
                Some(code) if code == expected => one.is_partial = true,
                Some(code) if one.code.is_none() => one.code = Some(code),
                Some(code) => one.is_partial |= one.code != Some(code),
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
        let is_asked = |problem: &LayoutProblem| {
            matches!(problem, LayoutProblem::WhichColumn { content: ColumnContent::Currency, .. })
        };
        if layout.problems.iter().any(is_asked) {
            return;
        }
        let Some(format) = layout.number_format else { return };
        let names = |cell: &String| {
            parse_amount(cell, format, 8).is_ok_and(|amount| amount.currency.is_some())
        };
        if self.amounts.iter().any(names) {
            return;
        }
        let is_other = |one: &UnnamedColumn| {
            let is_of_purchase = one.is_abroad && one.is_partial;
            let code = one.code.filter(|_| !one.is_something_else && !is_of_purchase);
            code.map(|code| (one.column, code))
        };
        if let Some((column, found)) = self.columns.iter().find_map(is_other) {
            let header = quoted(&layout.header(column));
            layout.problems.push(LayoutProblem::UnnamedCurrency { header, found, expected });
        } else if let Some(found) = layout.currency_above {
            let other = Some(expected).filter(|expected| *expected != found);
            let contradicted = match &self.named {
                _ if self.is_account_open => None,
                Some(named) if layout.columns.account == Some(named.column) => named.other,
                Some(_) => None,
                None => other,
            };
            if let Some(expected) = contradicted {
                layout.problems.push(LayoutProblem::CurrencyAbove { found, expected });
            } else if other.is_some() {
                // An account that isn't known yet is made in it.
                layout.amount_currency = Some(found);
            }
        }
    }
}
