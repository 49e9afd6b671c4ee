//! The body of an upload, JSON or multipart, streamed into a file.
//!
//! Memory stays flat whatever the size: content goes to the disk in pieces, and only the small
//! fields beside it are kept. Content over the limit is read to its end but no longer stored, so
//! that the client gets its answer instead of a broken connection.

use std::collections::BTreeSet;
use std::convert::Infallible;

use futures_util::StreamExt as _;
use purser_app::FamilyId;
use purser_app::imports::request::Fields as Texts;
use purser_app::imports::stored::Stored;
use purser_core::error::{Error, Problem, Problems};
use purser_formats::json_upload::{
    self, CONTENT_FIELD, FIELD_BYTES_MAX, FIELDS_MAX, JsonUpload, Scalar, UploadError as JsonError,
};
use serde_json::value::{RawValue, to_raw_value};

use super::pieces::{BufferedBytes, PieceError, Pieces};
use super::spool::{ContentLimits, Spool, Target};
use crate::http::error::{ApiError, ApiResult};
use crate::http::fields::Fields;
use crate::http::unread::{EMPTY_BODY, Unread};
use crate::http::upload::Upload;
use crate::state::AppState;

/// The part of a form that is the file.
pub(crate) const FILE_FIELD: &str = "file";
/// What is kept of the name of an uploaded file.
const FILE_NAME_CHARS_MAX: usize = 255;

/// What a body held.
pub(crate) struct Received {
    /// Everything but the content.
    pub(crate) fields: Fields,
    /// What is wrong with the content, to be reported with the problems of the other fields.
    pub(crate) problems: Problems,
    /// The content, if there was any that is not blank.
    pub(crate) content: Option<Content>,
}

/// Content that is on the disk, synced, and named by no row yet.
pub(crate) struct Content {
    /// The stored file with the content.
    pub(crate) stored: Stored,
    /// The name of the uploaded file.
    pub(crate) name: Option<String>,
}

/// Reads the body in the form that its media type names.
pub(crate) async fn receive(
    body: Unread,
    app: &AppState,
    family: FamilyId,
    limits: ContentLimits,
) -> ApiResult<Received> {
    if body.media_type() == "application/json" {
        let target = Target { app, family, limits };
        target.require_space().await?;
        return json(body.upload(limits.body_bytes_max)?, target).await;
    }
    let mut texts = Texts::new();
    let content = receive_form(body, app, family, limits, &mut texts).await?;
    let texts = texts.into_iter().map(|(name, text)| (name, Scalar::Text(text)));
    Ok(Received { fields: fields(texts)?, problems: Problems::new(), content })
}

/// As [`receive`], of a form only. If it is refused, `fields` has what stood before the mistake, so
/// that the form can be shown again.
pub(crate) async fn receive_form(
    body: Unread,
    app: &AppState,
    family: FamilyId,
    limits: ContentLimits,
    fields: &mut Texts,
) -> ApiResult<Option<Content>> {
    let target = Target { app, family, limits };
    target.require_space().await?;
    if body.media_type() != "multipart/form-data" {
        return Err(ApiError::unsupported_media_type(
            "The body must be application/json or multipart/form-data",
        ));
    }
    let boundary = multer::parse_boundary(body.content_type())
        .map_err(|_| ApiError::bad_request("The multipart body names no boundary"))?;
    multipart(body.upload(limits.body_bytes_max)?, boundary, target, fields).await
}

/// As [`receive`], but the body may also be the content itself.
pub(crate) async fn receive_any(
    body: Unread,
    app: &AppState,
    family: FamilyId,
    limits: ContentLimits,
) -> ApiResult<Received> {
    if body.media_type() != "text/csv" {
        return receive(body, app, family, limits).await;
    }
    let target = Target { app, family, limits };
    target.require_space().await?;
    let mut upload = body.upload(limits.body_bytes_max)?;
    let mut spool = Spool::of_file(target);
    while let Some(piece) = upload.next().await {
        let Ok(()) = spool.take(&piece?);
        spool.drain().await?;
    }
    spool.require_fit("content_too_large", "The content")?;
    let content = spool.finish().await?.map(|stored| Content { stored, name: None });
    Ok(Received { fields: Fields::default(), problems: Problems::new(), content })
}

