//! A trade as it is sent, checked once its account is known.
//!
//! Quantities, prices, fees and amounts have no sign: the type of the trade determines the
//! direction. Each type has fields that it needs, fields that it may have, and fields without a
//! meaning, which are refused so that nobody believes they counted. In a change, a missing field
//! stays as it is.

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::input::{self, AmountText};
use super::trade::{Effect, Terms, TradeType, UnitFlow};
use crate::error::{Error, Problem, Problems, Result};
use crate::limits::{NAME_CHARS_MAX, QUANTITY_MAX, SPLIT_PART_MAX};
use crate::money::Currency;
use crate::money::decimal::within_limits;
use crate::rates::input::{NOT_A_CURRENCY, positive_decimal};

/// The fields of a trade as they were sent; nothing is checked yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TradeValues {
    /// The type, one of [`TradeType`].
    pub trade_type: Option<TradeType>,
    /// The day of the trade.
    pub date: Option<String>,
    /// The number of shares, without a sign.
    pub quantity: Option<AmountText>,
    /// The price of one share.
    pub price: Option<AmountText>,
    /// The fee that was paid in addition.
    pub fee: Option<AmountText>,
    /// The amount of income or of a fee.
    pub amount: Option<AmountText>,
    /// The cost of shares that come from elsewhere; `Some(None)` if it isn't known.
    pub cost: Option<Option<AmountText>>,
    /// The code of the currency; by default the currency of the account.
    pub currency: Option<String>,
    /// What one unit of the currency is worth in the account's; of a move between accounts, in that
    /// of the account that the shares come to. `Some(None)` has the best known one looked up.
    pub rate: Option<Option<AmountText>>,
    /// The number of shares after the split, for each `split_from` before it.
    pub split_to: Option<String>,
    /// The number of shares before the split.
    pub split_from: Option<String>,
    /// The name; `Some(None)` clears it.
    pub name: Option<Option<String>>,
    /// The notes; `Some(None)` clears them.
    pub notes: Option<Option<String>>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// The fields of a trade, its account and its security as they were sent; nothing is checked yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TradeInput {
    /// The id of the account.
    pub account: Option<String>,
    /// The account that shares move to, if it is one of the family.
    pub to_account: Option<String>,
    /// The id of the security, or instead of it a ticker.
    pub security: Option<String>,
    /// The ticker under which the security is traded.
    pub ticker: Option<String>,
    /// The code of the market on which it is traded.
    pub exchange_operating_mic: Option<String>,
    /// The name of the security, used if it is created.
    pub security_name: Option<String>,
    /// The system that `external_id` belongs to; needs an external id.
    pub source: Option<String>,
    /// The other side's id.
    pub external_id: Option<String>,
    /// Whether one that was deleted with that id may come again.
    pub restore: bool,
    /// The fields of the trade itself.
    pub values: TradeValues,
}

/// The ratio of a share split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// The number of shares after the split, for each `from` before it.
    pub to: u32,
    /// The number of shares before the split; at least one.
    pub from: u32,
}

/// The currencies of the accounts of a trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TradeCurrencies {
    /// The currency of its account; of a move, of the account that the shares leave.
    pub home: Currency,
    /// The currency of the account that the shares move to, if it is one of the family.
    pub to: Option<Currency>,
}

/// A trade with valid values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedTrade {
    /// The day of the trade.
    pub date: Date,
    /// The currency of price, fee, amount and cost.
    pub currency: Currency,
    /// The rate that was sent with it.
    pub rate: Option<Decimal>,
    /// The type, the shares and the money.
    pub terms: Terms,
    /// The cost of shares that come from elsewhere.
    pub cost: Option<i64>,
    /// The ratio of a share split.
    pub split: Option<Split>,
    /// The name; empty if none was sent.
    pub name: String,
    /// Free text of people.
    pub notes: Option<String>,
}

impl CheckedTrade {
    /// What it does in its currency.
    pub fn effect(&self) -> Result<Effect> {
        let scale = self.currency.scale();
        let effect = self.terms.effect(scale).filter(|effect| {
            [effect.cash, effect.value].iter().all(|amount| within_limits(*amount, scale))
        });
        let effect =
            effect.ok_or_else(|| Error::invalid("The amount of the trade is too large"))?;
        Ok(Effect { cost: effect.cost.or(self.cost), ..effect })
    }
}

