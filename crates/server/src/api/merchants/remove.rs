//! `DELETE /api/v1/merchants/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::merchants;
use purser_core::ids::MerchantId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete a merchant
///
/// Transactions that have it lose it; rules that name it are switched off. Fails with 409
/// `import_running` while a large import is being published or undone. Not with a key that is
/// restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    delete,
    path = "/merchants/{id}",
    operation_id = "delete_merchant",
    tag = "merchants",
    params(("id" = uuid::Uuid, Path, description = "The merchant's id")),
    responses(
        (status = 204, description = "It is gone"),
        NotFoundError, ConflictError, CommonErrors
    )
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<MerchantId>>,
) -> ApiResult<StatusCode> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            merchants::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
