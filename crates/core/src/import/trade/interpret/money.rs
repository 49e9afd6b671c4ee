//! The numbers of a row: quantity, price, total, fees, and their currencies.

use rust_decimal::Decimal;

use super::Interpreter;
use crate::import::cells::Cells;
use crate::import::plain::cell_reader::{CellReader, Reasons};
use crate::import::trade::signs::{Flow, TotalMeaning};
use crate::import::trade::total::Numbers;
use crate::import::transaction::interpret::is_placeholder;
use crate::ledger::trade::{Effect, Terms, TradeType, UnitFlow};
use crate::limits::QUANTITY_MAX;
use crate::money::Currency;
use crate::money::decimal::within_limits;
use crate::money::exact::value_of;
use crate::text::label::name_key;
use crate::text::number::{Number, is_shared_sign_of, named_currency, parse_number};
use crate::text::quoted;

/// The numbers of a row as they are written. Zeros count as blank.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoneyCells {
    pub(super) quantity: Option<Number>,
    price: Option<Number>,
    pub(super) total: Option<Number>,
    /// Fees and taxes together, not negative.
    fees: Decimal,
    fee_decimals: u32,
    /// The currency of the total and of what is booked.
    pub(super) currency: Currency,
    /// The rate that the row states for the account's currency.
    pub(super) rate: Option<Decimal>,
    /// The price is in another currency than the total.
    is_converted: bool,
    /// The rate between the two, in a direction that the total shows.
    price_rate: Option<Number>,
}

impl MoneyCells {
    /// Reads the numbers of a row; nothing if one can't be read.
    pub(super) fn read(
        of: &Interpreter<'_>,
        cells: Cells<'_>,
        account: Option<&str>,
        reasons: &mut Reasons,
    ) -> Option<Self> {
        let columns = &of.columns;
        let number = |column, reasons: &mut Reasons| of.number(cells, column, reasons);
        let quantity = number(columns.qty, reasons)?;
        let price = number(columns.price, reasons)?;
        let total = number(columns.amount, reasons)?;
        let named = [price, total].into_iter().flatten().find_map(|number| number.currency);
        let home = of.account_currency(account);
        let stated = of.currency(cells, columns.currency, home, reasons)?;
        let price_currency = stated.or(of.price_currency).or(named).unwrap_or(home);
        let of_total = of.currency(cells, columns.amount_currency, home, reasons)?;
        let currency = match total {
            Some(total) => {
                let named = of_total.or(of.amount_currency).or(total.currency);
                named.unwrap_or(price_currency)
            }
            None => price_currency,
        };
        let tax_currency = of.currency(cells, columns.tax_currency, home, reasons)?;
        // What moved is the total, and a tax in another currency can't be a part of it.
        let is_foreign = tax_currency.is_some_and(|its| its != currency) && total.is_some();
        let (fees, fee_decimals) = of.fees(cells, columns.tax.filter(|_| !is_foreign), reasons)?;
        let mut agrees = true;
        let both = [(columns.price, price, price_currency), (columns.amount, total, currency)];
        for (column, number, currency) in both {
            agrees &= of.agrees(column, number, currency, reasons);
        }
        let is_converted = total.is_some() && price.is_some() && currency != price_currency;
        let rate_column = [of.rates.direct, of.rates.inverse, of.rates.undirected];
        let price_rate = match rate_column.into_iter().flatten().next() {
            // A word such as `Not available` is no rate; where one is needed, that is the reason.
            Some(column) if is_converted && has_digit(cells.get(column)) => {
                number(Some(column), reasons)?
            }
            _ => None,
        };
        let rate = if is_converted {
            None
        } else {
            let pair = (currency, home);
            let read = of.rates.read(cells, of.layout, of.number_format, pair);
            read.map_err(|why| reasons.push(why)).ok()?
        };
        agrees.then_some(Self {
            quantity,
            price,
            total,
            fees,
            fee_decimals,
            currency,
            rate,
            is_converted,
            price_rate,
        })
    }

    fn units(&self, value: Decimal) -> Option<i64> {
        let scale = self.currency.scale();
        value_of(value, Decimal::ONE, scale).filter(|amount| within_limits(*amount, scale))
    }
}

