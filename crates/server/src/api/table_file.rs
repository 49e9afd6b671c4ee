//! A table of rates or prices in a request: as the body itself, in a form, or as a text in JSON.

use std::convert::Infallible;

use axum::body::Bytes;
use futures_util::{future, stream};
use jiff::civil::Date;
use purser_app::FamilyTx;
use purser_app::rates::own::Imported;
use purser_core::error::{Error, Problem, Result};
use purser_core::text::size::size;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};

use crate::http::answer::{Answer, Created};
use crate::http::body::RequestBody;
use crate::http::call::{Create, today};
use crate::http::caller::Caller;
use crate::http::describe::{Components, RequestSchema};
use crate::http::error::{ApiError, ApiResult};
use crate::http::fields::Fields;
use crate::http::idempotency::Fingerprint;
use crate::http::permit::Unrestricted;
use crate::http::unread::{Unread, parse_json};
use crate::limits::TABLE_FILE_BYTES_MAX;
use crate::state::AppState;

/// How much larger a body may be than the table in it: what stands around the table, and escapes.
const OVERHEAD_FACTOR: usize = 2;
const JSON_MEMBER: &str = "raw_file_content";
const FORM_FIELD: &str = "file";
const DESCRIPTION: &str = "The table as CSV, at most 10 MiB.";

/// The body of a request that imports a table.
pub(super) struct TableFile;

/// The numbers of rows of a table by their effect.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TableImported)]
pub(super) struct TableBody {
    /// The number of rows that were added.
    added: u64,
    /// The number of rows that replaced another value.
    changed: u64,
    /// The number of rows that existed already.
    unchanged: u64,
    /// The number of days on which a person entered another value, which stays.
    kept: u64,
}

impl From<Imported> for TableBody {
    fn from(imported: Imported) -> Self {
        let Imported { added, changed, unchanged, kept } = imported;
        Self { added, changed, unchanged, kept }
    }
}

/// Imports the table of a request: reads it, then stores its rows in one transaction.
pub(super) async fn import<T: Send + Sync + 'static>(
    call: Create<TableFile, Unrestricted>,
    read: fn(&[u8], Date) -> Result<T>,
    store: fn(&mut FamilyTx<'_>, &T) -> Result<Imported>,
) -> ApiResult<Answer<Created<TableBody>>> {
    call.write_prepared(
        async move |app, access, file| {
            let today = today(app, access.clone()).await?;
            Ok(app.read_file(&access, move || read(&file, today)).await?)
        },
        move |tx, (rows, _turn)| Ok(Created(store(tx, rows)?.into())),
    )
    .await
}

impl RequestBody for TableFile {
    type Output = Bytes;

    fn describe(components: &mut Components) -> Option<RequestSchema> {
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let json = components.add("TableText", |_| {
            let table = text()
                .description(Some(DESCRIPTION))
                .examples(["date,base,quote,rate\n2026-01-12,EUR,USD,1.0844\n"]);
            ObjectBuilder::new()
                .property(JSON_MEMBER, table)
                .required(JSON_MEMBER)
                .description(Some("A table as a text in JSON."))
                .into()
        });
        let form = components.add("TableForm", |_| {
            let table = text()
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
                .content_media_type("text/csv")
                .description(Some(DESCRIPTION));
            ObjectBuilder::new()
                .property(FORM_FIELD, table)
                .required(FORM_FIELD)
                .description(Some("A table as a file in a form."))
                .into()
        });
        let csv = text().format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
        let csv = csv.description(Some(DESCRIPTION)).into();
        let contents =
            vec![("application/json", json), ("multipart/form-data", form), ("text/csv", csv)];
        Some(RequestSchema { contents, required: true })
    }

    async fn read(
        body: Unread,
        _: &AppState,
        _: &Caller,
        fingerprint: &mut Fingerprint,
    ) -> ApiResult<Bytes> {
        let file = match body.media_type().as_str() {
            "text/csv" => body.bytes(TABLE_FILE_BYTES_MAX).await?,
            "multipart/form-data" => of_form(body).await?,
            "application/json" => {
                let bytes = body.bytes(OVERHEAD_FACTOR * TABLE_FILE_BYTES_MAX).await?;
                let fields = Fields::of(&parse_json::<Box<RawValue>>(&bytes)?)?;
                let table = fields.json(JSON_MEMBER).filter(|table| !table.is_null());
                let text = table.ok_or_else(missing)?.text();
                let not_text = || Error::invalid(Problem::field(JSON_MEMBER, "must be a string"));
                Bytes::from(text.ok_or_else(not_text)?)
            }
            _ => {
                return Err(ApiError::unsupported_media_type(
                    "The body must be text/csv, multipart/form-data or application/json",
                ));
            }
        };
        if file.len() > TABLE_FILE_BYTES_MAX {
            let message = format!("The file is larger than {}", size(TABLE_FILE_BYTES_MAX as u64));
            return Err(Error::invalid_code("file_too_large", message).into());
        }
        fingerprint.add(&file);
        Ok(file)
    }
}

async fn of_form(body: Unread) -> ApiResult<Bytes> {
    let boundary = multer::parse_boundary(body.content_type())
        .map_err(|_| ApiError::bad_request("The multipart body names no boundary"))?;
    let bytes = body.bytes(OVERHEAD_FACTOR * TABLE_FILE_BYTES_MAX).await?;
    let whole = stream::once(future::ready(Ok::<_, Infallible>(bytes)));
    let mut form = multer::Multipart::new(whole, boundary);
    let unreadable = |_| ApiError::bad_request("The multipart body can't be read");
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        if field.name() == Some(FORM_FIELD) {
            return field.bytes().await.map_err(unreadable);
        }
    }
    Err(missing().into())
}

fn missing() -> Error {
    Error::invalid_code("missing_content", "The request has no file and no raw_file_content")
}
