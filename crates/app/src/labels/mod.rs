//! The labels of a family: lists for forms, and the removal of one that very many entries have,
//! which takes several commits.

pub(crate) mod removal_job;

use jiff::SignedDuration;
use purser_core::error::Result;
use purser_store::{Access, FamilyTx, Store};

use crate::jobs::job::{enqueue_later, forget};
use removal_job::RemoveLabel;

pub use purser_store::labels::removal::LabelRemoval;
pub use purser_store::labels::{CategoryPath, categories, require_unrestricted, tags};

/// How long a request has for its next commit, before the job makes it.
const REQUEST_TIME: SignedDuration = SignedDuration::from_secs(10);

/// Takes a label from most of its entries, in commits before the one that removes it. Each queues a
/// job that does the rest if the process ends before the next one.
pub async fn take_most(store: &Store, access: Access, removal: LabelRemoval) -> Result<()> {
    let is_large = move |tx: &mut FamilyTx<'_>| removal.is_large(tx);
    if !store.is_sqlite() || !store.read(access.clone(), is_large).await? {
        return Ok(());
    }
    let take = move |tx: &mut FamilyTx<'_>| {
        let has_more = removal.take_some(tx)?;
        let job = RemoveLabel { removal };
        forget(tx, &job)?;
        enqueue_later(tx, &job, REQUEST_TIME)?;
        Ok(has_more)
    };
    while store.write(access.clone(), take).await? {}
    Ok(())
}
