//! A trade as it is sent, checked once its account is known.
//!
//! Quantities, prices, fees and amounts have no sign: the type of the trade determines the
//! direction. Each type has fields that it needs, fields that it may have, and fields without a
//! meaning, which are refused so that nobody believes they counted. In a change, a missing field
//! stays as it is.

mod typed_fields;

use jiff::civil::Date;
use rust_decimal::Decimal;
use typed_fields::TypedFields;

use super::input::{self, AmountText};
use super::trade::{Effect, Terms, TradeType};
use crate::error::{Error, Problem, Problems, Result};
use crate::limits::NAME_CHARS_MAX;
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
        let mut fields = TypedFields { values: self, before, trade_type, currency, problems };
        let terms = Terms {
            trade_type,
            quantity: fields.quantity(),
            price: fields.price(),
            fee: fields.fee(),
            amount: fields.amount(),
        };
        let (cost, split) = (fields.cost(), fields.split());
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

#[cfg(test)]
#[path = "new_trade_tests.rs"]
mod tests;
