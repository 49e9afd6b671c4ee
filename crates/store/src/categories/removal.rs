//! Removing a category.
//!
//! Its entries, its lines in budgets and the rules that name it get the replacement, if one is
//! named; else entries have no category, the lines go, and the rules are switched off.
//!
//! Categories below it are kept: without a replacement they move up to the first level; with one
//! they go below it, or beside it if it is of the second level itself. A replacement that is below
//! the category takes its place. Where one of them would then have the name of another category,
//! nothing is done: a person renames one of them first.

use purser_core::error::{Problem, Result};
use purser_core::ids::CategoryId;
use purser_core::import::mapping::path_key;
use purser_core::labels::input::LabelKind;
use purser_core::plan::RecordChange;
use uuid::Uuid;

use super::tree::Tree;
use crate::access::FamilyTx;
use crate::labels::require_free;
use crate::labels::visibility::require_unrestricted;
use crate::ledger::records::execute;

/// Removes a category; what had it gets `replacement`.
pub fn remove(
    tx: &mut FamilyTx<'_>,
    id: CategoryId,
    replacement: Option<CategoryId>,
) -> Result<()> {
    require_removable(tx, id, replacement)?;
    execute(tx, ("category.remove", "category"), |tx, executor| {
        let replacement = replacement.map(|id| id.0);
        executor.change(tx, &RecordChange::RemoveCategory { id: id.0, replacement })?;
        Ok(id.0)
    })
    .map(drop)
}

/// Fails unless a category can be removed by the caller, with this replacement.
pub(crate) fn require_removable(
    tx: &mut FamilyTx<'_>,
    id: CategoryId,
    replacement: Option<CategoryId>,
) -> Result<()> {
    require_unrestricted(tx)?;
    let tree = Tree::read(tx)?;
    tree.get(id)?;
    if let Some(wanted) = replacement
        && (wanted == id || tree.find(wanted).is_none())
    {
        return Err(Problem::field("replacement_id", "is not the id of another category").into());
    }
    Ok(())
}

/// Fails if a category below the one that goes would have the name of another one in its new place:
/// what takes several commits must not begin then.
pub(crate) fn require_places(
    tx: &mut FamilyTx<'_>,
    id: CategoryId,
    replacement: Option<CategoryId>,
) -> Result<()> {
    let tree = Tree::read(tx)?;
    let name = |id: Uuid| tree.get(CategoryId(id)).map(|category| category.name.clone());
    // Nobody else has this one from then on.
    let freed = path_key(&name(id.0)?);
    for (moved, parent) in moves(tx, id.0, replacement.map(|id| id.0))? {
        let path = match parent {
            Some(parent) => format!("{}:{}", name(parent)?, name(moved)?),
            None => name(moved)?,
        };
        let key = path_key(&path);
        if key != freed {
            require_free(tx, LabelKind::Category, (&key, &path), Some(moved))?;
        }
    }
    Ok(())
}

/// The moves of the categories below a removed category, in the order in which they are made.
pub(crate) fn moves(
    tx: &mut FamilyTx<'_>,
    id: Uuid,
    replacement: Option<Uuid>,
) -> Result<Vec<(Uuid, Option<Uuid>)>> {
    let tree = Tree::read(tx)?;
    let id = CategoryId(id);
    let replacing = replacement.and_then(|id| tree.find(CategoryId(id)));
    let home = replacing.map(|one| match &one.parent {
        Some(above) if above.id != id => above.id,
        _ => one.id,
    });
    let home = home.and_then(|id| tree.find(id));
    let mut moves = Vec::new();
    if let Some(first) = home.filter(|home| home.parent.is_some()) {
        // The replacement itself: it moves up before the others go below it.
        moves.push((first.id.0, None));
    }
    for child in tree.below(id).filter(|child| Some(child.id) != home.map(|home| home.id)) {
        moves.push((child.id.0, home.map(|home| home.id.0)));
    }
    Ok(moves)
}
