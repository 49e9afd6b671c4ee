//! `/api/v1/webhooks`: addresses that are sent what has happened.

use purser_app::Secret;
use purser_app::webhooks::{self, Delivery, Webhook, WebhookWish};
use purser_core::error::{Problems, Result};
use purser_core::ids::WebhookId;
use purser_core::limits::{
    WEBHOOK_SECRET_CHARS_MAX, WEBHOOK_SECRET_CHARS_MIN, WEBHOOK_URL_CHARS_MAX,
};
use purser_core::webhook::WebhookEvent;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use uuid::Uuid;

use crate::http::answer::{Accepted, Answer, Created, Deleted, Json};
use crate::http::body::kinds::{Flag, Kind, List as Several, OneOf, Text};
use crate::http::body::presence::{Optional, Required};
use crate::http::body::{Change, Checked, New, Nothing, body};
use crate::http::call::{Call, Create, Delete, List, Show, Update};
use crate::http::caller::Reader;
use crate::http::describe::Components;
use crate::http::error::ApiResult;
use crate::http::fields::Json as RawJson;
use crate::http::named::{
    DeliveryEventName, DeliveryFailureName, DeliveryStatusName, WebhookEventName,
};
use crate::http::pagination::{DataPage, Meta};
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::Paged;
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "webhooks":
    /// List webhooks
    ///
    /// The oldest come first, without their secrets. A key that is restricted to chosen accounts
    /// sees none, because events are of accounts beyond them.
    GET "/webhooks" => list as list_webhooks;
    /// Create a webhook
    ///
    /// Its address is sent each event as JSON, by POST, signed with the secret, until the receiver
    /// answers with a status of 2xx or the delivery is given up after about two days. The secret is
    /// stored encrypted and never comes back out. The address must be one of the Internet over
    /// HTTPS, unless the operator permits others. A key that is restricted to chosen accounts gets
    /// 403 `restricted_key`.
    POST "/webhooks" => create as create_webhook;
    /// Show a webhook
    ///
    /// An unknown webhook and one that the key may not see are answered with 404 `not_found`.
    GET "/webhooks/{id}" => show as show_webhook;
    /// Change a webhook
    ///
    /// Members that are missing stay as they are. A webhook that is switched off
    /// gives up what it has not been sent. A key that is restricted to chosen accounts gets 403
    /// `restricted_key`.
    PATCH PUT "/webhooks/{id}" => update as update_webhook;
    /// Delete a webhook
    ///
    /// What it has not been sent is gone. A key that is restricted to chosen accounts gets 403
    /// `restricted_key`.
    DELETE "/webhooks/{id}" => delete as delete_webhook;
    /// List deliveries of a webhook
    ///
    /// What it was sent, or is going to be, the newest first. The latest 100 that have ended are
    /// kept, and up to 2,000 that wait.
    GET "/webhooks/{id}/deliveries" => deliveries as list_webhook_deliveries;
    /// Test a webhook
    ///
    /// A delivery of the event `webhook.test` is queued and answered: it is sent as any other is,
    /// signed, but once only. The list of deliveries has what came of it, usually seconds later.
    /// While a test waits, another request is answered with the same one; else it takes the place
    /// of the test before. 409 `webhook_switched_off` if the webhook is sent nothing. A key that is
    /// restricted to chosen accounts gets 403 `restricted_key`.
    POST "/webhooks/{id}/test" => test as test_webhook;
}

