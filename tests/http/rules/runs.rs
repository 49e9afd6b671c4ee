//! Runs that somebody asks for.

use serde_json::json;

use super::*;
use crate::both;

const CSV: &str = "date,amount,name\n2026-01-02,-5,Shop\n2026-01-03,-6,Bar\n2026-01-04,9,Pay\n";

both! {
    fn a_preview_of_a_new_rule_changes_nothing(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        family.import(&account, CSV);
        let body = json!({ "rule": { "conditions": [
            { "condition_type": "transaction_type", "operator": "=", "value": "expense" }
        ], "actions": categorise("Going out") } });
        let found = family.api.post(&format!("{PATH}/preview"), &body).expect_status(200).json();
        let found = &found["data"];
        assert_eq!((&found["matched_count"], &found["changed_count"]), (&json!(2), &json!(2)));
        assert_eq!((&found["looked_at_count"], &found["is_complete"]), (&json!(3), &json!(true)));
        assert_eq!(found["created_names"], json!(["Going out"]));
        let first = &found["transactions"][0];
        assert_eq!((&first["name"], &first["amount_decimal"]), (&json!("Bar"), &json!("6.00")));
        assert_eq!(first["account_id"], account);
        let categories = family.api.get("/api/v1/categories").expect_status(200).json();
        assert_eq!(categories["categories"], json!([]));
        let wrong = json!({ "actions": [{ "action_type": "fly" }] });
        let refused = family.api.post(&format!("{PATH}/preview"), &wrong);
        refused.expect_error(422, "validation_failed");
        assert_eq!(family.api.get(PATH).json()["meta"]["total_count"], 0);
    }

    fn all_rules_run_in_their_order(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        family.import(&account, CSV);
        assert_eq!(
            family.api.request("POST", &format!("{PATH}/run"), None).expect_status(202).json(),
            json!({ "data": [] }),
            "there is none"
        );
        let out = make(&family.api, "bar", rename("Going out"));
        let off = make(&family.api, "pay", rename("x"));
        family.api.patch(&path(&off, ""), &json!({ "active": false })).expect_status(200);
        let fun = make(&family.api, "going out", categorise("Fun"));
        let begun = family.api.request("POST", &format!("{PATH}/run"), None).expect_status(202);
        let begun = begun.json()["data"].as_array().unwrap().clone();
        let rules: Vec<_> = begun.iter().map(|run| &run["rule_id"]).collect();
        assert_eq!(rules, [&out["id"], &fun["id"]]);
        for begun in &begun {
            let run = wait(&family.api, begun["id"].as_str().unwrap());
            assert_eq!((&run["status"], &run["execution_type"]), (&json!("success"), &json!("manual")));
            assert_eq!(run["transactions_modified"], 1, "{run}");
            assert!(run["finished_at"].is_string() && run["rule"]["active"] == true);
            assert_eq!(run["transactions_queued"], run["transactions_processed"]);
            assert_eq!(run["pending_jobs_count"], 0);
            assert_eq!((&run["created_at"], &run["updated_at"]), (&run["executed_at"], &run["finished_at"]));
        }
        let shown = named(&family.api, "Going");
        assert_eq!(shown["category"]["name"], "Fun");
        assert_eq!(names(&family.api), ["Going out", "Pay", "Shop"]);
        crate::imports::assert_whole(&server);
    }

    fn runs_are_listed_newest_first_and_outlive_their_rules(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let rule = make(&family.api, "shop", rename("x"));
        family.import(&account, CSV);
        let manual = run(&family.api, &rule);
        assert_eq!(manual["transactions_processed"], 0, "the import did it");
        family.api.delete(&path(&rule, "")).expect_status(200);
        let list = |query: &str| -> Vec<String> {
            let listed = family.api.get(&format!("{RUNS}?{query}")).expect_status(200).json();
            let data = listed["data"].as_array().unwrap();
            data.iter().map(|run| run["execution_type"].as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(list(""), ["manual", "scheduled"]);
        assert_eq!(list("execution_type=scheduled"), ["scheduled"]);
        assert_eq!(list("status=failed").len(), 0);
        assert_eq!(list(&format!("rule_id={}", rule["id"].as_str().unwrap())).len(), 2);
        let at = manual["executed_at"].as_str().unwrap();
        // What is shown is cut off at the millisecond, which the end of the filter includes.
        let before = at.parse::<jiff::Timestamp>().unwrap() - jiff::SignedDuration::from_millis(1);
        assert_eq!(list(&format!("end_executed_at={before}")), ["scheduled"]);
        assert_eq!(list(&format!("start_executed_at={at}")), ["manual"]);
        family.api.get(&format!("{RUNS}?status=done")).expect_error(422, "validation_failed");
        let shown = wait(&family.api, manual["id"].as_str().unwrap());
        assert_eq!((&shown["rule"], &shown["rule_name"]), (&json!(null), &json!("On shop")));
        let unknown = format!("{RUNS}/{}", rule["id"].as_str().unwrap());
        family.api.get(&unknown).expect_error(404, "not_found");
    }

    fn transfers_are_a_type_of_their_own(server) {
        let family = server.family();
        let account = family.account("Checking", "depository");
        let savings = family.account("Savings", "depository");
        family.import(&account, "date,amount,name\n2026-01-02,-5,Move\n2026-01-03,-6,Shop\n");
        family.import(&savings, "date,amount,name\n2026-01-02,5,Moved\n");
        let off = json!({ "transfer_matching": "off" });
        family.api.patch("/api/v1/family_settings", &off).expect_status(200);
        let id = |name| named(&family.api, name)["id"].clone();
        let out = family.api.get("/api/v1/transactions?type=expense&search=Move").json();
        let pair = json!({ "outflow_transaction_id": out["transactions"][0]["id"],
            "inflow_transaction_id": id("Moved") });
        let made = family.api.post("/api/v1/transfers", &pair);
        assert!([201, 409].contains(&made.status), "{}", made.text());
        for (wanted, expected) in [("transfer", 2), ("expense", 1), ("income", 0)] {
            let body = json!({ "conditions": [
                { "condition_type": "transaction_type", "operator": "=", "value": wanted }
            ], "actions": rename("x") });
            let found = family.api.post(&format!("{PATH}/preview"), &body).expect_status(200);
            assert_eq!(found.json()["data"]["matched_count"], expected, "{wanted}");
        }
    }
}
