//! Webhooks: addresses that are sent what has happened in the family.
//!
//! * [`deliveries`]: what is sent, by an outbox: written in the transaction of what happened.
//!
//! Secrets are bytes that another part has encrypted; nothing here can read them.

pub mod deliveries;
#[cfg(test)]
pub(crate) mod tests;

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::WebhookId;
use purser_core::limits::WEBHOOKS_MAX;
use purser_core::named::Named as _;
use purser_core::webhook::WebhookEvent;
use serde_json::json;

use crate::access::FamilyTx;
use crate::audit;
use crate::driver::{Row, Sql, statements, vals};

statements! {
    /// All webhooks, the oldest first.
    WEBHOOKS = "SELECT id, url, secret, events, is_active, created_at, updated_at,
            dropped
        FROM webhooks WHERE family_id = $1 ORDER BY created_at, id";
    /// The webhook with an id.
    WEBHOOK_BY_ID = "SELECT id, url, secret, events, is_active, created_at, updated_at,
            dropped
        FROM webhooks WHERE family_id = $1 AND id = $2";
    /// Inserts a new webhook.
    WEBHOOK_INSERT = "INSERT INTO webhooks (family_id, id, url, secret, events, is_active,
            created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $7)";
    /// Stores what a webhook is now.
    WEBHOOK_UPDATE = "UPDATE webhooks SET url = $1, events = $2, is_active = $3, updated_at = $4
        WHERE family_id = $5 AND id = $6";
    /// The same secret, encrypted with another key.
    WEBHOOK_RESEAL = "UPDATE webhooks SET secret = $1 WHERE family_id = $2 AND id = $3";
    /// Removes a webhook for good.
    WEBHOOK_REMOVE = "DELETE FROM webhooks WHERE family_id = $1 AND id = $2";
}

/// Every statement about webhooks, for the test that prepares them.
pub(crate) fn statements() -> [(&'static str, &'static [(&'static str, Sql)]); 2] {
    [("webhooks", STATEMENTS), ("webhooks::deliveries", deliveries::STATEMENTS)]
}

/// A webhook of the family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The id of the webhook.
    pub id: WebhookId,
    /// The address that is sent events.
    pub url: String,
    /// What signs them, encrypted.
    pub secret: Vec<u8>,
    /// The events that it wants.
    pub events: Vec<WebhookEvent>,
    /// Whether it is sent anything.
    pub is_active: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// Events that it was never sent, because too many waited for it.
    pub dropped: u64,
}

/// A webhook that is to be made.
#[derive(Debug, Clone, Copy)]
pub struct NewWebhook<'a> {
    /// The id, which the secret is bound to.
    pub id: WebhookId,
    /// The address that is sent events.
    pub url: &'a str,
    /// What signs them, encrypted.
    pub secret: &'a [u8],
    /// The events that it wants.
    pub events: &'a [WebhookEvent],
    /// Whether it is sent anything.
    pub is_active: bool,
}

/// What of a webhook can be changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookChange {
    /// Another address for its events.
    pub url: Option<String>,
    /// Other events that it wants.
    pub events: Option<Vec<WebhookEvent>>,
    /// Whether it is sent anything.
    pub is_active: Option<bool>,
}

/// The webhooks of the family. Whoever sees only some accounts sees none, because events are of
/// accounts beyond them.
pub fn list(tx: &mut FamilyTx<'_>) -> Result<Vec<Webhook>> {
    if tx.accounts().is_restricted() {
        return Ok(Vec::new());
    }
    let family = tx.family();
    tx.query(&WEBHOOKS, vals![family], read)
}

/// One webhook of the family.
pub fn get(tx: &mut FamilyTx<'_>, id: WebhookId) -> Result<Webhook> {
    let missing = Error::NotFound { what: "Webhook" };
    if tx.accounts().is_restricted() {
        return Err(missing);
    }
    let family = tx.family();
    tx.query_opt(&WEBHOOK_BY_ID, vals![family, id], read)?.ok_or(missing)
}

/// Creates a webhook of the family.
pub fn create(tx: &mut FamilyTx<'_>, new: &NewWebhook<'_>) -> Result<Webhook> {
    let (family, now) = (tx.family(), tx.now());
    if list(tx)?.len() >= WEBHOOKS_MAX {
        return Err(Error::Conflict {
            code: "too_many_webhooks",
            message: format!("A family can have {WEBHOOKS_MAX} webhooks at most"),
        });
    }
    let NewWebhook { id, url, secret, events, is_active } = *new;
    let names = names(events);
    tx.execute(&WEBHOOK_INSERT, vals![family, id, url, secret, &names, is_active, now])?;
    record(tx, "webhook.create", id)?;
    get(tx, id)
}

/// Changes a webhook. One that is switched off gives up what it has not been sent yet.
pub fn change(tx: &mut FamilyTx<'_>, id: WebhookId, change: &WebhookChange) -> Result<Webhook> {
    let (family, now) = (tx.family(), tx.now());
    let before = get(tx, id)?;
    let url = change.url.as_deref().unwrap_or(&before.url);
    let names = names(change.events.as_deref().unwrap_or(&before.events));
    let is_active = change.is_active.unwrap_or(before.is_active);
    tx.execute(&WEBHOOK_UPDATE, vals![url, &names, is_active, now, family, id])?;
    if !is_active {
        deliveries::give_up_all(tx, id)?;
    }
    record(tx, "webhook.change", id)?;
    get(tx, id)
}

/// Stores the same secret, encrypted with another key.
pub fn reseal(tx: &mut FamilyTx<'_>, id: WebhookId, sealed: &[u8]) -> Result<()> {
    let family = tx.family();
    tx.execute(&WEBHOOK_RESEAL, vals![sealed, family, id]).map(drop)
}

/// Removes a webhook with what it was sent.
pub fn remove(tx: &mut FamilyTx<'_>, id: WebhookId) -> Result<()> {
    get(tx, id)?;
    let family = tx.family();
    deliveries::remove_all(tx, id)?;
    tx.execute(&WEBHOOK_REMOVE, vals![family, id])?;
    record(tx, "webhook.remove", id)
}

fn names(events: &[WebhookEvent]) -> String {
    let names: Vec<&str> = events.iter().map(|event| event.as_str()).collect();
    names.join(",")
}

fn record(tx: &mut FamilyTx<'_>, action: &str, id: WebhookId) -> Result<()> {
    let event = audit::Event {
        actor: tx.actor(),
        action,
        subject_kind: "webhook",
        subject_id: Some(id.0),
        details: json!({}),
    };
    audit::record(tx, &event).map(drop)
}

fn read(row: &Row<'_>) -> Result<Webhook> {
    // A name that this version doesn't know is left out.
    let events = row.text(3)?.split(',').filter_map(WebhookEvent::named).collect();
    Ok(Webhook {
        id: row.id(0)?,
        url: row.string(1)?,
        secret: row.bytes(2)?.to_vec(),
        events,
        is_active: row.bool(4)?,
        created_at: row.timestamp(5)?,
        updated_at: row.timestamp(6)?,
        dropped: row.count(7)?,
    })
}
