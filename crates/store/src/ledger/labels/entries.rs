//! The entries that have a label: they get another one, or none.
//!
//! On SQLite one commit can't hold very many of them, because it would make the log too large. So a
//! removal moves the entries of such a label in commits of their own before the last one, each with
//! an audit event that has their ids.

use purser_core::error::Result;
use uuid::Uuid;

use super::{Executor, fills_follow, require_settled};
use crate::access::FamilyTx;
use crate::driver::{Sql, statements, vals};

statements! {
    /// A page of the entries of a category.
    CATEGORY_ENTRIES_PAGE = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND category_id = $2 AND id > $3 ORDER BY id LIMIT $4";
    /// Accounts with entries of a category changed.
    CATEGORY_ACCOUNTS = "UPDATE accounts SET updated_at = $1 WHERE family_id = $2
        AND id IN (SELECT e.account_id FROM ledger_entries e
            WHERE e.family_id = $2 AND e.category_id = $3 AND e.id <= $4)";
    /// Entries get another category, or none.
    CATEGORY_MOVE = "UPDATE entries SET category_id = $1, updated_at = $2
        WHERE family_id = $3 AND category_id = $4 AND id <= $5";
    /// A page of the entries of a merchant.
    MERCHANT_ENTRIES_PAGE = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND merchant_id = $2 AND id > $3 ORDER BY id LIMIT $4";
    /// Accounts with entries of a merchant changed.
    MERCHANT_ACCOUNTS = "UPDATE accounts SET updated_at = $1 WHERE family_id = $2
        AND id IN (SELECT e.account_id FROM ledger_entries e
            WHERE e.family_id = $2 AND e.merchant_id = $3 AND e.id <= $4)";
    /// Entries get another merchant, or none.
    MERCHANT_MOVE = "UPDATE entries SET merchant_id = $1, updated_at = $2
        WHERE family_id = $3 AND merchant_id = $4 AND id <= $5";
    /// A page of the entries of a tag.
    TAG_ENTRIES_PAGE = "SELECT entry_id FROM entry_tags
        WHERE family_id = $1 AND tag_id = $2 AND entry_id > $3 ORDER BY entry_id LIMIT $4";
    /// Accounts with entries of a tag changed.
    TAG_ACCOUNTS = "UPDATE accounts SET updated_at = $1 WHERE family_id = $2
        AND id IN (SELECT e.account_id FROM entry_tags t
            JOIN ledger_entries e ON e.family_id = $2 AND e.id = t.entry_id
            WHERE t.family_id = $2 AND t.tag_id = $3 AND t.entry_id <= $4)";
    /// Sets the time of the last change of entries with a tag.
    TAG_TOUCH = "UPDATE entries SET updated_at = $1 WHERE family_id = $2
        AND id IN (SELECT t.entry_id FROM entry_tags t
            WHERE t.family_id = $2 AND t.tag_id = $3 AND t.entry_id <= $4)";
    /// Removes a tag from all entries.
    TAG_LINKS_DELETE = "DELETE FROM entry_tags
        WHERE family_id = $1 AND tag_id = $2 AND entry_id <= $3";
}

/// The statements for the entries of one kind of label.
pub(crate) struct LabelEntries {
    /// A page of those that have it.
    page: &'static Sql,
    /// Counts the change of their accounts.
    accounts: &'static Sql,
    /// How they get another one, or none.
    change: Change,
}

enum Change {
    /// The entry has the label in its row.
    Column(&'static Sql),
    /// The entry is linked with it: the statements for its time and for the link.
    Link(&'static Sql, &'static Sql),
}

pub(crate) const CATEGORY_ENTRIES: LabelEntries = LabelEntries {
    page: &CATEGORY_ENTRIES_PAGE,
    accounts: &CATEGORY_ACCOUNTS,
    change: Change::Column(&CATEGORY_MOVE),
};

pub(crate) const MERCHANT_ENTRIES: LabelEntries = LabelEntries {
    page: &MERCHANT_ENTRIES_PAGE,
    accounts: &MERCHANT_ACCOUNTS,
    change: Change::Column(&MERCHANT_MOVE),
};

pub(crate) const TAG_ENTRIES: LabelEntries = LabelEntries {
    page: &TAG_ENTRIES_PAGE,
    accounts: &TAG_ACCOUNTS,
    change: Change::Link(&TAG_TOUCH, &TAG_LINKS_DELETE),
};

/// Entries that are read at a time.
const PAGE: usize = 1_000;
/// Entries of one commit of several.
const PART: u64 = 5_000;

impl LabelEntries {
    /// Whether more entries have the label than one page.
    pub(crate) fn are_many(&self, tx: &mut FamilyTx<'_>, label: Uuid) -> Result<bool> {
        let key = vals![tx.family(), label, Uuid::nil(), PAGE as i64 + 1];
        Ok(tx.query(self.page, key, |row| row.uuid(0))?.len() > PAGE)
    }

    /// Changes those with ids up to `last`.
    fn change(
        &self,
        tx: &mut FamilyTx<'_>,
        label: Uuid,
        into: Option<Uuid>,
        last: Uuid,
    ) -> Result<u64> {
        let (family, now) = (tx.family(), tx.now());
        let having = vals![now, family, label, last];
        tx.execute(self.accounts, having)?;
        match self.change {
            Change::Column(column) => tx.execute(column, vals![into, now, family, label, last]),
            Change::Link(entries, links) => {
                let changed = tx.execute(entries, having)?;
                tx.execute(links, vals![family, label, last])?;
                Ok(changed)
            }
        }
    }
}

impl Executor {
    /// Gives all entries of a label another one, or none, and returns how many they were.
    pub(super) fn move_entries(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entries: &LabelEntries,
        label: Uuid,
        into: Option<Uuid>,
    ) -> Result<u64> {
        let mut last = Uuid::nil();
        loop {
            let page = self.note_page(tx, entries, label, last)?;
            last = page.last().copied().unwrap_or(last);
            if page.len() < PAGE {
                break;
            }
        }
        if last.is_nil() { Ok(0) } else { entries.change(tx, label, into, last) }
    }

    /// Gives as many entries of a label another one, or none, as a commit may hold. Returns how
    /// many they were, and whether others have it still.
    pub(crate) fn move_some_entries(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entries: &LabelEntries,
        label: Uuid,
        into: Option<Uuid>,
    ) -> Result<(u64, bool)> {
        require_settled(tx)?;
        let (mut moved, mut last) = (0, Uuid::nil());
        let has_more = loop {
            let page = self.note_page(tx, entries, label, Uuid::nil())?;
            last = page.last().copied().unwrap_or(last);
            moved += entries.change(tx, label, into, last)?;
            let has_more = page.len() == PAGE;
            if !has_more || moved >= PART || tx.has_filled_log() {
                break has_more;
            }
        };
        fills_follow(tx, label, into, last)?;
        Ok((moved, has_more))
    }

    /// Notes a page of the entries of a label for the audit trail.
    fn note_page(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entries: &LabelEntries,
        label: Uuid,
        after: Uuid,
    ) -> Result<Vec<Uuid>> {
        let key = vals![tx.family(), label, after, PAGE as i64];
        let page = tx.query(entries.page, key, |row| row.uuid(0))?;
        for entry in &page {
            self.note_entry(tx, *entry)?;
        }
        Ok(page)
    }
}
