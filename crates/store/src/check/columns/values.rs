//! The domains that several columns share.

use jiff::tz::TimeZone;
use purser_core::error::Problems;
use purser_core::import::import_type::ImportType;
use purser_core::money::Currency;
use purser_core::money::decimal::read_quantity;
use purser_core::money::exact;
use purser_core::rules::{Reference, json};
use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::Domain;
use crate::ledger::records::kinds;

/// An integer of any size.
pub(super) const NUMBER: Domain = Domain::Number(i64::MIN, i64::MAX);
/// A number of things, or an amount that isn't negative.
pub(super) const COUNT: Domain = Domain::Number(0, i64::MAX);
/// Any text, which may be empty.
pub(super) const TEXT: Domain = Domain::Text("a text", |_| true);
/// A name that people read or write.
pub(super) const NAME: Domain =
    Domain::Text("a text that isn't empty", |text| !text.trim().is_empty());
/// The code of a currency.
pub(super) const CURRENCY: Domain = Domain::Text("the code of a currency", |text| {
    Currency::parse(text).is_some_and(|currency| currency.code() == text)
});
/// The codes of currencies, with commas between them.
pub(super) const CURRENCIES: Domain = Domain::Text("codes of currencies", |text| {
    text.split(',')
        .all(|code| Currency::parse(code).is_some_and(|currency| currency.code() == code))
});
/// A number of units.
pub(super) const DECIMAL: Domain =
    Domain::Text("a decimal number", |text| read_quantity(text).is_some());
/// A price of a trade, or a rate, either of which may be rounded to 0.
pub(super) const NOT_NEGATIVE: Domain =
    Domain::Text("a decimal number that isn't negative", |text| {
        read_quantity(text).is_some_and(|number| number >= Decimal::ZERO)
    });
/// A stated price or rate.
pub(super) const POSITIVE: Domain = Domain::Text("a decimal number above 0", |text| {
    read_quantity(text).is_some_and(|number| number > Decimal::ZERO)
});
/// A cost as an exact fraction.
pub(super) const FRACTION: Domain = Domain::Text("a fraction", |text| exact::parse(text).is_some());
/// A color as it was sent.
pub(super) const COLOR: Domain = Domain::Text("a color such as #4f63c6", |text| {
    is_as_read(text, |text, found| purser_core::labels::color::read("color", text, found))
});
/// The country of a family or a security.
pub(super) const COUNTRY: Domain = Domain::Text("a code of two capital letters", |text| {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
});
/// The time zone of a family.
pub(super) const TIME_ZONE: Domain =
    Domain::Text("a time zone", |text| TimeZone::get(text).is_ok());
/// The bytes of a SHA-256.
pub(super) const HASH: Domain = Domain::Bytes("32 bytes", |length| length == 32);
/// Bytes of any length.
pub(super) const BYTES: Domain = Domain::Bytes("bytes", |_| true);
/// A JSON value of any form.
pub(super) const JSON: Domain = Domain::json::<Value>("JSON");
/// A list of JSON objects.
pub(super) const OBJECTS: Domain =
    Domain::json::<Vec<Map<String, Value>>>("a list of JSON objects");
/// The conditions of a rule.
pub(super) const CONDITIONS: Domain =
    Domain::Text("conditions of a rule, with the ids of what they name", |text| {
        let mut problems = Problems::new();
        let mut conditions = json::read_conditions(text, &mut problems);
        let named = conditions.iter_mut().try_for_each(|one| one.for_each_reference(&mut by_id));
        problems.is_empty() && named.is_ok()
    });
/// The actions of a rule.
pub(super) const ACTIONS: Domain =
    Domain::Text("actions of a rule, with the ids of what they name", |text| {
        let mut problems = Problems::new();
        let mut actions = json::read_actions(text, &mut problems);
        let named = actions.iter_mut().try_for_each(|one| one.for_each_reference(&mut by_id));
        problems.is_empty() && named.is_ok()
    });
/// What an import can create beside entries.
pub(super) const CREATED_KIND: Domain = Domain::Text("account or a kind of record", |text| {
    text == "account" || kinds::find(text).is_some()
});
/// A record that an import can change.
pub(super) const RECORD_KIND: Domain =
    Domain::Text("a kind of record", |text| kinds::find(text).is_some());
/// What an import is of.
pub(super) const IMPORT_TYPE: Domain = Domain::named::<ImportType>();

/// Whether a text is what the reader of requests would make of it.
pub(super) fn is_as_read(text: &str, read: fn(&str, &mut Problems) -> Option<String>) -> bool {
    let mut problems = Problems::new();
    read(text, &mut problems).as_deref() == Some(text) && problems.is_empty()
}

/// Rules are stored with ids. What they point to may be gone, which the rule itself shows.
fn by_id(_: purser_core::rules::Noun, reference: &mut Reference) -> std::result::Result<(), ()> {
    reference.id().map(drop).ok_or(())
}
