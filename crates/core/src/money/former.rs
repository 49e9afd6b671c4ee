//! Codes of currencies that no longer exist, and what followed them.
//!
//! Old files have them, and the number of units that became one of the next is part of the law that
//! ended them. Nothing is converted silently: a row in such a currency is refused with what its
//! amount has to be divided by. `RUR` is the exception: banks went on writing it for `RUB`.

use super::Currency;

/// A currency that no longer exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Former {
    /// The code that it had.
    pub code: &'static str,
    /// The name that it had, in English.
    pub name: &'static str,
    /// The code of the currency that followed it.
    next: &'static str,
    /// How many units of it became one of the next, as a decimal.
    pub units: &'static str,
}

const fn former(
    code: &'static str,
    name: &'static str,
    next: &'static str,
    units: &'static str,
) -> Former {
    Former { code, name, next, units }
}

/// Every former currency that is known, sorted by code.
const FORMER: [Former; 36] = [
    former("ATS", "Austrian Schilling", "EUR", "13.7603"),
    former("AZM", "first Azerbaijani Manat", "AZN", "5000"),
    former("BEF", "Belgian Franc", "EUR", "40.3399"),
    former("BGL", "third Bulgarian Lev", "BGN", "1000"),
    former("BRR", "Brazilian Cruzeiro Real", "BRL", "2750"),
    former("CSD", "second Serbian Dinar", "RSD", "1"),
    former("CYP", "Cypriot Pound", "EUR", "0.585274"),
    former("DEM", "German Mark", "EUR", "1.95583"),
    former("EEK", "Estonian Kroon", "EUR", "15.6466"),
    former("ESP", "Spanish Peseta", "EUR", "166.386"),
    former("FIM", "Finnish Markka", "EUR", "5.94573"),
    former("FRF", "French Franc", "EUR", "6.55957"),
    former("GHC", "second Ghanaian Cedi", "GHS", "10000"),
    former("GRD", "Greek Drachma", "EUR", "340.750"),
    former("HRK", "Croatian Kuna", "EUR", "7.53450"),
    former("IEP", "Irish Pound", "EUR", "0.787564"),
    former("ITL", "Italian Lira", "EUR", "1936.27"),
    former("LTL", "Lithuanian Litas", "EUR", "3.45280"),
    former("LUF", "Luxembourg Franc", "EUR", "40.3399"),
    former("LVL", "Latvian Lats", "EUR", "0.702804"),
    former("MRO", "first Mauritanian Ouguiya", "MRU", "10"),
    former("MTL", "Maltese Lira", "EUR", "0.429300"),
    former("MXP", "first Mexican Peso", "MXN", "1000"),
    former("MZM", "second Mozambican Metical", "MZN", "1000"),
    former("NLG", "Dutch Guilder", "EUR", "2.20371"),
    former("PLZ", "third Polish Zloty", "PLN", "10000"),
    former("PTE", "Portuguese Escudo", "EUR", "200.482"),
    former("ROL", "third Romanian Leu", "RON", "10000"),
    former("SDD", "Sudanese Dinar", "SDG", "100"),
    former("SIT", "Slovenian Tolar", "EUR", "239.640"),
    former("TMM", "first Turkmenistani Manat", "TMT", "5000"),
    former("TRL", "first Turkish Lira", "TRY", "1000000"),
    former("UAK", "Ukrainian Karbovanets", "UAH", "100000"),
    former("VEB", "first Venezuelan Bolívar", "VES", "100000000"),
    former("VEF", "second Venezuelan Bolívar", "VES", "100000"),
    former("YUM", "third Yugoslav Dinar", "RSD", "1"),
];

impl Former {
    /// The currency with this code, in any case, with spaces around it.
    pub fn parse(code: &str) -> Option<&'static Self> {
        let code = code.trim();
        FORMER.iter().find(|former| former.code.eq_ignore_ascii_case(code))
    }

    /// That it no longer exists, and what to do with amounts in it, as a sentence without a full
    /// stop.
    pub fn refusal(&self) -> String {
        let Self { code, name, units, .. } = self;
        let next = self.next().map_or("", Currency::code);
        format!(
            "\"{code}\" ({name}) no longer exists: {units} {code} became 1 {next}, so convert the \
             amount in the file"
        )
    }

    /// The currency that followed it.
    pub fn next(&self) -> Option<Currency> {
        Currency::parse(self.next)
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;

    #[test]
    fn each_is_listed_once_with_what_followed_it() {
        assert!(FORMER.is_sorted_by(|one, next| one.code < next.code));
        for former in &FORMER {
            assert_eq!(Currency::parse(former.code), None, "{former:?}");
            assert!(former.next().is_some(), "{former:?}");
            assert!(former.units.parse::<Decimal>().is_ok_and(|units| units > Decimal::ZERO));
        }
        assert_eq!(Former::parse(" dem ").unwrap().units, "1.95583");
        assert_eq!(Former::parse("EUR"), None);
        // The interface still lists it, so amounts in it stay in it.
        assert_eq!(Former::parse("SKK"), None);
        assert!(Currency::parse("SKK").is_some());
    }
}
