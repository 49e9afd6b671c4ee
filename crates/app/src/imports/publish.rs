//! Publishing: the second commit queues it, the job executes it.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_store::FamilyTx;
use purser_store::imports::{self, Import};

use super::objections;
use super::publish_job::Publish;
use super::rejection::{Facts, Rejection};
use super::take_up_job;
use crate::jobs::job::enqueue;

/// What became of the wish to publish.
pub enum Queued {
    /// The job is queued; the import as it stands now.
    Yes(Box<Import>),
    /// The publish was refused.
    No(Rejection),
}

/// Who asks for a publish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishOrigin {
    /// The upload itself; by now another process may have fulfilled its wish to publish.
    Upload,
    /// Somebody who wants it published now.
    Caller,
}

/// Takes back the wish to publish an import, after queueing the publish failed. If the import is
/// queued or published in spite of the failure, it is returned as it stands.
pub fn not_queued(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Option<Import>> {
    let import = imports::get(tx, id)?;
    if matches!(import.status, ImportStatus::Importing | ImportStatus::Complete) {
        return Ok(Some(import));
    }
    imports::fail_enqueue(tx, id)?;
    take_up_job::expect_no_publish(tx, id)?;
    Ok(None)
}

/// Takes the import to `importing` and queues the job: one commit.
pub fn queue(tx: &mut FamilyTx<'_>, id: ImportId, origin: PublishOrigin) -> Result<Queued> {
    let import = imports::get(tx, id)?;
    let done = matches!(import.status, ImportStatus::Importing | ImportStatus::Complete);
    if origin == PublishOrigin::Upload && done {
        return Ok(Queued::Yes(Box::new(import)));
    }
    let mappings = imports::mappings(tx, id)?;
    let objections = objections::of_import(tx, &import, &mappings)?;
    if let Some(rejection) = Facts::of(&import, &mappings, objections)?.rejection() {
        if origin == PublishOrigin::Upload {
            // Else it would be published by itself once nothing stands in its way.
            imports::forget_wish(tx, id)?;
            take_up_job::expect_no_publish(tx, id)?;
        }
        return Ok(Queued::No(rejection));
    }
    if !imports::mark_importing(tx, id, import.status)? {
        return Err(Error::Conflict {
            code: "not_publishable",
            message: "The import was changed at the same moment".into(),
        });
    }
    take_up_job::expect_no_publish(tx, id)?;
    enqueue(tx, &Publish { import_id: id })?;
    Ok(Queued::Yes(Box::new(imports::get(tx, id)?)))
}
