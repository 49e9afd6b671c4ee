//! Transfers: both sides are there and cancel each other.

use purser_core::error::Result;
use purser_core::ids::{EntryId, TransferId};

use super::report::Findings;
use crate::driver::{Tx, statements};

statements! {
    /// How many transfers there are.
    TRANSFERS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM transfers";
    /// Transfers with a side that is no transaction of the family.
    TRANSFERS_DANGLING = "SELECT t.id, t.outflow_id, t.inflow_id, o.id FROM transfers t
        LEFT JOIN ledger_entries o
            ON o.family_id = t.family_id AND o.id = t.outflow_id AND o.kind = 0
        LEFT JOIN ledger_entries i
            ON i.family_id = t.family_id AND i.id = t.inflow_id AND i.kind = 0
        WHERE o.id IS NULL OR i.id IS NULL ORDER BY t.id";
    /// Transfers with sides that don't cancel, or are in one account. Each side is looked up: with
    /// a condition that null fails, PostgreSQL may join the entries of a family with each other
    /// first.
    TRANSFERS_WRONG = "SELECT t.id,
            CASE WHEN o.account_id = i.account_id THEN 1 ELSE 0 END
        FROM transfers t
        LEFT JOIN ledger_entries o ON o.family_id = t.family_id AND o.id = t.outflow_id
        LEFT JOIN ledger_entries i ON i.family_id = t.family_id AND i.id = t.inflow_id
        WHERE COALESCE(o.account_id = i.account_id OR o.amount <= 0 OR i.amount >= 0
            OR (o.amount <> -i.amount AND o.currency = i.currency)
            OR (o.currency <> i.currency AND t.made_by <> 'person'), FALSE)
        ORDER BY t.id";
    /// Transactions that are in several confirmed transfers, and proposed pairs that a person
    /// rejected.
    TRANSFERS_TWICE = "SELECT outflow_id, 'is in several confirmed transfers' FROM transfers
            WHERE status = 'confirmed' GROUP BY family_id, outflow_id HAVING COUNT(*) > 1
        UNION ALL SELECT inflow_id, 'is in several confirmed transfers' FROM transfers
            WHERE status = 'confirmed' GROUP BY family_id, inflow_id HAVING COUNT(*) > 1
        UNION ALL SELECT t.outflow_id, 'is in a transfer that a person rejected' FROM transfers t
            JOIN rejected_transfers r ON r.family_id = t.family_id
                AND r.outflow_id = t.outflow_id AND r.inflow_id = t.inflow_id";
}

/// Money that went out of one account came into another.
pub(super) fn cancel(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &TRANSFERS_COUNT)?;
    tx.for_each(&TRANSFERS_DANGLING, &[], |row| {
        let (id, outflow, inflow): (TransferId, EntryId, EntryId) =
            (row.id(0)?, row.id(1)?, row.id(2)?);
        let missing = if row.opt_uuid(3)?.is_none() { outflow } else { inflow };
        findings.problem(|| {
            format!("transfer {id} has the side {missing}, which is no transaction of its family")
        });
        Ok(())
    })?;
    tx.for_each(&TRANSFERS_WRONG, &[], |row| {
        let (id, in_one): (TransferId, bool) = (row.id(0)?, row.int(1)? == 1);
        findings.problem(|| {
            if in_one {
                format!("transfer {id} has both sides in one account")
            } else {
                format!("transfer {id} has sides that don't cancel")
            }
        });
        Ok(())
    })?;
    tx.for_each(&TRANSFERS_TWICE, &[], |row| {
        let (entry, what): (EntryId, _) = (row.id(0)?, row.text(1)?);
        findings.problem(|| format!("transaction {entry} {what}"));
        Ok(())
    })
}
