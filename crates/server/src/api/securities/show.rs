//! `GET /api/v1/securities/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::securities;
use purser_core::ids::SecurityId;

use super::shape::SecurityBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a security
#[utoipa::path(
    get,
    path = "/securities/{id}",
    operation_id = "show_security",
    tag = "securities",
    params(("id" = uuid::Uuid, Path, description = "The security's id")),
    responses((status = 200, body = SecurityBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<SecurityId>,
) -> ApiResult<Response> {
    let security = app
        .store
        .read(caller.access(), move |tx| securities::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &SecurityBody::from(security)))
}
