//! A first set of categories.

use purser_core::error::Result;
use purser_core::import::mapping::path_key;
use purser_core::labels::defaults::CATEGORIES;
use serde_json::json;

use super::tree::{Tree, Wanted};
use super::{Category, add};
use crate::access::FamilyTx;
use crate::accounts::Restriction;
use crate::audit::Actor;

use crate::families::{self, FamilyId};
use crate::labels::changed;
use crate::labels::sight::require_unrestricted;

/// Adds the usual categories, as far as there are none of their names; returns those that are new.
/// What is there stays as it is, and so does the place that it has.
pub fn bootstrap(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    actor: Actor,
) -> Result<Vec<Category>> {
    require_unrestricted(restriction)?;
    let before = Tree::read(tx, family)?;
    let mut made = Vec::new();
    for default in CATEGORIES {
        let root = Wanted {
            name: default.name,
            parent: None,
            color: Some(default.color),
            icon: Some(default.icon),
        };
        if before.named(&path_key(default.name)).is_none() {
            made.push(add(tx, family, &root)?);
        }
        let tree = Tree::read(tx, family)?;
        let parent = tree.named(&path_key(default.name));
        for (name, icon) in default.below {
            let child = Wanted { name, parent, color: None, icon: Some(icon) };
            // Somebody may have it on the first level: one is enough.
            let is_there =
                before.named(&path_key(name)).is_some() || before.named(&child.place().0).is_some();
            if !is_there {
                made.push(add(tx, family, &child)?);
            }
        }
    }
    if !made.is_empty() {
        let subject = families::get(tx, family)?.public_id;
        let details = json!({ "created": made });
        changed(tx, family, actor, ("category.bootstrap", "family"), subject, details)?;
    }
    let mut added = Tree::read(tx, family)?.into_categories();
    added.retain(|category| made.contains(&category.id));
    Ok(added)
}
