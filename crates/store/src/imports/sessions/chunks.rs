//! The chunks of sessions.

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::{ChunkId, FileId, ImportId, ImportSessionId};
use purser_core::import::session::{self, CONFLICT, ChunkFate, ChunkIdentity};
use purser_core::limits::OPEN_SESSIONS_BYTES_MAX;
use purser_core::text::size::size;

use super::super::count;
use super::{ImportSession, SESSION_TOUCH, get};
use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};
use crate::files::{Content, file_insert, file_remove};

statements! {
    /// The chunks of a session in their order.
    CHUNKS = "SELECT id, sequence, client_chunk_id, file_id, bytes, sha256, lines_count,
            rows_count, created_at
        FROM import_session_chunks
        WHERE family_id = $1 AND session_id = $2 ORDER BY sequence";
    /// The bytes of all chunks that have a file.
    CHUNKS_BYTES = "SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM import_session_chunks
        WHERE family_id = $1 AND file_id IS NOT NULL";
    /// Inserts a chunk with its file.
    CHUNK_INSERT = "INSERT INTO import_session_chunks (family_id, session_id, sequence, id,
            client_chunk_id, file_id, bytes, sha256, lines_count, rows_count, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    /// Removes the chunk with a sequence.
    CHUNK_REMOVE = "DELETE FROM import_session_chunks
        WHERE family_id = $1 AND session_id = $2 AND sequence = $3";
    /// Removes all chunks of a session.
    CHUNKS_REMOVE = "DELETE FROM import_session_chunks WHERE family_id = $1 AND session_id = $2";
    /// The files of the chunks of a session go.
    CHUNKS_WITHOUT_FILES = "UPDATE import_session_chunks SET file_id = NULL
        WHERE family_id = $1 AND session_id = $2";
    /// Removes the chunks of the session that an import was.
    CHUNKS_OF_IMPORT_REMOVE = "DELETE FROM import_session_chunks
        WHERE family_id = $1 AND session_id IN (
            SELECT id FROM import_sessions WHERE family_id = $1 AND import_id = $2)";
    /// Removes the session that an import was.
    SESSION_OF_IMPORT_REMOVE = "DELETE FROM import_sessions
        WHERE family_id = $1 AND import_id = $2";
}

/// A chunk as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// The id of the chunk.
    pub id: ChunkId,
    /// Its place among the chunks, counted from 1.
    pub sequence: u64,
    /// The client's own name for it.
    pub client_id: Option<String>,
    /// The file with its content, until the session has an import.
    pub file: Option<FileId>,
    /// The size and the checksum of its content.
    pub content: Content,
    /// The number of its lines.
    pub lines: u64,
    /// The number of lines that aren't blank.
    pub rows: u64,
    /// The time at which it came.
    pub created_at: Timestamp,
}

impl Chunk {
    fn identity(&self) -> ChunkIdentity<'_> {
        ChunkIdentity {
            sequence: self.sequence,
            client_id: self.client_id.as_deref(),
            sha256: &self.content.sha256,
        }
    }
}

/// A chunk that came; its file is on the disk.
#[derive(Debug, Clone)]
pub struct NewChunk {
    /// Its place among the chunks, counted from 1.
    pub sequence: u64,
    /// The client's own name for it.
    pub client_id: Option<String>,
    /// The file with its content.
    pub file: FileId,
    /// The size and the checksum of its content.
    pub content: Content,
    /// The number of its lines.
    pub lines: u64,
    /// The number of lines that aren't blank.
    pub rows: u64,
}

/// The chunks of a session in their order.
pub fn chunks(tx: &mut FamilyTx<'_>, id: ImportSessionId) -> Result<Vec<Chunk>> {
    let family = tx.family();
    tx.query(&CHUNKS, vals![family, id], read)
}

