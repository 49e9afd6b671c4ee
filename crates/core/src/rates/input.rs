//! Rates as callers write them, and exact decimals that must be positive: rates and prices.

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::error::{Problems, Result};
use crate::ledger::input::{AmountText, entry_date};
use crate::limits::{DECIMAL_DIGITS_MAX, DECIMAL_PLACES_MAX};
use crate::money::Currency;
use crate::money::noise::without_noise;

/// A rate as it was sent. A field that is missing is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RateInput {
    /// The code of the currency of which one unit is valued.
    pub base: Option<String>,
    /// The code of the currency of the rate.
    pub quote: Option<String>,
    /// The day of the rate, as `YYYY-MM-DD`.
    pub date: Option<String>,
    /// The worth of one unit of `base`, in units of `quote`; must be positive.
    pub rate: Option<AmountText>,
}

/// A rate that may be stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedRate {
    /// The currency of which one unit is valued.
    pub base: Currency,
    /// The currency of the rate.
    pub quote: Currency,
    /// The day of the rate.
    pub date: Date,
    /// The worth of one unit of `base`, in units of `quote`.
    pub rate: Decimal,
}

impl RateInput {
    /// The rate, or every problem that it has.
    pub fn check(&self, today: Date) -> Result<StatedRate> {
        let mut problems = Problems::new();
        let base = currency("base", self.base.as_deref(), &mut problems);
        let quote = currency("quote", self.quote.as_deref(), &mut problems);
        if base.is_some() && base == quote {
            problems.field("quote", "must be another currency than the base");
        }
        let date = required("date", self.date.as_deref(), &mut problems)
            .and_then(|text| entry_date("date", text, today, &mut problems));
        let rate = required("rate", self.rate.as_ref(), &mut problems)
            .and_then(|text| positive_decimal("rate", text, &mut problems));
        problems.into_result()?;
        match (base, quote, date, rate) {
            (Some(base), Some(quote), Some(date), Some(rate)) => {
                Ok(StatedRate { base, quote, date, rate })
            }
            _ => Err(crate::error::Error::internal("a rate without a field was let through")),
        }
    }
}

fn required<T>(field: &str, value: Option<T>, problems: &mut Problems) -> Option<T> {
    if value.is_none() {
        problems.required(field);
    }
    value
}

/// The problem of a text that is no currency.
pub const NOT_A_CURRENCY: &str = "must be a known currency code such as USD";

/// A currency by its code, or a problem that names the field.
pub fn currency(field: &str, code: Option<&str>, problems: &mut Problems) -> Option<Currency> {
    let code = required(field, code, problems)?;
    let found = Currency::parse(code);
    if found.is_none() {
        problems.field(field, NOT_A_CURRENCY);
    }
    found
}

/// A positive decimal of at most [`DECIMAL_PLACES_MAX`] decimals, read exactly (but for the noise
/// of floats, as [`AmountText`] has it), or a problem that names the field.
pub fn positive_decimal(
    field: &str,
    text: &AmountText,
    problems: &mut Problems,
) -> Option<Decimal> {
    let problem = match exact(text) {
        Ok(value) if value <= Decimal::ZERO => "must be more than 0".to_owned(),
        Ok(value) => return Some(value),
        Err(unread) => unread.to_string(),
    };
    problems.field(field, problem);
    None
}

/// A decimal of any sign with at most [`DECIMAL_PLACES_MAX`] decimals, read as
/// [`positive_decimal`] reads it.
pub fn exact_decimal(text: &AmountText) -> Option<Decimal> {
    exact(text).ok()
}

fn exact(text: &AmountText) -> std::result::Result<Decimal, Unread> {
    match text {
        AmountText::JsonNumber(text) => {
            of_json(text).or_else(|unread| of_json(&without_noise(text).ok_or(unread)?))
        }
        AmountText::Text(text) => plain(text.trim()).and_then(fitting),
    }
}

/// Why a text is not a decimal; stands after the name of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Unread {
    #[error("must be a decimal number such as 1.25")]
    NotANumber,
    #[error("must have at most {} digits", DECIMAL_DIGITS_MAX)]
    TooLong,
    #[error("must have at most {} decimals", DECIMAL_PLACES_MAX)]
    TooFine,
}

fn fitting(value: Decimal) -> std::result::Result<Decimal, Unread> {
    if value.scale() > DECIMAL_PLACES_MAX { Err(Unread::TooFine) } else { Ok(value) }
}

/// Without zeros at the end, exponents included.
fn of_json(text: &str) -> std::result::Result<Decimal, Unread> {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
        return plain(text).and_then(fitting);
    };
    let mantissa = plain(mantissa)?;
    if mantissa.is_zero() {
        return Ok(mantissa);
    }
    let absurd = if exponent.starts_with('-') { Unread::TooFine } else { Unread::TooLong };
    let exponent: i32 = exponent.parse().map_err(|_| absurd)?;
    let decimals = i64::from(mantissa.scale()) - i64::from(exponent);
    if let Ok(decimals) = u32::try_from(decimals) {
        let value = Decimal::try_from_i128_with_scale(mantissa.mantissa(), decimals);
        return value.map_err(|_| Unread::TooFine).and_then(fitting);
    }
    let zeros = u32::try_from(-decimals).map_err(|_| Unread::TooLong)?;
    let whole = 10_i128.checked_pow(zeros).and_then(|power| mantissa.mantissa().checked_mul(power));
    let value = whole.and_then(|whole| Decimal::try_from_i128_with_scale(whole, 0).ok());
    value.ok_or(Unread::TooLong)
}

