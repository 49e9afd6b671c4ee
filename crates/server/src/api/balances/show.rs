//! `GET /api/v1/balances/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::balances::daily;

use super::BalanceId;
use super::shape::BalanceBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show an account's balance on a day
#[utoipa::path(
    get,
    path = "/balances/{id}",
    operation_id = "show_balance",
    tag = "balances",
    params(("id" = uuid::Uuid, Path, description = "The id of the balance")),
    responses((status = 200, body = BalanceBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(BalanceId(id)): Id<BalanceId>,
) -> ApiResult<Response> {
    let balance = app
        .store
        .read(caller.access(), move |tx| daily::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &BalanceBody::from(balance)))
}
