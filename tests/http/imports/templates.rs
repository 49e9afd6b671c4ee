//! Templates: what was chosen for a file is taken over for the next one with the same header.

use serde_json::{Value, json};

use super::configure::{essence, patch};
use super::{IMPORTS, both_whole, errors, merged, path, publish, rows, upload};
use crate::support::{Client, Family, Multipart};

const TEMPLATES: &str = "/api/v1/import_templates";

#[track_caller]
fn templates(api: &Client) -> Vec<Value> {
    let listed = api.get(TEMPLATES).expect_status(200).json();
    let data = listed["data"].as_array().unwrap().clone();
    assert_eq!(listed["meta"]["total_count"], data.len(), "{listed}");
    data
}

/// Uploads a named file and publishes it.
#[track_caller]
fn publish_file(family: &Family, name: &str, csv: &str, fields: &[(&str, &str)]) -> Value {
    let form =
        Multipart::new().file("file", name, "text/csv", csv.as_bytes()).text("publish", "true");
    let form = fields.iter().fold(form, |form, (name, value)| form.text(name, value));
    let import = family.api.post_form(IMPORTS, &form).expect_status(201).id();
    let import = family.api.wait_for_import(&import);
    assert_eq!(import["status"], "complete", "{import}");
    import
}

fn file(rows: &[&str]) -> String {
    format!("Date,Amount,Text,Kind\n{}\n", rows.join("\n"))
}

