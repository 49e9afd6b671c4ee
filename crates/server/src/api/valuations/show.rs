//! `GET /api/v1/valuations/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::valuations;

use super::ValuationId;
use super::shape::ValuationBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a valuation
#[utoipa::path(
    get,
    path = "/valuations/{id}",
    operation_id = "show_valuation",
    tag = "valuations",
    params(("id" = uuid::Uuid, Path, description = "The valuation's id")),
    responses((status = 200, body = ValuationBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(ValuationId(id)): Id<ValuationId>,
) -> ApiResult<Response> {
    let valuation = app
        .store
        .read(caller.access(), move |tx| valuations::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &ValuationBody::from(valuation)))
}
