//! Origins of entries: kept for entries that persons or rules changed and for those that are gone.

use purser_core::error::Result;
use purser_core::ids::EntryId;

use super::report::Findings;
use crate::driver::{Tx, statements};

statements! {
    /// How many origins there are.
    ORIGINS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM entry_origins";
    /// Origins of entries that nobody changed, and tombstones of entries that are there.
    ORIGINS_WRONG = "SELECT o.entry_id, o.deleted_at IS NULL, e.id IS NULL FROM entry_origins o
        LEFT JOIN ledger_entries e ON e.family_id = o.family_id AND e.id = o.entry_id
        WHERE (o.deleted_at IS NULL AND (e.id IS NULL OR NOT e.has_origin)
                AND NOT EXISTS (SELECT 1 FROM hidden_entries h WHERE h.family_id = o.family_id
                    AND o.entry_id BETWEEN h.first_id AND h.last_id))
            OR (o.deleted_at IS NOT NULL AND e.id IS NOT NULL)
        ORDER BY o.entry_id";
    /// Transactions that were changed and have lost their origin.
    ORIGINS_MISSING = "SELECT e.id FROM ledger_entries e
        WHERE (e.has_origin OR e.changed_at IS NOT NULL AND e.kind = 0)
            AND NOT (e.has_origin AND EXISTS (SELECT 1 FROM entry_origins o
                WHERE o.family_id = e.family_id AND o.entry_id = e.id))
        ORDER BY e.id";
}

/// Changed entries have an origin, deleted ones a tombstone, others neither.
pub(super) fn kept(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &ORIGINS_COUNT)?;
    tx.for_each(&ORIGINS_WRONG, &[], |row| {
        let id: EntryId = row.id(0)?;
        let (is_living, is_gone) = (row.bool(1)?, row.bool(2)?);
        findings.problem(|| match (is_living, is_gone) {
            (true, true) => format!("entry {id} is gone, but its origin is no tombstone"),
            (true, false) => format!("entry {id} has an origin, but was never changed"),
            (false, _) => format!("entry {id} has a tombstone, but is there"),
        });
        Ok(())
    })?;
    tx.for_each(&ORIGINS_MISSING, &[], |row| {
        let id: EntryId = row.id(0)?;
        findings.problem(|| format!("entry {id} was changed, but has no origin"));
        Ok(())
    })
}
