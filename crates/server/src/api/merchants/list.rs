//! `GET /api/v1/merchants`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::merchants;

use super::shape::MerchantBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::CommonErrors;
use crate::state::AppState;

/// List merchants
///
/// All of them by name, without pages. A key that is restricted to chosen accounts sees those that
/// transactions of its accounts have, and those that none has.
#[utoipa::path(
    get,
    path = "/merchants",
    operation_id = "list_merchants",
    tag = "merchants",
    responses((status = 200, body = Vec<MerchantBody>), CommonErrors)
)]
pub(crate) async fn list(State(app): State<AppState>, caller: Reader) -> ApiResult<Response> {
    let found = app
        .store
        .read(caller.access(), move |tx| merchants::list(tx, caller.family, caller.accounts()))
        .await?;
    let body: Vec<MerchantBody> = found.into_iter().map(MerchantBody::from).collect();
    Ok(crate::http::json(StatusCode::OK, &body))
}
