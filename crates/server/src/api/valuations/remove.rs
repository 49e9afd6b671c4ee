//! `DELETE /api/v1/valuations/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::valuations;

use super::ValuationId;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete a valuation
///
/// The balance of its day follows from the transactions again.
#[utoipa::path(
    delete,
    path = "/valuations/{id}",
    operation_id = "delete_valuation",
    tag = "valuations",
    params(("id" = uuid::Uuid, Path, description = "The valuation's id")),
    responses(
        (status = 204, description = "It is gone"),
        NotFoundError,
        CommonErrors
    )
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(ValuationId(id)): Id<ValuationId>,
) -> ApiResult<StatusCode> {
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            valuations::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
