//! What webhooks are sent about runs.

use purser_core::connection::condition::CONSENT_WARNING;
use purser_core::connection::outcome::RunResult;
use purser_core::error::{Error, Result};
use purser_core::ids::{ConnectionId, SyncId};
use purser_core::webhook::WebhookEvent;
use serde_json::json;

use super::runs::ClaimedRun;
use crate::access::FamilyTx;
use crate::webhooks::deliveries;

/// Writes for webhooks what came of a run.
pub(super) fn raise_events(
    tx: &mut FamilyTx<'_>,
    run: &ClaimedRun,
    result: &RunResult,
) -> Result<()> {
    let connection = run.connection;
    raise_result(tx, (run.sync, connection), result)?;
    let data = json!({ "connection_id": connection });
    if result.requires_update && !run.required_update {
        deliveries::raise(tx, WebhookEvent::ConnectionAttention, connection.0, &data)?;
    }
    let (ending, now) = (WebhookEvent::ConsentEnding, tx.now());
    let since = now.checked_sub(CONSENT_WARNING).map_err(Error::internal)?;
    let ends_soon = run.consent_expires_at.is_some_and(|end| {
        end > now && now.checked_add(CONSENT_WARNING).is_ok_and(|until| end <= until)
    });
    if ends_soon && !deliveries::is_raised_since(tx, ending, connection.0, since)? {
        deliveries::raise(tx, ending, connection.0, &data)?;
    }
    Ok(())
}

/// Writes for webhooks whether a run was completed.
pub(super) fn raise_result(
    tx: &mut FamilyTx<'_>,
    (sync, connection): (SyncId, ConnectionId),
    result: &RunResult,
) -> Result<()> {
    let data = json!({
        "sync_id": sync,
        "connection_id": connection,
        "accounts_synced": result.accounts_synced,
        "accounts_failed": result.accounts_failed,
        "accounts_incomplete": result.accounts_incomplete,
        "error": result.error.map(|code| code.published().as_str()),
    });
    let event = match result.error {
        Some(_) => WebhookEvent::SyncFailed,
        None => WebhookEvent::SyncFinished,
    };
    deliveries::raise(tx, event, sync.0, &data)
}
