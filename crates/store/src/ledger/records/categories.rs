//! Categories: two levels, and a key of the whole path that is unique.

use purser_core::error::{Error, Problem, Result};
use purser_core::import::category::CategoryImage;
use purser_core::import::mapping::path_key;
use purser_core::labels::input::{LabelKind, is_path};
use purser_core::limits::LABELS_MAX;
use purser_core::plan::{CategoryRevision, Target};
use purser_core::text::label::name_key;
use serde_json::json;
use uuid::Uuid;

use super::undo::{Outlook, Pointer, Remaining, pointing, rules_naming};
use super::{Executor, Limit, Record, read_by_ids};
use crate::access::FamilyTx;
use crate::categories::removal;
use crate::driver::{statements, vals};
use crate::labels::require_free;

statements! {
    /// How many there are.
    CATEGORY_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM categories WHERE family_id = $1";
    /// The values of a category that is created.
    CATEGORY_INSERT = "INSERT INTO categories (family_id, id, parent_id, name, name_key, color,
            icon, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)";
    /// Categories by their ids.
    CATEGORIES_BY_IDS = "SELECT id, name, parent_id, color, icon FROM ledger_categories
        WHERE family_id = $1 AND id = ANY($2)";
    /// The name of a category, even of one that an unfinished publish created.
    CATEGORY_NAME = "SELECT name FROM categories WHERE family_id = $1 AND id = $2";
    /// Those below a category.
    CATEGORIES_BELOW = "SELECT id, name FROM categories WHERE family_id = $1 AND parent_id = $2
        ORDER BY id";
    /// Those of the first level.
    CATEGORIES_FIRST = "SELECT id, name FROM categories
        WHERE family_id = $1 AND parent_id IS NULL ORDER BY id";
    /// What a category is from now on.
    CATEGORY_SET = "UPDATE categories SET parent_id = $1, name = $2, name_key = $3, color = $4,
            icon = $5, updated_at = $6
        WHERE family_id = $7 AND id = $8";
    /// The key of a category below one that has another name now.
    CATEGORY_KEY_SET = "UPDATE categories SET name_key = $1, updated_at = $2
        WHERE family_id = $3 AND id = $4";
    /// The name of a category that goes is free for those below it.
    CATEGORY_NAME_FREE = "UPDATE categories SET name_key = $1 WHERE family_id = $2 AND id = $3";
    /// Series that were detected with a category that goes have none.
    CATEGORY_SERIES_CLEAR = "UPDATE recurring_transactions SET category_id = NULL
        WHERE family_id = $1 AND category_id = $2 AND made_by = 'detection'";
    /// A category that nothing points to.
    CATEGORY_TAKE_AWAY = "DELETE FROM categories WHERE family_id = $1 AND id = $2";
    /// Lines of budgets for the category.
    CATEGORY_LINES = "SELECT id FROM budget_categories WHERE family_id = $1 AND category_id = $2";
    /// Series that a person created with the category.
    CATEGORY_SERIES = "SELECT id FROM recurring_transactions
        WHERE family_id = $1 AND category_id = $2 AND made_by = 'person'";
    /// Categories of entries that stay; those that the import filled are judged one by one.
    CATEGORIES_USED = "SELECT DISTINCT e.category_id FROM ledger_entries e
        WHERE e.family_id = $1 AND e.category_id IS NOT NULL
            AND (e.id < $2 OR e.id > $3 OR e.changed_at IS NOT NULL)
            AND NOT EXISTS (SELECT 1 FROM import_fills f WHERE f.family_id = $1
                AND f.import_id = $4 AND f.entry_id = e.id)";
}

/// Categories as the executor writes them.
pub(crate) struct CategoryRecord;

