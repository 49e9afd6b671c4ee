//! Amounts as people read them, in one English format: `$1,234.56`, `-CA$1,234.56`, `CHF 1,234.56`.
//!
//! The text before the number follows from the table of currencies, so that no two currencies ever
//! look the same:
//!
//! * A symbol is used as it is if it is a currency sign of no one script (`€`, `₹`, `₩`, `₿`),
//!   alone or with Latin letters (`R$`, `T$`, `£S`).
//! * If several currencies have it, the country is put before it (`CA$`, `AU$`, `CN¥`), except for
//!   those that everybody means by it: US dollar, pound, euro, yen, and the South Korean won, of
//!   which the only rival is the North Korean one.
//! * Everything else is shown by its code and a space: words and letters (`kr`, `zł`, `R`, which
//!   glued to digits would read badly and be shared by many), signs that belong to a script which
//!   is not Latin (Arabic, Cyrillic, Armenian, Bengali, Khmer), and currencies without a symbol.
//! * Two codes of one country would be equal even then (`CN¥` of CNY and CNH, `CU$` of CUP and
//!   CUC): the lesser known shows its code.

use std::sync::LazyLock;

use rust_decimal::{Decimal, RoundingStrategy};

use super::decimal::to_minor_units;
use super::{Currency, Money};

/// The currencies that keep a shared symbol without their country.
const OWNERS: [Currency; 5] = [
    Currency::USD,
    Currency::EUR,
    Currency::known("GBP"),
    Currency::known("JPY"),
    Currency::known("KRW"),
];

/// The currencies that have the same country and symbol as another one.
const OVERSHADOWED: [Currency; 2] = [Currency::known("CNH"), Currency::known("CUC")];

/// A unit price shows at most this many decimals.
const PRICE_DECIMALS_MAX: u32 = 8;

/// The text before the number, by position in the table.
static PREFIXES: LazyLock<Vec<String>> =
    LazyLock::new(|| Currency::all().map(make_prefix).collect());

/// The text before the number: `$`, `CA$`, or `CHF ` with its space.
pub(crate) fn prefix(currency: Currency) -> &'static str {
    PREFIXES.get(currency.index()).map_or("", String::as_str)
}

fn make_prefix(currency: Currency) -> String {
    let (code, symbol) = (currency.code(), currency.symbol());
    if !is_sign(symbol) || OVERSHADOWED.contains(&currency) {
        return format!("{code} ");
    }
    let shared = Currency::all().any(|other| other != currency && other.symbol() == symbol);
    let country = if shared && !OWNERS.contains(&currency) { &code[..2] } else { "" };
    format!("{country}{symbol}")
}

/// A currency sign of no one script, alone or with Latin capitals.
fn is_sign(symbol: &str) -> bool {
    symbol.chars().any(is_common_sign)
        && symbol.chars().all(|c| is_common_sign(c) || c.is_ascii_uppercase())
}

/// The currency signs that Unicode counts to no script.
fn is_common_sign(c: char) -> bool {
    matches!(c, '$' | '¢' | '£' | '¤' | '¥' | '฿' | '\u{20a0}'..='\u{20cf}')
}

/// The amount in its currency's precision, half away from zero; never `-$0.00`.
pub fn money_text(money: Money) -> String {
    sum_text(money.amount.into(), money.currency)
}

/// The same of a sum, which may be larger than an amount can be.
pub fn sum_text(sum: i128, currency: Currency) -> String {
    let precision = currency.precision();
    let minor = to_minor_units(sum, currency);
    let digits = format!("{:0width$}", minor.unsigned_abs(), width = precision as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - precision as usize);
    assemble(minor < 0, currency, whole, fraction)
}

/// A price per unit. One that is smaller than the currency's smallest unit keeps the digits that
/// make it differ from zero, up to eight: `$0.000012`.
pub fn price_text(price: Decimal, currency: Currency) -> String {
    let precision = currency.precision();
    let smallest = Decimal::new(1, precision);
    let decimals =
        if price.abs() < smallest { PRICE_DECIMALS_MAX.max(precision) } else { precision };
    let rounded =
        price.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero).normalize();
    let digits = rounded.abs().to_string();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let fraction = format!("{fraction:0<width$}", width = precision as usize);
    assemble(rounded.is_sign_negative() && !rounded.is_zero(), currency, whole, &fraction)
}

