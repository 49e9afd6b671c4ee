//! The names that entries are sorted by: what categories, tags and merchants have in common.
//!
//! Each kind has a module of its own ([`crate::categories`], [`crate::tags`],
//! [`crate::merchants`]). A name is unique in its kind, by its key; what an unfinished publish
//! created counts too, although nobody sees it yet.

pub mod removal;
pub(crate) mod visibility;

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::CategoryId;
use purser_core::labels::input::LabelKind;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements, vals};
use crate::transactions::{Category, Tag};

pub use visibility::require_unrestricted;

statements! {
    /// Categories in the order of their paths: those below another come after it.
    CATEGORY_PATHS = "SELECT c.id, c.name, c.parent_id, c.color, p.color, c.icon, p.name
        FROM ledger_categories c
        LEFT JOIN ledger_categories p ON p.family_id = $1 AND p.id = c.parent_id
        WHERE c.family_id = $1
        ORDER BY COALESCE(p.name_key, c.name_key), COALESCE(p.id, c.id),
            CASE WHEN p.id IS NULL THEN 0 ELSE 1 END, c.name_key, c.id";
    /// All tags by name.
    TAG_NAMES = "SELECT id, name, color FROM ledger_tags WHERE family_id = $1
        ORDER BY name_key, id";
    /// The categories of some ids.
    CATEGORIES_KNOWN = "SELECT id FROM ledger_categories WHERE family_id = $1 AND id = ANY($2)";
    /// The tags of some ids.
    TAGS_KNOWN = "SELECT id FROM ledger_tags WHERE family_id = $1 AND id = ANY($2)";
    /// The merchants of some ids.
    MERCHANTS_KNOWN = "SELECT id FROM ledger_merchants WHERE family_id = $1 AND id = ANY($2)";
    /// Who has the key of a category's path, seen or not.
    CATEGORY_KEY = "SELECT c.id, v.id FROM categories c
        LEFT JOIN ledger_categories v ON v.family_id = $1 AND v.id = c.id
        WHERE c.family_id = $1 AND c.name_key = $2";
    /// Who has the key of a tag's name, seen or not.
    TAG_KEY = "SELECT t.id, v.id FROM tags t
        LEFT JOIN ledger_tags v ON v.family_id = $1 AND v.id = t.id
        WHERE t.family_id = $1 AND t.name_key = $2";
    /// Who has the key of a merchant's name, seen or not.
    MERCHANT_KEY = "SELECT m.id, v.id FROM merchants m
        LEFT JOIN ledger_merchants v ON v.family_id = $1 AND v.id = m.id
        WHERE m.family_id = $1 AND m.name_key = $2";
}

/// A category with its whole name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryPath {
    /// The id of the category.
    pub id: CategoryId,
    /// The category above, if it is of the second level.
    pub parent: Option<CategoryId>,
    /// The name on its own level.
    pub name: String,
    /// `Food`, or `Food: Bars`.
    pub path: String,
    /// `#rrggbb`: its own, else that of the category above, else one that follows from the id.
    pub color: String,
    /// The name of an icon.
    pub icon: Option<String>,
}

impl CategoryPath {
    /// Reads a category from seven columns: those of [`Category::read`], and the name of the one
    /// above.
    pub(crate) fn read(row: &Row<'_>, first: usize) -> Result<Self> {
        let Category { id, name, parent, color, icon } = Category::read(row, first)?;
        let path = match row.opt_text(first + 6)? {
            Some(above) => format!("{above}: {name}"),
            None => name.clone(),
        };
        Ok(Self { id, parent, name, path, color, icon })
    }
}

/// All categories of a family.
pub fn categories(tx: &mut FamilyTx<'_>) -> Result<Vec<CategoryPath>> {
    let family = tx.family();
    tx.query(&CATEGORY_PATHS, vals![family], |row| CategoryPath::read(row, 0))
}

/// All tags of a family.
pub fn tags(tx: &mut FamilyTx<'_>) -> Result<Vec<Tag>> {
    let family = tx.family();
    tx.query(&TAG_NAMES, vals![family], |row| Tag::read(row, 0))
}

