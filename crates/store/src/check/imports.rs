//! Imports: what they count, what they made, and whether somebody works on them.

use std::collections::HashSet;

use purser_core::error::Result;
use purser_core::ids::{ImportId, JobId};
use purser_core::import::import_type::ImportType;
use purser_core::import::kinds::Kind;
use purser_core::import::status::ImportStatus;
use serde_json::Value;
use uuid::Uuid;

use super::report::Findings;
use super::templates;
use crate::driver::{Row, Tx, statements};

statements! {
    /// What each import counts, and the mappings that it has.
    IMPORTS_COUNTS = "SELECT i.id, i.rows_count, i.valid_rows_count, i.invalid_rows_count,
            i.mappings_count, i.unassigned_mappings_count, COALESCE(m.mappings, 0),
            COALESCE(m.unassigned, 0)
        FROM imports i
        LEFT JOIN (SELECT family_id, import_id, CAST(COUNT(*) AS BIGINT) AS mappings,
                CAST(SUM(CASE WHEN problem IS NULL THEN 0 ELSE 1 END) AS BIGINT) AS unassigned
            FROM import_mappings GROUP BY family_id, import_id) m
            ON m.family_id = i.family_id AND m.import_id = i.id
        ORDER BY i.family_id, i.id";
    /// How many mappings there are.
    MAPPINGS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM import_mappings";
    /// Mappings to what the family doesn't have.
    MAPPINGS_DANGLING = "SELECT m.import_id, m.kind, m.value FROM import_mappings m
        WHERE m.target_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM accounts a WHERE m.kind = 'account'
                AND a.family_id = m.family_id AND a.id = m.target_id)
            AND NOT EXISTS (SELECT 1 FROM categories c WHERE m.kind IN ('category', 'parent')
                AND c.family_id = m.family_id AND c.id = m.target_id)
            AND NOT EXISTS (SELECT 1 FROM tags t WHERE m.kind = 'tag'
                AND t.family_id = m.family_id AND t.id = m.target_id)
        ORDER BY m.import_id, m.kind, m.value_key";
    /// The number of entries that each import reports as created, and the number in its range of
    /// ids, deleted or not.
    IMPORTS_ENTRIES = "SELECT i.family_id, i.id, i.status, i.valid_rows_count, i.created_count,
            i.first_entry_id, i.last_entry_id, i.completed_at, i.import_type,
            i.gone_count + (SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries e
                JOIN accounts a ON a.family_id = e.family_id AND a.id = e.account_id
                    AND a.status <> 'pending_deletion'
                WHERE e.family_id = i.family_id AND e.id >= i.first_entry_id
                    AND e.id <= i.last_entry_id AND e.kind <> 3)
            + (SELECT CAST(COUNT(*) AS BIGINT) FROM entry_origins o
                WHERE o.family_id = i.family_id AND o.entry_id >= i.first_entry_id
                    AND o.entry_id <= i.last_entry_id AND o.deleted_at IS NOT NULL)
        FROM imports i ORDER BY i.family_id, i.first_entry_id, i.id";
    /// Hidden ranges of entries, with the import that should be in progress.
    HIDDEN = "SELECT h.import_id, h.action, i.status FROM hidden_entries h
        LEFT JOIN imports i ON i.family_id = h.family_id AND i.id = h.import_id
        ORDER BY h.family_id";
    /// Imports that somebody should be working on, or of which the publish is still to be queued.
    IMPORTS_RUNNING = "SELECT family_id, id, status FROM imports
        WHERE status IN ('importing', 'reverting') OR (status = 'pending' AND publish_wanted)
        ORDER BY family_id, id";
    /// Jobs that are not given up.
    JOBS_LIVE = "SELECT family_id, id, kind, payload FROM jobs WHERE state <> 'failed'
        ORDER BY family_id, id";
}

/// Valid and invalid rows are all rows, and the mappings are there.
pub(super) fn counts(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&IMPORTS_COUNTS, &[], |row| {
        let id: ImportId = row.id(0)?;
        let (rows, valid, invalid) = (row.int(1)?, row.int(2)?, row.int(3)?);
        let stored = (row.int(4)?, row.int(5)?);
        let found = (row.int(6)?, row.int(7)?);
        findings.count(1);
        if valid < 0 || invalid < 0 || i128::from(rows) != i128::from(valid) + i128::from(invalid) {
            findings.problem(|| {
                format!("import {id} counts {rows} rows, {valid} valid and {invalid} invalid")
            });
        }
        if stored != found {
            findings.problem(|| {
                format!(
                    "import {id} counts {} mappings, {} of them unassigned, but has {} and {}",
                    stored.0, stored.1, found.0, found.1
                )
            });
        }
        Ok(())
    })
}

/// What a name was mapped to exists, and so does what a template chooses for it.
pub(super) fn mappings(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &MAPPINGS_COUNT)?;
    tx.for_each(&MAPPINGS_DANGLING, &[], |row| {
        let (id, kind, value): (ImportId, _, _) = (row.id(0)?, row.text(1)?, row.text(2)?);
        findings.problem(|| {
            format!("import {id} maps the {kind} {value:?} to one that the family doesn't have")
        });
        Ok(())
    })?;
    templates::choices(tx, findings)
}

/// What imports of a type create and refer to, if that isn't entries.
pub(super) fn record_kind(import_type: &str) -> Option<Kind> {
    let kind = ImportType::parse(import_type).map(Kind::of);
    kind.filter(|kind| kind.spec().is_whole)
}

