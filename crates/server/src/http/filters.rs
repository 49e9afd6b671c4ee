//! Parameters that lists are filtered by: ids, days, amounts, flags. A blank value is no filter;
//! what can't be understood is refused, with all problems at once.

use std::str::FromStr;

use jiff::civil::Date;
use purser_core::error::{Error, Problem, Problems};
use purser_core::ledger::input::{NOT_A_DATE, calendar_date};
use purser_core::money::Currency;
use purser_core::rates::input::NOT_A_CURRENCY;
use rust_decimal::Decimal;

use super::pagination::QueryParams;

/// Ids that one parameter may name.
pub(crate) const IDS_MAX: usize = 500;
const NOT_AN_ID: &str = "must be an id such as 01900000-0000-7000-8000-000000000000";

/// A value that is not blank. One with a NUL is refused: not every database takes it.
pub(crate) fn value<'q>(query: &'q QueryParams, name: &str) -> Result<Option<&'q str>, Error> {
    let found = query.one(name)?.map(str::trim).filter(|text| !text.is_empty());
    match found.is_some_and(|text| text.contains('\0')) {
        true => Err(Problem::field(name, "must not contain a NUL character").into()),
        false => Ok(found),
    }
}

/// `true` or `false`; `1` and `0` are understood too.
pub(crate) fn flag(query: &QueryParams, name: &str) -> Result<Option<bool>, Error> {
    match value(query, name)? {
        None => Ok(None),
        Some("true" | "1") => Ok(Some(true)),
        Some("false" | "0") => Ok(Some(false)),
        Some(_) => Err(Problem::field(name, "must be true or false").into()),
    }
}

/// Reads a day, which must be written exactly as `YYYY-MM-DD`.
pub(crate) fn day(query: &QueryParams, name: &str) -> Result<Option<Date>, Error> {
    let Some(text) = value(query, name)? else { return Ok(None) };
    match calendar_date(text) {
        Some(date) => Ok(Some(date)),
        None => Err(Problem::field(name, NOT_A_DATE).into()),
    }
}

/// Reads the code of a currency, in either case.
pub(crate) fn currency(query: &QueryParams, name: &str) -> Result<Option<Currency>, Error> {
    let Some(text) = value(query, name)? else { return Ok(None) };
    match Currency::parse(text) {
        Some(currency) => Ok(Some(currency)),
        None => Err(Problem::field(name, NOT_A_CURRENCY).into()),
    }
}

/// Reads a decimal without an exponent.
pub(crate) fn decimal(query: &QueryParams, name: &str) -> Result<Option<Decimal>, Error> {
    let Some(text) = value(query, name)? else { return Ok(None) };
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match Decimal::from_str_exact(text) {
        Ok(number) if plain => Ok(Some(number)),
        _ => Err(Problem::field(name, "must be a decimal number such as 12.50").into()),
    }
}

/// Reads a parameter that names one id.
pub(crate) fn id<T: FromStr>(query: &QueryParams, name: &str) -> Result<Option<T>, Error> {
    value(query, name)?.map(|text| read_id(text, name)).transpose()
}

/// The ids of `name` (`account_id`) and of its plural, together. Several are written as
/// `account_ids[]=a&account_ids[]=b` or as `account_ids=a,b`.
pub(crate) fn ids<T: FromStr>(
    query: &QueryParams,
    name: &str,
    plural: &str,
) -> Result<Vec<T>, Error> {
    let mut texts: Vec<(&str, &str)> =
        value(query, name)?.into_iter().map(|text| (name, text)).collect();
    for (sent, list) in query.many(plural)? {
        let each = list.split(',').map(str::trim).filter(|text| !text.is_empty());
        texts.extend(each.map(|text| (sent, text)));
    }
    if texts.len() > IDS_MAX {
        return Err(Problem::field(plural, format!("must name at most {IDS_MAX} ids")).into());
    }
    texts.into_iter().map(|(sent, text)| read_id(text, sent)).collect()
}

