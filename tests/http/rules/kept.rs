//! Making, changing, listing and deleting rules.

use serde_json::{Value, json};

use super::*;
use crate::both;
use crate::categories::category;
use crate::support::Scope;

/// Conditions or actions as they were sent, but for what the server adds to each.
fn without_ids(parts: &Value) -> Value {
    let mut parts = parts.clone();
    for part in parts.as_array_mut().unwrap() {
        for name in ["id", "created_at", "updated_at"] {
            assert!(part.as_object_mut().unwrap().remove(name).unwrap().is_string(), "{name}");
        }
        if part["sub_conditions"].is_array() {
            part["sub_conditions"] = without_ids(&part["sub_conditions"]);
        }
    }
    parts
}

both! {
    fn a_rule_is_shown_as_it_was_sent(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let body = json!({
            "name": " Groceries ", "effective_date": "2026-01-01",
            "conditions": [
                { "condition_type": "transaction_account", "operator": "=", "value": "checking" },
                { "condition_type": "compound", "operator": "or", "sub_conditions": [
                    { "condition_type": "transaction_amount", "operator": ">=", "value": "10.10" },
                    { "condition_type": "transaction_notes", "operator": "is_null" }
                ] }
            ],
            "actions": [
                { "action_type": "set_transaction_category", "value": "Food:Groceries" },
                { "action_type": "exclude_transaction" }
            ],
        });
        let made = family.api.post(PATH, &body).expect_status(201).json()["data"].clone();
        assert_eq!(made["name"], "Groceries");
        assert_eq!((&made["active"], &made["position"]), (&json!(true), &json!(1)));
        assert_eq!(made["inactive_reason"], json!(null));
        assert_eq!(made["effective_date"], "2026-01-01");
        assert_eq!(without_ids(&made["conditions"]), json!([
            { "condition_type": "transaction_account", "operator": "=", "value": account,
                "value_ref": { "type": "Account", "id": account, "name": "Checking" },
                "sub_conditions": [] },
            { "condition_type": "compound", "operator": "or", "value": null, "value_ref": null,
                "sub_conditions": [
                    { "condition_type": "transaction_amount", "operator": ">=", "value": "10.10",
                        "value_ref": null, "sub_conditions": [] },
                    { "condition_type": "transaction_notes", "operator": "is_null", "value": null,
                        "value_ref": null, "sub_conditions": [] },
                ] },
        ]));
        assert_eq!(made["actions"][0]["value_ref"]["name"], "Food: Groceries");
        assert_eq!(without_ids(&made["actions"])[1], json!({
            "action_type": "exclude_transaction", "value": null, "value_ref": null
        }));
        let mut ids = [&made["conditions"][0], &made["conditions"][1], &made["actions"][0],
            &made["actions"][1], &made["conditions"][1]["sub_conditions"][0],
            &made["conditions"][1]["sub_conditions"][1]].map(|part| part["id"].as_str().unwrap());
        ids.sort_unstable();
        assert!(ids.windows(2).all(|two| two[0] != two[1]), "{ids:?}");
        assert_eq!(family.api.get(&path(&made, "")).expect_status(200).json()["data"], made);
        // What was answered can be sent.
        let again = family.api.request("PUT", &path(&made, ""),
            Some(("application/json", made.to_string().as_bytes())));
        assert_eq!(again.expect_status(200).json()["data"], made);
    }

    fn every_problem_is_named_and_nothing_is_created(server) {
        let family = server.family();
        let body = json!({
            "name": "a\u{1}", "active": "maybe", "resource_type": "account",
            "effective_date": "soon", "position": 0,
            "conditions": [{ "condition_type": "transaction_name", "operator": ">", "value": "x" }],
            "actions": [{ "action_type": "set_transaction_tags", "value": "Fun" },
                { "action_type": "auto_categorize" }],
        });
        let refused = family.api.post(PATH, &body).expect_error(422, "validation_failed");
        assert_eq!(refused["errors"].as_array().unwrap().len(), 7, "{refused}");
        let without = json!({ "conditions": [] });
        let refused = family.api.post(PATH, &without).expect_error(422, "validation_failed");
        assert_eq!(refused["errors"], json!(["The actions must have at least one entry"]));
        assert_eq!(family.api.get("/api/v1/tags").expect_status(200).json(), json!([]));
        assert_eq!(family.api.get(PATH).json()["meta"]["total_count"], 0);
    }

    fn a_name_that_several_categories_have_is_refused_with_their_paths(server) {
        let family = server.family();
        let top = category(&family.api, "Groceries", None);
        let food = category(&family.api, "Food", None);
        let below = category(&family.api, "Groceries", Some(&food));
        let refused = |conditions: Value, actions: Value| {
            let body = json!({ "conditions": conditions, "actions": actions });
            let body = family.api.post(PATH, &body).expect_error(422, "validation_failed");
            body["message"].as_str().unwrap().to_owned()
        };
        let several = "several categories are called groceries (Food: Groceries; Groceries)";
        let hint = "send the id, or the path of one that is below another";
        let sentence = refused(json!([]), categorise("groceries"));
        assert_eq!(sentence, format!("The actions[0].value is ambiguous: {several}; {hint}"));
        let condition = json!([{
            "condition_type": "transaction_category", "operator": "=", "value": "groceries",
        }]);
        let sentence = refused(condition, rename("x"));
        assert_eq!(sentence, format!("The conditions[0].value is ambiguous: {several}; {hint}"));
        for (name, id) in [("food:groceries", &below), (top.as_str(), &top)] {
            let body = json!({ "conditions": [], "actions": categorise(name) });
            let made = family.api.post(PATH, &body).expect_status(201).json()["data"].clone();
            assert_eq!(made["actions"][0]["value"], json!(id), "{name}");
        }
        // What is above is of the first level, whatever is called so below another.
        let body = json!({ "conditions": [], "actions": categorise("Groceries: Fruit") });
        let made = family.api.post(PATH, &body).expect_status(201).json()["data"].clone();
        assert_eq!(made["actions"][0]["value_ref"]["name"], "Groceries: Fruit");
    }

    fn rules_are_listed_in_the_order_in_which_they_run(server) {
        let family = server.family();
        let [one, two, three] = ["one", "two", "three"].map(|like| {
            make(&family.api, like, rename("x"))
        });
        let change = json!({ "position": 1 });
        family.api.patch(&path(&three, ""), &change).expect_status(200);
        family.api.patch(&path(&two, ""), &json!({ "active": false })).expect_status(200);
        let list = |query: &str| -> Vec<String> {
            let listed = family.api.get(&format!("{PATH}?{query}")).expect_status(200).json();
            let data = listed["data"].as_array().unwrap();
            data.iter().map(|rule| rule["name"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(list(""), ["On one", "On three", "On two"]);
        assert_eq!(list("active=true"), ["On one", "On three"]);
        assert_eq!(list("active=0&resource_type=transaction"), ["On two"]);
        assert_eq!(list("per_page=1&page=2"), ["On three"]);
        family.api.get(&format!("{PATH}?active=x&page=1")).expect_error(422, "validation_failed");
        family.api.delete(&path(&one, "")).expect_status(200);
        family.api.get(&path(&one, "")).expect_error(404, "not_found");
        family.api.delete(&path(&one, "")).expect_error(404, "not_found");
        assert_eq!(list(""), ["On three", "On two"]);
    }

    fn deleting_what_a_rule_names_switches_it_off(server) {
        let family = server.family();
        let rule = make(&family.api, "shop", categorise("Food"));
        let category = rule["actions"][0]["value"].as_str().unwrap();
        family.api.delete(&format!("/api/v1/categories/{category}")).expect_status(200);
        let shown = family.api.get(&path(&rule, "")).expect_status(200).json()["data"].clone();
        assert_eq!(shown["active"], false);
        let reason = "An action names a category that does not exist any more";
        assert_eq!(shown["inactive_reason"], reason);
        assert_eq!(shown["actions"][0]["value_ref"]["name"], json!(null));
        let refused = family.api.request("POST", &path(&rule, "/run"), None);
        assert_eq!(refused.expect_error(409, "rule_not_runnable")["message"], reason);
        let on = json!({ "active": true });
        family.api.patch(&path(&rule, ""), &on).expect_error(422, "validation_failed");
        let mended = json!({ "active": true, "actions": categorise("Food") });
        let mended = family.api.patch(&path(&rule, ""), &mended).expect_status(200).json();
        assert_eq!((&mended["data"]["active"], &mended["data"]["inactive_reason"]),
            (&json!(true), &json!(null)));
    }

    fn a_restricted_key_knows_of_no_rules(server) {
        let family = server.family();
        family.account("Open", "depository");
        let rule = make(&family.api, "shop", rename("x"));
        let run = run(&family.api, &rule);
        let made = server.run_json(
            &["key", "add", "--user", &family.email, "--name", "k", "--scope", "read_write",
                "--account", "Open"],
            "",
        );
        let client = server.client().with_key(made["key"].as_str().unwrap());
        assert_eq!(client.get(PATH).expect_status(200).json()["data"], json!([]));
        assert_eq!(client.get(RUNS).expect_status(200).json()["meta"]["total_count"], 0);
        client.get(&path(&rule, "")).expect_error(404, "not_found");
        client.get(&path(&rule, "/preview")).expect_error(404, "not_found");
        let run = format!("{RUNS}/{}", run["id"].as_str().unwrap());
        client.get(&run).expect_error(404, "not_found");
        let body = json!({ "actions": rename("y") });
        client.post(PATH, &body).expect_error(403, "restricted_key");
        client.post(&format!("{PATH}/preview"), &body).expect_error(403, "restricted_key");
        client.patch(&path(&rule, ""), &body).expect_error(404, "not_found");
        client.delete(&path(&rule, "")).expect_error(404, "not_found");
        let all = format!("{PATH}/run");
        client.request("POST", &all, None).expect_error(403, "restricted_key");
        client.request("POST", &path(&rule, "/run"), None).expect_error(404, "not_found");
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        reader.get(&path(&rule, "/preview")).expect_status(200);
        reader.post(PATH, &body).expect_error(403, "insufficient_scope");
    }
}
