//! `DELETE /api/v1/accounts/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::accounts;
use purser_app::audit::Actor;
use purser_core::ids::AccountId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete an account
///
/// With everything that hangs on it: entries, trades, holdings, valuations, its sides of transfers.
/// A large account is out of sight at once (`pending_deletion`) and removed in the background. Where
/// shares moved between it and an account that the key may not see: 403 `restricted_key`.
#[utoipa::path(
    delete,
    path = "/accounts/{id}",
    operation_id = "delete_account",
    tag = "accounts",
    params(("id" = uuid::Uuid, Path, description = "The account's id")),
    responses(
        (status = 204, description = "It is gone"),
        NotFoundError,
        ConflictError,
        CommonErrors
    )
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<AccountId>,
) -> ApiResult<StatusCode> {
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            accounts::remove(tx, caller.family, accounts, actor, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
