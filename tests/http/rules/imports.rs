//! Rules on what imports bring in: the same in one commit and in parts, taken back by an undo, and
//! no way for a row to come twice.

use serde_json::json;

use super::*;
use crate::both;
use crate::imports::assert_whole;
use crate::imports::undo::{publish_again, undo};
use crate::support::{Options, Server};

const CSV: &str = "date,amount,name,notes,category,tags,account\n\
    2026-01-02,-5.00,REWE 0815,first,,,Giro\n\
    2026-01-03,-5.00,REWE 0815,second,Fun,a,Giro\n\
    2026-01-04,100.00,Salary,,,,Giro\n\
    2026-01-05,-7.00,Bus,,,,Cash\n";

/// Publishes the file into whatever accounts it names.
fn publish(api: &Client, csv: &str) -> Value {
    let body = json!({ "raw_file_content": csv, "publish": "true" });
    let made = api.post("/api/v1/imports", &body).expect_status(201);
    let import = api.wait_for_import(&made.id());
    assert_eq!(import["status"], "complete", "{import}");
    import
}

fn rules(api: &Client) -> [Value; 3] {
    let food = make(
        api,
        "rewe",
        json!([
            { "action_type": "set_transaction_category", "value": "Food:Groceries" },
            { "action_type": "set_transaction_name", "value": "Rewe" },
            { "action_type": "set_transaction_merchant", "value": "Rewe Markt" },
            { "action_type": "set_transaction_tags", "value": "weekly" },
        ]),
    );
    let body = json!({ "name": "Large", "conditions": [
        { "condition_type": "transaction_type", "operator": "=", "value": "income" },
        { "condition_type": "transaction_amount", "operator": ">=", "value": "100" },
    ], "actions": [{ "action_type": "exclude_transaction" }] });
    let large = api.post(PATH, &body).expect_status(201).json()["data"].clone();
    let never = make(api, "nobody", rename("x"));
    [food, large, never]
}

fn imports_are_ruled(server: &Server) {
    let family = server.family();
    let api = &family.api;
    let [food, large, never] = rules(api);
    let import = publish(api, CSV);
    let first = named(api, "first");
    assert_eq!(first["name"], "Rewe");
    assert_eq!(first["category"]["name"], "Groceries");
    assert_eq!(first["merchant"]["name"], "Rewe Markt");
    assert_eq!(first["tags"][0]["name"], "weekly");
    assert_eq!(first["locked_attributes"], json!([]));
    let second = named(api, "second");
    assert_eq!(second["category"]["name"], "Groceries", "what a file says is not locked");
    let tags: Vec<_> = second["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    assert_eq!(tags, ["a", "weekly"]);
    assert_eq!(
        (&named(api, "Salary")["excluded"], &named(api, "Bus")["excluded"]),
        (&json!(true), &json!(false))
    );
    for (rule, matched, changed) in [(&food, 2, 2), (&large, 1, 1), (&never, 0, 0)] {
        let id = rule["id"].as_str().unwrap();
        let runs = api.get(&format!("{RUNS}?rule_id={id}")).expect_status(200).json();
        assert_eq!(runs["meta"]["total_count"], 1);
        let run = &runs["data"][0];
        assert_eq!(
            (&run["execution_type"], &run["status"]),
            (&json!("scheduled"), &json!("success"))
        );
        assert_eq!(run["import_id"], import["id"]);
        assert_eq!(
            (&run["transactions_processed"], &run["transactions_modified"]),
            (&json!(matched), &json!(changed))
        );
    }
    assert_whole(server);

    // Beside it, the same file brings nothing.
    let again = publish(api, CSV);
    assert_eq!(again["plan"]["create_count"], 0, "{}", again["plan"]);
    assert_eq!(names(api), ["Bus", "Rewe", "Rewe", "Salary"]);
    undo(api, &again);
    undo(api, &import);
    assert_eq!(names(api).len(), 0);
    let labels = api.get("/api/v1/categories").expect_status(200).json();
    let labels: Vec<_> =
        labels["categories"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(labels, ["Food", "Groceries"], "those that a rule names stay");
    assert_whole(server);
    publish_again(api, &import);
    assert_eq!(names(api), ["Bus", "Rewe", "Rewe", "Salary"]);

    // A person takes one up, and deletes the other.
    let first = named(api, "first")["id"].as_str().unwrap().to_owned();
    let second = named(api, "second")["id"].as_str().unwrap().to_owned();
    let mine = json!({ "name": "Mine" });
    api.patch(&format!("/api/v1/transactions/{first}"), &mine).expect_status(200);
    api.delete(&format!("/api/v1/transactions/{second}")).expect_status(200);
    undo(api, &import);
    assert_eq!(names(api), ["Mine"]);
    assert_whole(server);
    let once_more = publish(api, CSV);
    let plan = &once_more["plan"];
    assert_eq!((&plan["matched_count"], &plan["deleted_before_count"]), (&json!(1), &json!(1)));
    assert_eq!(names(api), ["Bus", "Mine", "Salary"]);
    assert_whole(server);
}

both! {
    fn rules_run_on_imports(server) {
        imports_are_ruled(&server);
    }

    fn rules_run_on_imports_in_parts(
        server = Options::new().env("PURSER_PUBLISH_PART_ROWS", "1")
    ) {
        imports_are_ruled(&server);
    }

    fn a_rule_that_is_off_changes_nothing(server) {
        let family = server.family();
        let rule = make(&family.api, "rewe", rename("x"));
        family.api.patch(&path(&rule, ""), &json!({ "active": false })).expect_status(200);
        let later = json!({ "active": true, "effective_date": "2026-01-03" });
        publish(&family.api, CSV);
        assert_eq!(names(&family.api), ["Bus", "REWE 0815", "REWE 0815", "Salary"]);
        assert_eq!(family.api.get(RUNS).json()["meta"]["total_count"], 0);
        family.api.patch(&path(&rule, ""), &later).expect_status(200);
        run(&family.api, &rule);
        assert_eq!(named(&family.api, "second")["name"], "x");
        assert_eq!(named(&family.api, "first")["name"], "REWE 0815", "before the day");
    }

    fn undo_takes_what_a_later_run_changed(server) {
        let family = server.family();
        let api = &family.api;
        let import = publish(api, CSV);
        let rule = make(api, "rewe", rename("Groceries"));
        assert_eq!(run(api, &rule)["transactions_modified"], 2);
        let preview = api.get(&format!("/api/v1/imports/{}/revert", import["id"].as_str().unwrap()));
        let preview = preview.expect_status(200).json();
        assert_eq!(preview["data"]["transactions"]["kept_count"], 0, "{preview}");
        undo(api, &import);
        assert_eq!(names(api).len(), 0);
        assert_eq!(api.get("/api/v1/accounts").json()["accounts"], json!([]));
        publish_again(api, &import);
        assert_eq!(names(api), ["Bus", "Groceries", "Groceries", "Salary"]);
        assert_whole(&server);
    }
}
