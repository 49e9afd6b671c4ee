//! `AccountImport`: accounts as CSV, previewed, published and undone.

use serde_json::{Value, json};

use super::undo::{preview, publish_again, undo};
use super::{all, both_whole, merged, path, text};
use crate::support::Client;

const ACCOUNTS: &str = "/api/v1/accounts";

fn with_type(fields: &Value) -> Value {
    merged(&json!({ "type": "AccountImport" }), fields)
}

#[track_caller]
fn upload(api: &Client, csv: &str) -> Value {
    super::upload(api, csv, &with_type(&json!({})))
}

#[track_caller]
fn publish(api: &Client, csv: &str) -> Value {
    super::publish(api, csv, &with_type(&json!({})))
}

/// The accounts: name, type, subtype, balance and currency.
#[track_caller]
fn accounts(api: &Client) -> Vec<Value> {
    let shown = |one: &Value| {
        json!([
            one["name"],
            one["account_type"],
            one["subtype"],
            one["balance_decimal"],
            one["currency"]
        ])
    };
    all(api, ACCOUNTS, "accounts").iter().map(shown).collect()
}

/// Verdict and reason of each row.
#[track_caller]
fn rows(api: &Client, import: &Value) -> Vec<(String, String)> {
    let shown = |row: &Value| {
        let reason = row["reason"].as_str().unwrap_or_default().to_owned();
        (text(&row["verdict"]).to_owned(), reason)
    };
    all(api, &path(import, "/rows"), "data").iter().map(shown).collect()
}

const CSV: &str = "Account type*,Name*,Balance*,Currency,Balance Date\n\
    Girokonto,Main,1200.50,EUR,2024-01-31\n\
    credit card,Visa,300.00,USD,\n\
    Property,House,250000.00,,2024-01-31\n";

