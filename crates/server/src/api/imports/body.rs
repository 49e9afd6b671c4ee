//! The body of an upload, JSON or multipart, streamed into a file.
//!
//! Memory stays flat whatever the size: content goes to the disk in pieces, and only the small
//! fields beside it are kept. Content over the limit is read to its end but no longer stored, so
//! that the client gets its answer instead of a broken connection.

use std::collections::BTreeMap;
use std::convert::Infallible;

use futures_util::StreamExt as _;
use purser_core::error::Error;
use purser_core::ids::FileId;
use purser_formats::json_upload::{
    self, CONTENT_FIELD, FIELD_BYTES_MAX, FIELDS_MAX, JsonUpload, Scalar, UploadError as JsonError,
};
use purser_store::FamilyId;
use purser_store::files;

use crate::api::error::{ApiError, ApiResult};
use crate::blocking::blocking;
use crate::edge::body::Unread;
use crate::edge::upload::{Upload, UploadError};
use crate::imports::reading::Stored;
use crate::imports::request::Fields;
use crate::limits::UPLOAD_BUFFER_BYTES;
use crate::state::AppState;

/// What is kept of the name of an uploaded file.
const FILE_NAME_CHARS_MAX: usize = 255;

/// What a body held.
pub(super) struct Received {
    /// Everything but the content.
    pub(super) fields: Fields,
    /// The content, if there was any that is not blank.
    pub(super) content: Option<Content>,
}

/// Content that is on the disk, synced, and named by no row yet.
pub(super) struct Content {
    /// Where it is.
    pub(super) stored: Stored,
    /// The name of the uploaded file.
    pub(super) name: Option<String>,
}

/// Limits of one upload.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContentLimits {
    /// Of the content.
    pub(super) content_bytes_max: u64,
    /// Of the body around it.
    pub(super) body_bytes_max: u64,
}

/// Reads the body; its media type says how.
pub(super) async fn receive(
    body: Unread,
    app: &AppState,
    family: FamilyId,
    limits: ContentLimits,
) -> ApiResult<Received> {
    let target = Target { app, family };
    match body.media_type().as_str() {
        "application/json" => json(body.upload(limits.body_bytes_max)?, target, limits).await,
        "multipart/form-data" => {
            let boundary = multer::parse_boundary(body.content_type())
                .map_err(|_| ApiError::bad_request("The multipart body names no boundary"))?;
            let upload = body.upload(limits.body_bytes_max)?;
            multipart(upload, boundary, target, limits).await
        }
        _ => Err(ApiError::unsupported_media_type(
            "The body must be application/json or multipart/form-data",
        )),
    }
}

async fn json(
    mut upload: Upload,
    target: Target<'_>,
    limits: ContentLimits,
) -> ApiResult<Received> {
    let mut spool = Spool::new(target, limits.content_bytes_max);
    let mut parser = JsonUpload::new();
    while let Some(piece) = upload.next().await {
        parser.push(&piece?, |content| spool.take(content)).map_err(json_error)?;
        spool.drain().await?;
    }
    let mut parsed = parser.finish(|content| spool.take(content)).map_err(json_error)?;
    if parsed.content == json_upload::Content::NotText {
        // Refused with the other fields, so that every problem is named at once.
        parsed.values.insert(CONTENT_FIELD.to_owned(), Scalar::Compound);
    }
    if spool.is_over() {
        return Err(too_large("content_too_large", "The content", limits.content_bytes_max));
    }
    let content = spool.finish().await?.map(|stored| Content { stored, name: None });
    Ok(Received { fields: parsed.values, content })
}

fn json_error(error: JsonError<Infallible>) -> ApiError {
    match error {
        JsonError::Syntax { .. } => ApiError::bad_request(error.to_string()),
        _ => Error::invalid(error.to_string()).into(),
    }
}

