//! What answers say of a valuation.

use purser_app::valuations::Valuation;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::http::money::Amount;
use crate::http::time::Time;

/// What an account was worth at the end of a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Valuation)]
pub(super) struct ValuationBody {
    /// The id of the ledger entry.
    id: Uuid,
    /// The end of this day.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// The value, formatted; positive debt for liabilities.
    #[schema(example = "$770,639.10")]
    amount: String,
    /// The value, exact.
    #[schema(example = "770639.10")]
    amount_decimal: String,
    /// The code of the account's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// Free text; null when there is none.
    #[schema(required)]
    notes: Option<String>,
    /// `reconciliation` (made here), `opening_anchor` or `current_anchor`.
    #[schema(example = "reconciliation")]
    kind: &'static str,
    /// Whose value.
    account: AccountSummaryBody,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

impl From<Valuation> for ValuationBody {
    fn from(valuation: Valuation) -> Self {
        let amount = Amount::new(valuation.amount, valuation.currency);
        Self {
            id: valuation.id.0,
            date: valuation.date.to_string(),
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: valuation.currency.code(),
            notes: valuation.notes,
            kind: valuation.kind.as_str(),
            account: valuation.account.into(),
            created_at: valuation.created_at.into(),
            updated_at: valuation.updated_at.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use purser_app::accounts::AccountSummary;
    use purser_core::ids::{AccountId, EntryId};
    use purser_core::ledger::account::{AccountStatus, AccountType};
    use purser_core::ledger::entry::ValuationKind;
    use purser_core::money::Currency;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_valuation_has_every_field() {
        let valuation = Valuation {
            id: EntryId(Uuid::from_u128(1)),
            date: jiff::civil::date(2026, 1, 12),
            amount: 7_706_391_000,
            currency: Currency::USD,
            notes: None,
            kind: ValuationKind::Reconciliation,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            account: AccountSummary {
                id: AccountId(Uuid::from_u128(2)),
                name: "House".into(),
                account_type: AccountType::Property,
                status: AccountStatus::Disabled,
            },
        };
        assert_eq!(
            serde_json::to_value(ValuationBody::from(valuation)).unwrap(),
            json!({
                "id": "00000000-0000-0000-0000-000000000001",
                "date": "2026-01-12",
                "amount": "$770,639.10",
                "amount_decimal": "770639.10",
                "currency": "USD",
                "notes": null,
                "kind": "reconciliation",
                "account": {
                    "id": "00000000-0000-0000-0000-000000000002",
                    "name": "House",
                    "account_type": "property",
                    "status": "disabled",
                },
                "created_at": "1970-01-01T00:00:00.000Z",
                "updated_at": "1970-01-01T00:00:00.000Z",
            })
        );
    }
}
