//! The body that creates merchants: one as JSON, or several as a CSV file in a form.

use std::convert::Infallible;

use axum::body::Bytes;
use futures_util::{future, stream};
use purser_core::error::Error;
use purser_core::labels::input::LabelInput;
use purser_core::text::size::size;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

use super::{MerchantFields, csv};
use crate::http::body::{New, RequestBody};
use crate::http::caller::Caller;
use crate::http::describe::Components;
use crate::http::describe::RequestSchema;
use crate::http::error::{ApiError, ApiResult};
use crate::http::idempotency::Fingerprint;
use crate::http::unread::Unread;
use crate::limits::MERCHANT_FILE_BYTES_MAX;
use crate::state::AppState;

/// A body with one merchant or a file of merchants, by its media type.
pub(super) struct NewMerchants;

/// The merchants that are to be created.
pub(super) enum Merchants {
    /// A merchant of a JSON body.
    One(LabelInput),
    /// The merchants of a file.
    Several(Vec<LabelInput>),
}

impl RequestBody for NewMerchants {
    type Output = Merchants;

    fn describe(components: &mut Components) -> Option<RequestSchema> {
        let mut request = New::<MerchantFields>::describe(components)?;
        let form = components.add("MerchantUploadForm", |_| {
            let file = ObjectBuilder::new()
                .schema_type(Type::String)
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
                .content_media_type("text/csv")
                .description(Some(
                    "A CSV file of at most 1 MiB with a column `name` and, if wanted, `website` \
                     and `color`.",
                ));
            let form = ObjectBuilder::new().property("file", file).required("file");
            form.description(Some("A file of merchants.")).into()
        });
        request.contents.push(("multipart/form-data", form));
        Some(request)
    }

    async fn read(
        body: Unread,
        app: &AppState,
        caller: &Caller,
        fingerprint: &mut Fingerprint,
    ) -> ApiResult<Merchants> {
        if body.media_type() != "multipart/form-data" {
            let one = New::<MerchantFields>::read(body, app, caller, fingerprint).await?;
            return Ok(Merchants::One(one));
        }
        let file = file_of(body).await?;
        fingerprint.add(&file);
        Ok(Merchants::Several(csv::read(&file)?))
    }
}

/// The file of a form.
async fn file_of(body: Unread) -> ApiResult<Bytes> {
    let boundary = multer::parse_boundary(body.content_type())
        .map_err(|_| ApiError::bad_request("The multipart body names no boundary"))?;
    let bytes = body.bytes(2 * MERCHANT_FILE_BYTES_MAX).await?;
    let whole = stream::once(future::ready(Ok::<_, Infallible>(bytes)));
    let mut form = multer::Multipart::new(whole, boundary);
    let unreadable = |_| ApiError::bad_request("The multipart body can't be read");
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        if field.name() != Some("file") {
            continue;
        }
        let file = field.bytes().await.map_err(unreadable)?;
        if file.len() > MERCHANT_FILE_BYTES_MAX {
            let message =
                format!("The file is larger than {}", size(MERCHANT_FILE_BYTES_MAX as u64));
            return Err(Error::invalid_code("file_too_large", message).into());
        }
        return Ok(file);
    }
    Err(Error::invalid_code("missing_file", "The form has no field called file").into())
}