both_whole! {
    fn a_file_becomes_accounts_with_their_openings_and_goes_again(server) {
        let family = server.family();
        let import = upload(&family.api, CSV);
        assert_eq!(import["type"], "AccountImport");
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        assert_eq!(import["stats"]["mappings_count"], 3);
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        assert_eq!(listed[0]["fields"]["balance"], "1200.50");
        assert_eq!(listed[0]["mappings"]["account_type"]["value"], "depository");
        let expected = "A new credit card with a debt of 300.00 USD before the first entry";
        assert_eq!(listed[1]["reason"], expected);
        assert!(accounts(&family.api).is_empty(), "nothing is there before the publish");
        let done = publish_again(&family.api, &import);
        assert_eq!(done["plan"]["created_count"], 3, "{done}");
        let now = accounts(&family.api);
        assert_eq!(now.len(), 3);
        let by_name = |name: &str| now.iter().find(|one| one[0] == name).unwrap().clone();
        assert_eq!(by_name("Main"), json!(["Main", "depository", "checking", "1200.50", "EUR"]));
        assert_eq!(by_name("Visa"), json!(["Visa", "credit_card", null, "300.00", "USD"]));
        let again = publish(&family.api, CSV);
        let counts = (&again["plan"]["created_count"], &again["plan"]["matched_count"]);
        assert_eq!(counts, (&json!(0), &json!(3)));
        assert_eq!(accounts(&family.api), now);
        let valuations = all(&family.api, "/api/v1/valuations", "valuations");
        assert_eq!(valuations.len(), 2);
        assert!(valuations.iter().all(|one| one["kind"] == "opening_anchor"), "{valuations:?}");
        let shown = preview(&family.api, &import);
        assert_eq!(shown["accounts"]["removed"].as_array().unwrap().len(), 3, "{shown}");
        undo(&family.api, &import);
        assert!(accounts(&family.api).is_empty());
        publish_again(&family.api, &import);
        assert_eq!(accounts(&family.api), now);
    }

    fn an_account_that_is_used_stays_with_its_opening(server) {
        let family = server.family();
        let import = publish(&family.api, CSV);
        let listed = all(&family.api, ACCOUNTS, "accounts");
        let main = text(&listed.iter().find(|one| one["name"] == "Main").unwrap()["id"]).to_owned();
        let file = "Date,Amount,Name\n2024-02-01,-0.50,Kiosk\n";
        crate::imports::publish(&family.api, file, &json!({ "account_id": main }));
        let shown = preview(&family.api, &import);
        assert_eq!(shown["accounts"]["kept"][0]["name"], "Main");
        undo(&family.api, &import);
        assert_eq!(
            accounts(&family.api),
            [json!(["Main", "depository", "checking", "1200.00", "EUR"])]
        );
    }

    fn an_opening_that_a_person_changed_keeps_its_account(server) {
        let family = server.family();
        let import = publish(&family.api, CSV);
        let listed = all(&family.api, "/api/v1/valuations", "valuations");
        let house = listed.iter().find(|one| one["account"]["name"] == "House").unwrap();
        let change = json!({ "valuation": { "amount": "260000" } });
        let valuation = format!("/api/v1/valuations/{}", text(&house["id"]));
        family.api.patch(&valuation, &change).expect_status(200);
        undo(&family.api, &import);
        let kept = accounts(&family.api);
        assert_eq!((kept.len(), &kept[0][0], &kept[0][3]), (1, &json!("House"), &json!("260000.00")));
    }

    fn an_unknown_type_is_chosen_once(server) {
        let family = server.family();
        let csv = "Name,Type,Balance\nA,Zzz,1.00\nB,,2.00\n";
        let import = upload(&family.api, csv);
        let open = import["unassigned_mappings"].as_array().unwrap();
        assert_eq!(open.len(), 2, "{import}");
        assert!(open.iter().all(|one| one["kind"] == "account_type"), "{import}");
        family.api.request("POST", &path(&import, "/publish"), None)
            .expect_error(422, "unassigned_mappings");
        let choose = |key: &str, fields: Value| {
            let choice = merged(&json!({ "kind": "account_type", "key": key }), &fields);
            family.api.patch(&path(&import, ""), &json!({ "mappings": [choice] }))
        };
        choose("Zzz", json!({ "create": true })).expect_status(422);
        choose("Zzz", json!({ "value": "castle" })).expect_status(422);
        choose("Zzz", json!({ "value": "vehicle" })).expect_status(200);
        choose("", json!({ "value": "loan" })).expect_status(200);
        publish_again(&family.api, &import);
        let types: Vec<Value> = accounts(&family.api).iter().map(|one| one[1].clone()).collect();
        assert_eq!(types, ["vehicle", "loan"]);
        let next = upload(&family.api, "Name,Type,Balance\nC,zzz,3.00\n");
        assert_eq!(next["status_detail"]["publishable"], true, "{next}");
    }

    fn a_negative_debt_is_a_question(server) {
        let family = server.family();
        let csv = "Name,Type,Balance,Currency\nCard,credit card,-300.00,EUR\nBank,checking,5.00,EUR\n";
        let import = upload(&family.api, csv);
        let (verdict, why) = rows(&family.api, &import)[0].clone();
        assert_eq!(verdict, "needs_choice");
        assert!(why.contains("(debt_sign)"), "{why}");
        family.api.request("POST", &path(&import, "/publish"), None)
            .expect_error(422, "undecided_rows");
        let wrong = json!({ "debt_sign": "both" });
        family.api.patch(&path(&import, ""), &wrong).expect_error(422, "validation_failed");
        family.api.patch(&path(&import, ""), &json!({ "debt_sign": "negative" })).expect_status(200);
        assert_eq!(
            rows(&family.api, &import)[0].1,
            "A new credit card with a debt of 300.00 EUR before the first entry"
        );
        publish_again(&family.api, &import);
        let card = accounts(&family.api).into_iter().find(|one| one[0] == "Card").unwrap();
        assert_eq!(card[3], "300.00");
    }

    fn problems_have_line_and_reason(server) {
        let family = server.family();
        let csv = "name,type,balance,date\nA,giro,x,\n,giro,1.00,\nC,giro,1.00,2024-13-01\n\
            D,giro,1.00,2024-01-31\n";
        let import = upload(&family.api, csv);
        let invalid = import["invalid_rows"].as_array().unwrap();
        let lines: Vec<&Value> = invalid.iter().map(|row| &row["line"]).collect();
        assert_eq!(lines, [2, 3, 4], "{import}");
        assert_eq!(invalid[0]["errors"], json!(["balance \"x\" is not an amount"]));
    }
}
