//! The plan of an import: a verdict on every row before anything is published, and after it.

use serde_json::{Value, json};

use super::{all, both_whole, path, post, publish, sql, text, transactions, upload};
use crate::support::{Client, until};

/// The rows of an import as lines: number, verdict, and the reason if there is one.
#[track_caller]
pub(super) fn verdicts(api: &Client, import: &Value) -> Vec<String> {
    verdicts_at(api, &path(import, "/rows"))
}

#[track_caller]
fn verdicts_at(api: &Client, path: &str) -> Vec<String> {
    let line = |row: &Value| match row["reason"].as_str() {
        Some(reason) => format!("{} {}: {reason}", row["row_number"], text(&row["verdict"])),
        None => format!("{} {}", row["row_number"], text(&row["verdict"])),
    };
    all(api, path, "data").iter().map(line).collect()
}

/// An import as it is now.
#[track_caller]
pub(super) fn shown(api: &Client, import: &Value) -> Value {
    api.get(&path(import, "")).expect_status(200).json()["data"].clone()
}

/// The counts of a plan that are not 0.
#[track_caller]
pub(super) fn counts(plan: &Value) -> Vec<String> {
    let plan = plan.as_object().unwrap_or_else(|| panic!("no plan: {plan}"));
    let counts = plan.iter().filter(|(name, count)| *name != "current" && **count != 0);
    let mut lines: Vec<String> = counts.map(|(name, count)| format!("{name} {count}")).collect();
    lines.sort();
    lines
}

const MIXED: &str = "Date,Amount,Name,Account\n2024-03-01,-10.00,Rent,Main\n\
                     2024-03-03,-4.00,Cafe,Main\n2024-13-01,-1.00,Bad,Main\n\
                     2024-03-04,-5.00,New,Main\n2024-03-05,-6.00,Other,Twin\n\
                     2024-03-06,-7.00,Fresh,Brand new\n";

