//! The job that removes a label if the request that began to can't.

use purser_core::error::{Error, Result};
use purser_store::jobs;
use purser_store::labels::removal::LabelRemoval;
use serde::{Deserialize, Serialize};

use crate::jobs::job::{Job, Work};

/// Takes a label from all entries that still have it, and removes it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemoveLabel {
    pub(crate) removal: LabelRemoval,
}

impl Job for RemoveLabel {
    const KIND: &'static str = "label.remove";

    fn dedupe_key(&self) -> Option<String> {
        Some(format!("{}:{}", Self::KIND, self.removal.id()))
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        let take = || {
            work.write(|tx| {
                let has_more = match self.removal.take_some(tx) {
                    // The request has done it.
                    Err(Error::NotFound { .. }) => false,
                    // An import that doesn't come to its end is nobody's fault here.
                    Err(Error::Conflict { code: "import_running", message }) => {
                        let cause = message.clone().into();
                        return Err(Error::Unavailable { message, cause });
                    }
                    Ok(false) => {
                        self.removal.finish(tx)?;
                        false
                    }
                    taken => taken?,
                };
                if has_more {
                    jobs::end_part(tx, work.claim)?;
                } else {
                    jobs::complete(tx, work.claim)?;
                }
                Ok(has_more)
            })
        };
        while take()? {}
        Ok(())
    }
}
