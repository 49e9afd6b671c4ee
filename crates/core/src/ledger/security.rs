//! Securities: their identity (ticker and market) and their descriptive fields.

use super::input::label;
use crate::error::{Problem, Problems, Result};
use crate::money::Currency;
use crate::named::text_enum;

/// Characters of a ticker, or of what a feed calls it.
pub const TICKER_CHARS_MAX: usize = 40;

text_enum! {
    /// What a security is.
    SecurityKind {
        /// A share, a fund, a bond, a coin.
        Standard = "standard",
        /// Money in a broker's account that is listed among the holdings.
        Cash = "cash",
    }
}

/// What a security is known by. Equal ones are one security.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Listing {
    /// The ticker in upper case.
    pub ticker: String,
    /// The market's code (ISO 10383), upper case; empty when it isn't known.
    pub exchange_operating_mic: String,
}

impl Listing {
    /// The listing of a ticker as somebody wrote it, or what is wrong with it.
    pub fn read(ticker: &str, mic: Option<&str>, problems: &mut Problems) -> Self {
        if ticker.trim().is_empty() {
            problems.required("ticker");
        }
        let ticker = label("ticker", Some(ticker), TICKER_CHARS_MAX, problems);
        let ticker = ticker.unwrap_or_default().to_uppercase();
        if ticker.contains(char::is_whitespace) {
            problems.field("ticker", "must not contain spaces");
        }
        let mic = mic.unwrap_or_default().trim().to_uppercase();
        let is_mic = mic.len() == 4 && mic.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !mic.is_empty() && !is_mic {
            problems
                .field("exchange_operating_mic", "must have four letters or digits, such as XNAS");
        }
        Self { ticker, exchange_operating_mic: mic }
    }
}

/// The fields of a security as they were sent. `None` leaves a field alone, `Some(None)` clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SecurityInput {
    /// What it is traded as.
    pub ticker: Option<String>,
    /// The code of the market.
    pub exchange_operating_mic: Option<Option<String>>,
    /// As people call it.
    pub name: Option<Option<String>>,
    /// The kind, one of [`SecurityKind`].
    pub kind: Option<String>,
    /// With its check digit.
    pub isin: Option<Option<String>>,
    /// The country of the issuer, in two letters.
    pub country_code: Option<Option<String>>,
    /// That it is traded in.
    pub currency: Option<Option<String>>,
    /// Whether no feed is asked for it.
    pub offline: Option<bool>,
    /// As the feed of prices calls it.
    pub feed_symbol: Option<Option<String>>,
    /// What was wrong with the types of fields.
    pub problems: Vec<Problem>,
}

/// What is kept of a security besides its id and its times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecurityValues {
    /// What it is known by.
    pub listing: Listing,
    /// As people call it.
    pub name: Option<String>,
    /// The kind of the security.
    pub kind: SecurityKind,
    /// The international securities identification number.
    pub isin: Option<String>,
    /// The country of the issuer.
    pub country_code: Option<String>,
    /// That it is traded in, if known.
    pub currency: Option<Currency>,
    /// No feed is asked for it.
    pub offline: bool,
    /// As the feed calls it; the ticker if none.
    pub feed_symbol: Option<String>,
}

impl SecurityValues {
    /// A security of which nothing else is known.
    pub fn new(listing: Listing) -> Self {
        Self {
            listing,
            name: None,
            kind: SecurityKind::Standard,
            isin: None,
            country_code: None,
            currency: None,
            offline: false,
            feed_symbol: None,
        }
    }
}

impl SecurityInput {
    /// The values of a new security, or every problem.
    pub fn new_values(&self) -> Result<SecurityValues> {
        let empty = Listing { ticker: String::new(), exchange_operating_mic: String::new() };
        self.changed(SecurityValues::new(empty))
    }

    /// The values after the change, or every problem.
    pub fn changed(&self, before: SecurityValues) -> Result<SecurityValues> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let mut values = before;
        let mic = match &self.exchange_operating_mic {
            Some(mic) => mic.clone().unwrap_or_default(),
            None => values.listing.exchange_operating_mic.clone(),
        };
        let ticker = self.ticker.clone().unwrap_or_else(|| values.listing.ticker.clone());
        values.listing = Listing::read(&ticker, Some(&mic), &mut problems);
        if let Some(name) = &self.name {
            let max = crate::limits::LABEL_CHARS_MAX;
            values.name = label("name", name.as_deref(), max, &mut problems);
        }
        if let Some(kind) = &self.kind {
            match SecurityKind::parse(kind) {
                Some(kind) => values.kind = kind,
                None => problems.field("kind", "must be standard or cash"),
            }
        }
        if let Some(isin) = &self.isin {
            values.isin = checked("isin", isin, is_isin, NOT_AN_ISIN, &mut problems);
        }
        if let Some(code) = &self.country_code {
            let is_code =
                |code: &str| code.len() == 2 && code.bytes().all(|b| b.is_ascii_uppercase());
            values.country_code = checked(
                "country_code",
                code,
                is_code,
                "must be a code of two letters such as US",
                &mut problems,
            );
        }
        if let Some(currency) = &self.currency {
            values.currency = match currency.as_deref().map(str::trim).filter(|c| !c.is_empty()) {
                None => None,
                code => crate::rates::currency("currency", code, &mut problems),
            };
        }
        if let Some(symbol) = &self.feed_symbol {
            values.feed_symbol =
                label("feed_symbol", symbol.as_deref(), TICKER_CHARS_MAX, &mut problems);
        }
        values.offline = self.offline.unwrap_or(values.offline);
        problems.into_result()?;
        Ok(values)
    }
}

