//! What a family sets for all of its members.

use serde_json::json;

use crate::both;

const PATH: &str = "/api/v1/family_settings";

both! {
    fn preferences_have_defaults_and_are_changed(server) {
        let family = server.family_in("EUR");
        let before = family.api.get(PATH).expect_status(200).json();
        assert_eq!(before["month_start_day"], 1);
        assert_eq!(before["locale"], "en");
        assert_eq!(before["date_format"], "%Y-%m-%d");
        assert_eq!(before["country"], json!(null));
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
}
