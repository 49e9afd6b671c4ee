//! `GET /api/v1/exchange_rates/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::rates::own;
use purser_core::ids::RateId;

use super::shape::RateBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show an exchange rate
#[utoipa::path(
    get,
    path = "/exchange_rates/{id}",
    operation_id = "show_exchange_rate",
    tag = "exchange_rates",
    params(("id" = uuid::Uuid, Path, description = "The rate's id")),
    responses((status = 200, body = RateBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<RateId>,
) -> ApiResult<Response> {
    let rate = app.store.read(caller.access(), move |tx| own::get(tx, caller.family, id)).await?;
    Ok(crate::http::json(StatusCode::OK, &RateBody::from(rate)))
}
