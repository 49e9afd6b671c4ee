//! `DELETE /api/v1/rules/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::rules;
use purser_core::ids::RuleId;

use super::require_in_sight;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete a rule
///
/// What it did stays, and so do its runs. There are no rules for a key that is restricted to chosen
/// accounts.
#[utoipa::path(
    delete,
    path = "/rules/{id}",
    operation_id = "delete_rule",
    tag = "rules",
    params(("id" = uuid::Uuid, Path, description = "The rule's id")),
    responses((status = 204, description = "It is gone"), NotFoundError, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<RuleId>,
) -> ApiResult<StatusCode> {
    require_in_sight(caller.accounts())?;
    app.store
        .write(caller.access(), move |tx| {
            rules::remove(tx, caller.family, Actor::Key(caller.key.id), id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
