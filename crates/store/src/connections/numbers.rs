//! How many connections of all families are in which state, for the numbers that a server keeps.

use purser_core::connection::condition::{CONSENT_WARNING, OVERDUE_AFTER};
use purser_core::error::{Error, Result};

use crate::driver::{Tx, statements, vals};

statements! {
    /// The connections of all families by state, the most urgent that is true of each.
    CONNECTIONS_BY_STATE = "SELECT CASE WHEN scheduled_for_deletion THEN 'deleting'
            WHEN status = 'requires_update' THEN 'requires_update'
            WHEN failures > 0 THEN 'failing'
            WHEN run_until IS NULL AND next_attempt_at < $1 THEN 'overdue'
            WHEN accounts_failed > 0 THEN 'partly_failing'
            WHEN accounts_incomplete > 0 THEN 'incomplete'
            WHEN consent_expires_at < $2 THEN 'consent_ending'
            ELSE 'good' END AS state, COUNT(*)
        FROM connections GROUP BY state";
}

/// Every state that is counted.
pub const STATES: [&str; 8] = [
    "deleting",
    "requires_update",
    "failing",
    "overdue",
    "partly_failing",
    "incomplete",
    "consent_ending",
    "good",
];

/// The number of connections in each state; those that none is in are there with 0.
pub fn by_state(tx: &mut Tx<'_>) -> Result<[(&'static str, u64); 8]> {
    let now = tx.now();
    let before = now.checked_sub(OVERDUE_AFTER).map_err(Error::internal)?;
    let until = now.checked_add(CONSENT_WARNING).map_err(Error::internal)?;
    let found = tx.query(&CONNECTIONS_BY_STATE, vals![before, until], |row| {
        Ok((row.string(0)?, row.count(1)?))
    })?;
    let count = |state: &str| found.iter().find(|(known, _)| known == state).map_or(0, |one| one.1);
    Ok(STATES.map(|state| (state, count(state))))
}
