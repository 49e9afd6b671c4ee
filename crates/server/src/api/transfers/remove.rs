//! `DELETE /api/v1/transfers/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::transfers::changes;
use purser_core::ids::TransferId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete a transfer
///
/// Its transactions stay, and are two of their own again. The next matching may find the pair
/// again; to keep it from that, reject the transfer.
#[utoipa::path(
    delete,
    path = "/transfers/{id}",
    operation_id = "delete_transfer",
    tag = "transfers",
    params(("id" = uuid::Uuid, Path, description = "The transfer's id")),
    responses((status = 204, description = "It is gone"), NotFoundError, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<TransferId>,
) -> ApiResult<StatusCode> {
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            changes::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
