//! Hashes of the records of files that entries were made of, or that rows were which stand for
//! them (`purser_core::import::transaction::duplicates::record`).
//!
//! They are kept beside the entries, a few thousand in a row of the table: nothing but an import
//! asks for them, and it goes through all of them once for each of its chunks. Eight bytes for each
//! entry that an import made, because the ids of those follow each other; twenty-four for one that
//! was there. They stay when the entry is changed or deleted, and go with it when its import is
//! undone.

use std::num::NonZeroU64;

use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, ImportId};
use purser_core::import::transaction::duplicates::CHUNK_ROWS;
use uuid::Uuid;

use super::Executor;
use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};

statements! {
    /// The records of the family's entries.
    RECORDS = "SELECT first_id, hashes, entries FROM entry_records WHERE family_id = $1";
    /// Adds records of a few thousand entries.
    RECORDS_INSERT = "INSERT INTO entry_records (family_id, import_id, first_id, last_id, hashes,
            entries)
        VALUES ($1, $2, $3, $4, $5, $6)";
    /// What an import that was undone knew of entries that it didn't make, and of those that it
    /// made and of which none is left.
    RECORDS_FORGET = "DELETE FROM entry_records
        WHERE family_id = $1 AND import_id = $2 AND (entries IS NOT NULL
            OR NOT EXISTS (SELECT 1 FROM entries e WHERE e.family_id = $1
                    AND e.id BETWEEN entry_records.first_id AND entry_records.last_id)
                AND NOT EXISTS (SELECT 1 FROM entry_origins o WHERE o.family_id = $1
                    AND o.entry_id BETWEEN entry_records.first_id AND entry_records.last_id))";
    /// What is left of an account that was removed, wherever its entries were made.
    RECORDS_FORGET_GONE = "DELETE FROM entry_records
        WHERE family_id = $1 AND entries IS NULL
            AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.family_id = $1
                AND e.id BETWEEN entry_records.first_id AND entry_records.last_id)
            AND NOT EXISTS (SELECT 1 FROM entry_origins o WHERE o.family_id = $1
                AND o.entry_id BETWEEN entry_records.first_id AND entry_records.last_id)";
}

/// Records in a row of the table.
const BLOCK_RECORDS: usize = 4096;
/// The bytes of a hash.
const HASH_BYTES: usize = 8;
/// The bytes of an id.
const ID_BYTES: usize = 16;

/// The records of a plan that are still to be written.
#[derive(Debug, Default)]
pub(super) struct RecordHashes {
    /// Entries that the plan makes; their ids follow each other.
    made: Vec<(EntryId, NonZeroU64)>,
    /// Entries that were there before.
    matched: Vec<(EntryId, NonZeroU64)>,
}

impl Executor {
    /// Notes the record of a file that an entry was made of. The plan must be that of an import.
    pub fn note_made(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        record: NonZeroU64,
    ) -> Result<()> {
        let made = &mut self.record_hashes.made;
        if made.last().is_some_and(|(last, _)| next(*last) != entry) || made.len() == BLOCK_RECORDS
        {
            self.write_made(tx)?;
        }
        self.record_hashes.made.push((entry, record));
        Ok(())
    }

    /// Notes a record of a file that stands for an entry that was there, or for one that a person
    /// deleted.
    pub fn note_matched(
        &mut self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        record: NonZeroU64,
    ) -> Result<()> {
        self.record_hashes.matched.push((entry, record));
        if self.record_hashes.matched.len() == CHUNK_ROWS { self.write_matched(tx) } else { Ok(()) }
    }

    /// Writes all that was noted.
    pub(super) fn write_records(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.write_made(tx)?;
        self.write_matched(tx)
    }

    /// Forgets the records of an import that was undone: all but those of entries that stayed, or
    /// that a person deleted.
    pub fn forget_records(&mut self, tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
        forget(tx, import)
    }

