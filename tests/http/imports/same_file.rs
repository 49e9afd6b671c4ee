//! The same file again: its bytes are recognised, and so is each of its records, whatever it is
//! read with.

use serde_json::{Value, json};

use super::plan::{counts, verdicts};
use super::undo::undo;
use super::{
    IMPORTS, all, body, both_whole, merged, path, publish, sql, text, transactions, upload,
};
use crate::command_line::{file, works};
use crate::support::{Backend, Family, Options, Server};
use crate::trades::moves::restricted_to;

/// Another day, another amount, another name, another sign: each setting reads it otherwise.
const CSV: &str = "Date;Payee;Purpose;Amount;Total\n03/04/2024;Shop;Bread;-1.50;-2.50\n\
                   05/06/2024;Cafe;Tea;-2.25;-3.25\n05/06/2024;Cafe;Tea;-2.25;-3.25\n\
                   07/08/2024;Work;Wages;90.00;80.00\n";

fn settings() -> Value {
    json!({
        "date_format": "%d/%m/%Y", "name_col_label": "Payee", "amount_col_label": "Amount",
        "signage_convention": "inflows_positive",
    })
}

/// Publishes a file into the account; the counts of its plan.
#[track_caller]
fn import(family: &Family, account: &str, csv: &str, with: &Value) -> Vec<String> {
    let fields = merged(&merged(&settings(), with), &json!({ "account_id": account }));
    counts(&publish(&family.api, csv, &fields)["plan"])
}

/// The transaction of a name.
#[track_caller]
fn path_of(family: &Family, name: &str) -> String {
    let listed = all(&family.api, "/api/v1/transactions", "transactions");
    let one = listed.iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("no {name}"));
    format!("/api/v1/transactions/{}", text(&one["id"]))
}

fn records(server: &Server) -> String {
    sql::value(server, "SELECT COUNT(*) FROM entry_records")
}

