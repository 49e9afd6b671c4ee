//! Templates: what their choices name is there. A choice follows what becomes of a category or a
//! tag; that of an account that was deleted is resolved by its name.

use purser_core::error::Result;
use purser_core::import::mapping::{Choice, MappingChoice, MappingKind};
use uuid::Uuid;

use super::report::Findings;
use crate::driver::{Sql, Tx, Val, statements};

statements! {
    /// The choices of every template.
    TEMPLATES_ALL = "SELECT family_id, id, choices FROM import_templates ORDER BY family_id, id";
    /// Whether a family has a category.
    CATEGORY_THERE = "SELECT 1 FROM categories WHERE family_id = $1 AND id = $2";
    /// Whether a family has a tag.
    TAG_THERE = "SELECT 1 FROM tags WHERE family_id = $1 AND id = $2";
}

/// A choice that names something by its id.
struct Chosen {
    family: i64,
    template: Uuid,
    target: Uuid,
    kind: &'static str,
    find: &'static Sql,
}

/// What a template chooses for a name exists.
pub(super) fn choices(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    let mut all = Vec::new();
    tx.for_each(&TEMPLATES_ALL, &[], |row| {
        let (family, template) = (row.int(0)?, row.uuid(1)?);
        // What can't be read is reported as the value of its column.
        let choices: Vec<MappingChoice> = serde_json::from_str(row.text(2)?).unwrap_or_default();
        for MappingChoice { kind, choice, .. } in choices {
            findings.count(1);
            let find = match kind.record() {
                MappingKind::Category => &CATEGORY_THERE,
                MappingKind::Tag => &TAG_THERE,
                _ => continue,
            };
            if let Choice::Existing(target) = choice {
                all.push(Chosen { family, template, target, kind: kind.as_str(), find });
            }
        }
        Ok(())
    })?;
    for Chosen { family, template, target, kind, find } in all {
        let key = [Val::Int(family), Val::Uuid(target)];
        if tx.query_opt(find, &key, |_| Ok(()))?.is_none() {
            findings.problem(|| {
                format!(
                    "import_templates {template}: choices names the {kind} {target}, which the \
                     family doesn't have"
                )
            });
        }
    }
    Ok(())
}
