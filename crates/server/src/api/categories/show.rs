//! `GET /api/v1/categories/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::categories;
use purser_core::ids::CategoryId;

use super::shape::CategoryBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a category
#[utoipa::path(
    get,
    path = "/categories/{id}",
    operation_id = "show_category",
    tag = "categories",
    params(("id" = uuid::Uuid, Path, description = "The category's id")),
    responses((status = 200, body = CategoryBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<CategoryId>,
) -> ApiResult<Response> {
    let found = app
        .store
        .read(caller.access(), move |tx| categories::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &CategoryBody::from(found)))
}
