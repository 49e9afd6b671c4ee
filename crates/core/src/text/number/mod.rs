//! How people and banks write amounts.
//!
//! A cell is read in one [`NumberFormat`] and strictly: grouping must be where it belongs, so that
//! `12,50` under `1,234.56` is an error and not 1250. Around the number are understood: white
//! space, one sign (`-`, `+`, a minus at the end, parentheses), the sign or code of a currency
//! before or after, and `CR` or `DR` after it. A sign beside `CR` or `DR`, two signs, or two
//! different currencies are errors, because either reading would be a guess.
//!
//! Grouping: groups of three; under the two formats with a comma for grouping also Indian
//! (`1,23,456.78`), and under `1,234.56` also apostrophes (`1'234.56`); under `1 234,56` any
//! white space. A grouped number doesn't start with zero: `0,123` is a fraction in disguise.
//!
//! [`parse_amount`] allocates only for errors.

mod affix;
mod body;
mod decimal;
mod detect;
#[cfg(test)]
mod tests;
mod typed;

pub use decimal::{Number, parse_number};
pub use detect::NumberFormatDetector;
pub use typed::{Ambiguous, amount_to_type, typed_amount};

use super::quoted;
use crate::money::Currency;
use crate::money::decimal::{with_sign, within_limits};
use crate::named::text_enum;

text_enum! {
    /// Which characters group digits and which one starts the decimals.
    NumberFormat {
        /// Commas group digits, and a point starts the decimals.
        CommaDot = "1,234.56",
        /// Points group digits, and a comma starts the decimals.
        DotComma = "1.234,56",
        /// Spaces group digits, and a comma starts the decimals.
        SpaceComma = "1 234,56",
        /// Commas group digits, and there are no decimals.
        CommaNone = "1,234",
    }
}

text_enum! {
    /// The mark of a bank beside an amount that has no sign.
    Marker {
        /// The mark `CR`: money in.
        Credit = "credit",
        /// The mark `DR`: money out.
        Debit = "debit",
    }
}

/// An amount that was read from a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    /// The amount in the requested scale, with the sign that was written.
    pub value: i64,
    /// `CR` or `DR` after the number; the value is then not negative.
    pub marker: Option<Marker>,
    /// The currency, if the cell names one beyond doubt: `$` alone doesn't.
    pub currency: Option<Currency>,
    /// The sign beside the number, if several currencies have it.
    pub shared_sign: Option<&'static str>,
}

impl Amount {
    /// The value with the sign that `CR` (positive) or `DR` gives it, else with the written one.
    pub fn signed(&self) -> i64 {
        match self.marker {
            None => self.value,
            Some(Marker::Credit) => self.value.saturating_abs(),
            Some(Marker::Debit) => self.value.saturating_abs().saturating_neg(),
        }
    }

    /// The shared sign, if the amount can't be in this currency because of it: `£12` in euros.
    pub fn contradicting_sign(&self, currency: Currency) -> Option<&'static str> {
        self.shared_sign.filter(|sign| !affix::agrees(sign, currency))
    }
}

/// Why a cell is not an amount: a fragment that follows the name of a column.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// The cell is empty.
    #[error("is blank")]
    Blank,
    /// The cell has other characters than digits, separators, signs and currencies.
    #[error("\"{cell}\" is not an amount")]
    NotANumber {
        /// The cell, shortened for the message.
        cell: String,
    },
    /// The cell has digits and separators, but not those of the format.
    #[error("\"{cell}\" is not written like {}", format.as_str())]
    WrongFormat {
        /// The cell, shortened for the message.
        cell: String,
        /// The format in which it was read.
        format: NumberFormat,
    },
    /// The cell has more decimals than amounts of the currency.
    #[error("\"{cell}\" has more than {max} decimals")]
    TooManyDecimals {
        /// The cell, shortened for the message.
        cell: String,
        /// The number of decimals that are allowed.
        max: u32,
    },
    /// The amount is beyond the limit of amounts.
    #[error("\"{cell}\" is too large")]
    TooLarge {
        /// The cell, shortened for the message.
        cell: String,
    },
    /// The cell has two signs, or a sign beside `CR` or `DR`.
    #[error("\"{cell}\" has two signs")]
    TwoSigns {
        /// The cell, shortened for the message.
        cell: String,
    },
    /// The cell names two currencies.
    #[error("\"{cell}\" names two currencies")]
    TwoCurrencies {
        /// The cell, shortened for the message.
        cell: String,
    },
}

