//! `POST /api/v1/recurring_transactions`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::recurring::changes;
use purser_core::error::Error;
use utoipa::ToSchema;

use super::input::{self, RequestFields};
use super::shape::RecurringBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /recurring_transactions";

/// A new one. The fields may also stand outside of `recurring_transaction`.
#[derive(Debug, ToSchema)]
#[schema(as = NewRecurringTransaction)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// What comes every month.
    recurring_transaction: RequestFields,
}

/// Create a transaction that comes every month
///
/// Of one account, name, merchant and amount there is one: 409 `conflict`.
#[utoipa::path(
    post,
    path = "/recurring_transactions",
    operation_id = "create_recurring_transaction",
    tag = "recurring_transactions",
    params(IdempotencyParams),
    request_body = Request,
    responses((status = 201, body = RecurringBody), BodyErrors, ConflictError, CommonErrors)
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
            let made = changes::create(tx, caller.family, accounts, actor, &input)?;
            let body =
                serde_json::to_string(&RecurringBody::from(made)).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
