//! Executing the plan of a file of which the rows are planned together: one commit, as for every
//! publish that isn't large.

use purser_core::error::{Error, Problem, Result};
use purser_core::import::verdict::{Counts, Verdict};
use purser_core::import::whole::Step;
use purser_core::plan::{Creation, Target};
use purser_store::FamilyTx;
use purser_store::audit::Actor;
use purser_store::files::FileStore;
use purser_store::imports::{self, Import, Published};
use purser_store::ledger::{Event, Executor};
use serde_json::json;

use super::Whole;
use crate::imports::built_plan::BuiltPlan;
use crate::imports::creations::Creations;
use crate::imports::names::{Resolved, resolve};
use crate::imports::reading::Source;

/// Publishes an import. `built` is its plan if it isn't the one that is stored.
pub(in crate::imports) fn publish(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
    built: Option<BuiltPlan>,
    progress: &dyn Fn(u64),
) -> Result<Published> {
    let counts = match &built {
        Some(built) => built.plan.counts()?,
        None => import.plan.ok_or_else(|| Error::internal("there is no plan to execute"))?,
    };
    let mappings = imports::mappings(tx, import.id)?;
    let Resolved { preparation, .. } = resolve(&mappings, &imports::existing(tx)?);
    let source = Source::open(tx, files, import)?;
    let whole = Whole::of(tx, &source, &mappings, preparation)?;
    require_as_planned(&source, import, &whole, counts)?;
    let wanted = whole.creations();
    // An opening balance with a day is an entry of its account, and goes and stays with it.
    let is_dated = |one: &&Creation| match one {
        Creation::Account(account) => account.opening.date.is_some(),
        _ => false,
    };
    let openings = wanted.iter().filter(is_dated).count() as u64;
    let mut executor = Executor::begin(tx, openings)?.of_import(import.id);
    let mut creations = Creations::new(wanted);
    for (row, planned) in (1..).zip(&whole.plan.rows) {
        match &planned.step {
            None => {}
            Some(Step::Create(slot)) => {
                creations.create(tx, &mut executor, Target::Created(*slot))?;
            }
            Some(Step::Change(change)) => {
                let mut change = change.clone();
                // What it points to is created first if it has to be.
                for target in change.targets_mut() {
                    *target = creations.create(tx, &mut executor, *target)?;
                }
                executor.change(tx, &change)?;
            }
        }
        progress(row);
    }
    for mapping in mappings.iter().filter(|mapping| mapping.target.is_none()) {
        let target = whole.preparation.target(mapping.kind, &mapping.value);
        if let Some(target) = target
            && let Some(id) = creations.id(target, &executor)?
        {
            imports::mapping_assign(tx, import.id, mapping, id)?;
        }
    }
    let event = Event {
        actor: Actor::Import(import.id),
        action: "import.publish",
        subject_kind: "import",
        subject_id: import.id.0,
        details: json!({ "rows": whole.plan.rows.len(), "plan": counts }),
    };
    executor.finish(tx, event)?;
    if let Some(built) = built
        && !built.store(tx, import)?
    {
        return Err(Error::internal("the import was changed while it was published"));
    }
    Ok(Published { range: None, created: counts.created() })
}

/// The plan that is executed is the one that is stored, and nothing of it is open.
fn require_as_planned(
    source: &Source,
    import: &Import,
    whole: &Whole,
    counts: Counts,
) -> Result<()> {
    let mut now = Counts::default();
    whole.plan.rows.iter().for_each(|row| now.add(row.verdict));
    if now != counts {
        return Err(Error::internal("the rows are not as they were planned"));
    }
    let open = whole.plan.rows.iter().find(|row| row.verdict == Verdict::NeedsChoice);
    if let Some(open) = open {
        let reason = open.reason.clone();
        return Err(Error::invalid(reason.unwrap_or_else(|| "A choice is needed".to_owned())));
    }
    if counts.invalid > 0 && !import.skip_invalid {
        let mut refused = Ok(());
        source.visit_all(|visited| {
            if let (Err(reasons), true) = (&visited.outcome, refused.is_ok()) {
                let (line, reasons) = (visited.line, reasons.join("; "));
                let sentence = format!("Line {line} can't be imported: {reasons}");
                refused = Err(Error::invalid(Problem::about(format!("line {line}"), sentence)));
            }
            Ok(())
        })?;
        refused?;
    }
    Ok(())
}
