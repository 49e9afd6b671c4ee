//! The job that removes a connection with its runs, some at a time.

use purser_core::error::Result;
use purser_core::ids::ConnectionId;
use purser_store::connections::{self, changes};
use purser_store::{FamilyTx, jobs};
use serde::{Deserialize, Serialize};

use crate::jobs::job::{Job, Work, is_found};

/// Removes a connection that nothing uses any more.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemoveConnection {
    pub(crate) connection: ConnectionId,
}

impl Job for RemoveConnection {
    const KIND: &'static str = "connection.remove";

    fn dedupe_key(&self) -> Option<String> {
        Some(format!("{}:{}", Self::KIND, self.connection))
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        let is_gone = || {
            work.write(|tx| {
                let is_gone = changes::remove_more(tx, self.connection)?;
                if is_gone {
                    jobs::complete(tx, work.claim)?;
                } else {
                    jobs::end_part(tx, work.claim)?;
                }
                Ok(is_gone)
            })
        };
        while !is_gone()? {}
        Ok(())
    }

    /// Another request may have removed it since.
    fn take_up_again(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        is_found(connections::get(tx, self.connection))
    }
}
