//! Deliveries: what is due is sent, by several at a time and one of each family.
//!
//! It is no job: a receiver that is slow would hold up the family's other work. A delivery is taken
//! for a minute before it is sent; if the process dies meanwhile, it is sent again, so a receiver
//! may get it twice, and knows it by its id.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use purser_core::error::Result;
use purser_core::webhook::DeliveryFailure;
use purser_outbound::origin::Origin;
use purser_outbound::{Client, Failure, Limits, Request, Url};
use purser_store::due::Kind;
use purser_store::webhooks::deliveries::{self, Attempt, ClaimedDelivery};
use purser_store::{FamilyId, FamilyTx, Secret};
use ring::hmac;
use tokio::task::{Id, JoinSet};
use tokio::time::MissedTickBehavior;

use crate::App;
use crate::limits::{
    DELIVERIES_MAX, DELIVERY_ANSWER_BYTES, DELIVERY_CONNECT_TIME, DELIVERY_LEASE,
    DELIVERY_LOOK_INTERVAL, DELIVERY_TIME,
};
use crate::looks::Look;
use crate::secrets::SecretOwner;

/// Sends what is due, until the server stops.
pub async fn run(app: App) {
    let mut stopping = app.stopping.clone();
    let mut interval = tokio::time::interval(DELIVERY_LOOK_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut sender = Sender { app, client: None, tasks: JoinSet::new(), families: HashMap::new() };
    while !*stopping.borrow() {
        tokio::select! {
            _ = interval.tick() => {}
            () = sender.one_ends() => {}
            _ = stopping.changed() => break,
        }
        if let Err(error) = sender.begin().await {
            tracing::warn!(cause = ?error, "webhooks can't be sent just now");
        }
    }
}

/// The deliveries that this process has under way.
struct Sender {
    app: App,
    /// Made when it is needed first: it loads the certificates of the system.
    client: Option<Arc<Client>>,
    tasks: JoinSet<()>,
    families: HashMap<Id, FamilyId>,
}

impl Sender {
    /// Waits until a delivery ends; forever if there is none.
    async fn one_ends(&mut self) {
        let ended = match self.tasks.join_next_with_id().await {
            None => return std::future::pending().await,
            Some(Ok((id, ()))) => id,
            Some(Err(error)) => error.id(),
        };
        self.families.remove(&ended);
    }

    async fn begin(&mut self) -> Result<()> {
        if self.tasks.len() >= DELIVERIES_MAX {
            return Ok(());
        }
        let busy: HashSet<FamilyId> = self.families.values().copied().collect();
        let app = self.app.clone();
        let (mut look, due) = Look::begin(&app, Kind::Webhook, Duration::ZERO).await?;
        for family in due.into_iter().filter(|due| !busy.contains(&due.access.family())) {
            if self.tasks.len() >= DELIVERIES_MAX {
                return Ok(());
            }
            let claim = |tx: &mut FamilyTx<'_>| deliveries::claim(tx, DELIVERY_LEASE);
            let Some(claimed) = look.ask(family, claim).await? else { continue };
            let Some(client) = self.client() else { return Ok(()) };
            let family = claimed.access.family();
            let task = self.tasks.spawn(deliver(self.app.clone(), client, claimed));
            self.families.insert(task.id(), family);
        }
        Ok(())
    }

    fn client(&mut self) -> Option<Arc<Client>> {
        if self.client.is_none() {
            let limits = Limits { connect: DELIVERY_CONNECT_TIME, total: DELIVERY_TIME };
            match Client::new(limits, &[]) {
                Ok(client) => self.client = Some(Arc::new(client)),
                Err(error) => tracing::error!(cause = ?error, "webhooks can't be sent"),
            }
        }
        self.client.clone()
    }
}

async fn deliver(app: App, client: Arc<Client>, claimed: ClaimedDelivery) {
    let attempt = match attempt(&app, &client, &claimed).await {
        Ok(attempt) => attempt,
        Err(error) => {
            tracing::warn!(webhook = %claimed.webhook, cause = ?error, "a webhook isn't sent");
            return;
        }
    };
    let access = claimed.access.clone();
    let id = claimed.id;
    let work = move |tx: &mut FamilyTx<'_>| deliveries::finish(tx, &claimed, attempt);
    if let Err(error) = app.store.write(access, work).await {
        // Its lease ends, and it is sent again.
        tracing::warn!(delivery = %id, cause = ?error, "what came of a webhook isn't stored");
    }
}

async fn attempt(app: &App, client: &Client, claimed: &ClaimedDelivery) -> Result<Attempt> {
    let failed = |failure| Attempt { response_status: None, failure: Some(failure) };
    let (keys, webhook, sealed) =
        (app.providers.keys.clone(), claimed.webhook, claimed.secret.clone());
    let open = move |tx: &mut FamilyTx<'_>| {
        let owner = SecretOwner::of_webhook(tx, webhook)?;
        Ok(keys.open(&owner, &sealed))
    };
    let Ok(secret) = app.store.read(claimed.access.clone(), open).await? else {
        return Ok(failed(DeliveryFailure::SecretUnreadable));
    };
    // What the operator permitted once may not be permitted any more.
    let Ok(url) = app.webhook_hosts.check(&claimed.url) else {
        return Ok(failed(DeliveryFailure::InnerAddress));
    };
    let Some(url) = Url::parse(&url).ok().filter(|url| Origin::of(url).is_some()) else {
        return Ok(failed(DeliveryFailure::Unreachable));
    };
    let signature = signature(&secret, app.store.now().as_second(), &claimed.body);
    let request = Request::post_json(url, claimed.body.clone().into_bytes())
        .secret_header("purser-signature", &Secret::new(signature));
    let Ok(request) = request else { return Ok(failed(DeliveryFailure::Unreachable)) };
    let answer = match client.send(request).await {
        Ok(answer) => answer,
        Err(failure) => return Ok(failed(of_outbound(failure))),
    };
    let status = answer.status();
    // What the receiver answers means nothing here; a little of it is read so that it can end.
    answer.beginning(DELIVERY_ANSWER_BYTES).await;
    let failure = (!(200..300).contains(&status)).then_some(DeliveryFailure::Refused);
    Ok(Attempt { response_status: Some(status), failure })
}

fn of_outbound(failure: Failure) -> DeliveryFailure {
    match failure {
        Failure::TimedOut => DeliveryFailure::TimedOut,
        Failure::Redirected => DeliveryFailure::Redirected,
        Failure::LeadsInside => DeliveryFailure::InnerAddress,
        Failure::Unreachable | Failure::BrokenOff | Failure::TooLarge | Failure::Unsendable => {
            DeliveryFailure::Unreachable
        }
    }
}

/// `t=SECONDS,v1=HMAC`: HMAC-SHA256 of `SECONDS.BODY` with the whole text of the secret, so that a
/// receiver can refuse what was recorded and is sent again later.
fn signature(secret: &Secret, seconds: i64, body: &str) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.reveal().as_bytes());
    let tag = hmac::sign(&key, format!("{seconds}.{body}").as_bytes());
    let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("t={seconds},v1={digits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_of_the_time_and_the_body() {
        let sign = |secret: &str, at, body| signature(&Secret::new(secret), at, body);
        // Computed with another program.
        assert_eq!(
            sign("key", 1_700_000_000, "{}"),
            "t=1700000000,v1=9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae"
        );
        assert_ne!(sign("key", 1, "{}"), sign("key", 2, "{}"));
        assert_ne!(sign("key", 1, "{}"), sign("other", 1, "{}"));
        assert_ne!(sign("key", 1, "{}"), sign("key", 1, "[]"));
    }
}
