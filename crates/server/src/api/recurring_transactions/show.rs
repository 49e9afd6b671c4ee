//! `GET /api/v1/recurring_transactions/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::recurring;
use purser_core::ids::RecurringId;

use super::shape::RecurringBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a transaction that comes every month
#[utoipa::path(
    get,
    path = "/recurring_transactions/{id}",
    operation_id = "show_recurring_transaction",
    tag = "recurring_transactions",
    params(("id" = uuid::Uuid, Path, description = "The recurring transaction's id")),
    responses((status = 200, body = RecurringBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<RecurringId>,
) -> ApiResult<Response> {
    let found = app
        .store
        .read(caller.access(), move |tx| recurring::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &RecurringBody::from(found)))
}
