//! What the calls of a provider return: values of one moment, typed, in exact decimals.
//!
//! Every provider is read into the same signs: an amount is positive if money comes into the
//! account, and a balance is negative if money is owed. (The ledger's own signs are others; the
//! sync turns them.) Numbers are decimals as they were sent, never floats: [`money`] makes an
//! amount of one, once the currency is certain.
//!
//! What can't be read isn't left out silently: it is an [`UnreadableRow`] with its reason.

mod holding;
mod transaction;

use jiff::Timestamp;
use purser_core::ledger::input::AmountText;
use purser_core::money::decimal::DecimalError;
use purser_core::money::{Currency, Money};
use rust_decimal::Decimal;

pub use holding::{HoldingSnapshot, HoldingsSnapshot, SecurityClues};
pub use transaction::{Completeness, TransactionSnapshot, TransactionsSnapshot};

/// A currency as it was stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum StatedCurrency {
    /// A currency of the table.
    Known(Currency),
    /// Something that is no currency of the table, such as points of a shop.
    Unknown,
    /// No currency was stated.
    #[default]
    Absent,
}

impl StatedCurrency {
    /// The currency, if one was stated that is known.
    pub fn known(self) -> Option<Currency> {
        match self {
            Self::Known(currency) => Some(currency),
            Self::Unknown | Self::Absent => None,
        }
    }

    /// The first of two that was stated at all.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self == Self::Absent { other } else { self }
    }
}

/// A number as an amount of a currency, within the limits of an entry. Digits that the currency
/// doesn't have are refused, unless they are the noise of a float.
pub fn money(value: Decimal, currency: Currency) -> Result<Money, DecimalError> {
    let text = AmountText::JsonNumber(value.normalize().to_string());
    text.read(currency).map(|amount| Money::new(amount, currency))
}

/// The accounts that the credentials may see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AccountsSnapshot {
    /// The accounts, each id once, in the order of the answer.
    pub accounts: Vec<AccountSnapshot>,
    /// Accounts that can't be read.
    pub unreadable: Vec<UnreadableRow>,
    /// What is wrong with the connection as a whole, in sentences of this program.
    pub notices: Vec<String>,
}

/// An account as the provider lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountSnapshot {
    /// The id at the provider.
    pub id: String,
    /// The name, perhaps the account's number with most digits hidden.
    pub name: Option<String>,
    /// The bank, as far as it is known.
    pub institution: InstitutionSnapshot,
    /// The currency in the list; that of the balance counts more.
    pub currency: StatedCurrency,
    /// Whether the bank still gives data.
    pub state: AccountState,
    /// The service that the provider itself gets the account from.
    pub upstream: Option<String>,
}

/// The bank of an account.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InstitutionSnapshot {
    /// The name that is shown.
    pub name: Option<String>,
    /// The domain of its web site.
    pub domain: Option<String>,
    /// The address of its web site.
    pub url: Option<String>,
}

/// Whether the bank still gives data about an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountState {
    /// The connection of the account works.
    Active,
    /// A person must renew the consent at the provider; asking for data is useless until then.
    ConsentExpired,
    /// It has a failure that may pass.
    Failing,
}

/// The balance of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BalanceSnapshot {
    /// The balance; negative if money is owed.
    pub amount: Decimal,
    /// What can be spent of it, if that is known.
    pub available: Option<Decimal>,
    /// The currency of both.
    pub currency: StatedCurrency,
    /// When the bank had this balance, if that is known.
    pub as_of: Option<Timestamp>,
}

/// A row of an answer that can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableRow {
    /// The position in the answer, from 0.
    pub position: usize,
    /// The id, if it has one that can be read.
    pub id: Option<String>,
    /// The reason, which quotes nothing of the row.
    pub problem: RowProblem,
}

/// Why a row can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowProblem {
    /// It isn't an object, or one of its members is there twice.
    Shape,
    /// The id is missing where it is needed, or can't be one.
    Id,
    /// The amount, the quantity or the balance isn't a decimal.
    Amount,
    /// The day is missing or isn't one.
    Date,
    /// The currency isn't one of the table.
    Currency,
}

impl RowProblem {
    /// The reason, for people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Shape => "The row doesn't have the documented form.",
            Self::Id => "The row has no usable id.",
            Self::Amount => "The amount is not a decimal number.",
            Self::Date => "The day is missing or doesn't exist.",
            Self::Currency => "The currency is unknown.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_amounts_exactly_or_not_at_all() {
        let read = |text: &str, currency: &str| {
            let value = text.parse::<Decimal>().unwrap();
            money(value, Currency::parse(currency).unwrap()).map(|money| money.amount)
        };
        assert_eq!(read("-12.34", "EUR"), Ok(-123_400));
        assert_eq!(read("1000", "JPY"), Ok(10_000_000));
        assert_eq!(read("30.299999999999997", "USD"), Ok(303_000), "the noise of a float");
        assert_eq!(read("0.00000001", "BTC"), Ok(1));
        assert_eq!(read("1.23456", "EUR"), Err(DecimalError::TooManyDecimals { max: 4 }));
        assert_eq!(read("9999999999999999999", "EUR"), Err(DecimalError::TooLarge));
    }

    #[test]
    fn an_unknown_currency_is_not_replaced() {
        let known = StatedCurrency::Known(Currency::EUR);
        assert_eq!(StatedCurrency::Absent.or(known), known);
        assert_eq!(StatedCurrency::Unknown.or(known), StatedCurrency::Unknown);
        assert_eq!(StatedCurrency::Unknown.known(), None);
    }
}
