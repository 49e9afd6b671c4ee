//! `GET /api/v1/rules/{id}/preview` and `POST /api/v1/rules/preview`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::labels::require_unrestricted;
use purser_app::rules::preview::{self, Example, FieldChange, Preview};
use purser_core::ids::RuleId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shape::Request;
use super::{input, require_in_sight};
use crate::http::caller::{Reader, Writer};
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::money::Amount;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What a rule would do, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreviewDetail)]
struct Body {
    /// The preview.
    data: PreviewBody,
}

/// What a rule would do, by itself, to the transactions as they are now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreview)]
struct PreviewBody {
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
    locked_attributes: Vec<&'static str>,
}

/// A field before and after.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RulePreviewChange)]
struct ChangeBody {
    /// `name`, `category`, `merchant`, `tags` or `excluded`.
    #[schema(example = "category")]
    field: &'static str,
    /// As it is now; null for nothing.
    #[schema(required)]
    before: Option<String>,
    /// As it would be.
    #[schema(example = "Groceries")]
    after: String,
}

/// Look at what a rule would do
///
/// Nothing is changed. A rule that can't run matches nothing. Of a large ledger the transactions
/// that were added last may be all that is looked at: `is_complete` says so.
#[utoipa::path(
    get,
    path = "/rules/{id}/preview",
    operation_id = "preview_rule",
    tag = "rules",
    params(("id" = uuid::Uuid, Path, description = "The rule's id")),
    responses((status = 200, body = Body), NotFoundError, CommonErrors)
)]
pub(crate) async fn of_rule(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<RuleId>,
) -> ApiResult<Response> {
    require_in_sight(caller.accounts())?;
    let family = caller.family;
    let found = app.compute(caller.access(), move |tx| preview::of_rule(tx, family, id)).await?;
    Ok(crate::http::json(StatusCode::OK, &Body { data: found.into() }))
}

/// Look at what a new rule would do
///
/// Takes the body of a rule that isn't made yet. Nothing is stored or changed. Not with a key that
/// is restricted to chosen accounts. Of a large ledger the transactions that were added last may be
/// all that is looked at: `is_complete` says so.
#[utoipa::path(
    post,
    path = "/rules/preview",
    operation_id = "preview_new_rule",
    tag = "rules",
    request_body = Request,
    responses((status = 200, body = Body), BodyErrors, CommonErrors)
)]
pub(crate) async fn of_body(
    State(app): State<AppState>,
    caller: Writer,
    body: Unread,
) -> ApiResult<Response> {
    require_unrestricted(caller.accounts())?;
    let fields = Fields::read(body).await?;
    let values = input::values(&fields)?;
    let family = caller.family;
    let found =
        app.compute(caller.access(), move |tx| preview::of_values(tx, family, &values)).await?;
    Ok(crate::http::json(StatusCode::OK, &Body { data: found.into() }))
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
            locked_attributes: example.locked.into_iter().map(|field| field.as_str()).collect(),
        }
    }
}

impl From<FieldChange> for ChangeBody {
    fn from(change: FieldChange) -> Self {
        Self { field: change.field.as_str(), before: change.before, after: change.after }
    }
}
