//! What answers say of a transaction that comes every month.

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
    /// Its id.
    id: Uuid,
    /// Whether it is followed. An inactive one isn't, and it isn't detected again.
    status: RecurringStatusName,
    /// What it is called.
    #[schema(example = "Rent")]
    name: String,
    /// The amount, formatted; positive for money out.
    #[schema(example = "$900.00")]
    amount: String,
    /// The amount, exact; positive for money out.
    #[schema(example = "900.00")]
    amount_decimal: String,
    /// The amount in the currency's smallest unit; positive for money out.
    #[schema(example = 90_000)]
    amount_cents: i64,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// From 1 to 31; in shorter months the last day.
    #[schema(example = 1)]
    expected_day_of_month: i8,
    /// When the last one came.
    #[schema(format = Date, example = "2026-01-01")]
    last_occurrence_date: String,
    /// When the next one is expected. It moves on when a transaction arrives that fits, and when
    /// none did.
    #[schema(format = Date, example = "2026-02-01")]
    next_expected_date: String,
    /// How many have come, as far as is known.
    #[schema(example = 12)]
    occurrence_count: u64,
    /// Whether a person or a client made it; else it was found.
    #[schema(example = false)]
    manual: bool,
    /// The account that it comes in; null: any.
    #[schema(required)]
    account: Option<AccountSummaryBody>,
    /// The category; null when unset.
    #[schema(required)]
    category: Option<CategoryBody>,
    /// The merchant; null when unset.
    #[schema(required)]
    merchant: Option<NamedBody>,
    /// When it was made.
    created_at: Time,
    /// When it was changed last.
    updated_at: Time,
}

/// What it shows of its merchant.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecurringTransactionLabel)]
struct NamedBody {
    /// Its id.
    id: Uuid,
    /// Shown name.
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
