//! `POST /api/v1/recurring_transactions/detect`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::recurring::{detection, keeping};
use purser_core::error::Error;
use serde::Serialize;
use utoipa::ToSchema;

use super::shape::RecurringBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::idempotency::{Begun, Fingerprint, IdempotencyKey, begin};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /recurring_transactions/detect";

/// What was found.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecurringTransactionDetection)]
struct Body {
    /// Those that are new, active from now on: at most 500, by account and name.
    #[schema(max_items = 500)]
    recurring_transactions: Vec<RecurringBody>,
    /// How many more were found that are not created yet. Ask again, under another
    /// `Idempotency-Key`, to have the next of them.
    #[schema(example = 0)]
    remaining_count: u64,
    /// How many of those that were known have moved on.
    #[schema(example = 0)]
    updated_count: u64,
}

/// Look for transactions that come every month
///
/// In the last 400 days: of one account and one merchant or name, with hardly another amount, at
/// most four days off a day of the month, in at least three months in a row up to now. Those that
/// are known already, inactive ones too, are not found again. Of more than 500 that are new, those
/// that came most often and last are created; `remaining_count` says how many are left. A key that
/// is restricted to chosen accounts looks in these.
#[utoipa::path(
    post,
    path = "/recurring_transactions/detect",
    operation_id = "detect_recurring_transactions",
    tag = "recurring_transactions",
    params(IdempotencyParams),
    responses((status = 201, body = Body), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn detect(
    State(app): State<AppState>,
    caller: Writer,
    key: IdempotencyKey,
    body: Unread,
) -> ApiResult<Response> {
    body.nothing().await?;
    let fingerprint = Fingerprint::default().finish();
    let guard = match begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    // Looking takes longer than others may have to wait for the writer.
    let reader = caller.clone();
    let findings = app
        .compute(reader.access(), move |tx| detection::find(tx, reader.family, reader.accounts()))
        .await?;
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let found = keeping::keep(tx, caller.family, accounts, actor, &findings)?;
            let body = Body {
                recurring_transactions: found.created.into_iter().map(Into::into).collect(),
                remaining_count: found.remaining,
                updated_count: found.moved,
            };
            let body = serde_json::to_string(&body).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
