//! Imports of a file with the same bytes.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, ImportId};
use purser_core::import::import_type::ImportType;
use purser_core::import::status::ImportStatus;

use crate::access::FamilyTx;
use crate::calendar::day_in;
use crate::driver::{Row, statements, vals};
use crate::families;

statements! {
    /// Imports of a file with these bytes, the newest first.
    SAME_CONTENT = "SELECT i.id, i.import_type, i.status, i.account_id, a.name, i.created_count,
            i.created_at, i.completed_at
        FROM files f
        JOIN imports i ON i.family_id = $1 AND i.file_id = f.id
        LEFT JOIN accounts a ON a.family_id = $1 AND a.id = i.account_id
        WHERE f.family_id = $1 AND f.sha256 = $2
        ORDER BY i.created_at DESC, i.id DESC LIMIT $3";
    /// Smaller files of which an import was published or is to be, the newest first.
    SMALLER_IMPORTED = "SELECT f.bytes, f.sha256
        FROM imports i JOIN files f ON f.family_id = $1 AND f.id = i.file_id
        WHERE i.family_id = $1 AND f.bytes < $2 AND f.bytes > 0
            AND (i.status IN ('importing', 'complete') OR i.publish_wanted)
        ORDER BY i.created_at DESC, i.id DESC LIMIT $3";
}

/// How many imports of the same file are named.
const NAMED_MAX: usize = 5;
/// How many are read: the caller may not see all of them.
const READ_MAX: i64 = 100;

/// Another import of a file with the same bytes, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SameFile {
    /// The id of the import.
    pub id: ImportId,
    /// What the file was taken for.
    pub import_type: ImportType,
    /// The status at present.
    pub status: ImportStatus,
    /// The account that every row went to.
    pub account: Option<AccountId>,
    /// The name of that account.
    pub account_name: Option<String>,
    /// The number of entries or other records that it created.
    pub created: u64,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it was completed; nothing if it was undone since.
    pub completed_at: Option<Timestamp>,
    /// The family's day of the completion, else of the upload.
    pub day: Date,
}

/// The imports of a file with these bytes that the caller may see, but for one; the newest first.
pub fn same_file(
    tx: &mut FamilyTx<'_>,
    sha256: &[u8; 32],
    except: Option<ImportId>,
) -> Result<Vec<SameFile>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let zone = families::get(tx)?.time_zone;
    let mut found =
        tx.query(&SAME_CONTENT, vals![family, sha256, READ_MAX], |row| read(row, &zone))?;
    found.retain(|one| Some(one.id) != except && visible.covers(one.account));
    found.truncate(NAMED_MAX);
    Ok(found)
}

/// The sizes and checksums of the newest imported files that are smaller than some bytes, whoever
/// may see them: only whether a file begins with one of them is looked at.
pub fn smaller_imported(tx: &mut FamilyTx<'_>, bytes: u64) -> Result<Vec<(u64, [u8; 32])>> {
    let (family, bytes) = (tx.family(), i64::try_from(bytes).unwrap_or(i64::MAX));
    let of =
        |row: &Row<'_>| Ok((row.count(0)?, row.bytes(1)?.try_into().map_err(Error::internal)?));
    tx.query(&SMALLER_IMPORTED, vals![family, bytes, READ_MAX], of)
}

fn read(row: &Row<'_>, zone: &str) -> Result<SameFile> {
    let (created_at, completed_at) = (row.timestamp(6)?, row.opt_timestamp(7)?);
    Ok(SameFile {
        id: row.id(0)?,
        import_type: row.named(1)?,
        status: row.named(2)?,
        account: row.opt_id(3)?,
        account_name: row.opt_string(4)?,
        created: row.count(5)?,
        created_at,
        completed_at,
        day: day_in(zone, completed_at.unwrap_or(created_at))?,
    })
}
