//! `GET /api/v1/rejected_transfers/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::transfers::rejected;
use purser_core::ids::RejectedTransferId;

use crate::api::transfers::shape::RejectedBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a rejected transfer
#[utoipa::path(
    get,
    path = "/rejected_transfers/{id}",
    operation_id = "show_rejected_transfer",
    tag = "transfers",
    params(("id" = uuid::Uuid, Path, description = "The id of the rejection")),
    responses((status = 200, body = RejectedBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<RejectedTransferId>,
) -> ApiResult<Response> {
    let pair = app
        .store
        .read(caller.access(), move |tx| rejected::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &RejectedBody::from(pair)))
}