/// An import with the number of entries that it reports as created.
struct ImportSummary {
    family: i64,
    id: ImportId,
    status: Option<ImportStatus>,
    valid_rows: i64,
    created: i64,
    first: Option<Uuid>,
    last: Option<Uuid>,
    is_completed: bool,
    found: i64,
}

impl ImportSummary {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            family: row.int(0)?,
            id: row.id(1)?,
            status: ImportStatus::parse(row.text(2)?),
            valid_rows: row.int(3)?,
            created: row.int(4)?,
            first: row.opt_uuid(5)?,
            last: row.opt_uuid(6)?,
            is_completed: row.opt_int(7)?.is_some(),
            // What an import of another kind creates are no entries, and people may remove it.
            found: if record_kind(row.text(8)?).is_none() { row.int(9)? } else { row.int(4)? },
        })
    }

    fn wrong(&self) -> Option<String> {
        let Self { created, found, valid_rows, .. } = self;
        match (self.first, self.last) {
            (None, None) => {}
            (Some(first), Some(last)) if first <= last => {}
            _ => {
                return Some(
                    "has half a range of entries, or one that ends before it starts".into(),
                );
            }
        }
        // An undo that is cut up deletes first and forgets last.
        let is_undone =
            matches!(self.status, Some(ImportStatus::Reverting | ImportStatus::RevertFailed));
        if created != found && !(is_undone && found < created) {
            return Some(format!("made {created} entries, but {found} are there"));
        }
        match self.status {
            Some(ImportStatus::Complete) if created > valid_rows => {
                Some(format!("is complete with {created} entries of {valid_rows} valid rows"))
            }
            Some(ImportStatus::Complete) if !self.is_completed => {
                Some("is complete, but has no time of completion".into())
            }
            Some(ImportStatus::Pending | ImportStatus::Importing | ImportStatus::Failed)
                if *created > 0 || self.first.is_some() =>
            {
                Some(format!("is not complete, but has made {created} entries"))
            }
            _ => None,
        }
    }
}

/// Checks that entries are hidden only while their import is published or undone.
fn hidden(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&HIDDEN, &[], |row| {
        let (id, action): (ImportId, _) = (row.id(0)?, row.text(1)?);
        let status = row.opt_text(2)?.and_then(ImportStatus::parse);
        let wanted = match action {
            "publish" => Some(ImportStatus::Importing),
            "undo" => Some(ImportStatus::Reverting),
            _ => None,
        };
        if wanted.is_none() || status != wanted {
            let status = status.map_or("not there", ImportStatus::as_str);
            findings.problem(|| {
                format!("entries are hidden for the {action} of import {id}, which is {status}")
            });
        }
        Ok(())
    })
}

/// The ranges of ids hold what was made, and no two imports share any of it. Nothing is hidden that
/// isn't being worked on.
pub(super) fn entries(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    hidden(tx, findings)?;
    let mut furthest: Option<(i64, ImportId, Uuid)> = None;
    tx.for_each(&IMPORTS_ENTRIES, &[], |row| {
        let import = ImportSummary::read(row)?;
        findings.count(1);
        if let Some(wrong) = import.wrong() {
            findings.problem(|| format!("import {} {wrong}", import.id));
        }
        let (Some(first), Some(last)) = (import.first, import.last) else { return Ok(()) };
        let reaching =
            furthest.filter(|(family, _, end)| *family == import.family && *end >= first);
        if let Some((_, other, _)) = reaching {
            findings.problem(|| {
                format!("import {} and import {other} claim the same entries", import.id)
            });
        }
        if furthest.is_none_or(|(family, _, end)| family != import.family || end < last) {
            furthest = Some((import.family, import.id, last));
        }
        Ok(())
    })
}

/// Nobody waits for a job that isn't there, and no job works on an import that is at rest.
pub(super) fn jobs(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    let running =
        tx.query(&IMPORTS_RUNNING, &[], |row| Ok(((row.int(0)?, row.uuid(1)?), row.string(2)?)))?;
    let mut jobs: Vec<(i64, JobId, String, Uuid)> = Vec::new();
    tx.for_each(&JOBS_LIVE, &[], |row| {
        // Jobs of other kinds name no import.
        if let Some(import) = import_of(row.text(3)?) {
            jobs.push((row.int(0)?, row.id(1)?, row.string(2)?, import));
        }
        Ok(())
    })?;
    findings.count(running.len() as u64 + jobs.len() as u64);
    let worked_on: HashSet<(i64, Uuid)> =
        jobs.iter().map(|(family, _, _, import)| (*family, *import)).collect();
    for (key, status) in &running {
        if status != "pending" && !worked_on.contains(key) {
            findings.problem(|| format!("import {} is {status}, but has no job", key.1));
        }
    }
    let at_work: HashSet<(i64, Uuid)> = running.iter().map(|(key, _)| *key).collect();
    for (family, job, kind, import) in jobs {
        if !at_work.contains(&(family, import)) {
            findings.problem(|| {
                format!("job {job} ({kind}) is for import {import}, which doesn't wait for one")
            });
        }
    }
    Ok(())
}

/// The import that a job's payload names.
fn import_of(payload: &str) -> Option<Uuid> {
    serde_json::from_str::<Value>(payload).ok()?.get("import_id")?.as_str()?.parse().ok()
}
