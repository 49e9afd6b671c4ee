//! Changes of a transaction as they are sent, checked once the transaction is known.
//!
//! The transaction's currency decides how many decimals an amount has, and a direction that is sent
//! alone refers to the present amount. Whether categories and tags exist is checked by the store.

use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::input::{self, AmountText};
use super::locks::{LockField, Locks};
use super::nature::Nature;
use crate::error::{Problem, Problems, Result};
use crate::ids;
use crate::limits;
use crate::money::Currency;
use crate::rates::positive_decimal;

/// What is written for a transaction; nothing is checked yet. What is missing stays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransactionValues {
    /// The new day of the transaction.
    pub date: Option<String>,
    /// The new amount; positive is money out, unless a nature is sent with it.
    pub amount: Option<AmountText>,
    /// `income` or `expense`: the direction, whatever the sign.
    pub nature: Option<Nature>,
    /// What one unit of the amount's currency is worth in the account's; `Some(None)` takes it
    /// back.
    pub rate: Option<Option<AmountText>>,
    /// Another name; `Some(None)` would clear it, which is refused.
    pub name: Option<Option<String>>,
    /// The notes; `Some(None)` clears them.
    pub notes: Option<Option<String>>,
    /// The id of a category; `Some(None)` clears it.
    pub category: Option<Option<String>>,
    /// The id of a merchant; `Some(None)` clears it.
    pub merchant: Option<Option<String>>,
    /// Ids of all tags that it has from now on.
    pub tags: Option<Vec<String>>,
    /// Whether reports and budgets leave it out.
    pub excluded: Option<bool>,
    /// Names of fields that rules and imports may change again.
    pub unlock: Vec<LockField>,
    /// The currency that the caller believes it has: it can't change.
    pub currency: Option<String>,
    /// The account that it is in from now on.
    pub account: Option<String>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// Values that were judged, but for the existence of category and tags.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckedTransaction {
    /// A day that entries may have.
    pub date: Option<Date>,
    /// Positive = money out, in the scale of the currency.
    pub amount: Option<i64>,
    /// As in [`TransactionValues::rate`]; positive.
    pub rate: Option<Option<Decimal>>,
    /// The name, trimmed and not empty.
    pub name: Option<String>,
    /// As in [`TransactionValues::notes`]; blank notes are none.
    pub notes: Option<Option<String>>,
    /// The category, as in [`TransactionValues::category`].
    pub category: Option<Option<Uuid>>,
    /// The merchant, as in [`TransactionValues::merchant`].
    pub merchant: Option<Option<Uuid>>,
    /// The tags, sorted and each once.
    pub tags: Option<Vec<Uuid>>,
    /// Whether it is excluded, as in [`TransactionValues::excluded`].
    pub excluded: Option<bool>,
    /// Fields that rules and imports may change again.
    pub unlock: Locks,
}

/// A transaction as it is, as far as its changes are judged by it.
#[derive(Debug, Clone, Copy)]
pub struct Present {
    /// The currency of the amount.
    pub currency: Currency,
    /// The amount; positive is money out.
    pub amount: i64,
    /// The currency of the account, if the amount is to be converted into another.
    pub account_currency: Currency,
}

impl TransactionValues {
    /// Judges the values; every problem is reported at once.
    pub fn check(&self, present: Present, today: Date) -> Result<CheckedTransaction> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let found = &mut problems;
        let date =
            self.date.as_deref().and_then(|text| input::entry_date("date", text, today, found));
        let amount = self.amount(present, found);
        let rate = self.rate.as_ref().map(|rate| {
            let rate = rate.as_ref();
            rate.and_then(|rate| rate_of(rate, present, found))
        });
        let name = self.name.as_ref().and_then(|name| name_of(name.as_deref(), found));
        let notes = self.notes.as_ref().map(|notes| {
            let text = notes.as_deref().filter(|text| !text.trim().is_empty());
            text.and_then(|text| input::notes("notes", text, found))
        });
        let category = self.category.as_ref().map(|id| {
            let id = id.as_deref().filter(|id| !id.is_empty());
            id.and_then(|id| id_of("category_id", "category", id, found))
        });
        let merchant = self.merchant.as_ref().map(|id| {
            let id = id.as_deref().filter(|id| !id.is_empty());
            id.and_then(|id| id_of("merchant_id", "merchant", id, found))
        });
        let tags = self.tags.as_ref().map(|tags| tags_of(tags, found));
        let unlock = self.unlock.iter().fold(Locks::NONE, |locks, field| locks.with(*field, true));
        problems.into_result()?;
        Ok(CheckedTransaction {
            date,
            amount,
            rate,
            name,
            notes,
            category,
            merchant,
            tags,
            excluded: self.excluded,
            unlock,
        })
    }

    fn amount(&self, present: Present, problems: &mut Problems) -> Option<i64> {
        let written = self.amount.as_ref();
        let amount = written
            .and_then(|text| input::amount("amount", text, present.currency, problems))
            .or(written.is_none().then_some(present.amount))?;
        match self.nature {
            Some(nature) => Some(nature.direct(amount)),
            None => written.map(|_| amount),
        }
    }
}

/// A rate belongs to an amount in another currency than the account's.
fn rate_of(rate: &AmountText, present: Present, problems: &mut Problems) -> Option<Decimal> {
    let read = positive_decimal("exchange_rate", rate, problems);
    if read.is_some() && present.currency == present.account_currency {
        problems.field("exchange_rate", "is only for an amount in another currency");
    }
    read
}

