//! Records that entries were made of or matched with: each hash is that of one entry.

use purser_core::error::Result;
use purser_core::ids::{EntryId, ImportId};

use super::report::Findings;
use crate::driver::{Tx, statements};

statements! {
    /// All records, a few thousand in a row.
    ENTRY_RECORDS = "SELECT import_id, first_id, last_id, hashes, entries FROM entry_records
        ORDER BY family_id, import_id, first_id";
}

const HASH_BYTES: usize = 8;
const ID_BYTES: usize = 16;

/// There are as many hashes as entries, from the first to the last one.
pub(super) fn fit(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&ENTRY_RECORDS, &[], |row| {
        let import: ImportId = row.id(0)?;
        let (first, last) = (row.uuid(1)?.as_u128(), row.uuid(2)?.as_u128());
        let hashes = row.bytes(3)?.len() / HASH_BYTES;
        findings.count(hashes as u64);
        let fits = match row.opt_bytes(4)? {
            None => last.checked_sub(first).is_some_and(|more| more + 1 == hashes as u128),
            Some(ids) => {
                let ends = [ids.first_chunk(), ids.last_chunk::<ID_BYTES>()];
                let ends = ends.map(|id| id.map(|id| u128::from_be_bytes(*id)));
                ids.len() == hashes * ID_BYTES && ends == [Some(first), Some(last)]
            }
        };
        if !fits {
            let first: EntryId = row.id(1)?;
            findings.problem(|| {
                format!("the records of import {import} from entry {first} on are not its entries'")
            });
        }
        Ok(())
    })
}
