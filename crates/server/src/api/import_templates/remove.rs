//! `DELETE /import_templates/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_core::ids::TemplateId;
use purser_store::audit::{self, Actor};
use purser_store::imports;
use serde_json::json;

use crate::api::error::ApiResult;
use crate::api::openapi::{CommonErrors, NotFoundError};
use crate::api::path::Id;
use crate::edge::auth::Writer;
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
        .write(caller.family, move |tx| {
            let family = caller.family;
            let template = imports::template_get(tx, family, caller.accounts(), id)?;
            imports::template_delete(tx, family, id)?;
            let event = audit::Event {
                actor: Actor::Key(caller.key.id),
                action: "import_template.delete",
                subject_kind: "import_template",
                subject_id: Some(id.0),
                details: json!({ "name": template.name }),
            };
            audit::record(tx, family, &event)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
