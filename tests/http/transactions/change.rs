//! `PATCH`, `PUT` and `DELETE /transactions/{id}`: what changes, what follows, what is refused.

use serde_json::{Value, json};

use crate::imports::{balance, both_whole, publish, text, transactions};
use crate::support::{Family, Scope, Server, Sql};

const PATH: &str = "/api/v1/transactions";
const CSV: &str = "Date,Amount,Name,Category,Tags,Notes\n\
    2026-01-10,-10.00,Bread,Food,home,crust\n\
    2026-01-12,25.00,Pay,,,\n";

/// A family with the two transactions in an account, and the path of the first.
fn fixture(server: &Server) -> (Family, String, String) {
    let family = server.family();
    let account = family.account("Main", "depository");
    publish(&family.api, CSV, &json!({ "account_id": account }));
    let path = found(&family, "Bread");
    (family, account, path)
}

/// The path of the only transaction that is called so.
#[track_caller]
fn found(family: &Family, name: &str) -> String {
    let listed = family.api.get(&format!("{PATH}?search={name}")).expect_status(200).json();
    let listed = listed["transactions"].as_array().unwrap();
    assert_eq!(listed.len(), 1, "{listed:?}");
    format!("{PATH}/{}", text(&listed[0]["id"]))
}

/// Date, amount and name in the origin, and whether the entry is gone.
fn origins(server: &Server) -> Vec<Vec<String>> {
    Sql::open(server).query(
        "SELECT date, amount, name, deleted_at IS NULL FROM entry_origins ORDER BY date, name",
    )
}

