//! Changing and removing valuations, and what the account's balance is afterwards.

use serde_json::{Value, json};

use crate::both;
use crate::ledger::{account, balance, time, today, value};
use crate::support::{Family, Server, Sql};

const PATH: &str = "/api/v1/valuations";

/// An account with flows on the 5th and the 15th, worth 1000 on the 10th of January 2026.
fn fixture(server: &Server) -> (Family, String, String) {
    let family = server.family();
    let account = family.account_with(
        json!({ "name": "Savings", "account_type": "depository", "opening_balance": "100" }),
    );
    family.import(&account, "Date,Description,Amount\n2026-01-05,a,10\n2026-01-15,b,-1\n");
    assert_eq!(balance(&family.api, &account), "109.00");
    let made = value(&family.api, &account, "2026-01-10", "1000");
    assert_eq!(balance(&family.api, &account), "999.00");
    (family, account, format!("{PATH}/{}", made["id"].as_str().unwrap()))
}

both! {
    fn a_valuation_moves_with_the_balance_of_both_days(server) {
        let (family, account, path) = fixture(&server);
        let sql = Sql::open(&server);
        let before = family.api.get(&path).json();
        for (date, today, series) in [
            // Before both flows, between them, on the day of one, after both.
            ("2026-01-01", "1009.00", &[10_000_000, 10_100_000, 10_090_000][..]),
            ("2026-01-12", "999.00", &[1_100_000, 10_000_000, 9_990_000]),
            ("2026-01-05", "999.00", &[10_000_000, 9_990_000]),
            ("2026-01-15", "1000.00", &[1_100_000, 10_000_000]),
            ("2026-01-20", "1000.00", &[1_100_000, 1_090_000, 10_000_000]),
            ("2026-01-10", "999.00", &[1_100_000, 10_000_000, 9_990_000]),
        ] {
            let body = json!({ "valuation": { "date": date } });
            let moved = family.api.patch(&path, &body).expect_status(200).json();
            assert_eq!((&moved["date"], &moved["id"]), (&json!(date), &before["id"]));
            assert_eq!(moved["amount"], "$1,000.00");
            assert_eq!(balance(&family.api, &account), today, "{date}");
            assert_eq!(ends(&sql, &account), series, "{date}");
        }
        let day = crate::ledger::today(&family);
        let next_month = day.saturating_add(jiff::Span::new().months(1)).to_string();
        family.api.patch(&path, &json!({ "date": next_month })).expect_status(200);
        assert_eq!(balance(&family.api, &account), "109.00", "not before its day");
    }

    fn amount_and_date_change_together_or_alone(server) {
        let (family, account, path) = fixture(&server);
        let sql = Sql::open(&server);
        let id = path.rsplit('/').next().unwrap();
        sql.age_entry(id);
        let before = family.api.get(&path).json();
        let body = json!({ "valuation": { "amount": 0.1, "date": "2026-01-16", "kind": "x" } });
        let after = family.api.patch(&path, &body).expect_status(200).json();
        assert_eq!(
            (&after["amount_decimal"], &after["date"]),
            (&json!("0.10"), &json!("2026-01-16"))
        );
        assert_eq!(
            (&after["kind"], &after["created_at"]),
            (&before["kind"], &before["created_at"])
        );
        assert!(time(&after, "updated_at") > time(&before, "updated_at"));
        assert_eq!(family.api.get(&path).json(), after);
        assert_eq!(balance(&family.api, &account), "0.10");
        // Both the wrapper and the fields alone are understood; the wrapper wins.
        let body = json!({ "valuation": { "amount": "-7" }, "amount": "8" });
        assert_eq!(family.api.patch(&path, &body).expect_status(200).json()["amount"], "-$7.00");
        assert_eq!(family.api.patch(&path, &json!({ "amount": "8" })).json()["amount"], "$8.00");
        assert_eq!(balance(&family.api, &account), "8.00");
    }

    fn an_occupied_day_is_refused(server) {
        let (family, account, path) = fixture(&server);
        value(&family.api, &account, "2026-01-12", "1200");
        let other = family.account("Other", "vehicle");
        value(&family.api, &other, "2026-01-13", "5");
        let before = family.api.get(&path).json();
        let body = json!({ "valuation": { "date": "2026-01-12", "amount": "5", "notes": "n" } });
        let refused = family.api.patch(&path, &body).expect_error(422, "validation_failed");
        assert_eq!(refused["errors"], json!(["The account already has a valuation on the date 2026-01-12"]));
        assert_eq!(family.api.get(&path).json(), before);
        assert_eq!(balance(&family.api, &account), "1199.00");
        // Its own day and another account's are no hindrance.
        family.api.patch(&path, &json!({ "date": "2026-01-10" })).expect_status(200);
        family.api.patch(&path, &json!({ "date": "2026-01-13" })).expect_status(200);
        assert_eq!(balance(&family.api, &account), "999.00");
    }

    fn nothing_recognised_changes_nothing(server) {
        let (family, account, path) = fixture(&server);
        let before = (family.api.get(&path).json(), crate::ledger::account(&family.api, &account));
        for body in [
            json!({}),
            json!({ "valuation": {} }),
            json!({ "valuation": null }),
            json!({ "other": 5, "upsert": true }),
            json!({ "valuation": { "account_id": account, "kind": "opening_anchor" } }),
            json!({ "valuation": { "currency": "EUR" } }),
            json!({ "valuation": { "amount": null, "date": null } }),
            json!({ "valuation": { "amount": "", "date": " " } }),
            json!({ "valuation": { "amount": "1000.0", "date": "2026-01-10", "notes": null } }),
        ] {
            let after = family.api.patch(&path, &body).expect_status(200).json();
            assert_eq!(after, before.0, "{body}");
        }
        let account = crate::ledger::account(&family.api, &account);
        assert_eq!(account, before.1);
    }

    fn a_wrong_change_is_refused_as_a_whole(server) {
        let (family, account, path) = fixture(&server);
        let last = today(&family).saturating_add(jiff::Span::new().years(1).days(2)).to_string();
        for (body, errors) in [
            (json!({ "amount": "abc" }), json!(["The amount must be a decimal number such as 12.50"])),
            (json!({ "amount": 1.00001 }), json!(["The amount must have at most 4 decimals"])),
            (json!({ "amount": true }), json!(["The amount must be a decimal number such as 12.50"])),
            (
                json!({ "date": "12/01/2026" }),
                json!(["The date must be a calendar date such as 2026-01-31"]),
            ),
            (json!({ "valuation": 5 }), json!(["The valuation must be an object"])),
            (json!({ "valuation": "x" }), json!(["The valuation must be an object"])),
            (json!([]), json!(["The body must be an object"])),
        ] {
            let refused = family.api.patch(&path, &body).expect_error(422, "validation_failed");
            assert_eq!(refused["errors"], errors, "{body}");
        }
        for date in ["1899-12-31", &last] {
            family
                .api
                .patch(&path, &json!({ "date": date }))
                .expect_error(422, "validation_failed");
        }
        let body = json!({ "amount": "5", "date": "x", "notes": 5 });
        let refused = family.api.patch(&path, &body).expect_error(422, "validation_failed");
        assert_eq!(refused["errors"].as_array().map(Vec::len), Some(2), "{refused}");
        assert_eq!(family.api.get(&path).json()["amount"], "$1,000.00");
        assert_eq!(balance(&family.api, &account), "999.00");
    }

    fn a_removed_valuation_leaves_the_balance_as_before(server) {
        let (family, account, path) = fixture(&server);
        let gone = family.api.delete(&path).expect_status(200);
        assert_eq!(gone.json(), json!({ "message": "Valuation deleted" }));
        assert_eq!(balance(&family.api, &account), "109.00");
        assert_eq!(ends(&Sql::open(&server), &account), [1_100_000, 1_090_000]);
        family.api.get(&path).expect_error(404, "not_found");
        family.api.patch(&path, &json!({ "amount": 1 })).expect_error(404, "not_found");
        family.api.delete(&path).expect_error(404, "not_found");
        let page = family.api.get(PATH).json();
        assert_eq!(
            (&page["valuations"], &page["pagination"]["total_count"]),
            (&json!([]), &json!(0))
        );
        // The day is free again, for a new one.
        let again = value(&family.api, &account, "2026-01-10", "7");
        assert_ne!(path, format!("{PATH}/{}", again["id"].as_str().unwrap()));
        assert_eq!(balance(&family.api, &account), "6.00");
    }

    fn without_its_opening_an_account_starts_from_nothing(server) {
        let family = server.family();
        let account = family.account_with(json!({ "name": "Savings", "account_type": "depository",
            "opening_balance": "100", "opening_date": "2026-01-10" }));
        family.import(&account, "Date,Description,Amount\n2026-01-15,a,10\n");
        assert_eq!(balance(&family.api, &account), "110.00");
        let anchor = family.api.get(PATH).json()["valuations"][0].clone();
        let path = format!("{PATH}/{}", anchor["id"].as_str().unwrap());
        let changed: Value = family.api.patch(&path, &json!({ "amount": 50 })).json();
        assert_eq!(changed["kind"], "opening_anchor");
        assert_eq!(balance(&family.api, &account), "60.00");
        family.api.delete(&path).expect_status(200);
        assert_eq!(balance(&family.api, &account), "10.00");
    }

    fn a_change_moves_the_account(server) {
        let (family, id, path) = fixture(&server);
        let sql = Sql::open(&server);
        let mut writes = vec![
            ("PATCH", path.clone(), json!({ "amount": 5 })),
            (
                "POST",
                PATH.to_owned(),
                json!({ "valuation":
                { "account_id": id, "amount": 6, "date": "2026-01-10" } }),
            ),
        ];
        writes.push(("DELETE", path, json!({})));
        for (method, path, body) in writes {
            sql.run("UPDATE accounts SET updated_at = created_at - 1000000");
            let before = account(&family.api, &id);
            let body = body.to_string();
            let body = (method != "DELETE").then_some(("application/json", body.as_bytes()));
            assert!(family.api.request(method, &path, body).status < 300, "{method}");
            let after = account(&family.api, &id);
            assert!(time(&after, "updated_at") > time(&before, "updated_at"), "{method}");
            assert_eq!(after["created_at"], before["created_at"]);
        }
    }
}

/// The end of every day of the account's series.
fn ends(sql: &Sql, account: &str) -> Vec<i64> {
    let rows = sql.integers(&format!(
        "SELECT end_amount FROM balances WHERE account_id = {} ORDER BY date",
        sql.uuid(account)
    ));
    rows.into_iter().map(|row| row[0].unwrap()).collect()
}