fn name_of(name: Option<&str>, problems: &mut Problems) -> Option<String> {
    const MAX: usize = limits::NAME_CHARS_MAX;
    let Some(name) = name.filter(|name| !name.trim().is_empty()) else {
        problems.field("name", format!("must have 1 to {MAX} characters"));
        return None;
    };
    input::label("name", Some(name), MAX, problems)
}

/// What is no id names nothing, as what is unknown does.
fn id_of(field: &str, noun: &str, id: &str, problems: &mut Problems) -> Option<Uuid> {
    ids::read(id).map_err(|_| problems.push(Problem::unknown(field, noun))).ok()
}

fn tags_of(tags: &[String], problems: &mut Problems) -> Vec<Uuid> {
    if tags.len() > limits::ROW_TAGS_MAX {
        problems.field("tag_ids", format!("must name at most {} tags", limits::ROW_TAGS_MAX));
        return Vec::new();
    }
    let ids: Option<Vec<Uuid>> = tags.iter().map(|id| ids::read(id).ok()).collect();
    let Some(mut ids) = ids else {
        problems.push(unknown_tags());
        return Vec::new();
    };
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// The problem of tags that the family doesn't have.
pub fn unknown_tags() -> Problem {
    Problem::field("tag_ids", "must only name tags of this family")
}

/// The problem of an account to which nothing is added while it is disabled.
pub fn disabled_account() -> Problem {
    Problem::field("account_id", "is an account that is disabled: make it active first")
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::error::Error;

    fn check(values: &TransactionValues) -> Result<CheckedTransaction> {
        let present =
            Present { currency: Currency::USD, amount: -75_000, account_currency: Currency::USD };
        values.check(present, date(2026, 1, 1))
    }

    fn errors(values: &TransactionValues) -> Vec<String> {
        match check(values) {
            Err(Error::Invalid { problems, .. }) => crate::error::texts(&problems),
            other => panic!("{other:?}"),
        }
    }

    fn plain(text: &str) -> Option<AmountText> {
        Some(AmountText::Text(text.into()))
    }

    #[test]
    fn a_nature_decides_the_sign() {
        for (amount, nature, expected) in [
            (plain("12.5"), None, Some(125_000)),
            (plain("-12.5"), None, Some(-125_000)),
            (plain("12.5"), Some(Nature::Income), Some(-125_000)),
            (plain("-12.5"), Some(Nature::Income), Some(-125_000)),
            (plain("-12.5"), Some(Nature::Expense), Some(125_000)),
            (plain("0"), Some(Nature::Income), Some(0)),
            (None, Some(Nature::Expense), Some(75_000)),
            (None, Some(Nature::Income), Some(-75_000)),
            (None, None, None),
        ] {
            let values = TransactionValues { amount, nature, ..Default::default() };
            assert_eq!(check(&values).unwrap().amount, expected, "{values:?}");
        }
    }

    #[test]
    fn what_is_missing_stays_and_null_clears() {
        assert_eq!(check(&TransactionValues::default()).unwrap(), CheckedTransaction::default());
        let cleared = TransactionValues {
            notes: Some(None),
            category: Some(None),
            tags: Some(Vec::new()),
            ..Default::default()
        };
        let checked = check(&cleared).unwrap();
        assert_eq!(
            (checked.notes, checked.category, checked.tags),
            (Some(None), Some(None), Some(Vec::new()))
        );
        let blank = TransactionValues { notes: Some(Some(" \n".into())), ..Default::default() };
        assert_eq!(check(&blank).unwrap().notes, Some(None));
    }

    #[test]
    fn tags_are_a_set() {
        let id = |number: u128| Uuid::from_u128(number).to_string();
        let values =
            TransactionValues { tags: Some(vec![id(2), id(1), id(2)]), ..Default::default() };
        let expected = vec![Uuid::from_u128(1), Uuid::from_u128(2)];
        assert_eq!(check(&values).unwrap().tags, Some(expected));
        let many = (0..51).map(id).collect();
        let many = TransactionValues { tags: Some(many), ..Default::default() };
        assert_eq!(errors(&many), ["The tag_ids must name at most 50 tags"]);
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let values = TransactionValues {
            date: Some("2026-1-1".into()),
            amount: plain("x"),
            nature: Some(Nature::Expense),
            name: Some(None),
            notes: Some(Some("a\0".into())),
            category: Some(Some("7".into())),
            merchant: Some(Some("7".into())),
            tags: Some(vec!["7".into()]),
            excluded: Some(true),
            problems: vec![Problem::field("tag_ids", "must be a list of strings")],
            ..TransactionValues::default()
        };
        assert_eq!(
            errors(&values),
            [
                "The tag_ids must be a list of strings",
                "The date must be a calendar date such as 2026-01-31",
                "The amount must be a decimal number such as 12.50",
                "The name must have 1 to 500 characters",
                "The notes must not contain a NUL character",
                "The category_id is not a category of this family",
                "The merchant_id is not a merchant of this family",
                "The tag_ids must only name tags of this family",
            ]
        );
        for name in ["", " ", "a\u{7}b", &"x".repeat(501)] {
            let values = TransactionValues { name: Some(Some(name.into())), ..Default::default() };
            assert_eq!(errors(&values).len(), 1, "{name:?}");
        }
    }
}
