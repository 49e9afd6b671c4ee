//! Taking back what an import changed of categories.
//!
//! Each field that still has the value that the import gave it gets the value from before; what
//! somebody changed since stays. A category goes back below its earlier parent only if that is
//! possible by now. The result doesn't depend on the order of the changes.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::import::whole::CategoryRecord;
use crate::plan::{CategoryRevision, Target};
use crate::text::label::name_key;

/// The stored values of a category before or after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryImage {
    /// The name of its own level.
    pub name: String,
    /// The id of the category above.
    pub parent_id: Option<Uuid>,
    /// `#rrggbb`, if it has one of its own.
    pub color: Option<String>,
    /// The name of an icon.
    pub icon: Option<String>,
}

impl From<&CategoryRecord> for CategoryImage {
    fn from(record: &CategoryRecord) -> Self {
        Self {
            name: record.name.clone(),
            parent_id: record.parent,
            color: record.color.clone(),
            icon: record.icon.clone(),
        }
    }
}

/// What an undo does to the categories that an import changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CategoryRestoration {
    /// The revisions, in the order in which they are executed.
    pub revisions: Vec<CategoryRevision>,
    /// Fields that are not taken back, because they have changed again.
    pub kept: Vec<KeptFields>,
}

impl CategoryRestoration {
    /// Where a category is put back to, if it is.
    pub fn parent_of(&self, id: Uuid) -> Option<Option<Uuid>> {
        let revision = self.revisions.iter().filter(|one| one.id == id);
        revision.filter_map(|one| one.parent).next().map(|parent| match parent {
            Some(Target::Existing(id)) => Some(id),
            _ => None,
        })
    }
}

/// Fields of a category that stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFields {
    /// The id of the category.
    pub id: Uuid,
    /// The name that it has now.
    pub name: String,
    /// Names of the fields: `parent`, `color`, `icon`.
    pub fields: Vec<&'static str>,
}

/// Which values the categories get back. `changes` have the image before and after the import;
/// categories that are gone are left out.
pub fn restore(
    categories: &[CategoryRecord],
    changes: &[(Uuid, CategoryImage, CategoryImage)],
) -> CategoryRestoration {
    let mut now: HashMap<Uuid, CategoryRecord> =
        categories.iter().map(|one| (one.id, one.clone())).collect();
    let mut restored = CategoryRestoration::default();
    let mut kept: HashMap<Uuid, Vec<&'static str>> = HashMap::new();
    let mut moves = Vec::new();
    for (id, before, after) in changes {
        let Some(record) = now.get(id) else { continue };
        let mut revision =
            CategoryRevision { id: *id, name: None, parent: None, color: None, icon: None };
        if before.color != after.color {
            if record.color == after.color {
                revision.color = Some(before.color.clone());
            } else {
                kept.entry(*id).or_default().push("color");
            }
        }
        if before.icon != after.icon {
            if record.icon == after.icon {
                revision.icon = Some(before.icon.clone());
            } else {
                kept.entry(*id).or_default().push("icon");
            }
        }
        if before.parent_id != after.parent_id {
            if record.parent == after.parent_id {
                moves.push((*id, before.parent_id));
            } else {
                kept.entry(*id).or_default().push("parent");
            }
        }
        if !revision.is_empty() {
            restored.revisions.push(revision);
        }
    }
    // One that goes back may make room for another.
    loop {
        let open = moves.len();
        moves.retain(|(id, parent)| {
            if !may_move(&now, *id, *parent) {
                return true;
            }
            if let Some(record) = now.get_mut(id) {
                record.parent = *parent;
            }
            restored.revisions.push(CategoryRevision {
                id: *id,
                name: None,
                parent: Some(parent.map(Target::Existing)),
                color: None,
                icon: None,
            });
            false
        });
        if moves.len() == open {
            break;
        }
    }
    for (id, _) in moves {
        kept.entry(id).or_default().push("parent");
    }
    let mut seen = HashSet::new();
    for (id, ..) in changes.iter().filter(|(id, ..)| seen.insert(*id)) {
        if let (Some(fields), Some(record)) = (kept.remove(id), now.get(id)) {
            restored.kept.push(KeptFields { id: *id, name: record.name.clone(), fields });
        }
    }
    restored
}

fn may_move(now: &HashMap<Uuid, CategoryRecord>, id: Uuid, parent: Option<Uuid>) -> bool {
    let Some(record) = now.get(&id) else { return false };
    let key = name_key(&record.name);
    let is_taken = now
        .values()
        .any(|other| other.id != id && other.parent == parent && name_key(&other.name) == key);
    let fits = parent.is_none_or(|parent| {
        let is_first_level = now.get(&parent).is_some_and(|above| above.parent.is_none());
        is_first_level && parent != id && !now.values().any(|other| other.parent == Some(id))
    });
    // A name with a colon can't stand on the first level.
    fits && !is_taken && (parent.is_some() || !key.contains(':'))
}
