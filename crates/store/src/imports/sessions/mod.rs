//! Sessions: files in the server's own format that come in chunks.
//!
//! A session is open until it is published: then its chunks are one file, which an import has, and
//! what is left of them are their checksums, so that one that is sent again is recognised. Whoever
//! sees only some accounts sees no session, because such a file has all of them.

pub(crate) mod chunks;

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::{FileId, ImportId, ImportSessionId};
use purser_core::import::session::{CONFLICT, SessionStatus};
use purser_core::import::status::ImportStatus;
use purser_core::limits::OPEN_SESSIONS_MAX;

use super::count;
use crate::access::FamilyTx;
use crate::driver::{Row, Tx, statements, vals};
use crate::due::{self, Kind};

pub use chunks::{Chunk, NewChunk, chunk_add, chunk_remove, chunks};

statements! {
    /// The number of sessions.
    SESSIONS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM import_sessions WHERE family_id = $1";
    /// A page of sessions, newest first.
    SESSIONS_PAGE = "SELECT s.id, s.client_session_id, s.expected_chunks, s.import_id, i.status,
            i.error, s.created_at, s.updated_at, i.updated_at,
            (SELECT CAST(COUNT(*) AS BIGINT) FROM import_session_chunks c
                WHERE c.family_id = $1 AND c.session_id = s.id)
        FROM import_sessions s
        LEFT JOIN imports i ON i.family_id = $1 AND i.id = s.import_id
        WHERE s.family_id = $1 ORDER BY s.created_at DESC, s.id DESC LIMIT $2 OFFSET $3";
    /// The session with an id.
    SESSION_BY_ID = "SELECT s.id, s.client_session_id, s.expected_chunks, s.import_id, i.status,
            i.error, s.created_at, s.updated_at, i.updated_at,
            (SELECT CAST(COUNT(*) AS BIGINT) FROM import_session_chunks c
                WHERE c.family_id = $1 AND c.session_id = s.id)
        FROM import_sessions s
        LEFT JOIN imports i ON i.family_id = $1 AND i.id = s.import_id
        WHERE s.family_id = $1 AND s.id = $2";
    /// The session with the client's name.
    SESSION_BY_CLIENT = "SELECT id FROM import_sessions
        WHERE family_id = $1 AND client_session_id = $2";
    /// The number of open sessions.
    SESSIONS_OPEN = "SELECT CAST(COUNT(*) AS BIGINT) FROM import_sessions
        WHERE family_id = $1 AND import_id IS NULL";
    /// Inserts an open session.
    SESSION_INSERT = "INSERT INTO import_sessions (family_id, id, client_session_id,
            expected_chunks, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $5)";
    /// A chunk of an open session came or went.
    SESSION_TOUCH = "UPDATE import_sessions SET updated_at = $1 WHERE family_id = $2 AND id = $3";
    /// An open session becomes an import.
    SESSION_PUBLISHED = "UPDATE import_sessions SET import_id = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4 AND import_id IS NULL";
    /// Removes a session without chunks.
    SESSION_REMOVE = "DELETE FROM import_sessions WHERE family_id = $1 AND id = $2";
    /// Open sessions of which no chunk came or went since.
    SESSIONS_OLD = "SELECT id FROM import_sessions
        WHERE family_id = $1 AND import_id IS NULL AND updated_at < $2 ORDER BY id";
    /// The open session that changed the longest time ago.
    SESSIONS_OLDEST = "SELECT MIN(updated_at) FROM import_sessions
        WHERE family_id = $1 AND import_id IS NULL";
}

/// How long an open session is kept after its last chunk came or went.
pub const OPEN_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);

/// A session as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportSession {
    /// The id of the session.
    pub id: ImportSessionId,
    /// The client's own name for it.
    pub client_id: Option<String>,
    /// How many chunks the file has.
    pub expected_chunks: u64,
    /// How many of them are there.
    pub chunks: u64,
    /// The import that it has become.
    pub import: Option<SessionImport>,
    /// When it was created.
    pub created_at: Timestamp,
    /// The time of the latest change of the session or its import.
    pub updated_at: Timestamp,
}

/// The import that a session has become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionImport {
    /// The id of the import.
    pub id: ImportId,
    /// The status of the import.
    pub status: ImportStatus,
    /// Why its publish failed, as a sentence.
    pub error: Option<String>,
}

impl ImportSession {
    /// How far it is.
    pub fn status(&self) -> SessionStatus {
        SessionStatus::of(self.import.as_ref().map(|import| import.status))
    }

    /// When it is removed unless a chunk comes or goes; never once it is published.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.updated_at.checked_add(OPEN_FOR).ok().filter(|_| self.import.is_none())
    }
}

