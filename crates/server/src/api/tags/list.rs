//! `GET /api/v1/tags`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::tags;

use super::shape::TagBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::CommonErrors;
use crate::state::AppState;

/// List tags
///
/// All of them by name, without pages. A key that is restricted to chosen accounts sees those that
/// transactions of its accounts have, and those that none has.
#[utoipa::path(
    get,
    path = "/tags",
    operation_id = "list_tags",
    tag = "tags",
    responses((status = 200, body = Vec<TagBody>), CommonErrors)
)]
pub(crate) async fn list(State(app): State<AppState>, caller: Reader) -> ApiResult<Response> {
    let found = app
        .store
        .read(caller.access(), move |tx| tags::list(tx, caller.family, caller.accounts()))
        .await?;
    let body: Vec<TagBody> = found.into_iter().map(TagBody::from).collect();
    Ok(crate::http::json(StatusCode::OK, &body))
}
