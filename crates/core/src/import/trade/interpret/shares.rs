//! What shares come to: their price by the total, what they cost that come in, and that moves and
//! splits have no money.

use rust_decimal::Decimal;

use super::Interpreter;
use super::money::{MoneyCells, fees_unknown, shown};
use crate::import::cells::Cells;
use crate::import::plain::cell_reader::Reasons;
use crate::import::trade::signs::{Flow, TotalMeaning};
use crate::import::trade::total::Numbers;
use crate::ledger::trade::{Terms, TradeType};
use crate::limits::QUANTITY_MAX;
use crate::money::exact::value_of;

impl Interpreter<'_> {
    /// Shares that move and splits move no money, so a fee of theirs would be lost.
    pub(super) fn check_is_no_money(
        &self,
        cells: &MoneyCells,
        trade_type: TradeType,
        reasons: &mut Reasons,
    ) -> Option<()> {
        let is_split = trade_type == TradeType::Split;
        if !is_split && !trade_type.is_transfer() {
            return Some(());
        }
        if !cells.fees.is_zero() {
            reasons.push(format!(
                "A fee of {} can't be part of a row on which no money moves: it needs a row of \
                 its own",
                cells.fees
            ));
            return None;
        }
        if let (true, Some(total)) = (is_split, &cells.total) {
            reasons.push(format!(
                "The total {} can't be part of a split: money needs a row of its own",
                shown(total)
            ));
            return None;
        }
        Some(())
    }

    /// What shares cost that come in: what a column of costs states, as with `POST /trades`, and in
    /// a register the price. Elsewhere price and total are what such shares are worth on the day.
    pub(super) fn cost(
        &self,
        cells: Cells<'_>,
        money: &MoneyCells,
        (terms, is_option): (&Terms, bool),
        reasons: &mut Reasons,
    ) -> Option<Option<i64>> {
        if terms.trade_type != TradeType::TransferIn {
            return Some(None);
        }
        let column = self.columns.cost;
        let cost = self.number_or_zero(cells, column, reasons)?;
        if !self.agrees(column, cost, money.currency, reasons) {
            return None;
        }
        let Some(cost) = cost else {
            let is_register = self.layout.columns.register.is_some();
            let is_known = is_register && !is_option && !terms.price.is_zero();
            let scale = money.currency.scale();
            return Some(is_known.then(|| value_of(terms.quantity, terms.price, scale)).flatten());
        };
        if cost.value.is_sign_negative() {
            reasons.push("The cost is negative");
            return None;
        }
        let cost = money.units(cost.value);
        if cost.is_none() {
            reasons.push("The cost is too large");
        }
        cost.map(Some)
    }

    pub(super) fn terms_of_shares(
        &self,
        cells: &MoneyCells,
        (trade_type, money): (TradeType, Option<Flow>),
        is_option: bool,
        reasons: &mut Reasons,
    ) -> Option<Terms> {
        let Some(shown) = cells.quantity else {
            reasons.push("The number of shares is blank");
            return None;
        };
        let quantity = shown.value.abs().normalize();
        if quantity > Decimal::from(QUANTITY_MAX) {
            reasons.push(format!("There are more than {QUANTITY_MAX} shares"));
            return None;
        }
        if cells.price.is_some_and(|price| price.value.is_sign_negative()) {
            reasons.push("The price is negative");
            return None;
        }
        let fee = if trade_type.is_priced() { self.fee_units(cells, reasons)? } else { 0 };
        // Shares that move have a price perhaps, and no money.
        let total = cells.total.filter(|_| trade_type.is_priced());
        let numbers = total.map(|total| Numbers {
            quantity: shown,
            price: cells.price,
            total,
            fees: cells.fees,
            fee_decimals: cells.fee_decimals,
            money: money.unwrap_or(Flow::Out),
            rate: cells.price_rate,
        });
        let price = match (numbers, cells.price) {
            (None, Some(_)) if is_option && trade_type.is_priced() => {
                reasons.push(
                    "It is an option, as its ticker shows: without a total nothing shows for how \
                     many shares a contract is",
                );
                return None;
            }
            (None, Some(price)) => price.value.normalize(),
            (None, None) if !trade_type.is_priced() => Decimal::ZERO,
            (None, None) => {
                reasons.push("Neither a price nor a total states what the shares cost");
                return None;
            }
            (Some(numbers), _) => self.price(cells, &numbers, (fee, is_option), reasons)?,
        };
        Some(Terms { trade_type, quantity, price, fee, amount: 0 })
    }

    /// The price, once the total is proven: that of the row if it comes to the total exactly, else
    /// the one that does.
    fn price(
        &self,
        cells: &MoneyCells,
        numbers: &Numbers,
        (fee, is_option): (i64, bool),
        reasons: &mut Reasons,
    ) -> Option<Decimal> {
        let meaning = self.rule.total.unwrap_or(TotalMeaning::Net);
        let (scale, total) = (cells.currency.scale(), cells.units(numbers.total.value.abs()));
        if let (Some(price), Some(total), false) = (numbers.price, total, cells.is_converted) {
            let price = price.value.normalize();
            let paid = value_of(numbers.quantity.value.abs(), price, scale);
            let paid = paid.and_then(|value| match (meaning, numbers.money) {
                (TotalMeaning::Gross, _) => Some(value),
                (TotalMeaning::Net, Flow::Out) => value.checked_add(fee),
                (TotalMeaning::Net, Flow::In) => value.checked_sub(fee),
            });
            if paid == Some(total) {
                return Some(price);
            }
        }
        if cells.is_converted && numbers.rate.is_none() {
            reasons.push("The total is in another currency than the price, and no rate is stated");
            return None;
        }
        let is_proven = |meaning| {
            numbers.is_proven(meaning) || is_option && numbers.of_contracts().is_proven(meaning)
        };
        // Rounding may hide a fee, so that the total follows with it and without it.
        let may_be_gross = !numbers.fees.is_zero() && is_proven(TotalMeaning::Gross);
        if self.rule.total.is_none() && may_be_gross {
            reasons.push(fees_unknown(cells));
            return None;
        }
        if !is_proven(meaning) {
            reasons.push(format!("The total {} does not follow from {}", shown(&numbers.total), {
                let price = numbers.price.map(|price| shown(&price)).unwrap_or_default();
                let fees = match (meaning, numbers.money, numbers.fees.is_zero()) {
                    (TotalMeaning::Gross, ..) | (.., true) => String::new(),
                    (_, Flow::Out, false) => format!(" + {}", numbers.fees),
                    (_, Flow::In, false) => format!(" − {}", numbers.fees),
                };
                format!("{} × {price}{fees}", shown(&numbers.quantity))
            }));
            return None;
        }
        let price = numbers.price_by_total(meaning);
        if price.is_none() {
            reasons.push("The total leaves nothing for the shares");
        }
        price
    }
}
