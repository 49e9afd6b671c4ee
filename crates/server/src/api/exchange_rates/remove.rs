//! `DELETE /api/v1/exchange_rates/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::rates::own;
use purser_core::ids::RateId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete an exchange rate
///
/// Conversions that were made by it are made again by the best that is left. Not
/// with a key that is restricted to chosen accounts.
#[utoipa::path(
    delete,
    path = "/exchange_rates/{id}",
    operation_id = "delete_exchange_rate",
    tag = "exchange_rates",
    params(("id" = uuid::Uuid, Path, description = "The rate's id")),
    responses((status = 204, description = "It is gone"), NotFoundError, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<RateId>>,
) -> ApiResult<StatusCode> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            own::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
