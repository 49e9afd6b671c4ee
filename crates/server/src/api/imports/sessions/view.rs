//! Import sessions as answers show them.

use purser_app::FamilyTx;
use purser_app::imports::sessions::chunk::hexadecimal;
use purser_app::imports::sessions::{self, Chunk, ImportSession};
use purser_core::error::Result;
use purser_core::ids::ImportSessionId;
use purser_core::import::import_type::ImportType;
use purser_core::import::status::ImportStatus;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::{ImportTypeName, SessionStatusName};
use crate::http::time::Time;

/// An import of which the file is sent in chunks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportSession)]
pub(super) struct SessionBody {
    /// The id of the session.
    id: Uuid,
    /// The type of the import.
    #[serde(rename = "type")]
    import_type: ImportTypeName,
    /// The status of the session.
    status: SessionStatusName,
    /// The client's own name for the session; null if it has none.
    #[schema(required)]
    client_session_id: Option<String>,
    /// The number of chunks that the file is sent in.
    #[schema(minimum = 1)]
    expected_chunks: u64,
    /// The number of chunks that are there.
    #[schema(minimum = 0)]
    chunks_count: u64,
    /// The id of the import that the session has become; null until it is published.
    #[schema(required)]
    import_id: Option<Uuid>,
    /// Why the latest publish failed; null if it did not.
    #[schema(required)]
    error: Option<SessionError>,
    /// The time at which it was created.
    created_at: Time,
    /// The time of the latest change of the session or its import.
    updated_at: Time,
    /// The time from which it is deleted, unless a chunk comes or is deleted before; null once it
    /// is published.
    #[schema(required)]
    expires_at: Option<Time>,
}

/// Why the publish of a session failed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportSessionError)]
struct SessionError {
    /// The stable code of the error: `import_failed`.
    code: &'static str,
    /// The reason, as a sentence.
    message: String,
}

/// A chunk of a session.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportSessionChunkBody)]
struct ChunkBody {
    /// The id of the chunk.
    id: Uuid,
    /// The place of the chunk in the file, counted from 1.
    #[schema(minimum = 1)]
    sequence: u64,
    /// The client's own name for the chunk; null if it has none.
    #[schema(required)]
    client_chunk_id: Option<String>,
    /// The status of its session: all chunks are published at once.
    status: SessionStatusName,
    /// The SHA-256 of its content in hexadecimal digits.
    checksum: String,
    /// The size of its content in bytes.
    #[schema(minimum = 0)]
    byte_size: u64,
    /// The number of its lines.
    #[schema(minimum = 0)]
    lines_count: u64,
    /// The number of its lines that aren't blank.
    #[schema(minimum = 0)]
    rows_count: u64,
    /// The time at which it came.
    created_at: Time,
}

/// A session with its chunks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportSessionWithChunks)]
struct SessionWithChunks {
    #[serde(flatten)]
    session: SessionBody,
    /// The chunks that are there, in their order.
    chunks: Vec<ChunkBody>,
}

/// A session, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportSessionDetail)]
pub(super) struct SessionDetail {
    /// The session as it is now.
    data: SessionWithChunks,
}

impl From<ImportSession> for SessionBody {
    fn from(session: ImportSession) -> Self {
        let (status, expires_at) = (session.status().into(), session.expires_at().map(Time));
        let import_id = session.import.as_ref().map(|import| import.id.0);
        let failed = session.import.filter(|import| import.status == ImportStatus::Failed);
        let error = failed.and_then(|import| import.error);
        Self {
            id: session.id.0,
            import_type: ImportType::Native.into(),
            status,
            client_session_id: session.client_id,
            expected_chunks: session.expected_chunks,
            chunks_count: session.chunks,
            import_id,
            error: error.map(|message| SessionError { code: "import_failed", message }),
            created_at: session.created_at.into(),
            updated_at: session.updated_at.into(),
            expires_at,
        }
    }
}

impl SessionDetail {
    /// The session with an id, as it is now.
    pub(super) fn of(tx: &mut FamilyTx<'_>, id: ImportSessionId) -> Result<Self> {
        let session = SessionBody::from(sessions::get(tx, id)?);
        let status = session.status;
        let chunks = sessions::chunks(tx, id)?.into_iter();
        let chunks = chunks.map(|chunk| ChunkBody::new(chunk, status)).collect();
        Ok(Self { data: SessionWithChunks { session, chunks } })
    }
}

impl ChunkBody {
    fn new(chunk: Chunk, status: SessionStatusName) -> Self {
        Self {
            id: chunk.id.0,
            sequence: chunk.sequence,
            client_chunk_id: chunk.client_id,
            status,
            checksum: hexadecimal(&chunk.content.sha256),
            byte_size: chunk.content.bytes,
            lines_count: chunk.lines,
            rows_count: chunk.rows,
            created_at: chunk.created_at.into(),
        }
    }
}
