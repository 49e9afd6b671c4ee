//! The money of rows without shares, with what comes off it.

use rust_decimal::Decimal;

use super::Interpreter;
use super::money::{MoneyCells, fees_unknown, shown};
use crate::import::plain::cell_reader::Reasons;
use crate::import::trade::signs::{Flow, TotalMeaning};
use crate::import::trade::total::Numbers;
use crate::ledger::trade::{Terms, TradeType};

impl Interpreter<'_> {
    /// The terms of money that belongs to a security.
    pub(super) fn terms_of_money(
        &self,
        cells: &MoneyCells,
        terms: Terms,
        reasons: &mut Reasons,
    ) -> Option<Terms> {
        if terms.trade_type == TradeType::Fee {
            return Some(Terms { amount: self.moved(cells, Flow::Out, true, reasons)?, ..terms });
        }
        let total = self.stated(cells, false, reasons)?;
        let fee = self.fee_units(cells, reasons)?;
        let amount = match self.meaning(cells, Flow::In, reasons)? {
            TotalMeaning::Net => total.checked_add(fee)?,
            TotalMeaning::Gross => total,
        };
        Some(Terms { amount, fee, ..terms })
    }

    /// The money that moves by a row without shares, not negative. What is a fee by its type may
    /// stand in the column of fees alone, or in both.
    pub(super) fn moved(
        &self,
        cells: &MoneyCells,
        flow: Flow,
        is_fee: bool,
        reasons: &mut Reasons,
    ) -> Option<i64> {
        let stated = self.stated(cells, is_fee, reasons)?;
        let is_stated_twice = |total: Decimal| is_fee && total.abs() == cells.fees;
        if cells.total.is_none_or(|total| is_stated_twice(total.value)) {
            return Some(stated);
        }
        let fee = self.fee_units(cells, reasons)?;
        let moved = match (self.meaning(cells, flow, reasons)?, flow) {
            (TotalMeaning::Net, _) => Some(stated),
            (TotalMeaning::Gross, Flow::Out) => stated.checked_add(fee),
            (TotalMeaning::Gross, Flow::In) => stated.checked_sub(fee).filter(|rest| *rest > 0),
        };
        if moved.is_none() {
            reasons.push("Fees and taxes leave nothing of the total");
        }
        moved
    }

    /// The total of a row, or the fee of one that is nothing else.
    fn stated(&self, cells: &MoneyCells, is_fee: bool, reasons: &mut Reasons) -> Option<i64> {
        let value = cells.total.map(|total| total.value.abs());
        let value = value.or(Some(cells.fees).filter(|fees| is_fee && !fees.is_zero()));
        let Some(value) = value else {
            reasons.push("The amount is blank");
            return None;
        };
        let amount = cells.units(value);
        if amount.is_none() {
            reasons.push("The amount is too large");
        }
        amount
    }

    /// What the total of a row contains; nothing and the reason, if that matters and isn't known,
    /// or if its own numbers show the contrary of what the file does.
    fn meaning(
        &self,
        cells: &MoneyCells,
        money: Flow,
        reasons: &mut Reasons,
    ) -> Option<TotalMeaning> {
        if cells.fees.is_zero() {
            return Some(TotalMeaning::Net);
        }
        let Some(meaning) = self.rule.total else {
            reasons.push(fees_unknown(cells));
            return None;
        };
        let other = match meaning {
            TotalMeaning::Net => TotalMeaning::Gross,
            TotalMeaning::Gross => TotalMeaning::Net,
        };
        let (Some(quantity), Some(price), Some(total), false) =
            (cells.quantity, cells.price, cells.total, cells.is_converted)
        else {
            return Some(meaning);
        };
        let numbers = Numbers {
            quantity,
            price: Some(price),
            total,
            fees: cells.fees,
            fee_decimals: cells.fee_decimals,
            money,
            rate: None,
        };
        if numbers.is_proven(other) && !numbers.is_proven(meaning) {
            reasons.push(format!(
                "By quantity × price the total {} {} the fees and taxes of {}, by what holds for \
                 the file it {}",
                shown(&total),
                if other == TotalMeaning::Net { "contains" } else { "doesn't contain" },
                cells.fees,
                if other == TotalMeaning::Net { "doesn't" } else { "does" },
            ));
            return None;
        }
        Some(meaning)
    }
}
