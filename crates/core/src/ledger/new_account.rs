//! A new account as somebody describes it, checked with all problems at once.

use jiff::civil::Date;

use super::account::{AccountType, NewAccount, Opening};
use super::account_values;
use super::input::{self, AmountText};
use super::trade::CostMethod;
use crate::error::{Problem, Problems, Result};
use crate::limits::LABEL_CHARS_MAX;
use crate::money::Currency;
use crate::rates::input::NOT_A_CURRENCY;

/// What was sent; nothing is checked yet.
#[derive(Debug, Clone, Default)]
pub struct AccountInput {
    /// The name, which is required.
    pub name: Option<String>,
    /// The account type, which is required.
    pub account_type: Option<String>,
    /// The same under another name; the first counts.
    pub accountable_type: Option<String>,
    /// Free text such as `checking`.
    pub subtype: Option<String>,
    /// A code; the family's currency if missing.
    pub currency: Option<String>,
    /// Zero if missing; for a liability positive = debt.
    pub opening_balance: Option<AmountText>,
    /// The same under another name: only one of them may be sent, unless they are equal.
    pub balance: Option<AmountText>,
    /// The end of this day has the opening balance; without it, it is before everything.
    pub opening_date: Option<String>,
    /// The same under another name; the first counts.
    pub opening_balance_date: Option<String>,
    /// The name of the bank.
    pub institution_name: Option<String>,
    /// The bank's web domain.
    pub institution_domain: Option<String>,
    /// Free text about the account.
    pub notes: Option<String>,
    /// The id of a user of the family, if it is somebody's in particular.
    pub owner: Option<String>,
    /// `average`, `fifo` or `lifo`; average if missing.
    pub cost_method: Option<String>,
    /// The balance that the bank reports now.
    pub current_balance: Option<AmountText>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

impl AccountInput {
    /// The account that is meant.
    pub fn check(&self, family_currency: Currency, today: Date) -> Result<NewAccount> {
        let mut problems = Problems::new();
        problems.extend(self.problems.iter().cloned());
        let found = &mut problems;
        let name = self.name(found);
        let account_type = self.account_type(found);
        let subtype = label("subtype", &self.subtype, found);
        let currency = self.currency(family_currency, found);
        let amount = self.opening(currency, found);
        let date = either([
            ("opening_date", &self.opening_date),
            ("opening_balance_date", &self.opening_balance_date),
        ]);
        let date = date.and_then(|(field, text)| input::entry_date(field, text, today, found));
        let institution_name = label("institution_name", &self.institution_name, found);
        let institution_domain = label("institution_domain", &self.institution_domain, found);
        let notes = account_values::notes(self.notes.as_deref(), found);
        let owner = account_values::owner(self.owner.as_deref(), found);
        let method = self.cost_method.as_deref().filter(|text| !text.trim().is_empty());
        let cost_method = method.and_then(|text| account_values::cost_method(text, found));
        let current_amount = self
            .current_balance
            .as_ref()
            .and_then(|text| input::amount("current_balance", text, currency, found));
        problems.into_result()?;
        Ok(NewAccount {
            name: name.unwrap_or_default(),
            account_type: account_type.unwrap_or(AccountType::Depository),
            subtype,
            currency,
            opening: Opening { amount: amount.unwrap_or_default(), date },
            institution_name,
            institution_domain,
            notes,
            owner,
            cost_method: cost_method.unwrap_or(CostMethod::Average),
            current_amount,
        })
    }

    fn name(&self, problems: &mut Problems) -> Option<String> {
        if self.name.as_deref().is_none_or(|name| name.trim().is_empty()) {
            problems.required("name");
            return None;
        }
        label("name", &self.name, problems)
    }

    /// The opening balance, under either of its names.
    fn opening(&self, currency: Currency, problems: &mut Problems) -> Option<i64> {
        let mut read = |field, written: &Option<AmountText>| {
            written.as_ref().map(|text| input::amount(field, text, currency, problems))
        };
        let opening = read("opening_balance", &self.opening_balance);
        let balance = read("balance", &self.balance);
        if let (Some(Some(opening)), Some(Some(balance))) = (opening, balance)
            && opening != balance
        {
            problems.field(
                "balance",
                "differs from the opening_balance: both are what the account begins with, so only \
                 one of them is needed",
            );
        }
        opening.or(balance).unwrap_or(Some(0))
    }

