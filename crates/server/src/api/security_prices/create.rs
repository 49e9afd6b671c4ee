//! `POST /api/v1/security_prices`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::prices::changes;
use purser_core::error::Error;
use utoipa::ToSchema;

use super::input;
use super::shape::PriceBody;
use crate::api::valuations::create::AmountSchema;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /security_prices";

/// What one share was worth. The fields may also stand inside of `security_price`.
#[derive(Debug, ToSchema)]
#[schema(as = NewSecurityPrice)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// Of which security.
    security_id: uuid::Uuid,
    /// On this day: from 1900 to a year from today.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// Positive, with at most 18 decimals: a number, or a plain decimal as text; read exactly.
    #[schema(value_type = AmountSchema, example = "260.50")]
    price: (),
    /// The code of its currency; the security's own if missing.
    #[schema(example = "USD")]
    currency: Option<String>,
}

/// State a price
///
/// There is one for each security, day and currency: one that exists is replaced, keeps its id, and
/// the answer is 200. Balances that follow from it are right when the answer arrives. Not with a
/// key that is restricted to chosen accounts.
#[utoipa::path(
    post,
    path = "/security_prices",
    operation_id = "state_security_price",
    tag = "securities",
    params(IdempotencyParams),
    request_body = Request,
    responses(
        (status = 201, body = PriceBody),
        (status = 200, body = PriceBody, description = "There was one of this day and currency"),
        BodyErrors, ConflictError, CommonErrors
    )
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before what is wrong with the request.
    require_unrestricted(caller.accounts())?;
    let key = key?;
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let input = input::read(&fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let (status, body) = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let (price, existed) = changes::set(tx, caller.family, accounts, actor, &input)?;
            let status = if existed { StatusCode::OK } else { StatusCode::CREATED };
            let body = serde_json::to_string(&PriceBody::from(price)).map_err(Error::internal)?;
            saving.save(tx, status, &body)?;
            Ok((status, body))
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(status, body))
}
