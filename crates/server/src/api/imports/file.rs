//! `PUT /imports/{id}/file`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::imports::request::flag;
use purser_app::imports::revision::{self, ImportEdit, NewContent};
use purser_core::error::{Error, Problems};
use purser_core::ids::ImportId;
use purser_formats::json_upload::CONTENT_FIELD;
use serde::Serialize;
use utoipa::ToSchema;

use super::configure::{ChangeAnswer, configurable};
use crate::http::caller::Writer;
use crate::http::content::{Content, ContentLimits, receive_any};
use crate::http::error::ApiResult;
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, NotFoundError, StorageError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// Content as JSON.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportContent)]
struct ContentJson {
    /// The content, at most 10 MiB in UTF-8.
    raw_file_content: String,
    /// `false` takes over nothing from an earlier file with the same header.
    #[schema(default = "true", required = false)]
    use_template: Option<String>,
}

/// Content as a form.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportContentForm)]
struct ContentForm {
    /// The file, at most 10 MiB. It wins over `raw_file_content`.
    #[schema(value_type = Option<String>, format = Binary, content_media_type = "application/octet-stream")]
    file: Option<Vec<u8>>,
    /// The content, instead of a file.
    raw_file_content: Option<String>,
    /// `false` takes over nothing from an earlier file with the same header.
    #[schema(default = "true")]
    use_template: Option<String>,
}

/// Replace the file of an import
///
/// Or gives content to an import that has none. The settings stay, but for those that were taken
/// over from an earlier file; choices for names stay as long as the rows name them; corrections of
/// single rows go. Only while the import is `pending` or `failed`, else 422 `not_configurable`.
#[utoipa::path(
    put,
    path = "/imports/{id}/file",
    operation_id = "replace_import_file",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The import")),
    request_body(
        content(
            (ContentJson = "application/json"),
            (ContentForm = "multipart/form-data"),
            (String = "text/csv")
        )
    ),
    responses(
        (status = 200, body = ChangeAnswer),
        NotFoundError, BodyErrors, ConflictError, CommonErrors, StorageError
    )
)]
pub(crate) async fn replace(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<ImportId>,
    body: Unread,
) -> ApiResult<Response> {
    let look = caller.clone();
    app.store.read(look.access(), move |tx| configurable(tx, &look, id)).await?;
    let limits = ContentLimits::new(app.imports.max_csv_bytes);
    let received = receive_any(body, &app, caller.family, limits).await?;
    let mut problems = Problems::new();
    let use_template = flag(&received.fields, "use_template", true, &mut problems);
    if received.fields.contains_key(CONTENT_FIELD) {
        // Text has gone to the file; what is left here is something else.
        problems.push(format!("{CONTENT_FIELD} must be a string"));
    }
    problems.into_result()?;
    let Some(Content { stored, name }) = received.content else {
        return Err(Error::invalid_code("missing_content", "There is no content").into());
    };
    let content = ImportEdit::Content(NewContent { stored, name, use_template });
    let revised = revision::apply_edit(&app, caller.access(), id, content).await?;
    Ok(crate::http::json(StatusCode::OK, &ChangeAnswer::new(revised)?))
}
