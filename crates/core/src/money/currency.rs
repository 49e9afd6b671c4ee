//! Currencies: a closed table, looked up by code.
//!
//! A [`Currency`] is a position in the table, so it is one byte, copied freely and compared by
//! code order. Text becomes a currency only by [`Currency::parse`]; an unknown code is refused,
//! because without a precision nothing about its amounts would be certain.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::currency_table::ROWS;

/// A currency of the table. In JSON and in the database it is its code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency(u8);

/// The codes as integers in the order of the table, for the search.
static KEYS: [u32; ROWS.len()] = {
    let mut keys = [0; ROWS.len()];
    let mut index = 0;
    while index < ROWS.len() {
        keys[index] = key(ROWS[index].code.as_bytes());
        index += 1;
    }
    keys
};

/// Up to four bytes as an integer that sorts like the text, upper case.
const fn key(code: &[u8]) -> u32 {
    let mut key = 0;
    let mut index = 0;
    while index < 4 {
        key <<= 8;
        if index < code.len() {
            key |= code[index].to_ascii_uppercase() as u32;
        }
        index += 1;
    }
    key
}

impl Currency {
    /// The currency of the United States.
    pub const USD: Self = Self::known("USD");
    /// The currency of the euro area.
    pub const EUR: Self = Self::known("EUR");

    /// A currency that is known to be in the table; in a constant, a wrong code doesn't compile.
    pub(super) const fn known(code: &str) -> Self {
        let wanted = key(code.as_bytes());
        let mut index = 0;
        while index < ROWS.len() {
            if key(ROWS[index].code.as_bytes()) == wanted {
                return Self(index as u8);
            }
            index += 1;
        }
        panic!("not a currency of the table")
    }

    /// The currency with this code, in any case, with spaces around it.
    pub fn parse(code: &str) -> Option<Self> {
        let code = match code.trim() {
            // Pence and cents of markets: a hundredth, and no other spelling of the whole.
            "GBp" => "GBX",
            "ZAc" | "ILa" => return None,
            code => code,
        };
        let code = code.as_bytes();
        if !(3..=4).contains(&code.len()) || !code.iter().all(u8::is_ascii_alphabetic) {
            return None;
        }
        KEYS.binary_search(&key(code)).ok().and_then(|index| u8::try_from(index).ok()).map(Self)
    }

    /// Every currency, sorted by code.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..ROWS.len() as u8).map(Self)
    }

    /// The position in the table.
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Three capital letters; four for some that are not national.
    pub fn code(self) -> &'static str {
        ROWS[self.index()].code
    }

    /// The English name of the currency.
    pub fn name(self) -> &'static str {
        ROWS[self.index()].name
    }

    /// How many decimals its amounts show: 2 for most.
    pub fn precision(self) -> u32 {
        u32::from(ROWS[self.index()].precision)
    }

    /// How many decimals its amounts are kept with: 4, or 8 if it shows more than 4.
    pub fn scale(self) -> u32 {
        if self.precision() > 4 { 8 } else { 4 }
    }

    /// The local symbol, perhaps shared with others, perhaps empty.
    pub fn symbol(self) -> &'static str {
        ROWS[self.index()].symbol
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::parse(&code)
            .ok_or_else(|| de::Error::invalid_value(de::Unexpected::Str(&code), &"a currency code"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_code_finds_itself() {
        assert_eq!(Currency::all().len(), 180);
        assert!(KEYS.is_sorted_by(|a, b| a < b));
        for currency in Currency::all() {
            assert_eq!(Currency::parse(currency.code()), Some(currency));
            assert_eq!(Currency::parse(&currency.code().to_lowercase()), Some(currency));
            assert!(!currency.name().is_empty());
            assert!(currency.precision() <= currency.scale());
        }
    }

    #[test]
    fn codes_are_read_in_any_case_and_unknown_ones_refused() {
        assert_eq!(Currency::parse(" eUr\t"), Some(Currency::EUR));
        assert_eq!(Currency::parse("USDC").map(Currency::code), Some("USDC"));
        for code in ["", "U", "US", "USDD", "USDCX", "$", "U D", "ÜSD", "U\0D", "XYZ"] {
            assert_eq!(Currency::parse(code), None, "{code:?}");
        }
    }

    #[test]
    fn precision_and_scale_are_those_of_the_table() {
        let of = |code: &str| {
            let currency = Currency::parse(code).unwrap();
            (currency.precision(), currency.scale(), currency.symbol())
        };
        assert_eq!(of("USD"), (2, 4, "$"));
        assert_eq!(of("JPY"), (0, 4, "¥"));
        assert_eq!(of("KWD").0, 3);
        assert_eq!(of("MGA").0, 1);
        assert_eq!(of("CLF"), (4, 4, "UF"));
        assert_eq!(of("BTC"), (8, 8, "₿"));
        assert_eq!(of("DOGE"), (8, 8, "Ð"));
        assert_eq!(of("XTS"), (0, 4, ""));
        let count = |precision| Currency::all().filter(|c| c.precision() == precision).count();
        assert_eq!([0, 1, 2, 3, 4, 8].map(count), [29, 2, 139, 7, 1, 2]);
    }

    #[test]
    fn json_is_the_code() {
        assert_eq!(serde_json::to_string(&Currency::USD).unwrap(), "\"USD\"");
        assert_eq!(serde_json::from_str::<Currency>("\"usd\"").unwrap(), Currency::USD);
        assert!(serde_json::from_str::<Currency>("\"ZZZ\"").is_err());
        assert!(serde_json::from_str::<Currency>("4").is_err());
    }
}
