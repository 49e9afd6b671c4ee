//! Categories, and the keys by which names are found.

use std::borrow::Cow;

use purser_core::error::Result;
use purser_core::ids::CategoryId;
use purser_core::import::mapping::path_key;
use purser_core::text::label::name_key;

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
    /// Everything but categories that is found by the key of its name.
    NAMES_KEYED = "SELECT 'account', id, name, name_key FROM accounts
        UNION ALL SELECT 'tag', id, name, name_key FROM tags
        UNION ALL SELECT 'merchant', id, name, name_key FROM merchants";
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

/// Accounts, tags and merchants are found by the key of their name.
pub(super) fn keys(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&NAMES_KEYED, &[], |row| {
        let (what, name, key) = (row.text(0)?, row.text(2)?, row.text(3)?);
        let id = row.uuid(1)?;
        findings.count(1);
        if name_key(name) != key {
            findings.problem(|| format!("{what} {id} is {name:?}, but is found by {key:?}"));
        }
        Ok(())
    })
}
