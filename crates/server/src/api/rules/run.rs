//! `POST /api/v1/rules/{id}/run` and `POST /api/v1/rules/run`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::labels::require_unrestricted;
use purser_app::rules as kept;
use purser_app::rules;
use purser_core::error::Error;
use purser_core::ids::RuleId;
use serde::Serialize;
use utoipa::ToSchema;

use super::require_in_sight;
use crate::api::rule_runs::shape::{Detail, RuleRunBody};
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::idempotency::{Begun, Fingerprint, IdempotencyKey, begin};
use crate::http::openapi::{
    BodyErrors, CommonErrors, ConflictError, IdempotencyParams, NotFoundError,
};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// Runs that were begun.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleRunsBegun)]
struct Runs {
    /// One for each active rule, in their order.
    data: Vec<RuleRunBody>,
}

/// Run a rule
///
/// On all transactions of active and draft accounts, active or not. The answer says `pending`; the
/// run tells when it is done and how many transactions it changed. What a person has set stays.
/// Fails with 409 `rule_not_runnable` if something that the rule names is gone. There are no rules
/// for a key that is restricted to chosen accounts.
#[utoipa::path(
    post,
    path = "/rules/{id}/run",
    operation_id = "run_rule",
    tag = "rules",
    params(("id" = uuid::Uuid, Path, description = "The rule's id"), IdempotencyParams),
    responses(
        (status = 202, body = Detail),
        NotFoundError, BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn run(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<RuleId>,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    require_in_sight(caller.accounts())?;
    let family = caller.family;
    app.store.read(caller.access(), move |tx| kept::get(tx, family, id).map(drop)).await?;
    // A wrong id comes before a wrong header and a wrong body.
    let key = key?;
    body.nothing().await?;
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(id.0.as_bytes());
    let route = "POST /rules/{id}/run";
    let guard = match begin(&app, &caller, route, &key, fingerprint.finish()).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let run = rules::queue(tx, caller.family, id)?;
            let body = Detail::read(tx, caller.family, run)?;
            let body = serde_json::to_string(&body).map_err(Error::internal)?;
            saving.save(tx, StatusCode::ACCEPTED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::ACCEPTED, body))
}

/// Run all rules
///
/// Every active one, in their order: each sees what those before it did. Not with a key that is
/// restricted to chosen accounts.
#[utoipa::path(
    post,
    path = "/rules/run",
    operation_id = "run_rules",
    tag = "rules",
    params(IdempotencyParams),
    responses((status = 202, body = Runs), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn run_all(
    State(app): State<AppState>,
    caller: Writer,
    key: IdempotencyKey,
    body: Unread,
) -> ApiResult<Response> {
    require_unrestricted(caller.accounts())?;
    body.nothing().await?;
    let fingerprint = Fingerprint::default().finish();
    let guard = match begin(&app, &caller, "POST /rules/run", &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let runs = rules::queue_all(tx, caller.family)?;
            let data = RuleRunBody::read_all(tx, caller.family, runs)?;
            let body = serde_json::to_string(&Runs { data }).map_err(Error::internal)?;
            saving.save(tx, StatusCode::ACCEPTED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::ACCEPTED, body))
}
