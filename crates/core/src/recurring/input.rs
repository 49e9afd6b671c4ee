//! A recurring series as it is sent, and its checks.

use jiff::civil::Date;
use uuid::Uuid;

use super::{day_in_month, next_after};
use crate::error::{Problem, Problems, Result};
use crate::ids;
use crate::ledger::input::{self, AmountText, NOT_A_DATE, calendar_date, entry_days};
use crate::limits::NAME_CHARS_MAX;
use crate::money::Currency;
use crate::months::plus_months;
use crate::named::text_enum;
use crate::rates::input::NOT_A_CURRENCY;

text_enum! {
    /// Whether a series is followed.
    RecurringStatus {
        /// The next transaction is expected.
        Active = "active",
        /// It has ended or isn't of interest; it isn't proposed again.
        Inactive = "inactive",
    }
}

text_enum! {
    /// How a series was created.
    RecurringMaker {
        /// A person or a client created it.
        Person = "person",
        /// It was detected in what has happened.
        Detection = "detection",
    }
}

/// The fields as they were sent; nothing is checked yet. A missing field stays as it is,
/// `Some(None)` clears one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecurringInput {
    /// The id of an account.
    pub account: Option<Option<String>>,
    /// The id of a merchant.
    pub merchant: Option<Option<String>>,
    /// The id of a category.
    pub category: Option<Option<String>>,
    /// The name of the series.
    pub name: Option<Option<String>>,
    /// The amount; positive is money out.
    pub amount: Option<AmountText>,
    /// The code of the currency.
    pub currency: Option<String>,
    /// The day of the month, from 1 to 31.
    pub day: Option<String>,
    /// The day of the last transaction.
    pub last: Option<String>,
    /// The day on which the next transaction is expected.
    pub next: Option<String>,
    /// The status, as in [`RecurringStatus`].
    pub status: Option<String>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// Ids that are well-formed, but not looked up yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RecurringReferences {
    /// The account, as in [`RecurringInput::account`].
    pub account: Option<Option<Uuid>>,
    /// The merchant, as in [`RecurringInput::merchant`].
    pub merchant: Option<Option<Uuid>>,
    /// The category, as in [`RecurringInput::category`].
    pub category: Option<Option<Uuid>>,
}

/// Values of a series that can be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecurringValues {
    /// The name of the series.
    pub name: String,
    /// The amount; positive is money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The day of the month, from 1 to 31.
    pub day: i8,
    /// The day of the last transaction.
    pub last: Date,
    /// The day on which the next transaction is expected.
    pub next: Date,
    /// Whether the series is followed.
    pub status: RecurringStatus,
}

impl RecurringInput {
    /// The ids. A malformed id is replaced by one that nothing has, so that it gets the same
    /// answer.
    pub fn pointers(&self) -> RecurringReferences {
        let read = |written: &Option<Option<String>>| {
            let text = written.as_ref()?.as_deref().filter(|text| !text.trim().is_empty());
            Some(text.map(|text| ids::read(text).unwrap_or_default()))
        };
        RecurringReferences {
            account: read(&self.account),
            merchant: read(&self.merchant),
            category: read(&self.category),
        }
    }

    /// Checks the other fields. `before` has the present values, `currency` is the default of the
    /// currency, and `merchant` is the name that replaces a missing one. Problems are added to
    /// those that were found before.
    pub fn check(
        &self,
        before: Option<&RecurringValues>,
        (currency, merchant): (Currency, Option<&str>),
        today: Date,
        mut problems: Problems,
    ) -> Result<RecurringValues> {
        problems.extend(self.problems.iter().cloned());
        let found = &mut problems;
        let currency = self.currency(before.map_or(currency, |it| it.currency), found);
        let name = self.name(before, merchant, found);
        let amount = self.amount(before, currency, found);
        let day = self.day(found);
        let mut date = |field, text: &Option<String>| date(field, text.as_deref(), today, found);
        let last = date("last_occurrence_date", &self.last);
        let next = date("next_expected_date", &self.next);
        let days = Days { day, last, next }.complete(before, today, found);
        let status = self.status(found).or(before.map(|it| it.status));
        problems.into_result()?;
        let (day, last, next) = days.unwrap_or((1, today, today));
        Ok(RecurringValues {
            name: name.unwrap_or_default(),
            amount: amount.unwrap_or_default(),
            currency,
            day,
            last,
            next,
            status: status.unwrap_or(RecurringStatus::Active),
        })
    }

