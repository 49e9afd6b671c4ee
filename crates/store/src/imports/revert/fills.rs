//! Fields of matched transactions that an import filled: which of them an undo empties again.
//!
//! A field is emptied only if it still has the value that the import gave it; a value that was set
//! since is kept. Fills are read page by page, so that memory doesn't grow with their number.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, ImportId};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};
use crate::ledger::{Executor, Filled, TakenBack};

statements! {
    /// A page of fills.
    FILLS_PAGE = "SELECT entry_id, filled FROM import_fills
        WHERE family_id = $1 AND import_id = $2 AND entry_id > $3 ORDER BY entry_id LIMIT $4";
    /// The transactions as they are.
    FILLED_NOW = "SELECT id, category_id, notes, external_id, name FROM ledger_entries
        WHERE family_id = $1 AND id = ANY($2)";
    /// The tags of transactions.
    FILLED_TAGS = "SELECT entry_id, tag_id FROM entry_tags
        WHERE family_id = $1 AND entry_id = ANY($2)";
}

/// Fills that are looked at with one query.
const PAGE: usize = 4096;
/// Transactions that a survey names.
const NAMED_MAX: usize = 20;

/// What becomes of what an import filled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FillsSurvey {
    /// Transactions of which fields are emptied.
    pub taken_back: u64,
    /// The number of transactions that keep filled fields.
    pub kept: u64,
    /// The first of these transactions.
    pub kept_first: Vec<KeptFill>,
}

/// A transaction of which fields stay that the import filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFill {
    /// The transaction that was filled.
    pub entry: EntryId,
    /// The present name of the transaction.
    pub name: String,
    /// What has another value by now.
    pub fields: Vec<&'static str>,
}

/// A fill, judged by the transaction as it is.
pub(super) struct Judged {
    entry: EntryId,
    name: String,
    back: TakenBack,
    kept: Vec<&'static str>,
    /// What it points to after the undo.
    pub(super) category: Option<Uuid>,
    pub(super) tags: Vec<Uuid>,
}

impl Judged {
    fn is_touched(&self) -> bool {
        self.back != TakenBack::default()
    }

    /// Counts it, and names it if something stays.
    pub(super) fn add_to(self, survey: &mut FillsSurvey) {
        survey.taken_back += u64::from(self.is_touched());
        survey.kept += u64::from(!self.kept.is_empty());
        if !self.kept.is_empty() && survey.kept_first.len() < NAMED_MAX {
            let Self { entry, name, kept: fields, .. } = self;
            survey.kept_first.push(KeptFill { entry, name, fields });
        }
    }
}

/// A transaction that was filled, as it is.
struct Present {
    entry: EntryId,
    category: Option<Uuid>,
    notes: Option<String>,
    external_id: Option<String>,
    name: String,
    tags: Vec<Uuid>,
}

impl Present {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            entry: row.id(0)?,
            category: row.opt_uuid(1)?,
            notes: row.opt_string(2)?,
            external_id: row.opt_string(3)?,
            name: row.string(4)?,
            tags: Vec::new(),
        })
    }

    fn judge(self, mut filled: Filled) -> Judged {
        let mut tags = self.tags;
        filled.tag_ids.sort_unstable();
        filled.tag_ids.dedup();
        tags.sort_unstable();
        let mut back = TakenBack::default();
        let mut kept = Vec::new();
        let mut judge = |is_filled: bool, is_same: bool, field| {
            if is_filled && !is_same {
                kept.push(field);
            }
            is_filled && is_same
        };
        let category = self.category;
        back.category =
            judge(filled.category_id.is_some(), category == filled.category_id, "category");
        back.notes = judge(filled.notes.is_some(), self.notes == filled.notes, "notes");
        back.tags = judge(!filled.tag_ids.is_empty(), tags == filled.tag_ids, "tags");
        let same_id = self.external_id == filled.external_id;
        if judge(filled.external_id.is_some(), same_id, "external_id") {
            back.external_id = filled.external_id;
        }
        Judged {
            entry: self.entry,
            name: self.name,
            category: category.filter(|_| !back.category),
            tags: if back.tags { Vec::new() } else { tags },
            back,
            kept,
        }
    }
}

/// Empties every field again that still has what the import put there.
pub fn take_fills_back(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    import: ImportId,
) -> Result<()> {
    visit(tx, import, |tx, judged| {
        if judged.is_touched() {
            executor.take_back(tx, judged.entry, &judged.back)?;
        }
        Ok(())
    })
}

/// Judges every fill of an import with a transaction that exists, in the order of the transactions.
pub(super) fn visit(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    mut each: impl FnMut(&mut FamilyTx<'_>, Judged) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    let mut after = EntryId(Uuid::nil());
    loop {
        let key = [family.into(), import.into(), after.into(), Val::Int(PAGE as i64)];
        let page: Vec<(EntryId, Filled)> = tx.query(&FILLS_PAGE, &key, |row| {
            Ok((row.id(0)?, serde_json::from_str(row.text(1)?).map_err(Error::internal)?))
        })?;
        let Some((last, _)) = page.last() else { return Ok(()) };
        after = *last;
        let mut present = present(tx, page.iter().map(|(entry, _)| *entry))?;
        for (entry, filled) in page {
            // What is gone has nothing that could be taken back.
            if let Some(one) = present.remove(&entry) {
                each(tx, one.judge(filled))?;
            }
        }
    }
}

/// Those of the transactions that are there, with their tags.
fn present(
    tx: &mut FamilyTx<'_>,
    entries: impl Iterator<Item = EntryId>,
) -> Result<HashMap<EntryId, Present>> {
    let family = tx.family();
    let keys: Vec<Val<'_>> = entries.map(Val::from).collect();
    let mut present = HashMap::with_capacity(keys.len());
    tx.lookup(&FILLED_NOW, &[family.into()], &keys, |row| {
        let one = Present::read(row)?;
        present.insert(one.entry, one);
        Ok(())
    })?;
    tx.lookup(&FILLED_TAGS, &[family.into()], &keys, |row| {
        if let Some(one) = present.get_mut(&row.id::<EntryId>(0)?) {
            one.tags.push(row.uuid(1)?);
        }
        Ok(())
    })?;
    Ok(present)
}
