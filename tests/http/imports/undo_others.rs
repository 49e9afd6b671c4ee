//! The preview of an undo lists other imports that were matched with what it removes.

use serde_json::{Value, json};

use super::undo::{preview, publish_again, undo};
use super::{IMPORTS, all, both_whole, publish, text, transactions};
use crate::support::{Client, Family, Multipart};

const FIRST: &str = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-01-03,-2.00,B\n2024-01-04,-3,C\n";

/// Uploads a named file into an account and publishes it.
#[track_caller]
fn publish_file(family: &Family, name: &str, csv: &str, account: &str) -> Value {
    let form = Multipart::new()
        .file("file", name, "text/csv", csv.as_bytes())
        .text("account_id", account)
        .text("publish", "true");
    let id = family.api.post_form(IMPORTS, &form).expect_status(201).id();
    let import = family.api.wait_for_import(&id);
    assert_eq!(import["status"], "complete", "{import}");
    import
}

/// The other imports in the preview.
#[track_caller]
fn others(api: &Client, import: &Value) -> Value {
    preview(api, import)["other_imports"].clone()
}

#[track_caller]
fn found(family: &Family, name: &str) -> String {
    let listed = all(&family.api, &format!("/api/v1/transactions?search={name}"), "transactions");
    assert_eq!(listed.len(), 1, "{listed:?}");
    format!("/api/v1/transactions/{}", text(&listed[0]["id"]))
}

fn none() -> Value {
    json!({ "transactions_count_at_least": 0, "imports_count_at_least": 0, "is_exact": true,
        "imports": [] })
}

fn one(import: &Value, name: Option<&str>, count: u64) -> Value {
    json!({ "id": import["id"], "name": name, "transactions_count_at_least": count })
}

both_whole! {
    fn matches_of_other_imports_are_reported_before(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let earlier = publish_file(&family, "0.csv", "Date,Amount,Name\n2024-01-01,+9,Z\n", &account);
        let first = publish_file(&family, "1.csv", FIRST, &account);
        assert_eq!(others(&family.api, &first), none());
        let rich = "Date,Amount,Name,Notes\n2024-01-02,-1.00,A,n\n2024-01-03,-2.00,B,\n\
            2024-02-03,-4.00,D,\n2024-01-01,+9,Z,\n";
        let second = publish_file(&family, "2.csv", rich, &account);
        let by_name = "Date,Amount,Name,Account\n2024-01-02,-1.00,A,Main\n2024-01-04,-3,E,Main\n";
        let third = publish(&family.api, by_name, &json!({}));
        let whole = publish(
            &family.api,
            "Date,Amount,Name\n2024-05-05,+1,X\n",
            &json!({ "account_id": account }),
        );
        assert_eq!(
            others(&family.api, &first),
            json!({ "transactions_count_at_least": 2, "imports_count_at_least": 2,
                "is_exact": true,
                "imports": [one(&second, Some("2.csv"), 2), one(&third, None, 1)] })
        );
        assert_eq!(others(&family.api, &earlier)["imports"], json!([one(&second, Some("2.csv"), 1)]));
        for none_of in [&second, &third, &whole] {
            assert_eq!(others(&family.api, none_of), none());
        }
        // What stays or is gone is not meant.
        family.api.patch(&found(&family, "B"), &json!({ "name": "Kept" })).expect_status(200);
        let shown = others(&family.api, &first);
        assert_eq!(shown["transactions_count_at_least"], 1, "{shown}");
        assert_eq!(shown["imports"], json!([one(&second, Some("2.csv"), 1), one(&third, None, 1)]));
        let dry = server.run(&["undo", text(&first["id"]), "--dry-run"], "");
        let sentence = "1 of the transactions that go also stands for rows of other imports, \
            which don't bring it back: “2.csv”, a file without a name.";
        assert!(dry.stdout.contains(sentence), "{}", dry.stdout);
        let page = server.signed_in(&family).get(&format!("/imports/{}/undo", text(&first["id"])));
        let page = page.expect_status(200).text();
        assert!(page.contains("also stands for rows of other imports"), "{page}");
        assert!(page.contains("“2.csv”, a file without a name"), "{page}");
        family.api.delete(&found(&family, "A")).expect_status(200);
        assert_eq!(others(&family.api, &first), none());
        undo(&family.api, &first);
        assert!(transactions(&family).iter().any(|line| line.contains("Kept")));
    }

    fn what_goes_comes_back_with_the_other_import(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let first = publish_file(&family, "1.csv", FIRST, &account);
        let lines = transactions(&family);
        let second = publish_file(&family, "2.csv", FIRST, &account);
        assert_eq!(others(&family.api, &first)["transactions_count_at_least"], 3);
        undo(&family.api, &first);
        assert!(transactions(&family).is_empty());
        // Undone and published again, the other one creates them.
        undo(&family.api, &second);
        publish_again(&family.api, &second);
        assert_eq!(transactions(&family), lines);
        publish_again(&family.api, &first);
        assert_eq!(transactions(&family), lines);
        assert_eq!(others(&family.api, &second)["imports"], json!([one(&first, Some("1.csv"), 3)]));
        assert_eq!(others(&family.api, &first), none());
    }

    fn at_most_five_are_named_and_none_that_a_key_may_not_see(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let first = publish_file(&family, "1.csv", FIRST, &account);
        let by_name = "Date,Amount,Name,Account\n2024-01-02,-1.00,A,Main\n";
        publish(&family.api, by_name, &json!({}));
        for number in 2..8 {
            publish_file(&family, &format!("{number}.csv"), FIRST, &account);
        }
        let shown = others(&family.api, &first);
        assert_eq!(shown["transactions_count_at_least"], 3, "{shown}");
        assert_eq!(shown["imports_count_at_least"], 7);
        let names = |shown: &Value| -> Vec<Value> {
            shown["imports"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect()
        };
        assert_eq!(names(&shown), [json!(null), json!("2.csv"), json!("3.csv"), json!("4.csv"), json!("5.csv")]);
        let dry = server.run(&["undo", text(&first["id"]), "--dry-run"], "");
        assert!(dry.stdout.contains("“5.csv”, 2 more."), "{}", dry.stdout);
        let made = server.run_json(
            &[
                "key", "add", "--user", &family.email, "--name", "restricted", "--scope", "read",
                "--account", &account,
            ],
            "",
        );
        let restricted = server.client().with_key(text(&made["key"]));
        let shown = others(&restricted, &first);
        assert_eq!(shown["imports_count_at_least"], 6, "{shown}");
        assert_eq!(names(&shown), ["2.csv", "3.csv", "4.csv", "5.csv", "6.csv"]);
    }
}
