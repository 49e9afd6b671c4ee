//! The fields of a JSON object as values that were judged.
//!
//! Numbers are read as the text that was sent, never as floats. A getter of a field that must be
//! there returns some value in any case: what counts then is the problem that it added.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

use super::SourceId;
use super::object::{Object, string};
use crate::error::Problems;
use crate::ledger::input::{self, AmountText, NOT_A_DATE};
use crate::limits::{LABEL_CHARS_MAX, SOURCE_ID_CHARS_MAX, SPLIT_PARTS_MAX};
use crate::money::Currency;
use crate::named::{self, Named};
use crate::rates::input::{NOT_A_CURRENCY, exact_decimal};

/// Reads the fields of an object, and collects the problems.
pub(super) struct Fields<'f, 'a> {
    object: &'f Object<'a>,
    /// Where the object stands within its record: `split_lines[0].`, or nothing.
    place: String,
    problems: &'f mut Problems,
}

impl<'f, 'a> Fields<'f, 'a> {
    pub(super) fn new(object: &'f Object<'a>, place: &str, problems: &'f mut Problems) -> Self {
        if let Some(name) = object.doubled() {
            problems.field(format!("{place}{name}"), "must not be there twice");
        }
        Self { object, place: place.to_owned(), problems }
    }

    /// Adds a problem of a field.
    pub(super) fn problem(&mut self, name: &str, predicate: impl Into<String>) {
        self.problems.field(format!("{}{name}", self.place), predicate);
    }

