//! Entries that nobody sees: those of a publish that has not ended, and of an undo that has begun.
//!
//! SQLite has one writer, so a large change of the ledger is cut up into several commits. In
//! between a row of `hidden_entries` names the range of ids that the view `ledger_entries` leaves
//! out, and whatever an unfinished publish created beside entries is left out by the views of
//! accounts, categories and tags. What is hidden counts nowhere: counters and balances are moved in
//! the commit that shows it, or that hides it. So a hidden range can be removed at any time, part
//! by part, and nothing is left of it. Here alone entries are read without the view.

use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, ImportId};

use super::record_hashes;
use super::records::kinds;
use super::undo::{self, Range};
use super::{Executor, VERSION_MOVE};
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Hides a range of ids.
    HIDE = "INSERT INTO hidden_entries (family_id, import_id, action, first_id, last_id)
        VALUES ($1, $2, $3, $4, $5)";
    /// The hidden ranges of a family.
    HIDDEN = "SELECT import_id, action, first_id, last_id FROM hidden_entries WHERE family_id = $1";
    /// Nothing is hidden any more.
    SHOW = "DELETE FROM hidden_entries WHERE family_id = $1 AND import_id = $2";
    /// The first entry after a part.
    PART_END = "SELECT id FROM entries
        WHERE family_id = $1 AND id >= $2 AND id <= $3 AND changed_at IS NULL
        ORDER BY id LIMIT 1 OFFSET $4";
    /// Records that a publish created, the last first: what points to another comes after it.
    CREATED_HIDDEN = "SELECT kind, target_id FROM import_created
        WHERE family_id = $1 AND import_id = $2 ORDER BY target_id DESC";
    /// Accounts that it created.
    ACCOUNTS_DELETE = "DELETE FROM accounts
        WHERE family_id = $1 AND id IN (SELECT target_id
            FROM import_created WHERE family_id = $1 AND import_id = $2 AND kind = 'account')";
    /// Removes the record of created things.
    CREATED_FORGET = "DELETE FROM import_created WHERE family_id = $1 AND import_id = $2";
    /// And that of their images.
    CHANGES_FORGET = "DELETE FROM import_changes WHERE family_id = $1 AND import_id = $2";
}

/// Entries that are removed before the next look at how much was written.
const SLICE_ENTRIES: u64 = 500;
/// The range is of a publish: nobody has seen it yet.
const PUBLISH: &str = "publish";
/// The range is of an undo: nobody sees it any more.
const UNDO: &str = "undo";

/// What is still hidden after a part of it was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HiddenLeft {
    /// More; so many entries were removed now.
    More(u64),
    /// Nothing; so many entries were removed now.
    Nothing(u64),
}

impl Executor {
    /// Hides everything that the plan adds until [`Executor::show`].
    pub fn hide(&mut self, tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
        self.is_in_parts = true;
        let last = self.entries_max.max(1) - 1;
        let range = (EntryId(self.ids.get(0)), EntryId(self.ids.get(last)));
        hide(tx, import, PUBLISH, range)
    }

    /// Shows what was hidden, in the transaction that finishes the plan. What others wrote to the
    /// accounts in the meantime is taken into account.
    pub fn show(&mut self, tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
        tx.execute(&SHOW, &[self.family.into(), import.into()])?;
        self.is_in_parts = false;
        self.accounts.read_again(tx)
    }

    /// Hides a range of entries for good, but for those that a person changed: they are counted out
    /// of counters and balances and leave transfers. [`remove_hidden`] deletes them afterwards.
    pub fn hide_range(
        mut self,
        tx: &mut FamilyTx<'_>,
        import: ImportId,
        range: Range,
    ) -> Result<()> {
        self.count_out_range(tx, range)?;
        undo::detach_range(tx, range)?;
        hide(tx, import, UNDO, range)?;
        self.positions.write(tx, &mut self.accounts)?;
        self.accounts.write(tx)?;
        tx.execute(&VERSION_MOVE, &[self.family.into()]).map(drop)
    }
}

fn hide(tx: &mut FamilyTx<'_>, import: ImportId, action: &str, range: Range) -> Result<()> {
    let family = tx.family();
    let row = [family.into(), import.into(), Val::Text(action), range.0.into(), range.1.into()];
    tx.execute(&HIDE, &row).map(drop)
}

/// Whether a publish or an undo in parts is under way, or was when its process died.
pub(crate) fn is_anything_hidden(tx: &mut FamilyTx<'_>) -> Result<bool> {
    let family = tx.family();
    Ok(tx.query_opt(&HIDDEN, &[family.into()], |_| Ok(()))?.is_some())
}

/// Removes at most `entries_max` of the family's hidden entries, and fewer if that is already much
/// to write. With the last of them goes what an unfinished publish created beside them, and the
/// range itself.
pub fn remove_hidden(tx: &mut FamilyTx<'_>, entries_max: u64) -> Result<HiddenLeft> {
    let family = tx.family();
    let hidden = tx.query_opt(&HIDDEN, &[family.into()], |row| {
        let range: Range = (row.id(2)?, row.id(3)?);
        Ok((row.id::<ImportId>(0)?, row.text(1)? == PUBLISH, range))
    })?;
    let Some((import, is_publish, (first, last))) = hidden else {
        return Ok(HiddenLeft::Nothing(0));
    };
    let mut removed = 0;
    let mut from = first;
    loop {
        let count = SLICE_ENTRIES.min(entries_max.saturating_sub(removed)).max(1);
        let count = i64::try_from(count).map_err(Error::internal)?;
        let look = [family.into(), from.into(), last.into(), Val::Int(count)];
        let next: Option<EntryId> = tx.query_opt(&PART_END, &look, |row| row.id(0))?;
        removed += undo::delete_slice(tx, (from, next.map_or(last, undo::before)))?;
        let Some(next) = next else { break };
        if removed >= entries_max || tx.has_filled_log() {
            return Ok(HiddenLeft::More(removed));
        }
        from = next;
    }
    let key = [family.into(), import.into()];
    if is_publish {
        let created = tx.query(&CREATED_HIDDEN, &key, |row| Ok((row.string(0)?, row.uuid(1)?)))?;
        for (kind, id) in created {
            if let Some(kind) = kinds::find(&kind) {
                kind.erase(tx, id)?;
            }
        }
        for statement in [&ACCOUNTS_DELETE, &CREATED_FORGET, &CHANGES_FORGET] {
            tx.execute(statement, &key)?;
        }
        record_hashes::forget(tx, import)?;
    }
    tx.execute(&SHOW, &key)?;
    Ok(HiddenLeft::Nothing(removed))
}
