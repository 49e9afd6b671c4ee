//! A first set of categories.

use purser_core::error::Result;
use purser_core::ids::CategoryId;
use purser_core::import::mapping::path_key;
use purser_core::labels::defaults::{CATEGORIES, DefaultCategory};

use super::tree::{CategoryDraft, Tree};
use super::{Category, creation};
use crate::access::FamilyTx;

use crate::families;
use crate::labels::visibility::require_unrestricted;
use crate::ledger::records::execute;

/// Adds those of the usual categories of which the family doesn't have the name, and returns them.
/// Existing categories are not changed or moved.
pub fn bootstrap(tx: &mut FamilyTx<'_>) -> Result<Vec<Category>> {
    require_unrestricted(tx)?;
    let before = Tree::read(tx)?;
    let subject = families::get(tx)?.public_id;
    let mut made = Vec::new();
    let missing = missing(&before);
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    execute(tx, ("category.bootstrap", "family"), |tx, executor| {
        for (default, is_missing, below) in &missing {
            if *is_missing {
                let root = CategoryDraft {
                    name: default.name,
                    parent: None,
                    color: Some(default.color),
                    icon: Some(default.icon),
                };
                let creation = creation(tx, &root)?;
                let slot = executor.create(tx, &creation)?;
                made.push(CategoryId(executor.created_id(slot)?));
            }
            let tree = Tree::read(tx)?;
            let parent = tree.named(&path_key(default.name));
            for (name, icon) in below {
                let child = CategoryDraft { name, parent, color: None, icon: Some(icon) };
                let creation = creation(tx, &child)?;
                let slot = executor.create(tx, &creation)?;
                made.push(CategoryId(executor.created_id(slot)?));
            }
        }
        Ok(subject)
    })?;
    let mut added = Tree::read(tx)?.into_categories();
    added.retain(|category| made.contains(&category.id));
    Ok(added)
}

/// The default categories that are missing: whether the one of the first level is, and which of
/// those below it.
type Missing = (&'static DefaultCategory, bool, Vec<(&'static str, &'static str)>);

fn missing(tree: &Tree) -> Vec<Missing> {
    let all = CATEGORIES.iter().map(|default| {
        let root = tree.named(&path_key(default.name));
        // Somebody may have it on the first level: one is enough.
        let is_there = |name: &str| {
            tree.named(&path_key(name)).is_some()
                || tree.named(&path_key(&format!("{}:{name}", default.name))).is_some()
        };
        let below = default.below.iter().copied().filter(|(name, _)| !is_there(name)).collect();
        (default, root.is_none(), below)
    });
    all.filter(|(_, is_missing, below): &Missing| *is_missing || !below.is_empty()).collect()
}