impl TradeValues {
    /// Judges the values of a new trade, or of one that changes from `before`; every problem is
    /// added to the list.
    pub fn check(
        &self,
        before: Option<&CheckedTrade>,
        currencies: TradeCurrencies,
        today: Date,
        problems: &mut Problems,
    ) -> Option<CheckedTrade> {
        problems.extend(self.problems.iter().cloned());
        let date = self.date(before, today, problems);
        let (name, notes) = self.texts(before, problems);
        let currency = self.currency(before, currencies, problems);
        let rate = self.rate(before, currency, currencies, problems);
        let trade_type = self.trade_type(before, problems)?;
        if trade_type == TradeType::Split && currency != currencies.home {
            let home = currencies.home.code();
            let predicate =
                format!("must be that of the account, {home}, for a split: no money moves");
            problems.field("currency", predicate);
        }
        let quiet = problems.is_empty();
        let mut reader = Reader { values: self, before, trade_type, currency, problems };
        let terms = Terms {
            trade_type,
            quantity: reader.quantity(),
            price: reader.price(),
            fee: reader.fee(),
            amount: reader.amount(),
        };
        let (cost, split) = (reader.cost(), reader.split());
        let checked = CheckedTrade { date: date?, currency, rate, terms, cost, split, name, notes };
        if quiet
            && problems.is_empty()
            && let Err(problem) = checked.effect()
        {
            problems.extend(problem.into_problems());
        }
        Some(checked)
    }

    fn date(
        &self,
        before: Option<&CheckedTrade>,
        today: Date,
        problems: &mut Problems,
    ) -> Option<Date> {
        match (&self.date, before) {
            (Some(text), _) => input::entry_date("date", text, today, problems),
            (None, Some(before)) => Some(before.date),
            (None, None) => {
                problems.required("date");
                None
            }
        }
    }

    /// The currency, which stays for good.
    fn currency(
        &self,
        before: Option<&CheckedTrade>,
        currencies: TradeCurrencies,
        problems: &mut Problems,
    ) -> Currency {
        let present = before.map_or(currencies.home, |before| before.currency);
        let Some(code) = &self.currency else { return present };
        let Some(found) = Currency::parse(code) else {
            problems.field("currency", NOT_A_CURRENCY);
            return present;
        };
        if before.is_some() && found != present {
            problems.field("currency", format!("can't change: it is {}", present.code()));
        } else if currencies.to.is_some() && found != currencies.home {
            let predicate = format!(
                "must be that of the account that the shares leave, {}",
                currencies.home.code()
            );
            problems.field("currency", predicate);
        }
        found
    }

    fn rate(
        &self,
        before: Option<&CheckedTrade>,
        currency: Currency,
        currencies: TradeCurrencies,
        problems: &mut Problems,
    ) -> Option<Decimal> {
        let text = match &self.rate {
            None => return before.and_then(|before| before.rate),
            Some(text) => text.as_ref()?,
        };
        if currency == currencies.to.unwrap_or(currencies.home) {
            problems.field("exchange_rate", "is only for a trade in another currency");
        }
        positive_decimal("exchange_rate", text, problems)
    }

    fn trade_type(
        &self,
        before: Option<&CheckedTrade>,
        problems: &mut Problems,
    ) -> Option<TradeType> {
        let found = self.trade_type.or(before.map(|before| before.terms.trade_type));
        if found.is_none() {
            problems.required("type");
        }
        found
    }

    fn texts(
        &self,
        before: Option<&CheckedTrade>,
        problems: &mut Problems,
    ) -> (String, Option<String>) {
        let name = match &self.name {
            Some(name) => {
                input::label("name", name.as_deref(), NAME_CHARS_MAX, problems).unwrap_or_default()
            }
            None => before.map(|before| before.name.clone()).unwrap_or_default(),
        };
        let notes = match &self.notes {
            Some(notes) => {
                notes.as_deref().and_then(|notes| input::notes("notes", notes, problems))
            }
            None => before.and_then(|before| before.notes.clone()),
        };
        (name, notes)
    }
}

/// Reads the fields that depend on the type.
struct Reader<'a> {
    values: &'a TradeValues,
    before: Option<&'a CheckedTrade>,
    trade_type: TradeType,
    currency: Currency,
    problems: &'a mut Problems,
}

