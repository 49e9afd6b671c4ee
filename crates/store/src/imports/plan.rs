//! The plan of an import, as it is stored: a byte per row, and the ids of what rows refer to:
//! entries, or records of the import's kind.
//!
//! Rows lie in blocks of 4096, so that a page needs one or two of them and a publish reads one
//! after the other. A block's matches are sorted by row: two bytes for the row in the block, big
//! endian, and the sixteen of the entry's id. A plan remembers the family's version at which it was
//! made: whatever moved it since may have changed what the plan would be.

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::planned_flow::PlannedFlow;
use purser_core::import::verdict::{Counts, Verdict};
use uuid::Uuid;

use super::count;
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Val, statements};

statements! {
    /// The counts of a plan, if nobody changed the import since it was read, or was faster with a
    /// newer plan.
    PLAN_SET = "UPDATE imports SET plan = $1, plan_version = $2, plan_flows = $3
        WHERE family_id = $4 AND id = $5 AND updated_at = $6
            AND (plan_version IS NULL OR plan_version <= $2)";
    /// Removes the plan from an import.
    PLAN_UNSET = "UPDATE imports SET plan = NULL, plan_version = NULL, plan_flows = NULL
        WHERE family_id = $1 AND id = $2";
    /// The blocks of a plan that another replaces.
    BLOCKS_DELETE = "DELETE FROM import_plan_blocks WHERE family_id = $1 AND import_id = $2";
    /// Some blocks, in order.
    BLOCKS = "SELECT block, verdicts, matches FROM import_plan_blocks
        WHERE family_id = $1 AND import_id = $2 AND block >= $3 AND block <= $4 ORDER BY block";
    /// The verdicts of every block, in order.
    VERDICTS = "SELECT verdicts FROM import_plan_blocks
        WHERE family_id = $1 AND import_id = $2 ORDER BY block";
}

pub(crate) static BLOCKS_BULK: Bulk = Bulk {
    table: "import_plan_blocks",
    columns: &[
        ("family_id", ColumnType::Int),
        ("import_id", ColumnType::Uuid),
        ("block", ColumnType::Int),
        ("verdicts", ColumnType::Bytes),
        ("matches", ColumnType::Bytes),
    ],
};

/// Rows of a block.
pub const BLOCK_ROWS: u64 = 4096;

const ROW_BYTES: usize = 2;
const MATCH_BYTES: usize = ROW_BYTES + 16;

/// What is to become of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// The verdict on the row.
    pub verdict: Verdict,
    /// The entry that it refers to, living or deleted, or the record of another kind.
    pub record: Option<Uuid>,
}

/// What is to become of 4096 rows, or of the last ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    verdicts: Vec<u8>,
    matches: Vec<u8>,
}

impl Block {
    /// Reads a block as it is stored. The last block is shorter than the others.
    pub(crate) fn read(verdicts: &[u8], matches: &[u8]) -> Result<Self> {
        let in_order = matches.chunks(MATCH_BYTES).map(row_of).is_sorted_by(|one, next| one < next);
        if !matches.len().is_multiple_of(MATCH_BYTES) || !in_order {
            return Err(Error::internal("the matches of a plan are damaged"));
        }
        Ok(Self { verdicts: verdicts.to_vec(), matches: matches.to_vec() })
    }

    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.verdicts.len() as u64
    }

    /// What is to become of a row, counted from 0 in the block.
    pub fn get(&self, row: u64) -> Result<Planned> {
        let index = usize::try_from(row).map_err(Error::internal)?;
        let code = self.verdicts.get(index).copied();
        let verdict = code.and_then(Verdict::from_code).ok_or_else(|| {
            Error::internal(format!("a plan has no verdict on its row {row}, or an unknown one"))
        })?;
        Ok(Planned { verdict, record: if verdict.refers() { self.record(row) } else { None } })
    }

    /// What rows refer to, and what they are to do with it.
    pub fn records(&self) -> impl Iterator<Item = (Uuid, Verdict)> {
        self.matches.chunks_exact(MATCH_BYTES).filter_map(|one| {
            let code = self.verdicts.get(usize::from(row_of(one)))?;
            Some((record_of(one)?, Verdict::from_code(*code)?))
        })
    }

    /// Whether the verdicts that refer to an entry have one, and no others do; a price may lack it.
    pub(crate) fn is_consistent(&self) -> bool {
        let must = |one: &Verdict| one.refers() && *one != Verdict::MatchedByName;
        let known = self.verdicts.iter().filter_map(|code| Verdict::from_code(*code));
        self.records().filter(|(_, one)| one.refers()).count() == self.matches.len() / MATCH_BYTES
            && self.records().filter(|(_, one)| must(one)).count() == known.filter(must).count()
    }

    fn record(&self, row: u64) -> Option<Uuid> {
        let at = self.position(row).ok()?;
        record_of(self.matches.chunks_exact(MATCH_BYTES).nth(at)?)
    }

    /// Which match is the row's, or would be.
    fn position(&self, row: u64) -> std::result::Result<usize, usize> {
        let (mut low, mut high) = (0, self.matches.len() / MATCH_BYTES);
        while low < high {
            let middle = low + (high - low) / 2;
            let at = self.matches.get(middle * MATCH_BYTES..).map_or(u64::MAX, |rest| {
                rest.get(..MATCH_BYTES).map_or(u64::MAX, |one| row_of(one).into())
            });
            match at.cmp(&row) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Ok(middle),
            }
        }
        Err(low)
    }

    fn set(&mut self, row: u64, planned: Planned) -> Result<()> {
        let missing = || Error::internal(format!("a plan has no row {row}"));
        let index = usize::try_from(row).map_err(Error::internal)?;
        *self.verdicts.get_mut(index).ok_or_else(missing)? = planned.verdict.code();
        let replaced = match self.position(row) {
            Ok(at) => at * MATCH_BYTES..(at + 1) * MATCH_BYTES,
            Err(at) => at * MATCH_BYTES..at * MATCH_BYTES,
        };
        let key = u16::try_from(row).map_err(Error::internal)?.to_be_bytes();
        let id = planned.record.map(|record| *record.as_bytes());
        let bytes = id.iter().flat_map(|id| key.iter().chain(id).copied());
        self.matches.splice(replaced, bytes);
        Ok(())
    }
}

