//! The undo of an import for everything that isn't an entry, whatever its kind.
//!
//! An import has the images of what it created, changed and removed. Each member that still has the
//! value that the import gave it gets the value from before; what somebody changed since stays.
//! What the import created goes, if it is as the import left it and nothing points to it; what it
//! removed comes back, if its place is free.
//!
//! `survey` decides without writing anything, so the preview shows what the undo does. It goes
//! through the records until nothing more can be done: one that goes back makes room for another.
//! Later decisions count with earlier ones through the `Outlook`. Nothing here knows a kind: what
//! has to be known of one is in its `Record`.
//!
//! The survey holds the images of what the import did, because one decision depends on others. An
//! import has few such records: at most as many as names in its file, or as rows that an import of
//! records may have. Of kinds that stand alone (`Record::STANDS_ALONE`) it may have any number:
//! they are read, judged and written a page at a time (`alone`).

pub(crate) mod alone;
#[cfg(test)]
mod alone_tests;
mod planner;

use std::collections::{BTreeMap, HashMap, HashSet};

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use serde_json::Value;
use uuid::Uuid;

use super::kinds::{self, Kind};
use crate::access::FamilyTx;
use crate::driver::{Sql, statements, vals};
use crate::ledger::{Executor, Range};
pub use alone::Tally;
use planner::Planner;

statements! {
    /// Which records somebody changed: what an import does is not a subject of its own.
    SUBJECTS_CHANGED = "SELECT DISTINCT subject_id FROM audit_events
        WHERE family_id = $1 AND subject_id = ANY($2)";
    /// Whether an account is there.
    ACCOUNT_THERE = "SELECT 1 FROM ledger_accounts WHERE family_id = $1 AND id = $2";
    /// Rules with an id in their conditions or actions.
    RULES_NAMING = "SELECT id FROM rules
        WHERE family_id = $1 AND (conditions LIKE $2 OR actions LIKE $2)";
}

/// The kind of what is no record, but is created by imports: it is judged with its entries.
pub(crate) const ACCOUNT: &str = "account";

/// What an undo does to records.
#[derive(Debug, Clone, Default)]
pub struct RecordSurvey {
    /// What is written, in this order.
    steps: Vec<Step>,
    /// What gets its earlier values back, with its name.
    pub restored: Vec<RestoredRecord>,
    /// What stays as it is.
    pub kept: Vec<KeptRecord>,
    /// What the import created, with what becomes of it. What goes comes first, in the order in
    /// which it can go.
    pub created: Vec<Created>,
    /// What becomes of records of kinds that stand alone. The lists name only the first of them.
    alone: BTreeMap<&'static str, Tally>,
}

impl RecordSurvey {
    /// Whether a record is removed.
    pub(crate) fn removes(&self, id: Uuid) -> bool {
        self.created.iter().any(|one| one.id == id && one.goes())
    }

    /// The records that the lists don't name, by kind.
    pub fn unlisted(&self) -> impl Iterator<Item = (&'static str, Tally)> {
        self.alone.iter().map(|(kind, tally)| (*kind, tally.unlisted()))
    }

    /// How many records get values back, or come back.
    pub fn restored_count(&self) -> u64 {
        let unlisted = self.unlisted().map(|(_, more)| more.restored);
        self.restored.len() as u64 + unlisted.sum::<u64>()
    }

    /// How many records stay as they are, as a whole or in part.
    pub fn kept_count(&self) -> u64 {
        self.kept.len() as u64 + self.unlisted().map(|(_, more)| more.kept).sum::<u64>()
    }
}

/// A record that gets values back, or that comes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredRecord {
    /// The kind of the record.
    pub kind: &'static str,
    /// The id of the record.
    pub id: Uuid,
    /// As it is called now.
    pub name: String,
}

/// A record of which members stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRecord {
    /// The kind of the record.
    pub kind: &'static str,
    /// The id of the record.
    pub id: Uuid,
    /// As it is called now.
    pub name: String,
    /// The members that stay: they were changed since, or the earlier place is taken. None if it is
    /// a record that the import removed and that can't come back.
    pub fields: Vec<String>,
}

/// Something that an import created, and what an undo does to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// The kind of the thing.
    pub kind: &'static str,
    /// The id of the thing.
    pub id: Uuid,
    /// As it is called now.
    pub name: String,
    /// Whether it is removed.
    pub removal: Removal,
}

/// Whether something is removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// Nothing points to it.
    Goes,
    /// It stays, for this reason.
    Stays(&'static str),
}

impl Created {
    /// Whether it is removed.
    pub fn goes(&self) -> bool {
        self.removal == Removal::Goes
    }
}

/// A record that points to another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pointer {
    /// The id of the record that points.
    pub(crate) id: Uuid,
    /// Why the other one stays.
    pub(crate) reason: &'static str,
}

