//! Other imports with rows that were matched with transactions that an undo removes.
//!
//! A row that was matched created nothing: when its transaction is removed with the import that
//! created it, the other import doesn't bring it back. Plans are kept after the publish and name
//! the transactions that rows were matched with, so plans are searched, those of later publishes
//! first to last. The search has a limit; beyond it the counts are only lower bounds, and are
//! marked as such.

use std::collections::HashSet;

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, ImportId};
use purser_core::import::status::ImportStatus;
use purser_core::import::verdict::Counts;
use uuid::Uuid;

use super::super::Import;
use super::super::labels::file_names;
use super::super::plan::Block;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::ledger::Range;

statements! {
    /// Imports that were published after another one: a publish moves the family's version.
    PUBLISHED_LATER = "SELECT id, account_id, plan FROM imports
        WHERE family_id = $1 AND id <> $2 AND status IN ($3, $4) AND plan IS NOT NULL
            AND plan_version > $5
        ORDER BY plan_version, id LIMIT $6";
    /// What rows of an import were matched with.
    BLOCKS_MATCHED = "SELECT verdicts, matches FROM import_plan_blocks
        WHERE family_id = $1 AND import_id = $2 AND LENGTH(matches) > 0
        ORDER BY block LIMIT $3";
    /// Which of some transactions are there and as they came.
    ENTRIES_GOING = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND changed_at IS NULL AND id = ANY($2)";
}

/// The limits of the search.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// The limit of imports.
    imports: usize,
    /// Blocks of plans, of 4096 rows each.
    blocks: usize,
    /// The limit of matched rows.
    rows: usize,
}

const LIMITS: Limits = Limits { imports: 1_000, blocks: 256, rows: 65_536 };
/// Imports that are named.
const NAMED_MAX: usize = 5;

/// The other imports with rows that were matched with transactions that an undo removes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherImports {
    /// The number of removed transactions that rows of other imports were matched with.
    pub entries: u64,
    /// The number of imports with such rows.
    pub imports: u64,
    /// Whether everything was searched; otherwise both numbers are lower bounds.
    pub is_exact: bool,
    /// The first of these imports.
    pub named: Vec<OtherImport>,
}

/// An import with rows that were matched with removed transactions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherImport {
    /// The id of the import.
    pub id: ImportId,
    /// The name of its file, if it has one.
    pub name: Option<String>,
    /// The number of these transactions; a lower bound if not everything was searched.
    pub entries: u64,
}

/// Finds the other imports with rows that were matched with transactions that an undo of `import`
/// would remove now. Only imports into visible accounts are searched.
pub fn others(tx: &mut FamilyTx<'_>, import: &Import) -> Result<OtherImports> {
    search(tx, import, LIMITS)
}

fn search(tx: &mut FamilyTx<'_>, import: &Import, limits: Limits) -> Result<OtherImports> {
    let Some(range) = import.range else {
        return Ok(OtherImports { is_exact: true, ..OtherImports::default() });
    };
    let mut later = later(tx, import, limits)?;
    let mut is_exact = later.len() <= limits.imports;
    later.truncate(limits.imports);
    let visible = tx.accounts();
    later.retain(|one| visible.covers(one.account));
    let mut search = Search { range, limits, blocks: 0, rows: Vec::new() };
    for (number, one) in later.iter().enumerate().filter(|(_, one)| one.matched > 0) {
        if !search.import(tx, number, one.id)? {
            is_exact = false;
            break;
        }
    }
    let going = going(tx, &search.rows)?;
    search.rows.retain(|(_, entry)| going.contains(entry));
    let mut found =
        OtherImports { entries: going.len() as u64, is_exact, ..OtherImports::default() };
    for rows in search.rows.chunk_by(|one, next| one.0 == next.0) {
        found.imports += 1;
        let Some(one) = rows.first().and_then(|(number, _)| later.get(*number)) else { continue };
        if found.named.len() < NAMED_MAX {
            let entries = rows.len() as u64;
            found.named.push(OtherImport { id: one.id, name: None, entries });
        }
    }
    let ids: Vec<ImportId> = found.named.iter().map(|one| one.id).collect();
    let mut names = file_names(tx, &ids)?;
    for one in &mut found.named {
        one.name = names.remove(&one.id);
    }
    Ok(found)
}

/// An import that was published later.
struct Later {
    id: ImportId,
    account: Option<AccountId>,
    /// The number of rows that were matched with transactions.
    matched: u64,
}

/// One more than the limit shows that there are more.
fn later(tx: &mut FamilyTx<'_>, import: &Import, limits: Limits) -> Result<Vec<Later>> {
    let family = tx.family();
    let key = [
        family.into(),
        import.id.into(),
        Val::Text(ImportStatus::Complete.as_str()),
        Val::Text(ImportStatus::RevertFailed.as_str()),
        Val::Int(import.plan_version.unwrap_or_default()),
        one_more(limits.imports),
    ];
    tx.query(&PUBLISHED_LATER, &key, |row| {
        let plan: Counts = serde_json::from_str(row.text(2)?).map_err(Error::internal)?;
        let account = row.opt_uuid(1)?.map(AccountId);
        Ok(Later { id: row.id(0)?, account, matched: plan.matched() })
    })
}

/// Collects the rows that stand for transactions of a range.
struct Search {
    range: Range,
    limits: Limits,
    blocks: usize,
    /// The matched rows: the number of the import, and the transaction.
    rows: Vec<(usize, EntryId)>,
}

impl Search {
    /// Looks at the plan of an import; false when that is more than is allowed.
    fn import(&mut self, tx: &mut FamilyTx<'_>, number: usize, id: ImportId) -> Result<bool> {
        let family = tx.family();
        let (first, last) = self.range;
        let mut is_whole = true;
        let left = one_more(self.limits.blocks.saturating_sub(self.blocks));
        tx.for_each(&BLOCKS_MATCHED, &[family.into(), id.into(), left], |row| {
            self.blocks += 1;
            is_whole &= self.blocks <= self.limits.blocks;
            if !is_whole {
                return Ok(());
            }
            let block = Block::read(row.bytes(0)?, row.bytes(1)?)?;
            for (entry, verdict) in block.records().map(|(id, verdict)| (EntryId(id), verdict)) {
                if !verdict.matches() || entry < first || entry > last {
                    continue;
                }
                is_whole &= self.rows.len() < self.limits.rows;
                if is_whole {
                    self.rows.push((number, entry));
                }
            }
            Ok(())
        })?;
        Ok(is_whole)
    }
}

/// Those of the transactions that an undo removes: they were neither changed nor deleted since.
fn going(tx: &mut FamilyTx<'_>, rows: &[(usize, EntryId)]) -> Result<HashSet<EntryId>> {
    let family = tx.family();
    let entries: HashSet<Uuid> = rows.iter().map(|(_, entry)| entry.0).collect();
    let keys: Vec<Val<'_>> = entries.into_iter().map(Val::Uuid).collect();
    let mut going = HashSet::with_capacity(keys.len());
    tx.lookup(&ENTRIES_GOING, &[family.into()], &keys, |row| {
        going.insert(row.id(0)?);
        Ok(())
    })?;
    Ok(going)
}

fn one_more(count: usize) -> Val<'static> {
    super::super::count(count as u64 + 1)
}

#[cfg(test)]
mod tests;