impl Reader<'_> {
    fn quantity(&mut self) -> Decimal {
        let needed = self.trade_type.unit_flow() != UnitFlow::None;
        let before = self.before.map(|before| before.terms.quantity);
        let found = self.decimal("qty", &self.values.quantity.clone(), before, needed, needed);
        if found > Decimal::from(QUANTITY_MAX) {
            self.problems.field("qty", format!("must be at most {QUANTITY_MAX}"));
        }
        found
    }

    fn price(&mut self) -> Decimal {
        let (needed, known) =
            (self.trade_type.is_priced(), self.trade_type.unit_flow() != UnitFlow::None);
        let before = self.before.map(|before| before.terms.price);
        self.decimal("price", &self.values.price.clone(), before, needed, known)
    }

    fn fee(&mut self) -> i64 {
        let known = self.trade_type.is_priced()
            || matches!(self.trade_type, TradeType::Dividend | TradeType::Interest);
        let before = self.before.map(|before| before.terms.fee);
        self.money("fee", &self.values.fee.clone(), before, false, known)
    }

    fn amount(&mut self) -> i64 {
        let needed = self.trade_type.is_money();
        let before = self.before.map(|before| before.terms.amount);
        self.money("amount", &self.values.amount.clone(), before, needed, needed)
    }

    fn cost(&mut self) -> Option<i64> {
        let known = self.trade_type == TradeType::TransferIn;
        match &self.values.cost {
            None => self.before.and_then(|before| before.cost).filter(|_| known),
            Some(None) => None,
            text @ Some(Some(_)) => {
                let text = text.clone().flatten();
                Some(self.money("cost", &text, None, false, known))
            }
        }
    }

    fn split(&mut self) -> Option<Split> {
        let before = self.before.and_then(|before| before.split);
        let (to, from) = (&self.values.split_to, &self.values.split_from);
        if self.trade_type != TradeType::Split {
            self.refuse("split_to", to.is_some());
            self.refuse("split_from", from.is_some());
            return None;
        }
        let to = part("split_to", to.as_deref(), before.map(|split| split.to), self.problems);
        let from =
            part("split_from", from.as_deref(), before.map(|split| split.from), self.problems);
        to.zip(from).map(|(to, from)| Split { to, from })
    }

    /// A positive decimal; zero stands for none.
    fn decimal(
        &mut self,
        field: &str,
        text: &Option<AmountText>,
        before: Option<Decimal>,
        needed: bool,
        known: bool,
    ) -> Decimal {
        let found = match text {
            _ if !known => {
                self.refuse(field, text.is_some());
                return Decimal::ZERO;
            }
            Some(text) => positive_decimal(field, text, self.problems),
            None => match before.filter(|before| !before.is_zero()) {
                None if needed => {
                    self.problems.required(field);
                    None
                }
                before => before,
            },
        };
        found.unwrap_or_default()
    }

    /// An amount that isn't negative; zero stands for none.
    fn money(
        &mut self,
        field: &str,
        text: &Option<AmountText>,
        before: Option<i64>,
        needed: bool,
        known: bool,
    ) -> i64 {
        let Some(text) = text else {
            let before = before.filter(|_| known).unwrap_or_default();
            if needed && before == 0 {
                self.problems.required(field);
            }
            return before;
        };
        if !known {
            self.refuse(field, true);
            return 0;
        }
        let found = input::amount(field, text, self.currency, self.problems);
        if found.is_some_and(|amount| amount < 0) {
            self.problems.field(field, "must not be negative");
        }
        found.unwrap_or_default()
    }

    fn refuse(&mut self, field: &str, was_sent: bool) {
        if was_sent {
            let name = self.trade_type.as_str();
            self.problems.field(field, format!("is not for a trade of type {name}"));
        }
    }
}

/// A whole number of shares of a split.
fn part(
    field: &str,
    text: Option<&str>,
    before: Option<u32>,
    problems: &mut Problems,
) -> Option<u32> {
    let Some(text) = text else {
        if before.is_none() {
            problems.required(field);
        }
        return before;
    };
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number @ 1..=SPLIT_PART_MAX) if digits => Some(number),
        _ => {
            problems.field(field, format!("must be a whole number from 1 to {SPLIT_PART_MAX}"));
            None
        }
    }
}

#[cfg(test)]
#[path = "new_trade_tests.rs"]
mod tests;
