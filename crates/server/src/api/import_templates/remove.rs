//! `DELETE /import_templates/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::imports::template_changes::{self, Changer};
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
    app.store
        .write(caller.access(), move |tx| {
            let accounts = caller.accounts();
            let by = Changer { family: caller.family, accounts, actor: Actor::Key(caller.key.id) };
            template_changes::remove(tx, by, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