/// The row in the block that a match belongs to.
fn row_of(one: &[u8]) -> u16 {
    one.first_chunk::<ROW_BYTES>().map_or(0, |bytes| u16::from_be_bytes(*bytes))
}

fn record_of(one: &[u8]) -> Option<Uuid> {
    let (_, id) = one.split_first_chunk::<ROW_BYTES>()?;
    Some(Uuid::from_bytes(*id.first_chunk::<16>()?))
}

/// Verdicts in consecutive blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks {
    /// The number of the first block.
    first: u64,
    blocks: Vec<Block>,
}

impl Blocks {
    /// What is to become of a row, counted from 1 over the file; an error if it isn't here.
    pub fn get(&self, row: u64) -> Result<Planned> {
        let missing = || Error::internal(format!("the plan has no row {row}"));
        let index = row.checked_sub(1).ok_or_else(missing)?;
        self.block(index / BLOCK_ROWS)?.get(index % BLOCK_ROWS)
    }

    /// The block with a number; an error if it isn't here.
    pub fn block(&self, number: u64) -> Result<&Block> {
        let at = number.checked_sub(self.first).and_then(|at| usize::try_from(at).ok());
        let block = at.and_then(|at| self.blocks.get(at));
        block.ok_or_else(|| Error::internal(format!("the plan has no block {number}")))
    }
}

/// A plan that is made, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    version: i64,
    blocks: Blocks,
    flows: Option<Vec<PlannedFlow>>,
}

impl Plan {
    /// A plan without rows, for a ledger of this version.
    pub fn new(version: i64) -> Self {
        Self { version, blocks: Blocks::default(), flows: None }
    }

    /// The version of the family that it was made at.
    pub fn version(&self) -> i64 {
        self.version
    }

    /// Adds the verdict on the next row.
    pub fn push(&mut self, verdict: Verdict) {
        let blocks = &mut self.blocks.blocks;
        let last = blocks.pop_if(|block| block.rows() < BLOCK_ROWS).unwrap_or_default();
        blocks.push(last);
        if let Some(last) = blocks.last_mut() {
            last.verdicts.push(verdict.code());
        }
    }

    /// Changes the verdict on a row, counted from 1. Quick if rows come in order.
    pub fn set(&mut self, row: u64, planned: Planned) -> Result<()> {
        let missing = || Error::internal(format!("the plan has no row {row}"));
        let index = row.checked_sub(1).ok_or_else(missing)?;
        let block = usize::try_from(index / BLOCK_ROWS).map_err(Error::internal)?;
        let block = self.blocks.blocks.get_mut(block).ok_or_else(missing)?;
        block.set(index % BLOCK_ROWS, planned)
    }

    /// Keeps what the rows that it adds come to in accounts that exist.
    pub fn with_flows(mut self, flows: Option<Vec<PlannedFlow>>) -> Self {
        self.flows = flows;
        self
    }

    /// What the rows that it adds come to in accounts that exist, if that is known.
    pub fn flows(&self) -> Option<&[PlannedFlow]> {
        self.flows.as_deref()
    }

    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.blocks.blocks.iter().map(Block::rows).sum()
    }

    /// How many rows have each verdict.
    pub fn counts(&self) -> Result<Counts> {
        let mut counts = Counts::default();
        for block in &self.blocks.blocks {
            add_counts(&mut counts, &block.verdicts)?;
        }
        Ok(counts)
    }

    /// The verdicts of all rows.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The first rows with one of these verdicts, counted from 1.
    pub fn rows_with(&self, wanted: &[Verdict], offset: u64, limit: u64) -> Vec<u64> {
        let mut search = Search::new(wanted, offset, limit);
        self.blocks.blocks.iter().for_each(|block| search.visit(&block.verdicts));
        search.found
    }
}

