//! The names that entries are sorted by: categories and tags, for lists to choose from.

use purser_core::error::Result;
use purser_core::ids::CategoryId;

use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::transactions::Tag;

statements! {
    /// Categories in the order of their paths: those below another come after it.
    CATEGORY_PATHS = "SELECT c.id, c.parent_id, c.name, p.name FROM categories c
        LEFT JOIN categories p ON p.family_id = c.family_id AND p.id = c.parent_id
        WHERE c.family_id = $1 ORDER BY c.name_key, c.id";
    /// Tags by name.
    TAG_NAMES = "SELECT id, name FROM tags WHERE family_id = $1 ORDER BY name_key, id";
}

/// A category with its whole name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryPath {
    /// Which.
    pub id: CategoryId,
    /// The category above, if it is of the second level.
    pub parent: Option<CategoryId>,
    /// `Food`, or `Food: Bars`.
    pub path: String,
}

/// A family's categories.
pub fn categories(tx: &mut Tx<'_>, family: FamilyId) -> Result<Vec<CategoryPath>> {
    tx.query(&CATEGORY_PATHS, vals![family], |row| {
        let (name, above) = (row.text(2)?, row.opt_text(3)?);
        let path = above.map_or_else(|| name.to_owned(), |above| format!("{above}: {name}"));
        Ok(CategoryPath { id: row.id(0)?, parent: row.opt_id(1)?, path })
    })
}

/// A family's tags.
pub fn tags(tx: &mut Tx<'_>, family: FamilyId) -> Result<Vec<Tag>> {
    tx.query(&TAG_NAMES, vals![family], |row| Ok(Tag { id: row.id(0)?, name: row.string(1)? }))
}
