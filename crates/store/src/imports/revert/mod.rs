//! Undoing an import: what it would do ([`survey`]), and the changes of the import's own record.
//!
//! A survey is made by the preview and by the undo itself, which executes it: the two can't differ.
//! The entries are taken back by the ledger's executor (`ledger::undo`).

pub(crate) mod created;
pub(crate) mod fills;
pub(crate) mod others;
pub(crate) mod reset_mappings;
pub(crate) mod survey;

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::import_type::ImportType;
use purser_core::import::status::ImportStatus;

use super::plan::plan_remove;
use super::verification::readback_reverted;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

pub use fills::{FillsSurvey, KeptFill, take_fills_back};
pub use others::{OtherImport, OtherImports, others};
use reset_mappings::reset_mappings;
pub use survey::{KeptEntry, Survey, removable, removed_before, survey};

use crate::ledger::Executor;
use crate::ledger::records::undo;
pub use crate::ledger::records::undo::{Created, KeptRecord, RecordSurvey, Removal};

statements! {
    /// Takes an import to `reverting`.
    REVERT_BEGIN = "UPDATE imports SET status = $1, error = NULL, rows_done = 0, updated_at = $2
        WHERE family_id = $3 AND id = $4 AND status = $5";
    /// As it was before the publish.
    REVERT_DONE = "UPDATE imports SET status = $1, first_entry_id = NULL, last_entry_id = NULL,
            created_count = 0, gone_count = 0, completed_at = NULL, rows_done = 0, updated_at = $2
        WHERE family_id = $3 AND id = $4 AND status = $5";
    /// Why it failed, for people.
    REVERT_FAIL = "UPDATE imports SET status = $1, error = $2, updated_at = $3
        WHERE family_id = $4 AND id = $5 AND status = $6";
    /// What it filled is taken back or kept for good.
    FILLS_DELETE = "DELETE FROM import_fills WHERE family_id = $1 AND import_id = $2";
    /// What it changed has its earlier values or is kept for good.
    CHANGES_DELETE = "DELETE FROM import_changes WHERE family_id = $1 AND import_id = $2";
    /// What it created is removed or kept for good.
    CREATED_DELETE = "DELETE FROM import_created WHERE family_id = $1 AND import_id = $2";
}

/// Takes back what an import did besides entries, as the survey has it.
pub fn take_records_back(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    import: ImportId,
    survey: &Survey,
) -> Result<()> {
    executor.take_rows_back(tx, import)?;
    // What entries refer to can only go when balances, counters and positions are settled.
    executor.settle(tx)?;
    reset_mappings(tx, survey)?;
    undo::take_back(tx, executor, import, &survey.records)?;
    for account in survey.accounts.iter().filter(|account| account.goes()) {
        executor.remove_account(tx, account.id)?;
    }
    Ok(())
}

/// Takes an import from `from` to `reverting`; false when it no longer is in `from`.
pub fn mark_reverting(tx: &mut FamilyTx<'_>, id: ImportId, from: ImportStatus) -> Result<bool> {
    let family = tx.family();
    if !from.may_become(ImportStatus::Reverting) {
        return Ok(false);
    }
    let now = tx.now();
    let changed = tx.execute(
        &REVERT_BEGIN,
        &[
            Val::Text(ImportStatus::Reverting.as_str()),
            now.into(),
            family.into(),
            id.into(),
            Val::Text(from.as_str()),
        ],
    )?;
    Ok(changed == 1)
}

/// Takes an import from `reverting` to `pending`: it no longer counts as published, and its plan
/// has to be made anew.
pub fn reverted(tx: &mut FamilyTx<'_>, id: ImportId, of: ImportType) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    let changed = tx.execute(
        &REVERT_DONE,
        &[
            Val::Text(ImportStatus::Pending.as_str()),
            now.into(),
            family.into(),
            id.into(),
            Val::Text(ImportStatus::Reverting.as_str()),
        ],
    )?;
    one(changed)?;
    readback_reverted(tx, id, of)?;
    for statement in [&FILLS_DELETE, &CREATED_DELETE, &CHANGES_DELETE] {
        tx.execute(statement, &[family.into(), id.into()])?;
    }
    plan_remove(tx, id)
}

/// `reverting` becomes `revert_failed`, with a sentence for people.
pub fn fail_revert(tx: &mut FamilyTx<'_>, id: ImportId, sentence: &str) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    let changed = tx.execute(
        &REVERT_FAIL,
        &[
            Val::Text(ImportStatus::RevertFailed.as_str()),
            Val::Text(sentence),
            now.into(),
            family.into(),
            id.into(),
            Val::Text(ImportStatus::Reverting.as_str()),
        ],
    )?;
    one(changed)
}

fn one(changed: u64) -> Result<()> {
    if changed == 1 {
        return Ok(());
    }
    Err(Error::internal("the import is not in the status that the undo starts from"))
}
