//! Changes of templates by people: their names, and their removal. Shared by all edges: the rules
//! for names, and the audit events.

use purser_core::error::{Problem, Result};
use purser_core::ids::TemplateId;
use purser_core::limits::TEMPLATE_NAME_CHARS_MAX;
use purser_store::FamilyTx;
use purser_store::audit;
use purser_store::imports::{self, Template};
use serde_json::{Value, json};

/// A name as it is kept.
pub fn checked_name(name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Problem::required("name").into());
    }
    if name.chars().count() > TEMPLATE_NAME_CHARS_MAX || name.contains('\0') {
        return Err(Problem::field(
            "name",
            format!("must have at most {TEMPLATE_NAME_CHARS_MAX} characters and no NUL"),
        )
        .into());
    }
    Ok(name.to_owned())
}

/// Gives a template another name, one of [`checked_name`]; the template as it is then.
pub fn rename(tx: &mut FamilyTx<'_>, id: TemplateId, name: &str) -> Result<Template> {
    let before = get(tx, id)?;
    imports::template_rename(tx, id, name)?;
    let details = json!({ "before": before.name, "after": name });
    record(tx, id, "import_template.rename", details)?;
    get(tx, id)
}

/// Forgets a template. Imports that took over from it keep what they took.
pub fn remove(tx: &mut FamilyTx<'_>, id: TemplateId) -> Result<()> {
    let template = get(tx, id)?;
    imports::template_delete(tx, id)?;
    record(tx, id, "import_template.delete", json!({ "name": template.name }))
}

fn get(tx: &mut FamilyTx<'_>, id: TemplateId) -> Result<Template> {
    imports::template_get(tx, id)
}

fn record(
    tx: &mut FamilyTx<'_>,
    id: TemplateId,
    action: &'static str,
    details: Value,
) -> Result<()> {
    let event = audit::Event {
        actor: tx.actor(),
        action,
        subject_kind: "import_template",
        subject_id: Some(id.0),
        details,
    };
    audit::record(tx, &event).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_not_blank() {
        assert_eq!(checked_name(" My bank ").unwrap(), "My bank");
        let longest = "ä".repeat(TEMPLATE_NAME_CHARS_MAX);
        assert_eq!(checked_name(&longest).unwrap(), longest);
        for bad in ["", " \t", &format!("{longest}x"), "a\0b"] {
            let error = checked_name(bad).unwrap_err();
            let problems = error.into_problems();
            assert!(problems.iter().all(|one| one.path() == Some("name")), "{bad:?}: {problems:?}");
        }
    }
}
