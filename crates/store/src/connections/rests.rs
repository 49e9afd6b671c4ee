//! How long providers want to be left alone, whoever asks.

use std::time::Duration;

use jiff::Timestamp;
use purser_core::connection::schedule;
use purser_core::error::Result;
use purser_core::ids::ConnectionId;

use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// Until when the provider is left alone.
    CONNECTION_REST = "SELECT not_before FROM connections WHERE family_id = $1 AND id = $2";
    /// The provider wants to be left alone, whoever asks.
    CONNECTION_REST_PUT = "UPDATE connections SET not_before = $1,
            next_attempt_at = CASE WHEN next_attempt_at < $1 THEN $1 ELSE next_attempt_at END
        WHERE family_id = $2 AND id = $3 AND (not_before IS NULL OR not_before < $1
            OR not_before > $4)";
}

/// Until when the provider wants to be left alone, if that is ahead, and no further than any rest
/// may last.
pub fn rest_of(tx: &mut FamilyTx<'_>, connection: ConnectionId) -> Result<Option<Timestamp>> {
    let key = vals![tx.family(), connection];
    let until = tx.query_opt(&CONNECTION_REST, key, |row| row.opt_timestamp(0))?.flatten();
    Ok(schedule::rest_left(tx.now(), until))
}

/// Notes that the provider wants to be left alone, although no run has asked.
pub fn note_rest(tx: &mut FamilyTx<'_>, connection: ConnectionId, rest: Duration) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let (until, last) = (schedule::not_before(now, rest), schedule::last_rest(now));
    tx.execute(&CONNECTION_REST_PUT, vals![until, family, connection, last]).map(drop)
}
