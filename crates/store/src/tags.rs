//! Tags: names that entries may have several of.

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::TagId;
use purser_core::labels::color::default_color;
use purser_core::labels::input::{LabelInput, LabelKind};
use purser_core::text::label::name_key;
use serde_json::json;

use crate::access::FamilyTx;
use crate::accounts::Restriction;
use crate::audit::Actor;
use crate::driver::{Row, statements, vals};
use crate::families::FamilyId;
use crate::labels::sight::{Sight, require_unrestricted};
use crate::labels::{changed, require_free};
use crate::ledger::labels::detach_tag;

statements! {
    /// Every tag, by name.
    TAGS_ALL = "SELECT id, name, color, created_at, updated_at FROM ledger_tags
        WHERE family_id = $1 ORDER BY name_key, id";
    /// The tag with an id.
    TAG_BY_ID = "SELECT id, name, color, created_at, updated_at FROM ledger_tags
        WHERE family_id = $1 AND id = $2";
    /// Inserts a new tag.
    TAG_ADD = "INSERT INTO tags (family_id, id, name, name_key, color, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    /// What a tag is from now on.
    TAG_UPDATE = "UPDATE tags SET name = $1, name_key = $2, color = $3, updated_at = $4
        WHERE family_id = $5 AND id = $6";
    /// A tag that nothing points to.
    TAG_REMOVE = "DELETE FROM tags WHERE family_id = $1 AND id = $2";
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
pub fn list(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
) -> Result<Vec<Tag>> {
    let sight = Sight::of_tags(tx, family, restriction)?;
    let mut found = tx.query(&TAGS_ALL, vals![family], read)?;
    found.retain(|tag| sight.shows(tag.id.0));
    Ok(found)
}

/// The tag with an id.
pub fn get(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    id: TagId,
) -> Result<Tag> {
    let sight = Sight::of_tags(tx, family, restriction)?;
    tx.query_opt(&TAG_BY_ID, vals![family, id], read)?
        .filter(|tag| sight.shows(tag.id.0))
        .ok_or(Error::NotFound { what: "Tag" })
}

/// Creates a tag of the family.
pub fn create(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    actor: Actor,
    input: &LabelInput,
) -> Result<Tag> {
    require_unrestricted(restriction)?;
    let checked = input.check_new(LabelKind::Tag)?;
    let (name, color) = (checked.name.unwrap_or_default(), checked.color.flatten());
    let key = name_key(&name);
    require_free(tx, family, LabelKind::Tag, (&key, &name), None)?;
    let (id, now) = (TagId(tx.new_id()?), tx.now());
    tx.execute(&TAG_ADD, vals![family, id, &name, &key, color.as_ref(), now])?;
    let details = json!({ "after": { "name": name, "color": color } });
    changed(tx, family, actor, ("tag.create", "tag"), id.0, details)?;
    get(tx, family, None, id)
}

/// Changes fields of a tag.
pub fn revise(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    actor: Actor,
    id: TagId,
    input: &LabelInput,
) -> Result<Tag> {
    require_unrestricted(restriction)?;
    let before = get(tx, family, None, id)?;
    let checked = input.check(LabelKind::Tag)?;
    let name = checked.name.unwrap_or_else(|| before.name.clone());
    let color = checked.color.unwrap_or_else(|| before.own_color.clone());
    if (&name, &color) == (&before.name, &before.own_color) {
        return Ok(before);
    }
    let key = name_key(&name);
    require_free(tx, family, LabelKind::Tag, (&key, &name), Some(id.0))?;
    let now = tx.now();
    tx.execute(&TAG_UPDATE, vals![&name, &key, color.as_ref(), now, family, id])?;
    let details = json!({
        "before": { "name": before.name, "color": before.own_color },
        "after": { "name": name, "color": color },
    });
    changed(tx, family, actor, ("tag.update", "tag"), id.0, details)?;
    get(tx, family, None, id)
}

/// Removes a tag, from all entries that have it too.
pub fn remove(
    tx: &mut FamilyTx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    actor: Actor,
    id: TagId,
) -> Result<()> {
    require_unrestricted(restriction)?;
    let before = get(tx, family, None, id)?;
    let detached = detach_tag(tx, family, id.0)?;
    tx.execute(&TAG_REMOVE, vals![family, id])?;
    let details = json!({
        "before": { "name": before.name, "color": before.own_color }, "detached": detached,
    });
    changed(tx, family, actor, ("tag.remove", "tag"), id.0, details)
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
