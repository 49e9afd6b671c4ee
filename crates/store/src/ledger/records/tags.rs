//! Tags: a name and a color.

use purser_core::error::{Error, Result};
use purser_core::labels::input::LabelKind;
use purser_core::text::label::name_key;
use serde::Serialize;
use uuid::Uuid;

use super::Executor;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::labels::require_free;
use crate::ledger::labels::detach_tag;

statements! {
    /// A new tag.
    TAG_INSERT = "INSERT INTO tags (family_id, id, name, name_key, color, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    /// One tag.
    TAG_NOW = "SELECT name, color FROM ledger_tags WHERE family_id = $1 AND id = $2";
    /// What a tag is from now on.
    TAG_SET = "UPDATE tags SET name = $1, name_key = $2, color = $3, updated_at = $4
        WHERE family_id = $5 AND id = $6";
    /// A tag that nothing points to.
    TAG_TAKE_AWAY = "DELETE FROM tags WHERE family_id = $1 AND id = $2";
}

/// As tags stand in the audit trail and beside imports.
const KIND: &str = "tag";

/// A tag as it is kept before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct TagImage {
    name: String,
    color: Option<String>,
}

impl Executor {
    pub(in crate::ledger) fn create_tag(
        &mut self,
        tx: &mut FamilyTx<'_>,
        name: &str,
        color: Option<&str>,
    ) -> Result<Uuid> {
        let (id, now) = (tx.new_id()?, tx.now());
        tx.execute(
            &TAG_INSERT,
            &[
                self.family.into(),
                Val::Uuid(id),
                Val::Text(name),
                Val::Text(&name_key(name)),
                color.into(),
                now.into(),
            ],
        )?;
        let after = TagImage { name: name.to_owned(), color: color.map(str::to_owned) };
        self.note_creation(tx, KIND, id, Some(&after))?;
        Ok(id)
    }

    pub(super) fn revise_tag(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        name: Option<&str>,
        color: Option<&Option<String>>,
    ) -> Result<()> {
        let before = self.tag_now(tx, id)?;
        let after = TagImage {
            name: name.unwrap_or(&before.name).to_owned(),
            color: color.unwrap_or(&before.color).clone(),
        };
        if after == before {
            return Ok(());
        }
        let key = name_key(&after.name);
        require_free(tx, LabelKind::Tag, (&key, &after.name), Some(id))?;
        let now = tx.now();
        tx.execute(
            &TAG_SET,
            &[
                Val::Text(&after.name),
                Val::Text(&key),
                after.color.as_deref().into(),
                now.into(),
                self.family.into(),
                Val::Uuid(id),
            ],
        )?;
        self.note_change(tx, KIND, id, &before, &after)
    }

    pub(super) fn remove_tag(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let before = self.tag_now(tx, id)?;
        let detached = detach_tag(tx, id)?;
        tx.execute(&TAG_TAKE_AWAY, &[self.family.into(), Val::Uuid(id)])?;
        self.note_removal(KIND, id, &before, None, detached)
    }

    fn tag_now(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<TagImage> {
        tx.query_opt(&TAG_NOW, &[self.family.into(), Val::Uuid(id)], |row| {
            Ok(TagImage { name: row.string(0)?, color: row.opt_string(1)? })
        })?
        .ok_or(Error::NotFound { what: "Tag" })
    }
}
