//! Exact decimal amounts of bank statements.
//!
//! An amount is an integer and a number of decimals, as it was written: `12.50` keeps both of them.
//! Which currency it is in, and whether that currency has so many decimals, is decided by who uses
//! it. Sums are exact; one that doesn't fit is nothing, never a wrapped number.

use std::cmp::Ordering;
use std::fmt;

/// Digits before the decimal mark, and as many after it at most. ISO 20022 allows 18 altogether.
const DIGITS_MAX: usize = 18;

/// A decimal number. Two amounts are equal if they are worth the same, however many zeros they end
/// in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Amount {
    units: i128,
    decimals: u32,
}

/// What separates the decimals in a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalMark {
    /// A point and nothing else: ISO 20022.
    Point,
    /// A comma by the standard, and a point where a bank writes one: SWIFT.
    CommaOrPoint,
    /// Whichever the bank uses, perhaps with the other one between groups of digits: OFX.
    Any,
}

/// Why a text is no amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// There is nothing to read.
    #[error("there is no amount")]
    Missing,
    /// Something other than a number stands there.
    #[error("it is not a plain decimal number")]
    NotANumber,
    /// More digits than any bank has.
    #[error("it has more than {DIGITS_MAX} digits before or after the decimal mark")]
    TooLong,
    /// `1,234` may be one and some decimals, or more than a thousand.
    #[error("its mark may separate thousands or decimals")]
    Ambiguous,
}

impl Amount {
    /// An amount of so many units with so many decimals: `(1250, 2)` is 12.50.
    pub fn new(units: i64, decimals: u8) -> Self {
        Self { units: i128::from(units), decimals: u32::from(decimals) }
    }

    /// Reads a number with an optional sign. `decimals` are those of the currency, if they are
    /// known; they decide about `1,234`, which is exact in a currency with three decimals.
    pub fn parse(
        text: &str,
        mark: DecimalMark,
        decimals: Option<u32>,
    ) -> Result<Self, AmountError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(AmountError::Missing);
        }
        let (negative, digits) = sign(text, mark);
        let (whole, fraction) = split(digits, mark, decimals)?;
        if whole.is_empty() && fraction.is_empty() {
            return Err(AmountError::NotANumber);
        }
        let whole = whole.trim_start_matches('0');
        if whole.len() > DIGITS_MAX || fraction.len() > DIGITS_MAX {
            return Err(AmountError::TooLong);
        }
        let mut units: i128 = 0;
        for digit in whole.bytes().chain(fraction.bytes()) {
            if !digit.is_ascii_digit() {
                return Err(AmountError::NotANumber);
            }
            units = units * 10 + i128::from(digit - b'0');
        }
        let units = if negative { -units } else { units };
        Ok(Self { units, decimals: u32::try_from(fraction.len()).unwrap_or_default() })
    }

    /// The sum of two amounts, if it can be represented.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let decimals = self.decimals.max(other.decimals);
        let units = self.units_with(decimals)?.checked_add(other.units_with(decimals)?)?;
        Some(Self { units, decimals })
    }

    /// What is left when another amount is taken away.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.checked_add(other.negated())
    }

    /// The same amount in the other direction.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { units: -self.units, ..self }
    }

    /// The amount without its direction.
    #[must_use]
    pub fn abs(self) -> Self {
        Self { units: self.units.abs(), ..self }
    }

    /// Whether it is less than nothing.
    pub fn is_negative(self) -> bool {
        self.units < 0
    }

    /// Whether it is nothing at all.
    pub fn is_zero(self) -> bool {
        self.units == 0
    }

    /// Both as whole numbers of the same part of one: for ratios.
    pub(super) fn in_one_unit(one: Self, other: Self) -> Option<[i128; 2]> {
        let decimals = one.decimals.max(other.decimals);
        Some([one.units_with(decimals)?, other.units_with(decimals)?])
    }

    /// So many times the amount, divided by `divisor`, if that is an exact decimal.
    pub(super) fn times_exactly(self, factor: i128, divisor: i128) -> Option<Self> {
        let mut units = self.units.checked_mul(factor)?;
        let mut decimals = self.decimals;
        while units.checked_rem(divisor)? != 0 {
            units = units.checked_mul(10)?;
            decimals += 1;
        }
        Some(Self { units: units / divisor, decimals })
    }

    /// The product of two amounts.
    pub(super) fn checked_mul(self, other: Self) -> Option<Self> {
        let units = self.units.checked_mul(other.units)?;
        Some(Self { units, decimals: self.decimals + other.decimals })
    }

    /// Whether it was written without decimals.
    pub(super) fn is_whole(self) -> bool {
        self.decimals == 0
    }

    /// One unit of its last decimal.
    pub(super) fn step(self) -> Self {
        Self { units: 1, decimals: self.decimals }
    }

    fn units_with(self, decimals: u32) -> Option<i128> {
        let more = decimals.checked_sub(self.decimals)?;
        self.units.checked_mul(10_i128.checked_pow(more)?)
    }
}

