//! What is kept of changes of records: in the audit event, beside it, and beside an import.
//!
//! An event has the images of few records in its details. Of many (a file of prices, the entries of
//! a label that goes) it has their number, and `audit_images` has the images in blocks: memory is
//! bounded while the plan runs, and a list of events stays short whatever they did.

use purser_core::error::{Error, Result};
use purser_core::ids::{EventId, ImportId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Row, Sql, Val, statements, vals};
use crate::ledger::Executor;
use crate::ledger::labels::Detached;

statements! {
    /// Something that a publish created.
    CREATED_NOTE = "INSERT INTO import_created (family_id, import_id, kind, target_id)
        VALUES ($1, $2, $3, $4)";
    /// What an import did to a record. Of several changes the first image from before counts.
    CHANGE_NOTE = "INSERT INTO import_changes (family_id, import_id, kind, target_id,
            before_image, after_image)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (family_id, import_id, kind, target_id)
            DO UPDATE SET after_image = excluded.after_image";
    /// The images of some of the records that an event is about.
    BLOCK_ADD = "INSERT INTO audit_images (family_id, event_id, block, images)
        VALUES ($1, $2, $3, $4)";
    /// The images of the records that an event is about, a block after the other.
    BLOCKS = "SELECT images FROM audit_images
        WHERE family_id = $1 AND event_id = $2 ORDER BY block";
    /// A page of the images of what an import created and changed beside entries.
    NOTED_PAGE = "SELECT kind, target_id, before_image, after_image FROM import_changes
        WHERE family_id = $1 AND import_id = $2 AND (kind, target_id) > ($3, $4)
        ORDER BY kind, target_id LIMIT $5";
    /// A page of what it created and has no image of, such as accounts. Each is looked up by
    /// itself: PostgreSQL compares all with all when it has no statistics of them.
    CREATED_PAGE = "SELECT c.kind, c.target_id, 'null', NULL FROM import_created c
        WHERE c.family_id = $1 AND c.import_id = $2 AND (c.kind, c.target_id) > ($3, $4)
            AND (SELECT 1 FROM import_changes i WHERE i.family_id = $1
                AND i.import_id = c.import_id AND i.kind = c.kind
                AND i.target_id = c.target_id) IS NULL
        ORDER BY c.kind, c.target_id LIMIT $5";
    /// What an import did to one record.
    NOTED_ONE = "SELECT kind, target_id, before_image, after_image FROM import_changes
        WHERE family_id = $1 AND import_id = $2 AND kind = $3 AND target_id = $4";
}

/// Records of which an event has the images in its details.
const INLINE_MAX: usize = 64;
/// Records of which the images are in one block.
const BLOCK_RECORDS: usize = 1_000;

/// What is kept of a change of one record.
#[derive(Debug)]
pub(in crate::ledger) struct RecordNote {
    pub(super) kind: &'static str,
    pub(super) id: Uuid,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
    pub(super) replacement: Option<Uuid>,
    pub(super) detached: Option<Detached>,
}

impl RecordNote {
    pub(super) fn new(kind: &'static str, id: Uuid) -> Self {
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

/// Records that a plan created, changed or removed.
#[derive(Debug, Default)]
pub(in crate::ledger) struct Notes {
    /// Those that are not in a block yet.
    open: Vec<RecordNote>,
    /// The event that they are kept for, once there is a block.
    event: Option<EventId>,
    blocks: i64,
    records: u64,
}

impl Notes {
    /// Whether there is none.
    pub(in crate::ledger) fn is_empty(&self) -> bool {
        self.open.is_empty() && self.blocks == 0
    }

    /// Writes the first of the open ones into a block.
    fn write_block(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let event = match self.event {
            Some(event) => event,
            None => *self.event.insert(EventId(tx.new_id()?)),
        };
        let first = ..self.open.len().min(BLOCK_RECORDS);
        let images = self.open.drain(first).map(|note| {
            let RecordNote { kind, id, before, after, .. } = note;
            KeptImages { kind: kind.to_owned(), id, before, after }
        });
        let images: Vec<KeptImages> = images.collect();
        self.records += images.len() as u64;
        let text = serde_json::to_string(&images).map_err(Error::internal)?;
        let family = tx.family();
        tx.execute(&BLOCK_ADD, vals![family, event, self.blocks, &text])?;
        self.blocks += 1;
        Ok(())
    }
}

/// The images of a record that a plan created, changed or removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptImages {
    /// The kind of the record, such as `security_price`.
    pub kind: String,
    /// The id of the record.
    pub id: Uuid,
    /// What it was; `None` if it was created. An `entry` has neither image: it had the label that
    /// the event is about, and has the replacement now, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// What it became; `None` if it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<Value>,
}

/// Visits the images of the records that an event is about, as far as they are beside its details.
pub fn images_of(
    tx: &mut FamilyTx<'_>,
    event: EventId,
    mut visit: impl FnMut(KeptImages) -> Result<()>,
) -> Result<()> {
    let family = tx.family();
    tx.for_each(&BLOCKS, vals![family, event], |row| {
        let images: Vec<KeptImages> =
            serde_json::from_str(row.text(0)?).map_err(Error::internal)?;
        images.into_iter().try_for_each(&mut visit)
    })
}

/// What an import did to a record.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) id: Uuid,
    pub(super) before: Option<Value>,
    /// The outer `None`: nothing is known of it but that it was created.
    pub(super) after: Option<Option<Value>>,
}

