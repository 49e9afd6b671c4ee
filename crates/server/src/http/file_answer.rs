//! Answers that are files on the server's disk: streamed piece by piece, with their length.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read as _};

use axum::body::{Body, Bytes};
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use http::{HeaderMap, HeaderValue, header};
use purser_app::exports::Download;
use purser_core::export::ExportFormat;
use utoipa::openapi::Content;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

use super::describe::{Description, Output};
use super::headers;
use super::openapi::ConflictError;

/// Bytes of a file that are in memory at a time.
const PIECE_BYTES: usize = 64 * 1024;

/// A file that a client saves.
pub(crate) struct FileAnswer(pub(crate) Download);

impl IntoResponse for FileAnswer {
    fn into_response(self) -> Response {
        let Download { file, bytes, name, format } = self.0;
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.media_type()));
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let disposition = format!("attachment; filename=\"{name}\"");
        if let Ok(disposition) = HeaderValue::try_from(disposition) {
            headers.insert(header::CONTENT_DISPOSITION, disposition);
        }
        let pieces = try_unfold(file, |file| async move {
            let read = tokio::task::spawn_blocking(move || piece(file)).await;
            read.map_err(io::Error::other)?
        });
        (headers, Body::from_stream(pieces)).into_response()
    }
}

/// The next bytes of a file, if there are any.
fn piece(mut file: File) -> io::Result<Option<(Bytes, File)>> {
    let mut buffer = Vec::with_capacity(PIECE_BYTES);
    file.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut buffer)?;
    Ok((!buffer.is_empty()).then(|| (Bytes::from(buffer), file)))
}

impl Output for FileAnswer {
    fn describe(operation: &mut Description<'_>) {
        let types: BTreeSet<&str> = ExportFormat::ALL.iter().map(|it| it.media_type()).collect();
        operation.response(200, "The file, with the type of its format.", |response| {
            let description = "`attachment`, and the name under which a client saves the file.";
            let (name, disposition) = headers::own(&header::CONTENT_DISPOSITION, description);
            let response = response.header(name, disposition);
            types.into_iter().fold(response, |response, media_type| {
                let bytes = ObjectBuilder::new()
                    .schema_type(Type::String)
                    .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
                response.content(media_type, Content::new(Some(bytes)))
            })
        });
        operation.errors::<ConflictError>();
    }
}