/// Records of a kind that stands alone and that point to another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointersAlone {
    pub(crate) count: u64,
    /// Why the other one stays.
    pub(crate) reason: &'static str,
}

/// The entries that remain after the undo.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Remaining {
    /// Entries of this range go, but for those that were changed since.
    pub(crate) range: Range,
    /// Fills of this import are judged one by one.
    pub(crate) import: ImportId,
}

impl Remaining {
    /// The ids that a statement returns for the family and the range.
    pub(crate) fn of_range(&self, tx: &mut FamilyTx<'_>, sql: &Sql) -> Result<Vec<Uuid>> {
        let family = tx.family();
        tx.query(sql, vals![family, self.range.0, self.range.1], |row| row.uuid(0))
    }

    /// The same for one that leaves out what the import filled.
    pub(crate) fn but_fills(&self, tx: &mut FamilyTx<'_>, sql: &Sql) -> Result<Vec<Uuid>> {
        let family = tx.family();
        let key = vals![family, self.range.0, self.range.1, self.import];
        tx.query(sql, key, |row| row.uuid(0))
    }
}

/// Records as they will be, as far as that is decided.
#[derive(Debug, Default)]
pub(crate) struct Outlook {
    gone: HashSet<Uuid>,
    images: HashMap<Uuid, Value>,
    places: HashMap<(&'static str, String), Uuid>,
    /// How many records that stand alone and go pointed to each record.
    lost_pointers: HashMap<Uuid, u64>,
}

impl Outlook {
    /// What a record becomes, if that is decided.
    pub(crate) fn image(&self, id: Uuid) -> Option<&Value> {
        self.images.get(&id)
    }

    /// Whether a record that names another one by its id now still will.
    pub(crate) fn still_names(&self, record: Uuid, named: Uuid) -> bool {
        let names = |image: &Value| image.to_string().contains(&named.to_string());
        !self.gone.contains(&record) && self.image(record).is_none_or(names)
    }

    /// Whether a record gets the id of another one as the value of a member.
    pub(crate) fn comes_to(&self, field: &str, id: Uuid) -> bool {
        let id = Value::from(id.to_string());
        self.images.values().any(|image| image.get(field) == Some(&id))
    }

    /// Whether some of the records that stand alone and point to one stay.
    fn leaves_some(&self, id: Uuid, pointers: &PointersAlone) -> bool {
        pointers.count > self.lost_pointers.get(&id).copied().unwrap_or_default()
    }

    fn put(&mut self, kind: &'static dyn Kind, id: Uuid, image: &Value) -> Result<()> {
        if !kind.place_fields().is_empty() {
            self.places.insert((kind.name(), kind.place(image)?), id);
        }
        self.images.insert(id, image.clone());
        Ok(())
    }
}

/// The records that a statement returns for the family and an id.
pub(crate) fn pointing(
    tx: &mut FamilyTx<'_>,
    sql: &Sql,
    id: Uuid,
    reason: &'static str,
) -> Result<Vec<Pointer>> {
    let family = tx.family();
    tx.query(sql, vals![family, id], |row| Ok(Pointer { id: row.uuid(0)?, reason }))
}

/// The rules that name something. They have ids as everybody writes them.
pub(crate) fn rules_naming(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Vec<Pointer>> {
    let (family, pattern) = (tx.family(), format!("%{id}%"));
    let reason = "a rule names it";
    tx.query(&RULES_NAMING, vals![family, &pattern], |row| Ok(Pointer { id: row.uuid(0)?, reason }))
}

/// One record that the undo writes.
#[derive(Debug, Clone)]
struct Step {
    kind: &'static str,
    id: Uuid,
    before: Option<Value>,
    after: Option<Value>,
}

/// What decides on things that an import created, besides records.
#[derive(Debug, Default)]
pub(crate) struct Context {
    /// The ids of records that entries which stay have got from the import's fills.
    pub(crate) filled: HashSet<Uuid>,
    /// What other imports would miss.
    pub(crate) named: HashSet<Uuid>,
}

/// What the undo of an import would do to records now.
pub(crate) fn survey(
    tx: &mut FamilyTx<'_>,
    remaining: &Remaining,
    context: &Context,
) -> Result<RecordSurvey> {
    Planner::read(tx, remaining, context)?.plan(tx)
}

/// Executes a survey of an import. What was shown is what is done.
pub(crate) fn take_back(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    import: ImportId,
    survey: &RecordSurvey,
) -> Result<()> {
    let removed = alone::remove_created(tx, executor, import, &survey.alone)?;
    for Step { kind, id, before, after } in &survey.steps {
        kind_named(kind)?.write(tx, executor, *id, (before.as_ref(), after.as_ref()))?;
    }
    alone::restore_changed(tx, executor, import, (&survey.alone, &removed))
}

fn kind_named(name: &str) -> Result<&'static dyn Kind> {
    kinds::find(name).ok_or_else(|| Error::internal(format!("unknown kind of record {name}")))
}
