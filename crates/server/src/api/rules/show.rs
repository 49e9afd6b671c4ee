//! `GET /api/v1/rules/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::rules;
use purser_core::ids::RuleId;

use super::require_in_sight;
use super::shape::Detail;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a rule
#[utoipa::path(
    get,
    path = "/rules/{id}",
    operation_id = "show_rule",
    tag = "rules",
    params(("id" = uuid::Uuid, Path, description = "The rule's id")),
    responses((status = 200, body = Detail), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<RuleId>,
) -> ApiResult<Response> {
    require_in_sight(caller.accounts())?;
    let found =
        app.store.read(caller.access(), move |tx| rules::get(tx, caller.family, id)).await?;
    Ok(crate::http::json(StatusCode::OK, &Detail::new(&found)))
}
