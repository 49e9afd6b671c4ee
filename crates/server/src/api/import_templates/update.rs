//! `PATCH /import_templates/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::imports;
use purser_app::imports::template_changes;
use purser_core::error::{Problems, Result};
use purser_core::ids::TemplateId;
use serde::Serialize;
use utoipa::ToSchema;

use super::ImportTemplate;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The field may also stand inside of `import_template`.
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
    app.store.read(look.access(), move |tx| imports::template_get(tx, id).map(drop)).await?;
    let name = read(&Fields::read(body).await?)?;
    let template =
        app.store.write(caller.access(), move |tx| template_changes::rename(tx, id, &name)).await?;
    let answer = ImportTemplateAnswer { data: template.into() };
    Ok(crate::http::json(StatusCode::OK, &answer))
}

fn read(body: &Fields) -> Result<String> {
    let wrapped = body.object("import_template")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let name = fields.text("name", &mut problems);
    problems.into_result()?;
    template_changes::checked_name(&name.unwrap_or_default())
}