path_id!(WebhookId, "Webhook", |tx: &mut purser_app::FamilyTx<'_>, id| webhooks::get(tx, id));

/// Events of one webhook: each is there once.
const EVENTS_MAX: usize = WebhookEvent::ALL.len();

body! {
    /// The members of a webhook.
    struct WebhookFields as "Webhook" in ["webhook"] {
        /// The address that is sent events.
        #[example("https://hooks.example/purser")]
        url: Required<Text<1, WEBHOOK_URL_CHARS_MAX>>,
        /// The events that it wants.
        events: Required<Several<OneOf<WebhookEvent>, EVENTS_MAX, 1>>,
        /// The secret that signs what is sent: random characters that the receiver knows, too.
        #[example("b0a7c1d2e3f405162738495a6b7c8d9e")]
        secret: Required<WebhookSecret>,
        /// Whether it is sent anything; a new one is.
        active: Optional<Flag>,
    }
}

/// A secret of a webhook, which is never printed.
struct WebhookSecret;

impl Kind for WebhookSecret {
    type Output = Secret;

    fn from_json(json: RawJson<'_>, field: &str, problems: &mut Problems) -> Option<Secret> {
        Text::<WEBHOOK_SECRET_CHARS_MIN, WEBHOOK_SECRET_CHARS_MAX>::from_json(json, field, problems)
            .map(Secret::new)
    }

    fn schema(_: &mut Components) -> RefOr<Schema> {
        let secret = ObjectBuilder::new().schema_type(Type::String);
        let secret = secret.min_length(Some(WEBHOOK_SECRET_CHARS_MIN));
        secret.max_length(Some(WEBHOOK_SECRET_CHARS_MAX)).into()
    }
}

impl Checked for WebhookFields {
    type Output = WebhookWish;

    fn check(self, problems: Problems) -> Result<WebhookWish> {
        problems.into_result()?;
        let Self { url, events, secret, active } = self;
        Ok(WebhookWish { url, events, secret, is_active: active })
    }
}

/// A webhook of the family.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Webhook)]
struct WebhookBody {
    /// The id of the webhook.
    id: Uuid,
    /// The address that is sent events.
    #[schema(example = "https://hooks.example/purser")]
    url: String,
    /// The events that it wants.
    events: Vec<WebhookEventName>,
    /// Whether it is sent anything.
    active: bool,
    /// The number of events that it was never sent, because too many waited for it.
    dropped_count: u64,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// All webhooks of the family.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Webhooks)]
struct WebhooksBody {
    /// The webhooks, the oldest first.
    data: Vec<WebhookBody>,
}

/// An event that a webhook was sent, or is going to be.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WebhookDelivery)]
struct DeliveryBody {
    /// The id of the delivery, which is in what is sent.
    id: Uuid,
    /// The event that it reports; `webhook.test` is a test that somebody requested.
    event: DeliveryEventName,
    /// The id of what the event is about; of a test that of the webhook.
    subject_id: Uuid,
    /// The status of the delivery.
    status: DeliveryStatusName,
    /// The number of attempts so far.
    attempts: u32,
    /// The time of the next attempt; null if there will be none.
    #[schema(required)]
    next_attempt_at: Option<Time>,
    /// The HTTP status of the latest answer; null if there was none.
    #[schema(required)]
    response_status: Option<u16>,
    /// The reason why the latest attempt failed; null if it did not.
    #[schema(required)]
    failure: Option<DeliveryFailureName>,
    /// The time at which it was queued.
    created_at: Time,
    /// The time at which it was accepted or given up; null before that.
    #[schema(required)]
    completed_at: Option<Time>,
}

impl From<Webhook> for WebhookBody {
    fn from(webhook: Webhook) -> Self {
        Self {
            id: webhook.id.0,
            url: webhook.url,
            events: webhook.events.into_iter().map(Into::into).collect(),
            active: webhook.is_active,
            dropped_count: webhook.dropped,
            created_at: webhook.created_at.into(),
            updated_at: webhook.updated_at.into(),
        }
    }
}

impl From<Delivery> for DeliveryBody {
    fn from(delivery: Delivery) -> Self {
        Self {
            id: delivery.id.0,
            event: delivery.event.into(),
            subject_id: delivery.subject,
            status: delivery.status.into(),
            attempts: delivery.attempts,
            next_attempt_at: delivery.next_attempt_at.map(Time),
            response_status: delivery.response_status,
            failure: delivery.failure.map(Into::into),
            created_at: delivery.created_at.into(),
            completed_at: delivery.completed_at.map(Time),
        }
    }
}

async fn list(call: List) -> ApiResult<Answer<Json<WebhooksBody>>> {
    call.read(|tx, _| {
        let found = webhooks::list(tx)?;
        Ok(Json(WebhooksBody { data: found.into_iter().map(Into::into).collect() }))
    })
    .await
}

async fn create(
    call: Create<New<WebhookFields>, Unrestricted>,
) -> ApiResult<Answer<Created<WebhookBody>>> {
    let (keys, hosts) = (call.app().providers.keys.clone(), call.app().webhook_hosts.clone());
    call.write(move |tx, sent| Ok(Created(webhooks::create(tx, &keys, &hosts, &sent.body)?.into())))
        .await
}

async fn show(call: Show<WebhookId>) -> ApiResult<Answer<Json<WebhookBody>>> {
    call.read(|tx, sent| Ok(Json(webhooks::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<WebhookId, Change<WebhookFields>, Unrestricted>,
) -> ApiResult<Answer<Json<WebhookBody>>> {
    let (keys, hosts) = (call.app().providers.keys.clone(), call.app().webhook_hosts.clone());
    call.write(move |tx, sent| {
        Ok(Json(webhooks::change(tx, &keys, &hosts, sent.id, &sent.body)?.into()))
    })
    .await
}

async fn delete(call: Delete<WebhookId, Unrestricted>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| webhooks::remove(tx, sent.id)).await
}

async fn deliveries(
    call: Call<Reader, WebhookId, Paged>,
) -> ApiResult<Answer<Json<DataPage<DeliveryBody>>>> {
    call.read(|tx, sent| {
        let page = sent.query.page;
        let (found, total) = webhooks::deliveries(tx, sent.id, page.limit(), page.offset())?;
        let data = found.into_iter().map(Into::into).collect();
        Ok(Json(DataPage { data, meta: Meta::new(page, total) }))
    })
    .await
}

async fn test(
    call: Call<Unrestricted, WebhookId, (), Nothing>,
) -> ApiResult<Answer<Accepted<DeliveryBody>>> {
    call.write(|tx, sent| Ok(Accepted(webhooks::test(tx, sent.id)?.into()))).await
}
