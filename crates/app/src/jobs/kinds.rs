//! The table of all kinds of jobs.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_store::FamilyTx;
use purser_store::jobs::ClaimedJob;
use purser_store::rates::applying::ApplyRates;
use serde_json::Value;

use super::job::{GivenUp, Job, Work};
use crate::accounts::refold_job::RefoldPositions;
use crate::accounts::removal_job::RemoveAccount;
use crate::connections::removal_job::RemoveConnection;
use crate::exports::export_job::ExportFamily;
use crate::imports::file_removal_job::RemoveFiles;
use crate::imports::publish_job::Publish;
use crate::imports::revert_job::Revert;
use crate::imports::take_up_job::TakeUp;
use crate::labels::removal_job::RemoveLabel;
use crate::people::family_removal_job::RemoveFamily;
use crate::rules::run_job::RunRules;
use crate::sync::revert_job::RevertSync;
use crate::transfers::Scope;

const KINDS: [Kind; 14] = [
    Kind::of::<Publish>(),
    Kind::of::<TakeUp>(),
    Kind::of::<Revert>(),
    Kind::of::<RevertSync>(),
    Kind::of::<RunRules>(),
    Kind::of::<Scope>(),
    Kind::of::<ApplyRates>(),
    Kind::of::<RefoldPositions>(),
    Kind::of::<RemoveAccount>(),
    Kind::of::<RemoveLabel>(),
    Kind::of::<RemoveConnection>(),
    Kind::of::<RemoveFiles>(),
    Kind::of::<RemoveFamily>(),
    Kind::of::<ExportFamily>(),
];

struct Kind {
    name: &'static str,
    read: fn(&Value) -> Result<Box<dyn AnyJob>>,
}

impl Kind {
    const fn of<J: Job + 'static>() -> Self {
        let read = |payload: &Value| -> Result<Box<dyn AnyJob>> {
            let job: J = serde_json::from_value(payload.clone()).map_err(Error::internal)?;
            Ok(Box::new(job))
        };
        Self { name: J::KIND, read }
    }
}

/// The job of a kind with a payload.
pub(super) fn read(kind: &str, payload: &Value) -> Result<Box<dyn AnyJob>> {
    let known = KINDS
        .iter()
        .find(|known| known.name == kind)
        .ok_or_else(|| Error::internal(format!("there is no kind of job with the name {kind}")))?;
    (known.read)(payload)
}

/// The import that shows the progress of a job, if the job works on one.
pub(crate) fn import_of(claim: &ClaimedJob) -> Option<ImportId> {
    read(&claim.kind, &claim.payload).ok()?.import()
}

/// A [`Job`] of any kind.
pub(super) trait AnyJob {
    fn is_refusal_final(&self) -> bool;
    fn import(&self) -> Option<ImportId>;
    fn run(&self, work: &Work<'_>) -> Result<()>;
    fn clean_up(&self, work: &Work<'_>) -> Result<()>;
    fn give_up(&self, tx: &mut FamilyTx<'_>, reason: &GivenUp) -> Result<()>;
    fn take_up_again(&self, tx: &mut FamilyTx<'_>) -> Result<bool>;
}

impl<J: Job> AnyJob for J {
    fn is_refusal_final(&self) -> bool {
        J::IS_REFUSAL_FINAL
    }

    fn import(&self) -> Option<ImportId> {
        Job::import(self)
    }

    fn run(&self, work: &Work<'_>) -> Result<()> {
        Job::run(self, work)
    }

    fn clean_up(&self, work: &Work<'_>) -> Result<()> {
        Job::clean_up(self, work)
    }

    fn give_up(&self, tx: &mut FamilyTx<'_>, reason: &GivenUp) -> Result<()> {
        Job::give_up(self, tx, reason)
    }

    fn take_up_again(&self, tx: &mut FamilyTx<'_>) -> Result<bool> {
        Job::take_up_again(self, tx)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn payloads_that_are_stored_are_read() {
        let id = Uuid::from_u128(7);
        let import = |kind: &str, payload: Value| read(kind, &payload).map(|job| job.import());
        for kind in ["import.publish", "import.revert"] {
            assert_eq!(import(kind, json!({ "import_id": id })).unwrap(), Some(ImportId(id)));
        }
        for (kind, payload) in [
            ("import.take_up", json!({ "import_id": id })),
            ("rules.run", json!({ "runs": [id] })),
            ("transfers.match", json!({ "scope": "all" })),
            ("transfers.match", json!({ "scope": "added", "first": id, "last": id })),
            (
                "transfers.match",
                json!({ "scope": "around", "first": "2024-01-01", "last": "2024-01-31" }),
            ),
            (
                "rates.apply",
                json!({ "currencies": ["EUR"], "first": "2024-01-01", "last": "2024-01-31" }),
            ),
            ("account.remove", json!({ "account": id })),
            ("label.remove", json!({ "removal": { "kind": "tag", "id": id } })),
            ("connection.remove", json!({ "connection": id })),
            ("files.remove", json!({ "files": [id] })),
            ("family.remove", json!({})),
            ("family.export", json!({ "export_id": id })),
            ("positions.refold", json!({})),
        ] {
            assert_eq!(import(kind, payload).unwrap(), None, "{kind}");
        }
        assert!(import("rules.run", json!({})).is_err());
        assert!(import("else", json!({})).is_err());
    }
}
