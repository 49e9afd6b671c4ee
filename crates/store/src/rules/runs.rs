//! Runs of rules: when, of which account, how many transactions matched and how many changed.
//!
//! A run on demand is `pending` until its job has seen all transactions, and keeps how far it is. A
//! run on import is written when the import is done.

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, ImportId, RuleId, RuleRunId};
pub use purser_core::rules::{Execution, RunStatus};

use super::Rule;
use crate::access::FamilyTx;
use crate::driver::{Filter, Query, Row, statements, vals};
use crate::families::FamilyId;

statements! {
    /// Inserts a new run.
    RUN_ADD = "INSERT INTO rule_runs (family_id, id, rule_id, rule_name, execution_type, import_id,
            status, matched_count, changed_count, executed_at, finished_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    /// The run with an id.
    RUN_BY_ID = "SELECT id, rule_id, rule_name, execution_type, import_id, status, matched_count,
            changed_count, error, last_entry_id, executed_at, finished_at
        FROM rule_runs WHERE family_id = $1 AND id = $2";
    /// Stores the progress of a run.
    RUN_PROGRESS = "UPDATE rule_runs SET matched_count = matched_count + $1,
            changed_count = changed_count + $2, last_entry_id = $3
        WHERE family_id = $4 AND id = $5 AND status = 'pending'";
    /// Stores the end of a run.
    RUN_END = "UPDATE rule_runs SET status = $1, error = $2, last_entry_id = NULL, finished_at = $3
        WHERE family_id = $4 AND id = $5 AND status = 'pending'";
}

const SELECT: &str = "SELECT id, rule_id, rule_name, execution_type, import_id, status,
        matched_count, changed_count, error, last_entry_id, executed_at, finished_at
    FROM rule_runs";
const SELECT_COUNT: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM rule_runs";
const NEWEST_FIRST: &str = "ORDER BY executed_at DESC, id DESC LIMIT ? OFFSET ?";

/// A run of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleRun {
    /// The id of the run.
    pub id: RuleRunId,
    /// The rule, which may be gone.
    pub rule: RuleId,
    /// The name that the rule had.
    pub rule_name: Option<String>,
    /// Why the rule was run.
    pub execution: Execution,
    /// The import, if it ran on one; it may be gone.
    pub import: Option<ImportId>,
    /// The status at present.
    pub status: RunStatus,
    /// Transactions that met its conditions.
    pub matched: u64,
    /// Those of them that it changed.
    pub changed: u64,
    /// Why it failed, as a sentence.
    pub error: Option<String>,
    /// The last entry that was evaluated.
    pub last_entry: Option<EntryId>,
    /// When it was asked for, or the import was published.
    pub executed_at: Timestamp,
    /// The time at which it ended.
    pub finished_at: Option<Timestamp>,
}

/// Which runs are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Listing {
    /// Only of this rule.
    pub rule: Option<RuleId>,
    /// Only of this status.
    pub status: Option<RunStatus>,
    /// Only for this reason.
    pub execution: Option<Execution>,
    /// From this time on.
    pub from: Option<Timestamp>,
    /// Up to this time.
    pub to: Option<Timestamp>,
}

/// A page of runs, newest first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<RuleRun>, u64)> {
    let family = tx.family();
    let filter = filter(family, listing);
    let total = tx.query_one(&filter.query(SELECT_COUNT, "", []), &[], |row| row.count(0))?;
    let page = filter.query(SELECT, NEWEST_FIRST, [limit.into(), offset.into()]);
    Ok((tx.query(&page, &[], read)?, total))
}

fn filter<'a>(family: FamilyId, listing: Listing) -> Filter<'a> {
    Filter::of_family("family_id = ?", family)
        .and_opt("rule_id = ?", listing.rule)
        .and_opt("status = ?", listing.status.map(RunStatus::as_str))
        .and_opt("execution_type = ?", listing.execution.map(Execution::as_str))
        .and_opt("executed_at >= ?", listing.from)
        .and_opt("executed_at <= ?", listing.to)
}

/// The widest queries of this module, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let listing = Listing {
        rule: Some(RuleId(uuid::Uuid::nil())),
        status: Some(RunStatus::Pending),
        execution: Some(Execution::Manual),
        from: Some(Timestamp::UNIX_EPOCH),
        to: Some(Timestamp::UNIX_EPOCH),
    };
    let filter = filter(FamilyId::from_number(1), listing);
    vec![
        filter.query(SELECT_COUNT, "", []),
        filter.query(SELECT, NEWEST_FIRST, [1_i64.into(), 0_i64.into()]),
    ]
}

/// The run with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: RuleRunId) -> Result<RuleRun> {
    let family = tx.family();
    tx.query_opt(&RUN_BY_ID, vals![family, id], read)?.ok_or(Error::NotFound { what: "Rule run" })
}

/// Begins a run that a person requested.
pub fn begin(tx: &mut FamilyTx<'_>, rule: &Rule) -> Result<RuleRun> {
    let id = add(tx, rule, None, (RunStatus::Pending, 0, 0))?;
    get(tx, id)
}

/// Writes down what a rule did on an import.
pub fn record_import(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    rule: &Rule,
    (matched, changed): (u64, u64),
) -> Result<()> {
    add(tx, rule, Some(import), (RunStatus::Success, matched, changed)).map(drop)
}

fn add(
    tx: &mut FamilyTx<'_>,
    rule: &Rule,
    import: Option<ImportId>,
    (status, matched, changed): (RunStatus, u64, u64),
) -> Result<RuleRunId> {
    let family = tx.family();
    let (id, now) = (RuleRunId(tx.new_id()?), tx.now());
    let execution = if import.is_some() { Execution::Import } else { Execution::Manual };
    let finished = (status != RunStatus::Pending).then_some(now);
    let row = vals![
        family,
        id,
        rule.id,
        rule.name.as_deref(),
        execution.as_str(),
        import,
        status.as_str(),
        count(matched),
        count(changed),
        now,
        finished
    ];
    tx.execute(&RUN_ADD, row)?;
    Ok(id)
}

/// Notes how far a run is.
pub(super) fn progress(
    tx: &mut FamilyTx<'_>,
    id: RuleRunId,
    (matched, changed): (u64, u64),
    last: Option<EntryId>,
) -> Result<()> {
    let family = tx.family();
    let values = vals![count(matched), count(changed), last, family, id];
    tx.execute(&RUN_PROGRESS, values).map(drop)
}

/// Ends a run, with a sentence if it failed.
pub fn end(tx: &mut FamilyTx<'_>, id: RuleRunId, failure: Option<&str>) -> Result<()> {
    let family = tx.family();
    let status = if failure.is_some() { RunStatus::Failed } else { RunStatus::Success };
    let now = tx.now();
    tx.execute(&RUN_END, vals![status.as_str(), failure, now, family, id]).map(drop)
}

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn read(row: &Row<'_>) -> Result<RuleRun> {
    Ok(RuleRun {
        id: row.id(0)?,
        rule: row.id(1)?,
        rule_name: row.opt_string(2)?,
        execution: row.named(3)?,
        import: row.opt_id(4)?,
        status: row.named(5)?,
        matched: row.count(6)?,
        changed: row.count(7)?,
        error: row.opt_string(8)?,
        last_entry: row.opt_id(9)?,
        executed_at: row.timestamp(10)?,
        finished_at: row.opt_timestamp(11)?,
    })
}