/// Scalars as members of a JSON object. What an object or a list held is not kept.
fn fields(scalars: impl IntoIterator<Item = (String, Scalar)>) -> ApiResult<Fields> {
    let member = |(name, scalar)| {
        let raw = match scalar {
            Scalar::Text(text) => to_raw_value(&text),
            Scalar::Bool(flag) => to_raw_value(&flag),
            Scalar::Null => to_raw_value(&()),
            Scalar::Number(number) => RawValue::from_string(number),
            Scalar::Compound => RawValue::from_string("{}".to_owned()),
        };
        raw.map(|raw| (name, raw))
    };
    scalars.into_iter().map(member).collect::<Result<_, _>>().map_err(ApiError::internal)
}

async fn json(mut upload: Upload, target: Target<'_>) -> ApiResult<Received> {
    let mut spool = Spool::inline(target);
    let mut parser = JsonUpload::new();
    let mut is_empty = true;
    while let Some(piece) = upload.next().await {
        let piece = piece?;
        is_empty &= piece.is_empty();
        parser.push(&piece, |content| spool.take(content)).map_err(json_error)?;
        spool.drain().await?;
    }
    if is_empty {
        return Err(ApiError::bad_request(EMPTY_BODY));
    }
    let parsed = parser.finish(|content| spool.take(content)).map_err(json_error)?;
    let mut problems = Problems::new();
    if parsed.content == json_upload::Content::NotText {
        problems.field(CONTENT_FIELD, "must be a string");
    }
    spool.require_fit("content_too_large", "The content")?;
    let content = spool.finish().await?.map(|stored| Content { stored, name: None });
    Ok(Received { fields: fields(parsed.values)?, problems, content })
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
    fields: &mut Texts,
) -> ApiResult<Option<Content>> {
    let (pieces, kept) = Pieces::new(upload);
    let mut form = multer::Multipart::new(pieces, boundary);
    let mut names = BTreeSet::new();
    let mut file = Spool::of_file(target);
    let mut inline = Spool::inline(target);
    let mut file_name = None;
    while let Some(mut field) = form.next_field().await.map_err(form_error)? {
        kept.reset();
        let name = field.name().unwrap_or_default().to_owned();
        if !names.insert(name.clone()) {
            // Which of the two is meant can't be known.
            return Err(Error::invalid(Problem::field(name, "is sent twice")).into());
        }
        let spool = match name.as_str() {
            // Some programs send a file without its name.
            FILE_FIELD => {
                file_name = field.file_name().map(stored_name);
                Some(&mut file)
            }
            CONTENT_FIELD => Some(&mut inline),
            _ => None,
        };
        match spool {
            Some(spool) => {
                while let Some(piece) = field.chunk().await.map_err(form_error)? {
                    kept.reset();
                    let Ok(()) = spool.take(&piece);
                    spool.drain().await?;
                }
            }
            None => {
                let text = text_field(&name, field, &kept).await?;
                fields.insert(name, text);
                if fields.len() > FIELDS_MAX {
                    return Err(ApiError::bad_request("The form has too many fields"));
                }
            }
        }
    }
    file.require_fit("file_too_large", "The file")?;
    inline.require_fit("content_too_large", "The content")?;
    // The file wins over the field.
    Ok(match file.finish().await? {
        Some(stored) => Some(Content { stored, name: file_name }),
        None => inline.finish().await?.map(|stored| Content { stored, name: None }),
    })
}

/// A file's name as it is kept: no longer than file systems allow, and nothing that can't be
/// stored.
fn stored_name(given: &str) -> String {
    given.chars().filter(|c| !c.is_control()).take(FILE_NAME_CHARS_MAX).collect()
}

async fn text_field(
    name: &str,
    mut field: multer::Field<'_>,
    kept: &BufferedBytes,
) -> ApiResult<String> {
    let mut bytes = Vec::new();
    while let Some(piece) = field.chunk().await.map_err(form_error)? {
        kept.reset();
        bytes.extend_from_slice(&piece);
        if bytes.len() > FIELD_BYTES_MAX {
            let problem = Problem::about(name, format!("The field {name} is too long"));
            return Err(Error::invalid(problem).into());
        }
    }
    let not_text =
        |_| Error::invalid(Problem::about(name, format!("The field {name} is not UTF-8")));
    Ok(String::from_utf8(bytes).map_err(not_text)?)
}

fn form_error(error: multer::Error) -> ApiError {
    if let multer::Error::StreamReadFailed(cause) = error {
        return match cause.downcast::<PieceError>() {
            Ok(error) => (*error).into(),
            Err(other) => ApiError::bad_request("The body can't be read").with_cause(other),
        };
    }
    ApiError::bad_request("The multipart body can't be read").with_cause(error)
}
