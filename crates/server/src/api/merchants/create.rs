//! `POST /api/v1/merchants`: one as JSON, or several as a CSV file in a form.

use std::convert::Infallible;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use futures_util::{future, stream};
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::labels::require_unrestricted;
use purser_app::merchants;
use purser_core::error::Error;
use purser_core::labels::input::LabelInput;
use serde::Serialize;
use utoipa::ToSchema;

use super::csv;
use super::shape::{ImportedBody, MerchantBody};
use crate::api::label_input;
use crate::http::caller::Writer;
use crate::http::error::{ApiError, ApiResult};
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, Fingerprint, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::limits::MERCHANT_FILE_BYTES_MAX;
use crate::state::AppState;

const ROUTE: &str = "POST /merchants";

/// A new merchant. The fields may also stand outside of `merchant`.
#[derive(Debug, ToSchema)]
#[schema(as = NewMerchant)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The merchant.
    merchant: RequestFields,
}

/// The fields of a new merchant.
#[derive(Debug, ToSchema)]
#[schema(as = NewMerchantFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Shown name, at most 200 characters; unique.
    #[schema(example = "Corner Shop", min_length = 1, max_length = 200)]
    name: String,
    /// `#rrggbb`; null or missing: one that is always the same.
    #[schema(example = "#2f7fc1")]
    color: Option<String>,
    /// A domain, or an address that starts with `https://`.
    #[schema(example = "shop.example", max_length = 200)]
    website: Option<String>,
}

/// Merchants in a file.
#[derive(Debug, ToSchema)]
#[schema(as = MerchantUploadForm)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct UploadForm {
    /// A CSV file of at most 1 MiB with a column `name`, and perhaps `website` and `color`.
    #[schema(value_type = String, format = Binary, content_media_type = "text/csv")]
    file: Vec<u8>,
}

/// What an answer has: by what was sent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = MerchantsCreated)]
#[serde(untagged)]
enum Created {
    /// Of JSON.
    One(MerchantBody),
    /// Of a file.
    Several(ImportedBody),
}

/// What is to be created.
enum Wanted {
    One(LabelInput),
    Several(Vec<LabelInput>),
}

/// Create a merchant, or several
///
/// JSON creates one. A form with a CSV file creates one for each row whose name there isn't yet; if
/// a row can't be read, none is created. The codes of a refused file are `missing_file`,
/// `file_too_large`, `missing_column`, `invalid_csv` and `validation_failed`. Not with a key that
/// is restricted to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    post,
    path = "/merchants",
    operation_id = "create_merchant",
    tag = "merchants",
    params(IdempotencyParams),
    request_body(content(
        (Request = "application/json"),
        (UploadForm = "multipart/form-data")
    )),
    responses((status = 201, body = Created), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before what is wrong with the request.
    require_unrestricted(caller.accounts())?;
    let key = key?;
    let (wanted, fingerprint) = wanted(body).await?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let created = match &wanted {
                Wanted::One(input) => {
                    let made = merchants::create(tx, caller.family, accounts, actor, input)?;
                    Created::One(made.into())
                }
                Wanted::Several(inputs) => {
                    let (made, skipped) =
                        merchants::create_many(tx, caller.family, accounts, actor, inputs)?;
                    let merchants: Vec<MerchantBody> = made.into_iter().map(Into::into).collect();
                    let imported = merchants.len() as u64;
                    Created::Several(ImportedBody { imported, skipped, merchants })
                }
            };
            let body = serde_json::to_string(&created).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}

/// What the body asks for; its media type says how it is read.
async fn wanted(body: Unread) -> ApiResult<(Wanted, [u8; 32])> {
    if body.media_type() != "multipart/form-data" {
        let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
        return Ok((Wanted::One(label_input::read(&fields, "merchant")?), fingerprint));
    }
    let file = file_of(body).await?;
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(&file);
    Ok((Wanted::Several(csv::read(&file)?), fingerprint.finish()))
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
            let message = format!("The file is larger than {MERCHANT_FILE_BYTES_MAX} bytes");
            return Err(Error::invalid_code("file_too_large", message).into());
        }
        return Ok(file);
    }
    Err(Error::invalid_code("missing_file", "The form has no field called file").into())
}
