//! Categories: two levels, found by their path.
//!
//! A family has few, so lists read all of them and choose in memory. The key of a category of the
//! second level is that of its whole path, as imports make it, so `Fun: Other` and `Income: Other`
//! are two. A category with others below it stays on the first level.
//!
//! The entries of a removed category are handled by [`crate::ledger::labels`], and the categories
//! below it by `removal`.

mod bootstrap;
pub(crate) mod removal;
pub(crate) mod tree;

use std::collections::HashMap;

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::CategoryId;
use purser_core::labels::input::{LabelInput, LabelKind};
use purser_core::plan::{CategoryRevision, Creation, RecordChange, Target};
use purser_core::text::label::name_key;

use crate::access::FamilyTx;
use crate::labels::require_free;
use crate::labels::visibility::{VisibleIds, require_unrestricted};
use crate::ledger::records::execute;
use tree::{CategoryDraft, Tree};

pub use bootstrap::bootstrap;
pub use removal::remove;
pub(crate) use removal::{require_places, require_removable};

/// A category of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// The id of the category.
    pub id: CategoryId,
    /// Its own name, without that of the category above.
    pub name: String,
    /// The category above, if it is of the second level.
    pub parent: Option<Above>,
    /// `#rrggbb`: its own, else that of the category above, else one that follows from the id.
    pub color: String,
    /// The color that it was given itself.
    pub own_color: Option<String>,
    /// The name of an icon.
    pub icon: Option<String>,
    /// How many are below it.
    pub below: u64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// What a category shows of the one above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Above {
    /// The id of the category.
    pub id: CategoryId,
    /// The name that is shown.
    pub name: String,
}

impl Category {
    /// `Food`, or `Food: Bars`.
    pub fn path(&self) -> String {
        match &self.parent {
            Some(above) => format!("{}: {}", above.name, self.name),
            None => self.name.clone(),
        }
    }
}

/// Which categories are listed.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Only those of the first level.
    pub roots_only: bool,
    /// Only those below this one.
    pub parent: Option<CategoryId>,
    /// Only categories with a path that contains this text, in any case.
    pub name: Option<String>,
}

/// A page of the visible categories by path, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: &Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Category>, u64)> {
    let mut found = seen(tx)?;
    let part = listing.name.as_deref().map(name_key);
    found.retain(|category| {
        let above = category.parent.as_ref().map(|above| above.id);
        (!listing.roots_only || above.is_none())
            && listing.parent.is_none_or(|wanted| above == Some(wanted))
            && part.as_ref().is_none_or(|part| name_key(&category.path()).contains(part))
    });
    let total = found.len() as u64;
    let page = found
        .into_iter()
        .skip(usize::try_from(offset).unwrap_or(usize::MAX))
        .take(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok((page.collect(), total))
}

/// The category with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: CategoryId) -> Result<Category> {
    let mut found = seen(tx)?.into_iter();
    found.find(|category| category.id == id).ok_or(Error::NotFound { what: "Category" })
}

/// Creates a category of the family.
pub fn create(tx: &mut FamilyTx<'_>, input: &LabelInput) -> Result<Category> {
    require_unrestricted(tx)?;
    let checked = input.check_new(LabelKind::Category)?;
    let tree = Tree::read(tx)?;
    let draft = CategoryDraft {
        name: checked.name.as_deref().unwrap_or_default(),
        parent: checked.parent.flatten().map(|id| tree.root(id)).transpose()?,
        color: checked.color.as_ref().and_then(Option::as_deref),
        icon: checked.icon.as_ref().and_then(Option::as_deref),
    };
    let creation = creation(tx, &draft)?;
    let id = execute(tx, ("category.create", "category"), |tx, executor| {
        let slot = executor.create(tx, &creation)?;
        executor.created_id(slot)
    })?;
    get(tx, CategoryId(id))
}

/// A category as the executor makes it, if its path is free.
fn creation(tx: &mut FamilyTx<'_>, draft: &CategoryDraft<'_>) -> Result<Creation> {
    let (key, path) = draft.place();
    require_free(tx, LabelKind::Category, (&key, &path), None)?;
    Ok(Creation::Category {
        name: draft.name.to_owned(),
        key,
        parent: draft.parent.map(|above| Target::Existing(above.id.0)),
        color: draft.color.map(str::to_owned),
        icon: draft.icon.map(str::to_owned),
    })
}

/// Changes a category. Entries keep it; those below it go along.
pub fn revise(tx: &mut FamilyTx<'_>, id: CategoryId, input: &LabelInput) -> Result<Category> {
    require_unrestricted(tx)?;
    let tree = Tree::read(tx)?;
    let before = tree.get(id)?;
    let checked = input.check(LabelKind::Category)?;
    let present = before.parent.as_ref().map(|above| above.id);
    let parent = checked.parent.unwrap_or(present);
    let parent = parent.map(|parent| tree.root_above(parent, before)).transpose()?;
    let after = CategoryDraft {
        name: checked.name.as_deref().unwrap_or(&before.name),
        parent,
        color: checked.color.as_ref().map_or(before.own_color.as_deref(), Option::as_deref),
        icon: checked.icon.as_ref().map_or(before.icon.as_deref(), Option::as_deref),
    };
    if after == CategoryDraft::of(before, present.map(|id| tree.root(id)).transpose()?) {
        return Ok(before.clone());
    }
    let revision = CategoryRevision {
        id: id.0,
        name: Some(after.name.to_owned()),
        parent: Some(parent.map(|above| Target::Existing(above.id.0))),
        color: Some(after.color.map(str::to_owned)),
        icon: Some(after.icon.map(str::to_owned)),
    };
    execute(tx, ("category.update", "category"), |tx, executor| {
        executor.change(tx, &RecordChange::ReviseCategory(revision))?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// The categories that may be seen, by path.
fn seen(tx: &mut FamilyTx<'_>) -> Result<Vec<Category>> {
    let visibility = VisibleIds::of_categories(tx)?;
    let mut found = Tree::read(tx)?.into_categories();
    found.retain(|category| visibility.shows(category.id.0));
    if tx.accounts().is_restricted() {
        // Hidden categories are left out of the numbers too.
        let mut below: HashMap<CategoryId, u64> = HashMap::new();
        for above in found.iter().filter_map(|category| category.parent.as_ref()) {
            *below.entry(above.id).or_default() += 1;
        }
        for category in &mut found {
            category.below = below.get(&category.id).copied().unwrap_or_default();
        }
    }
    Ok(found)
}
