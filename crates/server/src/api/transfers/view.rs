//! The answers about transfers.

use purser_app::transfers::rejected::Rejected;
use purser_app::transfers::{Counterpart, Side, Transfer};
use purser_core::transfers::{TransferStatus, TransferType};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::http::money::Amount;
use crate::http::named::{TransferMakerName, TransferStatusName, TransferTypeName};
use crate::http::time::Time;

/// A movement of money out of one account of the family and into another.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Transfer)]
pub(crate) struct TransferBody {
    /// The id of the transfer.
    id: Uuid,
    /// The status: proposed (`pending`), `confirmed`, or `rejected` in the answer to a rejection.
    status: ShownStatus,
    /// Whether the matching or a person created it.
    made_by: TransferMakerName,
    /// The certainty of the matching, from 0 to 100.
    #[schema(example = 85)]
    score: u8,
    /// The reasons for the certainty, as sentences.
    #[schema(example = json!(["The amounts are equal and opposite.", "They are one day apart."]))]
    reasons: Vec<String>,
    /// The day on which the money went out.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The amount, formatted and positive.
    #[schema(example = "$500.00")]
    amount: String,
    /// The exact amount, which is positive.
    #[schema(example = "500.00")]
    amount_decimal: String,
    /// The amount in the smallest unit of the currency, which is positive.
    #[schema(example = 50_000)]
    amount_cents: i64,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The type, which follows from the type of the account that the money came into.
    transfer_type: TransferTypeName,
    /// The transaction that takes the money out.
    outflow_transaction: SideBody,
    /// The transaction that brings the money in.
    inflow_transaction: SideBody,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// The status of a transfer, or `rejected`.
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

/// A pair of transactions that is not proposed as a transfer again.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RejectedTransfer)]
pub(crate) struct RejectedBody {
    /// The id of the rejected transfer.
    id: Uuid,
    /// The transaction that takes money out.
    outflow_transaction: SideBody,
    /// The transaction that brings money in.
    inflow_transaction: SideBody,
    /// The time at which it was rejected.
    created_at: Time,
    /// The time at which it was rejected, because a rejection doesn't change.
    updated_at: Time,
}

/// A transaction as a side of a transfer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransferTransaction)]
struct SideBody {
    /// The id of the transaction.
    id: Uuid,
    /// The same as `id`: a transaction is an entry of the ledger.
    entry_id: Uuid,
    /// The day of the transaction.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The amount, formatted; positive for money out.
    #[schema(example = "$500.00")]
    amount: String,
    /// The exact amount; positive for money out.
    #[schema(example = "500.00")]
    amount_decimal: String,
    /// The amount in the smallest unit of the currency; positive for money out.
    #[schema(example = 50_000)]
    amount_cents: i64,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The name that people see.
    #[schema(example = "Transfer to savings")]
    name: String,
    /// The part that the transaction has in the transfer.
    kind: SideKind,
    /// The account of the transaction.
    account: AccountSummaryBody,
}

/// The part that a transaction has in a transfer: a payment of a loan or of another debt goes out
/// and comes in as movement of funds. In a rejected transfer both are `standard`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransferTransactionKind)]
#[serde(rename_all = "snake_case")]
enum SideKind {
    Standard,
    FundsMovement,
    LoanPayment,
    CcPayment,
}

impl From<TransferType> for SideKind {
    fn from(outflow: TransferType) -> Self {
        match outflow {
            TransferType::Transfer => Self::FundsMovement,
            TransferType::LoanPayment => Self::LoanPayment,
            TransferType::LiabilityPayment => Self::CcPayment,
        }
    }
}

/// The transfer that a transaction is a side of.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionTransfer)]
pub(crate) struct CounterpartBody {
    /// The id of the transfer.
    id: Uuid,
    /// The status: proposed (`pending`) or `confirmed`.
    status: TransferStatusName,
    /// The id of the transaction on the other side.
    other_transaction_id: Uuid,
    /// The account on the other side.
    other_account: AccountSummaryBody,
    /// The amount of the transfer, formatted and positive.
    #[schema(example = "$500.00")]
    amount: String,
    /// The exact amount of the transfer, which is positive.
    #[schema(example = "500.00")]
    amount_decimal: String,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
}

impl TransferBody {
    /// A transfer that was rejected and is deleted.
    pub(super) fn rejected(transfer: Transfer) -> Self {
        Self { status: ShownStatus::Rejected, ..Self::from(transfer) }
    }
}

impl From<Transfer> for TransferBody {
    fn from(transfer: Transfer) -> Self {
        let currency = transfer.outflow.currency;
        let amount = Amount::new(transfer.outflow.amount, currency);
        let transfer_type = transfer.transfer_type();
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
            transfer_type: transfer_type.into(),
            reasons: transfer.reasons,
            outflow_transaction: SideBody::new(transfer.outflow, transfer_type.into()),
            inflow_transaction: SideBody::new(transfer.inflow, SideKind::FundsMovement),
            created_at: transfer.created_at.into(),
            updated_at: transfer.updated_at.into(),
        }
    }
}

impl From<Rejected> for RejectedBody {
    fn from(pair: Rejected) -> Self {
        Self {
            id: pair.id.0,
            outflow_transaction: SideBody::new(pair.outflow, SideKind::Standard),
            inflow_transaction: SideBody::new(pair.inflow, SideKind::Standard),
            created_at: pair.created_at.into(),
            updated_at: pair.created_at.into(),
        }
    }
}

impl SideBody {
    fn new(side: Side, kind: SideKind) -> Self {
        let amount = Amount::new(side.amount, side.currency);
        Self {
            id: side.id.0,
            entry_id: side.id.0,
            date: side.date.to_string(),
            amount: amount.text,
            amount_decimal: amount.decimal,
            amount_cents: amount.minor_units,
            currency: side.currency.code(),
            name: side.name,
            kind,
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
