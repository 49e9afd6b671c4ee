//! `GET /api/v1/rule_runs/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::rules::runs;
use purser_core::error::Error;
use purser_core::ids::RuleRunId;

use super::shape::Detail;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::{Id, PathId};
use crate::state::AppState;

/// Show a run of a rule
#[utoipa::path(
    get,
    path = "/rule_runs/{id}",
    operation_id = "show_rule_run",
    tag = "rule_runs",
    params(("id" = uuid::Uuid, Path, description = "The run's id")),
    responses((status = 200, body = Detail), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<RuleRunId>,
) -> ApiResult<Response> {
    if caller.accounts().is_some() {
        return Err(Error::NotFound { what: RuleRunId::NOUN }.into());
    }
    let body = app
        .store
        .read(caller.access(), move |tx| {
            let run = runs::get(tx, caller.family, id)?;
            Detail::read(tx, caller.family, run)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &body))
}
