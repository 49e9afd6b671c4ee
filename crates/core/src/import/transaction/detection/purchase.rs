//! Whether a column that is just called a currency is that of what was booked or of the purchase.
//!
//! Beside an amount abroad it may be either: `Transaction amount;Currency;Billing amount`. One that
//! stands beside what was booked alone is taken unless the cells contradict. Else they decide: the
//! account's currency beside two equal amounts and others beside amounts that differ are those of
//! purchases; a purchase in another currency never costs as much in that of the account. Where they
//! leave it open, a person is asked.

use super::super::columns::{amounts_abroad, plain_currency};
use crate::import::cells::Cells;
use crate::import::kind::Context;
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::settings::Settings;
use crate::import::transaction::balance::readings::columns_of;
use crate::import::transaction::header_names::{
    is_about_another_currency, is_amount_in_another_currency, is_local_alone, is_of_purchase, known,
};
use crate::money::Currency;
use crate::text::number::{NumberFormat, named_currency, parse_amount};
use crate::text::quoted;

/// The decimals with which amounts are compared.
const SCALE: u32 = 8;

/// A plain column of currencies in a file with an amount abroad.
#[derive(Debug)]
pub(super) struct PurchaseCurrency {
    column: usize,
    /// The columns of what was booked; none while only the balance may show them.
    booked: Option<[usize; 2]>,
    abroad: Vec<usize>,
    /// Columns that may have the currency of the purchase by their names.
    rivals: Vec<Rival>,
    expected: Currency,
    is_account_known: bool,
    /// The amount abroad may as well be that of the account.
    is_local: bool,
    /// The first currency that isn't the expected one.
    other: Option<Currency>,
    /// Rows with another currency, by what stands in the column of the amount abroad.
    others: Rows,
    /// The same of rows with the expected one.
    own: Rows,
}

/// A column that has the currency of the purchase if every cell is a code, and another one than the
/// account's is among them.
#[derive(Debug)]
struct Rival {
    column: usize,
    are_codes: bool,
    has_other: bool,
}

/// Rows by how the amount abroad stands to what was booked.
#[derive(Debug, Default)]
struct Rows {
    equal: u64,
    different: u64,
    blank: u64,
}

impl PurchaseCurrency {
    pub(super) fn of(layout: &Layout, settings: &Settings, context: Context<'_>) -> Option<Self> {
        let is_open = settings.labels.currency.is_none() && layout.shape.is_none();
        let column = plain_currency(&layout.headers, &layout.columns).filter(|_| is_open)?;
        let booked = layout.amount.as_ref().map(columns_of);
        let abroad = amounts_abroad(&layout.headers, &layout.columns);
        let is_rival = |header: &String| {
            known(header).is_none()
                && (is_about_another_currency(header) || is_of_purchase(header))
                && !is_amount_in_another_currency(header)
        };
        let headers = layout.headers.iter().enumerate();
        let rivals = headers.filter(|(_, header)| is_rival(header)).map(|(column, _)| Rival {
            column,
            are_codes: true,
            has_other: false,
        });
        let is_local = abroad.iter().all(|column| is_local_alone(&layout.header(*column)));
        (!abroad.is_empty()).then(|| Self {
            column,
            booked,
            abroad,
            rivals: rivals.collect(),
            expected: context.default_currency(),
            is_account_known: context.account.is_some(),
            is_local,
            other: None,
            others: Rows::default(),
            own: Rows::default(),
        })
    }

    pub(super) fn observe(&mut self, cells: Cells<'_>) {
        for rival in &mut self.rivals {
            let cell = cells.get(rival.column);
            let code = named_currency(cell);
            rival.are_codes &= code.is_some() || cell.is_empty();
            rival.has_other |= code.is_some_and(|code| code != self.expected);
        }
        let Some(currency) = named_currency(cells.get(self.column)) else { return };
        let amount = |columns: &[usize]| {
            let mut cells = columns.iter().map(|column| cells.get(*column));
            cells.find(|cell| cell.bytes().any(|byte| matches!(byte, b'1'..=b'9')))
        };
        let rows = if currency == self.expected {
            &mut self.own
        } else {
            self.other.get_or_insert(currency);
            &mut self.others
        };
        let Some(booked) = self.booked.as_ref().and_then(|columns| amount(columns)) else {
            return;
        };
        match amount(&self.abroad) {
            None => rows.blank += 1,
            Some(abroad) if are_equal(booked, abroad) => rows.equal += 1,
            Some(_) => rows.different += 1,
        }
    }

    /// Keeps the column, gives it up, or asks about it.
    pub(super) fn finish(&self, layout: &mut Layout) {
        let Self { others, own, .. } = self;
        let Some(booked) = self.booked else { return };
        let is_of_purchases =
            own.equal > 0 && others.equal == 0 && others.blank == 0 && own.different == 0;
        let is_beside = self.is_beside_booked(booked, &self.abroad);
        if layout.columns.currency != Some(self.column)
            || (is_beside && !is_of_purchases)
            || self.has_rival()
            || others.different == 0
        {
            return;
        }
        if is_of_purchases && self.is_account_known && !is_beside && !self.is_local {
            give_up(layout);
        } else {
            self.ask(layout);
        }
    }

    /// With the amount that the balance has shown its currency was looked for anew: another amount
    /// is one with which nothing was compared.
    pub(super) fn finish_after_balance(&self, layout: &mut Layout) {
        let booked = layout.amount.as_ref().map(columns_of);
        if booked == self.booked {
            return self.finish(layout);
        }
        let abroad = amounts_abroad(&layout.headers, &layout.columns);
        let is_open = layout.columns.currency == Some(self.column) && !abroad.is_empty();
        let is_beside = booked.is_some_and(|booked| self.is_beside_booked(booked, &abroad));
        if is_open && !is_beside && !self.has_rival() {
            self.ask(layout);
        }
    }

    /// Whether the column stands beside what was booked, and not beside the amount abroad.
    fn is_beside_booked(&self, booked: [usize; 2], abroad: &[usize]) -> bool {
        let is_beside = |columns: &[usize]| columns.iter().any(|it| it.abs_diff(self.column) == 1);
        is_beside(&booked) && !is_beside(abroad)
    }

    /// Whether another column has the currency of the purchase.
    fn has_rival(&self) -> bool {
        self.rivals.iter().any(|rival| rival.are_codes && rival.has_other)
    }

    fn ask(&self, layout: &mut Layout) {
        let Some(found) = self.other else { return };
        give_up(layout);
        let header = quoted(&layout.header(self.column));
        let problem = LayoutProblem::UnnamedCurrency { header, found, expected: self.expected };
        if !layout.problems.contains(&problem) {
            layout.problems.push(problem);
        }
    }
}

fn give_up(layout: &mut Layout) {
    layout.columns.currency = None;
    layout.found.retain(|name| name != "currency_col_label");
}

/// Whether two cells have the same amount, whatever its sign, in any format of numbers.
fn are_equal(one: &str, other: &str) -> bool {
    NumberFormat::ALL.iter().any(|format| {
        let amount = |cell| parse_amount(cell, *format, SCALE).ok().map(|it| it.value.abs());
        amount(one).is_some_and(|amount_of_one| amount(other) == Some(amount_of_one))
    })
}
