//! Folding all positions of a family again, because this version computes them in another way.

use purser_core::error::Result;
use purser_core::ids::SecurityId;
use serde_json::json;
use uuid::Uuid;

use super::{Event, Executor, positions};
use crate::access::FamilyTx;

/// Securities that are folded again in one commit.
const PER_COMMIT: usize = 20;

/// Folds again the positions of the next securities after `after`, in the order of their ids.
/// `subject` is the job, for the audit trail. Returns the last one of them, or none if there are no
/// more.
pub fn refold_next(
    tx: &mut FamilyTx<'_>,
    subject: Uuid,
    after: Option<SecurityId>,
) -> Result<Option<SecurityId>> {
    let securities = positions::securities(tx)?;
    let next = securities.into_iter().filter(|one| after.is_none_or(|after| *one > after));
    let next: Vec<SecurityId> = next.take(PER_COMMIT).collect();
    let Some(last) = next.last().copied() else { return Ok(None) };
    let mut executor = Executor::begin(tx, 0)?;
    let details = json!({ "securities": next.len() });
    executor.refold_securities(next);
    let event = Event {
        actor: tx.actor(),
        action: "positions.refold",
        subject_kind: "job",
        subject_id: subject,
        details,
    };
    executor.finish(tx, event)?;
    Ok(Some(last))
}
