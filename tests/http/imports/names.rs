//! Names in files: accounts, categories and tags, matched by what a person takes for the same, or
//! created.

use serde_json::{Value, json};

use super::{all, both_whole, errors, path, post, publish, sql, text, transactions, upload};
use crate::support::{Family, Server};

/// Name, type, currency and balance of each account.
fn accounts(family: &Family) -> Vec<String> {
    let mut found: Vec<String> = all(&family.api, "/api/v1/accounts", "accounts")
        .iter()
        .map(|one| {
            let field = |name: &str| text(&one[name]).to_owned();
            format!(
                "{} {} {} {}",
                field("name"),
                field("account_type"),
                field("currency"),
                field("balance_decimal")
            )
        })
        .collect();
    found.sort();
    found
}

fn named(server: &Server, table: &str) -> Vec<String> {
    let rows = sql::query(server, &format!("SELECT name FROM {table} ORDER BY name"));
    rows.into_iter().map(|row| row[0].clone()).collect()
}

both_whole! {
    fn accounts_are_found_or_created_in_the_currency_of_their_rows(server) {
        let family = server.family();
        family.account("Main  Account", "credit_card");
        let csv = "Date,Amount,Name,Account,Currency\n\
                   2024-01-02,-1.00,A,main account,\n2024-01-02,-2.00,B,MAIN ACCOUNT,USD\n\
                   2024-01-03,-4.00,C,Ｍain\u{a0}Account,\n2024-01-04,+8.00,D,Zürich,CHF\n\
                   2024-01-05,+16.00,E,ZU\u{308}RICH,CHF\n2024-01-06,+32.00,F,New,\n";
        let import = publish(&family.api, csv, &json!({}));
        assert_eq!(import["stats"]["mappings_count"], 3);
        assert_eq!(
            accounts(&family),
            [
                "Main  Account credit_card USD 7.00",
                "New depository USD 32.00",
                "Zürich depository CHF 24.00",
            ]
        );
    }

    fn a_person_chooses_where_a_name_is_not_enough(server) {
        let family = server.family();
        family.account("Twin", "depository");
        family.account("twin", "depository");
        family.account_with(
            json!({ "name": "Euros", "account_type": "depository", "currency": "EUR" }),
        );
        for (rows, reason) in [
            ("2024-01-02,-1.00,A,TWIN,USD\n", "2 accounts are called TWIN"),
            (
                "2024-01-02,-1.00,A,Euros,USD\n",
                "Euros is an account in EUR, but its rows are in USD",
            ),
            (
                "2024-01-02,-1.00,A,Mixed,USD\n2024-01-03,-1.00,B,Mixed,CHF\n",
                "The rows of Mixed have several currencies: USD, CHF",
            ),
        ] {
            let csv = format!("Date,Amount,Name,Account,Currency\n{rows}");
            let import = upload(&family.api, &csv, &json!({}));
            assert_eq!(import["stats"]["unassigned_mappings_count"], 1, "{reason}: {import}");
            assert_eq!(import["unassigned_mappings"][0]["reason"], reason);
            assert_eq!(import["status_detail"]["cleaned"], true);
            assert_eq!(import["status_detail"]["publishable"], false);
            let refused = family
                .api
                .post(&path(&import, "/publish"), &json!({}))
                .expect_error(422, "unassigned_mappings");
            assert_eq!(errors(&refused), [reason]);
        }
        let refused =
            post(&family.api, "Date,Amount\n2024-01-02,+1\n", &json!({ "publish": "true" }))
                .expect_error(422, "unassigned_mappings");
        assert_eq!(errors(&refused), ["The file doesn't say which account the rows belong to"]);
        // A blank cell is a row that nobody can place.
        let import =
            upload(&family.api, "Date,Amount,Account\n2024-01-02,+1,\n2024-01-02,+1,X\n", &json!({}));
        assert_eq!(import["invalid_rows"][0]["errors"], json!(["Account is blank"]));
        assert_eq!(accounts(&family).len(), 3, "nothing was created");
    }

    fn an_account_that_is_named_takes_every_row(server) {
        let family = server.family();
        let account = family.account("Mine", "depository");
        let csv = "Date,Amount,Name,Account\n2024-01-02,-1.00,A,Other\n2024-01-02,-1.00,B,\n";
        let import = publish(&family.api, csv, &json!({ "account_id": account }));
        assert_eq!(import["stats"]["mappings_count"], 0);
        assert_eq!(accounts(&family), ["Mine depository USD -2.00"]);
    }

    fn categories_have_two_levels_and_tags_are_sets(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "Date,Amount,Name,Category,Tags\n\
                   2024-01-02,-1.00,A,Food:Groceries,\"home, Home,  WEEKLY\"\n\
                   2024-01-03,-1.00,B,food : GROCERIES,weekly|home\n\
                   2024-01-04,-1.00,C,Food,\"home\\, sweet home\"\n\
                   2024-01-05,-1.00,D,Fun:Groceries,\n\
                   2024-01-06,-1.00,E,Salary,a;b\n\
                   2024-01-07,-1.00,F,,\n";
        let import = publish(&family.api, csv, &json!({ "account_id": account }));
        assert_eq!(import["stats"]["mappings_count"], 9, "four categories, five tags: {import}");
        assert_eq!(
            named(&server, "categories"),
            ["Food", "Fun", "Groceries", "Groceries", "Salary"]
        );
        assert_eq!(named(&server, "tags").len(), 5);
        assert_eq!(
            transactions(&family),
            [
                "2024-01-02 -1.00 USD A #Groceries [home] [WEEKLY] @Main",
                "2024-01-03 -1.00 USD B #Groceries [home] [WEEKLY] @Main",
                "2024-01-04 -1.00 USD C #Food [home, sweet home] @Main",
                "2024-01-05 -1.00 USD D #Groceries @Main",
                "2024-01-06 -1.00 USD E #Salary [a] [b] @Main",
                "2024-01-07 -1.00 USD F @Main",
            ]
        );
        let shown = all(&family.api, "/api/v1/transactions", "transactions");
        let of =
            |name: &str| shown.iter().find(|one| one["name"] == name).unwrap()["category"].clone();
        assert_eq!(of("A"), of("B"));
        assert_eq!(of("A")["parent_id"], of("C")["id"]);
        assert_ne!(of("A")["id"], of("D")["id"], "two groceries below different parents");
        // A second file finds what the first created.
        publish(&family.api, csv, &json!({ "account_id": account }));
        assert_eq!(named(&server, "categories").len(), 5);
        assert_eq!(named(&server, "tags").len(), 5);
    }

    fn what_two_files_create_exists_once(server) {
        let family = server.family();
        let [first, second] = ["A", "B"].map(|name| {
            let row = format!("2024-01-02,-1.00,{name},Food,home,Cash\n");
            let csv = format!("Date,Amount,Name,Category,Tags,Account\n{row}");
            upload(&family.api, &csv, &json!({}))
        });
        for import in [&first, &second] {
            family.api.post(&path(import, "/publish"), &json!({})).expect_status(202);
        }
        for import in [&first, &second] {
            let done = family.api.wait_for_import(text(&import["id"]));
            assert_eq!(done["status"], "complete", "{done}");
        }
        assert_eq!(accounts(&family), ["Cash depository USD -2.00"]);
        assert_eq!(named(&server, "categories"), ["Food"]);
        assert_eq!(named(&server, "tags"), ["home"]);
        let ids = |import: &Value| {
            let row = family.api.get(&path(import, "/rows")).json()["data"][0]["mappings"].clone();
            [&row["account"], &row["category"], &row["tags"][0]]
                .map(|one| text(&one["id"]).to_owned())
        };
        assert_eq!(ids(&first), ids(&second));
    }

    /// What a row means was settled at the upload; an account that is made later changes nothing.
    fn a_later_account_does_not_change_rows(server) {
        let family = server.family();
        let csv =
            "Date,Amount,Name,Account\n2024-01-02,-1.00,A,Later\n2024-01-03,-0.123456,B,Later\n";
        let import = upload(&family.api, csv, &json!({ "skip_invalid": "true" }));
        assert_eq!(import["stats"]["valid_rows_count"], 1, "{import}");
        let before = crate::imports::rows(&family.api, &import);
        family
            .account_with(json!({ "name": "Later", "account_type": "crypto", "currency": "BTC" }));
        // The rows are dollars, the account is not: the publish ends with a reason.
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        let done = family.api.wait_for_import(text(&import["id"]));
        assert_eq!(done["status"], "failed", "{done}");
        assert!(text(&done["error"]).contains("Later is an account in BTC"), "{done}");
        assert!(transactions(&family).is_empty());
        assert_eq!(crate::imports::rows(&family.api, &import), before);
        // The plan knows it by now, so there is no job to wait for.
        let shown = family.api.get(&path(&import, "")).json()["data"].clone();
        assert_eq!(shown["plan"]["needs_choice_count"], 1, "{shown}");
        let publish = path(&import, "/publish");
        family.api.post(&publish, &json!({})).expect_error(422, "unassigned_mappings");
    }

    fn names_that_are_too_long_are_invalid_rows(server) {
        let family = server.family();
        let long = "é".repeat(201);
        let csv = format!(
            "Date,Amount,Name,Category,Tags,Account\n2024-01-02,+1,A,{long},,M\n\
             2024-01-02,+1,B,,{long},M\n\
             2024-01-02,+1,C,,,{long}\n2024-01-02,+1,{},,,M\n2024-01-02,+1,E,{},,M\n",
            "n".repeat(501),
            "é".repeat(200)
        );
        let import = upload(&family.api, &csv, &json!({}));
        assert_eq!(import["stats"]["invalid_rows_count"], 4, "{}", import["invalid_rows"]);
        let tags: Vec<String> = (0..51).map(|tag| format!("t{tag}")).collect();
        let csv = format!("Date,Amount,Tags\n2024-01-02,+1,\"{}\"\n", tags.join(","));
        let import = upload(&family.api, &csv, &json!({}));
        assert_eq!(import["stats"]["invalid_rows_count"], 1);
    }
}