    fn currency(&self, present: Currency, problems: &mut Problems) -> Currency {
        let Some(code) = self.currency.as_deref().filter(|code| !code.trim().is_empty()) else {
            return present;
        };
        Currency::parse(code).unwrap_or_else(|| {
            problems.field("currency", NOT_A_CURRENCY);
            present
        })
    }

    fn name(
        &self,
        before: Option<&RecurringValues>,
        merchant: Option<&str>,
        problems: &mut Problems,
    ) -> Option<String> {
        let written = self.name.as_ref().map(|name| name.as_deref().unwrap_or_default().trim());
        let text = match (written, before) {
            (None, Some(before)) => &before.name,
            (Some(text), _) if !text.is_empty() => text,
            _ => merchant.unwrap_or_default(),
        };
        if text.is_empty() {
            problems.field("name", "or the merchant_id is required");
            return None;
        }
        input::label("name", Some(text), NAME_CHARS_MAX, problems)
    }

    fn amount(
        &self,
        before: Option<&RecurringValues>,
        currency: Currency,
        problems: &mut Problems,
    ) -> Option<i64> {
        let Some(text) = &self.amount else {
            let present = before.filter(|it| it.currency == currency).map(|it| it.amount);
            if present.is_none() {
                problems.required("amount");
            }
            return present;
        };
        let amount = input::amount("amount", text, currency, problems)?;
        if amount == 0 {
            problems.field("amount", "must not be 0");
        }
        Some(amount)
    }

    fn day(&self, problems: &mut Problems) -> Option<i8> {
        let text = self.day.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
        let day = text.parse().ok().filter(|day| (1..=31).contains(day));
        if day.is_none() {
            problems.field("expected_day_of_month", "must be a whole number from 1 to 31");
        }
        day
    }

    fn status(&self, problems: &mut Problems) -> Option<RecurringStatus> {
        let text = self.status.as_deref().filter(|text| !text.is_empty())?;
        let status = RecurringStatus::parse(text);
        if status.is_none() {
            problems.field("status", "must be active or inactive");
        }
        status
    }
}

/// The days as far as they were sent.
struct Days {
    day: Option<i8>,
    last: Option<Date>,
    next: Option<Date>,
}

impl Days {
    /// Each follows from the others: the day of the month from the next one, else from the last;
    /// the last from the next, a month before; the next from the last.
    fn complete(
        self,
        before: Option<&RecurringValues>,
        today: Date,
        problems: &mut Problems,
    ) -> Option<(i8, Date, Date)> {
        if let Some(before) = before {
            let day = self.day.or(self.next.map(Date::day)).unwrap_or(before.day);
            let last = self.last.unwrap_or(before.last);
            let is_moved = self.day.is_some() || self.last.is_some();
            let next = self.next.or_else(|| is_moved.then(|| next_after(last, day)));
            return in_order(day, last, next.unwrap_or(before.next), problems);
        }
        match (self.last, self.next) {
            (None, None) => {
                let Some(day) = self.day else {
                    problems.field(
                        "last_occurrence_date",
                        ", the next_expected_date or the expected_day_of_month is required",
                    );
                    return None;
                };
                let this = day_in_month(today, day);
                let next = if this > today { this } else { next_after(this, day) };
                Some((day, day_in_month(plus_months(next, -1), day), next))
            }
            (Some(last), None) => {
                let day = self.day.unwrap_or_else(|| last.day());
                Some((day, last, next_after(last, day)))
            }
            (last, Some(next)) => {
                let day = self.day.unwrap_or_else(|| next.day());
                let last = last.unwrap_or_else(|| day_in_month(plus_months(next, -1), day));
                in_order(day, last, next, problems)
            }
        }
    }
}

