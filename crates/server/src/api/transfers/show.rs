//! `GET /api/v1/transfers/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::transfers;
use purser_core::ids::TransferId;

use super::shape::TransferBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a transfer
#[utoipa::path(
    get,
    path = "/transfers/{id}",
    operation_id = "show_transfer",
    tag = "transfers",
    params(("id" = uuid::Uuid, Path, description = "The transfer's id")),
    responses((status = 200, body = TransferBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<TransferId>,
) -> ApiResult<Response> {
    let transfer = app
        .store
        .read(caller.access(), move |tx| transfers::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &TransferBody::from(transfer)))
}
