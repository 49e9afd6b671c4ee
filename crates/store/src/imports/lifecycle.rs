//! The life of an import: every change of status is a compare-and-set along the legal edges.

use jiff::{SignedDuration, Timestamp};
use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, ImportId};
use purser_core::import::status::ImportStatus;
use purser_core::webhook::WebhookEvent;
use serde_json::json;

use super::count;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::webhooks::deliveries;

statements! {
    /// Takes an import from one status to the next, and fulfils the wish to publish.
    IMPORT_BEGIN = "UPDATE imports
        SET status = $1, error = NULL, publish_wanted = $2, publish_failed_at = NULL,
            rows_done = 0, updated_at = $3
        WHERE family_id = $4 AND id = $5 AND status = $6";
    /// Completes an import, with what the publish created.
    IMPORT_COMPLETE = "UPDATE imports
        SET status = $1, first_entry_id = $2, last_entry_id = $3, created_count = $4,
            completed_at = $5, updated_at = $5
        WHERE family_id = $6 AND id = $7 AND status = $8";
    /// Marks an import as failed, with the reason for people.
    IMPORT_FAIL = "UPDATE imports SET status = $1, error = $2, updated_at = $3
        WHERE family_id = $4 AND id = $5 AND status = $6";
    /// Clears the wish to publish, because the job could not be enqueued.
    IMPORT_ENQUEUE_FAILED = "UPDATE imports
        SET publish_wanted = $1, publish_failed_at = $2, updated_at = $2
        WHERE family_id = $3 AND id = $4 AND status = $5";
    /// An equal upload that was answered with a 500 not long ago: it is marked as such, or its wish
    /// to publish is still open although no process works on it.
    IMPORT_RETRIED = "SELECT id FROM imports
        WHERE family_id = $1 AND upload_fingerprint = $2 AND status = $3
            AND (publish_failed_at >= $4 OR (publish_wanted AND $5 AND created_at >= $4))
        ORDER BY created_at DESC, id DESC LIMIT 1";
    /// The wish of an upload that is taken up again.
    IMPORT_WISH = "UPDATE imports SET publish_wanted = $1,
            updated_at = CASE WHEN updated_at >= $2 THEN updated_at + 1 ELSE $2 END
        WHERE family_id = $3 AND id = $4 AND status = $5";
}

/// How long an equal upload is taken for a retry of one that was answered with a 500.
const RETRY_WINDOW: SignedDuration = SignedDuration::from_mins(10);

/// Takes an import from `from` to `importing`; false when it no longer is in `from`.
pub fn mark_importing(tx: &mut FamilyTx<'_>, id: ImportId, from: ImportStatus) -> Result<bool> {
    let family = tx.family();
    if !from.may_become(ImportStatus::Importing) {
        return Ok(false);
    }
    let now = tx.now();
    let changed = tx.execute(
        &IMPORT_BEGIN,
        &[
            Val::Text(ImportStatus::Importing.as_str()),
            Val::Bool(false),
            now.into(),
            family.into(),
            id.into(),
            Val::Text(from.as_str()),
        ],
    )?;
    Ok(changed == 1)
}

/// What a publish created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// The first and the last entry.
    pub range: Option<(EntryId, EntryId)>,
    /// The number of entries that were created.
    pub created: u64,
}

/// Takes an import from `importing` to `complete`.
pub fn complete(tx: &mut FamilyTx<'_>, id: ImportId, published: Published) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    let changed = tx.execute(
        &IMPORT_COMPLETE,
        &[
            Val::Text(ImportStatus::Complete.as_str()),
            published.range.map(|range| range.0.0).into(),
            published.range.map(|range| range.1.0).into(),
            count(published.created),
            now.into(),
            family.into(),
            id.into(),
            Val::Text(ImportStatus::Importing.as_str()),
        ],
    )?;
    one(changed)?;
    let data = json!({ "import_id": id, "created": published.created });
    deliveries::raise(tx, WebhookEvent::ImportFinished, id.0, &data)
}

/// Clears the wish to publish a pending import.
pub fn forget_wish(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<()> {
    let family = tx.family();
    let (now, pending) = (tx.now(), Val::Text(ImportStatus::Pending.as_str()));
    let wish = [Val::Bool(false), now.into(), family.into(), id.into(), pending];
    tx.execute(&IMPORT_WISH, &wish).map(drop)
}

/// `importing` becomes `failed`, with a sentence for people.
pub fn fail(tx: &mut FamilyTx<'_>, id: ImportId, sentence: &str) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    let changed = tx.execute(
        &IMPORT_FAIL,
        &[
            Val::Text(ImportStatus::Failed.as_str()),
            Val::Text(sentence),
            now.into(),
            family.into(),
            id.into(),
            Val::Text(ImportStatus::Importing.as_str()),
        ],
    )?;
    one(changed)?;
    let data = json!({ "import_id": id });
    deliveries::raise(tx, WebhookEvent::ImportFailed, id.0, &data)
}

/// The publish could not be queued: the import stays pending, and its wish is cleared.
pub fn fail_enqueue(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    tx.execute(
        &IMPORT_ENQUEUE_FAILED,
        &[
            Val::Bool(false),
            now.into(),
            family.into(),
            id.into(),
            Val::Text(ImportStatus::Pending.as_str()),
        ],
    )?;
    Ok(())
}

/// The import that an equal upload should take up again instead of making a second; its wish to
/// publish is open again. `alone`: no equal upload is under way, so a wish that is still open was
/// left behind.
pub fn take_up_again(
    tx: &mut FamilyTx<'_>,
    fingerprint: &[u8; 32],
    alone: bool,
) -> Result<Option<ImportId>> {
    let family = tx.family();
    let now = tx.now();
    let since: Timestamp = now - RETRY_WINDOW;
    let pending = Val::Text(ImportStatus::Pending.as_str());
    let key = [family.into(), Val::Bytes(fingerprint), pending, since.into(), Val::Bool(alone)];
    let found = tx.query_opt(&IMPORT_RETRIED, &key, |row| Ok(ImportId(row.uuid(0)?)))?;
    if let Some(id) = found {
        let wish = [Val::Bool(true), now.into(), family.into(), id.into(), pending];
        tx.execute(&IMPORT_WISH, &wish)?;
    }
    Ok(found)
}

fn one(changed: u64) -> Result<()> {
    if changed == 1 {
        return Ok(());
    }
    Err(Error::internal("the import is not in the status that the change starts from"))
}