both_whole! {
    fn the_same_export_with_other_settings_adds_nothing(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        import(&family, &main, CSV, &json!({}));
        let before = transactions(&family);
        assert_eq!(before.len(), 4);
        for with in [
            json!({ "name_col_label": "Purpose" }),
            json!({ "date_format": "%m/%d/%Y" }),
            json!({ "amount_col_label": "Total" }),
            json!({ "signage_convention": "inflows_negative" }),
            json!({ "notes_col_label": "Purpose", "use_template": "false" }),
        ] {
            let again = import(&family, &main, CSV, &with);
            assert_eq!(again, ["matched_count 4"], "{with}");
            assert_eq!(transactions(&family), before, "{with}");
        }
        // What another program made of it: other separators, quotes, line ends, spaces.
        let saved = CSV.replace(';', "\",\"").replace('\n', "\",,\r\n\"");
        let saved = format!("\"{}", saved.trim_end_matches('"'));
        let other_name = json!({ "name_col_label": "Purpose" });
        assert_eq!(import(&family, &main, &saved, &other_name), ["matched_count 4"]);
        // In another account it is new.
        let other = family.account("Other", "depository");
        let elsewhere = import(&family, &other, CSV, &other_name);
        assert_eq!(elsewhere, ["create_count 4", "created_count 4"]);
    }

    fn the_plan_shows_why(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        import(&family, &main, CSV, &json!({}));
        let shop = path_of(&family, "Shop");
        family.api.patch(&shop, &json!({ "transaction": { "name": "Mine" } })).expect_status(200);
        family.api.delete(&path_of(&family, "Work")).expect_status(200);
        let with = json!({ "account_id": main, "name_col_label": "Purpose" });
        let again = upload(&family.api, CSV, &merged(&settings(), &with));
        assert_eq!(counts(&again["plan"]), ["deleted_before_count 1", "matched_count 3"]);
        let found = verdicts(&family.api, &again);
        assert_eq!(
            found[0],
            "1 matched_by_record: It matches the transaction \"Mine\" of 2024-04-03, which was \
             changed since: it came in with the same record of a file, which was read with other \
             settings"
        );
        assert_eq!(
            found[1],
            "2 matched_by_record: It matches the transaction \"Cafe\" of 2024-06-05: that came in \
             with the same record of a file, which was read with other settings"
        );
        assert!(found[3].starts_with("4 deleted_before: It matches the transaction \"Work\""));
        let listed = format!("{}?verdict=matched_by_record", path(&again, "/rows"));
        assert_eq!(all(&family.api, &listed, "data").len(), 3);
        // Whoever wants it all the same gets it.
        let row = path(&again, "/rows/1");
        family.api.patch(&row, &json!({ "choice": "create" })).expect_status(200);
        family.api.post(&path(&again, "/publish"), &json!({})).expect_status(202);
        family.api.wait_for_import(text(&again["id"]));
        assert_eq!(transactions(&family).len(), 4);
    }

    fn corrected_cells_and_new_records_among_known_ones(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let fields = merged(&settings(), &json!({ "account_id": main }));
        let first = upload(&family.api, CSV, &fields);
        let corrected = json!({ "cells": { "Payee": "Baker", "Amount": "-9.99" } });
        family.api.patch(&path(&first, "/rows/1"), &corrected).expect_status(200);
        family.api.post(&path(&first, "/publish"), &json!({})).expect_status(202);
        family.api.wait_for_import(text(&first["id"]));
        assert!(transactions(&family)[0].contains("-9.99 USD Baker"));
        assert_eq!(import(&family, &main, CSV, &json!({})), ["matched_count 4"]);
        // A third tea of the day, and a new line.
        let more = format!(
            "{CSV}05/06/2024;Cafe;Tea;-2.25;-3.25\n09/09/2024;Shop;Milk;-1.00;-2.00\n"
        );
        assert_eq!(
            import(&family, &main, &more, &json!({ "name_col_label": "Purpose" })),
            ["create_count 2", "created_count 2", "matched_count 4"]
        );
        assert_eq!(import(&family, &main, &more, &json!({})), ["matched_count 6"]);
    }

    /// Rows of another layout that were matched are known by their own records from then on, and so
    /// are entries of earlier versions.
    fn what_was_matched_is_known_in_that_form_too(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        import(&family, &main, CSV, &json!({}));
        let other = "Payee,Info,Date,Amount,Total\nShop,x,03/04/2024,-1.50,1\n\
                     Cafe,x,05/06/2024,-2.25,1\nCafe,y,05/06/2024,-2.25,1\nWork,z,07/08/2024,90.00,1\n";
        assert_eq!(import(&family, &main, other, &json!({})), ["matched_count 4"]);
        let renamed = json!({ "name_col_label": "Info" });
        assert_eq!(import(&family, &main, other, &renamed), ["matched_count 4"]);
        let kept = records(&server);
        assert_eq!(import(&family, &main, other, &json!({})), ["matched_count 4"]);
        assert_eq!(records(&server), kept, "nothing is noted twice");
        sql::run(&server, "DELETE FROM entry_records");
        assert_eq!(import(&family, &main, CSV, &json!({})), ["matched_count 4"]);
        let purpose = json!({ "name_col_label": "Purpose" });
        assert_eq!(import(&family, &main, CSV, &purpose), ["matched_count 4"]);
        assert_eq!(transactions(&family).len(), 4);
    }

    /// The account column of the file names an account that is called otherwise by now.
    fn a_renamed_account_is_still_the_one_of_the_file(server) {
        let family = server.family();
        let csv = "Date,Amount,Name,Account\n2024-03-01,-10.00,Rent,Giro\n2024-03-02,-4.00,Cafe,Giro\n";
        publish(&family.api, csv, &json!({}));
        let listed = family.api.get("/api/v1/accounts").expect_status(200).json();
        let path = format!("/api/v1/accounts/{}", text(&listed["accounts"][0]["id"]));
        let named = json!({ "account": { "name": "Household" } });
        family.api.patch(&path, &named).expect_status(200);
        let again = upload(&family.api, csv, &json!({}));
        assert_eq!(counts(&again["plan"]), ["matched_count 2"]);
        let more = format!("{csv}2024-03-03,-5.00,Shop,Giro\n");
        let more = publish(&family.api, &more, &json!({}));
        assert_eq!(counts(&more["plan"]), ["create_count 1", "created_count 1", "matched_count 2"]);
        assert!(transactions(&family).iter().all(|one| one.ends_with("@Household")));
        // Another account is called so from now on: its rows are its own.
        family.account("Giro", "depository");
        let own = upload(&family.api, csv, &json!({}));
        assert_eq!(counts(&own["plan"]), ["create_count 2"]);
    }

    fn an_undo_forgets_the_records(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let fields = merged(&settings(), &json!({ "account_id": main }));
        let first = publish(&family.api, CSV, &fields);
        let purpose = merged(&fields, &json!({ "name_col_label": "Purpose" }));
        let second = publish(&family.api, CSV, &purpose);
        assert_eq!(counts(&second["plan"]), ["matched_count 4"]);
        undo(&family.api, &second);
        assert_eq!(records(&server), "1", "those of the first");
        // One that a person changed stays, and so does what is known of it.
        let cafe = path_of(&family, "Shop");
        family.api.patch(&cafe, &json!({ "transaction": { "name": "Mine" } })).expect_status(200);
        undo(&family.api, &first);
        assert_eq!(transactions(&family).len(), 1);
        assert_eq!(
            counts(&publish(&family.api, CSV, &purpose)["plan"]),
            ["create_count 3", "created_count 3", "matched_count 1"]
        );
    }

    fn nothing_is_left_of_them(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let import = publish(
            &family.api, CSV, &merged(&settings(), &json!({ "account_id": main })),
        );
        undo(&family.api, &import);
        assert_eq!(records(&server), "0");
        publish(&family.api, CSV, &merged(&settings(), &json!({ "account_id": main })));
        assert_eq!(records(&server), "1");
        family.api.delete(&format!("/api/v1/accounts/{main}")).expect_status(200);
        crate::support::until("the account to be gone", || {
            (sql::value(&server, "SELECT COUNT(*) FROM accounts") == "0").then_some(())
        });
        assert_eq!(records(&server), "0");
    }

    fn the_same_bytes_are_named_on_the_page_and_in_a_dry_run(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let main = family.account("Main", "depository");
        let fields = merged(&settings(), &json!({ "account_id": main }));
        let first = publish(&family.api, CSV, &fields);
        let second = upload(&family.api, CSV, &fields);
        let page = visitor.get(&format!("/imports/{}", text(&second["id"])));
        let page = page.expect_page(200, "into Main: it created 4 transactions.").text();
        let link = format!("<a href=\"/imports/{}\">Look at it</a>", text(&first["id"]));
        assert!(page.contains("The same file was imported on ") && page.contains(&link), "{page}");
        let done = visitor.get(&format!("/imports/{}", text(&first["id"])));
        assert!(!done.expect_status(200).text().contains("The same file was"));
        let csv = file(&server, "again.csv", CSV);
        let set = ["--set", "date_format=%d/%m/%Y", "--dry-run"];
        let shown = works(&server, &[&["import", &csv, "--account", "Main"], &set[..]].concat());
        let both = "file      The same file was ";
        assert_eq!(shown.matches(both).count(), 2, "{shown}");
        assert!(shown.contains("into Main: it created 4 transactions\n"), "{shown}");
    }

    fn the_same_bytes_are_named(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let fields = merged(&settings(), &json!({ "account_id": main }));
        let first = upload(&family.api, CSV, &fields);
        assert_eq!(first["same_file"], json!([]));
        let answer = |csv: &str| {
            let sent = body(csv, &fields);
            let path = format!("{IMPORTS}/preflight");
            family.api.post(&path, &sent).expect_status(200).json()["data"]["same_file"].clone()
        };
        let today = &text(&first["created_at"])[..10];
        let waits = answer(CSV);
        assert_eq!(waits[0]["id"], first["id"]);
        assert_eq!(waits[0]["status"], "pending");
        assert_eq!(
            waits[0]["text"],
            format!("The same file was uploaded on {today} into Main, and is not imported")
        );
        assert_eq!(answer(&CSV.replace("Tea", "tea")), json!([]), "other bytes");
        family.api.post(&path(&first, "/publish"), &json!({})).expect_status(202);
        family.api.wait_for_import(text(&first["id"]));
        let second = upload(&family.api, CSV, &fields);
        let named = &second["same_file"][0];
        assert_eq!((&named["status"], &named["created_count"]), (&json!("complete"), &json!(4)));
        assert_eq!((&named["id"], &named["account_id"]), (&first["id"], &json!(main)));
        let sentence =
            format!("The same file was imported on {today} into Main: it created 4 transactions");
        assert_eq!(named["text"], sentence);
        let shown = family.api.get(&path(&second, "")).expect_status(200).json();
        assert_eq!(shown["data"]["same_file"], second["same_file"]);
        let other = server.family();
        assert_eq!(upload(&other.api, CSV, &settings())["same_file"], json!([]));
        // Whoever may not see the account doesn't see the import.
        let own = family.account("Own", "depository");
        let restricted = restricted_to(&server, &family, &own);
        let elsewhere = merged(&settings(), &json!({ "account_id": own }));
        assert_eq!(upload(&restricted, CSV, &elsewhere)["same_file"], json!([]));
        undo(&family.api, &first);
        let statuses = |answer: &Value| -> Vec<String> {
            let named = answer.as_array().unwrap().iter();
            named.map(|one| text(&one["status"]).to_owned()).collect()
        };
        assert_eq!(statuses(&answer(CSV)), ["pending"; 3]);
        family.api.delete(&path(&first, "")).expect_status(200);
        assert_eq!(statuses(&answer(CSV)), ["pending"; 2]);
    }
}

/// A publish in parts notes its records part by part.
#[test]
fn a_large_file_is_known_too() {
    let options = Options::new().env("PURSER_RATE_LIMIT", "0").env("PURSER_PUBLISH_PART_ROWS", 10);
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let main = family.account("Main", "depository");
    let rows = (0..5_000).map(|row| {
        format!(
            "{:02}/{:02}/2024;Shop {row};Bag {row};-1.{:02};1\n",
            1 + row % 12,
            1 + row % 7,
            row % 90
        )
    });
    let csv = format!("Date;Payee;Purpose;Amount;Total\n{}", rows.collect::<String>());
    let first = import(&family, &main, &csv, &json!({}));
    assert_eq!(first, ["create_count 5000", "created_count 5000"]);
    let with = json!({ "name_col_label": "Purpose", "date_format": "%m/%d/%Y" });
    assert_eq!(import(&family, &main, &csv, &with), ["matched_count 5000"]);
    super::assert_whole(&server);
}
