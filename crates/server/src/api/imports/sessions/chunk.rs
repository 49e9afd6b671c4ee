//! `POST /import_sessions/{id}/chunks` and `DELETE /import_sessions/{id}/chunks/{n}`

use std::sync::Arc;

use axum::extract::RawPathParams;
use http::StatusCode;
use purser_app::FamilyTx;
use purser_app::blocking::blocking;
use purser_app::imports::sessions;
use purser_app::imports::sessions::chunk::{self, ChunkRequest, ReceivedChunk};
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::ImportSessionId;
use purser_core::limits::CLIENT_ID_CHARS_MAX;

use super::super::upload::{ContentTexts, contents, missing_content};
use super::view::SessionDetail;
use super::{client_id, whole};
use crate::http::answer::{Answer, Created, Deleted, Or};
use crate::http::body::kinds::{Form, Formed, Text, Whole};
use crate::http::body::presence::{Optional, Required};
use crate::http::body::{Checked, RequestBody, body, read_with};
use crate::http::call::{AcceptedCall, Call, Opening, commit};
use crate::http::caller::Caller;
use crate::http::content::{Content, ContentLimits, receive};
use crate::http::describe::{Components, Description, RequestSchema};
use crate::http::error::ApiResult;
use crate::http::idempotency::Fingerprint;
use crate::http::openapi::StorageError;
use crate::http::path::{PathParams, describe_id, describe_number, read_id, read_number};
use crate::http::permit::Unrestricted;
use crate::http::unread::Unread;
use crate::state::AppState;

/// The largest number that is read as a sequence; whether it fits, the session decides.
const SEQUENCE_MAX: i64 = 1_000_000;

body! {
    /// The members that are sent with the content of a chunk.
    struct ChunkFields as "ImportSessionChunk" {
        /// The place of the chunk in the file, counted from 1.
        #[example(1)]
        sequence: Required<Whole<1, SEQUENCE_MAX>>,
        /// The client's own name for the chunk, unique in the session.
        #[example("history-1")]
        client_chunk_id: Optional<Text<0, CLIENT_ID_CHARS_MAX>>,
        /// The SHA-256 of the content in hexadecimal digits. If it is sent, it is compared.
        #[example("24f72b24efe8cff52ea5f93ba192b6efa92bc530e9263824a633d1df08832188")]
        checksum: Optional<Formed<Checksum>>,
    }
}

/// A SHA-256 in hexadecimal digits.
struct Checksum;

impl Form for Checksum {
    const PATTERN: &'static str = "^ *([0-9A-Fa-f]{64})? *$";
}

impl Checked for ChunkFields {
    type Output = ChunkRequest;

    fn check(self, mut problems: Problems) -> Result<ChunkRequest> {
        let sequence = whole("sequence", self.sequence, &mut problems);
        let client_id = client_id("client_chunk_id", self.client_chunk_id, &mut problems);
        let checksum = self.checksum.map(|text| text.trim().to_owned());
        let checksum = checksum.filter(|text| !text.is_empty());
        let is_checksum =
            |text: &String| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !checksum.as_ref().is_none_or(is_checksum) {
            problems.field("checksum", "must be 64 hexadecimal digits");
        }
        problems.into_result()?;
        Ok(ChunkRequest { sequence, client_id, checksum })
    }
}

/// A chunk: its content is on the disk and looked through.
pub(super) struct ChunkUpload;

impl RequestBody for ChunkUpload {
    type Output = Arc<ReceivedChunk>;

    fn describe(components: &mut Components) -> Option<RequestSchema> {
        let texts = ContentTexts {
            inline: "The content of the chunk as a text, at most 32 MiB in UTF-8.",
            file: "The chunk as a file, at most 256 MiB. It counts if `raw_file_content` is sent \
                   too.",
            example: "{\"type\":\"Tag\",\"data\":{\"id\":\"t1\",\"name\":\"Holiday\"}}\n",
        };
        let contents = contents::<ChunkFields>(false, &texts, components);
        Some(RequestSchema { contents, required: true })
    }

    async fn read(
        body: Unread,
        app: &AppState,
        caller: &Caller,
        fingerprint: &mut Fingerprint,
    ) -> ApiResult<Arc<ReceivedChunk>> {
        let limits = ContentLimits::new(app.imports.max_csv_bytes);
        let received = receive(body, app, caller.family, limits).await?;
        let request = read_with::<ChunkFields>(&received.fields, received.problems)?;
        let Some(Content { stored, .. }) = received.content else {
            return Err(missing_content().into());
        };
        let chunk = ReceivedChunk::receive(app, &caller.access(), request, stored).await?;
        fingerprint.add(&chunk.fingerprint());
        Ok(Arc::new(chunk))
    }
}

/// A chunk of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChunkPlace {
    session: ImportSessionId,
    /// The place of the chunk; none if what was sent is no number.
    sequence: Option<u64>,
}

impl PathParams for ChunkPlace {
    fn read(params: Option<&RawPathParams>) -> Result<Self> {
        Ok(Self { session: read_id(params)?, sequence: read_number(params) })
    }

    fn describe(operation: &mut Description<'_>) -> bool {
        describe_id::<ImportSessionId>(operation);
        describe_number(operation, "The `sequence` of the chunk.");
        true
    }

    fn require(&self, tx: &mut FamilyTx<'_>) -> Result<()> {
        sessions::get(tx, self.session)?;
        self.sequence().map(drop)
    }
}

impl ChunkPlace {
    fn sequence(self) -> Result<u64> {
        self.sequence.ok_or(Error::NotFound { what: "Chunk" })
    }
}

pub(super) async fn add(
    call: Call<Unrestricted, ImportSessionId, (), ChunkUpload>,
) -> ApiResult<Answer<Or<Created<SessionDetail>, StorageError>>> {
    let AcceptedCall { app, caller, sent, guard } = match call.open().await? {
        Opening::Proceed(opened) => opened,
        Opening::Answered(answer) => return Ok(answer),
    };
    let (id, chunk) = (sent.id, sent.body.clone());
    let work = move |tx: &mut FamilyTx<'_>| {
        chunk.store(tx, id)?;
        Ok(Ok(Created(SessionDetail::of(tx, id)?).into()))
    };
    let done = commit(&app, caller.access(), &guard, work).await;
    let chunk = sent.body;
    let is_refused = is_surely_undone(&done);
    blocking(move || {
        if is_refused {
            chunk.discard();
        }
        drop(chunk);
        Ok(())
    })
    .await?;
    done?
}

/// Whether a commit was refused before it did anything, or an error was raised before it, so that
/// nothing of the transaction is stored.
pub(super) fn is_surely_undone<T>(done: &Result<ApiResult<T>>) -> bool {
    match done {
        Ok(Err(refused)) => refused.status() == StatusCode::UNAUTHORIZED,
        Err(error) => error.is_refusal(),
        Ok(Ok(_)) => false,
    }
}

pub(super) async fn remove_chunk(
    call: Call<Unrestricted, ChunkPlace>,
) -> ApiResult<Answer<Deleted>> {
    call.write(|tx, sent| {
        sessions::get(tx, sent.id.session)?;
        chunk::remove(tx, sent.id.session, sent.id.sequence()?)?;
        Ok(Deleted("Chunk"))
    })
    .await
}