/// A page of sessions, newest first, and how many there are in all.
pub fn list(tx: &mut FamilyTx<'_>, limit: i64, offset: i64) -> Result<(Vec<ImportSession>, u64)> {
    if tx.accounts().is_restricted() {
        return Ok((Vec::new(), 0));
    }
    let family = tx.family();
    let total = tx.query_one(&SESSIONS_COUNT, vals![family], |row| row.count(0))?;
    Ok((tx.query(&SESSIONS_PAGE, vals![family, limit, offset], read)?, total))
}

/// The session with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: ImportSessionId) -> Result<ImportSession> {
    let missing = Error::NotFound { what: "Import session" };
    if tx.accounts().is_restricted() {
        return Err(missing);
    }
    let family = tx.family();
    tx.query_opt(&SESSION_BY_ID, vals![family, id], read)?.ok_or(missing)
}

/// Creates a session. The one that the client has given this name already is returned as it is.
///
/// # Errors
/// `import_session_conflict` if that one expects another number of chunks, and
/// `too_many_import_sessions`.
pub fn create(
    tx: &mut FamilyTx<'_>,
    client_id: Option<&str>,
    expected_chunks: u64,
) -> Result<ImportSession> {
    let (family, now) = (tx.family(), tx.now());
    if let Some(name) = client_id
        && let Some(id) = tx.query_opt(&SESSION_BY_CLIENT, vals![family, name], |row| row.id(0))?
    {
        let session = get(tx, id)?;
        if session.expected_chunks == expected_chunks {
            return Ok(session);
        }
        let expected = session.expected_chunks;
        return Err(Error::Conflict {
            code: CONFLICT,
            message: format!("There is a session with this name that expects {expected} chunks"),
        });
    }
    let open = tx.query_one(&SESSIONS_OPEN, vals![family], |row| row.count(0))?;
    if open >= OPEN_SESSIONS_MAX {
        let message = format!(
            "A family can have {OPEN_SESSIONS_MAX} sessions at most that aren't published: delete \
             one first"
        );
        return Err(Error::Conflict { code: "too_many_import_sessions", message });
    }
    let id = ImportSessionId(tx.new_id()?);
    let expected = count(expected_chunks);
    tx.execute(
        &SESSION_INSERT,
        &[family.into(), id.into(), client_id.into(), expected, now.into()],
    )?;
    due::note(tx, Kind::Sessions, now.checked_add(OPEN_FOR).map_err(Error::internal)?)?;
    get(tx, id)
}

/// Notes that an open session has become an import. The caller has the files of its chunks
/// removed, of which the rows are gone then.
pub fn published(
    tx: &mut FamilyTx<'_>,
    id: ImportSessionId,
    import: ImportId,
) -> Result<Vec<FileId>> {
    let (family, now) = (tx.family(), tx.now());
    match tx.execute(&SESSION_PUBLISHED, vals![import, now, family, id])? {
        1 => chunks::let_files_go(tx, id),
        _ => Err(Error::internal("the session has an import already")),
    }
}

/// Removes a session with its chunks; its import stays. The caller has the files removed of which
/// the rows are gone then.
pub fn remove(tx: &mut FamilyTx<'_>, id: ImportSessionId) -> Result<Vec<FileId>> {
    let family = tx.family();
    let files = chunks::let_files_go(tx, id)?;
    chunks::remove_all(tx, id)?;
    tx.execute(&SESSION_REMOVE, vals![family, id])?;
    Ok(files)
}

/// Removes open sessions that nobody went on with, as [`remove`].
pub fn remove_old(tx: &mut FamilyTx<'_>) -> Result<Vec<FileId>> {
    let (family, before) = (tx.family(), old(tx)?);
    let old: Vec<ImportSessionId> =
        tx.query(&SESSIONS_OLD, vals![family, before], |row| row.id(0))?;
    let mut files = Vec::new();
    for id in old {
        files.extend(remove(tx, id)?);
    }
    let oldest = tx.query_one(&SESSIONS_OLDEST, vals![family], |row| row.opt_timestamp(0))?;
    due::set_later(tx, Kind::Sessions, due::after(oldest, OPEN_FOR)?)?;
    Ok(files)
}

/// Open sessions that nothing changed since this time are removed.
fn old(tx: &Tx<'_>) -> Result<Timestamp> {
    tx.now().checked_sub(OPEN_FOR).map_err(Error::internal)
}

fn read(row: &Row<'_>) -> Result<ImportSession> {
    let import = match row.opt_id(3)? {
        None => None,
        Some(id) => Some(SessionImport { id, status: row.named(4)?, error: row.opt_string(5)? }),
    };
    let changed_at: Timestamp = row.timestamp(7)?;
    Ok(ImportSession {
        id: row.id(0)?,
        client_id: row.opt_string(1)?,
        expected_chunks: row.count(2)?,
        import,
        created_at: row.timestamp(6)?,
        updated_at: row.opt_timestamp(8)?.map_or(changed_at, |at| at.max(changed_at)),
        chunks: row.count(9)?,
    })
}

#[cfg(test)]
mod tests;
