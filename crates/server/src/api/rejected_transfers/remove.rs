//! `DELETE /api/v1/rejected_transfers/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::transfers::rejected;
use purser_core::ids::RejectedTransferId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Take a rejection back
///
/// The next matching may propose the pair again.
#[utoipa::path(
    delete,
    path = "/rejected_transfers/{id}",
    operation_id = "delete_rejected_transfer",
    tag = "transfers",
    params(("id" = uuid::Uuid, Path, description = "The id of the rejection")),
    responses((status = 204, description = "It is gone"), NotFoundError, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<RejectedTransferId>,
) -> ApiResult<StatusCode> {
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            rejected::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
