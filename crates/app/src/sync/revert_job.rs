//! The job that undoes a large run, part by part. Each part is a commit that leaves a whole ledger,
//! so a try that ends early, or a process, leaves nothing to clean up: the next one goes on.

use purser_core::connection::RevertStatus;
use purser_core::error::Result;
use purser_core::ids::SyncId;
use purser_store::sync_plans::undo;
use purser_store::{FamilyTx, jobs};
use serde::{Deserialize, Serialize};

use super::revert::revert_more;
use crate::imports::parts::part_rows;
use crate::jobs::job::{GivenUp, Job, Work};

/// Undoes the run with this id.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RevertSync {
    pub(crate) sync: SyncId,
}

impl Job for RevertSync {
    const KIND: &'static str = "sync.revert";

    fn dedupe_key(&self) -> Option<String> {
        Some(format!("{}:{}", Self::KIND, self.sync))
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        let is_done = || {
            work.write(|tx| {
                let is_done = revert_more(tx, self.sync, part_rows(work))?;
                if is_done {
                    jobs::complete(tx, work.claim)?;
                } else {
                    jobs::end_part(tx, work.claim)?;
                }
                Ok(is_done)
            })
        };
        while !is_done()? {}
        Ok(())
    }

    fn give_up(&self, tx: &mut FamilyTx<'_>, _: &GivenUp) -> Result<()> {
        undo::mark(tx, self.sync, RevertStatus::Failed).map(drop)
    }

    fn take_up_again(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        undo::take_up_again(tx, self.sync)
    }
}
