//! The job that folds all positions of a family again, because a new version computes them in
//! another way. The schema's step of that version queues it.

use purser_core::error::Result;
use purser_store::jobs;
use purser_store::ledger::refold_next;
use serde::{Deserialize, Serialize};

use crate::jobs::job::{Job, Work};

/// Folds all positions again, some securities a commit.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RefoldPositions {}

impl Job for RefoldPositions {
    const KIND: &'static str = "positions.refold";

    fn dedupe_key(&self) -> Option<String> {
        Some(Self::KIND.to_owned())
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        let mut last = None;
        loop {
            last = work.write(|tx| {
                let next = refold_next(tx, work.claim.id.0, last)?;
                if next.is_some() {
                    // Another try does this part again, so time limits before it count.
                    jobs::hold(tx, work.claim)?;
                } else {
                    jobs::complete(tx, work.claim)?;
                }
                Ok(next)
            })?;
            if last.is_none() {
                return Ok(());
            }
        }
    }
}
