//! The audit trail: who changed what, in the transaction that changed it.

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::{EventId, ImportId, KeyId, UserId};
use serde_json::Value;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Filter, Query, Row, statements, vals};
use crate::families::FamilyId;

statements! {
    /// Adds an event to the trail.
    INSERT = "INSERT INTO audit_events (family_id, id, at, actor_kind, actor_id, action,
            subject_kind, subject_id, details)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
}

/// Who makes a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// A client with this key.
    Key(KeyId),
    /// A person who signed in.
    User(UserId),
    /// Somebody at the command line of the server.
    CommandLine,
    /// An import that was published.
    Import(ImportId),
    /// The program by itself.
    System,
}

/// Something that is to be remembered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event<'a> {
    /// Who made the change.
    pub actor: Actor,
    /// What: `account.create`, `valuation.set`, `import.publish`.
    pub action: &'a str,
    /// The noun of what it was done to.
    pub subject_kind: &'a str,
    /// The id of the thing that was changed.
    pub subject_id: Option<Uuid>,
    /// Before and after, or a range of ids; never a secret.
    pub details: Value,
}

/// An event as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// Which; later events have larger ids.
    pub id: EventId,
    /// The time of the change.
    pub at: Timestamp,
    /// Who made the change.
    pub actor: Actor,
    /// The kind of the change, such as `account.create`.
    pub action: String,
    /// The noun of what it was done to.
    pub subject_kind: String,
    /// The id of the thing that was changed.
    pub subject_id: Option<Uuid>,
    /// Before and after, or a range of ids.
    pub details: Value,
}

pub use crate::ledger::records::notes::{KeptImages, images_of};

/// Which events are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Selection {
    /// Only those of this subject.
    pub subject_id: Option<Uuid>,
    /// Only those before this one, for the next page.
    pub before: Option<EventId>,
}

impl Actor {
    /// The kind and the id, as they are stored.
    pub(crate) fn parts(self) -> (&'static str, Option<Uuid>) {
        match self {
            Self::Key(id) => ("key", Some(id.0)),
            Self::User(id) => ("user", Some(id.0)),
            Self::CommandLine => ("cli", None),
            Self::Import(id) => ("import", Some(id.0)),
            Self::System => ("system", None),
        }
    }

    /// The actor in the columns `kind` and `id` of a row.
    pub(crate) fn read(row: &Row<'_>, kind: usize, id: usize) -> Result<Self> {
        match row.text(kind)? {
            "key" => row.id(id).map(Self::Key),
            "user" => row.id(id).map(Self::User),
            "cli" => Ok(Self::CommandLine),
            "import" => row.id(id).map(Self::Import),
            "system" => Ok(Self::System),
            other => Err(Error::internal(format!("unknown actor {other}"))),
        }
    }
}

/// Records an event in the caller's transaction.
pub fn record(tx: &mut FamilyTx<'_>, event: &Event<'_>) -> Result<EventId> {
    let id = tx.new_id()?.into();
    record_as(tx, id, event)?;
    Ok(id)
}

/// Records an event with an id that it has already.
pub(crate) fn record_as(tx: &mut FamilyTx<'_>, id: EventId, event: &Event<'_>) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let (actor_kind, actor_id) = event.actor.parts();
    let details = event.details.to_string();
    let Event { action, subject_kind, subject_id, .. } = event;
    tx.execute(
        &INSERT,
        vals![family, id, now, actor_kind, actor_id, *action, *subject_kind, *subject_id, &details],
    )
    .map(drop)
}

/// Lists events, newest first.
pub fn list(tx: &mut FamilyTx<'_>, selection: Selection, limit: u32) -> Result<Vec<Recorded>> {
    let family = tx.family();
    tx.query(&selected(family, selection, limit), &[], |row| {
        Ok(Recorded {
            id: row.id(0)?,
            at: row.timestamp(1)?,
            actor: Actor::read(row, 2, 3)?,
            action: row.string(4)?,
            subject_kind: row.string(5)?,
            subject_id: row.opt_uuid(6)?,
            details: serde_json::from_str(row.text(7)?).map_err(Error::internal)?,
        })
    })
}

fn selected(family: FamilyId, selection: Selection, limit: u32) -> Query<'static> {
    Filter::of_family("family_id = ?", family)
        .and_opt("subject_id = ?", selection.subject_id)
        .and_opt("id < ?", selection.before)
        .query(
            "SELECT id, at, actor_kind, actor_id, action, subject_kind, subject_id, details
             FROM audit_events",
            "ORDER BY id DESC LIMIT ?",
            [limit.into()],
        )
}

/// The widest queries of this module, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let selection = Selection { subject_id: Some(Uuid::nil()), before: Some(EventId(Uuid::nil())) };
    vec![selected(FamilyId::from_number(1), selection, 1)]
}
