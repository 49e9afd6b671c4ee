//! Trades and accounts that are hidden: from everybody, or from a key for chosen accounts.

use serde_json::{Value, json};

use super::moves::restricted_to;
use super::{PATH, broker, cost, errors, exchange, fields, trade};
use crate::accounts::consistent;
use crate::both;
use crate::ledger::{text, unlimited};
use crate::support::Sql;

fn security_name(of: &Value) -> Value {
    of["security"]["name"].clone()
}

both! {
    fn nothing_goes_into_an_account_that_nobody_sees(server = unlimited()) {
        let family = server.family();
        let (open, shut) = (broker(&family, "Open", "0"), broker(&family, "Shut", "0"));
        exchange(&family.api, &open, "buy", "2026-01-02", "10", "50");
        let sql = Sql::open(&server);
        let one = json!({ "qty": "1", "price": "1", "external_id": "x" });
        let buy = fields(&shut, "buy", "2026-01-03", one);
        let shares = json!({ "qty": "1", "to_account_id": shut });
        let shares = fields(&open, "transfer_out", "2026-01-03", shares);
        for status in ["disabled", "pending_deletion"] {
            sql.set_status(&shut, status);
            assert_eq!(errors(family.api.post(PATH, &buy)), ["The account_id is not an account of this family"]);
            let refused = errors(family.api.post(PATH, &shares));
            assert_eq!(refused, ["The to_account_id is not an account of this family"]);
        }
        for status in ["draft", "active"] {
            sql.set_status(&shut, status);
            family.api.post(PATH, &shares).expect_status(201);
        }
        let list = family.api.get(PATH).expect_status(200).json();
        assert_eq!(list["pagination"]["total_count"], 5);
        consistent(&server);
    }

    fn a_side_in_a_disabled_account_holds_nothing_back(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        let (one, other) = (broker(&family, "One", "0"), broker(&family, "Other", "0"));
        exchange(api, &one, "buy", "2026-01-02", "10", "50");
        let more = json!({ "qty": "4", "to_account_id": other });
        let out = trade(api, &one, "transfer_out", "2026-01-03", more);
        let account = format!("/api/v1/accounts/{other}");
        api.patch(&account, &json!({ "account": { "status": "disabled" } })).expect_status(200);
        let path = format!("{PATH}/{}", text(&out, "id"));
        assert_eq!(api.get(&path).json()["transfer"]["trade_id"], json!(null));
        let restricted = restricted_to(&server, &family, &one);
        restricted.delete(&path).expect_error(403, "restricted_key");
        api.patch(&path, &json!({ "qty": "5" })).expect_status(200);
        assert_eq!(cost(api, &one), json!("250.00"));
        consistent(&server);
        api.delete(&path).expect_status(200);
        assert_eq!(cost(api, &one), json!("500.00"));
        api.patch(&account, &json!({ "account": { "status": "active" } })).expect_status(200);
        let list = api.get(PATH).expect_status(200).json();
        assert_eq!(list["pagination"]["total_count"], 1, "both sides went");
        consistent(&server);
    }

    fn a_restricted_key_names_no_security_that_others_hold(server = unlimited()) {
        let family = server.family();
        let (own, hidden) = (broker(&family, "Own", "0"), broker(&family, "Hidden", "0"));
        let key = restricted_to(&server, &family, &own);
        let buy = |ticker: &str, market: Value, name: Option<&str>| json!({
            "qty": "1", "price": "1", "ticker": ticker, "exchange_operating_mic": market,
            "security_name": name,
        });
        let day = "2026-01-02";
        let nameless = trade(&family.api, &hidden, "buy", day, buy("PLAIN", json!("XNAS"), None));
        let named = buy("NAMED", json!("XNAS"), Some("The family's own"));
        let named = trade(&family.api, &hidden, "buy", day, named);

        let first = buy("PLAIN", json!("XNAS"), Some("Forged"));
        let first = trade(&key, &own, "buy", day, first);
        assert_eq!(first["security"]["id"], nameless["security"]["id"], "one ticker, one security");
        let path = format!("{PATH}/{}", text(&nameless, "id"));
        assert_eq!(security_name(&family.api.get(&path).json()), json!(null));

        for (market, is_same) in [(json!("XNAS"), true), (json!(null), false)] {
            let own = broker(&family, "Another", "0");
            let key = restricted_to(&server, &family, &own);
            let bought = trade(&key, &own, "buy", day, buy("NAMED", market.clone(), Some("Mine")));
            // Without a market the ticker means none that the key doesn't see.
            assert_eq!(bought["security"]["id"] == named["security"]["id"], is_same, "{market}");
            let name = if is_same { json!(null) } else { json!("Mine") };
            assert_eq!(security_name(&bought), name, "{market}");
        }
        // Changed into one that it hadn't seen.
        let third = broker(&family, "Third", "0");
        let other = restricted_to(&server, &family, &third);
        let other_trade = trade(&other, &third, "buy", day, buy("THIRD", json!("XNAS"), None));
        let path = format!("{PATH}/{}", text(&other_trade, "id"));
        for ticker in ["PLAIN", "NAMED"] {
            let change = json!({ "ticker": ticker, "exchange_operating_mic": "XNAS",
                "security_name": "Forged" });
            let changed = other.patch(&path, &change).expect_status(200).json();
            assert_eq!(changed["security"]["ticker"], ticker);
            assert_eq!(security_name(&changed), json!(null));
        }
        let path = format!("{PATH}/{}", text(&nameless, "id"));
        assert_eq!(security_name(&family.api.get(&path).json()), json!(null));
        // What is new is its own to name.
        let fresh = trade(&key, &own, "buy", day, buy("NEW", json!("XNAS"), Some("New")));
        assert_eq!(security_name(&fresh), json!("New"));
        // Whoever sees everything may still name what has no name.
        let late = buy("PLAIN", json!("XNAS"), Some("Plain"));
        let late = trade(&family.api, &hidden, "buy", day, late);
        assert_eq!(security_name(&late), json!("Plain"));
    }

    fn a_restricted_key_removes_no_account_that_shares_moved_out_of(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        let (one, other) = (broker(&family, "One", "0"), broker(&family, "Other", "0"));
        let more = json!({ "qty": "4", "to_account_id": other });
        let out = trade(api, &one, "transfer_out", "2026-01-03", more);
        for account in [&one, &other] {
            let key = restricted_to(&server, &family, account);
            let path = format!("/api/v1/accounts/{account}");
            key.delete(&path).expect_error(403, "restricted_key");
        }
        let list = api.get(PATH).expect_status(200).json();
        assert_eq!(list["pagination"]["total_count"], 2);
        api.delete(&format!("{PATH}/{}", text(&out, "id"))).expect_status(200);
        let key = restricted_to(&server, &family, &one);
        key.delete(&format!("/api/v1/accounts/{one}")).expect_status(200);
        consistent(&server);
    }

    fn keys_that_mean_different_securities_learn_nothing_of_others(server = unlimited()) {
        let family = server.family();
        let own = broker(&family, "Own", "0");
        for (name, market) in [("Seen", "XNAS"), ("Hidden", "XLON")] {
            let fields = json!({ "qty": "1", "price": "1", "ticker": "ACME",
                "exchange_operating_mic": market });
            trade(&family.api, &broker(&family, name, "0"), "buy", "2026-01-02", fields);
        }
        let accounts = family.api.get("/api/v1/accounts").expect_status(200).json();
        let accounts = accounts["accounts"].as_array().unwrap();
        let seen = accounts.iter().find(|account| account["name"] == "Seen").unwrap();
        let key = |more: &[&str]| {
            let (own, email) = (own.as_str(), family.email.as_str());
            let some = ["key", "add", "--user", email, "--name", "some", "--scope", "read_write"];
            let arguments = [&some, &["--account", own][..], more].concat();
            server.run_json(&arguments, "")
        };
        let (old, new) = (key(&[]), key(&["--account", &text(seen, "id")]));
        let new = server.client().with_key(&text(&new, "key"));
        let published = |day: &str| {
            let csv = format!("Date,Type,Symbol,Shares,Price\n{day},buy,ACME,1,100\n");
            let body = json!({ "type": "TradeImport", "account_id": own, "publish": "true",
                "raw_file_content": csv });
            let import = new.post("/api/v1/imports", &body).expect_status(201).id();
            new.wait_for_import(&import)
        };
        let refused = published("2026-01-03");
        assert_eq!(refused["status"], "failed");
        let why = "ACME may mean several securities: the row must name one by its ticker and its \
                   MIC";
        assert_eq!(refused["error"], why);
        // A key that was revoked before can't have sent the file.
        server.run_json(&["key", "revoke", &text(&old, "id")], "");
        // Long enough before, as the clocks of nodes may differ.
        let earlier = "UPDATE api_keys SET revoked_at = revoked_at - 120000000";
        Sql::open(&server).run(earlier);
        assert_eq!(published("2026-01-04")["status"], "complete");
        let list = new.get(&format!("{PATH}?account_id={own}")).expect_status(200).json();
        assert_eq!(list["trades"][0]["security"]["exchange_operating_mic"], "XNAS", "{list}");
    }
}
