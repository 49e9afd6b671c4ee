//! Making a plan: one pass over the rows of a file, which changes nothing.
//!
//! Names are resolved as the publish resolves them. What the rows of a record kind are compared
//! with is in `streamed` and `whole`; only verdicts are kept. A plan is of the version that
//! the family had in the snapshot in which it was made, so whoever stores it later can't claim
//! more.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::kinds::Kind;
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Plan};
use purser_store::{Access, FamilyTx, Store, families};

use super::built_plan::{BuiltPlan, Subject};
use super::names::{Resolved, resolve};
use super::reading::Source;
use super::{native, streamed, whole};

/// Makes the plan of a file, stored or not. Blocks for as long as reading the file takes.
pub fn make(tx: &mut FamilyTx<'_>, subject: &Subject<'_>) -> Result<BuiltPlan> {
    let version = families::version(tx)?;
    let existing = imports::existing(tx)?;
    let Resolved { preparation, changed } = resolve(subject.mappings, &existing);
    let plan = Plan::new(version);
    let plan = if subject.source.kind() == Kind::Native {
        native::plan(tx, subject, plan)?
    } else if subject.source.kind().spec().is_whole {
        whole::plan(tx, subject, preparation, plan)?
    } else {
        streamed::plan(tx, subject, preparation, plan)?
    };
    if plan.rows() != subject.rows_in_file {
        let (rows, counted) = (plan.rows(), subject.rows_in_file);
        return Err(Error::internal(format!("{rows} rows were read again, and not {counted}")));
    }
    Ok(BuiltPlan { plan, changed })
}

/// Makes the plan of an import that is stored; nothing if its rows can't be read yet.
pub fn of_import(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
) -> Result<Option<BuiltPlan>> {
    if !import.condition().detail().configured {
        return Ok(None);
    }
    let mappings = imports::mappings(tx, import.id)?;
    let source = Source::open(tx, files, import)?;
    let subject = Subject {
        account: import.account,
        mappings: &mappings,
        source: &source,
        not_taken: (import.valid_rows == import.rows_in_file()).then_some(&[]),
        rows_in_file: import.rows_in_file(),
    };
    make(tx, &subject).map(Some)
}

/// Makes the plan of a stored import anew if the ledger has moved since: it is made in a snapshot,
/// so that nobody waits, and stored in a short commit. True if the plan is current afterwards,
/// unless the ledger has moved meanwhile.
pub fn renew(store: &Store, files: &FileStore, access: &Access, id: ImportId) -> Result<bool> {
    let built = store.read_blocking(access.clone(), |tx| {
        let import = imports::get(tx, id)?;
        if import.has_current_plan() || !import.awaits_plan() {
            return Ok(None);
        }
        Ok(of_import(tx, files, &import)?.map(|built| (import, built)))
    })?;
    let Some((import, built)) = built else { return Ok(true) };
    store.write_blocking(access.clone(), |tx| {
        Ok(built.store(tx, &import)? && families::version(tx)? == built.plan.version())
    })
}
