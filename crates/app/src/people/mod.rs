//! Families, users and API keys: what the command line and the web pages do in the same way.
//!
//! The store checks single values and keeps the directories whole; here is what belongs together:
//! a change and its audit event, a key's last day and the zone that it ends in.

pub mod families;
pub(crate) mod family_removal_job;
pub mod keys;
pub mod removal;
pub mod sign_in;
pub mod users;

use purser_core::error::Result;
use purser_store::FamilyTx;
use purser_store::audit::{self};
use serde_json::{Value, json};
use uuid::Uuid;

/// Records that somebody changed something of people; never with a secret.
fn record(
    tx: &mut FamilyTx<'_>,
    action: &str,
    (subject_kind, id): (&str, Uuid),
    details: Value,
) -> Result<()> {
    let actor = tx.actor();
    let event = audit::Event { actor, action, subject_kind, subject_id: Some(id), details };
    audit::record(tx, &event).map(|_| ())
}

/// No details beyond the kind of the event and its subject.
fn nothing() -> Value {
    json!({})
}
