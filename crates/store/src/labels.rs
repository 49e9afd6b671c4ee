//! The names that entries are sorted by: categories and tags, for lists to choose from.

use purser_core::error::Result;
use purser_core::ids::CategoryId;

use crate::driver::{Tx, statements, vals};
use crate::families::FamilyId;
use crate::transactions::Tag;

statements! {
    /// Categories in the order of their paths: those below another come after it.
    CATEGORY_PATHS = "SELECT c.id, c.parent_id, c.name, p.name FROM ledger_categories c
        LEFT JOIN ledger_categories p ON p.family_id = c.family_id AND p.id = c.parent_id
        WHERE c.family_id = $1 ORDER BY c.name_key, c.id";
    /// Tags by name.
    TAG_NAMES = "SELECT id, name FROM ledger_tags WHERE family_id = $1 ORDER BY name_key, id";
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

#[cfg(test)]
mod tests {
    use purser_core::plan::{Creation, Target};
    use serde_json::json;

    use super::*;
    use crate::audit::Actor;
    use crate::ledger::{Event, Executor};
    use crate::testing::on_both;

    #[test]
    fn names_are_in_order_with_their_paths_and_of_one_family() {
        on_both(|fixture| {
            let (family, _) = fixture.family("own");
            let (other, _) = fixture.family("other");
            let make = |tx: &mut Tx<'_>| {
                let mut executor = Executor::begin(tx, family, 0)?;
                let category = |name: &str, key: &str, parent| Creation::Category {
                    name: name.into(),
                    key: key.into(),
                    parent,
                };
                executor.create(tx, &category("Work", "work", None))?;
                let food = executor.create(tx, &category("Food", "food", None))?;
                let parent = Some(Target::Created(food));
                executor.create(tx, &category("Bars", "food:bars", parent))?;
                executor.create(tx, &Creation::Tag { name: "b".into() })?;
                executor.create(tx, &Creation::Tag { name: "A".into() })?;
                let event = Event {
                    actor: Actor::System,
                    action: "test",
                    subject_kind: "test",
                    subject_id: uuid::Uuid::nil(),
                    details: json!({}),
                };
                executor.finish(tx, event)
            };
            fixture.store.write_blocking(family, |tx| make(tx).map(drop)).unwrap();
            let read = |family| {
                let read = |tx: &mut Tx<'_>| Ok((categories(tx, family)?, tags(tx, family)?));
                fixture.store.read_blocking(read).unwrap()
            };
            let (found, names) = read(family);
            let paths: Vec<&str> = found.iter().map(|one| one.path.as_str()).collect();
            assert_eq!(paths, ["Food", "Food: Bars", "Work"]);
            assert_eq!((found[1].parent, found[0].parent), (Some(found[0].id), None));
            assert_eq!(names.iter().map(|tag| tag.name.as_str()).collect::<Vec<_>>(), ["A", "b"]);
            assert_eq!(read(other), (Vec::new(), Vec::new()));
        });
    }
}
