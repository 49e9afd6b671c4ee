//! The amount of a row, its sign and its currency.
//!
//! In the ledger positive is money out. The direction is given by the sign under the signage
//! convention, by `CR` or `DR`, by which of two columns is filled, by the value of a direction
//! column, or by whether the balance is more or less than before; with the last four the written
//! sign counts only where it shows money that came back. The currency is that of the currency
//! column or of the amount's header, else of a code inside the cell, else of the account, else of
//! the family.

use rust_decimal::Decimal;

use super::Interpreter;
use crate::import::cells::Cells;
use crate::import::layout::{AmountSource, inflow_keys};
use crate::import::rate::RateColumns;
use crate::import::scratch::Scratch;
use crate::import::settings::Signage;
use crate::import::transaction::direction_words::{Direction, direction};
use crate::money::Currency;
use crate::money::former::Former;
use crate::text::label::name_key;
use crate::text::number::{
    Amount, Marker, NumberError, Written, is_shared_sign_of, named_currency, parse_amount,
    written_sign,
};
use crate::text::quoted;

/// The amount source with its value ready for comparison.
#[derive(Debug)]
pub(super) enum Source {
    Signed { column: usize },
    DebitCredit { debit: usize, credit: usize },
    Directed { amount: usize, direction: usize, inflow_keys: Option<Vec<String>> },
    ByBalance { column: usize },
}

impl Source {
    pub(super) fn new(source: &AmountSource) -> Self {
        match source {
            AmountSource::Signed { column } => Self::Signed { column: *column },
            AmountSource::DebitCredit { debit, credit } => {
                Self::DebitCredit { debit: *debit, credit: *credit }
            }
            AmountSource::Directed { amount, direction, inflow_value } => Self::Directed {
                amount: *amount,
                direction: *direction,
                inflow_keys: inflow_value.as_deref().map(inflow_keys),
            },
            AmountSource::ByBalance { column } => Self::ByBalance { column: *column },
        }
    }

    /// The columns with numbers; one of two twice.
    pub(super) fn columns(&self) -> [usize; 2] {
        match self {
            Self::Signed { column } | Self::ByBalance { column } => [*column; 2],
            Self::DebitCredit { debit, credit } => [*debit, *credit],
            Self::Directed { amount, .. } => [*amount; 2],
        }
    }
}

/// Whether a cell of an amount is a placeholder: blank, or dashes.
pub(in crate::import) fn is_placeholder(cell: &str) -> bool {
    cell.chars().all(|c| matches!(c, '-' | '\u{2212}' | '\u{2013}' | '\u{2014}'))
}

