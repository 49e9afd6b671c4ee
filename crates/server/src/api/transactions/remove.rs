//! `DELETE /api/v1/transactions/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::transactions;

use super::TransactionId;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete a transaction
///
/// It stays deleted: the same row of a later file doesn't bring it back.
#[utoipa::path(
    delete,
    path = "/transactions/{id}",
    operation_id = "delete_transaction",
    tag = "transactions",
    params(("id" = uuid::Uuid, Path, description = "The transaction's id")),
    responses((status = 204, description = "It is gone"), NotFoundError, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(TransactionId(id)): Id<TransactionId>,
) -> ApiResult<StatusCode> {
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            transactions::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
