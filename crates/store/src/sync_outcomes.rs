//! What came of each step of a run, for each account that the connection found.

use purser_core::connection::outcome::StepOutcome;
use purser_core::error::Result;
use purser_core::ids::{FoundAccountId, SyncId};

use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// Stores what came of a step; a repeated one replaces it.
    OUTCOME_PUT = "INSERT INTO sync_outcomes (family_id, sync_id, found_account_id, step, failure,
            rows_read, rows_unreadable)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (family_id, sync_id, found_account_id, step) DO UPDATE
        SET failure = excluded.failure, rows_read = excluded.rows_read,
            rows_unreadable = excluded.rows_unreadable";
    /// What came of the steps of a run, with the names of the accounts.
    OUTCOMES_OF_SYNC = "SELECT o.found_account_id, o.step, o.failure, o.rows_read,
            o.rows_unreadable, a.name, a.account_id
        FROM sync_outcomes o LEFT JOIN connection_accounts a
            ON a.family_id = $1 AND a.id = o.found_account_id
        WHERE o.family_id = $1 AND o.sync_id = $2
        ORDER BY a.name, o.found_account_id, o.step";
    /// Removes what is known of the steps of a run.
    OUTCOMES_REMOVE = "DELETE FROM sync_outcomes WHERE family_id = $1 AND sync_id = $2";
}

/// What came of a step, with the name of the account, unless that is forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedOutcome {
    /// What came of the step.
    pub outcome: StepOutcome,
    /// The name of the account at the provider.
    pub account_name: Option<String>,
}

/// Stores what came of the steps of a run.
pub fn put(tx: &mut FamilyTx<'_>, sync: SyncId, outcomes: &[StepOutcome]) -> Result<()> {
    let family = tx.family();
    let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    for outcome in outcomes {
        let StepOutcome { account, step, failure, rows, unreadable } = outcome;
        let failure = failure.map(|failure| failure.as_str());
        let (rows, unreadable) = (count(*rows), count(*unreadable));
        let values = vals![family, sync, *account, step.as_str(), failure, rows, unreadable];
        tx.execute(&OUTCOME_PUT, values)?;
    }
    Ok(())
}

/// What came of the steps of a run, by account.
pub fn list(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<Vec<NamedOutcome>> {
    let family = tx.family();
    tx.query(&OUTCOMES_OF_SYNC, vals![family, sync], |row| {
        let account: FoundAccountId = row.id(0)?;
        let outcome = StepOutcome {
            account: account.0,
            step: row.named(1)?,
            failure: row.opt_named(2)?,
            rows: row.count(3)?,
            unreadable: row.count(4)?,
        };
        Ok(NamedOutcome { outcome, account_name: row.opt_string(5)? })
    })
}

/// Removes what is known of the steps of a run.
pub(crate) fn remove(tx: &mut FamilyTx<'_>, sync: SyncId) -> Result<()> {
    let family = tx.family();
    tx.execute(&OUTCOMES_REMOVE, vals![family, sync]).map(drop)
}
