//! Changes of templates by people: their names, and their removal. Shared by all edges: the rules
//! for names, and the audit events.

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, TemplateId};
use purser_core::limits::TEMPLATE_NAME_CHARS_MAX;
use purser_store::audit::{self, Actor};
use purser_store::imports::{self, Template};
use purser_store::{FamilyId, FamilyTx};
use serde_json::{Value, json};

/// Who changes a template.
#[derive(Debug, Clone, Copy)]
pub struct Changer<'a> {
    /// The family of the template.
    pub family: FamilyId,
    /// The only accounts that they may see, if not all.
    pub accounts: Option<&'a [AccountId]>,
    /// As the audit trail names them.
    pub actor: Actor,
}

/// A name as it is kept; `field` is what the sentence of a refusal begins with.
pub fn checked_name(field: &str, name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Error::invalid(format!("{field} is required")));
    }
    if name.chars().count() > TEMPLATE_NAME_CHARS_MAX || name.contains('\0') {
        return Err(Error::invalid(format!(
            "{field} must have at most {TEMPLATE_NAME_CHARS_MAX} characters and no NUL"
        )));
    }
    Ok(name.to_owned())
}

/// Gives a template another name, one of [`checked_name`]; the template as it is then.
pub fn rename(
    tx: &mut FamilyTx<'_>,
    by: Changer<'_>,
    id: TemplateId,
    name: &str,
) -> Result<Template> {
    let before = imports::template_get(tx, by.family, by.accounts, id)?;
    imports::template_rename(tx, by.family, id, name)?;
    let details = json!({ "before": before.name, "after": name });
    record(tx, by, id, "import_template.rename", details)?;
    imports::template_get(tx, by.family, by.accounts, id)
}

/// Forgets a template. Imports that took over from it keep what they took.
pub fn remove(tx: &mut FamilyTx<'_>, by: Changer<'_>, id: TemplateId) -> Result<()> {
    let template = imports::template_get(tx, by.family, by.accounts, id)?;
    imports::template_delete(tx, by.family, id)?;
    record(tx, by, id, "import_template.delete", json!({ "name": template.name }))
}

fn record(
    tx: &mut FamilyTx<'_>,
    by: Changer<'_>,
    id: TemplateId,
    action: &'static str,
    details: Value,
) -> Result<()> {
    let event = audit::Event {
        actor: by.actor,
        action,
        subject_kind: "import_template",
        subject_id: Some(id.0),
        details,
    };
    audit::record(tx, by.family, &event).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_short_and_not_blank() {
        assert_eq!(checked_name("name", " My bank ").unwrap(), "My bank");
        let longest = "ä".repeat(TEMPLATE_NAME_CHARS_MAX);
        assert_eq!(checked_name("name", &longest).unwrap(), longest);
        for bad in ["", " \t", &format!("{longest}x"), "a\0b"] {
            let error = checked_name("Name", bad).unwrap_err();
            assert!(
                matches!(&error, Error::Invalid { problems: errors, .. }
                if errors.iter().all(|error| error.to_string().starts_with("Name "))),
                "{bad:?}: {error:?}"
            );
        }
    }
}
