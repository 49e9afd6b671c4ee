//! Prices of securities: stated by hand and in files, and asked of a feed.

mod feed;

use serde_json::{Value, json};

use crate::both;
use crate::securities::{restricted, security};
use crate::support::{Client, Multipart};

const PATH: &str = "/api/v1/security_prices";
const IMPORT: &str = "/api/v1/security_prices/import";

#[track_caller]
fn listed(client: &Client, query: &str) -> Vec<String> {
    let body = client.get(&format!("{PATH}?{query}")).expect_status(200).json();
    let shown = |one: &Value| {
        let text = |field: &str| one[field].as_str().unwrap().to_owned();
        let ticker = one["security"]["ticker"].as_str().unwrap();
        format!(
            "{} {ticker} {} {} {}",
            text("date"),
            text("price_decimal"),
            text("currency"),
            text("source")
        )
    };
    body["security_prices"].as_array().unwrap().iter().map(shown).collect()
}

both! {
    fn a_price_is_stated_replaced_changed_and_removed(server) {
        let family = server.family();
        let id = security(&family.api, &json!({ "ticker": "VTI", "currency": "USD" }));
        let price = json!({ "security_id": id, "date": "2026-01-05", "price": 260.5 });
        let made = family.api.post(PATH, &json!({ "security_price": price })).expect_status(201);
        let body = made.json();
        for (field, value) in [
            ("date", json!("2026-01-05")), ("price", json!("$260.50")),
            ("price_decimal", json!("260.5")), ("price_amount", json!("260.5000")),
            ("provisional", json!(false)), ("currency", json!("USD")),
            ("source", json!("manual")),
            ("security", json!({ "id": id, "ticker": "VTI", "exchange_operating_mic": null,
                "name": null })),
        ] {
            assert_eq!(body[field], value, "{field}");
        }
        let path = format!("{PATH}/{}", made.id());
        assert_eq!(family.api.get(&path).expect_status(200).json(), body);
        let again = json!({ "security_id": id, "date": "2026-01-05", "currency": "usd",
            "price": "0.000000000000000012" });
        let again = family.api.post(PATH, &again).expect_status(200);
        assert_eq!(again.id(), made.id());
        assert_eq!(again.json()["price_decimal"], "0.000000000000000012");
        assert_eq!(again.json()["price_amount"], "0.000000000000000012");
        assert_eq!(listed(&family.api, "provisional=false").len(), 1);
        assert_eq!(listed(&family.api, "provisional=true"), Vec::<String>::new());
        for wrong in ["provisional=", "provisional=x", "provisional=true&provisional=true"] {
            let refused = family.api.get(&format!("{PATH}?{wrong}"));
            refused.expect_error(422, "validation_failed");
        }
        for (price, sentence) in [
            (json!("1,5"), "The price must be a decimal number such as 1.25"),
            (json!("9".repeat(30)), "The price must have at most 28 digits"),
            (json!("0.0000000000000000001"), "The price must have at most 18 decimals"),
        ] {
            let wrong = json!({ "security_id": id, "date": "2026-01-05", "price": price });
            let refused = family.api.post(PATH, &wrong).expect_error(422, "validation_failed");
            assert_eq!(refused["message"], sentence);
        }
        let euros = json!({ "security_id": id, "date": "2026-01-05", "currency": "EUR", "price": 240 });
        let euros = family.api.post(PATH, &euros).expect_status(201);
        let onto = json!({ "currency": "USD" });
        let taken = family.api.patch(&format!("{PATH}/{}", euros.id()), &onto);
        taken.expect_error(422, "validation_failed");
        let moved = json!({ "date": "2026-01-06", "price": "241" });
        let moved = family.api.put(&format!("{PATH}/{}", euros.id()), &moved).expect_status(200);
        assert_eq!(moved.json()["price"], "€241.00");
        assert_eq!(listed(&family.api, ""), [
            "2026-01-06 VTI 241.0 EUR manual",
            "2026-01-05 VTI 0.000000000000000012 USD manual",
        ]);
        family.api.delete(&path).expect_status(200);
        family.api.get(&path).expect_error(404, "not_found");
    }

    fn problems_of_a_price_are_reported_at_once(server) {
        let family = server.family();
        let id = security(&family.api, &json!({ "ticker": "X" }));
        let body = family.api.post(PATH, &json!({})).expect_error(422, "validation_failed");
        assert_eq!(body["errors"], json!([
            "The security_id is required", "Date is required", "The price is required",
        ]));
        let plain = json!({ "security_id": id, "date": "2026-01-05", "price": "1" });
        let body = family.api.post(PATH, &plain).expect_error(422, "validation_failed");
        assert_eq!(body["errors"],
            json!(["The currency is required: neither the security nor a trade of it has one"]));
        // A trade shows in which currency the security is traded.
        let broker = crate::trades::broker(&family, "Broker", "0");
        crate::trades::trade(&family.api, &broker, "buy", "2026-01-02", json!({ "ticker": "X",
            "exchange_operating_mic": "", "qty": "1", "price": "1", "currency": "EUR" }));
        let made = family.api.post(PATH, &plain).expect_status(201).json();
        assert_eq!(made["currency"], "EUR");
        for (field, value) in [
            ("price", json!("0")), ("price", json!(-1)), ("price", json!("1,5")),
            ("price", json!("1.0000000000000000001")), ("date", json!("2026-02-30")),
            ("date", json!("1899-12-31")), ("currency", json!("XXY")), ("security_id", json!("x")),
        ] {
            let mut price = json!({ "security_id": id, "date": "2026-01-05", "price": 1,
                "currency": "USD" });
            price[field] = value;
            let body = family.api.post(PATH, &price).expect_error(422, "validation_failed");
            assert_eq!(body["errors"].as_array().unwrap().len(), 1, "{body}");
        }
    }

    fn files_are_taken_all_or_none(server) {
        let family = server.family();
        let id = security(&family.api, &json!({ "ticker": "VTI", "currency": "USD" }));
        security(&family.api, &json!({ "ticker": "BTC" }));
        let stated = json!({ "security_id": id, "date": "2026-01-06", "price": "262" });
        family.api.post(PATH, &stated).expect_status(201);
        let wrong = "date,ticker,price,currency\n2026-01-05,VTI,260.5,USD\n2026-01-05,XXX,1,USD\n\
            2026-01-05,BTC,1,\n2026-01-05,VTI,261,USD\n1850-01-01,VTI,1,USD\n";
        let days = family.api.post(IMPORT, &json!({ "raw_file_content": wrong }));
        let body = days.expect_error(422, "validation_failed");
        assert!(body["errors"][0].as_str().unwrap().starts_with("Line 6: 1850-01-01"), "{body}");
        let wrong = wrong.replace("1850-01-01", "2026-01-07");
        let body = family.api.post(IMPORT, &json!({ "raw_file_content": wrong }));
        assert_eq!(body.expect_error(422, "validation_failed")["errors"], json!([
            "Line 3: no security is traded as XXX",
            "Line 4: neither the file nor the security nor a trade of it has a currency",
            "Line 5: the same day as line 2",
        ]));
        assert_eq!(listed(&family.api, "").len(), 1, "nothing of it");
        let csv = "symbol;date;close\nvti;2026-01-05;260.5\nVTI;2026-01-06;261\n";
        let form = Multipart::new().file("file", "p.csv", "text/csv", csv.as_bytes());
        let made = family.api.post_form(IMPORT, &form).expect_status(201).json();
        assert_eq!(made, json!({ "added": 1, "changed": 0, "unchanged": 0, "kept": 1 }));
        let csv = "symbol,date,close\nvti,2026-01-05,260.75\n";
        let sent = Some(("text/csv", csv.as_bytes()));
        let made = family.api.request("POST", IMPORT, sent).expect_status(201).json();
        assert_eq!(made, json!({ "added": 0, "changed": 1, "unchanged": 0, "kept": 0 }));
        assert_eq!(listed(&family.api, ""), [
            "2026-01-06 VTI 262.0 USD manual", "2026-01-05 VTI 260.75 USD file",
        ]);
        assert_eq!(listed(&family.api, "source=file"), ["2026-01-05 VTI 260.75 USD file"]);
        assert_eq!(listed(&family.api, "start_date=2026-01-06"), ["2026-01-06 VTI 262.0 USD manual"]);
        for (body, code) in [
            (json!({}), "missing_content"),
            (json!({ "raw_file_content": "a,b\n1,2\n" }), "validation_failed"),
        ] {
            family.api.post(IMPORT, &body).expect_error(422, code);
        }
        let sent = Some(("text/plain", csv.as_bytes()));
        let refused = family.api.request("POST", IMPORT, sent);
        refused.expect_error(415, "unsupported_media_type");
    }

    fn an_import_that_is_sent_again_has_one_effect(server) {
        let family = server.family();
        security(&family.api, &json!({ "ticker": "VTI", "currency": "USD" }));
        let client = family.api.with_header("Idempotency-Key", "once");
        let body = json!({ "raw_file_content": "date,ticker,price\n2026-01-05,VTI,1\n" });
        let first = client.post(IMPORT, &body).expect_status(201);
        let again = client.post(IMPORT, &body).expect_status(201);
        assert_eq!((again.text(), again.header("Idempotency-Replayed")), (first.text(), Some("true")));
        let other = json!({ "raw_file_content": "date,ticker,price\n2026-01-05,VTI,2\n" });
        client.post(IMPORT, &other).expect_error(422, "idempotency_key_reused");
    }

    fn the_command_line_takes_the_same_files(server) {
        let family = server.family();
        security(&family.api, &json!({ "ticker": "VTI", "currency": "USD" }));
        let path = server.data_folder().join("prices.csv");
        std::fs::write(&path, "date,ticker,price\n2026-01-05,VTI,260.5\n").unwrap();
        let made = server.run_json(
            &["prices", "import", path.to_str().unwrap(), "--user", &family.email], "",
        );
        assert_eq!(made, json!({ "added": 1, "changed": 0, "unchanged": 0, "kept": 0 }));
        assert_eq!(listed(&family.api, ""), ["2026-01-05 VTI 260.5 USD file"]);
    }

    fn a_restricted_key_sees_prices_of_what_its_accounts_hold(server) {
        let family = server.family();
        let open = family.account("Open", "investment");
        let [held, secret] = ["HELD", "SECRET"]
            .map(|ticker| security(&family.api, &json!({ "ticker": ticker, "currency": "USD" })));
        let trade = json!({ "trade": { "account_id": open, "date": "2026-01-05", "type": "buy",
            "ticker": "HELD", "qty": "2", "price": "10" } });
        family.api.post("/api/v1/trades", &trade).expect_status(201);
        let made = [&held, &secret].map(|id| {
            let price = json!({ "security_id": id, "date": "2026-01-06", "price": 11 });
            family.api.post(PATH, &price).expect_status(201).id()
        });
        let key = restricted(&server, &family.email, &open);
        assert_eq!(listed(&key, ""), ["2026-01-06 HELD 11.0 USD manual"]);
        key.get(&format!("{PATH}/{}", made[0])).expect_status(200);
        key.get(&format!("{PATH}/{}", made[1])).expect_error(404, "not_found");
        key.delete(&format!("{PATH}/{}", made[0])).expect_error(403, "restricted_key");
        for path in [PATH, IMPORT] {
            key.post(path, &json!({})).expect_error(403, "restricted_key");
        }
    }
}
