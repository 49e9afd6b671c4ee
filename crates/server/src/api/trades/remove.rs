//! `DELETE /api/v1/trades/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::trades;

use super::TradeId;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete a trade
///
/// Positions and balances follow from the other trades again. Of a move between accounts both
/// sides go; a key that may not see the other side is refused with 403 `restricted_key`.
#[utoipa::path(
    delete,
    path = "/trades/{id}",
    operation_id = "delete_trade",
    tag = "trades",
    params(("id" = uuid::Uuid, Path, description = "The trade's id")),
    responses((status = 204, description = "It is gone"), NotFoundError, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(TradeId(id)): Id<TradeId>,
) -> ApiResult<StatusCode> {
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            trades::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
