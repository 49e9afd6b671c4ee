//! `POST /imports/preflight`

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::imports::preview::{NamePreview, Preview};
use purser_app::imports::rejection::Rejection;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::create::{discard, read};
use super::form::{UploadForm, UploadJson};
use super::rows::ImportRow;
use super::view::{
    ImportConfiguration, ImportPlan, ImportStats, InvalidRow, StatusDetail, UnassignedMapping,
};
use crate::http::caller::Writer;
use crate::http::content::{ContentLimits, receive};
use crate::http::error::ApiResult;
use crate::http::openapi::{BodyErrors, CommonErrors, StorageError};
use crate::http::unread::Unread;
use crate::state::AppState;

/// What an upload would do.
#[derive(Debug, Serialize, ToSchema)]
struct ImportPreview {
    status_detail: StatusDetail,
    configuration: ImportConfiguration,
    stats: ImportStats,
    /// What would become of the rows; null if they can't be read.
    plan: Option<ImportPlan>,
    /// What was found in the file beside the configuration. Null without content.
    #[schema(value_type = Option<Object>)]
    source: Value,
    /// The first rows, each with what would become of it.
    rows: Vec<ImportRow>,
    /// The first rows of each verdict that is worth a look.
    examples: Vec<ImportRow>,
    /// The first invalid rows and why.
    invalid_rows: Vec<InvalidRow>,
    /// Distinct names and what they would stand for.
    mappings: Vec<PreviewMapping>,
    /// Names that a person must choose for, and why.
    unassigned_mappings: Vec<UnassignedMapping>,
    /// Why it could not be published as it is; null if nothing stands in the way.
    obstacle: Option<PublishObstacle>,
}

/// A name in a file that isn't stored.
#[derive(Debug, Serialize, ToSchema)]
struct PreviewMapping {
    /// `account`, `category` or `tag`.
    kind: &'static str,
    /// As the file says it.
    key: String,
    /// The family's, if it stands for one that exists.
    id: Option<Uuid>,
    /// It would be created, if a row that is published needs it.
    create: bool,
    /// Why a person must choose.
    problem: Option<String>,
    /// Rows that name it.
    #[schema(minimum = 0)]
    rows_count: u64,
}

/// Why an import could not be published as it is.
#[derive(Debug, Serialize, ToSchema)]
struct PublishObstacle {
    /// As in the error that a publish would be answered with.
    #[schema(example = "invalid_rows")]
    code: &'static str,
    /// One sentence.
    message: String,
    /// The first problems, with their lines.
    errors: Vec<String>,
}

/// The answer of a preflight.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportPreviewAnswer)]
pub(crate) struct PreviewAnswer {
    data: ImportPreview,
}

/// Try an upload
///
/// Takes what `POST /imports` takes, reads it, and answers what would become of it. Nothing is
/// stored, so there is nothing to make idempotent either.
#[utoipa::path(
    post,
    path = "/imports/preflight",
    operation_id = "preflight_import",
    tag = "imports",
    request_body(
        content(
            (UploadJson = "application/json"),
            (UploadForm = "multipart/form-data")
        )
    ),
    responses(
        (status = 200, body = PreviewAnswer),
        BodyErrors, CommonErrors, StorageError
    )
)]
pub(crate) async fn preflight(
    State(app): State<AppState>,
    caller: Writer,
    body: Unread,
) -> ApiResult<Response> {
    let limits = ContentLimits::new(app.imports.max_csv_bytes);
    let received = receive(body, &app, caller.family, limits).await?;
    let (upload, _) = read(&app, &caller, received).await?;
    let upload = Arc::new(upload);
    let seen = upload.clone();
    let preview = app.store.read(caller.access(), move |tx| seen.preview(tx)).await;
    discard(upload).await?;
    let answer = PreviewAnswer { data: preview?.into() };
    Ok(crate::http::json(StatusCode::OK, &answer))
}

impl From<Preview> for ImportPreview {
    fn from(preview: Preview) -> Self {
        Self {
            status_detail: preview.condition.into(),
            stats: ImportStats::of_preview(&preview),
            unassigned_mappings: preview
                .mappings
                .iter()
                .filter_map(UnassignedMapping::of_preview)
                .collect(),
            configuration: preview.configuration.into(),
            plan: preview.plan.map(|counts| ImportPlan::new(counts, true)),
            source: preview.source,
            rows: preview.rows.into_iter().map(ImportRow::from).collect(),
            examples: preview.examples.into_iter().map(ImportRow::from).collect(),
            invalid_rows: preview.invalid_rows.into_iter().map(InvalidRow::from).collect(),
            mappings: preview.mappings.into_iter().map(PreviewMapping::from).collect(),
            obstacle: preview.obstacle.map(PublishObstacle::from),
        }
    }
}

impl From<NamePreview> for PreviewMapping {
    fn from(name: NamePreview) -> Self {
        Self {
            kind: name.kind,
            key: name.name,
            id: name.id,
            create: name.create,
            problem: name.problem,
            rows_count: name.rows_count,
        }
    }
}

impl From<Rejection> for PublishObstacle {
    fn from(rejection: Rejection) -> Self {
        let Rejection { code, message, errors } = rejection;
        Self { code, message, errors }
    }
}
