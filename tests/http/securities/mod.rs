//! Securities: what is traded.

use serde_json::{Value, json};

use crate::both;
use crate::support::{Client, Server};

const PATH: &str = "/api/v1/securities";

/// A key that may do everything in one account.
pub(crate) fn restricted(server: &Server, email: &str, account: &str) -> Client {
    let made = server.run_json(
        &[
            "key",
            "add",
            "--user",
            email,
            "--name",
            "restricted",
            "--scope",
            "read_write",
            "--account",
            account,
        ],
        "",
    );
    server.client().with_key(made["key"].as_str().unwrap())
}

/// Makes a security and returns its id.
#[track_caller]
pub(crate) fn security(client: &Client, fields: &Value) -> String {
    client.post(PATH, fields).expect_status(201).id()
}

#[track_caller]
fn tickers(client: &Client, query: &str) -> Vec<String> {
    let body = client.get(&format!("{PATH}?{query}")).expect_status(200).json();
    let listed = body["securities"].as_array().unwrap();
    assert_eq!(body["pagination"]["total_count"], listed.len());
    listed.iter().map(|one| one["ticker"].as_str().unwrap().to_owned()).collect()
}

both! {
    fn a_security_is_made_shown_changed_and_removed(server) {
        let family = server.family();
        let made = family.api.post(PATH, &json!({ "security": {
            "ticker": " vti ", "exchange_operating_mic": "arcx", "name": "Total Market",
            "isin": "us9229087690", "country_code": "us", "currency": "usd",
        } })).expect_status(201);
        let id = made.id();
        let body = made.json();
        for (field, value) in [
            ("ticker", json!("VTI")), ("exchange_operating_mic", json!("ARCX")),
            ("name", json!("Total Market")), ("kind", json!("standard")),
            ("isin", json!("US9229087690")), ("country_code", json!("US")),
            ("currency", json!("USD")), ("offline", json!(false)), ("feed_symbol", json!(null)),
            ("feed_at", json!(null)), ("feed_error", json!(null)),
        ] {
            assert_eq!(body[field], value, "{field}");
        }
        let path = format!("{PATH}/{id}");
        assert_eq!(family.api.get(&path).expect_status(200).json(), body);
        let change = json!({ "name": null, "offline": true, "exchange_operating_mic": null });
        let changed = family.api.patch(&path, &change).expect_status(200).json();
        assert_eq!((&changed["name"], &changed["offline"]), (&json!(null), &json!(true)));
        assert_eq!(changed["exchange_operating_mic"], json!(null));
        assert_eq!(changed["isin"], "US9229087690", "what isn't sent stays");
        let put = family.api.put(&path, &json!({ "ticker": "vtx" })).expect_status(200).json();
        assert_eq!(put["ticker"], "VTX");
        family.api.delete(&path).expect_status(200);
        family.api.get(&path).expect_error(404, "not_found");
        family.api.delete(&path).expect_error(404, "not_found");
    }

    fn a_ticker_on_a_market_is_there_once(server) {
        let family = server.family();
        security(&family.api, &json!({ "ticker": "ABC", "exchange_operating_mic": "XNAS" }));
        let other = security(&family.api, &json!({ "ticker": "ABC" }));
        let again = json!({ "ticker": "abc", "exchange_operating_mic": "xnas" });
        family.api.post(PATH, &again).expect_error(422, "validation_failed");
        let onto = json!({ "exchange_operating_mic": "XNAS" });
        family.api.patch(&format!("{PATH}/{other}"), &onto).expect_error(422, "validation_failed");
        security(&server.family().api, &again);
    }

    fn every_problem_is_reported_at_once(server) {
        let family = server.family();
        let wrong = json!({ "ticker": "A B", "exchange_operating_mic": "NASDAQ", "kind": "bond",
            "isin": "US9229087691", "country_code": "USA", "currency": "XXY", "offline": "perhaps" });
        let body = family.api.post(PATH, &wrong).expect_error(422, "validation_failed");
        assert_eq!(body["errors"].as_array().unwrap().len(), 7, "{body}");
        let body = family.api.post(PATH, &json!({})).expect_error(422, "validation_failed");
        assert_eq!(body["errors"], json!(["The ticker is required"]));
    }

    fn the_list_is_filtered(server) {
        let family = server.family();
        for (ticker, mic, offline) in [("B", "XNAS", false), ("A", "XETR", true), ("B", "XETR", false)] {
            let fields = json!({ "ticker": ticker, "exchange_operating_mic": mic, "offline": offline });
            security(&family.api, &fields);
        }
        assert_eq!(tickers(&family.api, ""), ["A", "B", "B"]);
        assert_eq!(tickers(&family.api, "ticker=b"), ["B", "B"]);
        assert_eq!(tickers(&family.api, "exchange_operating_mic=xetr"), ["A", "B"]);
        assert_eq!(tickers(&family.api, "offline=true"), ["A"]);
        assert_eq!(tickers(&family.api, "kind=cash"), [""; 0]);
        let wrong = family.api.get(&format!("{PATH}?kind=bond&offline=2"));
        let body = wrong.expect_error(422, "validation_failed");
        assert_eq!(body["errors"].as_array().unwrap().len(), 2);
    }

    fn what_is_held_stays_and_a_restricted_key_sees_only_that(server) {
        let family = server.family();
        let open = family.account("Open", "investment");
        let hidden = family.account("Hidden", "investment");
        let [held, secret, loose] = ["HELD", "SECRET", "LOOSE"]
            .map(|ticker| security(&family.api, &json!({ "ticker": ticker })));
        for (account, ticker) in [(&open, "HELD"), (&hidden, "SECRET")] {
            let trade = json!({ "trade": { "account_id": account, "date": "2026-01-05",
                "type": "buy", "ticker": ticker, "qty": "2", "price": "10" } });
            family.api.post("/api/v1/trades", &trade).expect_status(201);
        }
        let key = restricted(&server, &family.email, &open);
        assert_eq!(tickers(&key, ""), ["HELD"]);
        key.get(&format!("{PATH}/{held}")).expect_status(200);
        for other in [&secret, &loose] {
            key.get(&format!("{PATH}/{other}")).expect_error(404, "not_found");
            let change = json!({ "name": "x" });
            key.patch(&format!("{PATH}/{other}"), &change).expect_error(403, "restricted_key");
        }
        let change = json!({ "name": "x" });
        key.patch(&format!("{PATH}/{held}"), &change).expect_error(403, "restricted_key");
        key.delete(&format!("{PATH}/{held}")).expect_error(403, "restricted_key");
        key.post(PATH, &json!({ "ticker": "NEW" })).expect_error(403, "restricted_key");
        family.api.delete(&format!("{PATH}/{held}")).expect_error(409, "security_in_use");
        family.api.delete(&format!("{PATH}/{loose}")).expect_status(200);
    }
}
