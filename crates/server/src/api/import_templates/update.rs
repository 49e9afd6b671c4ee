//! `PATCH /import_templates/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::TemplateId;
use purser_core::limits::TEMPLATE_NAME_CHARS_MAX;
use purser_store::audit::{self, Actor};
use purser_store::imports;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::ImportTemplate;
use crate::api::error::ApiResult;
use crate::api::fields::Fields;
use crate::api::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::api::path::Id;
use crate::edge::auth::Writer;
use crate::edge::body::Unread;
use crate::state::AppState;

/// What changes.
#[derive(Debug, Serialize, ToSchema)]
struct ImportTemplateChange {
    /// Another name.
    #[schema(max_length = 100)]
    name: String,
}

/// One template.
#[derive(Debug, Serialize, ToSchema)]
struct ImportTemplateAnswer {
    data: ImportTemplate,
}

/// Rename an import template
#[utoipa::path(
    patch,
    path = "/import_templates/{id}",
    operation_id = "update_import_template",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The template")),
    request_body = ImportTemplateChange,
    responses(
        (status = 200, body = ImportTemplateAnswer),
        NotFoundError, BodyErrors, CommonErrors
    )
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<TemplateId>,
    body: Unread,
) -> ApiResult<Response> {
    let look = caller.clone();
    app.store
        .read(move |tx| imports::template_get(tx, look.family, look.accounts(), id).map(drop))
        .await?;
    let name = read(&Fields::read(body).await?)?;
    let template = app
        .store
        .write(caller.family, move |tx| {
            let family = caller.family;
            let before = imports::template_get(tx, family, caller.accounts(), id)?;
            imports::template_rename(tx, family, id, &name)?;
            let event = audit::Event {
                actor: Actor::Key(caller.key.id),
                action: "import_template.rename",
                subject_kind: "import_template",
                subject_id: Some(id.0),
                details: json!({ "before": before.name, "after": name }),
            };
            audit::record(tx, family, &event)?;
            imports::template_get(tx, family, caller.accounts(), id)
        })
        .await?;
    let answer = ImportTemplateAnswer { data: template.into() };
    Ok(crate::api::json(StatusCode::OK, &answer))
}

fn read(fields: &Fields) -> Result<String> {
    let mut problems = Problems::new();
    let name = fields.text("name", &mut problems);
    problems.into_result()?;
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| Error::invalid("name is required"))?;
    if name.chars().count() > TEMPLATE_NAME_CHARS_MAX || name.contains('\0') {
        return Err(Error::invalid(format!(
            "name must have at most {TEMPLATE_NAME_CHARS_MAX} characters and no NUL"
        )));
    }
    Ok(name)
}
