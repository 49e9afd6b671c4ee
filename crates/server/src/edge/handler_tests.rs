//! The edge around handlers that behave in every possible way.

use std::pin::pin;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::{get, post};
use futures_util::future;
use http::StatusCode;
use purser_app::keys::Scope;
use purser_core::error::Error;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::auth;
use crate::http::caller::{Reader, Writer};
use crate::http::error::ApiResult;
use crate::http::idempotency::{ClaimOutcome, Fingerprint, IdempotencyKey, begin};
use crate::http::unread::Unread;
use crate::state::AppState;
use crate::testing::{Answer, TestApp, send};

const ROUTE: &str = "POST /write";

/// What a request that is asked to wait waits for.
static RELEASED: Notify = Notify::const_new();

async fn write(
    State(app): State<AppState>,
    caller: Writer,
    key: IdempotencyKey,
    body: Unread,
) -> ApiResult<Response> {
    let body: Value = body.json().await?;
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(body.to_string().as_bytes());
    let guard = match begin(&app, &caller, ROUTE, &key, fingerprint.finish()).await? {
        ClaimOutcome::Proceed(guard) => guard,
        ClaimOutcome::Answer(answer) => return Ok(answer),
    };
    match body["do"].as_str() {
        Some("fail") => return Err(Error::invalid("As asked").into()),
        Some("wait") => RELEASED.notified().await,
        Some("panic") => panic!("canary"),
        _ => {}
    }
    let answer = json!({ "made": app.store.new_id()? }).to_string();
    let (stored, held) = (answer.clone(), guard.clone());
    app.store.write(caller.access(), move |tx| held.save(tx, StatusCode::CREATED, &stored)).await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, answer))
}

async fn router(test: &TestApp) -> Router {
    let routes = Router::new()
        .route("/write", post(write))
        .route("/read", get(async |_: Reader| "read"))
        .route("/panic", get(async |_: Reader| -> Response { panic!("canary") }));
    let layer = from_fn_with_state(test.app.clone(), auth::layer);
    let bytes = test.app.bytes_in_flight.clone();
    super::around(routes.route_layer(layer).with_state(test.app.clone()), bytes)
}

struct Client {
    router: Router,
    key: String,
}

impl Client {
    async fn new(test: &TestApp, scope: Scope) -> Self {
        Self { router: router(test).await, key: test.key(scope).await }
    }

    async fn write(&self, idempotency_key: &str, body: &Value) -> Answer {
        let headers = [
            ("x-api-key", self.key.as_str()),
            ("content-type", "application/json"),
            ("idempotency-key", idempotency_key),
        ];
        let sent = if idempotency_key.is_empty() { &headers[..2] } else { &headers[..] };
        send(&self.router, "POST", "/write", sent, &body.to_string()).await
    }
}

#[tokio::test]
async fn a_read_key_may_not_write_and_learns_it_before_its_body_is_read() {
    let test = TestApp::new(&["--rate-limit=1", "--rate-burst=600"]).await;
    let client = Client::new(&test, Scope::Read).await;
    let headers = [("x-api-key", client.key.as_str())];
    assert_eq!(send(&client.router, "GET", "/read", &headers, "").await.status, 200);
    let answer = send(&client.router, "POST", "/write", &headers, "not json").await;
    assert_eq!(answer.status, 403);
    assert_eq!(
        answer.json(),
        json!({
            "error": "insufficient_scope",
            "message": "This action requires the 'write' scope",
        })
    );
    assert_eq!(answer.header("x-ratelimit-remaining"), "598");
}

