//! Accounts and what their entries have in common.

use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};

use super::report::Findings;
use crate::driver::{Tx, statements};

statements! {
    /// How many accounts there are.
    ACCOUNTS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM accounts";
    /// How many valuations there are.
    VALUATIONS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries WHERE kind = 1";
    /// Accounts with counters that differ from their entries. The inner grouping starts with the
    /// kind, which no index has, so that the entries are read in the order in which they lie.
    COUNTERS_WRONG = "SELECT a.id, a.transactions_count, COALESCE(e.transactions, 0),
            a.valuations_count, COALESCE(e.valuations, 0)
        FROM accounts a
        LEFT JOIN (SELECT family_id, account_id,
                CAST(SUM(CASE WHEN kind IN (0, 3) THEN entries ELSE 0 END) AS BIGINT)
                    AS transactions,
                CAST(SUM(CASE WHEN kind = 1 THEN entries ELSE 0 END) AS BIGINT) AS valuations
            FROM (SELECT kind, account_id, family_id, COUNT(*) AS entries FROM ledger_entries
                WHERE NOT is_split GROUP BY kind, account_id, family_id) k
            GROUP BY family_id, account_id) e
            ON e.family_id = a.family_id AND e.account_id = a.id
        WHERE a.transactions_count <> COALESCE(e.transactions, 0)
            OR a.valuations_count <> COALESCE(e.valuations, 0)
        ORDER BY a.id";
    /// Days with several valuations.
    VALUATIONS_REPEATED = "SELECT account_id, date, CAST(COUNT(*) AS BIGINT) FROM ledger_entries
        WHERE kind = 1 GROUP BY family_id, account_id, date HAVING COUNT(*) > 1
        ORDER BY account_id, date";
    /// Accounts that start twice.
    ANCHORS_REPEATED = "SELECT account_id, CAST(COUNT(*) AS BIGINT) FROM ledger_entries
        WHERE kind = 1 AND valuation_kind = 'opening_anchor'
        GROUP BY family_id, account_id HAVING COUNT(*) > 1 ORDER BY account_id";
    /// Valuations without a kind of their own, and other entries with one.
    VALUATION_KINDS_WRONG = "SELECT id, kind FROM ledger_entries
        WHERE (kind = 1) <> (valuation_kind IS NOT NULL)";
}

/// The counters are the numbers of entries.
pub(super) fn counters(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &ACCOUNTS_COUNT)?;
    tx.for_each(&COUNTERS_WRONG, &[], |row| {
        let id: AccountId = row.id(0)?;
        let (transactions, found_transactions) = (row.int(1)?, row.int(2)?);
        let (valuations, found_valuations) = (row.int(3)?, row.int(4)?);
        findings.problem(|| {
            format!(
                "account {id} counts {transactions} transactions and {valuations} valuations, but \
                 has {found_transactions} and {found_valuations}"
            )
        });
        Ok(())
    })
}

/// A day has one value, an account one start.
pub(super) fn valuations(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &VALUATIONS_COUNT)?;
    tx.for_each(&VALUATIONS_REPEATED, &[], |row| {
        let (id, date, count): (AccountId, _, _) = (row.id(0)?, row.date(1)?, row.count(2)?);
        findings.problem(|| format!("account {id} has {count} valuations on {date}"));
        Ok(())
    })?;
    tx.for_each(&ANCHORS_REPEATED, &[], |row| {
        let (id, count): (AccountId, _) = (row.id(0)?, row.count(1)?);
        findings.problem(|| format!("account {id} has {count} opening anchors"));
        Ok(())
    })?;
    tx.for_each(&VALUATION_KINDS_WRONG, &[], |row| {
        let (id, kind): (EntryId, _) = (row.id(0)?, row.int(1)?);
        findings.problem(|| match kind {
            1 => format!("valuation {id} has no kind"),
            _ => format!("entry {id} has the kind of a valuation and is none"),
        });
        Ok(())
    })
}
