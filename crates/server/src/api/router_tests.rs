//! What holds for every route, through the whole router and over a real database.

use std::collections::BTreeSet;

use purser_app::keys::Scope;
use serde_json::json;

use crate::testing::{Answer, TestApp, send};

async fn get(router: &axum::Router, path: &str, key: &str) -> Answer {
    send(router, "GET", path, &[("x-api-key", key)], "").await
}

#[tokio::test]
async fn every_unusable_credential_gets_the_same_401() {
    let test = TestApp::new(&[]).await;
    let router = crate::router::router(test.app.clone());
    let key = test.key(Scope::Read).await;
    let unknown = purser_app::api_key::ApiKey::generate().unwrap().reveal().to_owned();
    let bearer = format!("Bearer {key}");
    let refused: &[&[(&str, &str)]] = &[
        &[],
        &[("x-api-key", "")],
        &[("x-api-key", "purser_nonsense")],
        &[("x-api-key", &unknown)],
        &[("x-api-key", &key[..55])],
        &[("x-api-key", &key), ("x-api-key", &key)],
        &[("x-api-key", &unknown), ("authorization", &bearer)],
        &[("authorization", &key)],
    ];
    for headers in refused {
        let answer = send(&router, "GET", "/api/v1/usage", headers, "").await;
        assert_eq!(answer.status, 401, "{headers:?}");
        assert_eq!(
            answer.json(),
            json!({
                "error": "unauthorized",
                "message": "The API key is missing, unknown, expired or revoked",
            })
        );
        assert_eq!(answer.header("www-authenticate"), "Bearer realm=\"purser\"");
        assert_eq!(answer.header("x-ratelimit-limit"), "");
    }
    assert_eq!(get(&router, "/api/v1/usage", &key).await.status, 200);
    let answer = send(&router, "GET", "/api/v1/usage", &[("authorization", &bearer)], "").await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn every_answer_to_a_key_has_the_rate_limit() {
    let test = TestApp::new(&["--rate-limit=2"]).await;
    let router = crate::router::router(test.app.clone());
    let key = test.key(Scope::Read).await;
    let first = get(&router, "/api/v1/usage", &key).await;
    assert_eq!((first.status, first.header("x-ratelimit-remaining")), (200, "1"));
    let usage = first.json();
    assert_eq!(usage["rate_limit"]["current_count"], 1);
    assert_eq!(usage["rate_limit"]["tier"], "standard");
    assert_eq!(usage["api_key"]["scopes"], json!(["read"]));
    assert_eq!(get(&router, "/api/v1/usage", &key).await.header("x-ratelimit-remaining"), "0");

    let third = get(&router, "/api/v1/usage", &key).await;
    assert_eq!(third.status, 429);
    assert_eq!(third.header("x-ratelimit-limit"), "2");
    assert_eq!(third.header("x-ratelimit-remaining"), "0");
    let seconds: u64 = third.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&seconds));
    assert_eq!(third.header("x-ratelimit-reset"), seconds.to_string());
    let body = third.json();
    assert_eq!(body["error"], "rate_limit_exceeded");
    assert_eq!(body["details"], json!({ "limit": 2, "current": 2, "reset_in_seconds": seconds }));
    let other = test.key(Scope::Read).await;
    assert_eq!(get(&router, "/api/v1/usage", &other).await.status, 200);
}

#[tokio::test]
async fn without_a_limit_an_answer_has_no_rate_limit() {
    let test = TestApp::new(&["--rate-limit=0"]).await;
    let router = crate::router::router(test.app.clone());
    let key = test.key(Scope::ReadWrite).await;
    let answer = get(&router, "/api/v1/usage", &key).await;
    assert_eq!(answer.header("x-ratelimit-limit"), "");
    let limit = &answer.json()["rate_limit"];
    assert_eq!(limit["tier"], "unlimited");
    assert_eq!(limit["limit"], json!(null));
}