impl Interpreter<'_> {
    /// A number that is not zero; the outer option is empty if the cell can't be read.
    pub(super) fn number(
        &self,
        cells: Cells<'_>,
        column: Option<usize>,
        reasons: &mut Reasons,
    ) -> Option<Option<Number>> {
        let Some((column, cell)) = column.zip(CellReader::text(cells, column)) else {
            return Some(None);
        };
        if is_placeholder(cell) {
            return Some(None);
        }
        match parse_number(cell, self.number_format) {
            Ok(number) => Some(Some(number).filter(|number| !number.value.is_zero())),
            Err(error) => {
                self.cells.report(column, error, reasons);
                None
            }
        }
    }

    /// The sum of fees and taxes, with the decimals that they show.
    fn fees(
        &self,
        cells: Cells<'_>,
        tax: Option<usize>,
        reasons: &mut Reasons,
    ) -> Option<(Decimal, u32)> {
        let mut sum = Some((Decimal::ZERO, 0));
        for column in self.columns.fees.into_iter().chain([tax]) {
            let Some(number) = self.number(cells, column, reasons)? else { continue };
            if number.value.is_sign_negative() != self.rule.fees_are_negative {
                if let Some(column) = column {
                    self.cells.report(column, "has the sign of a fee that is paid back", reasons);
                }
                return None;
            }
            sum = sum.and_then(|(sum, decimals)| {
                let sum = sum.checked_add(number.value.abs())?;
                Some((sum, decimals.max(number.decimals)))
            });
        }
        sum
    }

    /// The currency of a cell; the outer option is empty if it is not known.
    fn currency(
        &self,
        cells: Cells<'_>,
        column: Option<usize>,
        home: Currency,
        reasons: &mut Reasons,
    ) -> Option<Option<Currency>> {
        let Some((column, cell)) = column.zip(CellReader::text(cells, column)) else {
            return Some(None);
        };
        let currency = Currency::parse(cell)
            .or_else(|| named_currency(cell))
            .or_else(|| is_shared_sign_of(cell, home).then_some(home));
        if currency.is_none() {
            let what = format!("\"{}\" is not a known currency such as USD", quoted(cell));
            self.cells.report(column, what, reasons);
        }
        currency.map(Some)
    }

    /// What a cell names must be the currency that its row has.
    fn agrees(
        &self,
        column: Option<usize>,
        number: Option<Number>,
        currency: Currency,
        reasons: &mut Reasons,
    ) -> bool {
        let (Some(column), Some(number)) = (column, number) else { return true };
        let other = number.currency.filter(|named| *named != currency).map(Currency::code);
        let other = other.or_else(|| number.contradicting_sign(currency));
        if let Some(other) = other {
            let what = format_args!("is in {other}, the row in {}", currency.code());
            self.cells.report(column, what, reasons);
        }
        other.is_none()
    }

    /// The currency of the account that the row goes to, as far as it is known.
    pub(super) fn account_currency(&self, account: Option<&str>) -> Currency {
        let named = account
            .and_then(|account| self.context.account_currencies.get(&name_key(account)).copied());
        named.unwrap_or(self.context.default_currency())
    }

    /// The terms of a trade, or nothing and the reasons.
    pub(super) fn terms(
        &self,
        cells: &MoneyCells,
        trade_type: TradeType,
        money: Option<Flow>,
        reasons: &mut Reasons,
    ) -> Option<(Terms, Effect)> {
        let none =
            Terms { trade_type, quantity: Decimal::ZERO, price: Decimal::ZERO, fee: 0, amount: 0 };
        let terms = if trade_type.unit_flow() != UnitFlow::None {
            self.terms_of_shares(cells, trade_type, money, reasons)?
        } else if trade_type.is_money() {
            self.terms_of_money(cells, none, reasons)?
        } else {
            none
        };
        let scale = cells.currency.scale();
        let effect = terms.effect(scale).filter(|effect| {
            [effect.cash, effect.value].iter().all(|amount| within_limits(*amount, scale))
        });
        if effect.is_none() {
            reasons.push("The amount of the trade is too large");
        }
        Some((terms, effect?))
    }

    fn terms_of_shares(
        &self,
        cells: &MoneyCells,
        trade_type: TradeType,
        money: Option<Flow>,
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
            (None, Some(price)) => price.value.normalize(),
            (None, None) if !trade_type.is_priced() => Decimal::ZERO,
            (None, None) => {
                reasons.push("Neither a price nor a total states what the shares cost");
                return None;
            }
            (Some(numbers), _) => self.price(cells, &numbers, fee, reasons)?,
        };
        Some(Terms { trade_type, quantity, price, fee, amount: 0 })
    }

    /// The price, once the total is proven: that of the row if it comes to the total exactly, else
    /// the one that does.
    fn price(
        &self,
        cells: &MoneyCells,
        numbers: &Numbers,
        fee: i64,
        reasons: &mut Reasons,
    ) -> Option<Decimal> {
        let meaning = self.rule.total;
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
        if !numbers.is_proven(meaning) {
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

    fn terms_of_money(
        &self,
        cells: &MoneyCells,
        terms: Terms,
        reasons: &mut Reasons,
    ) -> Option<Terms> {
        if terms.trade_type == TradeType::Fee {
            return Some(Terms { amount: self.amount_of(cells, true, reasons)?, ..terms });
        }
        let total = self.amount_of(cells, false, reasons)?;
        let fee = self.fee_units(cells, reasons)?;
        let amount = match self.rule.total {
            TotalMeaning::Net => total.checked_add(fee)?,
            TotalMeaning::Gross => total,
        };
        Some(Terms { amount, fee, ..terms })
    }

    /// The money of a row without shares, not negative. What is a fee by its type may stand in the
    /// column of fees alone.
    pub(super) fn amount_of(
        &self,
        cells: &MoneyCells,
        is_fee: bool,
        reasons: &mut Reasons,
    ) -> Option<i64> {
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

    fn fee_units(&self, cells: &MoneyCells, reasons: &mut Reasons) -> Option<i64> {
        let fee = cells.units(cells.fees);
        if fee.is_none() {
            reasons.push("The fee is too large");
        }
        fee
    }
}

fn has_digit(cell: &str) -> bool {
    cell.bytes().any(|byte| byte.is_ascii_digit())
}

fn shown(number: &Number) -> String {
    number.value.abs().to_string()
}
