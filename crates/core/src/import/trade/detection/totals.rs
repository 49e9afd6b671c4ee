//! Whether totals contain fees, as rows show that have both.

use rust_decimal::Decimal;

use super::Columns;
use crate::import::cells::Cells;
use crate::import::trade::signs::{Flow, SignedRow, TotalMeaning};
use crate::import::trade::total::Numbers;
use crate::import::transaction::interpret::is_placeholder;
use crate::text::number::{Number, NumberFormat, parse_number};

/// Rows with fees that are kept.
const ROWS_MAX: usize = 300;

/// Rows that may show what totals contain.
#[derive(Debug, Default)]
pub(super) struct Totals(Vec<TotalCells>);

/// The cells of a purchase, a sale or a dividend with a fee or a tax.
#[derive(Debug)]
struct TotalCells {
    /// Whether money goes out for the shares.
    money: Flow,
    quantity: String,
    price: String,
    total: String,
    fees: Vec<String>,
    rate: Option<String>,
}

impl Totals {
    /// Keeps a row that has all that the total may follow from.
    pub(super) fn keep(&mut self, cells: Cells<'_>, columns: &Columns, row: &SignedRow) {
        let Columns { qty: Some(qty), price: Some(price), amount: Some(amount), .. } = *columns
        else {
            return;
        };
        let has_fee = row.fees.iter().any(Option::is_some) && row.amount.is_some();
        let income = row.is_income.then_some(Flow::In);
        let money = row.shares.map(Flow::opposite).or(income);
        let (Some(money), true) = (money, has_fee) else { return };
        if self.0.len() < ROWS_MAX {
            let cell = |column: usize| cells.get(column).to_owned();
            let filled = |cell: &String| !is_placeholder(cell);
            let fees = columns.fees.into_iter().flatten();
            self.0.push(TotalCells {
                money,
                quantity: cell(qty),
                price: cell(price),
                total: cell(amount),
                fees: fees.map(cell).filter(filled).collect(),
                rate: columns.rates.into_iter().flatten().map(cell).find(filled),
            });
        }
    }

    /// What totals contain: fees, if that alone explains a row; no fees, if that alone explains
    /// several. Nothing, if no row shows it, or rows contradict each other.
    pub(super) fn meaning(&self, format: NumberFormat) -> Option<TotalMeaning> {
        let mut only = [0, 0];
        for row in &self.0 {
            match row.proves(format) {
                [true, false] => only[0] += 1,
                [false, true] => only[1] += 1,
                _ => {}
            }
        }
        match only {
            [0, gross] if gross > 1 => Some(TotalMeaning::Gross),
            [net, 0] if net > 0 => Some(TotalMeaning::Net),
            _ => None,
        }
    }
}

impl TotalCells {
    /// Whether the total follows with fees, and without.
    fn proves(&self, format: NumberFormat) -> [bool; 2] {
        let number = |cell: &String| parse_number(cell, format).ok();
        let (Some(quantity), Some(price), Some(total)) =
            (number(&self.quantity), number(&self.price), number(&self.total))
        else {
            return [false; 2];
        };
        let fees: Vec<Number> = self.fees.iter().filter_map(number).collect();
        let sum = fees.iter().try_fold(Decimal::ZERO, |sum, fee| sum.checked_add(fee.value.abs()));
        let numbers = Numbers {
            quantity,
            price: Some(price),
            total,
            fees: sum.unwrap_or_default(),
            fee_decimals: fees.iter().map(|fee| fee.decimals).max().unwrap_or_default(),
            money: self.money,
            rate: None,
        };
        let rate = self.rate.as_ref().and_then(number).filter(|rate| !rate.value.is_zero());
        [TotalMeaning::Net, TotalMeaning::Gross].map(|meaning| {
            let converted = Numbers { rate, ..numbers };
            numbers.is_proven(meaning) || (rate.is_some() && converted.is_proven(meaning))
        })
    }
}
