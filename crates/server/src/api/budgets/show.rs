//! `GET /api/v1/budgets/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::budgets::overview;
use purser_app::labels::require_unrestricted;
use purser_core::ids::BudgetId;

use super::shape::OverviewBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a budget with what was spent
///
/// Not with a key that is restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    get,
    path = "/budgets/{id}",
    operation_id = "show_budget",
    tag = "budgets",
    params(("id" = uuid::Uuid, Path, description = "The budget's id")),
    responses((status = 200, body = OverviewBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    id: ApiResult<Id<BudgetId>>,
) -> ApiResult<Response> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    let seen =
        app.store.read(caller.access(), move |tx| overview::show(tx, caller.family, id)).await?;
    Ok(crate::http::json(StatusCode::OK, &OverviewBody::from(seen)))
}
