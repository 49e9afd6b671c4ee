//! `GET /api/v1/transactions/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::transactions;

use super::TransactionId;
use super::shape::TransactionBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a transaction
///
/// Of an active or draft account.
#[utoipa::path(
    get,
    path = "/transactions/{id}",
    operation_id = "show_transaction",
    tag = "transactions",
    params(("id" = uuid::Uuid, Path, description = "The transaction's id")),
    responses((status = 200, body = TransactionBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(TransactionId(id)): Id<TransactionId>,
) -> ApiResult<Response> {
    let transaction = app
        .store
        .read(caller.access(), move |tx| {
            transactions::get(tx, caller.family, caller.accounts(), id)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &TransactionBody::from(transaction)))
}