fn in_order(day: i8, last: Date, next: Date, problems: &mut Problems) -> Option<(i8, Date, Date)> {
    if next <= last {
        problems.field("next_expected_date", "must be after the last_occurrence_date");
        return None;
    }
    Some((day, last, next))
}

fn date(field: &str, text: Option<&str>, today: Date, problems: &mut Problems) -> Option<Date> {
    let text = text.map(str::trim).filter(|text| !text.is_empty())?;
    let Some(date) = calendar_date(text) else {
        problems.field(field, NOT_A_DATE);
        return None;
    };
    let (first, last) = entry_days(today);
    if date < first || date > last {
        problems.field(field, format!("must be from {first} to {last}"));
        return None;
    }
    Some(date)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::error::Error;

    const TODAY: Date = date(2024, 5, 17);

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn rent() -> RecurringInput {
        RecurringInput {
            name: Some(some(" Rent ")),
            amount: Some(AmountText::Text("900".into())),
            last: some("2024-04-30"),
            ..RecurringInput::default()
        }
    }

    fn check(input: &RecurringInput, before: Option<&RecurringValues>) -> Result<RecurringValues> {
        input.check(before, (Currency::EUR, None), TODAY, Problems::new())
    }

    fn errors(input: &RecurringInput, before: Option<&RecurringValues>) -> usize {
        match check(input, before) {
            Err(Error::Invalid { problems, .. }) => crate::error::texts(&problems).len(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn days_follow_from_each_other() {
        let days = |input: &RecurringInput| {
            let values = check(input, None).unwrap();
            (values.day, values.last, values.next)
        };
        assert_eq!(days(&rent()), (30, date(2024, 4, 30), date(2024, 5, 30)));
        let monthly = RecurringInput { day: some("31"), ..rent() };
        assert_eq!(days(&monthly), (31, date(2024, 4, 30), date(2024, 5, 31)));
        let next = RecurringInput { last: None, next: some("2024-06-03"), ..rent() };
        assert_eq!(days(&next), (3, date(2024, 5, 3), date(2024, 6, 3)));
        let day = RecurringInput { last: None, day: some("17"), ..rent() };
        assert_eq!(days(&day), (17, date(2024, 5, 17), date(2024, 6, 17)));
        let day = RecurringInput { last: None, day: some("18"), ..rent() };
        assert_eq!(days(&day), (18, date(2024, 4, 18), date(2024, 5, 18)));
    }

    #[test]
    fn what_is_missing_stays() {
        let before = check(&rent(), None).unwrap();
        let nothing = RecurringInput::default();
        assert_eq!(check(&nothing, Some(&before)).unwrap(), before);
        let paused = RecurringInput { status: some("inactive"), day: some("1"), ..nothing };
        let after = check(&paused, Some(&before)).unwrap();
        assert_eq!((after.status, after.next), (RecurringStatus::Inactive, date(2024, 6, 1)));
        assert_eq!((after.last, after.amount), (before.last, before.amount));
        let named = RecurringInput { name: Some(None), ..RecurringInput::default() };
        let merchant = (Currency::EUR, Some("Landlord"));
        let after = named.check(Some(&before), merchant, TODAY, Problems::new()).unwrap();
        assert_eq!(after.name, "Landlord");
    }

    #[test]
    fn every_problem_is_reported() {
        assert_eq!(errors(&RecurringInput::default(), None), 3);
        let wrong = RecurringInput {
            name: Some(some("a\u{7}")),
            amount: Some(AmountText::Text("0".into())),
            currency: some("XYZ"),
            day: some("32"),
            last: some("yesterday"),
            next: some("2031-01-01"),
            status: some("paused"),
            problems: vec!["It rains".into()],
            ..RecurringInput::default()
        };
        assert_eq!(errors(&wrong, None), 9);
        let backwards = RecurringInput { next: some("2024-04-30"), ..rent() };
        assert_eq!(errors(&backwards, None), 1);
        let dollars = RecurringInput { currency: some("USD"), ..RecurringInput::default() };
        assert_eq!(errors(&dollars, Some(&check(&rent(), None).unwrap())), 1);
    }
}
