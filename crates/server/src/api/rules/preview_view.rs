//! What answers show of a preview.

use purser_app::rules::preview::{Example, FieldChange, Preview};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::money::Amount;
use crate::http::named::LockFieldName;

/// What a rule would do, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreviewDetail)]
pub(super) struct PreviewDetail {
    /// The preview.
    pub(super) data: PreviewBody,
}

/// What a rule would do, by itself, to the transactions as they are now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreview)]
pub(super) struct PreviewBody {
    /// Transactions that were looked at. If that are not all, they are those that were added last,
    /// and every other count is of them.
    #[schema(minimum = 0)]
    looked_at_count: u64,
    /// Whether all transactions that rules are for were looked at. A rule that searches long texts
    /// is not tried on all of a large ledger.
    is_complete: bool,
    /// Transactions that meet its conditions.
    #[schema(minimum = 0)]
    matched_count: u64,
    /// Those of them that would change.
    #[schema(minimum = 0)]
    changed_count: u64,
    /// Those of them in which something stays because a person has set it.
    #[schema(minimum = 0)]
    locked_count: u64,
    /// Names of categories, merchants and tags that would be created when the rule is saved.
    created_names: Vec<String>,
    /// The newest of those that would change, 20 at most.
    transactions: Vec<ExampleBody>,
}

/// A transaction that would change.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreviewTransaction)]
struct ExampleBody {
    /// Its id.
    id: Uuid,
    /// Which day.
    #[schema(format = Date)]
    date: String,
    /// What it is called now.
    name: String,
    /// The amount, positive for money out, formatted.
    #[schema(example = "$12.50")]
    amount: String,
    /// The amount, exact.
    #[schema(example = "12.50")]
    amount_decimal: String,
    /// The amount in the currency's smallest unit.
    amount_cents: i64,
    /// The code of the amount's currency.
    currency: &'static str,
    /// The account's id.
    account_id: Uuid,
    /// What the account is called.
    account_name: String,
    /// What would change.
    changes: Vec<ChangeBody>,
    /// What stays because a person has set it.
    locked_attributes: Vec<LockFieldName>,
}

/// A field before and after.
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