#[tokio::test]
async fn a_panic_is_a_500_with_the_request_id_and_the_rate_limit() {
    let test = TestApp::new(&["--rate-limit=1", "--rate-burst=600"]).await;
    let client = Client::new(&test, Scope::Read).await;
    let headers = [("x-api-key", client.key.as_str()), ("x-request-id", "find-me")];
    let answer = send(&client.router, "GET", "/panic", &headers, "").await;
    assert_eq!(answer.status, 500);
    let body = answer.json();
    assert_eq!(body["error"], "internal_server_error");
    let message = body["message"].as_str().unwrap();
    assert!(message.contains("find-me") && !message.contains("canary"), "{message}");
    assert_eq!(answer.header("x-ratelimit-remaining"), "599");
}

#[tokio::test]
async fn a_handler_outside_of_the_key_check_refuses() {
    let test = TestApp::new(&[]).await;
    let routes = Router::new().route("/outside", get(async |_: Reader| "never"));
    let bytes = test.app.bytes_in_flight.clone();
    let router = super::around(routes.with_state(test.app.clone()), bytes);
    assert_eq!(send(&router, "GET", "/outside", &[], "").await.status, 401);
}

#[tokio::test]
async fn the_same_key_and_content_answer_the_same() {
    let test = TestApp::new(&[]).await;
    let client = Client::new(&test, Scope::ReadWrite).await;
    let first = client.write("k1", &json!({ "a": 1 })).await;
    assert_eq!((first.status, first.header("idempotency-replayed")), (201, ""));
    let again = client.write("\"k1\"", &json!({ "a": 1 })).await;
    assert_eq!((again.status, again.header("idempotency-replayed")), (201, "true"));
    assert_eq!(again.body, first.body);
    let reused = client.write("k1", &json!({ "a": 2 })).await;
    assert_eq!(reused.status, 422);
    assert_eq!(reused.json()["error"], "idempotency_key_reused");
    let other = client.write("k2", &json!({ "a": 1 })).await;
    assert_ne!(other.body, first.body);
    let none = client.write("", &json!({ "a": 1 })).await;
    assert_eq!(none.status, 201);
    assert_ne!(none.body, first.body);
    assert_eq!(client.write(&"x".repeat(256), &json!({})).await.status, 400);
}

#[tokio::test]
async fn one_of_two_at_once_waits_for_a_retry() {
    let test = TestApp::new(&[]).await;
    let client = Client::new(&test, Scope::ReadWrite).await;
    let body = json!({ "do": "wait" });
    let requests = (pin!(client.write("k", &body)), pin!(client.write("k", &body)));
    let (refused, running) = future::select(requests.0, requests.1).await.factor_first();
    assert_eq!(refused.status, 409);
    RELEASED.notify_one();
    assert_eq!(running.await.status, 201);
    let again = client.write("k", &body).await;
    assert_eq!((again.status, again.header("idempotency-replayed")), (201, "true"));
}

#[tokio::test]
async fn a_request_without_effect_lets_its_key_go() {
    let test = TestApp::new(&[]).await;
    let client = Client::new(&test, Scope::ReadWrite).await;
    for (body, status) in [(json!({ "do": "fail" }), 422), (json!({ "do": "panic" }), 500)] {
        let key = format!("k{status}");
        assert_eq!(client.write(&key, &body).await.status, status);
        // The key is released in the background. Until then no other content may have it.
        let other = json!({ "a": 1 });
        let is_released = async { while client.write(&key, &other).await.status != 201 {} };
        tokio::time::timeout(Duration::from_secs(10), is_released).await.unwrap();
    }
}

#[tokio::test]
async fn the_last_use_of_a_key_is_written_by_the_flush() {
    let test = TestApp::new(&[]).await;
    let client = Client::new(&test, Scope::Read).await;
    let headers = [("x-api-key", client.key.as_str())];
    assert_eq!(send(&client.router, "GET", "/read", &headers, "").await.status, 200);
    let store = &test.app.store;
    let last_used = async || {
        store.read(test.access.clone(), purser_app::keys::list).await.unwrap()[0].last_used_at
    };
    assert_eq!(last_used().await, None);
    test.app.last_used.flush(store).await;
    assert!(last_used().await.is_some());
}