/// A text in upper case that must pass a test; blank is none.
fn checked(
    field: &str,
    text: &Option<String>,
    passes: impl Fn(&str) -> bool,
    predicate: &str,
    problems: &mut Problems,
) -> Option<String> {
    let text = text.as_deref()?.trim().to_uppercase();
    if text.is_empty() {
        return None;
    }
    if !passes(&text) {
        problems.field(field, predicate);
    }
    Some(text)
}

/// The problem of a text that is no ISIN.
const NOT_AN_ISIN: &str = "must be an ISIN with its check digit, such as US0378331005";

/// Two letters, nine letters or digits, and a check digit that is right (ISO 6166).
pub fn is_isin(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 12
        && bytes.iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[11].is_ascii_digit();
    if !shaped {
        return false;
    }
    // Letters count as two digits, A as 10; every second digit from the right but one is doubled.
    let digits = bytes.iter().flat_map(|byte| match byte {
        b'0'..=b'9' => vec![u32::from(byte - b'0')],
        _ => {
            let number = u32::from(byte - b'A') + 10;
            vec![number / 10, number % 10]
        }
    });
    let digits: Vec<u32> = digits.collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| if place % 2 == 1 { digit * 2 / 10 + digit * 2 % 10 } else { *digit })
        .sum();
    sum.is_multiple_of(10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    fn input(ticker: &str) -> SecurityInput {
        SecurityInput { ticker: Some(ticker.into()), ..SecurityInput::default() }
    }

    fn some(text: &str) -> Option<Option<String>> {
        Some(Some(text.to_owned()))
    }

    fn problems(result: Result<SecurityValues>) -> Vec<String> {
        match result {
            Err(Error::Invalid { problems, .. }) => crate::error::texts(&problems),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_security_is_read_in_upper_case() {
        let values = SecurityInput {
            exchange_operating_mic: some(" xnas "),
            name: some(" Apple Inc. "),
            isin: some("us0378331005"),
            country_code: some("us"),
            currency: some("usd"),
            ..input(" aapl ")
        };
        let values = values.new_values().unwrap();
        assert_eq!(values.listing.ticker, "AAPL");
        assert_eq!(values.listing.exchange_operating_mic, "XNAS");
        assert_eq!(values.name.as_deref(), Some("Apple Inc."));
        assert_eq!(values.isin.as_deref(), Some("US0378331005"));
        assert_eq!(values.currency, Some(Currency::USD));
        let change = SecurityInput {
            name: Some(None),
            exchange_operating_mic: Some(None),
            offline: Some(true),
            ..SecurityInput::default()
        };
        let changed = change.changed(values.clone()).unwrap();
        assert_eq!((changed.name, changed.offline), (None, true));
        assert_eq!(changed.listing.exchange_operating_mic, "");
        assert_eq!((changed.listing.ticker, changed.isin), ("AAPL".into(), values.isin));
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let wrong = SecurityInput {
            exchange_operating_mic: some("NASDAQ"),
            kind: Some("bond".into()),
            isin: some("US0378331006"),
            country_code: some("USA"),
            currency: some("XYZ"),
            ..input("A B")
        };
        assert_eq!(problems(wrong.new_values()).len(), 6);
        assert_eq!(problems(SecurityInput::default().new_values()), ["The ticker is required"]);
        assert_eq!(problems(input(" ").new_values()), ["The ticker is required"]);
        let values = input("A").new_values().unwrap();
        assert_eq!(problems(input("").changed(values)), ["The ticker is required"]);
    }

    #[test]
    fn check_digits_are_checked() {
        for right in ["US0378331005", "DE0007164600", "IE00B4L5Y983", "AU0000XVGZA3"] {
            assert!(is_isin(right), "{right}");
        }
        for wrong in ["US0378331006", "US037833100", "1S0378331005", "US03783310 5", "ÜS037833105"]
        {
            assert!(!is_isin(wrong), "{wrong}");
        }
    }
}
