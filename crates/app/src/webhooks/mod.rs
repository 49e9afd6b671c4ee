//! Webhooks: addresses of a family that are sent what has happened, signed.
//!
//! * [`address`]: which addresses a family may name.
//! * [`delivery`]: the requests, tried until the receiver accepts them or they are given up.

pub mod address;
pub mod delivery;

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::WebhookId;
use purser_core::limits::{WEBHOOK_SECRET_CHARS_MAX, WEBHOOK_SECRET_CHARS_MIN};
use purser_core::webhook::WebhookEvent;
use purser_store::webhooks::{self, NewWebhook, WebhookChange};
use purser_store::{FamilyTx, Secret};

use self::address::WebhookHosts;
use crate::secrets::{SecretKeys, SecretOwner};

pub use purser_store::webhooks::deliveries::{Delivery, list as deliveries, test};
pub use purser_store::webhooks::{Webhook, get, list, remove};

/// What a person or a program wants of a webhook; what is missing stays as it is.
#[derive(Debug, Default)]
pub struct WebhookWish {
    /// The address that is sent events.
    pub url: Option<String>,
    /// The events that it wants.
    pub events: Option<Vec<WebhookEvent>>,
    /// Whether it is sent anything.
    pub is_active: Option<bool>,
    /// What signs the events.
    pub secret: Option<Secret>,
}

/// Creates a webhook. Its secret never comes back out.
pub fn create(
    tx: &mut FamilyTx<'_>,
    keys: &SecretKeys,
    hosts: &WebhookHosts,
    wish: &WebhookWish,
) -> Result<Webhook> {
    let WebhookWish { url: Some(url), events: Some(events), secret: Some(secret), is_active } =
        wish
    else {
        let missing = [
            ("url", wish.url.is_none()),
            ("events", wish.events.is_none()),
            ("secret", wish.secret.is_none()),
        ];
        let missing = missing.into_iter().filter(|(_, is_missing)| *is_missing);
        let problems = missing.map(|(name, _)| Problem::required(name));
        return Err(Error::invalid_list("validation_failed", problems));
    };
    let (url, events) = (hosts.check(url)?, checked(events)?);
    check_secret(secret)?;
    let id = WebhookId(tx.new_id()?);
    let sealed = keys.seal(&SecretOwner::of_webhook(tx, id)?, secret)?;
    let is_active = is_active.unwrap_or(true);
    webhooks::create(tx, &NewWebhook { id, url: &url, secret: &sealed, events: &events, is_active })
}

/// Changes a webhook, and its secret if there is another one.
pub fn change(
    tx: &mut FamilyTx<'_>,
    keys: &SecretKeys,
    hosts: &WebhookHosts,
    id: WebhookId,
    wish: &WebhookWish,
) -> Result<Webhook> {
    let url = wish.url.as_deref().map(|url| hosts.check(url)).transpose()?;
    let events = wish.events.as_deref().map(checked).transpose()?;
    let changed =
        webhooks::change(tx, id, &WebhookChange { url, events, is_active: wish.is_active })?;
    if let Some(secret) = &wish.secret {
        check_secret(secret)?;
        let sealed = keys.seal(&SecretOwner::of_webhook(tx, id)?, secret)?;
        webhooks::reseal(tx, id, &sealed)?;
    }
    Ok(changed)
}

/// A short secret could be guessed.
fn check_secret(secret: &Secret) -> Result<()> {
    let length = secret.reveal().chars().count();
    if (WEBHOOK_SECRET_CHARS_MIN..=WEBHOOK_SECRET_CHARS_MAX).contains(&length) {
        return Ok(());
    }
    let predicate =
        format!("must have {WEBHOOK_SECRET_CHARS_MIN} to {WEBHOOK_SECRET_CHARS_MAX} characters");
    Err(Error::invalid(Problem::field("secret", predicate)))
}

/// Each event once, in the order of the list of all.
fn checked(events: &[WebhookEvent]) -> Result<Vec<WebhookEvent>> {
    let most = WebhookEvent::ALL.len();
    if events.is_empty() || events.len() > most {
        let predicate = format!("must have 1 to {most} values");
        return Err(Error::invalid(Problem::field("events", predicate)));
    }
    Ok(WebhookEvent::ALL.iter().copied().filter(|event| events.contains(event)).collect())
}