both_whole! {
    fn what_cannot_change_is_refused_unless_it_is_as_it_is(server) {
        let (family, account, path) = fixture(&server);
        let before = family.api.get(&path).expect_status(200).json();
        let same = json!({ "currency": before["currency"], "account_id": account,
            "description": "Rolls" });
        let after = family.api.patch(&path, &same).expect_status(200).json();
        assert_eq!(after["name"], "Rolls");
        let refused = family.api.patch(&path, &json!({ "currency": "JPY" })).expect_status(422);
        let sentence = format!("The currency can't change: it is {}", text(&before["currency"]));
        assert_eq!(refused.json()["message"], sentence);
        assert_eq!(family.api.get(&path).expect_status(200).json(), after);
    }

    fn every_field_can_be_changed_and_balances_follow(server) {
        let (family, account, path) = fixture(&server);
        assert_eq!(balance(&family, &account), "15.00");
        let before = family.api.get(&path).json();
        let body = json!({ "transaction": { "date": "2026-01-13", "amount": "12.5",
            "name": " Cake ", "notes": "sweet", "category_id": null, "tag_ids": [] } });
        let after = family.api.patch(&path, &body).expect_status(200).json();
        assert_eq!(after, family.api.get(&path).json(), "the answer is what a read shows");
        assert_eq!(
            [&after["date"], &after["amount_decimal"], &after["name"], &after["notes"]],
            [&json!("2026-01-13"), &json!("12.50"), &json!("Cake"), &json!("sweet")]
        );
        assert_eq!((&after["category"], &after["tags"]), (&Value::Null, &json!([])));
        assert_eq!(balance(&family, &account), "12.50");
        // Back again, with other forms of the fields.
        let body = json!({ "date": "2026-01-10", "amount": -10, "nature": "expense",
            "notes": "crust", "category_id": before["category"]["id"],
            "tag_ids": [before["tags"][0]["id"]], "name": "Bread" });
        let back = family.api.put(&path, &body).expect_status(200).json();
        for field in ["date", "amount", "name", "notes", "category", "tags", "account"] {
            assert_eq!(back[field], before[field], "{field}");
        }
        assert_eq!(balance(&family, &account), "15.00");
        let income = family.api.patch(&path, &json!({ "nature": "income" })).json();
        assert_eq!(income["signed_amount_cents"], 1000);
        assert_eq!(balance(&family, &account), "35.00");
    }

    fn the_first_change_keeps_the_origin(server) {
        let (family, _, path) = fixture(&server);
        assert!(origins(&server).is_empty());
        for body in [
            json!({}),
            json!({ "transaction": null, "other": 1 }),
            json!({ "name": "Bread", "amount": "10.00", "date": "2026-01-10" }),
            json!({ "amount": null, "date": "", "tag_ids": null }),
        ] {
            family.api.patch(&path, &body).expect_status(200);
            assert!(origins(&server).is_empty(), "{body} changes nothing");
        }
        for name in ["Cake", "Pie"] {
            family.api.patch(&path, &json!({ "name": name, "amount": 3 })).expect_status(200);
        }
        let kept = origins(&server);
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0][1..3], ["100000", "Bread"], "the first one stays");
        assert!(["1", "t"].contains(&kept[0][3].as_str()), "{kept:?}");
        family.api.delete(&path).expect_status(200);
        let buried = origins(&server);
        assert_eq!(buried[0][..3], kept[0][..3]);
        assert!(["0", "f"].contains(&buried[0][3].as_str()), "{buried:?}");
    }

    fn a_deleted_transaction_is_gone_but_for_its_tombstone(server) {
        let (family, account, path) = fixture(&server);
        let gone = family.api.delete(&path).expect_status(200);
        assert_eq!(gone.json(), json!({ "message": "Transaction deleted" }));
        assert_eq!(balance(&family, &account), "25.00");
        assert_eq!(transactions(&family), ["2026-01-12 25.00 USD Pay @Main"]);
        assert_eq!(family.api.get(PATH).json()["pagination"]["total_count"], 1);
        family.api.get(&path).expect_error(404, "not_found");
        family.api.patch(&path, &json!({ "name": "x" })).expect_error(404, "not_found");
        family.api.delete(&path).expect_error(404, "not_found");
        let sql = Sql::open(&server);
        assert_eq!(sql.query("SELECT COUNT(*) FROM entry_tags"), [["0"]]);
        let trail = sql.query(
            "SELECT details FROM audit_events WHERE action = 'transaction.remove'",
        );
        let details: Value = serde_json::from_str(&trail[0][0]).unwrap();
        let before = &details["changes"][0]["before"];
        assert_eq!(
            (&before["name"], &before["amount"], &before["notes"]),
            (&json!("Bread"), &json!(100_000), &json!("crust"))
        );
        assert_eq!(before["tags"].as_array().map(Vec::len), Some(1));
    }

    fn a_transfer_goes_with_its_side(server) {
        let (family, _, path) = fixture(&server);
        let sql = Sql::open(&server);
        let ids = [path.clone(), found(&family, "Pay")];
        let [out, inn] = ids.map(|path| sql.uuid(path.rsplit('/').next().unwrap()));
        let family_id = "(SELECT MAX(family_id) FROM accounts)";
        sql.run(&format!(
            "INSERT INTO transfers (family_id, id, outflow_id, inflow_id, status, made_by, score,
                reasons, created_at, updated_at)
             VALUES ({family_id}, {out}, {out}, {inn}, 'confirmed', 'person', 100, '[]', 1, 1)"
        ));
        family.api.delete(&path).expect_status(200);
        assert_eq!(sql.query("SELECT COUNT(*) FROM transfers"), [["0"]]);
    }

    fn a_wrong_change_is_refused_as_a_whole(server) {
        let (family, account, path) = fixture(&server);
        let other = server.family();
        let other_account = other.account("Other", "depository");
        publish(&other.api, CSV, &json!({ "account_id": other_account }));
        let theirs = other.api.get(&found(&other, "Bread")).json();
        let before = family.api.get(&path).json();
        let unknown = "0190f5f0-7c00-7a10-8000-00000000dead";
        for (body, errors) in [
            (json!({ "amount": "abc" }), json!(["The amount must be a decimal number such as 12.50"])),
            (json!({ "amount": 1.00001 }), json!(["The amount must have at most 4 decimals"])),
            (json!({ "nature": "gift" }), json!(["The nature must be income or expense"])),
            (json!({ "name": "" }), json!(["The name must have 1 to 500 characters"])),
            (json!({ "name": null }), json!(["The name must have 1 to 500 characters"])),
            (json!({ "tag_ids": "x" }), json!(["The tag_ids must be a list"])),
            (
                json!({ "category_id": unknown }),
                json!(["The category_id is not a category of this family"]),
            ),
            (
                json!({ "category_id": theirs["category"]["id"], "name": "x" }),
                json!(["The category_id is not a category of this family"]),
            ),
            (
                json!({ "tag_ids": [before["tags"][0]["id"], theirs["tags"][0]["id"]] }),
                json!(["The tag_ids must only name tags of this family"]),
            ),
            (json!({ "transaction": 5 }), json!(["The transaction must be an object"])),
        ] {
            let refused = family.api.patch(&path, &body).expect_error(422, "validation_failed");
            assert_eq!(refused["errors"], errors, "{body}");
        }
        let body = json!({ "amount": "x", "date": "x", "name": 5 });
        let refused = family.api.put(&path, &body).expect_error(422, "validation_failed");
        assert_eq!(refused["errors"].as_array().map(Vec::len), Some(3), "{refused}");
        assert_eq!(family.api.get(&path).json(), before);
        assert_eq!(balance(&family, &account), "15.00");
        assert!(origins(&server).is_empty());
    }

    fn only_who_may_write_and_see_it_changes_it(server) {
        let (family, account, path) = fixture(&server);
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        reader.patch(&path, &json!({ "name": "x" })).expect_error(403, "insufficient_scope");
        reader.delete(&path).expect_error(403, "insufficient_scope");
        let elsewhere = family.account("Elsewhere", "depository");
        let restricted = |account: &str| {
            let made = server.run_json(
                &["key", "add", "--user", &family.email, "--name", "r", "--scope", "read_write",
                    "--account", account],
                "",
            );
            server.client().with_key(text(&made["key"]))
        };
        let outside = restricted(&elsewhere);
        for method in ["PATCH", "PUT", "DELETE"] {
            let body = Some(("application/json", &br#"{"name": "x"}"#[..]));
            outside.request(method, &path, body).expect_error(404, "not_found");
        }
        // A hidden transaction can't be changed either.
        let sql = Sql::open(&server);
        let hide = |status: &str| {
            let id = sql.uuid(&account);
            sql.run(&format!("UPDATE accounts SET status = '{status}' WHERE id = {id}"));
        };
        hide("disabled");
        family.api.patch(&path, &json!({ "name": "x" })).expect_error(404, "not_found");
        family.api.delete(&path).expect_error(404, "not_found");
        hide("active");
        let inside = restricted(&account);
        inside.patch(&path, &json!({ "name": "Cake" })).expect_status(200);
        inside.delete(&path).expect_status(200);
    }
}
