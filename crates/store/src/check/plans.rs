//! Plans: a verdict on every row, and what a publish made or filled is known to be there.

use std::collections::HashSet;

use purser_core::error::Result;
use purser_core::ids::{EntryId, ImportId};
use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind as RowKind;
use purser_core::import::status::ImportStatus;
use purser_core::import::verdict::Counts;

use super::imports::record_kind;
use super::report::Findings;
use crate::driver::{Tx, Val, statements};
use crate::families::FamilyId;
use crate::imports::plan::{Block, add_counts};
use crate::imports::{BLOCK_ROWS, referred, view};
use crate::ledger::Filled;
use crate::ledger::records::kinds::{self, Kind};
use serde_json::Value;
use uuid::Uuid;

statements! {
    /// Every import with its plan and the version of its family.
    PLANS = "SELECT i.family_id, i.id, i.status, i.rows_count + i.left_out_count, i.created_count,
            i.plan, i.plan_version, f.version, i.import_type,
            COALESCE(i.layout LIKE '%_has_records_:true%', FALSE)
        FROM imports i JOIN families f ON f.id = i.family_id ORDER BY i.family_id, i.id";
    /// The verdicts of a plan.
    PLAN_BLOCKS = "SELECT block, verdicts, matches FROM import_plan_blocks
        WHERE family_id = $1 AND import_id = $2 ORDER BY block";
    /// Things that imports created, with those that the family has, and the import's status.
    CREATED = "SELECT c.import_id, c.kind, c.target_id, i.status,
            CASE c.kind
                WHEN 'account' THEN EXISTS (SELECT 1 FROM accounts a
                    WHERE a.family_id = c.family_id AND a.id = c.target_id)
                WHEN 'category' THEN EXISTS (SELECT 1 FROM categories k
                    WHERE k.family_id = c.family_id AND k.id = c.target_id)
                WHEN 'tag' THEN EXISTS (SELECT 1 FROM tags t
                    WHERE t.family_id = c.family_id AND t.id = c.target_id)
                ELSE 1 = 1 END,
            EXISTS (SELECT 1 FROM hidden_entries h
                WHERE h.family_id = c.family_id AND h.import_id = c.import_id)
        FROM import_created c
        JOIN imports i ON i.family_id = c.family_id AND i.id = c.import_id
        ORDER BY c.import_id, c.kind, c.target_id";
    /// Records that imports changed, whether they are there, and the import's status.
    CHANGES = "SELECT c.import_id, c.kind, c.target_id, i.status,
            CASE c.kind
                WHEN 'category' THEN EXISTS (SELECT 1 FROM categories k
                    WHERE k.family_id = c.family_id AND k.id = c.target_id)
                WHEN 'tag' THEN EXISTS (SELECT 1 FROM tags t
                    WHERE t.family_id = c.family_id AND t.id = c.target_id)
                ELSE 1 = 1 END
                OR c.after_image = 'null',
            EXISTS (SELECT 1 FROM hidden_entries h
                WHERE h.family_id = c.family_id AND h.import_id = c.import_id),
            c.before_image, c.after_image
        FROM import_changes c
        JOIN imports i ON i.family_id = c.family_id AND i.id = c.import_id
        ORDER BY c.import_id, c.kind, c.target_id";
    /// Fields that imports filled, and whether the entry is there or was deleted since.
    FILLS = "SELECT f.import_id, f.entry_id, f.filled, i.status,
            EXISTS (SELECT 1 FROM ledger_entries e
                WHERE e.family_id = f.family_id AND e.id = f.entry_id AND e.kind = 0)
            OR EXISTS (SELECT 1 FROM entry_origins o WHERE o.family_id = f.family_id
                AND o.entry_id = f.entry_id AND o.deleted_at IS NOT NULL)
        FROM import_fills f
        JOIN imports i ON i.family_id = f.family_id AND i.id = f.import_id
        ORDER BY f.import_id, f.entry_id";
}

