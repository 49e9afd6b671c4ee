//! `DELETE /api/v1/securities/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::securities;
use purser_core::ids::SecurityId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete a security
///
/// Its prices go with it. Fails with 409 `security_in_use` if it has trades or holdings. Not with a
/// key that is restricted to chosen accounts.
#[utoipa::path(
    delete,
    path = "/securities/{id}",
    operation_id = "delete_security",
    tag = "securities",
    params(("id" = uuid::Uuid, Path, description = "The security's id")),
    responses(
        (status = 204, description = "It is gone"),
        NotFoundError, ConflictError, CommonErrors
    )
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<SecurityId>>,
) -> ApiResult<StatusCode> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            securities::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
