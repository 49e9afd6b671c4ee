use std::time::Duration;

use serde_json::json;
use uuid::Uuid;

use super::deliveries::{Attempt, claim, finish, raise};
use super::*;
use crate::families::FamilyId;
use crate::testing::{Fixture, on_both};

statements! {
    /// Gives a delivery up as one that too many others came after.
    CROWDED = "UPDATE webhook_deliveries
        SET status = 'failed', failure = 'crowded', next_attempt_at = NULL
        WHERE family_id = $1 AND id = $2";
    /// Counts it as one that was dropped.
    DROPPED = "UPDATE webhooks SET dropped = 1 WHERE family_id = $1 AND id = $2";
}

/// A webhook that wants to know of failed syncs.
pub(crate) fn make(fixture: &Fixture, family: FamilyId) -> WebhookId {
    let work = |tx: &mut FamilyTx<'_>| {
        let new = NewWebhook {
            id: WebhookId(tx.new_id()?),
            url: "https://hooks.example/purser",
            secret: b"sealed",
            events: &[WebhookEvent::SyncFailed],
            is_active: true,
        };
        create(tx, &new)
    };
    fixture.store.write_blocking(family, work).unwrap().id
}

/// What was under way to the receiver when it was given up counts as delivered if it is accepted.
#[test]
fn an_event_that_was_accepted_is_not_lost_because_others_came_meanwhile() {
    on_both(|fixture| {
        assert_eq!(STATEMENTS.len(), 2);
        let (family, _) = fixture.family("one");
        let webhook = make(fixture, family);
        let event = |tx: &mut FamilyTx<'_>| {
            raise(tx, WebhookEvent::SyncFailed, Uuid::from_u128(7), &json!({}))
        };
        fixture.store.write_blocking(family, event).unwrap();
        let lease = Duration::from_secs(60);
        let claimed = fixture.store.write_blocking(family, |tx| claim(tx, lease)).unwrap().unwrap();
        let crowd = |tx: &mut FamilyTx<'_>| {
            let family = tx.family();
            tx.execute(&CROWDED, vals![family, claimed.id])?;
            tx.execute(&DROPPED, vals![family, webhook]).map(drop)
        };
        fixture.store.write_blocking(family, crowd).unwrap();
        let shown = || {
            let look = |tx: &mut FamilyTx<'_>| {
                let (found, _) = deliveries::list(tx, webhook, i64::MAX, 0)?;
                let one = found.into_iter().find(|one| one.id == claimed.id);
                Ok((one.map(|one| one.status.as_str()), get(tx, webhook)?.dropped))
            };
            fixture.store.read_blocking(family, look).unwrap()
        };
        assert_eq!(shown(), (Some("failed"), 1));
        let accepted = Attempt { response_status: Some(200), failure: None };
        fixture.store.write_blocking(family, |tx| finish(tx, &claimed, accepted)).unwrap();
        assert_eq!(shown(), (Some("delivered"), 0));
    });
}
