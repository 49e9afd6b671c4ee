//! `PATCH /api/v1/securities/{id}` and `PUT`, which do the same.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::securities;
use purser_core::ids::SecurityId;

use super::input::{self, Request};
use super::shape::SecurityBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// Change a security
///
/// What is sent changes; null clears. Not with a key that is restricted to chosen accounts.
#[utoipa::path(
    patch,
    path = "/securities/{id}",
    operation_id = "update_security",
    tag = "securities",
    params(("id" = uuid::Uuid, Path, description = "The security's id")),
    request_body = Request,
    responses((status = 200, body = SecurityBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<SecurityId>>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| securities::get(tx, reader.family, reader.accounts(), id))
        .await?;
    let input = input::read(&Fields::read(body).await?)?;
    let security = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            securities::update(tx, caller.family, accounts, actor, id, &input)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &SecurityBody::from(security)))
}

/// Change a security, as with `PATCH`
#[utoipa::path(
    put,
    path = "/securities/{id}",
    operation_id = "put_security",
    tag = "securities",
    params(("id" = uuid::Uuid, Path, description = "The security's id")),
    request_body = Request,
    responses((status = 200, body = SecurityBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    state: State<AppState>,
    caller: Writer,
    id: ApiResult<Id<SecurityId>>,
    body: Unread,
) -> ApiResult<Response> {
    update(state, caller, id, body).await
}