pub(crate) fn add_counts(counts: &mut Counts, verdicts: &[u8]) -> Result<()> {
    for code in verdicts {
        let verdict = Verdict::from_code(*code);
        counts.add(verdict.ok_or_else(|| Error::internal("a plan has an unknown verdict"))?);
    }
    Ok(())
}

/// Looks for rows with certain verdicts.
struct Search<'w> {
    wanted: &'w [Verdict],
    skip: u64,
    limit: u64,
    row: u64,
    found: Vec<u64>,
}

impl<'w> Search<'w> {
    fn new(wanted: &'w [Verdict], offset: u64, limit: u64) -> Self {
        Self { wanted, skip: offset, limit, row: 0, found: Vec::new() }
    }

    /// Goes through the next verdicts.
    fn visit(&mut self, verdicts: &[u8]) {
        for code in verdicts {
            self.row += 1;
            if !self.wanted.iter().any(|verdict| verdict.code() == *code) {
                continue;
            }
            if self.skip > 0 {
                self.skip -= 1;
            } else if (self.found.len() as u64) < self.limit {
                self.found.push(self.row);
            }
        }
    }
}

/// Stores the plan of an import in place of the one before. False, and nothing is stored, when the
/// import was changed since `updated_at`: the plan is of what it was.
pub fn plan_store(
    tx: &mut FamilyTx<'_>,
    id: ImportId,
    plan: &Plan,
    updated_at: Timestamp,
) -> Result<bool> {
    let family = tx.family();
    let counts = serde_json::to_string(&plan.counts()?).map_err(Error::internal)?;
    let flows = plan.flows.as_ref().map(serde_json::to_string).transpose();
    let flows = flows.map_err(Error::internal)?;
    let set = [
        Val::Text(&counts),
        Val::Int(plan.version),
        flows.as_deref().into(),
        family.into(),
        id.into(),
        updated_at.into(),
    ];
    if tx.execute(&PLAN_SET, &set)? == 0 {
        return Ok(false);
    }
    tx.execute(&BLOCKS_DELETE, &[family.into(), id.into()])?;
    let mut inserter = Inserter::new(&BLOCKS_BULK);
    for (number, block) in (0..).zip(&plan.blocks.blocks) {
        let row = [
            family.into(),
            id.into(),
            Val::Int(number),
            Val::Bytes(&block.verdicts),
            Val::Bytes(&block.matches),
        ];
        inserter.push(tx, &row)?;
    }
    inserter.flush(tx)?;
    Ok(true)
}

/// Takes the plan of an import away: it has to be made anew.
pub fn plan_remove(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<()> {
    let family = tx.family();
    tx.execute(&PLAN_UNSET, &[family.into(), id.into()])?;
    tx.execute(&BLOCKS_DELETE, &[family.into(), id.into()])?;
    Ok(())
}

/// The blocks in which `rows` rows from the row `first` (counted from 1) on lie.
pub fn plan_blocks(tx: &mut FamilyTx<'_>, id: ImportId, first: u64, rows: u64) -> Result<Blocks> {
    let family = tx.family();
    let from = first.saturating_sub(1) / BLOCK_ROWS;
    let to = first.saturating_sub(1).saturating_add(rows.saturating_sub(1)) / BLOCK_ROWS;
    let key = [family.into(), id.into(), count(from), count(to)];
    let mut blocks = Vec::new();
    tx.for_each(&BLOCKS, &key, |row| {
        if row.count(0)? != from + blocks.len() as u64 {
            return Err(Error::internal(format!("a block of the plan of import {id} is missing")));
        }
        blocks.push(Block::read(row.bytes(1)?, row.bytes(2)?)?);
        Ok(())
    })?;
    Ok(Blocks { first: from, blocks })
}

/// The block with a number; every row that a publish reads has one.
pub fn plan_block(tx: &mut FamilyTx<'_>, id: ImportId, number: u64) -> Result<Block> {
    let family = tx.family();
    let key = [family.into(), id.into(), count(number), count(number)];
    tx.query_opt(&BLOCKS, &key, |row| Block::read(row.bytes(1)?, row.bytes(2)?))?
        .ok_or_else(|| Error::internal(format!("the plan of import {id} has no block {number}")))
}

/// A page of the rows with one of these verdicts, counted from 1, without reading anything else of
/// the plan.
pub fn plan_rows_with(
    tx: &mut FamilyTx<'_>,
    id: ImportId,
    wanted: &[Verdict],
    offset: u64,
    limit: u64,
) -> Result<Vec<u64>> {
    let family = tx.family();
    let mut search = Search::new(wanted, offset, limit);
    tx.for_each(&VERDICTS, &[family.into(), id.into()], |row| {
        search.visit(row.bytes(0)?);
        Ok(())
    })?;
    Ok(search.found)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
