//! `PATCH /api/v1/security_prices/{id}` and `PUT`, which do the same.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::prices::{self, changes};
use purser_core::ids::PriceId;
use utoipa::ToSchema;

use super::input;
use super::shape::PriceBody;
use crate::api::valuations::create::AmountSchema;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes of a price. The fields may also stand inside of `security_price`.
#[derive(Debug, ToSchema)]
#[schema(as = SecurityPriceChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// Another day, which must be free.
    #[schema(format = Date, example = "2026-01-12")]
    date: Option<String>,
    /// Another number.
    #[schema(value_type = Option<AmountSchema>, example = "260.50")]
    price: Option<()>,
    /// The code of another currency.
    #[schema(example = "USD")]
    currency: Option<String>,
}

/// Change a price
///
/// What is sent changes; from then on it is a person's word. Not with a key that is restricted to
/// chosen accounts.
#[utoipa::path(
    patch,
    path = "/security_prices/{id}",
    operation_id = "update_security_price",
    tag = "securities",
    params(("id" = uuid::Uuid, Path, description = "The price's id")),
    request_body = Request,
    responses((status = 200, body = PriceBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<PriceId>>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| prices::get(tx, reader.family, reader.accounts(), id))
        .await?;
    let input = input::read(&Fields::read(body).await?)?;
    let price = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            changes::revise(tx, caller.family, accounts, actor, id, &input)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &PriceBody::from(price)))
}

/// Change a price
///
/// The same as `PATCH`: fields that are not sent stay as they are.
#[utoipa::path(
    put,
    path = "/security_prices/{id}",
    operation_id = "put_security_price",
    tag = "securities",
    params(("id" = uuid::Uuid, Path, description = "The price's id")),
    request_body = Request,
    responses((status = 200, body = PriceBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: ApiResult<Id<PriceId>>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