    fn write_made(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let made = std::mem::take(&mut self.record_hashes.made);
        if made.is_empty() { Ok(()) } else { self.write_block(tx, &made, None) }
    }

    fn write_matched(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let mut matched = std::mem::take(&mut self.record_hashes.matched);
        if matched.is_empty() {
            return Ok(());
        }
        let mut hashes: Vec<NonZeroU64> = matched.iter().map(|(_, record)| *record).collect();
        hashes.sort_unstable();
        let known = entries_of_records(tx, &mut |record| hashes.binary_search(&record).is_ok())?;
        matched.retain(|pair| known.binary_search(pair).is_err());
        matched.sort_unstable();
        for block in matched.chunks(BLOCK_RECORDS) {
            let ids: Vec<u8> = block.iter().flat_map(|(entry, _)| *entry.0.as_bytes()).collect();
            self.write_block(tx, block, Some(&ids))?;
        }
        Ok(())
    }

    fn write_block(
        &self,
        tx: &mut FamilyTx<'_>,
        block: &[(EntryId, NonZeroU64)],
        ids: Option<&[u8]>,
    ) -> Result<()> {
        let import = self.import.ok_or_else(|| Error::internal("records are those of imports"))?;
        let (Some((first, _)), Some((last, _))) = (block.first(), block.last()) else {
            return Ok(());
        };
        let hashes = block.iter().flat_map(|(_, record)| record.get().to_be_bytes());
        let hashes: Vec<u8> = hashes.collect();
        let values = [
            self.family.into(),
            import.into(),
            (*first).into(),
            (*last).into(),
            Val::Bytes(&hashes),
            ids.into(),
        ];
        tx.execute(&RECORDS_INSERT, &values).map(drop)
    }
}

/// The entries that were made of, or matched with, records that the caller wants, with those
/// records, sorted. Entries that are gone may be among them.
pub fn entries_of_records(
    tx: &mut FamilyTx<'_>,
    wants: &mut dyn FnMut(NonZeroU64) -> bool,
) -> Result<Vec<(EntryId, NonZeroU64)>> {
    let family = tx.family();
    let mut found = Vec::new();
    tx.for_each(&RECORDS, &[family.into()], |row| {
        read(row, &mut |entry, record| {
            if wants(record) {
                found.push((entry, record));
            }
        })
    })?;
    found.sort_unstable();
    Ok(found)
}

/// Passes on the records of a row of the table.
fn read(row: &Row<'_>, take: &mut dyn FnMut(EntryId, NonZeroU64)) -> Result<()> {
    let (first, ids) = (row.uuid(0)?.as_u128(), row.opt_bytes(2)?);
    for (at, hash) in row.bytes(1)?.chunks(HASH_BYTES).enumerate() {
        let entry = match ids {
            None => Some(Uuid::from_u128(first.saturating_add(at as u128))),
            Some(ids) => {
                let id = ids.get(at * ID_BYTES..(at + 1) * ID_BYTES);
                id.and_then(|id| Uuid::from_slice(id).ok())
            }
        };
        let record =
            hash.try_into().ok().and_then(|hash| NonZeroU64::new(u64::from_be_bytes(hash)));
        let (Some(entry), Some(record)) = (entry, record) else {
            return Err(Error::internal("records of entries are damaged"));
        };
        take(EntryId(entry), record);
    }
    Ok(())
}

/// Forgets what an import knew, see [`Executor::forget_records`].
pub(super) fn forget(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
    let family = tx.family();
    tx.execute(&RECORDS_FORGET, &[family.into(), import.into()]).map(drop)
}

/// Forgets the records of entries of which nothing is left.
pub(super) fn forget_gone(tx: &mut FamilyTx<'_>) -> Result<()> {
    let family = tx.family();
    tx.execute(&RECORDS_FORGET_GONE, &[family.into()]).map(drop)
}

fn next(entry: EntryId) -> EntryId {
    EntryId(Uuid::from_u128(entry.0.as_u128().saturating_add(1)))
}
