//! All categories of a family, and which position one may have among them.

use std::collections::HashMap;

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::CategoryId;
use purser_core::import::mapping::path_key;
use purser_core::labels::color::default_color;
use purser_core::labels::input::unknown_parent;

use super::{Above, Category};
use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// All categories of the family.
    CATEGORIES_ALL = "SELECT id, parent_id, name, name_key, color, icon, created_at, updated_at
        FROM ledger_categories WHERE family_id = $1 ORDER BY name_key, id";
}

/// The categories by path: each is followed by those below it.
pub(super) struct Tree(Vec<Category>);

impl Tree {
    pub(super) fn read(tx: &mut FamilyTx<'_>) -> Result<Self> {
        let family = tx.family();
        let mut keyed: Vec<(String, Category)> =
            tx.query(&CATEGORIES_ALL, vals![family], |row| {
                let (id, own_color): (CategoryId, _) = (row.id(0)?, row.opt_string(4)?);
                let color = own_color.clone().unwrap_or_else(|| default_color(id.0).to_owned());
                let above = row.opt_id(1)?.map(|id| Above { id, name: String::new() });
                let category = Category {
                    id,
                    name: row.string(2)?,
                    parent: above,
                    color,
                    own_color,
                    icon: row.opt_string(5)?,
                    below: 0,
                    created_at: row.timestamp(6)?,
                    updated_at: row.timestamp(7)?,
                };
                Ok((row.string(3)?, category))
            })?;
        let mut below: HashMap<CategoryId, u64> = HashMap::new();
        for above in keyed.iter().filter_map(|(_, category)| category.parent.as_ref()) {
            *below.entry(above.id).or_default() += 1;
        }
        let roots: HashMap<CategoryId, (String, String, String)> = keyed
            .iter()
            .filter(|(_, category)| category.parent.is_none())
            .map(|(key, one)| (one.id, (key.clone(), one.name.clone(), one.color.clone())))
            .collect();
        for (_, category) in &mut keyed {
            category.below = below.get(&category.id).copied().unwrap_or_default();
            let Some(above) = &mut category.parent else { continue };
            let (_, name, color) =
                roots.get(&above.id).ok_or_else(|| Error::internal("a category without parent"))?;
            above.name.clone_from(name);
            if category.own_color.is_none() {
                category.color.clone_from(color);
            }
        }
        keyed.sort_by_cached_key(|(key, category)| {
            let root = category.parent.as_ref().map_or(category.id, |above| above.id);
            let of_root = roots.get(&root).map(|(key, ..)| key.clone());
            (of_root, root, category.parent.is_some(), key.clone(), category.id)
        });
        Ok(Self(keyed.into_iter().map(|(_, category)| category).collect()))
    }

    pub(super) fn into_categories(self) -> Vec<Category> {
        self.0
    }

    pub(super) fn get(&self, id: CategoryId) -> Result<&Category> {
        self.find(id).ok_or(Error::NotFound { what: "Category" })
    }

    pub(super) fn find(&self, id: CategoryId) -> Option<&Category> {
        self.0.iter().find(|category| category.id == id)
    }

    /// The root of this name, by its key.
    pub(super) fn named(&self, key: &str) -> Option<&Category> {
        self.0.iter().find(|category| path_key(&path_of(category)) == key)
    }

    /// A category that others may be below.
    pub(super) fn root(&self, id: CategoryId) -> Result<&Category> {
        let found = self.find(id).ok_or_else(unknown_parent)?;
        match found.parent {
            None => Ok(found),
            Some(_) => {
                let predicate = "is a category of the second level: there are only two";
                Err(Problem::field("parent_id", predicate).into())
            }
        }
    }

    /// A category that this one may be below.
    pub(super) fn root_above(&self, id: CategoryId, category: &Category) -> Result<&Category> {
        let root = self.root(id)?;
        if id == category.id {
            return Err(Problem::field("parent_id", "must be another category").into());
        }
        if category.below > 0 {
            return Err(Problem::field(
                "parent_id",
                "can't be set: the category has others below it, so it stays on the first level",
            )
            .into());
        }
        Ok(root)
    }

    /// Those below a category.
    pub(super) fn below(&self, id: CategoryId) -> impl Iterator<Item = &Category> {
        let is_below = move |category: &&Category| {
            category.parent.as_ref().is_some_and(|above| above.id == id)
        };
        self.0.iter().filter(is_below)
    }
}

/// The path in the form that [`path_key`] reads.
fn path_of(category: &Category) -> String {
    match &category.parent {
        Some(above) => format!("{}:{}", above.name, category.name),
        None => category.name.clone(),
    }
}

/// What a category is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CategoryDraft<'a> {
    pub(super) name: &'a str,
    pub(super) parent: Option<&'a Category>,
    pub(super) color: Option<&'a str>,
    pub(super) icon: Option<&'a str>,
}

impl<'a> CategoryDraft<'a> {
    /// A category as it is, below another one.
    pub(super) fn of(category: &'a Category, parent: Option<&'a Category>) -> Self {
        let (color, icon) = (category.own_color.as_deref(), category.icon.as_deref());
        Self { name: &category.name, parent, color, icon }
    }

    /// The key of its path, and the path as it is shown.
    pub(super) fn place(&self) -> (String, String) {
        match self.parent {
            None => (path_key(self.name), self.name.to_owned()),
            Some(above) => (
                path_key(&format!("{}:{}", above.name, self.name)),
                format!("{}: {}", above.name, self.name),
            ),
        }
    }
}