async fn multipart(
    upload: Upload,
    boundary: String,
    target: Target<'_>,
    limits: ContentLimits,
) -> ApiResult<Received> {
    let mut form = multer::Multipart::new(upload, boundary);
    let mut fields: Fields = BTreeMap::new();
    let mut file = Spool::new(target, limits.content_bytes_max);
    let mut inline = Spool::new(target, limits.content_bytes_max);
    let mut file_name = None;
    while let Some(mut field) = form.next_field().await.map_err(form_error)? {
        let name = field.name().unwrap_or_default().to_owned();
        let spool = match name.as_str() {
            // Some programs send a file without its name.
            "file" => {
                file_name = field.file_name().map(stored_name);
                Some(&mut file)
            }
            CONTENT_FIELD => Some(&mut inline),
            _ => None,
        };
        match spool {
            Some(spool) => {
                while let Some(piece) = field.chunk().await.map_err(form_error)? {
                    let Ok(()) = spool.take(&piece);
                    spool.drain().await?;
                }
            }
            None => {
                let text = text_field(&name, field).await?;
                fields.insert(name, Scalar::Text(text));
                if fields.len() > FIELDS_MAX {
                    return Err(ApiError::bad_request("The form has too many fields"));
                }
            }
        }
    }
    if file.is_over() {
        return Err(too_large("file_too_large", "The file", limits.content_bytes_max));
    }
    if inline.is_over() {
        return Err(too_large("content_too_large", "The content", limits.content_bytes_max));
    }
    // The file wins over the field.
    let content = match file.finish().await? {
        Some(stored) => Some(Content { stored, name: file_name }),
        None => inline.finish().await?.map(|stored| Content { stored, name: None }),
    };
    Ok(Received { fields, content })
}

/// A file's name as it is kept: no longer than file systems allow, and nothing that can't be stored.
fn stored_name(given: &str) -> String {
    given.chars().filter(|c| !c.is_control()).take(FILE_NAME_CHARS_MAX).collect()
}

async fn text_field(name: &str, mut field: multer::Field<'_>) -> ApiResult<String> {
    let mut bytes = Vec::new();
    while let Some(piece) = field.chunk().await.map_err(form_error)? {
        bytes.extend_from_slice(&piece);
        if bytes.len() > FIELD_BYTES_MAX {
            return Err(Error::invalid(format!("{name} is too long")).into());
        }
    }
    String::from_utf8(bytes).map_err(|_| Error::invalid(format!("{name} is not UTF-8")).into())
}

fn form_error(error: multer::Error) -> ApiError {
    if let multer::Error::StreamReadFailed(cause) = error {
        return match cause.downcast::<UploadError>() {
            Ok(error) => (*error).into(),
            Err(other) => ApiError::bad_request("The body can't be read").with_cause(other),
        };
    }
    ApiError::bad_request("The multipart body can't be read").with_cause(error)
}

fn too_large(code: &'static str, what: &str, bytes_max: u64) -> ApiError {
    let message = format!("{what} is larger than {bytes_max} bytes");
    Error::invalid_code(code, message).into()
}

/// Where content goes.
#[derive(Clone, Copy)]
struct Target<'a> {
    app: &'a AppState,
    family: FamilyId,
}

/// Collects content and writes it to the disk in large pieces.
struct Spool<'a> {
    target: Target<'a>,
    file: Option<files::Upload>,
    buffer: Vec<u8>,
    bytes: u64,
    bytes_max: u64,
    blank: bool,
}

impl<'a> Spool<'a> {
    fn new(target: Target<'a>, bytes_max: u64) -> Self {
        Self { target, file: None, buffer: Vec::new(), bytes: 0, bytes_max, blank: true }
    }

    fn take(&mut self, piece: &[u8]) -> Result<(), Infallible> {
        self.bytes += piece.len() as u64;
        self.blank = self.blank && piece.iter().all(u8::is_ascii_whitespace);
        if !self.is_over() {
            self.buffer.extend_from_slice(piece);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.bytes > self.bytes_max
    }

    /// Writes what was collected, if it is enough to be worth it.
    async fn drain(&mut self) -> ApiResult<()> {
        if self.buffer.len() >= UPLOAD_BUFFER_BYTES { self.write().await } else { Ok(()) }
    }

    async fn write(&mut self) -> ApiResult<()> {
        let files = self.target.app.files.clone();
        let file = self.file.take();
        let mut buffer = std::mem::take(&mut self.buffer);
        let (file, buffer) = blocking(move || {
            let mut file = match file {
                Some(file) => file,
                None => files.begin()?,
            };
            file.write(&buffer)?;
            buffer.clear();
            Ok((file, buffer))
        })
        .await?;
        self.file = Some(file);
        self.buffer = buffer;
        Ok(())
    }

    /// Syncs the file; `None` when nothing came, or only blanks.
    async fn finish(mut self) -> ApiResult<Option<Stored>> {
        if self.blank {
            return Ok(None);
        }
        self.write().await?;
        let Some(file) = self.file.take() else { return Ok(None) };
        let Target { app, family } = self.target;
        let id = FileId(app.store.new_id()?);
        let content = blocking(move || file.finish(family, id)).await?;
        Ok(Some(Stored { id, content }))
    }
}
