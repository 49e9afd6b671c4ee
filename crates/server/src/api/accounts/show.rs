//! `GET /api/v1/accounts/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::accounts;
use purser_core::ids::AccountId;

use super::shape::AccountBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show an account
///
/// Whatever its status.
#[utoipa::path(
    get,
    path = "/accounts/{id}",
    operation_id = "show_account",
    tag = "accounts",
    params(("id" = uuid::Uuid, Path, description = "The account's id")),
    responses((status = 200, body = AccountBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<AccountId>,
) -> ApiResult<Response> {
    let account = app
        .store
        .read(caller.access(), move |tx| accounts::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &AccountBody::from(account)))
}