    fn account_type(&self, problems: &mut Problems) -> Option<AccountType> {
        let names =
            [("account_type", &self.account_type), ("accountable_type", &self.accountable_type)];
        let Some((field, text)) = either(names) else {
            problems.required("account_type");
            return None;
        };
        let account_type = AccountType::read(text);
        if account_type.is_none() {
            let allowed: Vec<&str> = AccountType::ALL.iter().map(|one| one.as_str()).collect();
            problems.field(field, format!("must be one of {}", allowed.join(", ")));
        }
        account_type
    }

    fn currency(&self, family_currency: Currency, problems: &mut Problems) -> Currency {
        let Some(code) = self.currency.as_deref().filter(|code| !code.trim().is_empty()) else {
            return family_currency;
        };
        Currency::parse(code).unwrap_or_else(|| {
            problems.field("currency", NOT_A_CURRENCY);
            family_currency
        })
    }
}

/// The first of two names of a field under which something was sent, with that.
fn either<'a>(names: [(&'static str, &'a Option<String>); 2]) -> Option<(&'static str, &'a str)> {
    let mut sent = names.into_iter().filter_map(|(name, text)| Some((name, text.as_deref()?)));
    sent.find(|(_, text)| !text.trim().is_empty())
}

fn label(field: &str, text: &Option<String>, problems: &mut Problems) -> Option<String> {
    input::label(field, text.as_deref(), LABEL_CHARS_MAX, problems)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;
    use crate::error::texts;

    fn check(input: AccountInput) -> Result<NewAccount> {
        input.check(Currency::EUR, date(2024, 5, 1))
    }

    #[test]
    fn what_is_missing_has_its_default() {
        let account = check(AccountInput {
            name: Some("  Savings ".into()),
            account_type: Some("depository".into()),
            ..AccountInput::default()
        })
        .unwrap();
        assert_eq!(account.name, "Savings");
        assert_eq!(account.currency, Currency::EUR);
        assert_eq!(account.opening, Opening { amount: 0, date: None });
        assert_eq!((account.subtype, account.institution_name), (None, None));
    }

    #[test]
    fn the_opening_is_in_the_accounts_own_currency() {
        let account = check(AccountInput {
            name: Some("Wallet".into()),
            account_type: Some("crypto".into()),
            currency: Some("btc".into()),
            opening_balance: Some(AmountText::Text("0.00000001".into())),
            opening_date: Some("2024-04-30".into()),
            ..AccountInput::default()
        })
        .unwrap();
        assert_eq!(account.currency.code(), "BTC");
        assert_eq!(account.opening, Opening { amount: 1, date: Some(date(2024, 4, 30)) });
    }

    #[test]
    fn types_are_read_in_any_case() {
        for (text, expected) in [
            ("Depository", Some(AccountType::Depository)),
            (" CreditCard ", Some(AccountType::CreditCard)),
            ("CREDIT_CARD", Some(AccountType::CreditCard)),
            ("otherLiability", Some(AccountType::OtherLiability)),
            ("credit-card", None),
            ("card", None),
        ] {
            assert_eq!(AccountType::read(text), expected, "{text}");
        }
    }

    #[test]
    fn a_balance_is_the_opening_balance() {
        let text = |text: &str| Some(AmountText::Text(text.into()));
        let checked = |opening, balance| {
            check(AccountInput {
                name: Some("A".into()),
                account_type: Some("loan".into()),
                opening_balance: opening,
                balance,
                ..AccountInput::default()
            })
            .map(|account| account.opening.amount)
        };
        assert_eq!(checked(None, text("12.5")).unwrap(), 125_000);
        assert_eq!(checked(text("12.50"), text("12.5")).unwrap(), 125_000);
        assert!(checked(text("1"), text("2")).is_err());
        let refused = checked(None, text("$5")).unwrap_err();
        assert_eq!(
            texts(&refused.into_problems()),
            ["The balance must be a decimal number such as 12.50"]
        );
    }

    #[test]
    fn every_problem_is_reported() {
        let error = check(AccountInput {
            account_type: Some("wallet".into()),
            currency: Some("XYZ".into()),
            opening_balance: Some(AmountText::Text("many".into())),
            opening_date: Some("yesterday".into()),
            notes: Some("a\0b".into()),
            ..AccountInput::default()
        })
        .unwrap_err();
        let errors = texts(&error.into_problems());
        let starts = [
            "Name is required",
            "The account_type must",
            "The currency must",
            "The opening_balance must be",
            "The opening_date must be",
            "The notes must not",
        ];
        assert_eq!(errors.len(), 6, "{errors:?}");
        for (error, start) in errors.iter().zip(starts) {
            assert!(error.starts_with(start), "{error}");
        }
    }
}