both_whole! {
    fn every_row_has_a_verdict_and_a_reason(server) {
        let family = server.family();
        family.account("Twin", "depository");
        family.account("twin", "depository");
        let main = family.account("Main", "depository");
        family.import(&main, "Date,Amount,Name\n2024-03-01,-10.00,Rent\n2024-03-02,-4.00,Bar\n");
        let import = upload(&family.api, MIXED, &json!({}));
        let plan = &import["plan"];
        assert_eq!(plan["current"], true, "{import}");
        assert_eq!(
            counts(plan),
            [
                "create_count 2",
                "invalid_count 1",
                "matched_count 1",
                "needs_choice_count 1",
                "possible_duplicates_count 1",
            ]
        );
        assert_eq!(import["stats"]["rows_count"], 6);
        let rows = verdicts(&family.api, &import);
        assert_eq!(
            rows[..2],
            [
                "1 matched_by_content: It matches the transaction \"Rent\" of 2024-03-01: account, \
                 day, amount and name are the same",
                "2 possible_duplicate: It resembles the transaction \"Bar\" of 2024-03-02: the \
                 amount is the same, and the days are close together",
            ]
        );
        assert!(rows[2].starts_with("3 invalid: "), "{rows:?}");
        assert_eq!(rows[3], "4 create");
        assert_eq!(rows[4], "5 needs_choice: 2 accounts are called Twin");
        assert_eq!(rows[5], "6 create");
        // The entries that are referred to are those of the family.
        let listed = all(&family.api, "/api/v1/transactions", "transactions");
        let page = family.api.get(&path(&import, "/rows")).json();
        for (row, name) in [(0, "Rent"), (1, "Bar")] {
            let id = &page["data"][row]["entry_id"];
            assert!(listed.iter().any(|one| one["id"] == *id && one["name"] == name), "{id}");
        }
        assert_eq!(page["data"][3]["entry_id"], Value::Null);
    }

    fn rows_are_listed_by_verdict(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let mut csv = "Date,Amount,Name\n".to_owned();
        // Every third row is known, every tenth can't be read.
        for row in 1..=300 {
            csv.push_str(&format!("2024-01-02,-{row}.00,R{row}\n"));
        }
        let mut known = "Date,Amount,Name\n".to_owned();
        for row in (3..=300).step_by(3) {
            known.push_str(&format!("2024-01-02,-{row}.00,R{row}\n"));
        }
        family.import(&main, &known);
        let csv = csv.replace("-10.00,", "x,").replace("-290.00,", "x,");
        let import = upload(&family.api, &csv, &json!({ "account_id": main }));
        assert_eq!(
            counts(&import["plan"]),
            ["create_count 198", "invalid_count 2", "matched_count 100"]
        );
        let of = |names: &str| {
            let rows = verdicts_at(&family.api, &path(&import, &format!("/rows?verdict={names}")));
            let number = |row: &String| row.split(' ').next().unwrap().parse::<u64>().unwrap();
            rows.iter().map(number).collect::<Vec<u64>>()
        };
        assert_eq!(of("invalid"), [10, 290]);
        let matched: Vec<u64> = (1..=100).map(|row| row * 3).collect();
        assert_eq!(of("matched_by_content"), matched);
        assert_eq!(of("invalid,matched_by_content,invalid").len(), 102);
        assert_eq!(of("left_out"), [0; 0]);
        assert_eq!(of(""), (1..=300).collect::<Vec<u64>>());
        let page = family.api.get(&path(&import, "/rows?verdict=create&page=4&per_page=50")).json();
        assert_eq!(page["meta"]["total_count"], 198);
        assert_eq!(page["data"].as_array().map(Vec::len), Some(48));
        let wrong = family.api.get(&path(&import, "/rows?verdict=new"));
        wrong.expect_error(422, "validation_failed");
    }

    fn without_a_configuration_there_is_no_plan(server) {
        let family = server.family();
        for csv in ["", "Date,Amount\n", "Date,Name\n2024-01-02,A\n", "Date,Amount\n01/02/2024,1\n"] {
            let import = upload(&family.api, csv, &json!({}));
            assert_eq!(import["plan"], Value::Null, "{csv:?}");
            assert_eq!(shown(&family.api, &import)["plan"], Value::Null, "{csv:?}");
        }
    }

    fn an_outdated_plan_is_marked_and_made_anew(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-03-01,-10.00,Rent\n2024-03-02,-4.00,Cafe\n";
        let import = upload(&family.api, csv, &json!({ "account_id": main }));
        assert_eq!(counts(&import["plan"]), ["create_count 2"]);
        family.import(&main, "Date,Amount,Name\n2024-03-02,-4.00,Cafe\n");
        let first = shown(&family.api, &import);
        assert_eq!(first["plan"]["current"], false, "{first}");
        let current = until("a plan that is current", || {
            let import = shown(&family.api, &import);
            (import["plan"]["current"] == true).then_some(import)
        });
        assert_eq!(counts(&current["plan"]), ["create_count 1", "matched_count 1"]);
        assert_eq!(current["updated_at"], import["updated_at"], "nobody changed it");
    }

    fn a_publish_makes_an_outdated_plan_anew(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-03-01,-10.00,Rent\n2024-03-02,-4.00,Cafe\n";
        let fields = json!({ "account_id": main });
        let import = upload(&family.api, csv, &fields);
        family.import(&main, "Date,Amount,Name\n2024-03-02,-4.00,Cafe\n");
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        let done = family.api.wait_for_import(text(&import["id"]));
        assert_eq!(done["status"], "complete", "{done}");
        assert_eq!(done["plan"]["current"], true);
        assert_eq!(
            counts(&done["plan"]),
            ["create_count 1", "created_count 1", "matched_count 1"]
        );
        assert_eq!(
            transactions(&family),
            ["2024-03-01 -10.00 USD Rent @Main", "2024-03-02 -4.00 USD Cafe @Main"]
        );
        // The plan of a publish stays what it was, whatever becomes of the ledger.
        publish(&family.api, "Date,Amount,Name\n2024-03-09,-1.00,More\n", &fields);
        assert_eq!(shown(&family.api, &import)["plan"], done["plan"]);
    }

    fn two_imports_at_once_double_nothing(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let csv = "Date,Amount,Name\n2024-03-01,-10.00,Rent\n2024-03-02,-4.00,Cafe\n";
        let imports = [(); 4].map(|()| upload(&family.api, csv, &json!({ "account_id": main })));
        std::thread::scope(|scope| {
            for import in &imports {
                scope.spawn(|| {
                    let publish = path(import, "/publish");
                    family.api.post(&publish, &json!({})).expect_status(202);
                });
            }
        });
        let mut created = 0;
        for import in &imports {
            let done = family.api.wait_for_import(text(&import["id"]));
            assert_eq!(done["status"], "complete", "{done}");
            created += done["plan"]["created_count"].as_u64().unwrap();
        }
        assert_eq!((created, transactions(&family).len()), (2, 2));
    }

    fn only_what_rows_need_is_created(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let plain = "Date,Amount,Name,Category\n2024-03-01,-10.00,Rent,Home\n";
        family.import(&main, plain);
        // The row is known and has a category: nobody needs another one.
        let again = "Date,Amount,Name,Category\n2024-03-01,-10.00,Rent,Living:Flat\n";
        let import = publish(&family.api, again, &json!({ "account_id": main }));
        assert_eq!(counts(&import["plan"]), ["matched_count 1"]);
        let names = sql::query(&server, "SELECT name FROM categories ORDER BY name");
        assert_eq!(names, [["Home"]]);
        let more = "Date,Amount,Name,Category,Tags\n2024-03-02,-1.00,Lamp,Living:Flat,new\n";
        publish(&family.api, more, &json!({ "account_id": main }));
        let created = sql::query(&server, "SELECT kind FROM import_created ORDER BY kind");
        assert_eq!(created, [["category"], ["category"], ["category"], ["tag"]]);
    }

    fn a_name_that_has_come_into_being_since_is_found(server) {
        let family = server.family();
        let csv = "Date,Amount,Name,Account\n2024-03-01,-10.00,Rent,Later\n";
        let import = upload(&family.api, csv, &json!({}));
        let later = family.account("Later", "depository");
        let found = until("a plan with the account", || {
            let import = shown(&family.api, &import);
            (import["plan"]["current"] == true).then_some(import)
        });
        assert_eq!(counts(&found["plan"]), ["create_count 1"]);
        let row = family.api.get(&path(&import, "/rows")).json()["data"][0].clone();
        assert_eq!(row["mappings"]["account"]["id"], json!(later));
        // A second account of the name: a person has to choose, unless it was known before.
        let other = upload(&family.api, csv.replace("Later", "Twin").as_str(), &json!({}));
        for _ in 0..2 {
            family.account("Twin", "depository");
        }
        let unknown = until("a plan that needs a choice", || {
            let import = shown(&family.api, &other);
            (import["plan"]["needs_choice_count"] == 1).then_some(import)
        });
        assert_eq!(unknown["stats"]["unassigned_mappings_count"], 1, "{unknown}");
        assert_eq!(unknown["status_detail"]["publishable"], false);
        let refused = post(&family.api, csv, &json!({ "publish": true })).expect_status(201);
        family.api.wait_for_import(&refused.id());
        family
            .api
            .post(&path(&other, "/publish"), &json!({}))
            .expect_error(422, "unassigned_mappings");
    }
}