fn read_id<T: FromStr>(text: &str, name: &str) -> Result<T, Error> {
    text.parse().map_err(|_| Problem::field(name, NOT_AN_ID).into())
}

/// A parameter that can't be understood.
pub(crate) fn invalid(name: &str, predicate: impl Into<String>) -> Error {
    Error::invalid(Problem::field(name, predicate))
}

/// The value, or its problem among the others.
pub(crate) fn collect<T: Default>(read: Result<T, Error>, problems: &mut Problems) -> T {
    read.unwrap_or_else(|error| {
        problems.extend(error.into_problems());
        T::default()
    })
}

#[cfg(test)]
mod tests {
    use purser_core::ids::AccountId;

    use super::*;

    fn query(text: &str) -> QueryParams {
        QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap()
    }

    #[test]
    fn a_value_has_no_nul() {
        let value = |text: &str| value(&query(text), "name").map(|found| found.map(str::to_owned));
        assert_eq!(value("name=+a%01+").unwrap().as_deref(), Some("a\u{1}"));
        for text in ["%00", "a%00", "+%00+"] {
            let error = value(&format!("name={text}")).unwrap_err();
            assert_eq!(error.to_string(), "The name must not contain a NUL character", "{text}");
        }
    }

    #[test]
    fn days_are_strict() {
        let day = |text: &str| day(&query(text), "start_date");
        assert_eq!(day("start_date=2024-02-29").unwrap(), Some(jiff::civil::date(2024, 2, 29)));
        assert_eq!(day("start_date=").unwrap(), None);
        assert_eq!(day("").unwrap(), None);
        for wrong in ["2023-02-29", "monday", "29/02/2024", "2024-02-29T00:00:00Z"] {
            assert!(day(&format!("start_date={wrong}")).is_err(), "{wrong}");
        }
        assert!(day("start_date=2024-02-29&start_date=2024-02-29").is_err());
    }

    #[test]
    fn decimals_are_plain() {
        let decimal = |text: &str| decimal(&query(&format!("min_amount={text}")), "min_amount");
        assert_eq!(decimal("-12.50").unwrap(), Some(Decimal::new(-1250, 2)));
        assert_eq!(decimal("").unwrap(), None);
        for wrong in ["1e3", "1_000", "1,5", "%2B5", "abc", "-", ".", "0x1"] {
            assert!(decimal(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ids_come_from_both_spellings() {
        let one = "0190f5f0-7c00-7a10-8000-00000000000a";
        let two = "0190f5f0-7c00-7a10-8000-00000000000b";
        let ids = |text: &str| ids::<AccountId>(&query(text), "account_id", "account_ids");
        let both = format!("account_id={one}&account_ids[]={two}");
        let encoded = format!("account_ids%5B%5D={one}&account_ids%5B%5D={two}");
        for text in [both, encoded, format!("account_ids={one}&account_ids={two}")] {
            let texts: Vec<_> = ids(&text).unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(texts, [one, two], "{text}");
        }
        for text in [format!("account_ids={one},{two}"), format!("account_ids[]={one},%20{two},")] {
            let texts: Vec<_> = ids(&text).unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(texts, [one, two], "{text}");
        }
        assert!(ids(&format!("account_id={one},{two}")).is_err());
        for (text, sent) in [
            ("account_id=7", "account_id"),
            ("account_ids=7", "account_ids"),
            ("account_ids[]=7", "account_ids[]"),
        ] {
            let error = ids(text).unwrap_err().to_string();
            assert_eq!(error, format!("The {sent} {NOT_AN_ID}"));
        }
        assert!(ids("account_ids[]=").unwrap().is_empty());
        assert!(ids("account_ids[]=7").is_err());
        assert!(ids(&format!("account_ids[0]={one}")).is_err());
        assert!(ids(&format!("account_id={one}&account_id={two}")).is_err());
    }
}
