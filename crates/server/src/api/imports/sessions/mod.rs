//! `/api/v1/import_sessions`: imports of which the file is sent in chunks.

mod chunk;
mod publish;
mod view;

use purser_app::FamilyTx;
use purser_app::imports::sessions;
use purser_core::error::{Problem, Problems, Result};
use purser_core::ids::ImportSessionId;
use purser_core::import::import_type::ImportType;
use purser_core::limits::{CLIENT_ID_CHARS_MAX, SESSION_CHUNKS_MAX};

use self::chunk::{add, remove_chunk};
use self::publish::publish;
use self::view::{SessionBody, SessionDetail};
use super::fields::TypeName;
use crate::http::answer::{Answer, Created, Deleted, Json};
use crate::http::body::kinds::{Text, Whole};
use crate::http::body::presence::{Optional, Required};
use crate::http::body::{Checked, New, body};
use crate::http::call::{Create, Delete, List, Show};
use crate::http::error::ApiResult;
use crate::http::pagination::{DataPage, Meta};
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::Paged;
use crate::http::table::routes;

routes! { "import_sessions":
    /// List import sessions
    ///
    /// The newest come first, without their chunks. A key that is restricted to chosen accounts
    /// sees none, because such a file has all accounts.
    GET "/import_sessions" => list as list_import_sessions;
    /// Create an import session
    ///
    /// A session is an import of the type `NativeImport` of which the file is sent in chunks. With
    /// a `client_session_id` that the family has used, the answer is that session; if it expects
    /// another number of chunks, it is 409 `import_session_conflict`. A family can have 20 sessions
    /// that aren't published; a further one is refused with 409 `too_many_import_sessions`. A
    /// session that isn't published is deleted seven days after its last chunk came or was deleted.
    POST "/import_sessions" => create as create_import_session;
    /// Show an import session
    ///
    /// The answer has its status and the chunks that are there. What the file brought is shown by
    /// the import that the session has become.
    GET "/import_sessions/{id}" => show as show_import_session;
    /// Delete an import session
    ///
    /// The session and its chunks are deleted; an import that it has become stays.
    DELETE "/import_sessions/{id}" => remove as delete_import_session;
    /// Send a chunk
    ///
    /// A chunk is a part of the file with whole lines: NDJSON in UTF-8, sent as the content of an
    /// import is. Chunks may come in any order, and records may refer to those in other chunks. A
    /// chunk that is there already with the same content and the same `client_chunk_id` is answered
    /// in the same way as a new one. 409 `import_session_conflict` is the answer to a sequence that
    /// is there with other content or another `client_chunk_id`, to a `client_chunk_id` of another
    /// chunk, to a sequence above `expected_chunks`, and to a new chunk of a published session. 422
    /// `checksum_mismatch` is the answer to content that doesn't have the `checksum`, and 422
    /// `import_session_too_large` to chunks that have more than 256 MiB together; those of all
    /// sessions that aren't published may have 1 GiB (`import_sessions_too_large`).
    POST "/import_sessions/{id}/chunks" => add as add_import_session_chunk;
    /// Delete a chunk
    ///
    /// A corrected chunk can be sent in its place. A chunk of a published session is refused with
    /// 409 `import_session_conflict`.
    DELETE "/import_sessions/{id}/chunks/{n}" => remove_chunk as delete_import_session_chunk;
    /// Publish an import session
    ///
    /// The chunks become one file, which is read as a whole and stored as an import; its publish is
    /// queued, and the answer has its `import_id`. If a chunk is missing, the answer is 422
    /// `missing_chunks`. If the file can't be published as it is, nothing is stored, the chunks
    /// stay, and the answer is 422 with the code that the publish of an import has (such as
    /// `invalid_rows`), with chunk and line of the first problems. A session that is being
    /// published, or is `complete`, is answered as it is; one that is `failed` is tried again.
    POST "/import_sessions/{id}/publish" => publish as publish_import_session;
}

path_id!(ImportSessionId, "Import session", |tx: &mut FamilyTx<'_>, id| sessions::get(tx, id));

body! {
    /// The members of an import session.
    struct SessionFields as "ImportSession" {
        /// `NativeImport`, which is also meant if it is not sent, or its alias `SureImport`.
        r#type: Optional<TypeName>,
        /// The client's own name for the session, unique in the family. A session that is created
        /// again under it is the same one.
        #[example("history-2026-01-12")]
        client_session_id: Optional<Text<0, CLIENT_ID_CHARS_MAX>>,
        /// The number of chunks that the file is sent in.
        #[example(3)]
        expected_chunks: Required<Whole<1, { SESSION_CHUNKS_MAX as i64 }>>,
    }
}

/// A session that is to be created.
pub(super) struct NewSession {
    client_id: Option<String>,
    expected_chunks: u64,
}

impl Checked for SessionFields {
    type Output = NewSession;

    fn check(self, mut problems: Problems) -> Result<NewSession> {
        if self.r#type.is_some_and(|other| other != ImportType::Native) {
            problems.field("type", "must be NativeImport");
        }
        let client_id = client_id("client_session_id", self.client_session_id, &mut problems);
        let expected_chunks = whole("expected_chunks", self.expected_chunks, &mut problems);
        problems.into_result()?;
        Ok(NewSession { client_id, expected_chunks })
    }
}

/// A number that must be sent; one that can't be read is a problem already.
fn whole(field: &str, number: Option<i64>, problems: &mut Problems) -> u64 {
    if number.is_none() {
        problems.required(field);
    }
    number.map_or(0, i64::unsigned_abs)
}

/// A name that a client has given; a blank one counts as none.
fn client_id(field: &str, text: Option<String>, problems: &mut Problems) -> Option<String> {
    let text = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    if text.as_ref().is_some_and(|text| text.chars().count() > CLIENT_ID_CHARS_MAX) {
        let predicate = format!("must have at most {CLIENT_ID_CHARS_MAX} characters");
        problems.push(Problem::field(field, predicate));
    }
    text
}

async fn list(call: List<Paged>) -> ApiResult<Answer<Json<DataPage<SessionBody>>>> {
    call.read(|tx, sent| {
        let page = sent.query.page;
        let (found, total) = sessions::list(tx, page.limit(), page.offset())?;
        let data = found.into_iter().map(SessionBody::from).collect();
        Ok(Json(DataPage { data, meta: Meta::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<SessionFields>, Unrestricted>,
) -> ApiResult<Answer<Created<SessionDetail>>> {
    call.write(|tx, sent| {
        let NewSession { client_id, expected_chunks } = &sent.body;
        let session = sessions::create(tx, client_id.as_deref(), *expected_chunks)?;
        Ok(Created(SessionDetail::of(tx, session.id)?))
    })
    .await
}

async fn show(call: Show<ImportSessionId>) -> ApiResult<Answer<Json<SessionDetail>>> {
    call.read(|tx, sent| Ok(Json(SessionDetail::of(tx, sent.id)?))).await
}

async fn remove(call: Delete<ImportSessionId, Unrestricted>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| sessions::remove(tx, sent.id)).await
}
