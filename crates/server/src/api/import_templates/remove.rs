//! `DELETE /import_templates/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::imports::template_changes;
use purser_core::ids::TemplateId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Forget an import template
///
/// Imports that took over from it keep what they took.
#[utoipa::path(
    delete,
    path = "/import_templates/{id}",
    operation_id = "delete_import_template",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The template")),
    responses((status = 204, description = "Forgotten"), NotFoundError, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<TemplateId>,
) -> ApiResult<StatusCode> {
    app.store.write(caller.access(), move |tx| template_changes::remove(tx, id)).await?;
    Ok(StatusCode::NO_CONTENT)
}