    /// Whether nothing was wrong with the record so far.
    pub(super) fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    /// The first text of several names, with its name.
    pub(super) fn first_label<'n>(&mut self, names: &[&'n str]) -> Option<(&'n str, Cow<'a, str>)> {
        let text = self.text(names)?;
        Some((self.first(names)?.0, text))
    }

    fn missing(&mut self, name: &str) {
        self.problems.required(format!("{}{name}", self.place));
    }

    /// A field with its place, as problems name it. Nearly all of them have none, and a file has
    /// millions of them.
    fn placed<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match self.place.as_str() {
            "" => Cow::Borrowed(name),
            place => Cow::Owned(format!("{place}{name}")),
        }
    }

    /// The first of several names that the object has a value for, with the value.
    fn first<'n>(&self, names: &[&'n str]) -> Option<(&'n str, &'a str)> {
        names.iter().find_map(|name| Some((*name, self.object.get(name)?)))
    }

    /// Whether a field is there, be it null.
    pub(super) fn has(&self, name: &str) -> bool {
        self.object.has(name)
    }

    /// The value of a field as JSON text.
    pub(super) fn raw(&self, name: &str) -> Option<&'a str> {
        self.object.get(name)
    }

    /// A text as it is, if it is there and not blank.
    pub(super) fn text(&mut self, names: &[&str]) -> Option<Cow<'a, str>> {
        let (name, raw) = self.first(names)?;
        let Some(text) = string(raw) else {
            self.problem(name, "must be a string");
            return None;
        };
        (!text.trim().is_empty()).then_some(text)
    }

    /// A text on one line, if it is there.
    pub(super) fn label(&mut self, names: &[&str], chars_max: usize) -> Option<String> {
        let text = self.text(names)?;
        let field = self.placed(self.first(names)?.0);
        input::label(&field, Some(&text), chars_max, self.problems)
    }

    /// A text on one line that must be there.
    pub(super) fn required_label(&mut self, names: &[&str], chars_max: usize) -> String {
        if self.text(names).is_none()
            && self.first(names).is_none_or(|(_, raw)| raw.starts_with('"'))
        {
            self.missing(names[0]);
        }
        self.label(names, chars_max).unwrap_or_default()
    }

    /// A text of several lines, if it is there.
    pub(super) fn notes(&mut self, name: &str) -> Option<String> {
        let text = self.text(&[name])?;
        input::notes(&self.placed(name), &text, self.problems)
    }

    /// What another program calls a record, if it is there.
    pub(super) fn id(&mut self, name: &str) -> Option<SourceId> {
        let raw = self.object.get(name)?;
        let id = self.source_id(raw);
        if id.is_none() {
            let max = SOURCE_ID_CHARS_MAX;
            self.problem(name, format!("must be an id: a string of 1 to {max} characters"));
        }
        id
    }

    fn source_id(&self, raw: &str) -> Option<SourceId> {
        // Ids of some programs are numbers.
        let is_number = raw.bytes().all(|byte| byte.is_ascii_digit());
        let text = if is_number { Cow::Borrowed(raw) } else { string(raw)? };
        // A text has at most as many characters as bytes.
        let is_short =
            text.len() <= SOURCE_ID_CHARS_MAX || text.chars().count() <= SOURCE_ID_CHARS_MAX;
        let fits = !text.is_empty() && is_short && !input::has_control_characters(&text);
        fits.then(|| SourceId(text.into_owned()))
    }

    /// What another program calls a record, which must be there.
    pub(super) fn required_id(&mut self, name: &str) -> SourceId {
        if self.object.get(name).is_none() {
            self.missing(name);
        }
        self.id(name).unwrap_or_default()
    }

    /// A list of ids, each once.
    pub(super) fn ids(&mut self, name: &str) -> Option<Vec<SourceId>> {
        let raw = self.object.get(name)?;
        let items = serde_json::from_str::<Vec<&RawValue>>(raw).ok();
        let ids: Option<Vec<SourceId>> =
            items.and_then(|items| items.iter().map(|item| self.source_id(item.get())).collect());
        let Some(mut ids) = ids else {
            self.problem(name, "must be a list of ids");
            return None;
        };
        ids.sort_unstable();
        ids.dedup();
        Some(ids)
    }

    /// A truth value; what is missing is false.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        match self.object.get(name) {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => {
                self.problem(name, "must be true or false");
                false
            }
        }
    }

    /// A day that an entry may have, if it is there; of a timestamp its own day.
    pub(super) fn day(&mut self, names: &[&str], as_of: Date) -> Option<Date> {
        let text = self.text(names)?;
        let (name, _) = self.first(names)?;
        let day = input::timestamp_day(&text);
        let text = day.map_or(text, |day| Cow::Owned(day.to_string()));
        input::entry_date(&self.placed(name), &text, as_of, self.problems)
    }

    /// A day that an entry may have, which must be there.
    pub(super) fn required_day(&mut self, name: &str, as_of: Date) -> Date {
        if self.object.get(name).is_none() {
            self.missing(name);
        }
        self.day(&[name], as_of).unwrap_or_default()
    }

    /// Any day of the calendar, if it is there.
    pub(super) fn calendar_day(&mut self, name: &str) -> Option<Date> {
        let text = self.text(&[name])?;
        let day = input::calendar_date(&text);
        if day.is_none() {
            self.problem(name, NOT_A_DATE);
        }
        day
    }

    /// A point in time, if it is there.
    pub(super) fn time(&mut self, name: &str) -> Option<Timestamp> {
        let text = self.text(&[name])?;
        let time = text.parse().ok();
        if time.is_none() {
            self.problem(name, "must be a time such as 2026-01-31T10:00:00Z");
        }
        time
    }

    /// A number as it was sent, if it is there.
    fn number(&mut self, names: &[&'static str]) -> Option<(&'static str, AmountText)> {
        let (name, raw) = self.first(names)?;
        let text = match raw.as_bytes().first() {
            Some(b'-' | b'0'..=b'9') => AmountText::JsonNumber(raw.to_owned()),
            _ => match string(raw) {
                Some(text) => AmountText::Text(text.into_owned()),
                None => {
                    self.problem(name, "must be a decimal number, as a string or a number");
                    return None;
                }
            },
        };
        Some((name, text))
    }

    /// An amount in a currency's scale, if it is there.
    pub(super) fn amount(&mut self, names: &[&'static str], currency: Currency) -> Option<i64> {
        let (name, text) = self.number(names)?;
        input::amount(&self.placed(name), &text, currency, self.problems)
    }

    /// An amount in a currency's scale that must be there.
    pub(super) fn required_amount(&mut self, names: &[&'static str], currency: Currency) -> i64 {
        if self.first(names).is_none() {
            self.missing(names[0]);
        }
        self.amount(names, currency).unwrap_or_default()
    }

    /// An exact decimal, if it is there.
    pub(super) fn decimal(&mut self, name: &'static str) -> Option<Decimal> {
        let (name, text) = self.number(&[name])?;
        let value = exact_decimal(&text);
        if value.is_none() {
            self.problem(name, "must be a decimal number such as 1.25");
        }
        value
    }

    /// An exact decimal that must be there.
    pub(super) fn required_decimal(&mut self, name: &'static str) -> Decimal {
        if self.object.get(name).is_none() {
            self.missing(name);
        }
        self.decimal(name).unwrap_or_default()
    }

    /// A whole number from the first to the second, if it is there.
    pub(super) fn whole(&mut self, name: &str, (first, last): (i64, i64)) -> Option<i64> {
        let raw = self.object.get(name)?;
        let text = string(raw).unwrap_or(Cow::Borrowed(raw));
        let number = text.parse().ok().filter(|number| (first..=last).contains(number));
        if number.is_none() {
            self.problem(name, format!("must be a whole number from {first} to {last}"));
        }
        number
    }

    /// A currency by its code, if it is there.
    pub(super) fn currency(&mut self, name: &str) -> Option<Currency> {
        let code = self.text(&[name])?;
        let found = Currency::parse(&code);
        if found.is_none() {
            self.problem(name, NOT_A_CURRENCY);
        }
        found
    }

    /// A value out of a fixed list, if it is there.
    pub(super) fn named<T: Named>(&mut self, name: &str) -> Option<T> {
        let text = self.text(&[name])?;
        let found = T::named(text.trim());
        if found.is_none() {
            self.problem(name, format!("must be {}", named::list::<T>()));
        }
        found
    }

    /// A currency by its code, which must be there.
    pub(super) fn required_currency(&mut self, name: &str) -> Currency {
        if self.object.get(name).is_none() {
            self.missing(name);
        }
        self.currency(name).unwrap_or(Currency::EUR)
    }

    /// Any day of the calendar, which must be there.
    pub(super) fn required_calendar_day(&mut self, name: &str) -> Date {
        if self.object.get(name).is_none() {
            self.missing(name);
        }
        self.calendar_day(name).unwrap_or_default()
    }

    /// A list of texts; none if it isn't there.
    pub(super) fn names(&mut self, name: &str) -> Vec<String> {
        let Some(raw) = self.object.get(name) else { return Vec::new() };
        serde_json::from_str(raw).unwrap_or_else(|_| {
            self.problem(name, "must be a list of strings");
            Vec::new()
        })
    }

    /// A text that a function judges, if it is there.
    pub(super) fn checked(
        &mut self,
        name: &str,
        check: impl FnOnce(&str, &mut Problems) -> Option<String>,
    ) -> Option<String> {
        let text = self.text(&[name])?;
        check(&text, self.problems)
    }

    /// What a function makes, with the problems that it finds.
    pub(super) fn with<T>(&mut self, make: impl FnOnce(&mut Problems) -> T) -> T {
        make(self.problems)
    }

    /// What was judged elsewhere, unless it has problems.
    pub(super) fn take<T>(&mut self, judged: crate::error::Result<T>) -> Option<T> {
        judged.map_err(|error| self.problems.extend(error.into_problems())).ok()
    }

    /// The name of what other programs report: a source, or an id of it.
    pub(super) fn source_name(&mut self, name: &str) -> Option<String> {
        self.label(&[name], LABEL_CHARS_MAX)
    }

    /// The objects of a list, each read by a function.
    pub(super) fn list<T>(
        &mut self,
        names: &[&str],
        read: impl Fn(&mut Fields<'_, '_>) -> T,
    ) -> Option<Vec<T>> {
        let (name, raw) = self.first(names)?;
        let Ok(objects) = serde_json::from_str::<Vec<Object<'_>>>(raw) else {
            self.problem(name, "must be a list of objects");
            return None;
        };
        if objects.len() > SPLIT_PARTS_MAX {
            // Each of them would take memory.
            self.problem(name, format!("must have 2 to {SPLIT_PARTS_MAX} entries"));
            return None;
        }
        let read_one = |(at, object): (usize, &Object<'_>)| {
            let place = format!("{}{name}[{at}].", self.place);
            read(&mut Fields::new(object, &place, self.problems))
        };
        Some(objects.iter().enumerate().map(read_one).collect())
    }

    /// The fields of an object within the object, read by a function.
    pub(super) fn object<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Fields<'_, '_>) -> T,
    ) -> Option<T> {
        let raw = self.object.get(name)?;
        let Some(object) = Object::parse(raw) else {
            self.problem(name, "must be an object");
            return None;
        };
        let place = format!("{}{name}.", self.place);
        Some(read(&mut Fields::new(&object, &place, self.problems)))
    }
}
