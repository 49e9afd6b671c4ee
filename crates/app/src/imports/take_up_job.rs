//! The job that publishes an upload if its own request can't: upload and publish are two commits,
//! and the process may end between them.

use jiff::SignedDuration;
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_store::{FamilyTx, imports, jobs};
use serde::{Deserialize, Serialize};

use super::publish::{self, PublishOrigin};
use crate::jobs::job::{Job, Work, enqueue_later, forget};

/// How long the request has for its second commit, before the job makes it.
const REQUEST_TIME: SignedDuration = SignedDuration::from_secs(10);

/// Queues the publish of this import, if its upload still waits for it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct TakeUp {
    import_id: ImportId,
}

impl Job for TakeUp {
    const KIND: &'static str = "import.take_up";

    fn dedupe_key(&self) -> Option<String> {
        Some(format!("{}:{}", Self::KIND, self.import_id))
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        let id = self.import_id;
        work.write(|tx| {
            if is_wanted(tx, id)? {
                publish::queue(tx, id, PublishOrigin::Upload)?;
            }
            jobs::complete(tx, work.claim)
        })
    }
}

/// Whether the import still waits for its publish. It may have been deleted meanwhile.
fn is_wanted(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<bool> {
    match imports::get(tx, id) {
        Ok(import) => Ok(import.publish_wanted && import.status == ImportStatus::Pending),
        Err(Error::NotFound { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Queues the job, in the commit of the upload.
pub(super) fn expect_publish(tx: &mut FamilyTx<'_>, import_id: ImportId) -> Result<()> {
    enqueue_later(tx, &TakeUp { import_id }, REQUEST_TIME)
}

/// Removes the job, in the commit that queues the publish or takes the wish for it back.
pub(super) fn expect_no_publish(tx: &mut FamilyTx<'_>, import_id: ImportId) -> Result<()> {
    forget(tx, &TakeUp { import_id })
}
