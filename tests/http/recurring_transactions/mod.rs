//! Transactions that come every month.

use jiff::Span;
use jiff::civil::Date;
use serde_json::{Value, json};

use crate::both;
use crate::categories::category;
use crate::imports::assert_whole;
use crate::ledger::today;
use crate::support::{Client, Family};

const PATH: &str = "/api/v1/recurring_transactions";

/// A day of some months ago, never later than today.
fn months_ago(family: &Family, months: i32) -> Date {
    let first = today(family).checked_sub(Span::new().months(months)).unwrap();
    first.with().day(first.day().min(28)).build().unwrap()
}

fn import_series(family: &Family, account: &str, name: &str, amount: &str) {
    let mut csv = "date,amount,name\n".to_owned();
    for months in 0..5 {
        csv.push_str(&format!("{},{amount},{name} {months}\n", months_ago(family, months)));
    }
    family.import(account, &csv);
}

#[track_caller]
fn detect(client: &Client) -> Value {
    client.request("POST", &format!("{PATH}/detect"), None).expect_status(201).json()
}

#[track_caller]
fn names(client: &Client, query: &str) -> Vec<String> {
    let body = client.get(&format!("{PATH}?{query}")).expect_status(200).json();
    let all = body["recurring_transactions"].as_array().unwrap();
    all.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

both! {
    fn a_series_is_made_changed_and_removed(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let home = category(&family.api, "Home", None);
        let fields = json!({
            "account_id": account, "name": "Rent", "amount": "900.50", "category_id": home,
            "expected_day_of_month": 31, "last_occurrence_date": months_ago(&family, 0).to_string(),
        });
        let wrapped = json!({ "recurring_transaction": fields });
        let made = family.api.post(PATH, &wrapped).expect_status(201).json();
        assert_eq!((&made["amount"], &made["amount_cents"]), (&json!("$900.50"), &json!(90_050)));
        assert_eq!((&made["status"], &made["manual"]), (&json!("active"), &json!(true)));
        assert_eq!(made["account"]["name"], "Main");
        let shown = family.api.get(&format!("/api/v1/categories/{home}")).expect_status(200).json();
        assert_eq!(
            made["category"],
            json!({ "id": home, "name": "Home", "parent_id": null, "color": shown["color"],
                "icon": "shapes" })
        );
        assert_eq!((&made["merchant"], &made["occurrence_count"]), (&json!(null), &json!(0)));
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        assert_eq!(family.api.get(&path).expect_status(200).json(), made);
        family.api.post(PATH, &fields).expect_error(409, "conflict");
        let changed = family.api.patch(&path, &json!({ "status": "inactive", "amount": -5 }));
        let changed = changed.expect_status(200).json();
        assert_eq!(changed["status"], "inactive");
        assert_eq!(changed["amount"], "-$5.00");
        assert_eq!(changed["next_expected_date"], made["next_expected_date"]);
        assert_eq!(names(&family.api, "status=active"), Vec::<String>::new());
        assert_eq!(names(&family.api, &format!("status=inactive&account_id={account}")), ["Rent"]);
        family.api.get(&format!("{PATH}?status=x")).expect_error(422, "validation_failed");
        family.api.delete(&format!("/api/v1/categories/{home}")).expect_status(200);
        assert_eq!(family.api.get(&path).json()["category"], json!(null));
        family.api.delete(&path).expect_status(200);
        family.api.get(&path).expect_error(404, "not_found");
    }

    fn every_problem_is_reported(server) {
        let family = server.family();
        let strange = server.family().account("Theirs", "depository");
        let wrong = json!({
            "account_id": strange, "merchant_id": "x", "category_id": strange, "amount": 0,
            "currency": "XYZ", "expected_day_of_month": 40, "status": "x",
            "last_occurrence_date": "1/1/2026", "next_expected_date": "2026-13-01",
        });
        let body = family.api.post(PATH, &wrong).expect_error(422, "validation_failed");
        // The name, too; of the days each for itself, and that none is left.
        let errors = body["errors"].as_array().unwrap();
        assert_eq!(errors.len(), 11, "{body}");
        for unknown in [
            "The account_id is not an account of this family",
            "The category_id is not a category of this family",
            "The merchant_id is not a merchant of this family",
        ] {
            assert!(errors.contains(&json!(unknown)), "{unknown}: {body}");
        }
        let idle = family.account("Idle", "depository");
        let disabled = json!({ "status": "disabled" });
        family.api.patch(&format!("/api/v1/accounts/{idle}"), &disabled).expect_status(200);
        let fields = json!({ "account_id": idle, "name": "Rent", "amount": 1,
            "expected_day_of_month": 1 });
        let body = family.api.post(PATH, &fields).expect_error(422, "validation_failed");
        assert!(body["message"].as_str().unwrap().contains("disabled"), "{body}");
        assert!(names(&family.api, "").is_empty());
    }

    fn what_comes_every_month_is_found(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let other = family.account("Other", "depository");
        import_series(&family, &main, "Media", "-12.99");
        import_series(&family, &other, "Salary", "3000");
        family.import(&main, "date,amount,name\n2026-01-02,-5,Once\n");
        let key = server.run_json(
            &["key", "add", "--user", &family.email, "--name", "r", "--scope", "read_write",
                "--account", "Other"],
            "",
        );
        let key = server.client().with_key(key["key"].as_str().unwrap());
        let found = detect(&key);
        assert_eq!(found["recurring_transactions"].as_array().unwrap().len(), 1);
        let keyed = family.api.with_header("Idempotency-Key", "look");
        let found = detect(&keyed);
        assert_eq!(detect(&keyed), found, "the answer is kept");
        let media = &found["recurring_transactions"][0];
        assert_eq!(media["name"], "Media 0");
        assert_eq!(media["amount_cents"], 1_299);
        assert_eq!(media["occurrence_count"], 5);
        assert_eq!((&media["manual"], &media["account"]["name"]), (&json!(false), &json!("Main")));
        assert_eq!(media["last_occurrence_date"], months_ago(&family, 0).to_string());
        let again = detect(&family.api);
        let nothing = json!({
            "recurring_transactions": [], "remaining_count": 0, "updated_count": 0,
        });
        assert_eq!(again, nothing);
        assert_eq!(names(&family.api, ""), ["Media 0", "Salary 0"]);
        assert_eq!(names(&key, ""), ["Salary 0"]);
        let path = format!("{PATH}/{}", media["id"].as_str().unwrap());
        key.get(&path).expect_error(404, "not_found");
        key.delete(&path).expect_error(404, "not_found");
        let unbound = json!({ "name": "A", "amount": 1, "expected_day_of_month": 1 });
        key.post(PATH, &unbound).expect_error(422, "validation_failed");
        // One that is switched off isn't found again; one that is removed is.
        family.api.patch(&path, &json!({ "status": "inactive" })).expect_status(200);
        assert_eq!(detect(&family.api)["recurring_transactions"], json!([]));
        family.api.delete(&path).expect_status(200);
        assert_eq!(detect(&family.api)["recurring_transactions"].as_array().unwrap().len(), 1);
        assert_whole(&server);
    }

    fn a_detection_creates_at_most_500_and_counts_the_rest(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let letters = |number: usize| -> String {
            let digits = format!("{number:03}").into_bytes().into_iter();
            digits.map(|digit| char::from(digit - b'0' + b'a')).collect()
        };
        let mut csv = "date,amount,name\n".to_owned();
        for months in 0..3 {
            let day = months_ago(&family, months);
            (0..503).for_each(|one| csv.push_str(&format!("{day},-12.99,{}\n", letters(one))));
        }
        family.import(&account, &csv);
        let all = |found: &Value| found["recurring_transactions"].as_array().unwrap().len();
        let keyed = family.api.with_header("Idempotency-Key", "many");
        let first = detect(&keyed);
        assert_eq!((all(&first), &first["remaining_count"]), (500, &json!(3)));
        assert_eq!(detect(&keyed), first);
        let path = format!("{PATH}/{}", first["recurring_transactions"][7]["id"].as_str().unwrap());
        let one = family.api.get(&path).expect_status(200).json();
        assert_eq!(one, first["recurring_transactions"][7]);
        let second = detect(&family.api);
        assert_eq!((all(&second), &second["remaining_count"]), (3, &json!(0)));
        assert_eq!(all(&detect(&family.api)), 0);
        assert_whole(&server);
    }
}
