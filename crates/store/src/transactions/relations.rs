//! Names of what a page of transactions points to: one query for each kind.

use std::collections::HashMap;

use purser_core::error::Result;
use purser_core::ids::{CategoryId, EntryId, MerchantId};

use super::{Category, Merchant, Tag};
use crate::access::FamilyTx;
use crate::driver::{Filter, Query, Val};
use crate::families::FamilyId;

const CATEGORIES: &str = "SELECT c.id, c.name, c.parent_id, c.color, p.color, c.icon
    FROM categories c LEFT JOIN categories p ON p.family_id = c.family_id AND p.id = c.parent_id";
const MERCHANTS: &str = "SELECT id, name FROM merchants";
const TAGS: &str = "SELECT e.entry_id, t.id, t.name, t.color FROM entry_tags e
    JOIN tags t ON t.family_id = e.family_id AND t.id = e.tag_id";
const BY_NAME: &str = "ORDER BY t.name_key, t.id";

/// The categories of some ids.
pub(super) fn categories(
    tx: &mut FamilyTx<'_>,
    ids: impl Iterator<Item = CategoryId>,
) -> Result<HashMap<CategoryId, Category>> {
    let family = tx.family();
    let Some(filter) = by_ids("c.family_id = ?", "c.id", family, ids) else {
        return Ok(HashMap::new());
    };
    let found = tx.query(&filter.query(CATEGORIES, "", []), &[], |row| {
        let category = Category::read(row, 0)?;
        Ok((category.id, category))
    })?;
    Ok(found.into_iter().collect())
}

/// The merchants of some ids.
pub(super) fn merchants(
    tx: &mut FamilyTx<'_>,
    ids: impl Iterator<Item = MerchantId>,
) -> Result<HashMap<MerchantId, Merchant>> {
    let family = tx.family();
    let Some(filter) = by_ids("family_id = ?", "id", family, ids) else {
        return Ok(HashMap::new());
    };
    let found = tx.query(&filter.query(MERCHANTS, "", []), &[], |row| {
        let merchant = Merchant { id: row.id(0)?, name: row.string(1)? };
        Ok((merchant.id, merchant))
    })?;
    Ok(found.into_iter().collect())
}

/// The tags of some entries, by name.
pub(super) fn tags(
    tx: &mut FamilyTx<'_>,
    ids: impl Iterator<Item = EntryId>,
) -> Result<HashMap<EntryId, Vec<Tag>>> {
    let family = tx.family();
    let mut tags: HashMap<EntryId, Vec<Tag>> = HashMap::new();
    let Some(filter) = by_ids("e.family_id = ?", "e.entry_id", family, ids) else {
        return Ok(tags);
    };
    let query = filter.query(TAGS, BY_NAME, []);
    tx.for_each(&query, &[], |row| {
        tags.entry(row.id(0)?).or_default().push(Tag::read(row, 1)?);
        Ok(())
    })?;
    Ok(tags)
}

/// A filter on distinct ids; none without ids.
fn by_ids<'a, T: Ord + Into<Val<'a>>>(
    of_family: &'static str,
    column: &'static str,
    family: FamilyId,
    ids: impl Iterator<Item = T>,
) -> Option<Filter<'a>> {
    let mut ids: Vec<T> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.is_empty() {
        return None;
    }
    let filter = Filter::new().and(of_family, [family.into()]);
    Some(filter.and_in(column, ids.into_iter().map(Into::into)))
}

/// The queries of this module, for the test that prepares them.
pub(super) fn query_examples(family: FamilyId) -> Vec<Query<'static>> {
    let nil = uuid::Uuid::nil();
    let category = by_ids("c.family_id = ?", "c.id", family, [CategoryId(nil)].into_iter());
    let merchant = by_ids("family_id = ?", "id", family, [MerchantId(nil)].into_iter());
    let entry = by_ids("e.family_id = ?", "e.entry_id", family, [EntryId(nil)].into_iter());
    let mut examples = Vec::new();
    if let (Some(category), Some(merchant), Some(entry)) = (category, merchant, entry) {
        examples.push(category.query(CATEGORIES, "", []));
        examples.push(merchant.query(MERCHANTS, "", []));
        examples.push(entry.query(TAGS, BY_NAME, []));
    }
    examples
}
