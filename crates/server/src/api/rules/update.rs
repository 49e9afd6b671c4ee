//! `PATCH` and `PUT /api/v1/rules/{id}`: both change what is sent and leave the rest.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::rules;
use purser_core::ids::RuleId;

use super::shape::{Detail, Request};
use super::{input, require_in_sight};
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// Change a rule
///
/// Conditions and actions that are sent take the place of all that there were. What the rule did
/// until now stays. There are no rules for a key that is restricted to chosen accounts.
#[utoipa::path(
    patch,
    path = "/rules/{id}",
    operation_id = "update_rule",
    tag = "rules",
    params(("id" = uuid::Uuid, Path, description = "The rule's id")),
    request_body = Request,
    responses((status = 200, body = Detail), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<RuleId>,
    body: Unread,
) -> ApiResult<Response> {
    require_in_sight(caller.accounts())?;
    // A wrong id comes before a wrong body.
    let family = caller.family;
    app.store.read(caller.access(), move |tx| rules::get(tx, family, id).map(drop)).await?;
    let fields = Fields::read(body).await?;
    let values = input::values(&fields)?;
    let changed = app
        .store
        .write(caller.access(), move |tx| {
            rules::revise(tx, caller.family, Actor::Key(caller.key.id), id, &values)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &Detail::new(&changed)))
}

/// Change a rule
///
/// The same as `PATCH`: fields that are not sent stay as they are.
#[utoipa::path(
    put,
    path = "/rules/{id}",
    operation_id = "put_rule",
    tag = "rules",
    params(("id" = uuid::Uuid, Path, description = "The rule's id")),
    request_body = Request,
    responses((status = 200, body = Detail), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: Id<RuleId>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
