//! Prices as JSON. Numbers are taken as the text that was sent, never through a float.

use std::collections::BTreeMap;

use purser_core::error::Problems;
use purser_core::ledger::input::AmountText;
use purser_core::rates::positive_decimal;
use serde_json::value::RawValue;

use super::prices::{PriceLine, price};
use super::{FeedError, ROWS_MAX, RowProblems};

type Object<'t> = BTreeMap<String, &'t RawValue>;

/// A list of objects, such a list in an object, or one object.
pub(super) fn read(text: &str) -> Result<Vec<PriceLine>, FeedError> {
    let other = |_| FeedError::one("The answer is JSON of another form");
    let objects: Vec<Object<'_>> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(other)?
    } else {
        let whole: Object<'_> = serde_json::from_str(text).map_err(other)?;
        match whole.get("prices") {
            Some(list) => serde_json::from_str(list.get()).map_err(other)?,
            None => vec![whole],
        }
    };
    if objects.len() > ROWS_MAX {
        return Err(FeedError::too_many_rows());
    }
    let (mut lines, mut problems) = (Vec::new(), RowProblems::counting("Object"));
    for (number, object) in (1..).zip(&objects) {
        match read_object(number, object) {
            Ok(line) => lines.push(line),
            Err(problem) => problems.push(number, problem),
        }
        if problems.is_full() {
            break;
        }
    }
    problems.into_result()?;
    Ok(lines)
}

fn read_object(number: u64, object: &Object<'_>) -> Result<PriceLine, String> {
    let raw = |name: &str| object.get(name).map(|raw| raw.get()).filter(|raw| *raw != "null");
    let date = raw("date").map(text_of).ok_or("The day is missing")?;
    let stated = raw("close").or_else(|| raw("price")).ok_or("The price is missing")?;
    let currency = raw("currency").map(text_of);
    let stated = if stated.starts_with('"') {
        text_of(stated)
    } else {
        // A number may have an exponent, a text may not.
        let mut problems = Problems::new();
        let number = AmountText::JsonNumber(stated.to_owned());
        let read = positive_decimal("price", &number, &mut problems);
        read.map(|value| value.to_string()).ok_or_else(|| problems.texts().join(", "))?
    };
    price(number, &date, stated.trim(), currency.as_deref())
}

/// The text of a JSON string; of anything else what was written.
fn text_of(raw: &str) -> String {
    serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned())
}
