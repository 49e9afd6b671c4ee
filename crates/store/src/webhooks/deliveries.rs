//! What webhooks are sent: an outbox. A delivery is written in the transaction of what happened, so
//! it is never lost, and is tried until the receiver accepts it or it is given up.
//!
//! Each webhook keeps its newest deliveries that have ended, and those that wait: very many at
//! most, so that whoever doesn't answer fills nothing. What is given up for that is counted.

use std::time::Duration;

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::{DeliveryId, WebhookId};
use purser_core::limits::{DELIVERIES_KEPT_MAX, DELIVERIES_WAITING_MAX};
use purser_core::named::Named as _;
use purser_core::webhook::{self, DeliveryEvent, DeliveryFailure, DeliveryStatus, WebhookEvent};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::access::{Access, FamilyTx};
use crate::driver::{Row, statements, vals};
use crate::due::{self, Kind};

statements! {
    /// A new delivery, which is due at once.
    DELIVERY_INSERT = "INSERT INTO webhook_deliveries (family_id, id, webhook_id, event, subject_id,
            body, status, attempts, next_attempt_at, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, 'pending', 0, $7, $7)";
    /// The oldest deliveries of a webhook that have ended, but for a number of the newest.
    DELIVERIES_PRUNE = "DELETE FROM webhook_deliveries
        WHERE family_id = $1 AND webhook_id = $2
            AND id IN (SELECT old.id FROM webhook_deliveries old
                WHERE old.family_id = $1 AND old.webhook_id = $2 AND old.status <> 'pending'
                ORDER BY old.created_at DESC, old.id DESC LIMIT 100 OFFSET $3)";
    /// Gives up the oldest that wait, but for a number of the newest.
    DELIVERIES_CROWDED = "UPDATE webhook_deliveries
        SET status = 'failed', next_attempt_at = NULL, failure = $1, completed_at = $2
        WHERE family_id = $3 AND webhook_id = $4 AND status = 'pending'
            AND id IN (SELECT old.id FROM webhook_deliveries old
                WHERE old.family_id = $3 AND old.webhook_id = $4 AND old.status = 'pending'
                ORDER BY old.created_at DESC, old.id DESC LIMIT 100 OFFSET $5)";
    /// Counts what was given up.
    WEBHOOK_DROPPED = "UPDATE webhooks SET dropped = dropped + $1
        WHERE family_id = $2 AND id = $3";
    /// How many deliveries of a webhook there are.
    DELIVERIES_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM webhook_deliveries
        WHERE family_id = $1 AND webhook_id = $2";
    /// Some deliveries of a webhook, the newest first.
    DELIVERIES = "SELECT id, event, subject_id, status, attempts, next_attempt_at, response_status,
            failure, created_at, completed_at
        FROM webhook_deliveries WHERE family_id = $1 AND webhook_id = $2
        ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $4";
    /// When the next delivery of a family is due.
    DELIVERY_NEXT = "SELECT MIN(next_attempt_at) FROM webhook_deliveries
        WHERE family_id = $1 AND next_attempt_at IS NOT NULL";
    /// The delivery of a family that is due longest.
    DELIVERY_DUE = "SELECT d.id, d.webhook_id, d.body, d.attempts, w.url, w.secret, d.event
        FROM webhook_deliveries d JOIN webhooks w ON w.family_id = $1 AND w.id = d.webhook_id
        WHERE d.family_id = $1 AND d.next_attempt_at <= $2
        ORDER BY d.next_attempt_at, d.id LIMIT 1";
    /// Takes a delivery for a while.
    DELIVERY_CLAIM = "UPDATE webhook_deliveries SET attempts = attempts + 1, next_attempt_at = $1
        WHERE family_id = $2 AND id = $3";
    /// What came of an attempt.
    DELIVERY_END = "UPDATE webhook_deliveries
        SET status = $1, next_attempt_at = $2, response_status = $3, failure = $4,
            completed_at = $5
        WHERE family_id = $6 AND id = $7 AND attempts = $8 AND status = 'pending'";
    /// A delivery that was accepted although it had been given up meanwhile for those after it.
    DELIVERY_END_LATE = "UPDATE webhook_deliveries
        SET status = 'delivered', response_status = $1, failure = NULL, completed_at = $2
        WHERE family_id = $3 AND id = $4 AND attempts = $5 AND failure = 'crowded'";
    /// Whether a webhook was sent an event about something since a time.
    DELIVERY_SINCE = "SELECT 1 FROM webhook_deliveries
        WHERE family_id = $1 AND event = $2 AND subject_id = $3 AND created_at > $4 LIMIT 1";
    /// The test of a webhook that is kept.
    TEST = "SELECT id, event, subject_id, status, attempts, next_attempt_at, response_status,
            failure, created_at, completed_at
        FROM webhook_deliveries WHERE family_id = $1 AND webhook_id = $2 AND event = $3
        ORDER BY created_at DESC, id DESC LIMIT 1";
    /// Removes the tests of a webhook.
    TESTS_REMOVE = "DELETE FROM webhook_deliveries
        WHERE family_id = $1 AND webhook_id = $2 AND event = $3";
    /// Gives up what a webhook has not been sent.
    DELIVERIES_GIVE_UP = "UPDATE webhook_deliveries
        SET status = 'failed', next_attempt_at = NULL, failure = $1, completed_at = $2
        WHERE family_id = $3 AND webhook_id = $4 AND status = 'pending'";
    /// Removes what a webhook was sent.
    DELIVERIES_REMOVE = "DELETE FROM webhook_deliveries WHERE family_id = $1 AND webhook_id = $2";
}

