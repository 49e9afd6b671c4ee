//! The answers to a preview of a rule.

use purser_app::rules::preview::{Example, FieldChange, Preview};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::money::Amount;
use crate::http::named::LockFieldName;

/// The preview of a rule, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreviewDetail)]
pub(super) struct PreviewDetail {
    /// What the rule would do.
    pub(super) data: PreviewBody,
}

/// What a rule would do, without other rules, to the transactions as they are now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreview)]
pub(super) struct PreviewBody {
    /// The number of transactions that were looked at. If they are not all, they are those that
    /// were added last, and every other count is about them.
    #[schema(minimum = 0)]
    looked_at_count: u64,
    /// Whether all transactions that rules apply to were looked at. A rule that searches long texts
    /// is not tried on all of a large ledger.
    is_complete: bool,
    /// The number of transactions that meet the conditions.
    #[schema(minimum = 0)]
    matched_count: u64,
    /// The number of those transactions that would change.
    #[schema(minimum = 0)]
    changed_count: u64,
    /// The number of those transactions with a field that stays because a person has set it.
    #[schema(minimum = 0)]
    locked_count: u64,
    /// The names of categories, merchants and tags that would be created when the rule is saved.
    created_names: Vec<String>,
    /// The newest of the transactions that would change, 20 at most.
    transactions: Vec<ExampleBody>,
}

/// A transaction that would change.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreviewTransaction)]
struct ExampleBody {
    /// The id of the transaction.
    id: Uuid,
    /// The day of the transaction.
    #[schema(format = Date)]
    date: String,
    /// The present name of the transaction.
    name: String,
    /// The amount, formatted; positive for money out.
    #[schema(example = "$12.50")]
    amount: String,
    /// The exact amount; positive for money out.
    #[schema(example = "12.50")]
    amount_decimal: String,
    /// The amount in the smallest unit of the currency; positive for money out.
    amount_cents: i64,
    /// The code of the amount's currency.
    currency: &'static str,
    /// The id of the account.
    account_id: Uuid,
    /// The name of the account.
    account_name: String,
    /// The changes of its fields.
    changes: Vec<ChangeBody>,
    /// The fields that stay because a person has set them.
    locked_attributes: Vec<LockFieldName>,
}

/// The value of a field before and after.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreviewChange)]
struct ChangeBody {
    /// The field that would change.
    field: LockFieldName,
    /// The present value; null if there is none.
    #[schema(required)]
    before: Option<String>,
    /// The value that it would get.
    #[schema(example = "Groceries")]
    after: String,
}

impl From<Preview> for PreviewBody {
    fn from(preview: Preview) -> Self {
        Self {
            looked_at_count: preview.looked_at,
            is_complete: preview.is_complete,
            matched_count: preview.matched,
            changed_count: preview.changed,
            locked_count: preview.locked,
            created_names: preview.created.into_iter().map(|(_, name)| name).collect(),
            transactions: preview.examples.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<Example> for ExampleBody {
    fn from(example: Example) -> Self {
        let amount = Amount::new(example.amount, example.currency);
        Self {
            id: example.id.0,
            date: example.date.to_string(),
            name: example.name,
            amount: amount.text,
            amount_decimal: amount.decimal,
            amount_cents: amount.minor_units,
            currency: example.currency.code(),
            account_id: example.account.0,
            account_name: example.account.1,
            changes: example.changes.into_iter().map(Into::into).collect(),
            locked_attributes: example.locked.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<FieldChange> for ChangeBody {
    fn from(change: FieldChange) -> Self {
        Self { field: change.field.into(), before: change.before, after: change.after }
    }
}
