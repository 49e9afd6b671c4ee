//! `GET /api/v1/tags/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::tags;
use purser_core::ids::TagId;

use super::shape::TagBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show a tag
#[utoipa::path(
    get,
    path = "/tags/{id}",
    operation_id = "show_tag",
    tag = "tags",
    params(("id" = uuid::Uuid, Path, description = "The tag's id")),
    responses((status = 200, body = TagBody), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<TagId>,
) -> ApiResult<Response> {
    let found = app
        .store
        .read(caller.access(), move |tx| tags::get(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &TagBody::from(found)))
}
