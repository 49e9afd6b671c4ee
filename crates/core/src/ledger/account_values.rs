//! What changes in an account, checked with all problems at once.
//!
//! Type and currency stay for good: entries were judged by them.

use jiff::civil::Date;

use super::account::AccountStatus;
use super::input::{self, AmountText};
use super::trade::CostMethod;
use crate::error::{Problem, Problems, Result};
use crate::ids::{self, UserId};
use crate::limits::LABEL_CHARS_MAX;
use crate::money::format::money_text;
use crate::money::{Currency, Money};

/// What a caller sends; `None` leaves a field alone, `Some(None)` clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountValues {
    /// Another name; it can't be cleared.
    pub name: Option<Option<String>>,
    /// Free text such as `checking`.
    pub subtype: Option<Option<String>>,
    /// `active`, `draft` or `disabled`.
    pub status: Option<String>,
    /// The id of a user of the family.
    pub owner: Option<Option<String>>,
    /// The name of the bank.
    pub institution_name: Option<Option<String>>,
    /// The bank's web domain.
    pub institution_domain: Option<Option<String>>,
    /// Free text about the account.
    pub notes: Option<Option<String>>,
    /// The cost-basis method of the account.
    pub cost_method: Option<String>,
    /// The balance before everything that the ledger knows, or at the end of the opening day.
    pub opening_balance: Option<AmountText>,
    /// The day at the end of which the account has the opening balance; `Some(None)` for none.
    pub opening_date: Option<Option<String>>,
    /// The balance that the bank reports now; balances of earlier days are computed from it.
    pub current_balance: Option<AmountText>,
    /// The balance of today, which becomes a valuation if it isn't that already.
    pub balance: Option<AmountText>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// Values that were judged, but for the existence of the owner.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckedAccount {
    /// The name, trimmed and not empty.
    pub name: Option<String>,
    /// The subtype, as in [`AccountValues::subtype`].
    pub subtype: Option<Option<String>>,
    /// Not `pending_deletion`: that is what removing an account does.
    pub status: Option<AccountStatus>,
    /// The owner, as in [`AccountValues::owner`].
    pub owner: Option<Option<UserId>>,
    /// The name of the bank, as in [`AccountValues::institution_name`].
    pub institution_name: Option<Option<String>>,
    /// The domain of the bank, as in [`AccountValues::institution_domain`].
    pub institution_domain: Option<Option<String>>,
    /// The notes, as in [`AccountValues::notes`].
    pub notes: Option<Option<String>>,
    /// The cost-basis method of the account.
    pub cost_method: Option<CostMethod>,
    /// The opening balance in the currency's scale.
    pub opening_amount: Option<i64>,
    /// The day, as in [`AccountValues::opening_date`].
    pub opening_date: Option<Option<Date>>,
    /// The current balance in the currency's scale.
    pub current_amount: Option<i64>,
}

impl AccountValues {
    /// Judges the values; every problem is reported at once.
    pub fn check(&self, currency: Currency, today: Date) -> Result<CheckedAccount> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let found = &mut problems;
        let checked = CheckedAccount {
            name: self.name.as_ref().map(|name| {
                let name = name.as_deref().unwrap_or_default();
                input::required_label("name", name, found).to_owned()
            }),
            subtype: label("subtype", &self.subtype, found),
            status: self.status.as_deref().and_then(|text| status(text, found)),
            owner: self.owner.as_ref().map(|id| owner(id.as_deref(), found)),
            institution_name: label("institution_name", &self.institution_name, found),
            institution_domain: label("institution_domain", &self.institution_domain, found),
            notes: self.notes.as_ref().map(|text| notes(text.as_deref(), found)),
            cost_method: self.cost_method.as_deref().and_then(|text| cost_method(text, found)),
            opening_amount: amount("opening_balance", &self.opening_balance, currency, found),
            opening_date: self.opening_date.as_ref().map(|date| {
                let date = date.as_deref().filter(|text| !text.is_empty());
                date.and_then(|text| input::entry_date("opening_date", text, today, found))
            }),
            current_amount: amount("current_balance", &self.current_balance, currency, found),
        };
        problems.into_result()?;
        Ok(checked)
    }

    /// Whether another balance is sent than the present one, as a number or as answers show it.
    pub fn sets_balance(&self, present: Money) -> Result<bool> {
        let Some(sent) = &self.balance else { return Ok(false) };
        if matches!(sent, AmountText::Text(text) if text.trim() == money_text(present)) {
            return Ok(false);
        }
        let mut problems = Problems::new();
        let amount = input::amount("balance", sent, present.currency, &mut problems);
        problems.into_result()?;
        Ok(amount != Some(present.amount))
    }
}