/// A delivery as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The id of the delivery.
    pub id: DeliveryId,
    /// What the delivery reports.
    pub event: DeliveryEvent,
    /// What the event is about.
    pub subject: Uuid,
    /// The state of the delivery.
    pub status: DeliveryStatus,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is tried next.
    pub next_attempt_at: Option<Timestamp>,
    /// The status of the latest answer.
    pub response_status: Option<u16>,
    /// Why the latest attempt failed.
    pub failure: Option<DeliveryFailure>,
    /// The time at which it happened.
    pub created_at: Timestamp,
    /// When it was accepted or given up.
    pub completed_at: Option<Timestamp>,
}

/// A delivery that this process may try until its lease ends.
#[derive(Debug, Clone)]
pub struct ClaimedDelivery {
    /// The access to the family's data, in the name of the program.
    pub access: Access,
    /// The id of the delivery.
    pub id: DeliveryId,
    /// The webhook that it is for.
    pub webhook: WebhookId,
    /// The JSON that is sent.
    pub body: String,
    /// How often it was tried, with this attempt.
    pub attempts: u32,
    /// Where it is sent to.
    pub url: String,
    /// What signs it, encrypted.
    pub secret: Vec<u8>,
    /// What the delivery reports.
    pub event: DeliveryEvent,
}

/// What came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// The status of the answer, if there was one.
    pub response_status: Option<u16>,
    /// Why it failed; `None` if the receiver has accepted it.
    pub failure: Option<DeliveryFailure>,
}

/// Writes what has happened for every webhook that wants it, in the caller's transaction.
pub fn raise(
    tx: &mut FamilyTx<'_>,
    event: WebhookEvent,
    subject: Uuid,
    data: &Value,
) -> Result<()> {
    let wanting = tx.with_all_accounts(super::list)?;
    for webhook in wanting {
        if !webhook.is_active || !webhook.events.contains(&event) {
            continue;
        }
        add(tx, webhook.id, DeliveryEvent::Happened(event), (subject, data))?;
    }
    Ok(())
}

/// A test of a webhook, which is due at once. While one waits, it is that one; else it takes the
/// place of the one before, so that tests never crowd out what has happened.
pub fn test(tx: &mut FamilyTx<'_>, webhook: WebhookId) -> Result<Delivery> {
    let family = tx.family();
    let is_active = super::get(tx, webhook)?.is_active;
    let key = vals![family, webhook, DeliveryEvent::Test.name()];
    let waiting = tx.query_opt(&TEST, key, read)?;
    if let Some(waiting) = waiting.filter(|test| test.status == DeliveryStatus::Pending) {
        return Ok(waiting);
    }
    if !is_active {
        return Err(Error::Conflict {
            code: "webhook_switched_off",
            message: "The webhook is switched off, so it is sent nothing".to_owned(),
        });
    }
    tx.execute(&TESTS_REMOVE, key)?;
    add(tx, webhook, DeliveryEvent::Test, (webhook.0, &json!({ "webhook_id": webhook })))?;
    tx.query_one(&TEST, key, read)
}

/// Writes a delivery, and removes the oldest ones that are too many: first those that have ended.
fn add(
    tx: &mut FamilyTx<'_>,
    webhook: WebhookId,
    event: DeliveryEvent,
    (subject, data): (Uuid, &Value),
) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let (id, name) = (DeliveryId(tx.new_id()?), event.name());
    let body = json!({ "id": id, "event": name, "created_at": now, "data": data }).to_string();
    let values = vals![family, id, webhook, name, subject, &body, now];
    tx.execute(&DELIVERY_INSERT, values)?;
    let crowded = DeliveryFailure::Crowded.as_str();
    let key = vals![crowded, now, family, webhook, DELIVERIES_WAITING_MAX];
    let dropped = tx.execute(&DELIVERIES_CROWDED, key)?;
    if dropped > 0 {
        let dropped = i64::try_from(dropped).map_err(Error::internal)?;
        tx.execute(&WEBHOOK_DROPPED, vals![dropped, family, webhook])?;
        tracing::warn!(%webhook, dropped, "events were given up: too many wait for a receiver");
    }
    tx.execute(&DELIVERIES_PRUNE, vals![family, webhook, DELIVERIES_KEPT_MAX])?;
    due::note(tx, Kind::Webhook, now)
}

