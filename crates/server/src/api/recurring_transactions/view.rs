//! The answers about transactions that come every month.

use purser_app::recurring::Recurring;
use purser_core::recurring::input::RecurringMaker;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::transactions::view::CategoryBody;
use crate::http::money::Amount;
use crate::http::named::RecurringStatusName;
use crate::http::time::Time;

/// A transaction that comes every month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecurringTransaction)]
pub(super) struct RecurringBody {
    /// The id of the recurring transaction.
    id: Uuid,
    /// Whether it is followed. An inactive one isn't, and it isn't detected again.
    status: RecurringStatusName,
    /// The name of the transactions.
    #[schema(example = "Rent")]
    name: String,
    /// The amount, formatted; positive for money out.
    #[schema(example = "$900.00")]
    amount: String,
    /// The exact amount; positive for money out.
    #[schema(example = "900.00")]
    amount_decimal: String,
    /// The amount in the smallest unit of the currency; positive for money out.
    #[schema(example = 90_000)]
    amount_cents: i64,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The day of the month on which it is expected, from 1 to 31; in shorter months, the last day.
    #[schema(example = 1)]
    expected_day_of_month: i8,
    /// The day of the latest transaction.
    #[schema(format = Date, example = "2026-01-01")]
    last_occurrence_date: String,
    /// The day on which the next transaction is expected. It moves on when a fitting transaction
    /// arrives, and when none did.
    #[schema(format = Date, example = "2026-02-01")]
    next_expected_date: String,
    /// The number of transactions that are known.
    #[schema(example = 12)]
    occurrence_count: u64,
    /// Whether a person or a client created it; otherwise it was detected.
    #[schema(example = false)]
    manual: bool,
    /// The account that it comes in; null for any account.
    #[schema(required)]
    account: Option<AccountSummaryBody>,
    /// The category; null if it has none.
    #[schema(required)]
    category: Option<CategoryBody>,
    /// The merchant; null if it has none.
    #[schema(required)]
    merchant: Option<NamedBody>,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// The merchant of a recurring transaction.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecurringTransactionLabel)]
struct NamedBody {
    /// The id of the merchant.
    id: Uuid,
    /// The name that people see.
    #[schema(example = "Corner shop")]
    name: String,
}

impl From<Recurring> for RecurringBody {
    fn from(one: Recurring) -> Self {
        let values = one.values;
        let amount = Amount::new(values.amount, values.currency);
        Self {
            id: one.id.0,
            status: values.status.into(),
            name: values.name,
            amount: amount.text,
            amount_decimal: amount.decimal,
            amount_cents: amount.minor_units,
            currency: values.currency.code(),
            expected_day_of_month: values.day,
            last_occurrence_date: values.last.to_string(),
            next_expected_date: values.next.to_string(),
            occurrence_count: one.count,
            manual: one.made_by == RecurringMaker::Person,
            account: one.account.map(Into::into),
            category: one.category.map(Into::into),
            merchant: one.merchant.map(|(id, name)| NamedBody { id: id.0, name }),
            created_at: one.created_at.into(),
            updated_at: one.updated_at.into(),
        }
    }
}
