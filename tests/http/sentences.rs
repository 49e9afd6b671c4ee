//! How refusals are worded. That every refused answer of any test is worded so is checked by the
//! client of the tests.

use serde_json::{Value, json};

use crate::both;
use crate::support::sentences::judge;

#[test]
fn wording_is_judged() {
    let judge_text = |text: &str| judge(&json!({ "error": "x", "message": text }));
    let right = [
        "The name is required",
        "The file is larger than 10 MiB",
        "2 rows are off",
        "\"x\" is off",
    ];
    for text in right {
        assert_eq!(judge_text(text), Ok(()));
    }
    let wrong = ["", "the name is required", "name is required", "It is required.", "Over 10 MB"];
    for text in wrong {
        judge_text(text).expect_err(text);
    }
    let body = json!({ "message": "The first", "errors": ["The first", "second"] });
    judge(&body).expect_err("the second one");
}

/// A request with a value of a wrong form: the field, and the valid value that the refusal shows.
struct Wrong {
    method: &'static str,
    path: String,
    body: Option<Value>,
    field: &'static str,
    shown: &'static str,
}

fn queries() -> impl Iterator<Item = Wrong> {
    let id = "01900000-0000-7000-8000-000000000000";
    [
        ("transactions?account_id=7", "account_id", id),
        ("transactions?tag_ids=7", "tag_ids", id),
        ("transactions?start_date=31.01.2026", "start_date", "2026-01-31"),
        ("transactions?min_amount=1e3", "min_amount", "12.50"),
        ("valuations?end_date=2026-1-1", "end_date", "2026-01-31"),
        ("balances?currency=dollar", "currency", "USD"),
        ("exchange_rates?base=dollar", "base", "USD"),
        ("reports/gains?year=next", "year", "2026"),
        ("reports/cash_flow?start_date=soon", "start_date", "2026-01-31"),
        ("rule_runs?start_executed_at=2026-01-01", "start_executed_at", "2026-01-15T10:30:00Z"),
    ]
    .into_iter()
    .map(|(path, field, shown)| {
        let path = format!("/api/v1/{path}");
        Wrong { method: "GET", path, body: None, field, shown }
    })
}

fn bodies(account: &str) -> impl Iterator<Item = Wrong> {
    let transaction = |name: &str, value: &str| {
        let mut fields =
            json!({ "account_id": account, "date": "2026-01-31", "amount": "1", "name": "Kiosk" });
        fields[name] = value.into();
        fields
    };
    let valuation = |name: &str, value: &str| {
        let mut fields = json!({ "account_id": account, "date": "2026-01-31", "amount": "1" });
        fields[name] = value.into();
        json!({ "valuation": fields })
    };
    let rate = |name: &str, value: &str| {
        let mut fields =
            json!({ "base": "EUR", "quote": "USD", "date": "2026-01-31", "rate": "1" });
        fields[name] = value.into();
        fields
    };
    let hook = json!({ "url": "hooks.example", "events": ["sync.failed"],
        "secret": "0123456789abcdef" });
    [
        ("POST transactions", transaction("date", "31.01.2026"), "date", "2026-01-31"),
        ("POST transactions", transaction("amount", "1,5"), "amount", "12.50"),
        ("POST transactions", transaction("currency", "dollar"), "currency", "USD"),
        ("POST valuations", valuation("date", "2026-01-31T00:00:00Z"), "date", "2026-01-31"),
        ("POST valuations", valuation("amount", "1.5e3"), "amount", "12.50"),
        ("POST tags", json!({ "name": "Fun", "color": "red" }), "color", "#4f63c6"),
        ("POST categories", json!({ "name": "Fun", "color": "#12345" }), "color", "#4f63c6"),
        (
            "POST accounts",
            json!({ "name": "A", "account_type": "crypto", "currency": "dollar" }),
            "currency",
            "USD",
        ),
        ("POST exchange_rates", rate("rate", "much"), "rate", "1.25"),
        ("POST exchange_rates", rate("quote", "dollar"), "quote", "USD"),
        ("POST exchange_rates", rate("date", "today"), "date", "2026-01-31"),
        ("POST budgets", json!({ "month": "January" }), "month", "2026-01"),
        ("POST webhooks", hook, "url", "https://hooks.example/purser"),
        ("PATCH family_settings", json!({ "timezone": "Mars" }), "timezone", "Europe/Berlin"),
        ("PATCH family_settings", json!({ "date_format": "%d" }), "date_format", "%d.%m.%Y"),
        ("PATCH family_settings", json!({ "country": "ZZ" }), "country", "DE"),
        ("PATCH family_settings", json!({ "locale": "english" }), "locale", "pt-BR"),
        ("PATCH family_settings", json!({ "currency": "XXY" }), "currency", "USD"),
    ]
    .into_iter()
    .map(|(operation, body, field, shown)| {
        let (method, path) = operation.split_once(' ').expect("a method and a path");
        Wrong { method, path: format!("/api/v1/{path}"), body: Some(body), field, shown }
    })
}

both! {
    fn a_refused_form_shows_a_valid_one(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        for wrong in queries().chain(bodies(&account)) {
            let Wrong { method, path, body, field, shown } = wrong;
            let text = body.as_ref().map(Value::to_string);
            let sent = text.as_ref().map(|text| ("application/json", text.as_bytes()));
            let refused = family.api.request(method, &path, sent).expect_error(422, "validation_failed");
            let message = refused["message"].as_str().expect("a sentence");
            let case = format!("{method} {path} {text:?}: {message}");
            assert!(message.contains(field), "{case}: no {field}");
            assert!(message.contains(shown), "{case}: no {shown}");
        }
    }

    /// Limits on sizes are shown in MiB.
    fn a_limit_is_shown_in_mebibytes(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let cell = "x".repeat(11 << 20);
        let csv = format!("Date,Amount,Name\n2026-01-31,1,{cell}\n");
        let body = json!({ "account_id": account, "raw_file_content": csv });
        let refused = family.api.post("/api/v1/imports", &body).expect_status(422).json();
        assert!(refused["message"].as_str().is_some_and(|text| text.contains("10 MiB")), "{refused}");
    }
}
