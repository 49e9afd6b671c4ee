//! `GET /api/v1/security_prices/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::prices;
use purser_core::ids::PriceId;

use super::shape::PriceBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a price
#[utoipa::path(
    get,
    path = "/security_prices/{id}",
    operation_id = "show_security_price",
    tag = "securities",
    params(("id" = uuid::Uuid, Path, description = "The price's id")),
    responses((status = 200, body = PriceBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<PriceId>,
) -> ApiResult<Response> {
    let price = app
        .store
        .read(caller.access(), move |tx| prices::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &PriceBody::from(price)))
}
