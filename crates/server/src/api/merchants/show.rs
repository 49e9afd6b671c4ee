//! `GET /api/v1/merchants/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::merchants;
use purser_core::ids::MerchantId;

use super::shape::MerchantBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a merchant
#[utoipa::path(
    get,
    path = "/merchants/{id}",
    operation_id = "show_merchant",
    tag = "merchants",
    params(("id" = uuid::Uuid, Path, description = "The merchant's id")),
    responses((status = 200, body = MerchantBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<MerchantId>,
) -> ApiResult<Response> {
    let found = app
        .store
        .read(caller.access(), move |tx| merchants::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &MerchantBody::from(found)))
}
