//! Removing a category.
//!
//! Its entries, its lines in budgets and the rules that name it get the replacement, if one is
//! named; else entries have no category, the lines go, and the rules are switched off.
//!
//! Categories below it are nobody's to lose: without a replacement they move up to the first level;
//! with one they go below it, or beside it if it is of the second level itself. A replacement that
//! is below the category takes its place. Where one of them would then have the name of another
//! category, nothing is done: a person renames one of them first.

use purser_core::error::{Error, Result};
use purser_core::ids::CategoryId;
use serde_json::json;

use super::tree::{Tree, Wanted, put};
use crate::access::FamilyTx;
use crate::accounts::Restriction;
use crate::audit::Actor;
use crate::driver::{statements, vals};
use crate::families::FamilyId;
use crate::labels::changed;
use crate::labels::sight::require_unrestricted;
use crate::ledger::labels::detach_category;

statements! {
    /// The name of a category that goes is free for those below it.
    CATEGORY_NAME_FREE = "UPDATE categories SET name_key = $1 WHERE family_id = $2 AND id = $3";
    /// A category that nothing points to.
    CATEGORY_REMOVE = "DELETE FROM categories WHERE family_id = $1 AND id = $2";
}

/// Removes a category; what had it gets `replacement`.
pub fn remove(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    actor: Actor,
    id: CategoryId,
    replacement: Option<CategoryId>,
) -> Result<()> {
    require_unrestricted(restriction)?;
    let tree = Tree::read(tx, family)?;
    let category = tree.get(id)?;
    if let Some(wanted) = replacement
        && (wanted == id || tree.find(wanted).is_none())
    {
        return Err(Error::invalid("replacement_id is not the id of another category"));
    }
    let detached = detach_category(tx, family, id.0, replacement.map(|id| id.0))?;
    // No name has such a key.
    let nameless = format!(":{id}");
    tx.execute(&CATEGORY_NAME_FREE, vals![&nameless, family, id])?;
    move_below(tx, family, &tree, id, replacement)?;
    tx.execute(&CATEGORY_REMOVE, vals![family, id])?;
    let details = json!({
        "before": { "path": category.path(), "color": category.own_color,
            "icon": category.icon },
        "replacement": replacement,
        "detached": detached,
    });
    changed(tx, family, actor, ("category.remove", "category"), id.0, details)
}

/// Finds another place for those below.
fn move_below(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    tree: &Tree,
    id: CategoryId,
    replacement: Option<CategoryId>,
) -> Result<()> {
    let replacing = replacement.and_then(|id| tree.find(id));
    let home = replacing.map(|one| match &one.parent {
        Some(above) if above.id != id => above.id,
        _ => one.id,
    });
    let home = home.and_then(|id| tree.find(id));
    if let Some(first) = home.filter(|home| home.parent.is_some()) {
        // The replacement itself: it moves up before the others go below it.
        put(tx, family, first.id, &Wanted::of(first, None))?;
    }
    for child in tree.below(id).filter(|child| Some(child.id) != home.map(|home| home.id)) {
        put(tx, family, child.id, &Wanted::of(child, home))?;
    }
    Ok(())
}
