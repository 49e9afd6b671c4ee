//! Fields of matched transactions that an import filled: which of them an undo empties again.
//!
//! A field is emptied only if it still has the value that it got; whatever somebody put there since
//! stays. Fills are looked at page by page, so that memory doesn't grow with them.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, ImportId};
use uuid::Uuid;

use crate::driver::{Filter, Query, Row, Tx, Val, statements};
use crate::families::FamilyId;
use crate::ledger::{Executor, Filled, TakenBack};

statements! {
    /// A page of fills with the transactions as they stand.
    FILLS_PAGE = "SELECT f.entry_id, f.filled, e.id, e.category_id, e.notes, e.external_id, e.name
        FROM import_fills f
        LEFT JOIN ledger_entries e ON e.family_id = f.family_id AND e.id = f.entry_id
        WHERE f.family_id = $1 AND f.import_id = $2 AND f.entry_id > $3
        ORDER BY f.entry_id LIMIT $4";
}

/// Fills that are looked at with one query.
const PAGE: usize = 512;
/// Transactions that a survey names.
const NAMED_MAX: usize = 20;

/// What becomes of what an import filled.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FillsSurvey {
    /// Transactions of which fields are emptied.
    pub taken_back: u64,
    /// Transactions of which fields stay.
    pub kept: u64,
    /// The first of them.
    pub kept_first: Vec<KeptFill>,
}

/// A transaction of which fields stay that the import filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptFill {
    /// The transaction.
    pub entry: EntryId,
    /// As it is called now.
    pub name: String,
    /// What has another value by now.
    pub fields: Vec<&'static str>,
}

/// A fill, judged by the transaction as it stands.
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

/// A transaction that was filled, as it stands.
struct Present {
    entry: EntryId,
    filled: Filled,
    category: Option<Uuid>,
    notes: Option<String>,
    external_id: Option<String>,
    name: String,
}

impl Present {
    /// `None` if the transaction is gone: then there is nothing to take back.
    fn read(row: &Row<'_>) -> Result<(EntryId, Option<Self>)> {
        let entry = row.id(0)?;
        if row.opt_uuid(2)?.is_none() {
            return Ok((entry, None));
        }
        let present = Self {
            entry,
            filled: serde_json::from_str(row.text(1)?).map_err(Error::internal)?,
            category: row.opt_uuid(3)?,
            notes: row.opt_string(4)?,
            external_id: row.opt_string(5)?,
            name: row.string(6)?,
        };
        Ok((entry, Some(present)))
    }

    fn judge(self, mut tags: Vec<Uuid>) -> Judged {
        let mut filled = self.filled;
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
    tx: &mut Tx<'_>,
    executor: &mut Executor,
    family: FamilyId,
    import: ImportId,
) -> Result<()> {
    visit(tx, family, import, |tx, judged| {
        if judged.is_touched() {
            executor.take_back(tx, judged.entry, &judged.back)?;
        }
        Ok(())
    })
}

/// Judges every fill of an import whose transaction is there, in the order of the transactions.
pub(super) fn visit(
    tx: &mut Tx<'_>,
    family: FamilyId,
    import: ImportId,
    mut each: impl FnMut(&mut Tx<'_>, Judged) -> Result<()>,
) -> Result<()> {
    let mut after = EntryId(Uuid::nil());
    loop {
        let key = [family.into(), import.into(), after.into(), Val::Int(PAGE as i64)];
        let page = tx.query(&FILLS_PAGE, &key, Present::read)?;
        let Some((last, _)) = page.last() else { return Ok(()) };
        after = *last;
        let present: Vec<Present> = page.into_iter().filter_map(|(_, present)| present).collect();
        let mut tags = tags_of(tx, family, &present)?;
        for one in present {
            let tags = tags.remove(&one.entry).unwrap_or_default();
            each(tx, one.judge(tags))?;
        }
    }
}

fn tags_of(
    tx: &mut Tx<'_>,
    family: FamilyId,
    present: &[Present],
) -> Result<HashMap<EntryId, Vec<Uuid>>> {
    let mut tags: HashMap<EntryId, Vec<Uuid>> = HashMap::new();
    let entries: Vec<EntryId> = present.iter().map(|one| one.entry).collect();
    if entries.is_empty() {
        return Ok(tags);
    }
    tx.for_each(&links(family, &entries), &[], |row| {
        tags.entry(row.id(0)?).or_default().push(row.uuid(1)?);
        Ok(())
    })?;
    Ok(tags)
}

fn links(family: FamilyId, entries: &[EntryId]) -> Query<'static> {
    Filter::new()
        .and("family_id = ?", [family.into()])
        .and_in("entry_id", entries.iter().map(|id| (*id).into()))
        .query("SELECT entry_id, tag_id FROM entry_tags", "", [])
}

/// The longest text that this module can make, for the test that prepares it.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    vec![links(FamilyId::from_number(0), &[EntryId(Uuid::nil()); PAGE])]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn present() -> Present {
        Present {
            entry: EntryId(id(1)),
            filled: Filled {
                category_id: Some(id(10)),
                notes: Some("n".into()),
                tag_ids: vec![id(21), id(20)],
                external_id: Some("x".into()),
            },
            category: Some(id(10)),
            notes: Some("n".into()),
            external_id: Some("x".into()),
            name: "Bread".into(),
        }
    }

    #[test]
    fn what_is_as_the_import_left_it_goes() {
        let judged = present().judge(vec![id(20), id(21)]);
        let all =
            TakenBack { category: true, notes: true, tags: true, external_id: Some("x".into()) };
        assert_eq!((judged.back, judged.kept.len()), (all, 0));
        assert_eq!((judged.category, judged.tags), (None, vec![]));
    }

    #[test]
    fn what_somebody_changed_stays() {
        let changed = Present {
            category: Some(id(11)),
            notes: None,
            external_id: Some("y".into()),
            ..present()
        };
        let judged = changed.judge(vec![id(20)]);
        assert_eq!(judged.back, TakenBack::default());
        assert_eq!(judged.kept, ["category", "notes", "tags", "external_id"]);
        assert_eq!((judged.category, judged.tags), (Some(id(11)), vec![id(20)]));
        // What it didn't fill is none of its business.
        let other = Present { filled: Filled::default(), ..present() };
        let judged = other.judge(vec![id(20)]);
        assert_eq!((judged.back, judged.kept.len()), (TakenBack::default(), 0));
    }
}