#[tokio::test]
async fn routes_and_methods_are_checked_before_the_key() {
    let test = TestApp::new(&[]).await;
    let router = crate::router::router(test.app.clone());
    for path in
        ["/index.html", "/api", "/api/v1", "/api/v1/nothing", "/api/v1/usage/", "//api/v1/usage"]
    {
        let answer = send(&router, "GET", path, &[], "").await;
        assert_eq!((answer.status, answer.json()["error"].as_str()), (404, Some("not_found")));
    }
    let answer = send(&router, "DELETE", "/api/v1/usage", &[], "").await;
    assert_eq!(answer.status, 405);
    assert_eq!(answer.json()["error"], "method_not_allowed");
    assert_eq!(answer.header("allow"), "GET,HEAD");
    for method in ["TRACE", "CONNECT"] {
        assert_eq!(send(&router, method, "/api/v1/usage", &[], "").await.status, 405);
    }
}

#[tokio::test]
async fn answers_carry_the_headers_of_the_edge() {
    let test = TestApp::new(&[]).await;
    let router = crate::router::router(test.app.clone());
    let key = test.key(Scope::Read).await;
    let headers = [("x-api-key", key.as_str()), ("x-request-id", "mine")];
    let answer = send(&router, "GET", "/api/v1/usage", &headers, "").await;
    assert_eq!(answer.header("x-request-id"), "mine");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("access-control-allow-origin"), "*");
    assert_eq!(answer.header("content-length"), answer.body.len().to_string());
    assert!(answer.header("etag").starts_with("W/\""));
    let head = send(&router, "HEAD", "/api/v1/usage", &headers, "").await;
    assert_eq!(head.status, 200);
    assert!(head.body.is_empty());
}

#[tokio::test]
async fn health_needs_no_key_and_metrics_a_local_peer() {
    let test = TestApp::new(&[]).await;
    let router = crate::router::router(test.app.clone());
    for path in ["/healthz", "/readyz"] {
        assert_eq!(send(&router, "GET", path, &[], "").await.status, 200, "{path}");
    }
    // A router without a listener knows no peer, so nobody is local.
    assert_eq!(send(&router, "GET", "/metrics", &[], "").await.status, 404);
    let open = TestApp::new(&["--metrics=open"]).await;
    let answer = send(&crate::router::router(open.app.clone()), "GET", "/metrics", &[], "").await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn the_description_is_complete_and_its_page_loads_nothing_from_elsewhere() {
    let test = TestApp::new(&[]).await;
    let router = crate::router::router(test.app.clone());
    let answer = send(&router, "GET", "/api/v1/openapi.json", &[], "").await;
    let document = answer.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(document["info"]["version"], "v1");
    assert_eq!(document["components"]["securitySchemes"]["api_key"]["name"], "X-Api-Key");
    assert!(document["components"]["schemas"]["ErrorBody"]["properties"]["error"].is_object());
    let mut names = BTreeSet::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        assert!(path.starts_with("/api/v1/"), "{path}");
        for (method, operation) in operations.as_object().unwrap() {
            // Programs that write clients from the description name functions after it.
            let name = operation["operationId"].as_str().unwrap().to_owned();
            assert!(name.contains('_'), "{method} {path} is only called {name}");
            assert!(names.insert(name.clone()), "{method} {path} is called {name} too");
            for status in ["401", "403", "429", "500"] {
                assert!(operation["responses"][status].is_object(), "{method} {path} {status}");
            }
        }
    }
    assert_eq!(send(&router, "GET", "/api/docs", &[], "").await.status, 303);
    let page = send(&router, "GET", "/api/docs/", &[], "").await;
    assert_eq!(page.status, 200);
    let page = String::from_utf8(page.body).unwrap();
    assert!(!page.contains("http://") && !page.contains("https://"), "{page}");
    let script = send(&router, "GET", "/api/docs/swagger-initializer.js", &[], "").await;
    assert!(String::from_utf8(script.body).unwrap().contains("/api/v1/openapi.json"));
}
