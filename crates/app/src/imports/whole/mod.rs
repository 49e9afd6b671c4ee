//! Imports of kinds of which the rows are planned and published together: categories, and whatever
//! else a family has few of.
//!
//! The plan is a pure function of the rows, of what the family has, and of what names are mapped to
//! (`purser_core::import::whole`). The preview and the publish compute it in the same way, in the
//! snapshot and in the transaction that they belong to; only the verdicts are stored.

mod publication;

use purser_core::error::{Error, Result};
use purser_core::import::mapping::{MappingKind, Preparation};
use purser_core::import::verdict::Verdict;
use purser_core::import::whole::{NameTargets, PlannedRow, WholePlan};
use purser_core::ledger::account::AccountType;
use purser_core::plan::{Creation, Target};
use purser_store::FamilyTx;
use purser_store::imports::{self, Import, Mapping, Plan, Planned};
use serde_json::Value;

pub(super) use publication::publish;

use super::built_plan::Subject;
use super::names::{Resolved, resolve};
use super::reading::Source;
use super::row_content::ShownRow;

/// The plan of a file with all that it does.
pub(super) struct Whole {
    /// What becomes of each row.
    pub(super) plan: WholePlan,
    /// What names are mapped to.
    pub(super) preparation: Preparation,
}

impl Whole {
    /// Plans the rows of a file.
    pub(super) fn of(
        tx: &mut FamilyTx<'_>,
        source: &Source,
        mappings: &[Mapping],
        preparation: Preparation,
    ) -> Result<Self> {
        let missing = || Error::internal("rows of this kind are not planned together");
        let mut planner = source.kind().planner().ok_or_else(missing)?;
        source.visit_all(|visited| {
            planner.row(visited.row, visited.line, visited.outcome.as_ref().ok(), visited.choice);
            Ok(())
        })?;
        let view = imports::view(tx, source.kind())?;
        let names = Names { preparation: &preparation, mappings };
        let plan = planner.finish(&view, &names, &preparation.creations);
        Ok(Self { plan, preparation })
    }

    /// What names and rows have created, in the order of their slots.
    pub(super) fn creations(&self) -> Vec<Creation> {
        self.preparation.creations.iter().chain(&self.plan.creations).cloned().collect()
    }
}

/// The verdict on every row.
pub(super) fn plan(
    tx: &mut FamilyTx<'_>,
    subject: &Subject<'_>,
    preparation: Preparation,
    mut plan: Plan,
) -> Result<Plan> {
    let Subject { source, mappings, .. } = subject;
    let whole = Whole::of(tx, source, mappings, preparation)?;
    for (row, planned) in (1..).zip(&whole.plan.rows) {
        plan.push(planned.verdict);
        if planned.verdict.refers() {
            plan.set(row, Planned { verdict: planned.verdict, record: planned.record })?;
        }
    }
    Ok(plan)
}

/// What names of the file are mapped to.
struct Names<'a> {
    preparation: &'a Preparation,
    mappings: &'a [Mapping],
}

impl NameTargets for Names<'_> {
    fn target(&self, kind: MappingKind, name: &str) -> Option<Target> {
        self.preparation.target(kind, name)
    }

    fn account_type(&self, text: &str) -> Option<AccountType> {
        self.preparation.account_type(text)
    }

    fn problem(&self, kind: MappingKind, name: &str) -> Option<String> {
        let key = kind.key_fn()(name);
        let mapping = self.mappings.iter().find(|one| one.kind == kind && one.value_key == key)?;
        mapping.problem.clone()
    }
}

/// Gives rows the reasons of their verdicts: before a publish what it would do now, where that is
/// still what the plan has; afterwards what it did.
pub(super) fn explain(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    source: &Source,
    mappings: &[Mapping],
    rows: &mut [ShownRow],
) -> Result<()> {
    if !source.kind().spec().is_whole || rows.is_empty() {
        return Ok(());
    }
    if !import.awaits_plan() {
        let changes = imports::changed_records(tx, import.id)?;
        for row in rows.iter_mut().filter(|row| row.verdict == Some(Verdict::Change)) {
            let changed = changes.iter().find(|one| Some(one.id) == row.record);
            let what = changed.map(|one| differences(&one.before, &one.after));
            row.explain(what.map(|what| format!("It changed what was there: {what}")));
        }
        return Ok(());
    }
    let Resolved { preparation, .. } = resolve(mappings, &imports::existing(tx)?);
    explain_ahead(tx, source, mappings, preparation, rows)
}

/// The same for a file that isn't published.
pub(super) fn explain_ahead(
    tx: &mut FamilyTx<'_>,
    source: &Source,
    mappings: &[Mapping],
    preparation: Preparation,
    rows: &mut [ShownRow],
) -> Result<()> {
    let whole = Whole::of(tx, source, mappings, preparation)?;
    for row in rows {
        let at = usize::try_from(row.row.saturating_sub(1)).map_err(Error::internal)?;
        let planned = whole.plan.rows.get(at);
        let is_same = |planned: &&PlannedRow| {
            Some(planned.verdict) == row.verdict && planned.record == row.record
        };
        row.explain(planned.filter(is_same).and_then(|planned| planned.reason.clone()));
    }
    Ok(())
}

/// What an import changed of a record, by its images. Ids and values of several parts
/// are not shown.
fn differences(before: &Value, after: &Value) -> String {
    let fields = before.as_object().into_iter().flat_map(|before| before.keys());
    let changed = fields.filter(|field| before[*field] != after[*field]).map(|field| {
        let name = field.replace('_', " ");
        match (shown(&before[field]), shown(&after[field]), name.strip_suffix(" id")) {
            (.., Some(noun)) => format!("another {noun}"),
            (Some(old), Some(new), None) => format!("{name}: {old} → {new}"),
            _ => format!("other {name}"),
        }
    });
    changed.collect::<Vec<_>>().join(", ")
}

/// A single value as people read it.
fn shown(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some("none".to_owned()),
        Value::Bool(flag) => Some(if *flag { "yes" } else { "no" }.to_owned()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn changes_of_any_record_are_listed_for_people() {
        let before = json!({
            "name": "A", "color": null, "parent_id": "1", "active": true, "conditions": [],
        });
        let after = json!({
            "name": "A", "color": "#111111", "parent_id": "2", "active": false, "conditions": [1],
        });
        let expected = "active: yes → no, color: none → #111111, other conditions, another parent";
        assert_eq!(differences(&before, &after), expected);
        assert_eq!(differences(&before, &before), "");
    }
}
