//! A valuation as it is sent, checked once its account is known.
//!
//! The order is part of the interface: missing fields are refused first and one at a time, then the
//! account is looked up, then the values are checked, because the currency of the account decides
//! how many decimals its amounts have.

use jiff::civil::Date;

use super::input::{self, AmountText};
use crate::error::{Error, Problem, Problems, Result};
use crate::ids::AccountId;
use crate::money::Currency;

/// A valuation as it was sent, with its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuationInput {
    /// The account that is valued.
    pub account: AccountId,
    /// The fields of the valuation itself.
    pub values: ValuationValues,
}

/// The fields of a valuation as they were sent; nothing is checked yet. In a change, a missing
/// field stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValuationValues {
    /// Positive = owned, for a liability positive = debt.
    pub amount: Option<AmountText>,
    /// The day at the end of which the account has the amount.
    pub date: Option<String>,
    /// `None` leaves the notes alone, `Some(None)` clears them.
    pub notes: Option<Option<String>>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// Valid values of a valuation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedValues {
    /// The amount in the account's currency and its scale.
    pub amount: Option<i64>,
    /// A day that entries may have.
    pub date: Option<Date>,
    /// The notes, as in [`ValuationValues::notes`].
    pub notes: Option<Option<String>>,
}

impl ValuationInput {
    /// Refuses what is missing, in the order of the interface; then the account's id. A text that
    /// is no id names no account.
    pub fn require(account_id: Option<&str>, values: ValuationValues) -> Result<Self> {
        let account = account_id.filter(|id| !id.trim().is_empty());
        let missing = [
            (account.is_none(), "account_id"),
            (values.amount.is_none(), "amount"),
            (values.date.is_none(), "date"),
        ];
        if let Some((_, field)) = missing.iter().find(|(is_missing, _)| *is_missing) {
            return Err(Problem::required(*field).into());
        }
        // The usual form only: what is no id in a path is none in a body.
        let account = account.filter(|id| id.len() == uuid::fmt::Hyphenated::LENGTH);
        let account = account.and_then(|id| id.parse().ok());
        let account = account.ok_or(Error::NotFound { what: "Account" })?;
        Ok(Self { account, values })
    }
}

impl ValuationValues {
    /// Judges the values; every problem is reported at once.
    pub fn check(&self, currency: Currency, today: Date) -> Result<CheckedValues> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let found = &mut problems;
        let amount =
            self.amount.as_ref().and_then(|text| input::amount("amount", text, currency, found));
        let date =
            self.date.as_deref().and_then(|text| input::entry_date("date", text, today, found));
        let notes = self
            .notes
            .as_ref()
            .map(|notes| notes.as_deref().and_then(|text| input::notes("notes", text, found)));
        problems.into_result()?;
        Ok(CheckedValues { amount, date, notes })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn values() -> ValuationValues {
        ValuationValues {
            amount: Some(AmountText::Text("770639.10".into())),
            date: Some("2026-01-12".into()),
            ..ValuationValues::default()
        }
    }

    #[test]
    fn what_is_missing_is_named_in_order() {
        let id = "0190163d-8694-739b-aea5-966c26f8ad91";
        let without = |change: fn(&mut ValuationValues)| {
            let mut values = values();
            change(&mut values);
            values
        };
        for (id, values, sentence) in [
            (None, ValuationValues::default(), "Account ID is required"),
            (Some(" "), values(), "Account ID is required"),
            (Some("7"), without(|values| values.amount = None), "Amount is required"),
            (Some(id), without(|values| values.date = None), "Date is required"),
            (Some("7"), values(), "Account not found"),
            (Some("0190163d8694739baea5966c26f8ad91"), values(), "Account not found"),
        ] {
            let error = ValuationInput::require(id, values).unwrap_err();
            assert_eq!(error.to_string(), sentence);
        }
        assert_eq!(ValuationInput::require(Some(id), values()).unwrap().values, values());
    }

    #[test]
    fn values_are_judged_in_the_currency_of_the_account() {
        let checked = values().check(Currency::USD, date(2026, 1, 1)).unwrap();
        assert_eq!(checked.amount, Some(7_706_391_000));
        assert_eq!(checked.date, Some(date(2026, 1, 12)));
        assert_eq!(checked.notes, None);
        let wrong = ValuationValues {
            amount: Some(AmountText::JsonNumber("1.00001".into())),
            date: Some("2026-1-12".into()),
            notes: Some(Some("a\0".into())),
            problems: vec![Problem::field("upsert", "must be true or false")],
        };
        let Err(Error::Invalid { problems: errors, .. }) =
            wrong.check(Currency::USD, date(2026, 1, 1))
        else {
            panic!("accepted");
        };
        assert_eq!(errors.len(), 4, "{errors:?}");
    }

    #[test]
    fn notes_are_left_alone_cleared_or_set() {
        for notes in [None, Some(None), Some(Some("Roof\nrepaired".to_owned()))] {
            let values = ValuationValues { notes: notes.clone(), ..values() };
            assert_eq!(values.check(Currency::USD, date(2026, 1, 1)).unwrap().notes, notes);
        }
    }
}
