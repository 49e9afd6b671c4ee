//! A feed of prices that answers for each symbol, or doesn't.

use serde_json::json;

use super::{PATH, listed};
use crate::rates::feed_server::FeedServer;
use crate::securities::security;
use crate::support::{Backend, Options, Server, until};

/// A family that holds what the feed knows (`GOOD`, `JSON`), what it doesn't, and what nobody asks
/// for.
fn asks(backend: Backend) {
    let feed = FeedServer::start(|path| match path {
        "/p?s=GOOD" => {
            (200, "date,close,currency\n2026-01-05,10.5,EUR\n2026-01-06,11,EUR\n".into())
        }
        "/p?s=json%2Fjson" => (200, r#"[{"date": "2026-01-06", "close": 0.1}]"#.into()),
        "/p?s=ODD" => (200, "<html>Sign in</html>".into()),
        _ => (404, "no such symbol".into()),
    });
    let url = format!("http://{}/p?s={{symbol}}", feed.address());
    // The feed is asked at the start: what is held must be there before.
    let mut server = Server::start_with(backend, Options::new());
    let family = server.family();
    let account = family.account("Depot", "investment");
    for (ticker, fields) in [
        ("GOOD", json!({})),
        ("JSON", json!({ "feed_symbol": "json/json" })),
        ("ODD", json!({})),
        ("BAD", json!({})),
        ("OFFLINE", json!({ "offline": true })),
    ] {
        let mut fields = fields;
        fields["ticker"] = json!(ticker);
        security(&family.api, &fields);
        let trade = json!({ "trade": { "account_id": account, "date": "2026-01-02", "type": "buy",
            "ticker": ticker, "qty": "1", "price": "9" } });
        family.api.post("/api/v1/trades", &trade).expect_status(201);
    }
    security(&family.api, &json!({ "ticker": "UNHELD" }));
    let [good] = &listed_ids(&family.api, "GOOD")[..] else { panic!("one of them") };
    let own =
        json!({ "security_id": good, "date": "2026-01-05", "price": "10.4", "currency": "EUR" });
    family.api.post(PATH, &own).expect_status(201);
    assert!(server.stop().success());
    server.start_again_with(Options::new().env("PURSER_PRICES_URL", url));
    let statuses = until("every symbol to be asked for", || {
        let body = family.api.get("/api/v1/securities").expect_status(200).json();
        let status = |ticker: &str| {
            let all = body["securities"].as_array().unwrap();
            let one = all.iter().find(|one| one["ticker"] == ticker).unwrap();
            (!one["feed_at"].is_null(), one["feed_error"].as_str().map(str::to_owned))
        };
        let all = ["GOOD", "JSON", "ODD", "BAD", "OFFLINE", "UNHELD"].map(status);
        let waiting = |error: &Option<String>| {
            error.as_deref().is_some_and(|text| text.contains("not answered yet"))
        };
        let done = all[..4].iter().all(|(asked, error)| *asked && !waiting(error));
        done.then_some(all)
    });
    assert_eq!(statuses[0], (true, None));
    assert_eq!(statuses[1], (true, None));
    assert_eq!(statuses[2].1.as_deref(), Some("The answer is a page, not a table or JSON"));
    assert_eq!(statuses[3].1.as_deref(), Some("The feed answered with status 404."));
    assert_eq!(statuses[4..], [(false, None), (false, None)]);
    assert_eq!(
        listed(&family.api, ""),
        [
            "2026-01-06 GOOD 11.0 EUR feed",
            "2026-01-06 JSON 0.1 USD feed",
            "2026-01-05 GOOD 10.4 EUR manual",
        ]
    );
    assert!(!server.log().contains(feed.address()), "addresses may hold a key");
}

fn listed_ids(client: &crate::support::Client, ticker: &str) -> Vec<String> {
    let body = client.get(&format!("/api/v1/securities?ticker={ticker}")).expect_status(200).json();
    let all = body["securities"].as_array().unwrap().iter();
    all.map(|one| one["id"].as_str().unwrap().to_owned()).collect()
}

mod a_feed_of_prices_is_asked_for_what_is_held {
    use super::{Backend, asks};

    #[test]
    fn sqlite() {
        asks(Backend::Sqlite);
    }

    #[test]
    fn postgres() {
        asks(Backend::Postgres);
    }
}

/// A feed that is in trouble itself is not asked for everything; what it was not asked for waits.
#[test]
fn a_feed_in_trouble_is_left_alone() {
    let feed = FeedServer::start(|_| (503, "Later".to_owned()));
    let url = format!("http://{}/p?s={{symbol}}", feed.address());
    let mut server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Depot", "investment");
    for number in 0..5 {
        let trade = json!({ "trade": { "account_id": account, "date": "2026-01-02", "type": "buy",
            "ticker": format!("T{number}"), "qty": "1", "price": "9" } });
        family.api.post("/api/v1/trades", &trade).expect_status(201);
    }
    let prices = || {
        let body = family.api.get("/api/v1/feeds").expect_status(200).json();
        body["security_prices"].clone()
    };
    let off = json!({ "configured": false, "asked_at": null, "answered_count": 0,
        "failing_count": 0, "waiting_count": 5 });
    assert_eq!(prices(), off);
    assert!(server.stop().success());
    server.start_again_with(Options::new().env("PURSER_PRICES_URL", url));
    let asked = until("three symbols to be asked for three times", || {
        let asked = feed.asked();
        (asked >= 9).then_some(asked)
    });
    let standing = until("what came of it to be noted", || {
        let body = family.api.get("/api/v1/securities").expect_status(200).json();
        let errors: Vec<&str> = body["securities"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|one| one["feed_error"].as_str())
            .collect();
        let noted = errors.iter().filter(|error| error.ends_with("status 503.")).count();
        (noted == 3).then(prices)
    });
    assert_eq!((asked, feed.asked()), (9, 9));
    assert_eq!(standing["configured"], true);
    assert_eq!((&standing["failing_count"], &standing["waiting_count"]), (&json!(3), &json!(2)));
    assert!(standing["asked_at"].is_string());
}

/// A host of prices that accepts connections and sends nothing.
#[test]
fn rates_do_not_wait_for_prices() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let prices = format!("http://{}/{{symbol}}", silent.local_addr().unwrap());
    let rates = FeedServer::start(|_| (200, "date,base,quote,rate\n2026-01-05,EUR,USD,2\n".into()));
    let mut server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Depot", "investment");
    let trade = json!({ "trade": { "account_id": account, "date": "2026-01-02", "type": "buy",
        "ticker": "SLOW", "qty": "1", "price": "9" } });
    family.api.post("/api/v1/trades", &trade).expect_status(201);
    assert!(server.stop().success());
    let options = Options::new()
        .env("PURSER_PRICES_URL", prices)
        .env("PURSER_RATES_URL", format!("http://{}/", rates.address()));
    server.start_again_with(options);
    let connected = silent.accept().unwrap();
    let feeds = until("the rates to come", || {
        let body = family.api.get("/api/v1/feeds").expect_status(200).json();
        (!body["exchange_rates"]["succeeded_at"].is_null()).then_some(body)
    });
    assert_eq!(feeds["exchange_rates"]["configured"], true);
    assert_eq!(feeds["exchange_rates"]["error"], serde_json::Value::Null);
    assert_eq!(feeds["security_prices"]["failing_count"], 1, "it has not answered yet");
    drop(connected);
}
