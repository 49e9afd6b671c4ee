//! What a family sets for all of its members.

use serde_json::{Value, json};

use crate::both;
use crate::support::Client;

const PATH: &str = "/api/v1/family_settings";

both! {
    fn preferences_have_defaults_and_are_changed(server) {
        let family = server.family_in("EUR");
        let before = family.api.get(PATH).expect_status(200).json();
        assert_eq!(before["month_start_day"], 1);
        assert_eq!(before["locale"], "en");
        assert_eq!(before["date_format"], "%Y-%m-%d");
        assert_eq!(before["country"], json!(null));
        assert_eq!(before["moniker"], "Family");
        assert_eq!(before["default_account_sharing"], "shared");
        assert_eq!(before["custom_enabled_currencies"], false);
        assert_eq!(before["enabled_currencies"], json!(["EUR"]));
        let wanted = json!({
            "currency": "usd", "month_start_day": 25, "locale": "pt_BR", "country": "br",
            "date_format": "%d/%m/%Y", "moniker": "Group",
        });
        let changed = family.api.patch(PATH, &wanted).expect_status(200).json();
        assert_eq!(changed["currency"], "USD");
        assert_eq!(changed["month_start_day"], 25);
        assert_eq!((&changed["locale"], &changed["country"]), (&json!("pt-BR"), &json!("BR")));
        assert_eq!(changed["date_format"], "%d/%m/%Y");
        assert_eq!(changed["timezone"], before["timezone"]);
        assert_eq!(family.api.get(PATH).json(), changed);
        let cleared = family.api.patch(PATH, &json!({ "country": null })).expect_status(200).json();
        assert_eq!(cleared["country"], json!(null));
        let wrong = json!({
            "currency": "XYZ", "month_start_day": 0, "locale": "x", "country": "ZZ",
            "date_format": "%d",
        });
        let body = family.api.patch(PATH, &wrong).expect_error(422, "validation_failed");
        assert_eq!(body["errors"].as_array().unwrap().len(), 5, "{body}");
        assert_eq!(family.api.get(PATH).json(), cleared);
        // A new account counts in what the family counts in by now; the others keep theirs.
        let account = family.account("New", "depository");
        let account = family.api.get(&format!("/api/v1/accounts/{account}")).json();
        assert_eq!(account["currency"], "USD");
    }

    fn both_wrappers_and_put_change_as_the_plain_form_does(server) {
        let family = server.family();
        for (number, wrap) in [
            |fields: Value| fields,
            |fields: Value| json!({ "family_settings": fields }),
            |fields: Value| json!({ "family": fields }),
        ]
        .into_iter()
        .enumerate()
        {
            for (method, name) in [("PATCH", "One"), ("PUT", "Two")] {
                let name = format!("{name} {number}");
                let fields = wrap(json!({ "name": name }));
                let body = fields.to_string();
                let sent = Some(("application/json", body.as_bytes()));
                let changed = family.api.request(method, PATH, sent).expect_status(200).json();
                assert_eq!(changed["name"], name, "{method} {body}");
                assert_eq!(family.api.get(PATH).expect_status(200).json(), changed);
            }
        }
        let both = json!({ "family": { "name": "A" }, "family_settings": { "name": "B" } });
        for wrong in [json!({ "family": "A" }), json!({ "family_settings": { "name": 1 } }), both] {
            family.api.patch(PATH, &wrong).expect_error(422, "validation_failed");
        }
        assert_eq!(family.api.get(PATH).json()["name"], "Two 2");
    }

    fn the_currencies_in_use_are_those_that_the_key_sees(server) {
        let family = server.family_in("USD");
        let of = |currency: &str| {
            family.account_with(json!({ "name": currency, "account_type": "depository",
                "currency": currency }))
        };
        let [euros, ..] = ["EUR", "CHF", "USD", "EUR"].map(of);
        let enabled = |client: &Client| client.get(PATH).json()["enabled_currencies"].clone();
        assert_eq!(enabled(&family.api), json!(["CHF", "EUR", "USD"]));
        let client = crate::securities::restricted(&server, &family.email, &euros);
        assert_eq!(enabled(&client), json!(["EUR", "USD"]));
    }
}