fn label(
    field: &str,
    value: &Option<Option<String>>,
    problems: &mut Problems,
) -> Option<Option<String>> {
    let value = value.as_ref()?;
    Some(input::label(field, value.as_deref(), LABEL_CHARS_MAX, problems))
}

/// Free text; blank text is none.
pub(super) fn notes(text: Option<&str>, problems: &mut Problems) -> Option<String> {
    let text = text.filter(|text| !text.trim().is_empty())?;
    input::notes("notes", text, problems)
}

fn amount(
    field: &str,
    value: &Option<AmountText>,
    currency: Currency,
    problems: &mut Problems,
) -> Option<i64> {
    value.as_ref().and_then(|text| input::amount(field, text, currency, problems))
}

fn status(text: &str, problems: &mut Problems) -> Option<AccountStatus> {
    let status = AccountStatus::parse(text).filter(|one| *one != AccountStatus::PendingDeletion);
    if status.is_none() {
        problems.field("status", "must be one of active, draft, disabled");
    }
    status
}

/// Reads how the cost of what is sold is found.
pub fn cost_method(text: &str, problems: &mut Problems) -> Option<CostMethod> {
    let method = CostMethod::parse(text);
    if method.is_none() {
        problems.field("cost_method", "must be one of average, fifo, lifo");
    }
    method
}

/// Reads the id of the user who owns the account; an empty one stands for nobody.
pub fn owner(id: Option<&str>, problems: &mut Problems) -> Option<UserId> {
    let id = id.filter(|id| !id.is_empty())?;
    ids::read(id).map(UserId).map_err(|_| problems.push(unknown_owner())).ok()
}

/// The problem of an owner that the family doesn't have.
pub fn unknown_owner() -> Problem {
    Problem::field("owner_id", "is not a user of this family")
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn check(values: &AccountValues) -> Result<CheckedAccount> {
        values.check(Currency::USD, date(2026, 1, 1))
    }

    #[test]
    fn what_is_missing_stays_and_null_clears() {
        assert_eq!(check(&AccountValues::default()).unwrap(), CheckedAccount::default());
        let values = AccountValues {
            name: Some(Some(" Savings ".into())),
            subtype: Some(None),
            status: Some("disabled".into()),
            owner: Some(Some(String::new())),
            institution_name: Some(Some(" ".into())),
            cost_method: Some("fifo".into()),
            opening_balance: Some(AmountText::Text("12.5".into())),
            opening_date: Some(None),
            current_balance: Some(AmountText::JsonNumber("-3".into())),
            ..AccountValues::default()
        };
        let expected = CheckedAccount {
            name: Some("Savings".into()),
            subtype: Some(None),
            status: Some(AccountStatus::Disabled),
            owner: Some(None),
            institution_name: Some(None),
            cost_method: Some(CostMethod::Fifo),
            opening_amount: Some(125_000),
            opening_date: Some(None),
            current_amount: Some(-30_000),
            ..CheckedAccount::default()
        };
        assert_eq!(check(&values).unwrap(), expected);
    }

    #[test]
    fn a_balance_is_set_unless_it_is_the_present_one() {
        let present = Money::new(12_345_600, Currency::USD);
        let sets = |balance| {
            let balance = Some(balance);
            AccountValues { balance, ..AccountValues::default() }.sets_balance(present)
        };
        assert!(!AccountValues::default().sets_balance(present).unwrap());
        for same in ["1234.56", " 1234.5600 ", "$1,234.56"] {
            assert!(!sets(AmountText::Text(same.into())).unwrap(), "{same}");
        }
        assert!(!sets(AmountText::JsonNumber("1234.56".into())).unwrap());
        assert!(sets(AmountText::Text("1234.57".into())).unwrap());
        for wrong in ["$1,234.57", "much"] {
            assert!(sets(AmountText::Text(wrong.into())).is_err(), "{wrong}");
        }
    }

    #[test]
    fn every_problem_is_reported_at_once() {
        let values = AccountValues {
            name: Some(None),
            subtype: Some(Some("a\0".into())),
            status: Some("pending_deletion".into()),
            owner: Some(Some("7".into())),
            institution_domain: Some(Some("x".repeat(201))),
            cost_method: Some("hifo".into()),
            opening_balance: Some(AmountText::Text("many".into())),
            opening_date: Some(Some("2030-01-01".into())),
            current_balance: Some(AmountText::Text("".into())),
            problems: vec![Problem::field("x", "must be a text")],
            ..AccountValues::default()
        };
        let errors = check(&values).unwrap_err().into_problems();
        assert_eq!(errors.len(), 10, "{errors:?}");
    }
}
