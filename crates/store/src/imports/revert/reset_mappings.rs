//! Mappings after an undo: names that stand for removed things are to be created again.
//!
//! That holds for the names of every import and for the choices that templates keep. A template is
//! written by the publish itself, so it doesn't keep anything from being removed; afterwards its
//! choice is to create the name, called as the removed thing is called now.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::{CategoryId, ImportId, TemplateId};
use purser_core::import::mapping::{Choice, MappingChoice, MappingKind};
use uuid::Uuid;

use super::{Created, Survey};
use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::labels;

statements! {
    /// What the names of all imports stand for.
    MAPPINGS_TARGETED = "SELECT import_id, kind, value_key, target_id
        FROM import_mappings WHERE family_id = $1 AND target_id IS NOT NULL
        ORDER BY import_id, kind, value_key";
    /// What a name stood for is gone: it is to be created again.
    MAPPING_UNASSIGN = "UPDATE import_mappings SET target_id = NULL, creates = $1
        WHERE family_id = $2 AND import_id = $3 AND kind = $4 AND value_key = $5";
    /// The choices of templates, and the accounts that they suggest.
    TEMPLATE_CHOICES = "SELECT id, choices, account_id FROM import_templates WHERE family_id = $1";
    /// Replaces the choices of a template.
    TEMPLATE_UPDATE = "UPDATE import_templates SET choices = $1, account_id = $2, updated_at = $3
        WHERE family_id = $4 AND id = $5";
}

/// What goes, with the name under which a file would have it created.
type Gone = HashMap<(MappingKind, Uuid), String>;

/// Names that stand for what goes are to be created again, in every import and every template.
/// Must come before it goes: templates point to accounts.
pub(super) fn reset_mappings(tx: &mut FamilyTx<'_>, survey: &Survey) -> Result<()> {
    let family = tx.family();
    let gone = gone(tx, survey)?;
    if gone.is_empty() {
        return Ok(());
    }
    unassign(tx, &gone)?;
    let mut changed = Vec::new();
    tx.for_each(&TEMPLATE_CHOICES, &[family.into()], |row| {
        let mut choices: Vec<MappingChoice> =
            serde_json::from_str(row.text(1)?).map_err(Error::internal)?;
        let account = row.opt_uuid(2)?;
        let stays = account.filter(|id| !gone.contains_key(&(MappingKind::Account, *id)));
        if create_again(&mut choices, &gone) || stays != account {
            changed.push((TemplateId(row.uuid(0)?), choices, stays));
        }
        Ok(())
    })?;
    let now = tx.now();
    for (id, choices, account) in changed {
        let choices = serde_json::to_string(&choices).map_err(Error::internal)?;
        let params =
            [Val::Text(&choices), account.into(), now.into(), family.into(), Val::Uuid(id.0)];
        tx.execute(&TEMPLATE_UPDATE, &params)?;
    }
    Ok(())
}

/// Whether any of the choices is another one now.
fn create_again(choices: &mut [MappingChoice], gone: &Gone) -> bool {
    let mut is_changed = false;
    for chosen in choices {
        let Choice::Existing(id) = chosen.choice else { continue };
        if let Some(name) = gone.get(&(chosen.kind.record(), id)) {
            chosen.choice = Choice::Create { name: Some(name.clone()) };
            is_changed = true;
        }
    }
    is_changed
}

fn gone(tx: &mut FamilyTx<'_>, survey: &Survey) -> Result<Gone> {
    let named = |one: &Created| {
        // Names in files stand for nothing else.
        let kind = MappingKind::parse(one.kind)?;
        Some(((kind, one.id), one.name.clone()))
    };
    let mut gone: Gone = survey.created().filter(|one| one.goes()).filter_map(named).collect();
    if !gone.keys().any(|(kind, _)| *kind == MappingKind::Category) {
        return Ok(gone);
    }
    // A category of the second level is named with the one above it.
    let categories = labels::categories(tx)?;
    let above: HashMap<CategoryId, &str> =
        categories.iter().map(|one| (one.id, one.path.as_str())).collect();
    for category in &categories {
        let parent = category.parent.and_then(|id| above.get(&id));
        let name = gone.get_mut(&(MappingKind::Category, category.id.0));
        if let (Some(parent), Some(name)) = (parent, name) {
            *name = format!("{parent}:{name}");
        }
    }
    Ok(gone)
}

fn unassign(tx: &mut FamilyTx<'_>, gone: &Gone) -> Result<()> {
    let family = tx.family();
    let mut names = Vec::new();
    tx.for_each(&MAPPINGS_TARGETED, &[family.into()], |row| {
        let kind: MappingKind = row.named(1)?;
        let id = row.uuid(3)?;
        if gone.contains_key(&(kind.record(), id)) {
            names.push((row.id::<ImportId>(0)?, kind, row.string(2)?));
        }
        Ok(())
    })?;
    for (import, kind, key) in names {
        let name = [
            Val::Bool(true),
            family.into(),
            import.into(),
            Val::Text(kind.as_str()),
            Val::Text(&key),
        ];
        tx.execute(&MAPPING_UNASSIGN, &name)?;
    }
    Ok(())
}
