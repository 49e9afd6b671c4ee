//! What points to what, beyond the foreign keys.

use std::borrow::Cow;

use purser_core::error::Result;
use purser_core::ids::{CategoryId, EntryId, TagId};
use purser_core::import::mapping::path_key;

use super::report::Findings;
use crate::driver::{Tx, statements};

statements! {
    /// How many categories there are.
    CATEGORIES_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM categories";
    /// Categories with a parent that is missing or not of the first level.
    CATEGORIES_WRONG = "SELECT c.id, c.parent_id, p.id FROM categories c
        LEFT JOIN categories p ON p.family_id = c.family_id AND p.id = c.parent_id
        WHERE c.parent_id IS NOT NULL AND (p.id IS NULL OR p.parent_id IS NOT NULL)
        ORDER BY c.id";
    /// Every category with the name of its parent, unless the parent is missing.
    CATEGORIES_NAMED = "SELECT c.id, c.name, c.name_key, p.name FROM categories c
        LEFT JOIN categories p ON p.family_id = c.family_id AND p.id = c.parent_id
        WHERE c.parent_id IS NULL OR p.id IS NOT NULL
        ORDER BY c.id";
    /// How many tags entries have.
    ENTRY_TAGS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM entry_tags";
    /// Tags on nothing, and entries with tags that don't exist.
    ENTRY_TAGS_WRONG = "SELECT l.entry_id, l.tag_id, e.id FROM entry_tags l
        LEFT JOIN ledger_entries e ON e.family_id = l.family_id AND e.id = l.entry_id
        LEFT JOIN tags t ON t.family_id = l.family_id AND t.id = l.tag_id
        WHERE t.id IS NULL OR (e.id IS NULL AND NOT EXISTS (SELECT 1 FROM hidden_entries h
            WHERE h.family_id = l.family_id AND l.entry_id >= h.first_id
                AND l.entry_id <= h.last_id))";
}

/// A category has no parent or one of the first level, and is found by its path.
pub(super) fn categories(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &CATEGORIES_COUNT)?;
    tx.for_each(&CATEGORIES_WRONG, &[], |row| {
        let (id, parent): (CategoryId, CategoryId) = (row.id(0)?, row.id(1)?);
        let exists = row.opt_uuid(2)?.is_some();
        findings.problem(|| {
            if exists {
                format!("category {id} is below {parent}, which is of the second level")
            } else {
                format!("category {id} is below {parent}, which the family doesn't have")
            }
        });
        Ok(())
    })?;
    tx.for_each(&CATEGORIES_NAMED, &[], |row| {
        let (id, name, key): (CategoryId, _, _) = (row.id(0)?, row.text(1)?, row.text(2)?);
        let path = match row.opt_text(3)? {
            Some(parent) => Cow::Owned(format!("{parent}:{name}")),
            None => Cow::Borrowed(name),
        };
        if path_key(&path) != key {
            findings.problem(|| format!("category {id} is {path:?}, but is found by {key:?}"));
        }
        Ok(())
    })
}

/// Both ends of a tag are in its family.
pub(super) fn entry_tags(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &ENTRY_TAGS_COUNT)?;
    tx.for_each(&ENTRY_TAGS_WRONG, &[], |row| {
        let (entry, tag): (EntryId, TagId) = (row.id(0)?, row.id(1)?);
        let missing = if row.opt_uuid(2)?.is_none() { "entry" } else { "tag" };
        findings.problem(|| {
            format!("tag {tag} is on entry {entry}, but the family has no such {missing}")
        });
        Ok(())
    })
}