/// A [`NumberError`] before it quotes the cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Problem {
    Blank,
    NotANumber,
    WrongFormat,
    TooManyDecimals,
    TooLarge,
    TwoSigns,
    TwoCurrencies,
}

/// Reads an amount into an integer of the scale (4, or 8 for currencies that keep as many).
pub fn parse_amount(cell: &str, format: NumberFormat, scale: u32) -> Result<Amount, NumberError> {
    read(cell, format, scale).map_err(|problem| problem.describe(cell, format, scale))
}

/// The currency that a word or a sign names beyond doubt: `EUR`, `€`, `zł`, `円`; not `$` or `kr`.
pub fn named_currency(word: &str) -> Option<Currency> {
    match affix::mark(word)? {
        affix::Mark::Names(currency) => Some(currency),
        affix::Mark::Shared(_) => None,
    }
}

/// Whether a word is a sign of money that several currencies have: `$`, `kr`.
pub fn is_shared_sign(word: &str) -> bool {
    matches!(affix::mark(word), Some(affix::Mark::Shared(_)))
}

/// The direction that is written with an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// Money out: a minus, parentheses, or `DR`.
    Minus,
    /// Money in: a plus, or `CR`.
    Plus,
    /// The amount has neither sign nor mark.
    None,
}

/// The sign of an amount as it is written, whatever the format; nothing for what is no amount.
pub fn written_sign(cell: &str) -> Written {
    if cell.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',')) {
        return Written::None;
    }
    match affix::split(cell) {
        Ok(affix::Parts { marker: Some(Marker::Debit), .. }) => Written::Minus,
        Ok(affix::Parts { marker: Some(Marker::Credit), .. }) => Written::Plus,
        Ok(affix::Parts { negative: true, .. }) => Written::Minus,
        Ok(_) if cell.contains('+') => Written::Plus,
        _ => Written::None,
    }
}

/// The amount as it is written, without its sign, parentheses, and `CR` or `DR`.
pub fn without_signs(cell: &str) -> String {
    affix::without_signs(cell)
}

/// Whether a word is a sign of money that the currency may have, although others have it too.
pub fn is_shared_sign_of(word: &str, currency: Currency) -> bool {
    match affix::mark(word) {
        Some(affix::Mark::Shared(sign)) => affix::agrees(sign, currency),
        _ => false,
    }
}

fn read(cell: &str, format: NumberFormat, scale: u32) -> Result<Amount, Problem> {
    let parts = affix::split(cell)?;
    let magnitude = body::read(parts.body, format, scale)?;
    let value = with_sign(parts.negative, magnitude)
        .filter(|value| within_limits(*value, scale))
        .ok_or(Problem::TooLarge)?;
    let (marker, currency, shared_sign) = (parts.marker, parts.currency, parts.shared_sign);
    Ok(Amount { value, marker, currency, shared_sign })
}

impl Problem {
    #[cold]
    fn describe(self, cell: &str, format: NumberFormat, scale: u32) -> NumberError {
        let cell = quoted(cell);
        match self {
            Self::Blank => NumberError::Blank,
            Self::NotANumber => NumberError::NotANumber { cell },
            Self::WrongFormat => NumberError::WrongFormat { cell, format },
            Self::TooManyDecimals => NumberError::TooManyDecimals { cell, max: scale },
            Self::TooLarge => NumberError::TooLarge { cell },
            Self::TwoSigns => NumberError::TwoSigns { cell },
            Self::TwoCurrencies => NumberError::TwoCurrencies { cell },
        }
    }
}
