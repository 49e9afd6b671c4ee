//! `GET` and `POST /settings/webhooks`, `GET /settings/webhooks/{id}`, `POST …/test`, `…/active`
//! and `…/remove`: addresses that are sent what has happened, and what they were sent.
//!
//! The secret that signs is made here. It is in the answer to the form and nowhere else, and no
//! cache keeps that answer.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::webhooks::{self, Delivery, Webhook, WebhookWish};
use purser_app::{FamilyTx, Secret};
use purser_core::error::Error;
use purser_core::ids::WebhookId;
use purser_core::named::Named as _;
use purser_core::webhook::{DeliveryEvent, DeliveryFailure, DeliveryStatus, WebhookEvent};

use super::Tab;
use crate::http::error::ApiError;
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form, FormField, Posted};
use crate::web::kept::Typed;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::once::Once;
use crate::web::session::SignedIn;
use crate::web::token::Token;
use crate::web::view::{self, Choice};

const PATH: &str = "/settings/webhooks";
const FIELDS: &[FormField] = &[FormField::new("url", "url", "address"), FormField::same("events")];

/// Deliveries that the page shows; the API has all.
const DELIVERIES_SHOWN: i64 = 100;

#[derive(Template)]
#[template(path = "settings/webhooks.html")]
struct ListPage {
    layout: Layout,
    tab: Tab,
    form: Filled,
    /// Just made: the only time that it is shown.
    new: Option<String>,
    webhooks: Vec<WebhookRow>,
    events: Vec<Choice>,
}

#[derive(Template)]
#[template(path = "settings/webhook.html")]
struct OnePage {
    layout: Layout,
    webhook: WebhookRow,
    deliveries: Vec<DeliveryRow>,
    /// Whether a test waits for its result.
    is_testing: bool,
}

struct WebhookRow {
    id: String,
    url: String,
    events: String,
    is_active: bool,
    created: String,
    /// Events that it was never sent, because too many waited for it.
    dropped: u64,
}

struct DeliveryRow {
    event: &'static str,
    at: String,
    class: &'static str,
    state: &'static str,
    /// What came of the latest attempt, and when it is tried again.
    detail: String,
}

impl WebhookRow {
    fn of(webhook: &Webhook, who: &SignedIn) -> Self {
        let events: Vec<&str> = webhook.events.iter().map(|event| event_title(*event)).collect();
        Self {
            id: webhook.id.to_string(),
            url: webhook.url.clone(),
            events: events.join(", "),
            is_active: webhook.is_active,
            created: view::time(webhook.created_at, &who.time_zone),
            dropped: webhook.dropped,
        }
    }
}

impl DeliveryRow {
    fn of(delivery: &Delivery, who: &SignedIn) -> Self {
        let (class, state) = match delivery.status {
            DeliveryStatus::Pending => ("busy", "Waiting"),
            DeliveryStatus::Delivered => ("done", "Accepted"),
            DeliveryStatus::Failed => ("bad", "Given up"),
        };
        let tries = match delivery.attempts {
            0 => None,
            1 => Some("1 attempt".to_owned()),
            more => Some(format!("{more} attempts")),
        };
        let answer = delivery.response_status.map(|status| format!("answer {status}"));
        let failure = delivery.failure.map(|failure| failure_sentence(failure).to_owned());
        let next = delivery.next_attempt_at.filter(|_| delivery.attempts > 0);
        let next = next.map(|at| format!("next {}", view::time(at, &who.time_zone)));
        let parts: Vec<String> = [tries, answer, failure, next].into_iter().flatten().collect();
        Self {
            event: match delivery.event {
                DeliveryEvent::Happened(event) => event_title(event),
                DeliveryEvent::Test => "Test",
            },
            at: view::time(delivery.created_at, &who.time_zone),
            class,
            state,
            detail: parts.join(" · "),
        }
    }
}

/// What people call an event.
fn event_title(event: WebhookEvent) -> &'static str {
    match event {
        WebhookEvent::ImportFinished => "Import finished",
        WebhookEvent::ImportFailed => "Import failed",
        WebhookEvent::SyncFinished => "Sync finished",
        WebhookEvent::SyncFailed => "Sync failed",
        WebhookEvent::ConnectionAttention => "Connection needs you",
        WebhookEvent::ConsentEnding => "Consent ends soon",
    }
}

fn failure_sentence(failure: DeliveryFailure) -> &'static str {
    match failure {
        DeliveryFailure::Refused => "refused by the receiver",
        DeliveryFailure::Unreachable => "the receiver can’t be reached",
        DeliveryFailure::TimedOut => "no answer in time",
        DeliveryFailure::Redirected => "redirected elsewhere",
        DeliveryFailure::InnerAddress => "the address leads inside",
        DeliveryFailure::SecretUnreadable => "the secret can’t be decrypted",
        DeliveryFailure::Crowded => "too many later events waited",
        DeliveryFailure::SwitchedOff => "switched off",
    }
}