/// Puts sign, prefix, grouped digits and fraction together.
fn assemble(negative: bool, currency: Currency, whole: &str, fraction: &str) -> String {
    let prefix = prefix(currency);
    let mut text = String::with_capacity(prefix.len() + whole.len() * 4 / 3 + fraction.len() + 3);
    if negative {
        text.push('-');
    }
    text.push_str(prefix);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::money::decimal;
    use crate::text::number::{NumberFormat, parse_amount};

    fn show(code: &str, amount: &str) -> String {
        let currency = Currency::parse(code).unwrap();
        money_text(Money::new(decimal::parse(amount, currency.scale()).unwrap(), currency))
    }

    #[test]
    fn amounts_read_as_people_expect() {
        for (code, amount, text) in [
            ("USD", "1234.56", "$1,234.56"),
            ("USD", "-1234.56", "-$1,234.56"),
            ("USD", "0", "$0.00"),
            ("USD", "-0.0049", "$0.00"),
            ("USD", "-0.005", "-$0.01"),
            ("USD", "0.005", "$0.01"),
            ("USD", "999.995", "$1,000.00"),
            ("USD", "1000000", "$1,000,000.00"),
            ("USD", "-100", "-$100.00"),
            ("USD", "900000000000000", "$900,000,000,000,000.00"),
            ("CAD", "1234.56", "CA$1,234.56"),
            ("AUD", "-1234.56", "-AU$1,234.56"),
            ("NZD", "5", "NZ$5.00"),
            ("MXN", "5", "MX$5.00"),
            ("XCD", "5", "XC$5.00"),
            ("EUR", "1234.56", "€1,234.56"),
            ("GBP", "1234.56", "£1,234.56"),
            ("GIP", "1234.56", "GI£1,234.56"),
            ("SYP", "1234.56", "£S1,234.56"),
            ("JPY", "1234.56", "¥1,235"),
            ("JPY", "0.4999", "¥0"),
            ("JPY", "-0.5", "-¥1"),
            ("CNY", "1234.56", "CN¥1,234.56"),
            ("CNH", "1234.56", "CNH 1,234.56"),
            ("INR", "1234567.8", "₹1,234,567.80"),
            ("KRW", "1234.5", "₩1,235"),
            ("KPW", "1234.5", "KP₩1,234.50"),
            ("PKR", "1", "PK₨1.00"),
            ("BRL", "1234.56", "R$1,234.56"),
            ("NIO", "1", "C$1.00"),
            ("TRY", "1", "₺1.00"),
            ("RUB", "1", "₽1.00"),
            ("VND", "1234", "₫1,234"),
            ("THB", "1", "฿1.00"),
            ("CHF", "1234.56", "CHF 1,234.56"),
            ("CHF", "-1234.56", "-CHF 1,234.56"),
            ("SEK", "1234.56", "SEK 1,234.56"),
            ("PLN", "1", "PLN 1.00"),
            ("HUF", "1234.5", "HUF 1,235"),
            ("ZAR", "1", "ZAR 1.00"),
            ("RSD", "1", "RSD 1.00"),
            ("AMD", "1", "AMD 1.00"),
            ("IRR", "1", "IRR 1.00"),
            ("KWD", "1234.567", "KWD 1,234.567"),
            ("MGA", "1.25", "MGA 1.3"),
            ("CLF", "1234.5678", "CLF 1,234.5678"),
            ("XAU", "1", "XAU 1"),
            ("XTS", "1234", "XTS 1,234"),
            ("BTC", "0.12345678", "₿0.12345678"),
            ("BTC", "-1234", "-₿1,234.00000000"),
            ("DOGE", "1", "DOGE 1.00000000"),
            ("USDC", "1", "USDC 1.00"),
        ] {
            assert_eq!(show(code, amount), text, "{code} {amount}");
        }
    }

    #[test]
    fn no_two_currencies_look_the_same() {
        let prefixes: HashSet<_> = Currency::all().map(prefix).collect();
        assert_eq!(prefixes.len(), 180);
        assert!(prefixes.iter().all(|p| !p.is_empty() && !p.contains(|c: char| c.is_numeric())));
    }

    #[test]
    fn the_extremes_are_shown_whole() {
        let text = money_text(Money::new(i64::MIN, Currency::USD));
        assert_eq!(text, "-$922,337,203,685,477.58");
        assert_eq!(show("BTC", "-0.00000001"), "-₿0.00000001");
        let sum = i128::from(i64::MIN) * 2;
        assert_eq!(sum_text(sum, Currency::USD), "-$1,844,674,407,370,955.16");
        let all = "-$17,014,118,346,046,923,173,168,730,371,588,410.57";
        assert_eq!(sum_text(i128::MIN, Currency::USD), all);
    }

    #[test]
    fn small_prices_keep_the_digits_that_matter() {
        for (code, price, text) in [
            ("USD", "0.000012", "$0.000012"),
            ("USD", "-0.000012", "-$0.000012"),
            ("USD", "0.0123", "$0.01"),
            ("USD", "0.0099", "$0.0099"),
            ("USD", "0.000000004", "$0.00"),
            ("USD", "-0.000000004", "$0.00"),
            ("USD", "0.000000005", "$0.00000001"),
            ("USD", "0", "$0.00"),
            ("USD", "1234.5", "$1,234.50"),
            ("USD", "12.345", "$12.35"),
            ("USD", "-12.345", "-$12.35"),
            ("JPY", "0.5", "¥0.5"),
            ("JPY", "1.5", "¥2"),
            ("BTC", "0.000000015", "₿0.00000002"),
            ("CHF", "1234567", "CHF 1,234,567.00"),
        ] {
            let currency = Currency::parse(code).unwrap();
            assert_eq!(price_text(price.parse().unwrap(), currency), text, "{code} {price}");
        }
    }

    fn any_currency() -> impl Strategy<Value = Currency> {
        (0..180usize).prop_map(|index| Currency::all().nth(index).unwrap())
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(
            currency in any_currency(),
            minor in -10_000_000_000i64..10_000_000_000,
        ) {
            let unit = 10i64.pow(currency.scale() - currency.precision());
            let value = minor * unit;
            let text = money_text(Money::new(value, currency));
            prop_assert!(!text.contains("-0") || minor != 0);
            let read = parse_amount(&text, NumberFormat::CommaDot, currency.scale());
            let read = read.map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(read.value, value);
            // Shared signs don't name a currency, nor does C$, which Canadians use as well.
            let named = !["$", "£", "¥", "₩", "C$"].contains(&prefix(currency));
            prop_assert_eq!(read.currency, named.then_some(currency));
        }

        #[test]
        fn a_shown_amount_is_at_most_half_a_unit_away(currency in any_currency(), amount: i64) {
            let unit = 10i128.pow(currency.scale() - currency.precision());
            let minor = i128::from(decimal::to_minor_units(amount, currency));
            prop_assert!((minor * unit - i128::from(amount)).abs() * 2 <= unit);
            let text = money_text(Money::new(amount, currency));
            prop_assert_eq!(text.starts_with('-'), minor < 0);
        }
    }
}