/// Digits, perhaps with a minus and with decimals; nothing else.
fn plain(text: &str) -> std::result::Result<Decimal, Unread> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(whole) || !all_digits(decimals) {
        return Err(Unread::NotANumber);
    }
    // Zeros at both ends don't change the value, however many there are.
    let (whole, decimals) = (whole.trim_start_matches('0'), decimals.trim_end_matches('0'));
    let sign = if text.starts_with('-') { "-" } else { "" };
    let point = if decimals.is_empty() { "" } else { "." };
    match Decimal::from_str_exact(&format!("{sign}0{whole}{point}{decimals}")) {
        Ok(value) => Ok(value.normalize()),
        Err(_) if decimals.len() > DECIMAL_PLACES_MAX as usize => Err(Unread::TooFine),
        Err(_) => Err(Unread::TooLong),
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn read(text: AmountText) -> std::result::Result<String, Vec<String>> {
        let mut problems = Problems::new();
        match positive_decimal("rate", &text, &mut problems) {
            Some(value) => Ok(value.to_string()),
            None => Err(problems.texts()),
        }
    }

    #[test]
    fn decimals_are_exact_and_positive() {
        let ok = |text: &str| Ok(text.to_owned());
        let problem = |text: &str| Err(vec![format!("The rate {text}")]);
        let not = problem("must be a decimal number such as 1.25");
        let long = problem("must have at most 28 digits");
        let fine = problem("must have at most 18 decimals");
        for (text, expected) in [
            (AmountText::Text("1.0950".into()), ok("1.095")),
            (AmountText::Text(" 7 ".into()), ok("7")),
            // As it is answered.
            (
                AmountText::Text("79228162514264337593543950335.0".into()),
                ok("79228162514264337593543950335"),
            ),
            (AmountText::Text("0.000000000000000001".into()), ok("0.000000000000000001")),
            (AmountText::Text("0.0000000000000000001".into()), fine.clone()),
            (AmountText::Text(format!("1.5{}", "0".repeat(40))), ok("1.5")),
            (AmountText::Text(format!("{}7", "0".repeat(40))), ok("7")),
            (AmountText::Text("9".repeat(28)), ok(&"9".repeat(28))),
            (AmountText::Text("9".repeat(32)), long.clone()),
            (AmountText::Text("0".into()), problem("must be more than 0")),
            (AmountText::Text("-1".into()), problem("must be more than 0")),
            (AmountText::JsonNumber("1e3".into()), ok("1000")),
            (AmountText::JsonNumber("1.25E-2".into()), ok("0.0125")),
            (AmountText::JsonNumber("0e99".into()), problem("must be more than 0")),
            (
                AmountText::JsonNumber("1.00000000000000000001e5".into()),
                ok("100000.000000000000001"),
            ),
            (AmountText::JsonNumber("0.00030000000000000003".into()), ok("0.0003")),
            (AmountText::JsonNumber("0.30000000000000004".into()), ok("0.30000000000000004")),
            (AmountText::Text("0.00030000000000000003".into()), fine.clone()),
            (AmountText::JsonNumber("1e99".into()), long.clone()),
            (AmountText::JsonNumber("1e-99".into()), fine.clone()),
            (AmountText::JsonNumber("1e99999999999".into()), long),
            (AmountText::JsonNumber("1e-99999999999".into()), fine),
        ] {
            assert_eq!(read(text.clone()), expected, "{text:?}");
        }
        for text in ["", ".5", "5.", "1e3", "1,5", "+1", "1_0", "NaN", "-"] {
            assert_eq!(read(AmountText::Text(text.into())), not, "{text:?}");
        }
    }

    #[test]
    fn every_problem_of_a_rate_is_reported_at_once() {
        let today = date(2024, 5, 17);
        let problems = |input: RateInput| match input.check(today) {
            Err(crate::error::Error::Invalid { problems, .. }) => crate::error::texts(&problems),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            problems(RateInput::default()),
            [
                "The base is required",
                "The quote is required",
                "Date is required",
                "The rate is required"
            ]
        );
        let input = RateInput {
            base: Some("EUR".into()),
            quote: Some("eur".into()),
            date: Some("2024-02-30".into()),
            rate: Some(AmountText::Text("0".into())),
        };
        assert_eq!(
            problems(input.clone()),
            [
                "The quote must be another currency than the base",
                "The date must be a calendar date such as 2026-01-31",
                "The rate must be more than 0"
            ]
        );
        let input = RateInput {
            quote: Some("USD".into()),
            date: Some("2024-02-29".into()),
            rate: Some(AmountText::Text("1.08".into())),
            ..input
        };
        let rate = input.check(today).unwrap();
        assert_eq!((rate.base, rate.quote), (Currency::EUR, Currency::USD));
        assert_eq!((rate.date, rate.rate), (date(2024, 2, 29), Decimal::new(108, 2)));
    }
}
