//! What a family sets for all of its members.

use serde_json::json;

use super::SETTINGS;
use crate::both;
use crate::support::Scope;

both! {
    fn settings_are_read_and_changed(server) {
        let family = server.family_in("EUR");
        let settings = family.api.get(SETTINGS).expect_status(200).json();
        assert_eq!(settings["currency"], "EUR");
        assert_eq!(settings["transfer_matching"], "automatic");
        assert_eq!(settings["created_at"], settings["updated_at"]);
        let wanted = json!({
            "name": " The Smiths ", "timezone": "europe/rome", "transfer_matching": "off",
        });
        let changed = family.api.patch(SETTINGS, &wanted).expect_status(200).json();
        assert_eq!(changed["name"], "The Smiths");
        assert_eq!(changed["timezone"], "Europe/Rome");
        assert_eq!(changed["transfer_matching"], "off");
        assert_eq!(changed["currency"], "EUR", "what isn't named stays");
        assert_eq!(changed["id"], settings["id"]);
        assert_ne!(changed["updated_at"], settings["updated_at"]);
        assert_eq!(family.api.get(SETTINGS).json(), changed);
        assert_eq!(family.api.patch(SETTINGS, &json!({})).expect_status(200).json(), changed);
        let wrong = json!({ "name": 1, "timezone": "Mars", "transfer_matching": "no" });
        let body = family.api.patch(SETTINGS, &wrong).expect_error(422, "validation_failed");
        assert_eq!(body["errors"].as_array().unwrap().len(), 3);
        family.api.patch(SETTINGS, &json!({ "name": " " })).expect_error(422, "validation_failed");
        assert_eq!(family.api.get(SETTINGS).json(), changed);
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        assert_eq!(reader.get(SETTINGS).expect_status(200).json(), changed);
        reader.patch(SETTINGS, &wanted).expect_error(403, "insufficient_scope");
    }

    fn the_command_line_sets_the_same(server) {
        let family = server.family();
        let set = server.run_json(
            &["family", "set", "--user", &family.email, "--transfer-matching", "propose"],
            "",
        );
        assert_eq!(set["transfer_matching"], "propose");
        assert_eq!(family.api.get(SETTINGS).json()["transfer_matching"], "propose");
        let shown = server.run_json(&["family", "show", "--user", &family.email], "");
        assert_eq!(shown, set);
    }
}
