//! The parts of split transactions, which are written within their wholes.

use std::collections::HashMap;

use purser_core::error::Result;
use purser_core::ledger::locks::Locks;
use purser_core::money::Currency;
use uuid::Uuid;

use super::entries::locked;
use super::line::{Amount, flag};
use super::records::SplitLine;
use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};

statements! {
    /// The parts of a range of transactions, in the order in which they were named. Their ids come
    /// from the index alone; otherwise SQLite would rather read all entries of the family.
    PARTS = "SELECT id, parent_id, amount, name, notes, category_id, merchant_id, excluded, locked
        FROM ledger_entries
        WHERE family_id = $1 AND id IN (SELECT p.id FROM entries p
            WHERE p.family_id = $1 AND p.parent_id >= $2 AND p.parent_id <= $3)
        ORDER BY parent_id, id";
    /// The tags of some parts.
    PARTS_TAGS = "SELECT entry_id, tag_id FROM entry_tags
        WHERE family_id = $1 AND entry_id = ANY($2) ORDER BY entry_id, tag_id";
}

/// The parts of transactions, by the ids of their wholes.
#[derive(Default)]
pub(super) struct Parts {
    of: HashMap<Uuid, Vec<Part>>,
    tags: HashMap<Uuid, Vec<Uuid>>,
}

struct Part {
    id: Uuid,
    amount: i64,
    name: String,
    notes: Option<String>,
    category_id: Option<Uuid>,
    merchant_id: Option<Uuid>,
    excluded: bool,
    locks: Locks,
}

/// Reads the parts of transactions: the family, and the first and the last id.
pub(super) fn read(tx: &mut FamilyTx<'_>, range: &[Val<'_>]) -> Result<Parts> {
    let family = tx.family();
    let mut parts = Parts::default();
    let mut ids = Vec::new();
    tx.for_each(&PARTS, range, |row| {
        let part = Part::read(row)?;
        ids.push(Val::Uuid(part.id));
        parts.of.entry(row.uuid(1)?).or_default().push(part);
        Ok(())
    })?;
    tx.lookup(&PARTS_TAGS, &[family.into()], &ids, |row| {
        parts.tags.entry(row.uuid(0)?).or_default().push(row.uuid(1)?);
        Ok(())
    })?;
    Ok(parts)
}

impl Part {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.uuid(0)?,
            amount: row.int(2)?,
            name: row.string(3)?,
            notes: row.opt_string(4)?,
            category_id: row.opt_uuid(5)?,
            merchant_id: row.opt_uuid(6)?,
            excluded: row.bool(7)?,
            locks: Locks::from_bits(row.int(8)?),
        })
    }

    fn line<'r>(
        &'r self,
        tags: Option<&'r [Uuid]>,
        currency: Currency,
        whole_has_merchant: bool,
    ) -> SplitLine<'r> {
        SplitLine {
            id: self.id,
            amount: Amount(self.amount, currency),
            name: &self.name,
            notes: self.notes.as_deref(),
            category_id: self.category_id,
            merchant_id: match self.merchant_id {
                None if whole_has_merchant => Some(None),
                merchant => merchant.map(Some),
            },
            tag_ids: tags,
            excluded: flag(self.excluded),
            locked_fields: locked(self.locks),
        }
    }
}

impl Parts {
    /// The parts of a transaction as they are written. A merchant and tags that a part doesn't name
    /// are those of the whole; so where that has any, a part without them has `null` and an empty
    /// list.
    pub(super) fn lines(
        &self,
        whole: Uuid,
        currency: Currency,
        (whole_has_merchant, whole_has_tags): (bool, bool),
    ) -> Vec<SplitLine<'_>> {
        let none = (whole_has_merchant || whole_has_tags).then_some(&[][..]);
        let tags = |part: &Part| self.tags.get(&part.id).map(Vec::as_slice).or(none);
        let parts = self.of.get(&whole).into_iter().flatten();
        parts.map(|part| part.line(tags(part), currency, whole_has_merchant)).collect()
    }
}
