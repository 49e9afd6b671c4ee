//! Splitting transactions: parts add up, lists show them, balances and files know the whole.

use serde_json::{Value, json};

use crate::both;
use crate::ledger::{balance, text, texts, unlimited};
use crate::support::Client;

const PATH: &str = "/api/v1/transactions";

fn one(api: &Client, query: &str) -> Value {
    let list = api.get(&format!("{PATH}?{query}")).expect_status(200).json();
    assert_eq!(list["pagination"]["total_count"], 1, "{list}");
    list["transactions"][0].clone()
}

fn names(api: &Client, query: &str) -> Vec<String> {
    let list = api.get(&format!("{PATH}?{query}")).expect_status(200).json();
    let count = list["transactions"].as_array().unwrap().len();
    assert_eq!(list["pagination"]["total_count"], count);
    let mut names = texts(&list["transactions"], "name");
    names.sort();
    names
}

both! {
    fn parts_stand_in_lists_and_the_whole_in_balances(server = unlimited()) {
        let family = server.family();
        let account = family.account_with(json!({ "name": "A", "account_type": "depository",
            "opening_balance": "100" }));
        let csv = "Date,Description,Amount\n2026-01-12,Market,-30\n2026-01-12,Rent,-50\n";
        family.import(&account, csv);
        let whole = text(&one(&family.api, "search=Market"), "id");
        let food = family.api.post("/api/v1/categories", &json!({ "category": { "name": "Food" } }));
        let food = food.expect_status(201).id();
        let look = json!({ "category": { "color": "#a1b2c3", "icon": "utensils" } });
        family.api.patch(&format!("/api/v1/categories/{food}"), &look).expect_status(200);
        let split = format!("{PATH}/{whole}/split");
        let parts = json!({ "parts": [
            { "amount": "22.50", "name": "Bread", "category_id": food },
            { "amount": 7.5, "notes": "Soap" },
        ] });
        let answer = family.api.post(&split, &json!({ "split": parts })).expect_status(201).json();
        assert_eq!(answer["transaction"]["is_split"], true);
        let category = &answer["parts"][0]["category"];
        assert_eq!(category["color"], "#a1b2c3");
        assert_eq!(category["icon"], "utensils");
        let wrong = family.api.post(&split, &json!({ "split": [] }));
        wrong.expect_error(422, "validation_failed");
        assert_eq!(answer["parts"][0]["parent_id"], whole);
        assert_eq!(family.api.get(&split).expect_status(200).json(), answer);
        assert_eq!(names(&family.api, ""), ["Bread", "Market", "Rent"]);
        let market = one(&family.api, "search=Market");
        assert_eq!(market["amount_decimal"], "7.50", "the part that has no name of its own");
        assert_eq!(names(&family.api, &format!("category_id={food}")), ["Bread"]);
        assert_eq!(names(&family.api, "start_date=2026-01-12&end_date=2026-01-12").len(), 3);
        assert_eq!(balance(&family.api, &account), "20.00");

        // A part is changed like a transaction, but for what the split gave it.
        let part = format!("{PATH}/{}", text(&answer["parts"][1], "id"));
        let renamed = json!({ "name": "Soap", "category_id": food, "excluded": true });
        let renamed = family.api.patch(&part, &renamed).expect_status(200).json();
        assert_eq!((&renamed["name"], &renamed["excluded"]), (&json!("Soap"), &json!(true)));
        for change in [json!({ "amount": 8 }), json!({ "date": "2026-01-13" })] {
            family.api.patch(&part, &change).expect_error(422, "validation_failed");
        }
        family.api.delete(&part).expect_error(422, "validation_failed");
        family.api.post(&format!("{part}/split"), &parts).expect_error(422, "validation_failed");
        let whole_path = format!("{PATH}/{whole}");
        family.api.patch(&whole_path, &json!({ "amount": 31 })).expect_error(422, "validation_failed");
        family.api.patch(&whole_path, &json!({ "date": "2026-01-15" })).expect_status(200);
        assert_eq!(names(&family.api, "start_date=2026-01-15"), ["Bread", "Soap"]);

        // The same file brings nothing new, and an undo leaves what a person has split.
        family.import(&account, csv);
        assert_eq!(names(&family.api, ""), ["Bread", "Rent", "Soap"]);
        crate::accounts::consistent(&server);

        // Splitting anew replaces the parts; putting it together takes them away.
        let anew = json!({ "parts": [{ "amount": 10 }, { "amount": 10 }, { "amount": 10 }] });
        family.api.post(&split, &anew).expect_status(201);
        assert_eq!(names(&family.api, ""), ["Market", "Market", "Market", "Rent"]);
        family.api.delete(&split).expect_status(200);
        assert_eq!(names(&family.api, ""), ["Market", "Rent"]);
        family.api.delete(&split).expect_error(422, "validation_failed");
        family.api.post(&split, &anew).expect_status(201);
        family.api.delete(&whole_path).expect_status(200);
        assert_eq!(names(&family.api, ""), ["Rent"]);
        assert_eq!(balance(&family.api, &account), "50.00");
        crate::accounts::consistent(&server);
    }

    fn what_is_left_out_of_reports_stays_out_when_it_is_split(server) {
        let family = server.family();
        let account = family.account("A", "depository");
        let whole = json!({ "account_id": account, "date": "2026-01-12", "amount": 10,
            "name": "Own business", "excluded": true });
        let whole = family.api.post(PATH, &whole).expect_status(201).id();
        let split = format!("{PATH}/{whole}/split");
        let parts = json!({ "parts": [{ "amount": 4 }, { "amount": 6, "excluded": false }] });
        family.api.post(&split, &parts).expect_status(201);
        let report = "/api/v1/reports/cash_flow?start_date=2026-01-01&end_date=2026-01-31";
        let spent = || {
            let report = family.api.get(report).expect_status(200).json();
            report["months"][0]["expense"]["amount"].clone()
        };
        assert_eq!(spent(), "6.00");
        let path = format!("{PATH}/{whole}");
        for (excluded, expected) in [(true, json!("6.00")), (false, json!("10.00"))] {
            family.api.patch(&path, &json!({ "excluded": excluded })).expect_status(200);
            assert_eq!(spent(), expected);
        }
        family.api.patch(&path, &json!({ "excluded": true })).expect_status(200);
        assert_eq!(spent(), json!(null));
        assert_eq!(balance(&family.api, &account), "-10.00");
    }

    fn parts_that_do_not_add_up_are_refused(server) {
        let family = server.family();
        let account = family.account("A", "depository");
        family.import(&account, "Date,Description,Amount\n2026-01-12,Market,-30\n");
        let whole = text(&one(&family.api, ""), "id");
        let split = format!("{PATH}/{whole}/split");
        for (parts, sentence) in [
            (json!([{ "amount": 10 }, { "amount": 19.99 }]),
                "The parts add up to 29.99, but the transaction has 30.00"),
            (json!([{ "amount": 30 }]), "The parts must have 2 to 100 entries"),
            (json!([]), "The parts must have 2 to 100 entries"),
            (json!([{ "amount": 10 }, { "amount": 20, "category_id": "x" }]),
                "The parts[1].category_id is not a category of this family"),
        ] {
            let answer = family.api.post(&split, &json!({ "parts": parts }));
            let error = answer.expect_error(422, "validation_failed");
            assert_eq!(error["errors"], json!([sentence]));
        }
        family.api.post(&split, &json!({ "parts": 5 })).expect_error(422, "validation_failed");
        assert_eq!(one(&family.api, "")["is_split"], false);
        let missing = format!("{PATH}/{account}/split");
        family.api.get(&missing).expect_error(404, "not_found");
        family.api.delete(&missing).expect_error(404, "not_found");
    }
}
