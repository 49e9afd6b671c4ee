//! The job that removes a family, slice by slice: running it again goes on where it was.

use purser_core::error::Result;
use purser_store::families::removal::{self, Removed};
use purser_store::jobs;
use serde::{Deserialize, Serialize};

use crate::jobs::job::{Job, Work};

/// Removes the family of the job, if its pause is over: rows, uploaded files, and the job itself.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemoveFamily {}

impl Job for RemoveFamily {
    const KIND: &'static str = "family.remove";

    fn dedupe_key(&self) -> Option<String> {
        Some(Self::KIND.to_owned())
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        if !work.read(removal::is_due)? {
            return work.write(|tx| jobs::complete(tx, work.claim));
        }
        while work.write(|tx| removal::remove_slice(tx, work.claim))? == Removed::Some {}
        let family = work.claim.family;
        // No row names them any more, and while the job is there it would remove the rest.
        work.files.delete_family(family)?;
        work.write(|tx| removal::remove_itself(tx, work.claim))?;
        // An upload that had begun before the pause may have come in between.
        if let Err(error) = work.files.delete_family(family) {
            tracing::warn!(cause = ?error, "a file of a removed family stays");
        }
        Ok(())
    }
}