/// An import with its plan.
struct Planned {
    family: FamilyId,
    id: ImportId,
    status: Option<ImportStatus>,
    rows: i64,
    created: i64,
    plan: Option<String>,
    is_of_now: bool,
    /// What its verdicts refer to, if that isn't entries.
    records: Option<RowKind>,
    /// It is a file in the server's own format.
    is_native: bool,
    /// Some of its rows become prices or budgets, and no entries.
    has_records: bool,
}

/// The verdicts in the blocks of a plan, counted.
#[derive(Default)]
struct Stored {
    counts: Counts,
    blocks: i64,
    rows: u64,
    problem: Option<String>,
    records: Vec<Uuid>,
}

/// Plans have a verdict on every row, count them right, and refer to entries that there are.
pub(super) fn plans(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    let imports = tx.query(&PLANS, &[], |row| {
        Ok(Planned {
            family: FamilyId::from_number(row.int(0)?),
            id: row.id(1)?,
            status: ImportStatus::parse(row.text(2)?),
            rows: row.int(3)?,
            created: row.int(4)?,
            plan: row.opt_string(5)?,
            is_of_now: row.opt_int(6)? == Some(row.int(7)?),
            records: record_kind(row.text(8)?),
            is_native: row.text(8)? == ImportType::Native.as_str(),
            has_records: row.bool(9)?,
        })
    })?;
    for import in imports {
        findings.count(1);
        if let Some(problem) = wrong(tx, &import)? {
            findings.problem(|| format!("import {} {problem}", import.id));
        }
    }
    Ok(())
}

fn wrong(tx: &mut Tx<'_>, import: &Planned) -> Result<Option<String>> {
    let stored = stored(tx, import)?;
    let is_complete = import.status == Some(ImportStatus::Complete);
    let Some(plan) = &import.plan else {
        return Ok(match (is_complete, stored.blocks) {
            (true, _) => Some("is complete, but has no plan".to_owned()),
            (false, 0) => None,
            (false, blocks) => Some(format!("has no plan, but {blocks} blocks of one")),
        });
    };
    let Ok(counts) = serde_json::from_str::<Counts>(plan) else {
        return Ok(Some("has a plan that can't be read".to_owned()));
    };
    if stored.problem.is_some() {
        return Ok(stored.problem);
    }
    if counts != stored.counts || Ok(stored.rows) != u64::try_from(import.rows) {
        let (all, rows) = (counts.all(), stored.rows);
        return Ok(Some(format!(
            "has {} rows, a plan of {all}, and verdicts on {rows}, or they count others",
            import.rows
        )));
    }
    if import.is_native {
        // Its rows become records of all kinds, and are compared with them at the publish.
        return Ok(None);
    }
    let created = u64::try_from(import.created);
    let is_less = import.has_records && created.is_ok_and(|created| created < counts.created());
    if is_complete && created != Ok(counts.created()) && !is_less {
        let (made, planned) = (import.created, counts.created());
        return Ok(Some(format!("made {made} entries, but its plan makes {planned}")));
    }
    let waits = matches!(import.status, Some(ImportStatus::Pending | ImportStatus::Failed));
    if waits && import.is_of_now {
        let known: HashSet<Uuid> = match import.records {
            None => {
                let entries: Vec<EntryId> = stored.records.iter().copied().map(EntryId).collect();
                let known = tx.of_family(import.family, |tx| referred(tx, &entries))?;
                known.into_keys().map(|entry| entry.0).collect()
            }
            Some(kind) => tx.of_family(import.family, |tx| view(tx, kind))?.ids(),
        };
        if let Some(gone) = stored.records.iter().find(|record| !known.contains(record)) {
            return Ok(Some(format!("has a plan that refers to {gone}, which isn't there")));
        }
    }
    Ok(None)
}

