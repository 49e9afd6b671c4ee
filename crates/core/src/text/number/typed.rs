//! Amounts that a person types into a page, in whatever notation they are used to.
//!
//! Each notation is tried. What only one reading fits is taken; where two fit, such as `1,234`,
//! nothing is guessed.

use super::{NumberFormat, parse_amount};
use crate::money::Currency;
use crate::money::decimal::amount_text;

/// The two readings of an amount; reads after the name of a field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("could be {less} or {more}: write it with all decimals, such as {more}")]
pub struct Ambiguous {
    /// The reading that is nearer to zero, as a plain decimal.
    less: String,
    /// The other reading, as a plain decimal.
    more: String,
}

/// The amount in the currency's scale that a text stands for; none if it is no amount in the
/// currency in any notation.
pub fn typed_amount(text: &str, currency: Currency) -> Result<Option<i64>, Ambiguous> {
    let read = |notation: &NumberFormat| {
        let amount = parse_amount(text.trim(), *notation, currency.scale()).ok()?;
        let is_other = amount.currency.is_some_and(|named| named != currency)
            || amount.contradicting_sign(currency).is_some()
            || amount.marker.is_some();
        (!is_other).then_some(amount.value)
    };
    let mut readings: Vec<i64> = NumberFormat::ALL.iter().filter_map(read).collect();
    readings.sort_unstable_by_key(|amount| amount.unsigned_abs());
    readings.dedup();
    match readings[..] {
        [] => Ok(None),
        [one] => Ok(Some(one)),
        [one, other, ..] => {
            let shown = |amount| amount_text(amount, currency);
            Err(Ambiguous { less: shown(one), more: shown(other) })
        }
    }
}

/// An amount as a field of a page shows it: a plain decimal that [`typed_amount`] reads back.
pub fn amount_to_type(amount: i64, currency: Currency) -> String {
    let text = amount_text(amount, currency);
    // Three decimals could be thousands, four can't.
    let is_doubtful = typed_amount(&text, currency).is_err();
    if is_doubtful { format!("{text}0") } else { text }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn typed(text: &str) -> Result<Option<i64>, String> {
        typed_amount(text, Currency::EUR).map_err(|error| error.to_string())
    }

    #[test]
    fn amounts_are_read_in_the_notation_of_whoever_types() {
        for (text, units) in [
            ("1200.50", 12_005_000),
            ("1,200.50", 12_005_000),
            ("1.200,50", 12_005_000),
            ("1 200,50", 12_005_000),
            ("1\u{a0}200,5", 12_005_000),
            ("1'200.50", 12_005_000),
            ("1200", 12_000_000),
            ("1,234,567", 12_345_670_000),
            (" 12,5 ", 125_000),
            ("-3,25 €", -32_500),
            ("€ 3.25", 32_500),
            ("0,123", 1_230),
            ("0.1234", 1_234),
        ] {
            assert_eq!(typed(text), Ok(Some(units)), "{text}");
        }
    }

    #[test]
    fn what_could_be_two_amounts_is_none() {
        for (text, less, more) in [
            ("1,234", "1.234", "1234.00"),
            ("1.234", "1.234", "1234.00"),
            ("-12.345", "-12.345", "-12345.00"),
        ] {
            let why =
                format!("could be {less} or {more}: write it with all decimals, such as {more}");
            assert_eq!(typed(text), Err(why), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount_in_the_currency_is_left_to_the_ledger() {
        for text in ["", "many", "12 USD", "£3", "1,23,4", "1.2.3", "3 CR", "1e3"] {
            assert_eq!(typed(text), Ok(None), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_a_field_shows_is_read_back(amount in -1_000_000_000_i64..1_000_000_000) {
            for currency in ["EUR", "JPY", "KWD", "BTC"] {
                let currency = Currency::parse(currency).unwrap();
                let text = amount_to_type(amount, currency);
                prop_assert_eq!(typed_amount(&text, currency), Ok(Some(amount)), "{}", text);
            }
        }
    }
}
