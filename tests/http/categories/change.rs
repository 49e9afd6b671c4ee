//! Making, listing and changing categories.

use serde_json::json;

use super::{PATH, category, paths};
use crate::both;
use crate::imports::assert_whole;
use crate::support::Scope;

both! {
    fn a_category_has_every_field(server) {
        let family = server.family();
        let fields = json!({ "name": " Food ", "color": "#E07A3F", "icon": "utensils" });
        let food = family.api.post(PATH, &json!({ "category": fields })).expect_status(201).json();
        let food_id = food["id"].as_str().unwrap().to_owned();
        assert_eq!(food["name"], "Food");
        assert_eq!(food["path"], "Food");
        assert_eq!(food["color"], "#E07A3F", "as it was sent");
        assert_eq!(food["icon"], "utensils");
        assert_eq!(food["parent"], json!(null));
        assert_eq!(food["subcategories_count"], 0);
        assert_eq!(food["created_at"], food["updated_at"]);
        let bars = category(&family.api, "Bars", Some(&food_id));
        let bars = family.api.get(&format!("{PATH}/{bars}")).expect_status(200).json();
        assert_eq!(bars["path"], "Food: Bars");
        assert_eq!(bars["parent"], json!({ "id": food_id, "name": "Food" }));
        assert_eq!(bars["color"], "#E07A3F", "its parent's");
        assert_eq!(bars["icon"], "shapes", "as long as nobody chose one");
        let food = family.api.get(&format!("{PATH}/{food_id}")).expect_status(200).json();
        assert_eq!(food["subcategories_count"], 1);
    }

    fn a_category_has_the_names_that_clients_have_for_its_fields(server) {
        let family = server.family();
        let make = |fields| family.api.post(PATH, &fields).expect_status(201).json();
        let income = make(json!({ "name": "Income", "lucide_icon": "banknote", "classification": "income" }));
        assert_eq!((&income["icon"], &income["classification"]), (&json!("banknote"), &json!("income")));
        let pay = make(json!({ "name": "Pay", "parent_id": income["id"] }));
        assert_eq!(pay["classification"], "income");
        let both = make(json!({ "name": "Food", "icon": "utensils", "lucide_icon": "x" }));
        assert_eq!((&both["icon"], &both["classification"]), (&json!("utensils"), &json!("expense")));
        let path = format!("{PATH}/{}", both["id"].as_str().unwrap());
        let changed = family.api.patch(&path, &json!({ "lucide_icon": "cake" }));
        assert_eq!(changed.expect_status(200).json()["icon"], "cake");
    }

    fn categories_are_listed_by_path(server) {
        let family = server.family();
        let food = category(&family.api, "Food", None);
        category(&family.api, "Food & Drink", None);
        category(&family.api, "Bars", Some(&food));
        let auto = category(&family.api, "auto", None);
        category(&family.api, "Fuel", Some(&auto));
        let all = ["auto", "auto: Fuel", "Food", "Food: Bars", "Food & Drink"];
        assert_eq!(paths(&family.api, ""), all);
        assert_eq!(paths(&family.api, "roots_only=true"), ["auto", "Food", "Food & Drink"]);
        assert_eq!(paths(&family.api, &format!("parent_id={food}")), ["Food: Bars"]);
        assert_eq!(paths(&family.api, "name=FOOD"), ["Food", "Food: Bars", "Food & Drink"]);
        assert!(paths(&family.api, "name=%25").is_empty());
        for wrong in ["roots_only=x", "parent_id=1"] {
            family.api.get(&format!("{PATH}?{wrong}")).expect_error(422, "validation_failed");
        }
        assert!(paths(&server.family().api, "").is_empty());
    }

    fn names_are_unique_by_their_path(server) {
        let family = server.family();
        let food = category(&family.api, "Food", None);
        let fun = category(&family.api, "Fun", None);
        category(&family.api, "Other", Some(&food));
        category(&family.api, "Other", Some(&fun));
        category(&family.api, "Other", None);
        for (name, parent) in
            [(" FOOD", None), ("other", Some(&food)), ("A:B", None), ("", None), ("A：B", None)]
        {
            let fields = json!({ "category": { "name": name, "parent_id": parent } });
            family.api.post(PATH, &fields).expect_error(422, "validation_failed");
        }
        let wrong = json!({ "color": "red", "icon": 1, "parent_id": "x" });
        let body = family.api.post(PATH, &wrong).expect_error(422, "validation_failed");
        assert_eq!(body["errors"].as_array().unwrap().len(), 4, "{body}");
        category(&server.family().api, "Food", None);
    }

    fn there_are_two_levels(server) {
        let family = server.family();
        let food = category(&family.api, "Food", None);
        let bars = category(&family.api, "Bars", Some(&food));
        let fun = category(&family.api, "Fun", None);
        let move_to = |id: &str, parent: &str| {
            family.api.patch(&format!("{PATH}/{id}"), &json!({ "parent_id": parent }))
        };
        move_to(&fun, &bars).expect_error(422, "validation_failed");
        move_to(&food, &fun).expect_error(422, "validation_failed");
        move_to(&fun, &fun).expect_error(422, "validation_failed");
        let other = category(&server.family().api, "Fun", None);
        move_to(&bars, &other).expect_error(422, "validation_failed");
        let moved = move_to(&bars, &fun).expect_status(200).json();
        assert_eq!(moved["path"], "Fun: Bars");
        move_to(&food, &fun).expect_status(200);
        assert_eq!(paths(&family.api, ""), ["Fun", "Fun: Bars", "Fun: Food"]);
        let path = format!("{PATH}/{bars}");
        let root = family.api.patch(&path, &json!({ "parent_id": null })).expect_status(200);
        assert_eq!(root.json()["path"], "Bars");
    }

    fn a_new_name_goes_to_those_below(server) {
        let family = server.family();
        let food = category(&family.api, "Food", None);
        category(&family.api, "Bars", Some(&food));
        let path = format!("{PATH}/{food}");
        let body = json!({ "category": { "name": "Meals", "color": null, "icon": "soup" } });
        let body = body.to_string();
        let sent = Some(("application/json", body.as_bytes()));
        let changed = family.api.request("PUT", &path, sent).expect_status(200).json();
        assert_eq!((&changed["name"], &changed["icon"]), (&json!("Meals"), &json!("soup")));
        assert_eq!(paths(&family.api, ""), ["Meals", "Meals: Bars"]);
        // The key goes along: the name means this one for imports, too.
        category(&family.api, "Food", None);
        let taken = family.api.patch(&path, &json!({ "name": "food" }));
        taken.expect_error(422, "validation_failed");
        let same = family.api.patch(&path, &json!({})).expect_status(200).json();
        assert_eq!(same, changed);
        assert_whole(&server);
    }

    fn the_usual_ones_are_added_where_they_are_missing(server) {
        let family = server.family();
        let food = category(&family.api, "FOOD", None);
        category(&family.api, "Salary", None);
        let bootstrap = || {
            let path = format!("{PATH}/bootstrap");
            let made = family.api.request("POST", &path, None).expect_status(201).json();
            made["categories"].as_array().unwrap().len()
        };
        let made = bootstrap();
        let all = paths(&family.api, "");
        assert_eq!(all.len(), made + 2);
        for there in ["FOOD: Groceries", "Salary", "Income: Interest", "Taxes"] {
            assert!(all.contains(&there.to_owned()), "{there}: {all:?}");
        }
        assert!(!all.contains(&"Income: Salary".to_owned()));
        assert_eq!(bootstrap(), 0);
        let keyed = family.api.with_header("Idempotency-Key", "set");
        let path = format!("{PATH}/bootstrap");
        let first = keyed.request("POST", &path, None).expect_status(201);
        let again = keyed.request("POST", &path, None).expect_status(201);
        assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
        assert_eq!(again.text(), first.text());
        let own = family.api.get(&format!("{PATH}/{food}")).json();
        assert_eq!((&own["name"], &own["icon"]), (&json!("FOOD"), &json!("shapes")));
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        for (status, code, content_type, body) in [
            (422, "validation_failed", "application/json", "[]"),
            (422, "validation_failed", "application/json", "\"all\""),
            (400, "bad_request", "application/json", "{"),
            (415, "unsupported_media_type", "text/plain", "{}"),
        ] {
            let sent = Some((content_type, body.as_bytes()));
            for path in ["categories/bootstrap", "recurring_transactions/detect", "rules/run"] {
                let answer = family.api.request("POST", &format!("/api/v1/{path}"), sent);
                answer.expect_error(status, code);
            }
        }
        let nothing = Some(("application/json", b"{}".as_slice()));
        family.api.request("POST", &path, nothing).expect_status(201);
        let refused = reader.request("POST", &format!("{PATH}/bootstrap"), None);
        refused.expect_error(403, "insufficient_scope");
        assert_whole(&server);
    }
}