impl Record for CategoryRecord {
    const KIND: &'static str = "category";
    const PLACE: &'static [&'static str] = &["name", "parent_id"];
    const POINTS_TO: &'static [(&'static str, &'static str)] = &[("parent_id", "category")];
    const LIMIT: Option<Limit> =
        Some(Limit { max: LABELS_MAX, plural: "categories", count: &CATEGORY_COUNT });
    type Values = CategoryImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, CategoryImage)>> {
        read_by_ids(tx, &CATEGORIES_BY_IDS, ids, |row| {
            Ok(CategoryImage {
                name: row.string(1)?,
                parent_id: row.opt_uuid(2)?,
                color: row.opt_string(3)?,
                icon: row.opt_string(4)?,
            })
        })
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, category: &CategoryImage) -> Result<()> {
        let CategoryImage { name, parent_id, color, icon } = category;
        let (key, _) = path_of(tx, category)?;
        let (family, now) = (tx.family(), tx.now());
        let (color, icon) = (color.as_deref(), icon.as_deref());
        let row = vals![family, id, *parent_id, name, &key, color, icon, now];
        tx.execute(&CATEGORY_INSERT, row).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, category: &CategoryImage) -> Result<()> {
        let family = tx.family();
        let below = tx.query(&CATEGORIES_BELOW, vals![family, id], |row| {
            Ok((row.uuid(0)?, row.string(1)?))
        })?;
        require_room(tx, id, category, !below.is_empty())?;
        let (key, shown) = path_of(tx, category)?;
        require_free(tx, LabelKind::Category, (&key, &shown), Some(id))?;
        let CategoryImage { name, parent_id, color, icon } = category;
        let (color, icon, now) = (color.as_deref(), icon.as_deref(), tx.now());
        let row = vals![*parent_id, name, &key, color, icon, now, family, id];
        tx.execute(&CATEGORY_SET, row)?;
        for (child, own) in below {
            let path = format!("{name}:{own}");
            let key = path_key(&path);
            require_free(tx, LabelKind::Category, (&key, &path), Some(child))?;
            tx.execute(&CATEGORY_KEY_SET, vals![&key, now, family, child])?;
        }
        Ok(())
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&CATEGORY_SERIES_CLEAR, vals![family, id])?;
        tx.execute(&CATEGORY_TAKE_AWAY, vals![family, id]).map(drop)
    }

    fn title(category: &CategoryImage) -> String {
        category.name.clone()
    }

    fn holder(tx: &mut FamilyTx<'_>, category: &CategoryImage) -> Result<Option<Uuid>> {
        let (family, key) = (tx.family(), name_key(&category.name));
        let named = |row: &crate::driver::Row<'_>| Ok((row.uuid(0)?, row.string(1)?));
        let beside = match category.parent_id {
            Some(parent) => tx.query(&CATEGORIES_BELOW, vals![family, parent], named)?,
            None => tx.query(&CATEGORIES_FIRST, vals![family], named)?,
        };
        Ok(beside.into_iter().find(|(_, name)| name_key(name) == key).map(|(id, _)| id))
    }

    fn place(category: &CategoryImage) -> Result<String> {
        Ok(json!([category.parent_id, name_key(&category.name)]).to_string())
    }

    /// There are two levels, and a name with a colon can't be on the first.
    fn is_unfit(
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        category: &CategoryImage,
        outlook: &Outlook,
    ) -> Result<bool> {
        let Some(parent) = category.parent_id else {
            return Ok(name_key(&category.name).contains(':'));
        };
        let is_third = match outlook.image(parent) {
            Some(above) => !above["parent_id"].is_null(),
            None => {
                let above = Self::read(tx, &[parent])?.pop();
                above.is_none_or(|(_, above)| above.parent_id.is_some())
            }
        };
        let family = tx.family();
        let below = tx.query(&CATEGORIES_BELOW, vals![family, id], |row| row.uuid(0))?;
        let is_above = below.into_iter().any(|child| outlook.still_names(child, id));
        Ok(is_third || parent == id || is_above || outlook.comes_to("parent_id", id))
    }

    fn pointers(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Vec<Pointer>> {
        let mut found = pointing(tx, &CATEGORIES_BELOW, id, "there are categories below it")?;
        found.extend(pointing(tx, &CATEGORY_LINES, id, "a budget names it")?);
        found.extend(pointing(tx, &CATEGORY_SERIES, id, "a recurring transaction has it")?);
        found.extend(rules_naming(tx, id)?);
        Ok(found)
    }

    fn used(tx: &mut FamilyTx<'_>, remaining: &Remaining) -> Result<Vec<Uuid>> {
        remaining.but_fills(tx, &CATEGORIES_USED)
    }
}

impl Executor {
    pub(super) fn revise_category(
        &mut self,
        tx: &mut FamilyTx<'_>,
        revision: &CategoryRevision,
    ) -> Result<()> {
        let before = Self::present::<CategoryRecord>(tx, revision.id, "Category")?;
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
        self.update::<CategoryRecord>(tx, revision.id, (&before, &after))
    }

    /// Takes a category away; those below it find another place.
    pub(super) fn remove_category(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        replacement: Option<Uuid>,
    ) -> Result<()> {
        let before = Self::present::<CategoryRecord>(tx, id, "Category")?;
        let detached = self.detach_category(tx, id, replacement)?;
        // No name has such a key.
        let (family, nameless) = (tx.family(), format!(":{id}"));
        tx.execute(&CATEGORY_NAME_FREE, vals![&nameless, family, id])?;
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
        self.delete_label::<CategoryRecord>(tx, id, &before, replacement, detached)
    }
}

/// Fails if there is no room for a category in two levels.
fn require_room(
    tx: &mut FamilyTx<'_>,
    id: Uuid,
    category: &CategoryImage,
    has_below: bool,
) -> Result<()> {
    let above = match category.parent_id {
        None => None,
        Some(parent) => Some(Executor::present::<CategoryRecord>(tx, parent, "Category")?),
    };
    let is_third = above.as_ref().is_some_and(|above| above.parent_id.is_some());
    if is_third || category.parent_id == Some(id) || (above.is_some() && has_below) {
        return Err(Error::invalid("Categories have two levels"));
    }
    if above.is_none() && is_path(&category.name) {
        let predicate = format!(
            "{} holds a colon, so the category can't be on the first level: rename it first",
            category.name
        );
        return Err(Error::invalid(Problem::field("name", predicate)));
    }
    Ok(())
}

/// The key of a category's path, and the path as people see it.
fn path_of(tx: &mut FamilyTx<'_>, category: &CategoryImage) -> Result<(String, String)> {
    let name = &category.name;
    let Some(parent) = category.parent_id else { return Ok((path_key(name), name.clone())) };
    let family = tx.family();
    let above = tx.query_one(&CATEGORY_NAME, vals![family, parent], |row| row.string(0))?;
    Ok((path_key(&format!("{above}:{name}")), format!("{above}: {name}")))
}
