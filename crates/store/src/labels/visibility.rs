//! Which labels are visible to a key that is restricted to chosen accounts.
//!
//! A name such as that of a doctor reveals something about the entries that have it. So such a key
//! sees the labels of entries of its accounts, and labels that no entry has at all (they may be
//! chosen); of a category also the one above. An unused category is hidden with the one above it,
//! or with all that are below it. Other keys see all. No such key changes labels: they
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
            WHERE e.family_id = $1 AND e.category_id = c.id)";
    /// Categories with one above them.
    CATEGORIES_ABOVE = "SELECT id, parent_id FROM ledger_categories
        WHERE family_id = $1 AND parent_id IS NOT NULL";
    /// Tags of entries of some accounts.
    TAGS_OF_ACCOUNTS = "SELECT DISTINCT t.tag_id FROM ledger_entries e
        JOIN entry_tags t ON t.family_id = $1 AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.account_id = ANY($2)";
    /// Tags that no entry has.
    TAGS_UNUSED = "SELECT t.id FROM ledger_tags t WHERE t.family_id = $1
        AND NOT EXISTS (SELECT 1 FROM entry_tags l
            WHERE l.family_id = $1 AND l.tag_id = t.id)";
    /// Merchants of entries of some accounts.
    MERCHANTS_OF_ACCOUNTS = "SELECT DISTINCT merchant_id FROM ledger_entries
        WHERE family_id = $1 AND merchant_id IS NOT NULL AND account_id = ANY($2)";
    /// Merchants that no entry has.
    MERCHANTS_UNUSED = "SELECT m.id FROM ledger_merchants m WHERE m.family_id = $1
        AND NOT EXISTS (SELECT 1 FROM ledger_entries e
            WHERE e.family_id = $1 AND e.merchant_id = m.id)";
}

/// The labels of a kind that may be seen.
#[derive(Debug, Clone)]
pub(crate) struct VisibleIds(Option<HashSet<Uuid>>);

impl VisibleIds {
    /// The condition for visible categories.
    pub(crate) fn of_categories(tx: &mut FamilyTx<'_>) -> Result<Self> {
        let family = tx.family();
        let Some(used) = ids_in_accounts(tx, &CATEGORIES_OF_ACCOUNTS)? else {
            return Ok(Self(None));
        };
        let unused: HashSet<Uuid> = tx
            .query(&CATEGORIES_UNUSED, &[family.into()], |row| row.uuid(0))?
            .into_iter()
            .collect();
        let below =
            tx.query(&CATEGORIES_ABOVE, &[family.into()], |row| Ok((row.uuid(0)?, row.uuid(1)?)))?;
        Ok(Self(Some(visible_categories(used, &unused, &below))))
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
        let family = tx.family();
        let Some(mut seen) = ids_in_accounts(tx, used)? else { return Ok(Self(None)) };
        tx.for_each(unused, &[family.into()], |row| {
            seen.insert(row.uuid(0)?);
            Ok(())
        })?;
        Ok(Self(Some(seen)))
    }
}

/// The labels of entries of the visible accounts; `None` if all accounts are visible.
fn ids_in_accounts(tx: &mut FamilyTx<'_>, used: &Sql) -> Result<Option<HashSet<Uuid>>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let Some(accounts) = visible.only() else { return Ok(None) };
    let mut seen: HashSet<Uuid> = HashSet::new();
    let accounts: Vec<Val<'_>> = accounts.iter().map(|id| (*id).into()).collect();
    tx.lookup(used, &[family.into()], &accounts, |row| {
        seen.insert(row.uuid(0)?);
        Ok(())
    })?;
    Ok(Some(seen))
}

/// Categories that are used in visible accounts with those above them, and unused ones that don't
/// belong to a hidden one: the category above is not hidden, and not everything below is.
/// `below` has the categories of the second level, each with the one above.
fn visible_categories(
    used: HashSet<Uuid>,
    unused: &HashSet<Uuid>,
    below: &[(Uuid, Uuid)],
) -> HashSet<Uuid> {
    let is_known = |id: &Uuid| used.contains(id) || unused.contains(id);
    let (leaves, above): (HashSet<Uuid>, HashSet<Uuid>) = below.iter().copied().unzip();
    let mut seen = used.clone();
    seen.extend(below.iter().filter(|(id, _)| used.contains(id)).map(|pair| pair.1));
    let with_known = below.iter().filter(|(id, _)| is_known(id)).map(|pair| pair.1);
    let with_known: HashSet<Uuid> = with_known.collect();
    let is_free = |id: &&Uuid| !above.contains(*id) || with_known.contains(*id);
    seen.extend(unused.difference(&leaves).filter(is_free).copied().collect::<Vec<_>>());
    let leaf = |(id, above): &&(Uuid, Uuid)| unused.contains(id) && seen.contains(above);
    let leaves: Vec<Uuid> = below.iter().filter(leaf).map(|pair| pair.0).collect();
    seen.extend(leaves);
    seen
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unused_category_is_hidden_with_what_it_belongs_to() {
        let id = Uuid::from_u128;
        // 1 > 11 (used), 12 (unused); 2 > 21 (used elsewhere); 3 (used elsewhere) > 31 (unused);
        // 4 > 41, both unused; 5 alone and unused.
        let below = [(11, 1), (12, 1), (21, 2), (31, 3), (41, 4)]
            .map(|(id, above)| (Uuid::from_u128(id), Uuid::from_u128(above)));
        let unused: HashSet<Uuid> = [12, 2, 31, 4, 41, 5, 1].map(id).into();
        let seen = visible_categories([11].map(id).into(), &unused, &below);
        let expected: HashSet<Uuid> = [1, 11, 12, 4, 41, 5].map(id).into();
        assert_eq!(seen, expected);
    }
}
