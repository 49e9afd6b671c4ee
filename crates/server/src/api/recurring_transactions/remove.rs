//! `DELETE /api/v1/recurring_transactions/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::recurring::changes;
use purser_core::ids::RecurringId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete a transaction that comes every month
///
/// Its transactions stay. A detection may find it again; to keep it from that, make it inactive.
#[utoipa::path(
    delete,
    path = "/recurring_transactions/{id}",
    operation_id = "delete_recurring_transaction",
    tag = "recurring_transactions",
    params(("id" = uuid::Uuid, Path, description = "The recurring transaction's id")),
    responses((status = 204, description = "It is gone"), NotFoundError, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<RecurringId>,
) -> ApiResult<StatusCode> {
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            changes::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
