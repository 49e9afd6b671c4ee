//! A new transaction as a client writes it, checked with all problems at once.
//!
//! What may also be changed later is judged by [`TransactionValues`]; this adds the account, the
//! currency, and what names the transaction in its account (`external_id` and `source`).

use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::locks::{LockField, Locks};
use super::transaction_values::{Present, TransactionValues};
use crate::error::{Error, Problem, Problems, Result};
use crate::ids::{self, AccountId};
use crate::limits::LABEL_CHARS_MAX;
use crate::money::Currency;
use crate::rates::input::NOT_A_CURRENCY;

/// The source of transactions that have an `external_id` and name no source.
pub const DEFAULT_SOURCE: &str = "api";

/// What a caller sends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TransactionInput {
    /// The id of an account.
    pub account: Option<String>,
    /// The currency of the amount; the account's if missing.
    pub currency: Option<String>,
    /// The caller's own id of it.
    pub external_id: Option<String>,
    /// Who the caller is; only together with an id.
    pub source: Option<String>,
    /// Create it even if a person deleted one of this id.
    pub restore: bool,
    /// Everything that may also be changed later.
    pub values: TransactionValues,
}

/// A new transaction, but for the existence of what it points to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTransaction {
    /// The day of the transaction.
    pub date: Date,
    /// Positive = money out, in the scale of the currency.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// What one unit of it is worth in the account's currency.
    pub rate: Option<Decimal>,
    /// The name, trimmed and not empty.
    pub name: String,
    /// The notes, which are never blank.
    pub notes: Option<String>,
    /// The category, if there is one.
    pub category: Option<Uuid>,
    /// The merchant, if there is one.
    pub merchant: Option<Uuid>,
    /// The tags, sorted and each once.
    pub tags: Vec<Uuid>,
    /// Left out of reports and budgets.
    pub excluded: bool,
    /// Source and id; unique in the account.
    pub key: Option<(String, String)>,
    /// Fields that rules and imports leave alone.
    pub locked: Locks,
}

impl TransactionInput {
    /// The account that the transaction is to belong to.
    pub fn account(&self) -> Result<AccountId> {
        let Some(id) = self.account.as_deref().filter(|id| !id.trim().is_empty()) else {
            return Err(Error::from(Problem::required("account_id")));
        };
        ids::read(id)
            .map(AccountId)
            .map_err(|_| Error::from(Problem::unknown("account_id", "account")))
    }

    /// Source and id by which it may exist already.
    pub fn key(&self) -> Option<(&str, &str)> {
        let id = self.external_id.as_deref().filter(|id| !id.trim().is_empty())?;
        let source = self
            .source
            .as_deref()
            .filter(|source| !source.trim().is_empty())
            .unwrap_or(DEFAULT_SOURCE);
        Some((source.trim(), id.trim()))
    }

    /// Checks everything but the account, of which the currency is known by now.
    pub fn check(&self, account_currency: Currency, today: Date) -> Result<NewTransaction> {
        let mut problems = Problems::new();
        let currency = self.currency(account_currency, &mut problems);
        self.check_key(&mut problems);
        for (field, is_missing) in [
            ("date", self.values.date.is_none()),
            ("amount", self.values.amount.is_none()),
            ("name", self.values.name.is_none()),
        ] {
            if is_missing {
                problems.required(field);
            }
        }
        let values = TransactionValues {
            problems: [problems.into_list(), self.values.problems.clone()].concat(),
            ..self.values.clone()
        };
        let checked = values.check(Present { currency, amount: 0, account_currency }, today)?;
        let (Some(date), Some(amount), Some(name)) = (checked.date, checked.amount, checked.name)
        else {
            return Err(Error::internal("a new transaction was accepted without its values"));
        };
        Ok(NewTransaction {
            date,
            amount,
            currency,
            rate: checked.rate.flatten(),
            name,
            notes: checked.notes.flatten(),
            category: checked.category.flatten(),
            merchant: checked.merchant.flatten(),
            tags: checked.tags.unwrap_or_default(),
            excluded: checked.excluded.unwrap_or_default(),
            key: self.key().map(|(source, id)| (source.to_owned(), id.to_owned())),
            locked: self.locks(),
        })
    }

    /// The fields that a person sets by creating it. With an external id of the client day, amount
    /// and name count as values of its source, so that rules may give such a transaction another
    /// name.
    fn locks(&self) -> Locks {
        let values = &self.values;
        let is_filled = |id: &Option<Option<String>>| {
            id.as_ref().and_then(Option::as_deref).is_some_and(|id| !id.trim().is_empty())
        };
        let is_own = self.key().is_none();
        Locks::NONE
            .with(LockField::Date, is_own)
            .with(LockField::Amount, is_own)
            .with(LockField::Name, is_own)
            .with(LockField::Notes, is_filled(&values.notes))
            .with(LockField::Category, is_filled(&values.category))
            .with(LockField::Merchant, is_filled(&values.merchant))
            .with(LockField::Tags, values.tags.as_ref().is_some_and(|tags| !tags.is_empty()))
            .with(LockField::Excluded, values.excluded == Some(true))
    }

