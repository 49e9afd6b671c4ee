//! The numbers of a row: quantity, price, total, fees, and their currencies.

use rust_decimal::Decimal;

use super::Interpreter;
use crate::import::cells::Cells;
use crate::import::plain::cell_reader::{CellReader, Reasons};
use crate::import::trade::signs::Flow;
use crate::import::transaction::interpret::is_placeholder;
use crate::ledger::trade::{Effect, Terms, TradeType, UnitFlow};
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
    pub(super) price: Option<Number>,
    pub(super) total: Option<Number>,
    /// Fees and taxes together, not negative.
    pub(super) fees: Decimal,
    pub(super) fee_decimals: u32,
    /// The currency of the total and of what is booked.
    pub(super) currency: Currency,
    /// The rate that the row states for the account's currency.
    pub(super) rate: Option<Decimal>,
    /// The price is in another currency than the total.
    pub(super) is_converted: bool,
    /// The rate between the two, in a direction that the total shows.
    pub(super) price_rate: Option<Number>,
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
        let all = [(columns.price, price, price_currency), (columns.amount, total, currency)];
        for (column, number, currency) in all {
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

    pub(super) fn units(&self, value: Decimal) -> Option<i64> {
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
        let number = self.number_or_zero(cells, column, reasons)?;
        Some(number.filter(|number| !number.value.is_zero()))
    }

    pub(super) fn number_or_zero(
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
            Ok(number) => Some(Some(number)),
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
    pub(super) fn currency(
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
    pub(super) fn agrees(
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
        (trade_type, money): (TradeType, Option<Flow>),
        is_option: bool,
        reasons: &mut Reasons,
    ) -> Option<(Terms, Effect)> {
        self.check_is_no_money(cells, trade_type, reasons)?;
        let none =
            Terms { trade_type, quantity: Decimal::ZERO, price: Decimal::ZERO, fee: 0, amount: 0 };
        let terms = if trade_type.unit_flow() != UnitFlow::None {
            self.terms_of_shares(cells, (trade_type, money), is_option, reasons)?
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
        effect.map(|effect| (terms, effect))
    }

    pub(super) fn fee_units(&self, cells: &MoneyCells, reasons: &mut Reasons) -> Option<i64> {
        let fee = cells.units(cells.fees);
        if fee.is_none() {
            reasons.push("The fee is too large");
        }
        fee
    }
}

/// Why it isn't known what money moved.
pub(super) fn fees_unknown(cells: &MoneyCells) -> String {
    let total = cells.total.as_ref().map(shown).unwrap_or_default();
    format!(
        "Nothing shows whether the total {total} contains the fees and taxes of {}: state it \
         (total_meaning)",
        cells.fees
    )
}

fn has_digit(cell: &str) -> bool {
    cell.bytes().any(|byte| byte.is_ascii_digit())
}

pub(super) fn shown(number: &Number) -> String {
    number.value.abs().to_string()
}
