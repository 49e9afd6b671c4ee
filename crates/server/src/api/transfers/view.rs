//! What answers say of a transfer.

use purser_app::transfers::rejected::Rejected;
use purser_app::transfers::{Counterpart, Side, Transfer};
use purser_core::transfers::TransferStatus;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::http::money::Amount;
use crate::http::named::{TransferMakerName, TransferStatusName, TransferTypeName};
use crate::http::time::Time;

/// Money that went out of one of the family's accounts and came into another.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Transfer)]
pub(crate) struct TransferBody {
    /// Its id.
    id: Uuid,
    /// Whether it is proposed (`pending`) or confirmed; `rejected` in the answer to a rejection.
    status: ShownStatus,
    /// Whether the matching or a person created it.
    made_by: TransferMakerName,
    /// The certainty of the matching, from 0 to 100.
    #[schema(example = 85)]
    score: u8,
    /// Why, in sentences.
    #[schema(example = json!(["The amounts are equal and opposite.", "They are one day apart."]))]
    reasons: Vec<String>,
    /// The day on which the money went out.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The amount, positive, formatted.
    #[schema(example = "$500.00")]
    amount: String,
    /// The amount, exact.
    #[schema(example = "500.00")]
    amount_decimal: String,
    /// The amount in the currency's smallest unit.
    #[schema(example = 50_000)]
    amount_cents: i64,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The type, which follows from the type of the account that the money came into.
    transfer_type: TransferTypeName,
    /// Where the money went out.
    outflow_transaction: SideBody,
    /// Where it came in.
    inflow_transaction: SideBody,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

/// The status of a transfer, or that it was rejected.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ShownTransferStatus)]
#[serde(rename_all = "lowercase")]
enum ShownStatus {
    Pending,
    Confirmed,
    Rejected,
}

impl From<TransferStatus> for ShownStatus {
    fn from(status: TransferStatus) -> Self {
        match status {
            TransferStatus::Pending => Self::Pending,
            TransferStatus::Confirmed => Self::Confirmed,
        }
    }
}

/// A pair that is no transfer and is not proposed again.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RejectedTransfer)]
pub(crate) struct RejectedBody {
    /// Its id.
    id: Uuid,
    /// Where money went out.
    outflow_transaction: SideBody,
    /// Where money came in.
    inflow_transaction: SideBody,
    /// When it was rejected.
    created_at: Time,
    /// The same: a rejection doesn't change.
    updated_at: Time,
}

/// What a transfer shows of one of its transactions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransferTransaction)]
struct SideBody {
    /// The transaction's id.
    id: Uuid,
    /// Which day.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The amount as it is stored, positive for money out, formatted.
    #[schema(example = "$500.00")]
    amount: String,
    /// The amount, exact; positive for money out.
    #[schema(example = "500.00")]
    amount_decimal: String,
    /// The amount in the currency's smallest unit; positive for money out.
    #[schema(example = 50_000)]
    amount_cents: i64,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// What it is called.
    #[schema(example = "Transfer to savings")]
    name: String,
    /// In which account.
    account: AccountSummaryBody,
}

/// What a transaction shows of the transfer that it is a side of.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionTransfer)]
pub(crate) struct CounterpartBody {
    /// The transfer's id.
    id: Uuid,
    /// Whether it is proposed (`pending`) or confirmed.
    status: TransferStatusName,
    /// The transaction on the other side.
    other_transaction_id: Uuid,
    /// The account on the other side.
    other_account: AccountSummaryBody,
    /// What went out, positive, formatted: the `amount` of the transfer.
    #[schema(example = "$500.00")]
    amount: String,
    /// The same, exact.
    #[schema(example = "500.00")]
    amount_decimal: String,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
}

impl TransferBody {
    /// A transfer that was taken away for good.
    pub(super) fn rejected(transfer: Transfer) -> Self {
        Self { status: ShownStatus::Rejected, ..Self::from(transfer) }
    }
}

impl From<Transfer> for TransferBody {
    fn from(transfer: Transfer) -> Self {
        let currency = transfer.outflow.currency;
        let amount = Amount::new(transfer.outflow.amount, currency);
        Self {
            id: transfer.id.0,
            status: transfer.status.into(),
            made_by: transfer.made_by.into(),
            score: transfer.score,
            date: transfer.outflow.date.to_string(),
            amount: amount.text,
            amount_decimal: amount.decimal,
            amount_cents: amount.minor_units,
            currency: currency.code(),
            transfer_type: transfer.transfer_type().into(),
            reasons: transfer.reasons,
            outflow_transaction: transfer.outflow.into(),
            inflow_transaction: transfer.inflow.into(),
            created_at: transfer.created_at.into(),
            updated_at: transfer.updated_at.into(),
        }
    }
}

impl From<Rejected> for RejectedBody {
    fn from(pair: Rejected) -> Self {
        Self {
            id: pair.id.0,
            outflow_transaction: pair.outflow.into(),
            inflow_transaction: pair.inflow.into(),
            created_at: pair.created_at.into(),
            updated_at: pair.created_at.into(),
        }
    }
}

impl From<Side> for SideBody {
    fn from(side: Side) -> Self {
        let amount = Amount::new(side.amount, side.currency);
        Self {
            id: side.id.0,
            date: side.date.to_string(),
            amount: amount.text,
            amount_decimal: amount.decimal,
            amount_cents: amount.minor_units,
            currency: side.currency.code(),
            name: side.name,
            account: side.account.into(),
        }
    }
}

impl From<Counterpart> for CounterpartBody {
    fn from(counterpart: Counterpart) -> Self {
        let amount = Amount::new(counterpart.amount, counterpart.currency);
        Self {
            id: counterpart.id.0,
            status: counterpart.status.into(),
            other_transaction_id: counterpart.transaction.0,
            other_account: counterpart.account.into(),
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: counterpart.currency.code(),
        }
    }
}