/// Reads the blocks of a plan.
fn stored(tx: &mut Tx<'_>, import: &Planned) -> Result<Stored> {
    let mut stored = Stored::default();
    let key = [Val::from(import.family), import.id.into()];
    tx.for_each(&PLAN_BLOCKS, &key, |row| {
        let (number, verdicts) = (row.int(0)?, row.bytes(1)?);
        let before = stored.rows;
        stored.rows += verdicts.len() as u64;
        let is_next =
            number == stored.blocks && before == BLOCK_ROWS * stored.blocks.unsigned_abs();
        stored.blocks += 1;
        let block = Block::read(verdicts, row.bytes(2)?);
        let Ok(block) = block.and_then(|block| {
            add_counts(&mut stored.counts, verdicts)?;
            Ok(block)
        }) else {
            stored.problem = Some(format!("has a plan whose block {number} can't be read"));
            return Ok(());
        };
        if !is_next {
            stored.problem = Some(format!("has a plan with a gap before block {number}"));
        }
        if !block.is_consistent() {
            stored.problem =
                Some(format!("has a plan whose block {number} refers to the wrong rows"));
        }
        stored.records.extend(block.records().map(|(record, _)| record));
        Ok(())
    })?;
    Ok(stored)
}

/// What imports created beside entries is there.
pub(super) fn created(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&CREATED, &[], |row| {
        let (import, kind): (ImportId, _) = (row.id(0)?, row.text(1)?);
        findings.count(1);
        if !row.bool(4)? {
            let id = row.uuid(2)?;
            findings.problem(|| {
                format!("import {import} created the {kind} {id}, which the family doesn't have")
            });
        } else if !is_published(row.text(3)?) && !row.bool(5)? {
            findings.problem(|| format!("import {import} is not published, but created a {kind}"));
        }
        Ok(())
    })
}

/// What imports changed of records that are no entries is there, with images that can be read.
pub(super) fn changes(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&CHANGES, &[], |row| {
        let (import, kind): (ImportId, _) = (row.id(0)?, row.text(1)?);
        findings.count(1);
        let (before, after) = (row.text(6)?, row.text(7)?);
        let is_known = kinds::find(kind)
            .is_some_and(|kind| [before, after].into_iter().all(|text| is_image(kind, text)));
        let id = row.uuid(2)?;
        if !row.bool(4)? {
            findings.problem(|| {
                format!("import {import} changed the {kind} {id}, which the family doesn't have")
            });
        } else if !is_published(row.text(3)?) && !row.bool(5)? {
            findings.problem(|| format!("import {import} is not published, but changed a {kind}"));
        } else if !is_known {
            findings.problem(|| {
                format!("import {import} changed the {kind} {id}, but it isn't known how")
            });
        }
        Ok(())
    })
}

/// Whether an image can be written again. Of what was created or removed one of the two is null.
fn is_image(kind: &dyn Kind, text: &str) -> bool {
    let image = serde_json::from_str::<Value>(text);
    image.is_ok_and(|image| image.is_null() || kind.title(&image).is_ok())
}

/// What imports filled is there, and can be taken back.
pub(super) fn fills(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&FILLS, &[], |row| {
        let (import, entry): (ImportId, EntryId) = (row.id(0)?, row.id(1)?);
        findings.count(1);
        let filled = serde_json::from_str::<Filled>(row.text(2)?);
        if !filled.is_ok_and(|filled| filled != Filled::default()) {
            findings.problem(|| {
                format!("import {import} filled entry {entry}, but it isn't known with what")
            });
        } else if !row.bool(4)? {
            findings.problem(|| format!("import {import} filled entry {entry}, which isn't there"));
        } else if !is_published(row.text(3)?) {
            findings.problem(|| format!("import {import} is not published, but filled an entry"));
        }
        Ok(())
    })
}

/// Whether an import of this status has changed the ledger.
fn is_published(status: &str) -> bool {
    use ImportStatus::{Complete, RevertFailed, Reverting};
    matches!(ImportStatus::parse(status), Some(Complete | Reverting | RevertFailed))
}
