//! `GET /api/v1/holdings/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::holdings;
use purser_core::ids::HoldingId;

use super::shape::HoldingBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a holding
///
/// Of an active or draft account. The id of a position gives it as of today, the id of a holding
/// in a list gives the day of that list. Ids stay the same when holdings are computed again.
#[utoipa::path(
    get,
    path = "/holdings/{id}",
    operation_id = "show_holding",
    tag = "holdings",
    params(("id" = uuid::Uuid, Path, description = "The holding's id")),
    responses((status = 200, body = HoldingBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<HoldingId>,
) -> ApiResult<Response> {
    let holding = app
        .store
        .read(caller.access(), move |tx| holdings::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &HoldingBody::from(holding)))
}
