//! A table of rates or prices in a request: as the body itself, in a form, or as a text in JSON.

use std::convert::Infallible;

use axum::body::Bytes;
use futures_util::{future, stream};
use purser_core::error::Error;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::{ApiError, ApiResult};
use crate::http::fields::Fields;
use crate::http::idempotency::Fingerprint;
use crate::http::unread::{Unread, parse_json};
use crate::limits::TABLE_FILE_BYTES_MAX;

/// What stands around the table in a form or in JSON, and what escapes add.
const OVERHEAD_FACTOR: usize = 2;

/// A table in JSON.
#[derive(Debug, ToSchema)]
#[schema(as = TableText)]
#[expect(dead_code, reason = "describes what the handler reads")]
pub(super) struct TableJson {
    /// The table as CSV, at most 10 MiB.
    raw_file_content: String,
}

/// A table in a form.
#[derive(Debug, ToSchema)]
#[schema(as = TableForm)]
#[expect(dead_code, reason = "describes what the handler reads")]
pub(super) struct TableUpload {
    /// The table as CSV, at most 10 MiB.
    #[schema(value_type = String, format = Binary, content_media_type = "text/csv")]
    file: Vec<u8>,
}

/// What became of a table.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TableImported)]
pub(super) struct TableBody {
    /// New ones.
    added: u64,
    /// Those that replaced another number.
    changed: u64,
    /// Those that were there already.
    unchanged: u64,
    /// Days on which a person said something else, which stays.
    kept: u64,
}

impl From<purser_app::rates::own::Imported> for TableBody {
    fn from(imported: purser_app::rates::own::Imported) -> Self {
        let purser_app::rates::own::Imported { added, changed, unchanged, kept } = imported;
        Self { added, changed, unchanged, kept }
    }
}

/// The table of a request, and the fingerprint of what was sent.
pub(super) async fn read(body: Unread) -> ApiResult<(Bytes, [u8; 32])> {
    let file = match body.media_type().as_str() {
        "text/csv" => body.bytes(TABLE_FILE_BYTES_MAX).await?,
        "multipart/form-data" => of_form(body).await?,
        "application/json" => {
            let bytes = body.bytes(OVERHEAD_FACTOR * TABLE_FILE_BYTES_MAX).await?;
            let fields: Fields = parse_json(&bytes)?;
            let text = fields.written("raw_file_content");
            Bytes::from(text.ok_or_else(missing)?)
        }
        _ => {
            return Err(ApiError::unsupported_media_type(
                "The body must be text/csv, multipart/form-data or application/json",
            ));
        }
    };
    if file.len() > TABLE_FILE_BYTES_MAX {
        let message = format!("The file is larger than {TABLE_FILE_BYTES_MAX} bytes");
        return Err(Error::invalid_code("file_too_large", message).into());
    }
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(&file);
    Ok((file, fingerprint.finish()))
}

async fn of_form(body: Unread) -> ApiResult<Bytes> {
    let boundary = multer::parse_boundary(body.content_type())
        .map_err(|_| ApiError::bad_request("The multipart body names no boundary"))?;
    let bytes = body.bytes(OVERHEAD_FACTOR * TABLE_FILE_BYTES_MAX).await?;
    let whole = stream::once(future::ready(Ok::<_, Infallible>(bytes)));
    let mut form = multer::Multipart::new(whole, boundary);
    let unreadable = |_| ApiError::bad_request("The multipart body can't be read");
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        if field.name() == Some("file") {
            return field.bytes().await.map_err(unreadable);
        }
    }
    Err(missing().into())
}

fn missing() -> Error {
    Error::invalid_code("missing_content", "The request has no file and no raw_file_content")
}
