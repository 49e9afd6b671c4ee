//! The bodies of requests that bring a file: in a form, as a text in JSON, or as the body itself.

use std::sync::Arc;

use purser_app::blocking::blocking;
use purser_app::imports::edit::NewContent;
use purser_app::imports::upload::Upload;
use purser_core::error::{Error, Problem};
use purser_formats::json_upload::CONTENT_FIELD;
use utoipa::openapi::schema::{KnownFormat, Object, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};

use super::fields::{ContentFields, UploadFields};
use crate::http::body::schema::{object, or_null};
use crate::http::body::{Body, RequestBody, read_with};
use crate::http::caller::Caller;
use crate::http::content::{Content, ContentLimits, FILE_FIELD, receive, receive_any};
use crate::http::describe::{Components, RequestSchema};
use crate::http::error::ApiResult;
use crate::http::idempotency::Fingerprint;
use crate::http::unread::Unread;
use crate::state::AppState;

/// A new import: its file is on the disk and read.
pub(super) struct NewImport;

impl RequestBody for NewImport {
    type Output = Arc<Upload>;

    fn describe(components: &mut Components) -> Option<RequestSchema> {
        Some(RequestSchema {
            contents: contents::<UploadFields>(false, &OF_IMPORT, components),
            required: true,
        })
    }

    async fn read(
        body: Unread,
        app: &AppState,
        caller: &Caller,
        fingerprint: &mut Fingerprint,
    ) -> ApiResult<Arc<Upload>> {
        let limits = ContentLimits::new(app.imports.max_csv_bytes);
        let received = receive(body, app, caller.family, limits).await?;
        let request = read_with::<UploadFields>(&received.fields, received.problems)?;
        let content = received.content.map(|Content { stored, name }| (stored, name));
        let upload = Upload::receive(app, caller.access(), request, content).await?;
        fingerprint.add(&upload.fingerprint());
        Ok(Arc::new(upload))
    }
}

/// Content that replaces that of an import.
pub(super) struct Replacement;

impl RequestBody for Replacement {
    type Output = NewContent;

    fn describe(components: &mut Components) -> Option<RequestSchema> {
        let mut contents = contents::<ContentFields>(true, &OF_IMPORT, components);
        let mut file =
            text("The content of the file, at most 10 MiB as CSV; more in other formats.");
        file.format = Some(SchemaFormat::KnownFormat(KnownFormat::Binary));
        contents.push(("text/csv", file.into()));
        Some(RequestSchema { contents, required: true })
    }

    async fn read(
        body: Unread,
        app: &AppState,
        caller: &Caller,
        _: &mut Fingerprint,
    ) -> ApiResult<NewContent> {
        let limits = ContentLimits::new(app.imports.max_csv_bytes);
        let received = receive_any(body, app, caller.family, limits).await?;
        let (use_template, password) =
            read_with::<ContentFields>(&received.fields, received.problems)?;
        let Some(Content { stored, name }) = received.content else {
            return Err(missing_content().into());
        };
        let csv_bytes_max = app.imports.max_csv_bytes;
        let words = None;
        Ok(NewContent { stored, name, csv_bytes_max, use_template, password, words })
    }
}

/// Deletes the files of an upload that was surely not stored.
pub(super) async fn discard(upload: Arc<Upload>) -> ApiResult<()> {
    let discarded = blocking(move || {
        upload.discard();
        Ok(())
    });
    Ok(discarded.await?)
}

/// The error of a request without content.
pub(super) fn missing_content() -> Error {
    let sentence = "The request has no file and no raw_file_content";
    Error::invalid_code("missing_content", Problem::about(CONTENT_FIELD, sentence))
}

/// How content is described.
pub(super) struct ContentTexts {
    /// What a text in the request is.
    pub(super) inline: &'static str,
    /// What a file is.
    pub(super) file: &'static str,
    /// A text for example.
    pub(super) example: &'static str,
}

/// The content of an import.
const OF_IMPORT: ContentTexts = ContentTexts {
    inline: "The content of the file as a text, at most 10 MiB in UTF-8 (OFX, CAMT, MT940, QIF and \
             `NativeImport`: 32 MiB). PDF documents, spreadsheets and archives have to be files.",
    file: "The file, at most 10 MiB (PDF: 25 MiB; OFX, CAMT, MT940, QIF, spreadsheets, archives: 32 \
           MiB; `NativeImport`: 256 MiB). It counts if `raw_file_content` is sent too.",
    example: "Date,Amount\n2026-01-12,-12.50\n",
};

/// Content with the members of `B` beside it, as JSON and as a form.
pub(super) fn contents<B: Body>(
    is_required: bool,
    texts: &ContentTexts,
    components: &mut Components,
) -> Vec<(&'static str, RefOr<Schema>)> {
    let mut content = text(texts.inline);
    content.example = Some(texts.example.into());
    let file = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .content_media_type("application/octet-stream")
        .description(Some(texts.file))
        .build();
    let mut with = |name: &str, add: &dyn Fn(&mut Object)| {
        components.add(name, |components| {
            let mut object = object::<B>(true, components);
            add(&mut object);
            RefOr::T(Schema::Object(object))
        })
    };
    let json = with(B::NAME, &|object| {
        let content = RefOr::from(content.clone());
        let content = if is_required { content } else { or_null(content) };
        object.properties.insert(CONTENT_FIELD.to_owned(), content);
        object.required.extend(is_required.then(|| CONTENT_FIELD.to_owned()));
    });
    let form = with(&format!("{}Form", B::NAME), &|object| {
        object.properties.insert(FILE_FIELD.to_owned(), file.clone().into());
        object.properties.insert(CONTENT_FIELD.to_owned(), content.clone().into());
    });
    vec![("application/json", json), ("multipart/form-data", form)]
}

fn text(description: &str) -> Object {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description)).build()
}