both_whole! {
    fn what_was_sent_is_taken_over_for_the_same_header(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let first = file(&["03/04/2024,+1.00,A,x"]);
        publish_file(&family, "Umsätze 2024-04.csv", &first, &[
            ("account_id", &account), ("date_format", "%d/%m/%Y"),
            ("signage_convention", "inflows_negative"), ("category_col_label", "Kind"),
        ]);
        let kept = templates(&family.api);
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0]["name"], "Umsätze");
        assert_eq!(kept[0]["account_id"], account);
        assert_eq!(
            kept[0]["settings"],
            json!({ "date_format": "%d/%m/%Y", "signage_convention": "inflows_negative",
                "category_col_label": "Kind" })
        );
        let second = file(&["05/06/2024,+2.00,B,y"]);
        // For an account that isn't known nothing is taken that may differ from account to account.
        let open = upload(&family.api, &second, &json!({}));
        assert_eq!(open["source"]["template"]["settings_taken"], json!(["category_col_label"]));
        assert_eq!(open["source"]["template"]["account_id"], account, "a suggestion");
        assert_eq!(open["status_detail"]["configured"], false, "ambiguous: {open}");
        let import = upload(&family.api, &second, &json!({ "account_id": account }));
        let template = &import["source"]["template"];
        assert_eq!(template["id"], kept[0]["id"]);
        assert_eq!(template["name"], "Umsätze");
        assert_eq!(
            template["settings_taken"],
            json!(["category_col_label", "date_format", "signage_convention"])
        );
        assert_eq!(open["account_id"], Value::Null, "and nothing more");
        assert_eq!(rows(&family.api, &import), ["2024-06-05 2.00 USD B #y"]);
        // What is sent wins; and nothing is taken if it is not wanted.
        let sent = json!({ "date_format": "%m/%d/%Y", "account_id": account });
        let import = upload(&family.api, &second, &sent);
        assert_eq!(rows(&family.api, &import), ["2024-05-06 2.00 USD B #y"]);
        assert_eq!(import["source"]["template"]["account_id"], Value::Null);
        for off in [json!("false"), json!(false)] {
            let import = upload(&family.api, &second, &json!({ "use_template": off }));
            assert_eq!(import["source"]["template"], Value::Null);
            assert_eq!(import["status_detail"]["configured"], false, "ambiguous: {import}");
        }
        crate::imports::post(&family.api, &second, &json!({ "use_template": "x" }))
            .expect_error(422, "validation_failed");
        // Another header, another family.
        let other = "Date,Amount,Text\n05/06/2024,+2.00,B\n";
        assert_eq!(upload(&family.api, other, &json!({}))["source"]["template"], Value::Null);
        let theirs = server.family();
        assert_eq!(upload(&theirs.api, &second, &json!({}))["source"]["template"], Value::Null);
    }

    fn an_import_with_a_template_is_one_where_all_of_it_was_sent(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let sent = json!({ "account_id": account, "date_format": "%d/%m/%Y",
            "number_format": "1,234.56", "amount_type_strategy": "custom_column",
            "amount_type_inflow_value": "in", "entity_type_col_label": "Kind" });
        publish(&family.api, &file(&["03/04/2024,+1.00,A,in"]), &sent);
        let csv = file(&["05/06/2024,+2.00,B,in", "31/06/2024,+2.00,B,out", "1/2/2024,x,B,out"]);
        let with = upload(&family.api, &csv, &json!({ "account_id": account }));
        let without = upload(&family.api, &csv, &merged(&sent, &json!({ "use_template": false })));
        let plain = |import: &Value| {
            let mut essence = essence(&family.api, import);
            essence["import"]["source"].as_object_mut().unwrap().remove("template");
            essence
        };
        assert_eq!(plain(&with), plain(&without));
        // What is taken over can be taken back.
        let back = patch(&family.api, &with, &json!({ "date_format": null }));
        let taken = back["source"]["template"]["settings_taken"].as_array().unwrap();
        assert!(!taken.contains(&json!("date_format")), "{back}");
        let problem = back["source"]["problems"][0].as_str().unwrap();
        assert!(problem.starts_with("The date format is ambiguous"), "{back}");
    }

    fn formats_that_were_found_only_break_ties(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        publish(&family.api, &file(&["13/04/2024,+1.00,A,x"]), &account);
        assert_eq!(templates(&family.api)[0]["settings"], json!({}));
        assert_eq!(
            templates(&family.api)[0]["preferred_formats"],
            json!({ "date_format": "%d/%m/%Y", "number_format": "1,234.56" })
        );
        let tie = upload(&family.api, &file(&["03/04/2024,+1.00,A,x"]), &account);
        assert_eq!(tie["configuration"]["date_format"], "%d/%m/%Y", "{tie}");
        assert_eq!(tie["source"]["template"]["settings_taken"], json!([]));
        // It stays so when the import is configured, whatever becomes of the template.
        let tie = patch(&family.api, &tie, &json!({ "notes_col_label": "Kind" }));
        assert_eq!(tie["configuration"]["date_format"], "%d/%m/%Y", "{tie}");
        for (row, format) in [("04/13/2024,+1.00,A,x", "%m/%d/%Y"), ("2024-04-13,+1.00,A,x", "%Y-%m-%d")] {
            let import = upload(&family.api, &file(&[row]), &account);
            assert_eq!(import["configuration"]["date_format"], format, "{import}");
            assert_eq!(import["status_detail"]["cleaned"], true);
        }
        let numbers = file(&["2024-04-13,\"1,000\",A,x"]);
        let alone = json!({ "use_template": false });
        let alone = upload(&family.api, &numbers, &merged(&account, &alone));
        assert_eq!(alone["status_detail"]["configured"], false, "{alone}");
        let import = upload(&family.api, &numbers, &account);
        assert_eq!(import["configuration"]["number_format"], "1,234.56", "{import}");
    }

    fn a_template_does_not_break_a_good_file(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        let sent = merged(&account, &json!({ "date_format": "%d/%m/%Y", "number_format": "1.234,56" }));
        publish(&family.api, &file(&["03/04/2024,\"+1,00\",A,x"]), &sent);
        // All rows are good as they are found.
        let good = upload(&family.api, &file(&["2024-04-13,+1.25,A,x", "2024-04-14,+1.50,B,x"]), &account);
        assert_eq!(good["status_detail"]["cleaned"], true, "{good}");
        assert_eq!(good["source"]["template"]["not_fitting"], json!(["date_format", "number_format"]));
        assert_eq!(good["source"]["template"]["settings_taken"], json!([]));
        assert_eq!(good["configuration"]["date_format"], "%Y-%m-%d");
        // No row fits the template; found, most do.
        let most = upload(
            &family.api,
            &file(&["2024-04-13,+1.25,A,x", "2024-04-14,+1.50,B,x", "2024-04-15,bad,C,x"]),
            &account,
        );
        assert_eq!(most["stats"]["valid_rows_count"], 2, "{most}");
        // A bad row is bad either way: the template stands.
        let bad = upload(
            &family.api,
            &file(&["13/04/2024,\"+1,25\",A,x", "32/04/2024,\"+1,50\",B,x"]),
            &account,
        );
        assert_eq!(bad["source"]["template"]["not_fitting"], json!([]), "{bad}");
        assert_eq!(bad["stats"]["invalid_rows_count"], 1);
        assert_eq!(bad["configuration"]["date_format"], "%d/%m/%Y");
    }

    fn choices_for_names_are_taken_over(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let csv = |day: u8, more: &str| {
            format!("Date,Amount,Name,Account,Tags\n2024-01-{day:02},-1,A,Giro,work{more}\n")
        };
        let import = upload(&family.api, &csv(2, "\n2024-01-02,-1,B,Neu,x"), &json!({}));
        patch(&family.api, &import, &json!({ "mappings": [
            { "kind": "account", "key": "Giro", "id": main },
            { "kind": "account", "key": "Neu", "create": true, "name": "Brand new" },
            { "kind": "tag", "key": "work", "create": true, "name": "Job" },
        ] }));
        family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        family.api.wait_for_import(import["id"].as_str().unwrap());
        let next = upload(&family.api, &csv(3, "\n2024-01-04,-2,C,neu,y"), &json!({}));
        let shown = family.api.get(&path(&next, "/rows")).expect_status(200).json();
        let mapping = |row: usize, what: &str| shown["data"][row]["mappings"][what].clone();
        assert_eq!(mapping(0, "account")["id"], main);
        assert!(mapping(1, "account")["id"].is_string(), "what was created exists: {shown}");
        assert!(mapping(0, "tags")[0]["id"].is_string(), "{shown}");
        publish(&family.api, &csv(5, "\n2024-01-06,-2,C,neu,y"), &json!({}));
        let accounts = family.api.get("/api/v1/accounts").expect_status(200).json();
        assert_eq!(accounts["pagination"]["total_count"], 2, "no third account: {accounts}");
        assert_eq!(templates(&family.api).len(), 1);
        // Rows in another currency go there, too; without a rate they need a choice.
        let euros = "Date,Amount,Name,Account,Tags\n2024-01-07,EUR 1,A,Giro,\n";
        let import = upload(&family.api, euros, &json!({}));
        let shown = family.api.get(&path(&import, "/rows")).expect_status(200).json();
        assert_eq!(shown["data"][0]["mappings"]["account"]["id"], main, "{shown}");
        assert_eq!(shown["data"][0]["verdict"], "needs_choice", "{shown}");
    }

    fn the_place_of_the_header_is_found_again(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        // The header is no better than the line above it.
        let csv = |before: &str, rows: &str| {
            format!("{before}Wann\tWas\tWie viel\n{rows}")
        };
        let labels = json!({ "date_col_label": "Wann", "amount_col_label": "Wie viel",
            "name_col_label": "Was", "rows_to_skip": 1, "col_sep": "\t" });
        publish(
            &family.api,
            &csv("Date\tAmount\tName\n", "2024-01-02\tA\t-1.00\n"),
            &merged(&account, &labels),
        );
        for before in ["Date\tAmount\tName\n", "x\ny\n", ""] {
            let import = upload(&family.api, &csv(before, "2024-01-03\tB\t-2.00\n"), &account);
            assert_eq!(rows(&family.api, &import), ["2024-01-03 2.00 USD B"], "{before:?} {import}");
            assert!(import["source"]["template"]["id"].is_string());
        }
    }

    fn another_file_takes_over_anew(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        let sent = merged(&account, &json!({ "date_format": "%d/%m/%Y", "notes_col_label": "Kind" }));
        publish(&family.api, &file(&["03/04/2024,+1.00,A,x"]), &sent);
        let import = upload(&family.api, &file(&["05/06/2024,+2.00,B,y"]), &account);
        assert_eq!(rows(&family.api, &import), ["2024-06-05 -2.00 USD B | y"]);
        let put = |csv: &str, fields: Value| {
            let body = merged(&json!({ "raw_file_content": csv }), &fields);
            family.api.put(&path(&import, "/file"), &body).expect_status(200).json()["data"].clone()
        };
        let other = put("Date,Amount,Other\n12/31/2024,+2.00,B\n", json!({}));
        assert_eq!(other["source"]["template"], Value::Null, "{other}");
        assert_eq!(other["configuration"]["date_format"], "%m/%d/%Y");
        let same = put(&file(&["07/06/2024,+2.00,B,y"]), json!({}));
        assert_eq!(same["configuration"]["date_format"], "%d/%m/%Y");
        let without = put(&file(&["07/06/2024,+2.00,B,y"]), json!({ "use_template": "false" }));
        assert_eq!(without["source"]["template"], Value::Null);
        assert_eq!(without["status_detail"]["configured"], false, "{without}");
    }

    fn templates_are_renamed_and_forgotten(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        publish_file(&family, "a1.csv", &file(&["2024-01-02,+1.00,A,x"]), &[("account_id", &account)]);
        let template = templates(&family.api)[0].clone();
        assert_eq!(template["name"], "Date, Amount, Text, Kind");
        let path = format!("{TEMPLATES}/{}", template["id"].as_str().unwrap());
        for (name, problem) in [
            (json!(""), "Name is required"),
            (json!(" "), "Name is required"),
            (Value::Null, "Name is required"),
            (json!(5), "The name must be a string"),
            (json!("n".repeat(101)), "The name must have at most 100 characters and no NUL"),
        ] {
            let refused = family.api.patch(&path, &json!({ "name": name }));
            assert_eq!(errors(&refused.expect_error(422, "validation_failed")), [problem]);
        }
        let renamed = family.api.patch(&path, &json!({ "name": " My bank " })).expect_status(200);
        assert_eq!(renamed.json()["data"]["name"], "My bank");
        // The next publish keeps the name that a person gave, and moves it to the front.
        publish(&family.api, "Date,Amount\n2024-01-02,+1\n", &json!({ "account_id": account }));
        publish_file(&family, "b.csv", &file(&["2024-01-03,+1.00,A,x"]), &[("account_id", &account)]);
        let names: Vec<Value> = templates(&family.api).iter().map(|one| one["name"].clone()).collect();
        assert_eq!(names, ["My bank", "Date, Amount"]);
        let other = server.family();
        other.api.patch(&path, &json!({ "name": "x" })).expect_error(404, "not_found");
        other.api.delete(&path).expect_error(404, "not_found");
        assert!(templates(&other.api).is_empty());
        let import = upload(&family.api, &file(&["2024-01-04,+1.00,A,x"]), &json!({}));
        family.api.delete(&path).expect_status(200);
        family.api.delete(&path).expect_error(404, "not_found");
        assert_eq!(templates(&family.api).len(), 1);
        let kept = patch(&family.api, &import, &json!({ "notes_col_label": "Kind" }));
        assert_eq!(kept["source"]["template"]["name"], "My bank");
        let fresh = upload(&family.api, &file(&["2024-01-04,+1.00,A,x"]), &json!({}));
        assert_eq!(fresh["source"]["template"], Value::Null);
    }
}
