//! `DELETE /api/v1/budget_categories/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::budgets::lines;
use purser_app::labels::require_unrestricted;
use purser_core::ids::BudgetCategoryId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete a category of a budget
///
/// The category itself stays. Not with a key that is restricted to chosen accounts: 403
/// `restricted_key`.
#[utoipa::path(
    delete,
    path = "/budget_categories/{id}",
    operation_id = "delete_budget_category",
    tag = "budget_categories",
    params(("id" = uuid::Uuid, Path, description = "The line's id")),
    responses((status = 204, description = "It is gone"), NotFoundError, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<BudgetCategoryId>>,
) -> ApiResult<StatusCode> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    app.store
        .write(caller.access(), move |tx| {
            lines::remove(tx, caller.family, Actor::Key(caller.key.id), id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