    fn currency(&self, account_currency: Currency, problems: &mut Problems) -> Currency {
        let Some(code) = self.currency.as_deref().filter(|code| !code.trim().is_empty()) else {
            return account_currency;
        };
        Currency::parse(code).unwrap_or_else(|| {
            problems.field("currency", NOT_A_CURRENCY);
            account_currency
        })
    }

    fn check_key(&self, problems: &mut Problems) {
        let filled = |text: &Option<String>| text.as_deref().is_some_and(|t| !t.trim().is_empty());
        if filled(&self.source) && !filled(&self.external_id) {
            problems.field("source", "is only for a transaction with an external_id");
        }
        for (field, text) in [("external_id", &self.external_id), ("source", &self.source)] {
            super::input::label(field, text.as_deref(), LABEL_CHARS_MAX, problems);
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::ledger::input::AmountText;

    fn input() -> TransactionInput {
        TransactionInput {
            account: Some("0190f5f0-7c00-7a10-8000-00000000000a".into()),
            values: TransactionValues {
                date: Some("2026-01-02".into()),
                amount: Some(AmountText::Text("12.5".into())),
                name: Some(Some(" Shop ".into())),
                ..TransactionValues::default()
            },
            ..TransactionInput::default()
        }
    }

    fn check(input: &TransactionInput) -> Result<NewTransaction> {
        input.check(Currency::USD, date(2026, 1, 5))
    }

    fn errors(input: &TransactionInput) -> Vec<String> {
        match check(input) {
            Err(Error::Invalid { problems, .. }) => crate::error::texts(&problems),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_missing_has_its_default() {
        let new = check(&input()).unwrap();
        assert_eq!((new.amount, new.currency, new.rate), (125_000, Currency::USD, None));
        assert_eq!((new.name.as_str(), new.notes, new.key), ("Shop", None, None));
        assert!(!new.excluded && new.tags.is_empty());
        assert!(input().account().is_ok());
    }

    #[test]
    fn a_key_has_a_source() {
        let keyed = TransactionInput { external_id: Some(" a1 ".into()), ..input() };
        assert_eq!(check(&keyed).unwrap().key, Some(("api".into(), "a1".into())));
        let named = TransactionInput { source: Some("shop".into()), ..keyed };
        assert_eq!(check(&named).unwrap().key, Some(("shop".into(), "a1".into())));
        let half = TransactionInput { source: Some("shop".into()), ..input() };
        assert_eq!(errors(&half), ["The source is only for a transaction with an external_id"]);
    }

    #[test]
    fn what_is_sent_is_locked_but_for_the_fields_of_a_source() {
        let names = |input: &TransactionInput| check(input).unwrap().locked.names();
        assert_eq!(names(&input()), ["name", "date", "amount"]);
        let id = "0190f5f0-7c00-7a10-8000-00000000000b";
        let values = TransactionValues {
            category: Some(Some(id.into())),
            merchant: Some(None),
            tags: Some(vec![id.into()]),
            excluded: Some(false),
            ..input().values
        };
        let labelled = TransactionInput { values, ..input() };
        assert_eq!(names(&labelled), ["name", "category", "tags", "date", "amount"]);
        let keyed = TransactionInput { external_id: Some("a1".into()), ..labelled };
        assert_eq!(names(&keyed), ["category", "tags"]);
    }

    #[test]
    fn a_rate_belongs_to_another_currency() {
        let with_rate = |text: &str| {
            let rate = Some(Some(AmountText::Text(text.into())));
            let values = TransactionValues { rate, ..input().values };
            TransactionInput { currency: Some("eur".into()), values, ..input() }
        };
        let foreign = with_rate("1.1");
        let new = check(&foreign).unwrap();
        assert_eq!((new.currency, new.rate), (Currency::EUR, Some(Decimal::new(11, 1))));
        for wrong in ["0", "-1", "x", "0.0000000000000000001"] {
            assert_eq!(errors(&with_rate(wrong)).len(), 1);
        }
        let home = TransactionInput { currency: None, ..foreign };
        assert_eq!(errors(&home), ["The exchange_rate is only for an amount in another currency"]);
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let wrong = TransactionInput {
            currency: Some("XYZ".into()),
            external_id: Some("a\0".into()),
            values: TransactionValues {
                problems: vec![Problem::field("excluded", "must be true or false")],
                ..TransactionValues::default()
            },
            ..TransactionInput::default()
        };
        assert_eq!(errors(&wrong).len(), 6, "{:?}", errors(&wrong));
        assert!(wrong.account().is_err());
        let other = TransactionInput { account: Some("7".into()), ..wrong };
        assert!(other.account().is_err());
    }
}