/// Whether an event about something was written since a time.
pub fn is_raised_since(
    tx: &mut FamilyTx<'_>,
    event: WebhookEvent,
    subject: Uuid,
    since: Timestamp,
) -> Result<bool> {
    let family = tx.family();
    let key = vals![family, event.as_str(), subject, since];
    Ok(tx.query_opt(&DELIVERY_SINCE, key, |_| Ok(()))?.is_some())
}

/// A page of what a webhook was sent, the newest first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    webhook: WebhookId,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Delivery>, u64)> {
    super::get(tx, webhook)?;
    let family = tx.family();
    let total = tx.query_one(&DELIVERIES_COUNT, vals![family, webhook], |row| row.count(0))?;
    Ok((tx.query(&DELIVERIES, vals![family, webhook, limit, offset], read)?, total))
}

/// Takes the family's delivery that is due longest, until a lease ends.
pub fn claim(tx: &mut FamilyTx<'_>, lease: Duration) -> Result<Option<ClaimedDelivery>> {
    let (family, now) = (tx.family(), tx.now());
    let access = tx.access().clone();
    let found = tx.query_opt(&DELIVERY_DUE, vals![family, now], |row| {
        Ok(ClaimedDelivery {
            access: access.clone(),
            id: row.id(0)?,
            webhook: row.id(1)?,
            body: row.string(2)?,
            attempts: u32::try_from(row.int(3)?).map_err(Error::internal)?.saturating_add(1),
            url: row.string(4)?,
            secret: row.bytes(5)?.to_vec(),
            event: row.named(6)?,
        })
    })?;
    if let Some(claimed) = &found {
        let until = now.checked_add(lease).map_err(Error::internal)?;
        tx.execute(&DELIVERY_CLAIM, vals![until, family, claimed.id])?;
    }
    note_next(tx)?;
    Ok(found)
}

/// Notes when the next delivery of the family is due.
fn note_next(tx: &mut FamilyTx<'_>) -> Result<()> {
    let family = tx.family();
    let next = tx.query_one(&DELIVERY_NEXT, vals![family], |row| row.opt_timestamp(0))?;
    due::set(tx, Kind::Webhook, next)
}

/// Stores what came of an attempt, and plans the next one. One that was given up or taken over
/// meanwhile stays as it is, unless it was given up for those after it, and accepted.
pub fn finish(tx: &mut FamilyTx<'_>, claimed: &ClaimedDelivery, attempt: Attempt) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let Attempt { response_status, failure } = attempt;
    let wait = failure.and_then(|_| webhook::wait(claimed.event, claimed.attempts));
    let next = wait.map(|wait| now.checked_add(wait)).transpose().map_err(Error::internal)?;
    let status = match (failure, next) {
        (None, _) => DeliveryStatus::Delivered,
        (Some(_), Some(_)) => DeliveryStatus::Pending,
        (Some(_), None) => DeliveryStatus::Failed,
    };
    let completed = next.is_none().then_some(now);
    let failure = failure.map(DeliveryFailure::as_str);
    let (status, response) = (status.as_str(), response_status.map(i64::from));
    let (id, attempts) = (claimed.id, i64::from(claimed.attempts));
    let is_accepted = failure.is_none();
    let values = vals![status, next, response, failure, completed, family, id, attempts];
    if tx.execute(&DELIVERY_END, values)? == 0 && is_accepted {
        let values = vals![response, now, family, id, attempts];
        if tx.execute(&DELIVERY_END_LATE, values)? > 0 {
            tx.execute(&WEBHOOK_DROPPED, vals![-1i64, family, claimed.webhook])?;
        }
    }
    note_next(tx)
}

/// Gives up what a webhook has not been sent, because it is switched off.
pub(super) fn give_up_all(tx: &mut FamilyTx<'_>, webhook: WebhookId) -> Result<()> {
    let (family, now) = (tx.family(), tx.now());
    let failure = DeliveryFailure::SwitchedOff.as_str();
    tx.execute(&DELIVERIES_GIVE_UP, vals![failure, now, family, webhook]).map(drop)
}

/// Removes what a webhook was sent.
pub(super) fn remove_all(tx: &mut FamilyTx<'_>, webhook: WebhookId) -> Result<()> {
    let family = tx.family();
    tx.execute(&DELIVERIES_REMOVE, vals![family, webhook]).map(drop)
}

fn read(row: &Row<'_>) -> Result<Delivery> {
    let response = row.opt_int(6)?.map(u16::try_from).transpose().map_err(Error::internal)?;
    Ok(Delivery {
        id: row.id(0)?,
        event: row.named(1)?,
        subject: row.id::<DeliveryId>(2)?.0,
        status: row.named(3)?,
        attempts: u32::try_from(row.int(4)?).map_err(Error::internal)?,
        next_attempt_at: row.opt_timestamp(5)?,
        response_status: response,
        failure: row.opt_named(7)?,
        created_at: row.timestamp(8)?,
        completed_at: row.opt_timestamp(9)?,
    })
}