/// The sign, and what follows it.
fn sign(text: &str, mark: DecimalMark) -> (bool, &str) {
    let in_brackets = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    if let Some(inside) = in_brackets.filter(|_| mark == DecimalMark::Any) {
        return (true, inside);
    }
    match text.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// The digits before and after the decimal mark.
fn split(
    digits: &str,
    mark: DecimalMark,
    decimals: Option<u32>,
) -> Result<(String, &str), AmountError> {
    let marks: &[char] = if mark == DecimalMark::Point { &['.'] } else { &['.', ','] };
    let Some(at) = digits.rfind(marks) else { return Ok((digits.to_owned(), "")) };
    let (whole, fraction) = (&digits[..at], &digits[at + 1..]);
    if !whole.contains(['.', ',']) {
        let is_ambiguous = mark == DecimalMark::Any
            && fraction.len() == 3
            && (1..=3).contains(&whole.len())
            && !whole.starts_with('0')
            && decimals.is_none_or(|decimals| decimals < 3);
        return if is_ambiguous {
            Err(AmountError::Ambiguous)
        } else {
            Ok((whole.to_owned(), fraction))
        };
    }
    if mark != DecimalMark::Any {
        return Err(AmountError::NotANumber);
    }
    let decimal = digits[at..].chars().next().unwrap_or('.');
    let between = if decimal == '.' { ',' } else { '.' };
    let mut groups = whole.split(between);
    let first = groups.next().is_some_and(|group| (1..=3).contains(&group.len()));
    if whole.contains(decimal) || !first || !groups.all(|group| group.len() == 3) {
        return Err(AmountError::NotANumber);
    }
    Ok((whole.replace(between, ""), fraction))
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Amount {}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> Ordering {
        let decimals = self.decimals.max(other.decimals);
        match (self.units_with(decimals), other.units_with(decimals)) {
            (Some(one), Some(two)) => one.cmp(&two),
            // One that doesn't fit with the other's decimals is further from zero.
            (None, _) => self.units.signum().cmp(&0),
            (_, None) => 0.cmp(&other.units.signum()),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.units < 0 { "-" } else { "" };
        let decimals = self.decimals as usize;
        let digits = self.units.unsigned_abs().to_string();
        let digits = format!("{digits:0>width$}", width = decimals + 1);
        let (whole, fraction) = digits.split_at(digits.len() - decimals);
        let mark = if fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{whole}{mark}{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, mark: DecimalMark) -> Result<String, AmountError> {
        Amount::parse(text, mark, Some(2)).map(|amount| amount.to_string())
    }

    #[test]
    fn what_the_formats_write_is_read_as_it_stands() {
        for (text, mark, expected) in [
            ("12.50", DecimalMark::Point, "12.50"),
            ("-0.5", DecimalMark::Point, "-0.5"),
            ("+007", DecimalMark::Point, "7"),
            (".5", DecimalMark::Point, "0.5"),
            ("1234.567", DecimalMark::Point, "1234.567"),
            ("1234,5", DecimalMark::CommaOrPoint, "1234.5"),
            ("1234,", DecimalMark::CommaOrPoint, "1234"),
            ("1,234", DecimalMark::CommaOrPoint, "1.234"),
            (" 12,50 ", DecimalMark::Any, "12.50"),
            ("\u{2212}1.234,50", DecimalMark::Any, "-1234.50"),
            ("1,234,567.89", DecimalMark::Any, "1234567.89"),
            ("(5.00)", DecimalMark::Any, "-5.00"),
            ("0.125", DecimalMark::Any, "0.125"),
            ("1234.567", DecimalMark::Any, "1234.567"),
            ("000000000000000000000012.5", DecimalMark::Point, "12.5"),
        ] {
            assert_eq!(read(text, mark).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_amount_is_refused_with_the_reason() {
        for (text, mark, expected) in [
            ("", DecimalMark::Point, AmountError::Missing),
            ("-", DecimalMark::Point, AmountError::NotANumber),
            (".", DecimalMark::Any, AmountError::NotANumber),
            ("12,50", DecimalMark::Point, AmountError::NotANumber),
            ("1.234,50", DecimalMark::CommaOrPoint, AmountError::NotANumber),
            ("1,23,456.78", DecimalMark::Any, AmountError::NotANumber),
            ("12.50.1", DecimalMark::Any, AmountError::NotANumber),
            ("1e5", DecimalMark::Any, AmountError::NotANumber),
            ("--5", DecimalMark::Any, AmountError::NotANumber),
            ("(-5)", DecimalMark::Any, AmountError::NotANumber),
            ("12.50 EUR", DecimalMark::Any, AmountError::NotANumber),
            ("٣.٥", DecimalMark::Any, AmountError::NotANumber),
            ("1,234", DecimalMark::Any, AmountError::Ambiguous),
            ("-123.456", DecimalMark::Any, AmountError::Ambiguous),
            ("1234567890123456789", DecimalMark::Point, AmountError::TooLong),
            ("0.1234567890123456789", DecimalMark::Point, AmountError::TooLong),
        ] {
            assert_eq!(read(text, mark), Err(expected), "{text}");
        }
        let of_kuwait = Amount::parse("1,234", DecimalMark::Any, Some(3));
        assert_eq!(of_kuwait.map(|amount| amount.to_string()).as_deref(), Ok("1.234"));
    }

    #[test]
    fn sums_are_exact_or_nothing() {
        let amount = |text: &str| Amount::parse(text, DecimalMark::Point, None).unwrap();
        assert_eq!(amount("0.1").checked_add(amount("0.2")), Some(amount("0.30")));
        assert_eq!(amount("-12.50").checked_sub(amount("0.005")).unwrap().to_string(), "-12.505");
        let most = amount("999999999999999999.999999999999999999");
        assert!(amount("1") < most && amount("-1") > most.negated());
        let mut sum = most;
        let fits = (0..1_000).all(|_| match sum.checked_add(most) {
            Some(more) => {
                assert!(more > sum);
                sum = more;
                true
            }
            None => false,
        });
        assert!(!fits);
    }
}
