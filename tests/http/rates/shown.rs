//! The rates in answers, by which their figures were made.

use serde_json::Value;

use crate::ledger::text;

/// The stated rates of a list, such as `EUR/USD 2026-01-10 1.25 manual`, with `1/` before those
/// that were used the other way round.
#[track_caller]
pub(crate) fn legs(list: &Value) -> Vec<String> {
    let shown = |leg: &Value| {
        let way = if leg["inverted"].as_bool().expect("a truth value") { "1/" } else { "" };
        let [base, quote, date, rate, source] =
            ["base", "quote", "date", "rate", "source"].map(|name| text(leg, name));
        format!("{way}{base}/{quote} {date} {rate} {source}")
    };
    list.as_array().expect("a list").iter().map(shown).collect()
}

/// The rates of an answer, in its order, such as
/// `USD/EUR 0.8 2026-01-11..2026-01-14: 1/EUR/USD 2026-01-10 1.25 manual`.
#[track_caller]
pub(crate) fn used(answer: &Value) -> Vec<String> {
    let shown = |rate: &Value| {
        let [from, to, number, first, last] =
            ["from", "to", "rate", "first_date", "last_date"].map(|name| text(rate, name));
        format!("{from}/{to} {number} {first}..{last}: {}", legs(&rate["legs"]).join(", "))
    };
    answer["rates"].as_array().expect("a list").iter().map(shown).collect()
}
