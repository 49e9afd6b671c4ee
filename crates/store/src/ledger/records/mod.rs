//! Changes of what is no entry: categories, tags, merchants, rules, budgets, securities, prices and
//! recurring series.
//!
//! The executor is the one place that writes them, whoever wants it: a person, an import, an undo.
//! It checks that the result is consistent, keeps the image from before and after for the audit
//! event, and for an import also beside the import, so that its undo can restore the values. The
//! SQL of records that are written as a whole stands beside their reading: they implement
//! [`Record`].

pub(crate) mod categories;
pub(crate) mod merchants;
pub(crate) mod tags;

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::plan::RecordChange;
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::labels::Detached;
use super::{Event, Executor};
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// Something that a publish created.
    CREATED_NOTE = "INSERT INTO import_created (family_id, import_id, kind, target_id)
        VALUES ($1, $2, $3, $4)";
    /// What an import changed. Of several changes the first image from before counts.
    CHANGE_NOTE = "INSERT INTO import_changes (family_id, import_id, kind, target_id,
            before_image, after_image)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (family_id, import_id, kind, target_id)
            DO UPDATE SET after_image = excluded.after_image";
}

/// What is kept of a change of one record.
#[derive(Debug)]
pub(super) struct RecordNote {
    kind: &'static str,
    id: Uuid,
    before: Option<Value>,
    after: Option<Value>,
    replacement: Option<Uuid>,
    detached: Option<Detached>,
}

impl RecordNote {
    fn new(kind: &'static str, id: Uuid) -> Self {
        Self { kind, id, before: None, after: None, replacement: None, detached: None }
    }

    fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        if let Some(before) = &self.before {
            fields.insert("before".into(), before.clone());
        }
        if let Some(after) = &self.after {
            fields.insert("after".into(), after.clone());
        }
        if let Some(replacement) = self.replacement {
            fields.insert("replacement".into(), json!(replacement));
        }
        if let Some(detached) = &self.detached {
            fields.insert("detached".into(), json!(detached));
        }
        fields
    }
}

/// A kind of record that is written as a whole.
pub(crate) trait Record {
    /// As records of the kind stand in the audit trail and beside imports.
    const KIND: &'static str;
    /// Everything that is written.
    type Values;

    /// What is kept of a record before and after a change.
    fn image(values: &Self::Values) -> Value;
    /// Adds a row.
    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, values: &Self::Values) -> Result<()>;
    /// Replaces the values of a row.
    fn update(tx: &mut FamilyTx<'_>, id: Uuid, values: &Self::Values) -> Result<()>;
    /// Removes a row, and what belongs to it alone.
    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()>;
}

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

impl Executor {
    /// Adds a record.
    pub(crate) fn insert<R: Record>(
        &mut self,
        tx: &mut FamilyTx<'_>,
        values: &R::Values,
    ) -> Result<Uuid> {
        let id = tx.new_id()?;
        R::insert(tx, id, values)?;
        self.note_creation(tx, R::KIND, id, Some(&R::image(values)))?;
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
        self.note_change(tx, R::KIND, id, &R::image(before), &R::image(after))
    }

    /// Removes a record.
    pub(crate) fn delete<R: Record>(
        &mut self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        before: &R::Values,
    ) -> Result<()> {
        R::delete(tx, id)?;
        let before = Some(R::image(before));
        self.records.push(RecordNote { before, ..RecordNote::new(R::KIND, id) });
        Ok(())
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
        }
    }

    /// Keeps what was created.
    pub(super) fn note_creation(
        &mut self,
        tx: &mut FamilyTx<'_>,
        kind: &'static str,
        id: Uuid,
        after: Option<&impl Serialize>,
    ) -> Result<()> {
        if let Some(import) = self.import {
            let row = [self.family.into(), import.into(), Val::Text(kind), Val::Uuid(id)];
            tx.execute(&CREATED_NOTE, &row)?;
        }
        if let Some(after) = after {
            let after = Some(image(after)?);
            self.records.push(RecordNote { after, ..RecordNote::new(kind, id) });
        }
        Ok(())
    }

    /// Keeps a change with the images from before and after.
    fn note_change(
        &mut self,
        tx: &mut FamilyTx<'_>,
        kind: &'static str,
        id: Uuid,
        before: &impl Serialize,
        after: &impl Serialize,
    ) -> Result<()> {
        let (before, after) = (image(before)?, image(after)?);
        if let Some(import) = self.import {
            let images = (before.to_string(), after.to_string());
            let row = [
                self.family.into(),
                import.into(),
                Val::Text(kind),
                Val::Uuid(id),
                Val::Text(&images.0),
                Val::Text(&images.1),
            ];
            tx.execute(&CHANGE_NOTE, &row)?;
        }
        let (before, after) = (Some(before), Some(after));
        self.records.push(RecordNote { before, after, ..RecordNote::new(kind, id) });
        Ok(())
    }

    /// Keeps what a removal took away.
    fn note_removal(
        &mut self,
        kind: &'static str,
        id: Uuid,
        before: &impl Serialize,
        replacement: Option<Uuid>,
        detached: Detached,
    ) -> Result<()> {
        let (before, detached) = (Some(image(before)?), Some(detached));
        self.records.push(RecordNote {
            before,
            replacement,
            detached,
            ..RecordNote::new(kind, id)
        });
        Ok(())
    }

    /// Puts what was kept of records into the details of the plan's event: of the event's own
    /// subject directly, of others in a list. What was created is listed by its ids.
    pub(super) fn record_details(&mut self, subject: Uuid, details: &mut Map<String, Value>) {
        for (name, value) in std::mem::take(&mut self.facts) {
            details.insert(name.to_owned(), value);
        }
        for note in std::mem::take(&mut self.records) {
            let fields = note.fields();
            if note.id == subject {
                details.extend(fields);
            } else if note.before.is_some() {
                let mut change = Map::from_iter([(note.kind.to_owned(), json!(note.id))]);
                change.extend(fields);
                self.notes.push(Value::Object(change));
            }
        }
    }
}

fn image(of: &impl Serialize) -> Result<Value> {
    serde_json::to_value(of).map_err(Error::internal)
}