/// Adds a chunk to a session, which may have `bytes_max` in all. One that is there already is
/// returned as it is, with its own file.
///
/// # Errors
/// `import_session_conflict` if it doesn't fit the session, and `import_session_too_large` and
/// `import_sessions_too_large` if there is no room for it.
pub fn chunk_add(
    tx: &mut FamilyTx<'_>,
    id: ImportSessionId,
    new: &NewChunk,
    bytes_max: u64,
) -> Result<Chunk> {
    let ImportSession { expected_chunks, import, .. } = get(tx, id)?;
    let (family, now) = (tx.family(), tx.now());
    let mut stored = chunks(tx, id)?;
    let sent = ChunkIdentity {
        sequence: new.sequence,
        client_id: new.client_id.as_deref(),
        sha256: &new.content.sha256,
    };
    let identities: Vec<ChunkIdentity<'_>> = stored.iter().map(Chunk::identity).collect();
    let fate = session::judge(sent, (expected_chunks, import.is_none()), &identities)?;
    if fate == ChunkFate::New {
        let of_session: u64 = stored.iter().map(|chunk| chunk.content.bytes).sum();
        let of_family = tx.query_one(&CHUNKS_BYTES, vals![family], |row| row.count(0))?;
        require_room(new.content.bytes, (of_session, bytes_max), of_family)?;
        file_insert(tx, new.file, None, &new.content)?;
        let chunk = ChunkId(tx.new_id()?);
        tx.execute(
            &CHUNK_INSERT,
            &[
                family.into(),
                id.into(),
                count(new.sequence),
                chunk.into(),
                new.client_id.as_deref().into(),
                new.file.into(),
                count(new.content.bytes),
                (&new.content.sha256).into(),
                count(new.lines),
                count(new.rows),
                now.into(),
            ],
        )?;
        tx.execute(&SESSION_TOUCH, vals![now, family, id])?;
        stored = chunks(tx, id)?;
    }
    let chunk = stored.into_iter().find(|chunk| chunk.sequence == new.sequence);
    chunk.ok_or_else(|| Error::internal("the chunk isn't there"))
}

fn require_room(bytes: u64, (of_session, bytes_max): (u64, u64), of_family: u64) -> Result<()> {
    if of_session + bytes > bytes_max {
        let message = format!("The chunks of the session have more than {}", size(bytes_max));
        return Err(Error::invalid_code("import_session_too_large", message));
    }
    if of_family + bytes > OPEN_SESSIONS_BYTES_MAX {
        let message = format!(
            "The chunks of all sessions that aren't published have more than {}: publish or delete \
             one first",
            size(OPEN_SESSIONS_BYTES_MAX)
        );
        return Err(Error::invalid_code("import_sessions_too_large", message));
    }
    Ok(())
}

/// Removes a chunk of an open session, so that another one can be sent in its place. The caller
/// has the file removed.
///
/// # Errors
/// If there is no such chunk, and `import_session_conflict` if the session is published.
pub fn chunk_remove(tx: &mut FamilyTx<'_>, id: ImportSessionId, sequence: u64) -> Result<FileId> {
    let session = get(tx, id)?;
    let (family, now) = (tx.family(), tx.now());
    let chunk = chunks(tx, id)?.into_iter().find(|chunk| chunk.sequence == sequence);
    let chunk = chunk.ok_or(Error::NotFound { what: "Chunk" })?;
    let (None, Some(file)) = (session.import, chunk.file) else {
        return Err(Error::Conflict {
            code: CONFLICT,
            message: "The session has been published: its chunks stay".to_owned(),
        });
    };
    tx.execute(&CHUNK_REMOVE, &[family.into(), id.into(), count(sequence)])?;
    file_remove(tx, file)?;
    tx.execute(&SESSION_TOUCH, vals![now, family, id])?;
    Ok(file)
}

/// Removes the rows of the files of a session's chunks.
pub(super) fn let_files_go(tx: &mut FamilyTx<'_>, id: ImportSessionId) -> Result<Vec<FileId>> {
    let family = tx.family();
    let files: Vec<FileId> = chunks(tx, id)?.into_iter().filter_map(|chunk| chunk.file).collect();
    tx.execute(&CHUNKS_WITHOUT_FILES, vals![family, id])?;
    for file in &files {
        file_remove(tx, *file)?;
    }
    Ok(files)
}

/// Removes the rows of a session's chunks.
pub(super) fn remove_all(tx: &mut FamilyTx<'_>, id: ImportSessionId) -> Result<()> {
    let family = tx.family();
    tx.execute(&CHUNKS_REMOVE, vals![family, id]).map(drop)
}

/// Removes the session that an import was, if it was one.
pub(crate) fn remove_of_import(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
    let family = tx.family();
    tx.execute(&CHUNKS_OF_IMPORT_REMOVE, vals![family, import])?;
    tx.execute(&SESSION_OF_IMPORT_REMOVE, vals![family, import]).map(drop)
}

fn read(row: &Row<'_>) -> Result<Chunk> {
    let sha256 = row.bytes(5)?.try_into().map_err(Error::internal)?;
    Ok(Chunk {
        id: row.id(0)?,
        sequence: row.count(1)?,
        client_id: row.opt_string(2)?,
        file: row.opt_id(3)?,
        content: Content { bytes: row.count(4)?, sha256 },
        lines: row.count(6)?,
        rows: row.count(7)?,
        created_at: row.timestamp(8)?,
    })
}
