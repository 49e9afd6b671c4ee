//! Changes of what is no entry: categories, tags, merchants, rules, budgets, securities, prices,
//! exchange rates, recurring series, transfers.
//!
//! The executor is the one place that writes them, whoever wants it: a person, an import, a feed,
//! an undo. It keeps the image from before and after for the audit event, and for an import also
//! beside the import, so that its undo can restore the values ([`undo`]). The SQL of a kind stands
//! beside its reading: each kind implements `Record`, and has a row in the table of `kinds`.

pub(crate) mod categories;
pub(crate) mod kinds;
pub(crate) mod merchants;
pub(crate) mod notes;
pub(crate) mod tags;
pub mod undo;
#[cfg(test)]
mod undo_tests;

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::plan::RecordChange;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use super::labels::Detached;
use super::{Event, Executor};
use crate::access::FamilyTx;
use crate::driver::{Inserter, Row, Sql, Val, vals};
use notes::RecordNote;
use undo::{Outlook, Pointer, PointersAlone, Remaining};

/// Every constant statement below this module, for the test that prepares them.
pub(crate) fn statements() -> [(&'static str, &'static [(&'static str, Sql)]); 5] {
    [
        ("ledger::records::categories", categories::STATEMENTS),
        ("ledger::records::merchants", merchants::STATEMENTS),
        ("ledger::records::notes", notes::STATEMENTS),
        ("ledger::records::tags", tags::STATEMENTS),
        ("ledger::records::undo", undo::STATEMENTS),
    ]
}

/// A kind of record: how its rows are written and read, and what the undo of an import needs to
/// know about them.
pub(crate) trait Record {
    /// As records of the kind stand in the audit trail and beside imports.
    const KIND: &'static str;
    /// The members of the image that only one record can have with these values.
    const PLACE: &'static [&'static str] = &[];
    /// The members of the image that hold the id of another record, with its kind.
    const POINTS_TO: &'static [(&'static str, &'static str)] = &[];
    /// Whether an import may have any number of them: nothing points to a record of the kind, and a
    /// change of an import leaves it in its place. The undo judges each for itself.
    const STANDS_ALONE: bool = false;
    /// How many of them a family may have, if that has an end.
    const LIMIT: Option<Limit> = None;
    /// Everything that is written; as JSON, the image that is kept before and after a change.
    type Values: Serialize + DeserializeOwned;

    /// The records of some ids, as far as they are there.
    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, Self::Values)>>;
    /// Inserts the row of a new record.
    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, values: &Self::Values) -> Result<()>;
    /// Replaces the values of a row.
    fn update(tx: &mut FamilyTx<'_>, id: Uuid, values: &Self::Values) -> Result<()>;
    /// Removes a row, and what belongs to it alone.
    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()>;

    /// What people call a record.
    fn title(values: &Self::Values) -> String;
    /// Who has the place that the values stand for.
    fn holder(_tx: &mut FamilyTx<'_>, _values: &Self::Values) -> Result<Option<Uuid>> {
        Ok(None)
    }
    /// The place as a text, in which what counts as equal is equal.
    fn place(values: &Self::Values) -> Result<String> {
        let image = image(values)?;
        let members: Vec<&Value> = Self::PLACE.iter().map(|field| &image[*field]).collect();
        Ok(json!(members).to_string())
    }
    /// Whether something besides its place keeps a record from having these values.
    fn is_unfit(
        _tx: &mut FamilyTx<'_>,
        _id: Uuid,
        _values: &Self::Values,
        _outlook: &Outlook,
    ) -> Result<bool> {
        Ok(false)
    }
    /// Records that point to one and keep it from being removed.
    fn pointers(_tx: &mut FamilyTx<'_>, _id: Uuid) -> Result<Vec<Pointer>> {
        Ok(Vec::new())
    }
    /// Records of kinds that stand alone and that point to one.
    fn pointers_alone(_tx: &mut FamilyTx<'_>, _id: Uuid) -> Result<Option<PointersAlone>> {
        Ok(None)
    }
    /// Which records of the kind are used by entries that remain, and how that is put.
    fn used(_tx: &mut FamilyTx<'_>, _remaining: &Remaining) -> Result<Vec<Uuid>> {
        Ok(Vec::new())
    }
    /// What has to be computed again because a record has or had these values.
    fn affects(_values: &Self::Values, _effects: &mut Effects) {}
}

/// How many records of a kind a family may have.
pub(crate) struct Limit {
    /// The number of records.
    pub(crate) max: u64,
    /// What people call them.
    pub(crate) plural: &'static str,
    /// Counts those that there are, of the family `$1`.
    pub(crate) count: &'static Sql,
}

/// A kind of record that is also written in bulk.
pub(crate) trait BulkRecord: Record {
    /// Adds a row to the insert.
    fn push(
        tx: &mut FamilyTx<'_>,
        inserter: &mut Inserter,
        id: Uuid,
        values: &Self::Values,
    ) -> Result<()>;
}

pub(crate) use crate::ledger::effects::Effects;

/// Has the executor carry out a plan on records: `plan` applies the changes and returns the subject
/// of the audit event.
pub(crate) fn execute(
    tx: &mut FamilyTx<'_>,
    (action, subject_kind): (&'static str, &'static str),
    plan: impl FnOnce(&mut FamilyTx<'_>, &mut Executor) -> Result<Uuid>,
) -> Result<Uuid> {
    let actor = tx.actor();
    let mut executor = Executor::begin(tx, 0)?;
    let subject_id = plan(tx, &mut executor)?;
    let details = json!({});
    executor.finish(tx, Event { actor, action, subject_kind, subject_id, details })?;
    Ok(subject_id)
}

/// Reads records by their ids, with a statement that has the family and `= ANY($2)`. The id is the
/// first column.
pub(crate) fn read_by_ids<V>(
    tx: &mut FamilyTx<'_>,
    sql: &Sql,
    ids: &[Uuid],
    read: impl Fn(&Row<'_>) -> Result<V>,
) -> Result<Vec<(Uuid, V)>> {
    let keys: Vec<Val<'_>> = ids.iter().map(|id| Val::Uuid(*id)).collect();
    let (family, mut found) = (tx.family(), Vec::with_capacity(ids.len()));
    tx.lookup(sql, vals![family], &keys, |row| {
        found.push((row.uuid(0)?, read(row)?));
        Ok(())
    })?;
    Ok(found)
}

impl Executor {
    /// Creates a record and notes its image.
    pub(crate) fn insert<R: Record>(
        &mut self,
        tx: &mut FamilyTx<'_>,
        values: &R::Values,
    ) -> Result<Uuid> {
        self.require_room::<R>(tx)?;
        let id = tx.new_id()?;
        R::insert(tx, id, values)?;
        R::affects(values, &mut self.effects);
        self.note_creation(tx, R::KIND, id, Some(image(values)?))?;
        Ok(id)
    }

    /// Refuses one record more than a family may have. They are counted once for a plan.
    fn require_room<R: Record>(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let Some(limit) = R::LIMIT else { return Ok(()) };
        let count = match self.counted.get(R::KIND) {
            Some(count) => *count,
            None => tx.query_one(limit.count, vals![self.family], |row| row.count(0))?,
        };
        if count >= limit.max {
            let (max, plural) = (limit.max, limit.plural);
            return Err(Error::invalid(format!("A family has at most {max} {plural}")));
        }
        self.counted.insert(R::KIND, count + 1);
        Ok(())
    }

    /// Adds one of many records. Its row goes to the database with those of the inserter.
    pub(crate) fn insert_among<R: BulkRecord>(
        &mut self,
        tx: &mut FamilyTx<'_>,
        inserter: &mut Inserter,
        values: &R::Values,
    ) -> Result<Uuid> {
        self.require_room::<R>(tx)?;
        let id = tx.new_id()?;
        R::push(tx, inserter, id, values)?;
        R::affects(values, &mut self.effects);
        self.note_creation(tx, R::KIND, id, Some(image(values)?))?;
        Ok(id)
    }

    /// Gives a record other values.
    pub(crate) fn update<R: Record>(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        (before, after): (&R::Values, &R::Values),
    ) -> Result<()> {
        R::update(tx, id, after)?;
        R::affects(before, &mut self.effects);
        R::affects(after, &mut self.effects);
        let (before, after) = (Some(image(before)?), Some(image(after)?));
        self.note(tx, RecordNote { before, after, ..RecordNote::new(R::KIND, id) })
    }

    /// Removes a record and notes its image.
    pub(crate) fn delete<R: Record>(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        before: &R::Values,
    ) -> Result<()> {
        R::delete(tx, id)?;
        R::affects(before, &mut self.effects);
        let before = Some(image(before)?);
        self.note(tx, RecordNote { before, ..RecordNote::new(R::KIND, id) })
    }

    /// Notes the images of some records before and after `change`, which writes all of them with
    /// statements of its own and returns how many; with none to write it is not called.
    pub(in crate::ledger) fn change_all<R: Record>(
        &mut self,
        tx: &mut FamilyTx<'_>,
        ids: &[Uuid],
        change: impl FnOnce(&mut FamilyTx<'_>) -> Result<u64>,
    ) -> Result<u64> {
        if ids.is_empty() {
            return Ok(0);
        }
        let images = |tx: &mut FamilyTx<'_>| -> Result<HashMap<Uuid, Value>> {
            R::read(tx, ids)?.iter().map(|(id, values)| Ok((*id, image(values)?))).collect()
        };
        let mut before = images(tx)?;
        let changed = change(tx)?;
        let mut after = images(tx)?;
        for id in ids {
            let (before, after) = (before.remove(id), after.remove(id));
            if before != after {
                self.note(tx, RecordNote { before, after, ..RecordNote::new(R::KIND, *id) })?;
            }
        }
        Ok(changed)
    }

    /// Removes a label that was taken from everything that pointed to it.
    pub(in crate::ledger) fn delete_label<R: Record>(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        before: &R::Values,
        replacement: Option<Uuid>,
        detached: Detached,
    ) -> Result<()> {
        R::delete(tx, id)?;
        let (before, detached) = (Some(image(before)?), Some(detached));
        let note = RecordNote { before, replacement, detached, ..RecordNote::new(R::KIND, id) };
        self.note(tx, note)
    }

    /// A record as it is now.
    pub(crate) fn present<R: Record>(
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        what: &'static str,
    ) -> Result<R::Values> {
        let found = R::read(tx, &[id])?.pop();
        found.map(|(_, values)| values).ok_or(Error::NotFound { what })
    }

    /// Adds a fact to the audit event.
    pub(crate) fn add_detail(&mut self, name: &'static str, value: Value) {
        self.facts.push((name, value));
    }

    /// What the plan creates and changes is noted beside an import: the undo takes it back.
    pub fn of_import(mut self, import: ImportId) -> Self {
        self.import = Some(import);
        self
    }

    /// Changes something that is no entry.
    pub fn change(&mut self, tx: &mut FamilyTx<'_>, change: &RecordChange) -> Result<()> {
        match change {
            RecordChange::ReviseCategory(revision) => self.revise_category(tx, revision),
            RecordChange::RemoveCategory { id, replacement } => {
                self.remove_category(tx, *id, *replacement)
            }
            RecordChange::ReviseTag { id, name, color } => {
                self.revise_tag(tx, *id, name.as_deref(), color.as_ref())
            }
            RecordChange::RemoveTag { id } => self.remove_tag(tx, *id),
            RecordChange::ReviseMerchant { id, name, color, website } => {
                self.revise_merchant(tx, *id, name.as_deref(), color.as_ref(), website.as_ref())
            }
            RecordChange::RemoveMerchant { id, replacement } => {
                self.remove_merchant(tx, *id, *replacement)
            }
            RecordChange::ReviseRule { id, draft } => self.revise_rule(tx, *id, draft),
        }
    }
}

/// The image of a record.
pub(crate) fn image(values: &impl Serialize) -> Result<Value> {
    serde_json::to_value(values).map_err(Error::internal)
}
