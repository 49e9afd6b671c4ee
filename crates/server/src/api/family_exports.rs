//! `/api/v1/family_exports`: everything that a family has, as files.

use purser_app::FamilyTx;
use purser_app::exports::{self, FamilyExport};
use purser_core::error::{Problems, Result};
use purser_core::export::{ExportFormat, ExportStatus};
use purser_core::ids::FamilyExportId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::answer::{Accepted, Answer, Json};
use crate::http::body::kinds::OneOf;
use crate::http::body::presence::Optional;
use crate::http::body::{Checked, Perhaps, body};
use crate::http::call::{Create, List, Show};
use crate::http::error::ApiResult;
use crate::http::file_answer::FileAnswer;
use crate::http::named::{ExportFormatName, ExportStatusName};
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::Paged;
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "family_exports":
    /// Request an export
    ///
    /// A file with everything that the family has is written in the background: the server's own
    /// NDJSON, unless another format is sent. While an export waits, it is the answer to further
    /// requests of its format. The five newest can be downloaded, each for seven days. A key that
    /// is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/family_exports" => request as request_family_export;
    /// List exports
    ///
    /// The newest come first. A key that is restricted to chosen accounts sees none, because an
    /// export has all accounts.
    GET "/family_exports" => list as list_family_exports;
    /// Show an export
    ///
    /// An unknown export and one that the key may not see are answered with 404 `not_found`.
    GET "/family_exports/{id}" => show as show_family_export;
    /// Download an export
    ///
    /// The answer is the file. While it isn't written, and when writing it failed, it is 409
    /// `export_not_ready`.
    GET "/family_exports/{id}/download" => download as download_family_export;
}

path_id!(FamilyExportId, "Export", |tx: &mut FamilyTx<'_>, id| exports::get(tx, id));

body! {
    /// What an export is written as.
    struct RequestFields as "FamilyExport" {
        /// `ndjson` (the default) and `csv_zip` (an archive with the same and with tables for
        /// spreadsheets) are read by imports of the type `NativeImport`; `hledger` and `beancount`
        /// are journals for these programs.
        #[example("hledger")]
        format: Optional<OneOf<ExportFormat>>,
    }
}

impl Checked for RequestFields {
    type Output = ExportFormat;

    fn check(self, problems: Problems) -> Result<ExportFormat> {
        problems.into_result()?;
        Ok(self.format.unwrap_or(ExportFormat::Ndjson))
    }
}

/// A file with everything that a family has.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FamilyExport)]
struct ExportBody {
    /// The id of the export.
    id: Uuid,
    /// What the file is written as.
    format: ExportFormatName,
    /// Whether the file is there.
    status: ExportStatusName,
    /// Whether the file can be downloaded.
    downloadable: bool,
    /// The path of the file; null while there is none.
    #[schema(required)]
    download_path: Option<String>,
    /// The size of the file in bytes; null while there is none.
    #[schema(required, minimum = 0)]
    byte_size: Option<u64>,
    /// The number of records in the file, or of entries in a journal; null while there is none.
    #[schema(required, minimum = 0)]
    records_count: Option<u64>,
    /// Why the export failed, as a sentence; null if it did not.
    #[schema(required)]
    error: Option<String>,
    /// The time at which it was requested.
    created_at: Time,
    /// The time of the latest change of its status.
    updated_at: Time,
    /// The time at which the file was written; null while there is none.
    #[schema(required)]
    completed_at: Option<Time>,
    /// The time from which the file is removed; null while there is none.
    #[schema(required)]
    expires_at: Option<Time>,
}

/// A page of exports.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FamilyExportPage)]
struct Page {
    /// The exports of the page, the newest first.
    data: Vec<ExportBody>,
    /// The position of the page in the list.
    meta: Pagination,
}

/// An export, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FamilyExportDetail)]
struct Detail {
    /// The export that was requested.
    data: ExportBody,
}

impl From<FamilyExport> for ExportBody {
    fn from(export: FamilyExport) -> Self {
        let expires_at = export.expires_at().map(Time);
        let FamilyExport { id, format, status, bytes, records, error, .. } = export;
        let downloadable = status == ExportStatus::Completed;
        Self {
            id: id.0,
            format: format.into(),
            status: status.into(),
            downloadable,
            download_path: downloadable.then(|| format!("/api/v1/family_exports/{id}/download")),
            byte_size: bytes,
            records_count: records,
            error,
            created_at: export.created_at.into(),
            updated_at: export.updated_at.into(),
            completed_at: export.completed_at.map(Time),
            expires_at,
        }
    }
}

async fn request(
    call: Create<Perhaps<RequestFields>, Unrestricted>,
) -> ApiResult<Answer<Accepted<Detail>>> {
    call.write(|tx, sent| Ok(Accepted(Detail { data: exports::request(tx, sent.body)?.into() })))
        .await
}

async fn list(call: List<Paged>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let page = sent.query.page;
        let (found, total) = exports::list(tx, page.limit(), page.offset())?;
        let data = found.into_iter().map(ExportBody::from).collect();
        Ok(Json(Page { data, meta: Pagination::new(page, total) }))
    })
    .await
}

async fn show(call: Show<FamilyExportId>) -> ApiResult<Answer<Json<Detail>>> {
    call.read(|tx, sent| Ok(Json(Detail { data: exports::get(tx, sent.id)?.into() }))).await
}

async fn download(call: Show<FamilyExportId>) -> ApiResult<FileAnswer> {
    let (app, caller, sent) = call.judged().await?;
    let files = app.files.clone();
    let access = caller.access();
    let file = app.store.read(access, move |tx| exports::download(tx, &files, sent.id)).await?;
    Ok(FileAnswer(file))
}
