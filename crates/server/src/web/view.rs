//! What pages show of values: money, days, times, counts, choices. On pages money in is positive.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::{TimeZone, db};
use purser_core::ledger::account::AccountType;
use purser_core::money::Currency;
use purser_core::money::format::sum_text;
pub(crate) use purser_core::text::size::grouped;

/// One choice of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The value that is sent.
    pub(crate) value: String,
    /// The text that is shown.
    pub(crate) label: String,
}

impl Choice {
    pub(crate) fn new(value: impl Into<String>, label: impl Into<String>) -> Self {
        Self { value: value.into(), label: label.into() }
    }
}

/// An amount as text, and how it should look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Amount {
    /// The amount, such as `-$1,234.56`.
    pub(crate) text: String,
    /// `in`, `out` or `zero`.
    pub(crate) class: &'static str,
}

impl Amount {
    /// For what has no amount.
    pub(crate) fn none() -> Self {
        Self { text: String::new(), class: "zero" }
    }

    /// The amount of an entry, which is stored positive for money out, and shown positive for money
    /// in.
    pub(crate) fn of_entry(amount: i64, currency: Currency) -> Self {
        // No entry has the smallest integer: the limits of amounts are far from it.
        Self::new(amount.saturating_neg(), currency)
    }

    /// A balance as it is stored, or any amount that is positive for money in.
    pub(crate) fn new(amount: i64, currency: Currency) -> Self {
        Self::of_sum(amount.into(), currency)
    }

    /// A sum, which may be larger than an amount can be.
    pub(crate) fn of_sum(sum: i128, currency: Currency) -> Self {
        let text = sum_text(sum, currency);
        let class = match sum {
            1.. => "in",
            0 => "zero",
            _ => "out",
        };
        // A minus that lines up with digits and that nobody takes for a hyphen.
        Self { text: text.replacen('-', "\u{2212}", 1), class }
    }
}

/// Every currency by code, with its code and symbol.
pub(crate) fn currencies() -> Vec<Choice> {
    let mut all: Vec<&str> = Currency::all().map(Currency::code).collect();
    all.sort_unstable();
    all.into_iter().map(|code| Choice::new(code, code)).collect()
}

/// Every time zone that is known here.
pub(crate) fn time_zones() -> Vec<String> {
    let mut names: Vec<String> = db().available().map(|name| name.to_string()).collect();
    names.sort();
    names
}

/// Every type of account, as people call it.
pub(crate) fn account_types() -> Vec<Choice> {
    let named = |one: &AccountType| Choice::new(one.as_str(), account_type(*one));
    AccountType::ALL.iter().map(named).collect()
}

/// What people call a type of account.
pub(crate) fn account_type(account_type: AccountType) -> &'static str {
    match account_type {
        AccountType::Depository => "Bank account or cash",
        AccountType::CreditCard => "Credit card",
        AccountType::Investment => "Investments",
        AccountType::Crypto => "Crypto",
        AccountType::Loan => "Loan",
        AccountType::Property => "Property",
        AccountType::Vehicle => "Vehicle",
        AccountType::OtherAsset => "Other asset",
        AccountType::OtherLiability => "Other debt",
    }
}

/// A day as people read it: `17 May 2024`.
pub(crate) fn day(date: Date) -> String {
    date.strftime("%-d %b %Y").to_string()
}

/// A time of the family's zone: `17 May 2024, 14:05`.
pub(crate) fn time(time: Timestamp, zone: &str) -> String {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    time.to_zoned(zone).strftime("%-d %b %Y, %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_in_is_positive_and_a_minus_is_a_minus() {
        let shown = |amount| Amount::of_entry(amount, Currency::USD);
        assert_eq!(shown(12_345_600), Amount { text: "\u{2212}$1,234.56".into(), class: "out" });
        assert_eq!(shown(-50_000).text, "$5.00");
        assert_eq!((shown(0).text.as_str(), shown(0).class), ("$0.00", "zero"));
        let sum = Amount::of_sum(i128::from(i64::MIN) * 2, Currency::USD);
        let text = "\u{2212}$1,844,674,407,370,955.16".to_owned();
        assert_eq!(sum, Amount { text, class: "out" });
    }

    #[test]
    fn days_and_times_are_for_people() {
        assert_eq!(day(jiff::civil::date(2024, 5, 7)), "7 May 2024");
        let at: Timestamp = "2024-05-07T22:05:00Z".parse().unwrap();
        assert_eq!(time(at, "Europe/Berlin"), "8 May 2024, 00:05");
    }

    #[test]
    fn choices_are_whole() {
        assert!(currencies().len() > 100);
        assert!(time_zones().iter().any(|zone| zone == "Europe/Berlin"));
        assert_eq!(account_types().len(), AccountType::ALL.len());
    }
}
