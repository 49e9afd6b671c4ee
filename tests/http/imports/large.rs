//! Large files, and cells and records that are larger than any bank writes.

use std::time::Instant;

use serde_json::json;

use super::{IMPORTS, assert_whole, balance, both_whole, publish, rows, text, upload};
use crate::support::{Backend, Multipart, Options, Server};

const ROWS: u64 = 50_000;

both_whole! {
    fn fifty_thousand_rows(server = Options::new().env("PURSER_RATE_LIMIT", "0")) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let mut csv = "Date,Amount,Name,Category,Tags\n".to_owned();
        for row in 0..ROWS {
            csv.push_str(&format!(
                "20{:02}-{:02}-{:02},-0.{:02},Row {row},Category {},tag{}\n",
                row % 24,
                1 + row % 12,
                1 + row % 28,
                1 + row % 99,
                row % 50,
                row % 20
            ));
        }
        let cents: u64 = (0..ROWS).map(|row| 1 + row % 99).sum();
        let form = Multipart::new()
            .file("file", "big.csv", "text/csv", csv.as_bytes())
            .text("account_id", &account)
            .text("publish", "true");
        let started = Instant::now();
        let answer = family.api.post_form(IMPORTS, &form).expect_status(201);
        assert_eq!(answer.json()["data"]["stats"]["valid_rows_count"], ROWS);
        // Whoever looks meanwhile sees nothing or all of it.
        let done = loop {
            let import =
                family.api.get(&format!("{IMPORTS}/{}", answer.id())).expect_status(200).json();
            let seen = family.api.get("/api/v1/transactions?per_page=1").expect_status(200).json();
            let total = seen["pagination"]["total_count"].as_u64().unwrap();
            assert!([0, ROWS].contains(&total), "{total} are visible");
            if import["data"]["status_detail"]["terminal"] == true {
                break import["data"].clone();
            }
            assert!(started.elapsed().as_secs() < 120, "{import}");
        };
        assert_eq!(done["status"], "complete");
        assert_eq!(balance(&family, &account), format!("-{}.{:02}", cents / 100, cents % 100));
    }

    fn a_cell_of_a_megabyte_ends_the_reading_with_a_reason(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let cell = "x".repeat(1024 * 1024);
        let csv = format!(
            "Date,Amount,Name\n2024-01-02,+1.00,A\n2024-01-03,+1.00,\"{cell}\"\n2024-01-04,+1.00,B\n"
        );
        let import = upload(&family.api, &csv, &json!({ "account_id": account }));
        assert_eq!(import["status_detail"]["configured"], false, "half a file is no import");
        let problem = text(&import["source"]["problems"][0]);
        assert!(problem.contains("line 3") || problem.contains("3"), "{problem}");
        // Large, but within bounds: one row is invalid, the others are read.
        let csv = csv.replace(&cell, &"x".repeat(100 * 1024));
        let import = upload(&family.api, &csv, &json!({ "account_id": account }));
        assert_eq!(import["stats"]["valid_rows_count"], 2, "{}", import["source"]);
        assert_eq!(import["invalid_rows"][0]["line"], 3);
        assert!(import.to_string().len() < 4096, "the cell is not sent back");
    }
}

#[test]
fn three_hundred_columns() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    for (columns, is_read) in [(300, true), (512, true), (600, false)] {
        let fill =
            |what: &str| (3..columns).map(|column| format!(",{what}{column}")).collect::<String>();
        let csv = format!("Date,Amount{},Name\n2024-01-02,-1.00{},Coffee\n", fill("c"), fill("v"));
        let import = upload(&family.api, &csv, &json!({ "account_id": account }));
        let shown = rows(&family.api, &import);
        if is_read {
            assert_eq!(shown, ["2024-01-02 1.00 USD Coffee"], "{columns}");
        } else {
            assert_eq!(import["status_detail"]["publishable"], false, "{columns}: {shown:?}");
        }
    }
    assert_whole(&server);
}

#[test]
fn ten_mebibytes_are_published() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    let mut csv = "Date,Amount,Name\n".to_owned();
    let mut rows = 0;
    while csv.len() < 10 * 1024 * 1024 - 64 {
        csv.push_str("2024-01-02,-0.01,Something bought somewhere\n");
        rows += 1;
    }
    let import = publish(&family.api, &csv, &json!({ "account_id": account }));
    assert_eq!(import["stats"]["valid_rows_count"], rows);
    assert_eq!(balance(&family, &account), format!("-{}.{:02}", rows / 100, rows % 100));
    assert_whole(&server);
}

/// Too many different names are a reason, not an endless import.
#[test]
fn more_names_than_an_import_may_have() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let account = family.account("Main", "depository");
    let with = |names: u32| {
        let rows: String =
            (0..names).map(|name| format!("2024-01-02,+1,A,Category {name}\n")).collect();
        format!("Date,Amount,Name,Category\n{rows}")
    };
    let import = upload(&family.api, &with(10_001), &json!({ "account_id": account }));
    assert_eq!(import["status_detail"]["configured"], false);
    assert!(text(&import["source"]["problems"][0]).contains("10000"), "{}", import["source"]);
    let import = publish(&family.api, &with(10_000), &json!({ "account_id": account }));
    assert_eq!(import["stats"]["mappings_count"], 10_000);
    assert_whole(&server);
}