/// Those of some ids that no label of this kind has, for whatever names labels by their ids.
///
/// A rule keeps ids in JSON, where no foreign key sees them: it checks them with this when it is
/// written. When a label goes, [`crate::ledger::labels`] puts its replacement in the rules that
/// name it, or switches them off; so a rule that runs names what is there.
pub fn unknown(tx: &mut FamilyTx<'_>, kind: LabelKind, ids: &[Uuid]) -> Result<Vec<Uuid>> {
    let family = tx.family();
    let statement = match kind {
        LabelKind::Category => &CATEGORIES_KNOWN,
        LabelKind::Tag => &TAGS_KNOWN,
        LabelKind::Merchant => &MERCHANTS_KNOWN,
    };
    let mut unknown: Vec<Uuid> = ids.to_vec();
    unknown.sort_unstable();
    unknown.dedup();
    let keys: Vec<Val<'_>> = unknown.iter().map(|id| Val::Uuid(*id)).collect();
    let mut known = Vec::with_capacity(keys.len());
    tx.lookup(statement, &[family.into()], &keys, |row| {
        known.push(row.uuid(0)?);
        Ok(())
    })?;
    unknown.retain(|id| !known.contains(id));
    Ok(unknown)
}

/// Who has a key of the kind, seen or not, and whether it is seen.
fn key_holder(tx: &mut FamilyTx<'_>, kind: LabelKind, key: &str) -> Result<Option<(Uuid, bool)>> {
    let statement = match kind {
        LabelKind::Category => &CATEGORY_KEY,
        LabelKind::Tag => &TAG_KEY,
        LabelKind::Merchant => &MERCHANT_KEY,
    };
    let family = tx.family();
    tx.query_opt(statement, vals![family, key], |row| {
        Ok((row.uuid(0)?, row.opt_uuid(1)?.is_some()))
    })
}

/// The label of the kind that has a key.
pub(crate) fn holder(tx: &mut FamilyTx<'_>, kind: LabelKind, key: &str) -> Result<Option<Uuid>> {
    Ok(key_holder(tx, kind, key)?.map(|(id, _)| id))
}

/// Fails if another label of the kind has the key: `shown` is its name.
pub(crate) fn require_free(
    tx: &mut FamilyTx<'_>,
    kind: LabelKind,
    (key, shown): (&str, &str),
    own: Option<Uuid>,
) -> Result<()> {
    let noun = match kind {
        LabelKind::Category => "category",
        LabelKind::Tag => "tag",
        LabelKind::Merchant => "merchant",
    };
    let taken = key_holder(tx, kind, key)?;
    match taken {
        None => Ok(()),
        Some((id, _)) if Some(id) == own => Ok(()),
        Some((_, true)) => {
            let sentence = format!("There is already a {noun} with the name {shown}");
            Err(Problem::about("name", sentence).into())
        }
        Some((_, false)) => Err(Error::Conflict {
            code: "import_running",
            message: format!("An import that is being published creates the {noun} {shown}"),
        }),
    }
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
            let make = |tx: &mut FamilyTx<'_>| {
                let mut executor = Executor::begin(tx, 0)?;
                let category = |name: &str, key: &str, parent| Creation::Category {
                    name: name.into(),
                    key: key.into(),
                    parent,
                    color: None,
                    icon: None,
                };
                executor.create(tx, &category("Work", "work", None))?;
                let food = executor.create(tx, &category("Food", "food", None))?;
                let parent = Some(Target::Created(food));
                executor.create(tx, &category("Bars", "food:bars", parent))?;
                executor.create(tx, &Creation::Tag { name: "b".into(), color: None })?;
                executor.create(tx, &Creation::Tag { name: "A".into(), color: None })?;
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
                let read = |tx: &mut FamilyTx<'_>| Ok((categories(tx)?, tags(tx)?));
                fixture.store.read_blocking(family, read).unwrap()
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
