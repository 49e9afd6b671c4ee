//! `GET /api/v1/trades/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::trades;

use super::TradeId;
use super::shape::TradeBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a trade
///
/// Of an active or draft account.
#[utoipa::path(
    get,
    path = "/trades/{id}",
    operation_id = "show_trade",
    tag = "trades",
    params(("id" = uuid::Uuid, Path, description = "The trade's id")),
    responses((status = 200, body = TradeBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(TradeId(id)): Id<TradeId>,
) -> ApiResult<Response> {
    let trade = app
        .store
        .read(caller.access(), move |tx| trades::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &TradeBody::from(trade)))
}
