//! `POST /api/v1/securities`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::securities;
use purser_core::error::Error;

use super::input::{self, Request};
use super::shape::SecurityBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /securities";

/// Make a security
///
/// Trades make theirs by themselves. Refused with 422 if there is one with this ticker on this
/// market. Not with a key that is restricted to chosen accounts.
#[utoipa::path(
    post,
    path = "/securities",
    operation_id = "create_security",
    tag = "securities",
    params(IdempotencyParams),
    request_body = Request,
    responses((status = 201, body = SecurityBody), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: IdempotencyKey,
    body: Unread,
) -> ApiResult<Response> {
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let input = input::read(&fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let security = securities::create(tx, caller.family, accounts, actor, &input)?;
            let body = serde_json::to_string(&SecurityBody::from(security));
            let body = body.map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
