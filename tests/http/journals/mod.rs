//! Journals of random families: hledger and Beancount accept them, and come to the server's own
//! balances and positions, on every day and to the last digit.

mod programs;
mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::civil::Date;
use serde_json::{Value, json};

use crate::both;
use crate::command_line::works;
use crate::imports::publish;
use crate::random_family::{CURRENCY, random_family};
use crate::support::{Family, Server, Sql};
use programs::{Books, beancount, hledger};

/// The families of a test on one database.
const FAMILIES: u64 = 6;

/// Writes the journal of a family.
#[track_caller]
pub(crate) fn journal(server: &Server, family: &Family, format: &str, name: &str) -> PathBuf {
    let path = server.data_folder().parent().expect("a folder").join(name);
    let text = path.to_str().expect("a path");
    works(server, &["export", "--format", format, "--user", &family.email, "--force", text]);
    path
}

/// A family of its own with what a file in the native format has.
#[track_caller]
pub(crate) fn family_with(server: &Server, file: &str) -> Family {
    let family = server.family_in(CURRENCY);
    Sql::open(server).run("UPDATE families SET transfer_matching = 'off'");
    let import = publish(&family.api, file, &json!({ "type": "NativeImport" }));
    assert_eq!(import["stats"]["invalid_rows_count"], 0, "{import}");
    assert_eq!(import["verification"]["readback"]["status"], "matched", "{import}");
    family
}

/// What the server has of the family that was made last: money with its currency, and shares with
/// ticker and market, at the end of each day on which they changed; and the known costs of
/// positions at the end.
fn books(server: &Server) -> Books {
    let sql = Sql::open(server);
    let family = sql.query("SELECT MAX(id) FROM families")[0][0].clone();
    let of = |query: &str| sql.query(&query.replace("$1", &family));
    let mut books = Books::default();
    let accounts = of("SELECT id, account_type, currency,
            COALESCE(opening_derived, opening_amount)
        FROM accounts WHERE family_id = $1");
    // Openings stand on the day before everything.
    let first = of("SELECT MIN(day) FROM (
        SELECT MIN(date) AS day FROM entries WHERE family_id = $1
        UNION ALL SELECT MIN(date) FROM position_statements WHERE family_id = $1
        UNION ALL SELECT MIN(cost_date) FROM holdings WHERE family_id = $1) AS days");
    let first: i64 = first[0][0].parse().unwrap();
    let mut signs = BTreeMap::new();
    for row in &accounts {
        let is_debt = ["credit_card", "loan", "other_liability"].contains(&row[1].as_str());
        let sign: i64 = if is_debt { -1 } else { 1 };
        signs.insert(row[0].clone(), (sign, row[2].clone()));
        let opening: i64 = row[3].parse().unwrap();
        books.money(&row[0], &row[2], first - 1, sign * opening);
    }
    for row in of("SELECT account_id, date, end_amount FROM balances WHERE family_id = $1") {
        let (sign, currency) = &signs[&row[0]];
        let end: i64 = row[2].parse().unwrap();
        books.money(&row[0], currency, row[1].parse().unwrap(), sign * end);
    }
    let positions = of("SELECT p.account_id, s.ticker || '/' || s.exchange_operating_mic, p.date,
            p.qty, COALESCE(p.cost, '?'), s.id
        FROM position_segments p
        JOIN securities s ON s.family_id = $1 AND s.id = p.security_id
        WHERE p.family_id = $1 ORDER BY p.account_id, s.id, p.date");
    for row in &positions {
        books.shares(&row[0], &row[1], row[2].parse().unwrap(), &row[3]);
        // Shares at a negative price are written as free.
        let is_turned = row[3].starts_with('-') != row[4].starts_with('-');
        books.cost(&row[0], &row[1], if is_turned { "?" } else { &row[4] });
    }
    books
}

both! {
    fn other_programs_come_to_the_same_balances_and_positions(server) {
        let mut compared = 0;
        for seed in 0..FAMILIES {
            eprintln!("seed {seed}");
            let family = family_with(&server, &random_family(seed));
            let ours = books(&server);
            let theirs = hledger(&journal(&server, &family, "hledger", "all.journal"));
            compared += ours.compare_with(&theirs);
            let theirs = beancount(&journal(&server, &family, "beancount", "all.beancount"));
            compared += ours.compare_with(&theirs);
            compared += ours.compare_costs(&theirs);
        }
        assert!(compared > 3_000, "{compared}");
        server.run_json(&["check"], "");
    }

    fn a_family_without_anything_is_a_journal(server) {
        let family = server.family();
        hledger(&journal(&server, &family, "hledger", "all.journal"));
        beancount(&journal(&server, &family, "beancount", "all.beancount"));
    }

    fn journals_are_written_over_http_too(server) {
        let family = family_with(&server, &random_family(1));
        for (format, ending, media_type, cli) in [
            ("hledger", ".journal", "text/plain; charset=utf-8", "hledger"),
            ("beancount", ".beancount", "text/plain; charset=utf-8", "beancount"),
            ("csv_zip", ".zip", "application/zip", "csv-zip"),
            ("ndjson", ".ndjson", "application/x-ndjson", "ndjson"),
        ] {
            let export = exported(&family, &json!({ "format": format }));
            assert_eq!(export["format"], format);
            let file = family.api.get(export["download_path"].as_str().unwrap());
            let file = file.expect_status(200);
            assert_eq!(file.header("content-type"), Some(media_type));
            let name = file.header("content-disposition").unwrap();
            assert!(name.ends_with(&format!("{ending}\"")), "{name}");
            let written = std::fs::read(journal(&server, &family, cli, "file")).unwrap();
            assert_eq!(file.bytes, written, "{format}");
        }
        let default = exported(&family, &json!({}));
        assert_eq!(default["format"], "ndjson");
        let refused = family.api.post(crate::family_exports::PATH, &json!({ "format": "pdf" }));
        let error = refused.expect_error(422, "validation_failed");
        assert!(error.to_string().contains("ndjson, csv_zip, hledger or beancount"), "{error}");
    }
}

#[track_caller]
fn exported(family: &Family, body: &Value) -> Value {
    let path = crate::family_exports::PATH;
    let requested = family.api.post(path, body).expect_status(202).json();
    crate::family_exports::ended(&family.api, requested["data"]["id"].as_str().unwrap())
}

/// A day as its number since 1970.
fn day_of(text: &str) -> i64 {
    let epoch = Date::constant(1970, 1, 1);
    let date: Date = text.parse().unwrap_or_else(|_| panic!("{text}"));
    (date - epoch).get_days().into()
}
