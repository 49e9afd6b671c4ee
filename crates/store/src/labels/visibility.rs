//! Which labels are visible to a key that is restricted to chosen accounts.
//!
//! A name such as that of a doctor reveals something about the entries that have it. So such a key
//! sees the labels of entries of its accounts, and labels that no entry has at all (they may be
//! chosen); of a category also the one above. Other keys see all. No such key changes labels: they
//! are shared by all accounts.

use std::collections::HashSet;

use purser_core::error::{Error, Result};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Sql, Val, statements};

statements! {
    /// Categories of entries of some accounts.
    CATEGORIES_OF_ACCOUNTS = "SELECT DISTINCT category_id FROM ledger_entries
        WHERE family_id = $1 AND category_id IS NOT NULL AND account_id = ANY($2)";
    /// Categories that no entry has.
    CATEGORIES_UNUSED = "SELECT c.id FROM ledger_categories c WHERE c.family_id = $1
        AND NOT EXISTS (SELECT 1 FROM ledger_entries e
            WHERE e.family_id = c.family_id AND e.category_id = c.id)";
    /// Categories with one above them.
    CATEGORIES_ABOVE = "SELECT id, parent_id FROM ledger_categories
        WHERE family_id = $1 AND parent_id IS NOT NULL";
    /// Tags of entries of some accounts.
    TAGS_OF_ACCOUNTS = "SELECT DISTINCT t.tag_id FROM ledger_entries e
        JOIN entry_tags t ON t.family_id = e.family_id AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.account_id = ANY($2)";
    /// Tags that no entry has.
    TAGS_UNUSED = "SELECT t.id FROM ledger_tags t WHERE t.family_id = $1
        AND NOT EXISTS (SELECT 1 FROM entry_tags l
            WHERE l.family_id = t.family_id AND l.tag_id = t.id)";
    /// Merchants of entries of some accounts.
    MERCHANTS_OF_ACCOUNTS = "SELECT DISTINCT merchant_id FROM ledger_entries
        WHERE family_id = $1 AND merchant_id IS NOT NULL AND account_id = ANY($2)";
    /// Merchants that no entry has.
    MERCHANTS_UNUSED = "SELECT m.id FROM merchants m WHERE m.family_id = $1
        AND NOT EXISTS (SELECT 1 FROM ledger_entries e
            WHERE e.family_id = m.family_id AND e.merchant_id = m.id)";
}

/// The labels of a kind that may be seen.
#[derive(Debug, Clone)]
pub(crate) struct VisibleIds(Option<HashSet<Uuid>>);

impl VisibleIds {
    /// The condition for visible categories.
    pub(crate) fn of_categories(tx: &mut FamilyTx<'_>) -> Result<Self> {
        let family = tx.family();
        let mut visibility = Self::of(tx, [&CATEGORIES_OF_ACCOUNTS, &CATEGORIES_UNUSED])?;
        if let Some(seen) = &mut visibility.0 {
            let above = tx.query(&CATEGORIES_ABOVE, &[family.into()], |row| {
                Ok((row.uuid(0)?, row.uuid(1)?))
            })?;
            let parents: Vec<Uuid> =
                above.into_iter().filter(|(id, _)| seen.contains(id)).map(|pair| pair.1).collect();
            seen.extend(parents);
        }
        Ok(visibility)
    }

    /// The condition for visible tags.
    pub(crate) fn of_tags(tx: &mut FamilyTx<'_>) -> Result<Self> {
        Self::of(tx, [&TAGS_OF_ACCOUNTS, &TAGS_UNUSED])
    }

    /// The condition for visible merchants.
    pub(crate) fn of_merchants(tx: &mut FamilyTx<'_>) -> Result<Self> {
        Self::of(tx, [&MERCHANTS_OF_ACCOUNTS, &MERCHANTS_UNUSED])
    }

    /// Whether a label may be seen, if the family has it.
    pub(crate) fn shows(&self, id: Uuid) -> bool {
        self.0.as_ref().is_none_or(|seen| seen.contains(&id))
    }

    fn of(tx: &mut FamilyTx<'_>, [used, unused]: [&Sql; 2]) -> Result<Self> {
        let (family, visible) = (tx.family(), tx.accounts());
        let Some(accounts) = visible.only() else { return Ok(Self(None)) };
        let mut seen: HashSet<Uuid> = HashSet::new();
        let accounts: Vec<Val<'_>> = accounts.iter().map(|id| (*id).into()).collect();
        tx.lookup(used, &[family.into()], &accounts, |row| {
            seen.insert(row.uuid(0)?);
            Ok(())
        })?;
        tx.for_each(unused, &[family.into()], |row| {
            seen.insert(row.uuid(0)?);
            Ok(())
        })?;
        Ok(Self(Some(seen)))
    }
}

/// A restricted key changes nothing that all accounts share.
pub fn require_unrestricted(tx: &FamilyTx<'_>) -> Result<()> {
    if !tx.accounts().is_restricted() {
        return Ok(());
    }
    Err(Error::Forbidden {
        code: "restricted_key",
        message: "A key that is restricted to chosen accounts can't use what all accounts \
                  share in this way"
            .into(),
    })
}
