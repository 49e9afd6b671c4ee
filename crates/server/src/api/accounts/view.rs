//! The answers about accounts.

use purser_app::accounts::{Account, AccountSummary};
use purser_core::ids::AccountId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::money::Amount;
use crate::http::named::{AccountStatusName, AccountTypeName, ClassificationName, CostMethodName};
use crate::http::time::Time;

/// An account with its balance of today.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Account)]
pub(crate) struct AccountBody {
    /// The id of the account.
    id: Uuid,
    /// The name that people see.
    #[schema(example = "Checking")]
    name: String,
    /// The balance at the end of the family's today, formatted. For a liability, a positive amount
    /// is debt.
    #[schema(example = "$1,234.56")]
    balance: String,
    /// The exact balance of the account.
    #[schema(example = "1234.56")]
    balance_decimal: String,
    /// The balance in the smallest unit of the currency.
    #[schema(example = 123_456)]
    balance_cents: i64,
    /// The part of the balance that is money, formatted: all of it for `depository` and
    /// `credit_card`, the balance without the holdings for `investment` and `crypto`, zero for
    /// every other type.
    #[schema(example = "$1,234.56")]
    cash_balance: String,
    /// The exact cash balance.
    #[schema(example = "1234.56")]
    cash_balance_decimal: String,
    /// The cash balance in the smallest unit of the currency.
    #[schema(example = 123_456)]
    cash_balance_cents: i64,
    /// The code of the account's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// Whether the account is an asset or a liability, which follows from its type.
    classification: ClassificationName,
    /// The type of the account.
    account_type: AccountTypeName,
    /// A more exact type as free text, such as `checking`; null if there is none.
    #[schema(required)]
    subtype: Option<String>,
    /// The status of the account.
    status: AccountStatusName,
    /// The name of the bank; null if it is unknown.
    #[schema(required)]
    institution_name: Option<String>,
    /// The web domain of the bank; null if it is unknown.
    #[schema(required)]
    institution_domain: Option<String>,
    /// Free text about the account; null if there is none.
    #[schema(required)]
    notes: Option<String>,
    /// The id of the member of the family that the account belongs to; null if it belongs to nobody
    /// in particular.
    #[schema(required)]
    owner_id: Option<Uuid>,
    /// The cost-basis method of the account.
    cost_method: CostMethodName,
    /// Whether every exchange rate and price that the balance needs is known.
    complete: bool,
    /// The time at which it was created.
    created_at: Time,
    /// The time of the latest change of the account or its entries.
    updated_at: Time,
}

impl From<Account> for AccountBody {
    fn from(account: Account) -> Self {
        let summary = account.summary;
        let balance = Amount::new(account.balance, account.currency);
        let cash = Amount::new(account.cash, account.currency);
        Self {
            id: summary.id.0,
            name: summary.name,
            balance: balance.text,
            balance_decimal: balance.decimal,
            balance_cents: balance.minor_units,
            cash_balance: cash.text,
            cash_balance_decimal: cash.decimal,
            cash_balance_cents: cash.minor_units,
            currency: account.currency.code(),
            classification: summary.account_type.classification().into(),
            account_type: summary.account_type.into(),
            subtype: account.subtype,
            status: summary.status.into(),
            institution_name: account.institution_name,
            institution_domain: account.institution_domain,
            notes: account.notes,
            owner_id: account.owner.map(|id| id.0),
            cost_method: account.cost_method.into(),
            complete: account.complete,
            created_at: account.created_at.into(),
            updated_at: account.updated_at.into(),
        }
    }
}

/// The account that something belongs to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccountSummary)]
pub(crate) struct AccountSummaryBody {
    /// The id of the account.
    id: Uuid,
    /// The name that people see.
    #[schema(example = "Checking")]
    name: String,
    /// The type of the account.
    account_type: AccountTypeName,
    /// The status of the account.
    status: AccountStatusName,
}

impl From<AccountSummary> for AccountSummaryBody {
    fn from(account: AccountSummary) -> Self {
        let AccountId(id) = account.id;
        Self {
            id,
            name: account.name,
            account_type: account.account_type.into(),
            status: account.status.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use purser_core::ledger::account::{AccountStatus, AccountType};
    use purser_core::ledger::trade::CostMethod;
    use purser_core::money::Currency;
    use serde_json::json;

    use super::*;

    fn account(account_type: AccountType, balance: i64) -> Account {
        Account {
            summary: AccountSummary {
                id: AccountId(Uuid::from_u128(7)),
                name: "Card".into(),
                account_type,
                status: AccountStatus::Active,
            },
            currency: Currency::USD,
            subtype: None,
            institution_name: None,
            institution_domain: Some("bank.example".into()),
            notes: Some("Joint".into()),
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            balance,
            cash: if account_type == AccountType::Property { 0 } else { balance },
            complete: true,
            cost_method: CostMethod::Average,
            owner: None,
        }
    }

    #[test]
    fn an_account_has_every_field() {
        let body = AccountBody::from(account(AccountType::CreditCard, 12_345_678));
        assert_eq!(
            serde_json::to_value(body).unwrap(),
            json!({
                "id": "00000000-0000-0000-0000-000000000007",
                "name": "Card",
                "balance": "$1,234.57",
                "balance_decimal": "1234.5678",
                "balance_cents": 123_457,
                "cash_balance": "$1,234.57",
                "cash_balance_decimal": "1234.5678",
                "cash_balance_cents": 123_457,
                "currency": "USD",
                "classification": "liability",
                "account_type": "credit_card",
                "subtype": null,
                "status": "active",
                "institution_name": null,
                "institution_domain": "bank.example",
                "notes": "Joint",
                "owner_id": null,
                "cost_method": "average",
                "complete": true,
                "created_at": "1970-01-01T00:00:00.000Z",
                "updated_at": "1970-01-01T00:00:00.000Z",
            })
        );
    }

    #[test]
    fn what_is_not_money_has_no_cash_balance() {
        let body = AccountBody::from(account(AccountType::Property, 10_000));
        assert_eq!((body.balance_cents, body.cash_balance_cents), (100, 0));
        assert_eq!(body.cash_balance, "$0.00");
    }
}
