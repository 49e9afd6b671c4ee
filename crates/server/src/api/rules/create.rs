//! `POST /api/v1/rules`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::rules;
use purser_core::error::Error;

use super::input;
use super::shape::{Detail, Request};
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /rules";

/// Make a rule
///
/// It runs on what imports bring in from now on; what is there already it changes when it is run.
/// Not with a key that is restricted to chosen accounts.
#[utoipa::path(
    post,
    path = "/rules",
    operation_id = "create_rule",
    tag = "rules",
    params(IdempotencyParams),
    request_body = Request,
    responses((status = 201, body = Detail), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: IdempotencyKey,
    body: Unread,
) -> ApiResult<Response> {
    require_unrestricted(caller.accounts())?;
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let values = input::values(&fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let made = rules::create(tx, caller.family, Actor::Key(caller.key.id), &values)?;
            let body = serde_json::to_string(&Detail::new(&made)).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
