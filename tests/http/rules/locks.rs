//! What a person has set stays, until it is unlocked.

use serde_json::json;

use super::*;
use crate::both;

both! {
    fn what_a_person_sets_is_locked(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        family.import(&account, "date,amount,name\n2026-01-02,-5,Shop\n");
        let shop = named(&family.api, "Shop");
        assert_eq!(shop["locked_attributes"], json!([]));
        let path = format!("/api/v1/transactions/{}", shop["id"].as_str().unwrap());
        let patch = |body: Value| family.api.patch(&path, &body).expect_status(200).json();
        let locked = |body: Value| patch(body)["locked_attributes"].clone();
        assert_eq!(locked(json!({ "name": "Shop" })), json!([]), "that is no change");
        assert_eq!(locked(json!({ "name": "Mine" })), json!(["name"]));
        assert_eq!(locked(json!({ "notes": "n", "amount": "6" })), json!(["name", "notes", "amount"]));
        assert_eq!(locked(json!({ "unlock": ["amount", "notes"] })), json!(["name"]));
        assert_eq!(locked(json!({ "date": "2026-01-03", "unlock": ["date"] })), json!(["name"]));
        let refused = family.api.patch(&path, &json!({ "unlock": ["mood"] }));
        refused.expect_error(422, "validation_failed");
        crate::imports::assert_whole(&server);
    }

    fn what_a_person_sends_at_once_is_locked_too(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let fun = json!({ "category": { "name": "Fun" } });
        let fun = family.api.post("/api/v1/categories", &fun).expect_status(201).id();
        let create = |name: &str, more: serde_json::Value| {
            let mut fields = json!({ "account_id": account, "date": "2026-01-02", "amount": "5",
                "name": name });
            fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let body = json!({ "transaction": fields });
            family.api.post("/api/v1/transactions", &body).expect_status(201).json()
        };
        let own = create("Shop one", json!({ "category_id": fun }));
        assert_eq!(own["locked_attributes"], json!(["name", "category", "date", "amount"]));
        // A client passes on the fields of a source: the name may be replaced.
        let created = create("Shop two", json!({ "external_id": "2", "category_id": fun }));
        assert_eq!(created["locked_attributes"], json!(["category"]));
        let mut actions = categorise("Food");
        actions.as_array_mut().unwrap().push(rename("Groceries")[0].clone());
        let rule = make(&family.api, "shop", actions);
        run(&family.api, &rule);
        let shown = |made: &serde_json::Value| {
            let path = format!("/api/v1/transactions/{}", made["id"].as_str().unwrap());
            let shown = family.api.get(&path).expect_status(200).json();
            (shown["name"].clone(), shown["category"]["name"].clone())
        };
        assert_eq!(shown(&own), (json!("Shop one"), json!("Fun")));
        assert_eq!(shown(&created), (json!("Groceries"), json!("Fun")));
        crate::imports::assert_whole(&server);
    }

    fn rules_and_imports_leave_locked_fields_alone(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let csv = "date,amount,name\n2026-01-02,-5,Shop one\n2026-01-03,-6,Shop two\n";
        family.import(&account, csv);
        let one = named(&family.api, "one");
        let path = format!("/api/v1/transactions/{}", one["id"].as_str().unwrap());
        let fun = json!({ "category": { "name": "Fun" } });
        let fun = family.api.post("/api/v1/categories", &fun).expect_status(201).id();
        // A person clears the category.
        family.api.patch(&path, &json!({ "category_id": fun })).expect_status(200);
        family.api.patch(&path, &json!({ "category_id": null })).expect_status(200);
        let mut actions = categorise("Food");
        actions.as_array_mut().unwrap().push(rename("Groceries")[0].clone());
        let rule = make(&family.api, "shop", actions);
        let preview = family.api.get(&super::path(&rule, "/preview")).expect_status(200).json();
        let preview = &preview["data"];
        assert_eq!((&preview["matched_count"], &preview["changed_count"]), (&json!(2), &json!(2)));
        assert_eq!(preview["locked_count"], 1);
        let examples = preview["transactions"].as_array().unwrap();
        assert_eq!(examples[1]["locked_attributes"], json!(["category"]));
        assert_eq!(examples[0]["changes"], json!([
            { "field": "category", "before": null, "after": "Food" },
            { "field": "name", "before": "Shop two", "after": "Groceries" },
        ]));
        let run = run(&family.api, &rule);
        assert_eq!((&run["transactions_processed"], &run["transactions_modified"]),
            (&json!(2), &json!(2)));
        let shown = family.api.get(&path).expect_status(200).json();
        assert_eq!((&shown["name"], &shown["category"]), (&json!("Groceries"), &json!(null)));
        // The same file again, with a category: the empty one stays empty.
        let csv = "date,amount,name,category\n2026-01-02,-5,Shop one,Fun\n";
        let import = family.import(&account, csv);
        assert_eq!(import["plan"]["matched_count"], 1, "{import}");
        let shown = family.api.get(&path).expect_status(200).json();
        assert_eq!(shown["category"], json!(null));
        assert_eq!(shown["locked_attributes"], json!(["category"]));
        crate::imports::assert_whole(&server);
    }
}