async fn page(
    app: &AppState,
    who: &SignedIn,
    form: Filled,
    new: Option<String>,
) -> WebResult<ListPage> {
    let found = app.store.read(who.access(), webhooks::list).await?;
    let choice = |event: &WebhookEvent| Choice::new(event.name(), event_title(*event));
    Ok(ListPage {
        layout: Layout::new(who, Section::Settings),
        tab: Tab::Webhooks,
        form,
        new,
        webhooks: found.iter().map(|webhook| WebhookRow::of(webhook, who)).collect(),
        events: WebhookEvent::ALL.iter().map(choice).collect(),
    })
}

pub(super) async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
    typed: Typed,
) -> WebResult<Response> {
    let (form, sentence) = typed.into_form(Form::default());
    let mut page = page(&app, &who, Filled::new(form), None).await?;
    page.layout = page.layout.with_notice(&query).with_sentence(sentence);
    Ok(answer::ok(&page))
}

pub(super) async fn create(
    State(app): State<AppState>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let mut filled = Filled::new(form.clone());
    let events: Option<Vec<WebhookEvent>> = form.all("events").map(WebhookEvent::named).collect();
    let events = events.filter(|events| !events.is_empty());
    if events.is_none() {
        filled.add("events", "Choose what it is sent");
    }
    if filled.is_fine() {
        match make(&app, &who, &form, events).await {
            Ok(secret) => {
                let fresh = Filled::new(Form::default());
                return Ok(answer::ok(&page(&app, &who, fresh, Some(secret)).await?));
            }
            Err(error) => filled.refuse(error, FIELDS)?,
        }
    }
    Ok(answer::problems(&page(&app, &who, filled, None).await?))
}

/// Makes a webhook, once for each form. Returns its secret, which the same form shows again and
/// which is stored encrypted only.
async fn make(
    app: &AppState,
    who: &SignedIn,
    form: &Form,
    events: Option<Vec<WebhookEvent>>,
) -> Result<String, Error> {
    let once = Once::of(who, form);
    let secret = match once.secret("webhook") {
        Some(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>(),
        None => Token::generate()?.reveal().to_owned(),
    };
    let (keys, hosts) = (app.providers.keys.clone(), app.webhook_hosts.clone());
    let (url, made) = (form.text("url").trim().to_owned(), secret.clone());
    app.store
        .write(who.access(), move |tx| {
            let wish = WebhookWish {
                url: Some(url.clone()),
                events: events.clone(),
                is_active: None,
                secret: Some(Secret::new(made.clone())),
            };
            let create = |tx: &mut FamilyTx<'_>| {
                let webhook = webhooks::create(tx, &keys, &hosts, &wish)?;
                Ok(format!("{PATH}/{}", webhook.id))
            };
            once.make(tx, |_, _| Ok(true), create)
        })
        .await?;
    Ok(secret)
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
    id: Result<Id<WebhookId>, ApiError>,
) -> WebResult<Response> {
    let Id(id) = id?;
    let read = move |tx: &mut FamilyTx<'_>| {
        let (deliveries, _) = webhooks::deliveries(tx, id, DELIVERIES_SHOWN, 0)?;
        Ok((webhooks::get(tx, id)?, deliveries))
    };
    let (webhook, deliveries) = app.store.read(who.access(), read).await?;
    Ok(answer::ok(&OnePage {
        layout: Layout::new(&who, Section::Settings).with_notice(&query),
        webhook: WebhookRow::of(&webhook, &who),
        deliveries: deliveries.iter().map(|one| DeliveryRow::of(one, &who)).collect(),
        is_testing: deliveries
            .iter()
            .any(|one| one.event == DeliveryEvent::Test && one.status == DeliveryStatus::Pending),
    }))
}

/// Sends a test to the address of a webhook.
pub(super) async fn test(
    State(app): State<AppState>,
    id: Result<Id<WebhookId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| webhooks::test(tx, id).map(drop)).await?;
    Ok(notice::done(&format!("{PATH}/{id}"), "webhook-test"))
}

/// Switches a webhook on or off.
pub(super) async fn switch(
    State(app): State<AppState>,
    id: Result<Id<WebhookId>, ApiError>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    let is_active = form.text("active") == "true";
    let (keys, hosts) = (app.providers.keys.clone(), app.webhook_hosts.clone());
    app.store
        .write(who.access(), move |tx| {
            let wish = WebhookWish { is_active: Some(is_active), ..WebhookWish::default() };
            webhooks::change(tx, &keys, &hosts, id, &wish).map(drop)
        })
        .await?;
    let code = if is_active { "webhook-on" } else { "webhook-off" };
    Ok(notice::done(&format!("{PATH}/{id}"), code))
}

pub(super) async fn remove(
    State(app): State<AppState>,
    id: Result<Id<WebhookId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| webhooks::remove(tx, id)).await?;
    Ok(notice::done(PATH, "webhook-removed"))
}
