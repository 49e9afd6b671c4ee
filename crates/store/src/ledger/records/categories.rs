//! Categories: two levels, and a key of the whole path that is unique.

use purser_core::error::{Error, Problem, Result};
use purser_core::import::category::CategoryImage;
use purser_core::import::mapping::path_key;
use purser_core::labels::input::{LabelKind, is_path};
use purser_core::plan::{CategoryRevision, Target};
use uuid::Uuid;

use super::Executor;
use crate::access::FamilyTx;
use crate::categories::removal;
use crate::driver::{Row, Val, statements};
use crate::labels::require_free;
use crate::ledger::labels::detach_category;

statements! {
    /// A new category.
    CATEGORY_INSERT = "INSERT INTO categories (family_id, id, parent_id, name, name_key, color,
            icon, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)";
    /// One category.
    CATEGORY_NOW = "SELECT name, parent_id, color, icon FROM ledger_categories
        WHERE family_id = $1 AND id = $2";
    /// Those below a category.
    CATEGORIES_BELOW = "SELECT id, name FROM categories WHERE family_id = $1 AND parent_id = $2
        ORDER BY id";
    /// What a category is from now on.
    CATEGORY_SET = "UPDATE categories SET parent_id = $1, name = $2, name_key = $3, color = $4,
            icon = $5, updated_at = $6
        WHERE family_id = $7 AND id = $8";
    /// The key of a category below one that has another name now.
    CATEGORY_KEY_SET = "UPDATE categories SET name_key = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4";
    /// The name of a category that goes is free for those below it.
    CATEGORY_NAME_FREE = "UPDATE categories SET name_key = $1 WHERE family_id = $2 AND id = $3";
    /// A category that nothing points to.
    CATEGORY_TAKE_AWAY = "DELETE FROM categories WHERE family_id = $1 AND id = $2";
}

/// As categories stand in the audit trail and beside imports.
const KIND: &str = "category";

impl Executor {
    pub(in crate::ledger) fn create_category(
        &mut self,
        tx: &mut FamilyTx<'_>,
        category: &CategoryImage,
        key: &str,
    ) -> Result<Uuid> {
        let (id, now) = (tx.new_id()?, tx.now());
        let CategoryImage { name, parent_id, color, icon } = category;
        tx.execute(
            &CATEGORY_INSERT,
            &[
                self.family.into(),
                Val::Uuid(id),
                (*parent_id).into(),
                Val::Text(name),
                Val::Text(key),
                color.as_deref().into(),
                icon.as_deref().into(),
                now.into(),
            ],
        )?;
        self.note_creation(tx, KIND, id, Some(category))?;
        Ok(id)
    }

    pub(super) fn revise_category(
        &mut self,
        tx: &mut FamilyTx<'_>,
        revision: &CategoryRevision,
    ) -> Result<()> {
        let before = self.category(tx, revision.id)?;
        let parent_id = match revision.parent {
            None => before.parent_id,
            Some(parent) => parent.map(|parent| self.resolve(parent)).transpose()?,
        };
        let after = CategoryImage {
            name: revision.name.clone().unwrap_or_else(|| before.name.clone()),
            parent_id,
            color: revision.color.clone().unwrap_or_else(|| before.color.clone()),
            icon: revision.icon.clone().unwrap_or_else(|| before.icon.clone()),
        };
        if after == before {
            return Ok(());
        }
        self.put_category(tx, revision.id, &before, &after)?;
        self.note_change(tx, KIND, revision.id, &before, &after)
    }

    /// Stores what a category is from now on, if there is room for it in two levels and its path is
    /// free.
    fn put_category(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        before: &CategoryImage,
        after: &CategoryImage,
    ) -> Result<()> {
        let above = match after.parent_id {
            None => None,
            Some(parent) => Some(self.category(tx, parent)?),
        };
        let key = [self.family.into(), Val::Uuid(id)];
        let below = tx.query(&CATEGORIES_BELOW, &key, |row| Ok((row.uuid(0)?, row.string(1)?)))?;
        let is_third = above.as_ref().is_some_and(|above| above.parent_id.is_some());
        if is_third || after.parent_id == Some(id) || (above.is_some() && !below.is_empty()) {
            return Err(Error::invalid("Categories have two levels"));
        }
        if above.is_none() && is_path(&after.name) {
            let predicate = format!(
                "{} holds a colon, so the category can't be on the first level: rename it first",
                after.name
            );
            return Err(Error::invalid(Problem::field("name", predicate)));
        }
        let (path_of, shown) = match &above {
            None => (path_key(&after.name), after.name.clone()),
            Some(above) => (
                path_key(&format!("{}:{}", above.name, after.name)),
                format!("{}: {}", above.name, after.name),
            ),
        };
        require_free(tx, LabelKind::Category, (&path_of, &shown), Some(id))?;
        let now = tx.now();
        tx.execute(
            &CATEGORY_SET,
            &[
                after.parent_id.into(),
                Val::Text(&after.name),
                Val::Text(&path_of),
                after.color.as_deref().into(),
                after.icon.as_deref().into(),
                now.into(),
                self.family.into(),
                Val::Uuid(id),
            ],
        )?;
        if after.name != before.name {
            for (child, name) in below {
                let path = format!("{}:{name}", after.name);
                let key = path_key(&path);
                require_free(tx, LabelKind::Category, (&key, &path), Some(child))?;
                let row = [Val::Text(&key), now.into(), self.family.into(), Val::Uuid(child)];
                tx.execute(&CATEGORY_KEY_SET, &row)?;
            }
        }
        Ok(())
    }

    /// Takes a category away; those below it find another place.
    pub(super) fn remove_category(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        replacement: Option<Uuid>,
    ) -> Result<()> {
        let before = self.category(tx, id)?;
        let detached = detach_category(tx, id, replacement)?;
        // No name has such a key.
        let nameless = format!(":{id}");
        let row = [Val::Text(&nameless), self.family.into(), Val::Uuid(id)];
        tx.execute(&CATEGORY_NAME_FREE, &row)?;
        for (moved, parent) in removal::moves(tx, id, replacement)? {
            self.revise_category(
                tx,
                &CategoryRevision {
                    id: moved,
                    name: None,
                    parent: Some(parent.map(Target::Existing)),
                    color: None,
                    icon: None,
                },
            )?;
        }
        tx.execute(&CATEGORY_TAKE_AWAY, &[self.family.into(), Val::Uuid(id)])?;
        self.note_removal(KIND, id, &before, replacement, detached)
    }

    fn category(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<CategoryImage> {
        tx.query_opt(&CATEGORY_NOW, &[self.family.into(), Val::Uuid(id)], read)?
            .ok_or(Error::NotFound { what: "Category" })
    }
}

fn read(row: &Row<'_>) -> Result<CategoryImage> {
    Ok(CategoryImage {
        name: row.string(0)?,
        parent_id: row.opt_uuid(1)?,
        color: row.opt_string(2)?,
        icon: row.opt_string(3)?,
    })
}