impl Noted {
    /// Reads the kind and the note.
    fn read(row: &Row<'_>) -> Result<(String, Self)> {
        let image = |text: &str| -> Result<Option<Value>> {
            let value: Value = serde_json::from_str(text).map_err(Error::internal)?;
            Ok(Some(value).filter(|value| !value.is_null()))
        };
        let (before, after) = (image(row.text(2)?)?, row.opt_text(3)?.map(image).transpose()?);
        Ok((row.string(0)?, Self { id: row.uuid(1)?, before, after }))
    }
}

/// Visits what an import created, changed and removed beside entries: at most [`BLOCK_RECORDS`]
/// records of one kind at a time. Of one kind only, it visits those that the import has images of.
pub(super) fn each_noted(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    only: Option<&str>,
    mut visit: impl FnMut(&mut FamilyTx<'_>, &str, Vec<Noted>) -> Result<()>,
) -> Result<()> {
    each_page(tx, (&NOTED_PAGE, import), only, &mut visit)?;
    match only {
        Some(_) => Ok(()),
        None => each_page(tx, (&CREATED_PAGE, import), None, &mut visit),
    }
}

/// Visits what a statement returns page by page, in the order of kinds and ids.
fn each_page(
    tx: &mut FamilyTx<'_>,
    (statement, import): (&Sql, ImportId),
    only: Option<&str>,
    visit: &mut impl FnMut(&mut FamilyTx<'_>, &str, Vec<Noted>) -> Result<()>,
) -> Result<()> {
    let (family, mut after) = (tx.family(), (only.unwrap_or_default().to_owned(), Uuid::nil()));
    loop {
        let key = vals![family, import, &after.0, after.1, BLOCK_RECORDS as i64];
        let page = tx.query(statement, key, Noted::read)?;
        let is_last = page.len() < BLOCK_RECORDS;
        let mut of_kind = Vec::new();
        for (kind, one) in page {
            if kind != after.0 && !of_kind.is_empty() {
                visit(tx, &after.0, std::mem::take(&mut of_kind))?;
            }
            if only.is_some_and(|only| only != kind) {
                return Ok(());
            }
            after = (kind, one.id);
            of_kind.push(one);
        }
        if !of_kind.is_empty() {
            visit(tx, &after.0, of_kind)?;
        }
        if is_last {
            return Ok(());
        }
    }
}

/// What an import did to one record, as far as it has images of it.
pub(super) fn noted_of(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    kind: &str,
    id: Uuid,
) -> Result<Option<Noted>> {
    let key = vals![tx.family(), import, kind, id];
    Ok(tx.query_opt(&NOTED_ONE, key, Noted::read)?.map(|(_, noted)| noted))
}

impl Executor {
    /// Keeps what was created.
    pub(in crate::ledger) fn note_creation(
        &mut self,
        tx: &mut FamilyTx<'_>,
        kind: &'static str,
        id: Uuid,
        after: Option<Value>,
    ) -> Result<()> {
        if let Some(import) = self.import {
            let row = [self.family.into(), import.into(), Val::Text(kind), Val::Uuid(id)];
            tx.execute(&CREATED_NOTE, &row)?;
        }
        match after {
            Some(_) => self.note(tx, RecordNote { after, ..RecordNote::new(kind, id) }),
            None => Ok(()),
        }
    }

    /// Keeps what became of a record.
    pub(in crate::ledger) fn note(
        &mut self,
        tx: &mut FamilyTx<'_>,
        note: RecordNote,
    ) -> Result<()> {
        if let Some(import) = self.import {
            let text = |image: &Option<Value>| json!(image).to_string();
            let (before, after) = (text(&note.before), text(&note.after));
            let (family, kind, id) = (self.family, note.kind, note.id);
            tx.execute(&CHANGE_NOTE, vals![family, import, kind, id, &before, &after])?;
        }
        self.keep(tx, note)
    }

    /// Keeps that an entry had the label that the event is about.
    pub(in crate::ledger) fn note_entry(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        self.keep(tx, RecordNote::new("entry", id))
    }

    /// Keeps a change for the audit trail.
    fn keep(&mut self, tx: &mut FamilyTx<'_>, note: RecordNote) -> Result<()> {
        self.records.open.push(note);
        // The last one stays: it may be what the event is about. What is in several commits has its
        // event only in the last.
        if self.records.open.len() > BLOCK_RECORDS && !self.is_in_parts {
            self.records.write_block(tx)?;
        }
        Ok(())
    }

    /// Puts what was kept of records into the details of the plan's event: of the event's own
    /// subject directly, of others in a list; of many only their number. Returns the event's id if
    /// it has one already.
    pub(in crate::ledger) fn record_details(
        &mut self,
        tx: &mut FamilyTx<'_>,
        subject: Uuid,
        details: &mut Map<String, Value>,
    ) -> Result<Option<EventId>> {
        for (name, value) in std::mem::take(&mut self.facts) {
            details.insert(name.to_owned(), value);
        }
        let open = std::mem::take(&mut self.records.open);
        let (own, others): (Vec<_>, Vec<_>) = open.into_iter().partition(|note| note.id == subject);
        own.iter().for_each(|note| details.extend(note.fields()));
        if self.records.blocks > 0 || others.len() > INLINE_MAX {
            self.records.open = others;
            while !self.records.open.is_empty() {
                self.records.write_block(tx)?;
            }
            details.insert("images".into(), json!(self.records.records));
            return Ok(self.records.event);
        }
        for note in others {
            let mut change = Map::from_iter([(note.kind.to_owned(), json!(note.id))]);
            change.extend(note.fields());
            self.notes.push(Value::Object(change));
        }
        Ok(None)
    }
}
