//! Tags: a name and a color.

use purser_core::error::Result;
use purser_core::labels::input::LabelKind;
use purser_core::limits::LABELS_MAX;
use purser_core::text::label::name_key;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::undo::{Pointer, Remaining, rules_naming};
use super::{Executor, Limit, Record, read_by_ids};
use crate::access::FamilyTx;
use crate::driver::{statements, vals};
use crate::labels::{holder, require_free};

statements! {
    /// How many there are.
    TAG_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM tags WHERE family_id = $1";
    /// The values of a tag that is created.
    TAG_INSERT = "INSERT INTO tags (family_id, id, name, name_key, color, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    /// Tags by their ids.
    TAGS_BY_IDS = "SELECT id, name, color FROM ledger_tags WHERE family_id = $1 AND id = ANY($2)";
    /// What a tag is from now on.
    TAG_SET = "UPDATE tags SET name = $1, name_key = $2, color = $3, updated_at = $4
        WHERE family_id = $5 AND id = $6";
    /// A tag that nothing points to.
    TAG_TAKE_AWAY = "DELETE FROM tags WHERE family_id = $1 AND id = $2";
    /// Tags of entries that stay; those that the import filled are judged one by one.
    TAGS_USED = "SELECT DISTINCT t.tag_id FROM entry_tags t
        WHERE t.family_id = $1
            AND (t.entry_id < $2 OR t.entry_id > $3
                OR t.entry_id IN (SELECT e.id FROM ledger_entries e
                    WHERE e.family_id = $1 AND e.id >= $2 AND e.id <= $3
                        AND e.changed_at IS NOT NULL))
            AND NOT EXISTS (SELECT 1 FROM import_fills f WHERE f.family_id = $1
                AND f.import_id = $4 AND f.entry_id = t.entry_id)";
}

/// A tag as it is kept before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TagImage {
    pub(crate) name: String,
    pub(crate) color: Option<String>,
}

/// Tags as the executor writes them.
pub(crate) struct TagRecord;

impl Record for TagRecord {
    const KIND: &'static str = "tag";
    const PLACE: &'static [&'static str] = &["name"];
    const LIMIT: Option<Limit> = Some(Limit { max: LABELS_MAX, plural: "tags", count: &TAG_COUNT });
    type Values = TagImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, TagImage)>> {
        read_by_ids(tx, &TAGS_BY_IDS, ids, |row| {
            Ok(TagImage { name: row.string(1)?, color: row.opt_string(2)? })
        })
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, tag: &TagImage) -> Result<()> {
        let (family, now, key) = (tx.family(), tx.now(), name_key(&tag.name));
        let row = vals![family, id, &tag.name, &key, tag.color.as_deref(), now];
        tx.execute(&TAG_INSERT, row).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, tag: &TagImage) -> Result<()> {
        let (family, now, key) = (tx.family(), tx.now(), name_key(&tag.name));
        require_free(tx, LabelKind::Tag, (&key, &tag.name), Some(id))?;
        let row = vals![&tag.name, &key, tag.color.as_deref(), now, family, id];
        tx.execute(&TAG_SET, row).map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&TAG_TAKE_AWAY, vals![family, id]).map(drop)
    }

    fn title(tag: &TagImage) -> String {
        tag.name.clone()
    }

    fn holder(tx: &mut FamilyTx<'_>, tag: &TagImage) -> Result<Option<Uuid>> {
        holder(tx, LabelKind::Tag, &name_key(&tag.name))
    }

    fn place(tag: &TagImage) -> Result<String> {
        Ok(name_key(&tag.name))
    }

    fn pointers(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Vec<Pointer>> {
        rules_naming(tx, id)
    }

    fn used(tx: &mut FamilyTx<'_>, remaining: &Remaining) -> Result<Vec<Uuid>> {
        remaining.but_fills(tx, &TAGS_USED)
    }
}

impl Executor {
    pub(super) fn revise_tag(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        name: Option<&str>,
        color: Option<&Option<String>>,
    ) -> Result<()> {
        let before = Self::present::<TagRecord>(tx, id, "Tag")?;
        let after = TagImage {
            name: name.unwrap_or(&before.name).to_owned(),
            color: color.unwrap_or(&before.color).clone(),
        };
        if after == before {
            return Ok(());
        }
        self.update::<TagRecord>(tx, id, (&before, &after))
    }

    pub(super) fn remove_tag(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let before = Self::present::<TagRecord>(tx, id, "Tag")?;
        let detached = self.detach_tag(tx, id)?;
        self.delete_label::<TagRecord>(tx, id, &before, None, detached)
    }
}
