//! Tags: names that entries may have several of.

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::TagId;
use purser_core::labels::color::default_color;
use purser_core::labels::input::{LabelInput, LabelKind};
use purser_core::plan::{Creation, RecordChange};
use purser_core::text::label::name_key;

use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};
use crate::labels::require_free;
use crate::labels::visibility::{VisibleIds, require_unrestricted};
use crate::ledger::records::execute;

statements! {
    /// Every tag, by name.
    TAGS_ALL = "SELECT id, name, color, created_at, updated_at FROM ledger_tags
        WHERE family_id = $1 ORDER BY name_key, id";
    /// The tag with an id.
    TAG_BY_ID = "SELECT id, name, color, created_at, updated_at FROM ledger_tags
        WHERE family_id = $1 AND id = $2";
}

/// A tag of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The id of the tag.
    pub id: TagId,
    /// The name that is shown.
    pub name: String,
    /// `#rrggbb`: its own, else one that follows from the id.
    pub color: String,
    /// The color that it was given itself.
    pub own_color: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// The tags that may be seen, by name.
pub fn list(tx: &mut FamilyTx<'_>) -> Result<Vec<Tag>> {
    let family = tx.family();
    let visibility = VisibleIds::of_tags(tx)?;
    let mut found = tx.query(&TAGS_ALL, vals![family], read)?;
    found.retain(|tag| visibility.shows(tag.id.0));
    Ok(found)
}

/// The tag with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: TagId) -> Result<Tag> {
    let family = tx.family();
    let visibility = VisibleIds::of_tags(tx)?;
    tx.query_opt(&TAG_BY_ID, vals![family, id], read)?
        .filter(|tag| visibility.shows(tag.id.0))
        .ok_or(Error::NotFound { what: "Tag" })
}

/// Creates a tag of the family.
pub fn create(tx: &mut FamilyTx<'_>, input: &LabelInput) -> Result<Tag> {
    require_unrestricted(tx)?;
    let checked = input.check_new(LabelKind::Tag)?;
    let (name, color) = (checked.name.unwrap_or_default(), checked.color.flatten());
    require_free(tx, LabelKind::Tag, (&name_key(&name), &name), None)?;
    let id = execute(tx, ("tag.create", "tag"), |tx, executor| {
        let slot = executor.create(tx, &Creation::Tag { name, color })?;
        executor.created_id(slot)
    })?;
    get(tx, TagId(id))
}

/// Changes fields of a tag.
pub fn revise(tx: &mut FamilyTx<'_>, id: TagId, input: &LabelInput) -> Result<Tag> {
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    let checked = input.check(LabelKind::Tag)?;
    let name = checked.name.filter(|name| *name != before.name);
    let color = checked.color.filter(|color| *color != before.own_color);
    if name.is_none() && color.is_none() {
        return Ok(before);
    }
    execute(tx, ("tag.update", "tag"), |tx, executor| {
        executor.change(tx, &RecordChange::ReviseTag { id: id.0, name, color })?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// Removes a tag, from all entries that have it too.
pub fn remove(tx: &mut FamilyTx<'_>, id: TagId) -> Result<()> {
    require_unrestricted(tx)?;
    execute(tx, ("tag.remove", "tag"), |tx, executor| {
        executor.change(tx, &RecordChange::RemoveTag { id: id.0 })?;
        Ok(id.0)
    })
    .map(drop)
}

/// Fails unless a tag can be removed by the caller.
pub(crate) fn require_removable(tx: &mut FamilyTx<'_>, id: TagId) -> Result<()> {
    require_unrestricted(tx)?;
    get(tx, id).map(drop)
}

fn read(row: &Row<'_>) -> Result<Tag> {
    let (id, own_color): (TagId, _) = (row.id(0)?, row.opt_string(2)?);
    Ok(Tag {
        id,
        name: row.string(1)?,
        color: own_color.clone().unwrap_or_else(|| default_color(id.0).to_owned()),
        own_color,
        created_at: row.timestamp(3)?,
        updated_at: row.timestamp(4)?,
    })
}
