//! By what a security is recognised.

use serde::{Deserialize, Serialize};

use crate::ledger::security::{TICKER_CHARS_MAX, is_isin};
use crate::limits::LABEL_CHARS_MAX;
use crate::money::Currency;

/// What a provider calls a security, the most certain first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Clues {
    /// The international number, with a check digit that is right.
    pub isin: Option<String>,
    /// The global identifier of the instrument.
    pub figi: Option<String>,
    /// The number in North America.
    pub cusip: Option<String>,
    /// The symbol in upper case.
    pub ticker: Option<String>,
    /// The name in one line.
    pub name: Option<String>,
    /// The currency that it is in.
    pub currency: Option<Currency>,
}

impl Clues {
    /// Reads what was sent; what has not the form of a number or a symbol is none.
    pub fn read(
        [isin, figi, cusip, ticker, name]: [Option<&str>; 5],
        currency: Option<Currency>,
    ) -> Self {
        let upper = |text: Option<&str>| text.map(|text| text.trim().to_uppercase());
        let is_code = |text: &String, length: usize| {
            text.len() == length && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let is_ticker = |text: &String| {
            let fits = text.chars().count() <= TICKER_CHARS_MAX;
            fits && !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control())
        };
        Self {
            isin: upper(isin).filter(|text| is_isin(text)),
            figi: upper(figi).filter(|text| is_code(text, 12)),
            cusip: upper(cusip).filter(|text| is_code(text, 9)),
            ticker: upper(ticker).filter(is_ticker),
            name: name.and_then(line),
            currency,
        }
    }

    /// Whether there is nothing to recognise a security by.
    pub fn is_blank(&self) -> bool {
        let Self { isin, figi, cusip, ticker, name, .. } = self;
        [isin, figi, cusip, ticker, name].into_iter().all(Option::is_none)
    }

    /// Whether two rows of one provider are of the same security: by the most certain clue that
    /// both have.
    pub(super) fn are_of_same(&self, other: &Self, is_crypto: bool) -> bool {
        let codes =
            [(&self.isin, &other.isin), (&self.figi, &other.figi), (&self.cusip, &other.cusip)];
        for (one, other) in codes {
            if let (Some(one), Some(other)) = (one, other) {
                return one == other;
            }
        }
        let is_same_currency = is_crypto || may_be_same(self.currency, other.currency);
        match (&self.ticker, &other.ticker) {
            (Some(one), Some(other)) => one == other && is_same_currency,
            _ => is_same_name(self.name.as_deref(), other.name.as_deref()) && is_same_currency,
        }
    }
}

/// A text in one line, as long as a name may be; none if there is nothing in it.
fn line(text: &str) -> Option<String> {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let text: String = words.join(" ").chars().take(LABEL_CHARS_MAX).collect();
    let text = text.trim_end().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Whether two currencies are the same as far as both are known.
pub(super) fn may_be_same(one: Option<Currency>, other: Option<Currency>) -> bool {
    one.zip(other).is_none_or(|(one, other)| one == other)
}

/// Whether two names are the same, whatever their case.
pub(super) fn is_same_name(one: Option<&str>, other: Option<&str>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one.to_lowercase() == other.to_lowercase())
}