impl Interpreter<'_> {
    pub(super) fn money(
        &self,
        cells: Cells<'_>,
        account: Option<&str>,
        scratch: &mut Scratch,
        reasons: &mut Vec<String>,
    ) -> Option<(i64, Currency)> {
        let Ok(stated) = self.stated_currency(cells, reasons) else {
            return None;
        };
        let expected = match (stated, account) {
            (Some(currency), _) => currency,
            (None, Some(account)) => self.currency_of(account, scratch),
            (None, None) => self.context.default_currency(),
        };
        let read = |column| self.read_amount(cells, column, stated, expected);
        let (amount, currency) = match &self.source {
            Source::Signed { column } => {
                let (amount, currency) = keep(read(*column), reasons)?;
                let amount = match self.layout.unmarked_is_out {
                    Some(true) => match written_sign(cells.get(*column)) {
                        Written::Plus => directed(amount.value, Direction::In),
                        Written::None => directed(amount.value, Direction::Out),
                        Written::Minus => self.signed(amount),
                    },
                    Some(false) | None => self.signed(amount),
                };
                Some((amount, currency))
            }
            Source::DebitCredit { debit, credit } => {
                self.debit_or_credit(cells, (*debit, *credit), read, reasons)
            }
            Source::Directed { amount, direction, inflow_keys } => {
                let way = self.direction(cells.get(*direction), *direction, inflow_keys.as_deref());
                let (way, amount) = (keep(way, reasons), keep(read(*amount), reasons));
                let (amount, currency) = amount?;
                Some((self.turned(amount, way?), currency))
            }
            Source::ByBalance { column } => {
                let way = keep(self.direction_by_balance(*column, scratch.row), reasons);
                let (amount, currency) = keep(read(*column), reasons)?;
                Some((directed(amount.value, way?), currency))
            }
        }?;
        let fees = keep(self.fees(cells, currency), reasons)?;
        Some((amount.saturating_add(fees), currency))
    }

    /// The fees and taxes that come off beside the amount.
    fn fees(&self, cells: Cells<'_>, currency: Currency) -> Result<i64, String> {
        let filled = |column: &usize| !is_placeholder(cells.get(*column));
        let mut sum = 0_i64;
        for column in self.columns.fees().filter(filled) {
            let (fee, _) = self.read_amount(cells, column, Some(currency), currency)?;
            let usual = self.columns.fee_signs.iter().find(|(its, _)| *its == column);
            if usual
                .is_some_and(|(_, is_minus)| fee.signed() != 0 && *is_minus != (fee.signed() < 0))
            {
                let doubt = "has another sign than most of its column, so it may have come back: \
                             correct the amount, and blank this cell";
                return Err(self.reason(column, doubt));
            }
            sum = sum.saturating_add(fee.value.saturating_abs());
        }
        Ok(sum)
    }

    /// The currency in the currency column; an unknown code is reported.
    fn stated_currency(
        &self,
        cells: Cells<'_>,
        reasons: &mut Vec<String>,
    ) -> Result<Option<Currency>, ()> {
        let Some(column) = self.columns.currency else { return Ok(self.layout.amount_currency) };
        let cell = cells.get(column);
        if cell.is_empty() {
            return Ok(self.layout.amount_currency);
        }
        let currency = Currency::parse(cell).or_else(|| named_currency(cell)).or_else(|| {
            // `$` is the currency that is expected anyway, if that one has the sign.
            let account = self.context.default_currency();
            is_shared_sign_of(cell, account).then_some(account)
        });
        if currency.is_none() {
            let cell = quoted(cell);
            match Former::parse(&cell) {
                Some(former) => self.report(reasons, column, former.refusal()),
                None => self.report(
                    reasons,
                    column,
                    format_args!("\"{cell}\" is not a known currency such as USD"),
                ),
            }
        }
        currency.map(Some).ok_or(())
    }

    /// The currency of the account that the row names.
    fn currency_of(&self, account: &str, scratch: &mut Scratch) -> Currency {
        if self.context.account_currencies.is_empty() {
            return self.context.family_currency;
        }
        if scratch.account != account || scratch.account_currency.is_none() {
            let known = self.context.account_currencies.get(&name_key(account)).copied();
            scratch.account_currency = Some(known.unwrap_or(self.context.family_currency));
            scratch.account.clear();
            scratch.account.push_str(account);
        }
        scratch.account_currency.unwrap_or(self.context.family_currency)
    }

    /// The rate that the row states for its amount, if that has another currency than its account.
    pub(super) fn rate(
        &self,
        cells: Cells<'_>,
        account: Option<&str>,
        currency: Currency,
        scratch: &mut Scratch,
    ) -> Result<Option<Decimal>, String> {
        if self.columns.rates.is_empty() {
            return Ok(None);
        }
        let (rates, to) = match (self.context.account, account) {
            (Some(account), _) => (self.columns.rates, account.currency),
            // An account that nobody has yet is made in the currency of its rows.
            (None, Some(name)) => {
                let rates = RateColumns { undirected: None, ..self.columns.rates };
                (rates, self.currency_of(name, scratch))
            }
            (None, None) => return Ok(None),
        };
        rates.read(cells, self.layout, self.number_format, (currency, to))
    }

    /// Reads a cell in the scale of the currency that it turns out to be in.
    fn read_amount(
        &self,
        cells: Cells<'_>,
        column: usize,
        stated: Option<Currency>,
        expected: Currency,
    ) -> Result<(Amount, Currency), String> {
        let cell = cells.get(column);
        let fail = |error: NumberError| self.reason(column, error);
        let in_scale = |scale| parse_amount(cell, self.number_format, scale);
        let amount = match in_scale(expected.scale()) {
            // The cell may name a currency that keeps more decimals.
            Err(error @ NumberError::TooManyDecimals { .. }) if stated.is_none() => {
                match in_scale(8) {
                    Ok(amount) if amount.currency.is_some_and(|c| c.scale() == 8) => amount,
                    _ => return Err(fail(error)),
                }
            }
            other => other.map_err(fail)?,
        };
        match (amount.currency, stated) {
            (Some(named), Some(stated)) if named != stated => {
                let source =
                    if self.columns.currency.is_some() { "currency column" } else { "header" };
                Err(self
                    .reason(column, format_args!("is in {named}, but the {source} says {stated}")))
            }
            (Some(named), None) if named.scale() != expected.scale() => {
                in_scale(named.scale()).map(|amount| (amount, named)).map_err(fail)
            }
            (named, _) => Ok((amount, named.unwrap_or(expected))),
        }
        .and_then(|(amount, currency)| match amount.contradicting_sign(currency) {
            None => Ok((amount, currency)),
            Some(sign) => Err(self.reason(
                column,
                format_args!("is written with {sign}, but is taken to be in {currency}"),
            )),
        })
    }

    /// The amount by its sign, or by `CR` or `DR`.
    fn signed(&self, amount: Amount) -> i64 {
        match (amount.marker, self.layout.signage) {
            (Some(Marker::Credit), _) => directed(amount.value, Direction::In),
            (Some(Marker::Debit), _) => directed(amount.value, Direction::Out),
            (None, Signage::InflowsPositive) => amount.value.saturating_neg(),
            (None, Signage::InflowsNegative) => amount.value,
        }
    }

    fn direction(
        &self,
        cell: &str,
        column: usize,
        inflow_keys: Option<&[String]>,
    ) -> Result<Direction, String> {
        if cell.is_empty() {
            return Err(self.reason(column, "is blank, so the direction is not known"));
        }
        match inflow_keys {
            Some(keys) if keys.iter().any(|key| is_key(cell, key)) => Ok(Direction::In),
            Some(_) => Ok(Direction::Out),
            None => direction(cell).ok_or_else(|| {
                let cell = quoted(cell);
                let doubt =
                    format_args!("\"{cell}\" does not say whether money came in or went out");
                self.reason(column, doubt)
            }),
        }
    }

    /// What the balances show of a row. Until they were looked at, it is money out.
    fn direction_by_balance(&self, column: usize, row: u64) -> Result<Direction, String> {
        let Some(balance) = &self.layout.balance else {
            return Err(self.reason(column, "has no sign, and no balance shows the direction"));
        };
        let Some(directions) = &balance.directions else { return Ok(Direction::Out) };
        directions.of(row).ok_or_else(|| {
            let header = self.shown(balance.column);
            self.reason(column, directions.reason(row, &header))
        })
    }

    /// The amount in the direction of its column or word, or in the other one if it is a reversal.
    fn turned(&self, amount: Amount, way: Direction) -> i64 {
        let reversals = self.layout.reversals.as_ref();
        let is_negative = amount.signed() < 0;
        directed(amount.value, reversals.map_or(way, |found| found.way(way, is_negative)))
    }

    /// The amount in one of the two cells; the other is blank or zero.
    fn debit_or_credit(
        &self,
        cells: Cells<'_>,
        (debit, credit): (usize, usize),
        read: impl Fn(usize) -> Result<(Amount, Currency), String>,
        reasons: &mut Vec<String>,
    ) -> Option<(i64, Currency)> {
        let mut found = None;
        let mut failed = false;
        let both = |what: &str| {
            let credit = self.shown(credit);
            self.reason(debit, format_args!("and {credit} are both {what}"))
        };
        for (column, way) in [(debit, Direction::Out), (credit, Direction::In)] {
            if is_placeholder(cells.get(column)) {
                continue;
            }
            let Some((amount, currency)) = keep(read(column), reasons) else {
                failed = true;
                continue;
            };
            let value = self.turned(amount, way);
            match found {
                Some((other, _)) if other != 0 && value != 0 => {
                    reasons.push(both("filled"));
                    failed = true;
                }
                Some((other, _)) if other != 0 => {}
                _ => found = Some((value, currency)),
            }
        }
        if found.is_none() && !failed {
            reasons.push(both("blank"));
        }
        found.filter(|_| !failed)
    }
}

/// The amount with the sign of the ledger, whatever sign it was written with.
fn directed(value: i64, way: Direction) -> i64 {
    let magnitude = value.saturating_abs();
    match way {
        Direction::In => -magnitude,
        Direction::Out => magnitude,
    }
}

/// Whether a cell has a key; the common case without making the cell's own.
fn is_key(cell: &str, key: &str) -> bool {
    if cell.is_ascii() && !cell.contains(' ') {
        return cell.eq_ignore_ascii_case(key);
    }
    cell == key || name_key(cell) == key
}

fn keep<T>(result: Result<T, String>, reasons: &mut Vec<String>) -> Option<T> {
    result.map_err(|reason| reasons.push(reason)).ok()
}
