//! `GET /imports/{id}/rows`: rows are read again from the file, from any page on.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{both_whole, path, publish, rows, upload};
use crate::support::{Backend, Server};

/// Any page of a file of any size: far below what reading the file from its start would take.
const PAGE_SECONDS_MAX: u64 = 2;

both_whole! {
    fn a_row_shows_what_it_is_and_what_its_names_stand_for(server) {
        let family = server.family();
        let cash = family.account("Cash", "depository");
        family.import(&cash, "Date,Amount,Name,Category\n2024-01-01,-1.00,Old,Food\n");
        let csv = "Date,Amount,Name,Category,Tags,Notes,Account\n\
                   2024-01-02,-1234.50,Coffee,food,\"x, Y\",\"a\nb\",CASH\n\
                   \n\
                   2024-01-03,+1.00,,,,,New one\n\
                   2024-01-04,oops,Bad,,,,Cash\n";
        let import = upload(&family.api, csv, &json!({}));
        let page = family.api.get(&path(&import, "/rows")).expect_status(200).json();
        assert_eq!(page["meta"]["total_count"], 3);
        let first = &page["data"][0];
        assert_eq!(
            (&first["row_number"], &first["line"], &first["valid"]),
            (&json!(1), &json!(2), &json!(true))
        );
        assert_eq!(
            first["fields"],
            json!({
                "date": "2024-01-02", "amount": "$1,234.50", "amount_decimal": "1234.50",
                "currency": "USD", "name": "Coffee", "notes": "a\nb", "external_id": null, "account": "CASH",
                "category": "food", "tags": "x, Y",
            })
        );
        let mappings = &first["mappings"];
        assert_eq!(
            mappings["account"],
            json!({ "key": "CASH", "id": cash, "create": false, "value": null, "problem": null })
        );
        assert!(mappings["category"]["id"].is_string(), "{mappings}");
        assert_eq!(
            mappings["tags"][1],
            json!({ "key": "Y", "id": null, "create": true, "value": null, "problem": null })
        );
        let second = &page["data"][1];
        assert_eq!(
            (&second["row_number"], &second["line"]),
            (&json!(2), &json!(5)),
            "blank lines are none"
        );
        assert_eq!(second["mappings"]["account"]["create"], true);
        assert_eq!(second["mappings"]["category"], json!(null));
        let third = &page["data"][2];
        assert_eq!(
            (&third["row_number"], &third["line"], &third["valid"]),
            (&json!(3), &json!(6), &json!(false))
        );
        assert_eq!(third["fields"], json!(null));
        let ids = [first, second, third].map(|row| row["id"].as_str().expect("an id"));
        assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2], "{ids:?}");
        let again = family.api.get(&path(&import, "/rows?page=2&per_page=1")).expect_status(200);
        assert_eq!(again.json()["data"][0]["id"], ids[1]);
    }

    fn after_the_publish_rows_name_what_was_created(server) {
        let family = server.family();
        let csv = "Date,Amount,Name,Category,Tags,Account\n2024-01-02,-1.00,A,Fun:Films,t,Cash\n";
        let import = publish(&family.api, csv, &json!({}));
        let row = family.api.get(&path(&import, "/rows")).json()["data"][0].clone();
        for mapping in
            [&row["mappings"]["account"], &row["mappings"]["category"], &row["mappings"]["tags"][0]]
        {
            assert!(mapping["id"].is_string() && mapping["create"] == false, "{row}");
        }
        let made = family.api.get("/api/v1/transactions").json()["transactions"][0].clone();
        assert_eq!(made["account"]["id"], row["mappings"]["account"]["id"]);
        assert_eq!(made["category"]["id"], row["mappings"]["category"]["id"]);
        assert_eq!(made["tags"][0]["id"], row["mappings"]["tags"][0]["id"]);
    }

    fn pages_are_as_of_other_lists(server) {
        let family = server.family();
        let csv: String = (0..150).map(|row| format!("2024-01-02,+1.00,Row {row}\n")).collect();
        let import = upload(&family.api, &format!("Date,Amount,Name\n{csv}"), &json!({}));
        let expected: Vec<String> =
            (0..150).map(|row| format!("2024-01-02 -1.00 USD Row {row}")).collect();
        assert_eq!(rows(&family.api, &import), expected);
        for (query, items, per_page) in [
            ("", 25, 25),
            ("?per_page=100", 100, 100),
            ("?per_page=1000", 100, 100),
            ("?page=6", 25, 25),
            ("?page=7", 0, 25),
            ("?per_page=64&page=3", 22, 64),
        ] {
            let page =
                family.api.get(&path(&import, &format!("/rows{query}"))).expect_status(200).json();
            assert_eq!(page["data"].as_array().unwrap().len(), items, "{query}");
            assert_eq!(page["meta"]["per_page"], per_page, "{query}");
            assert_eq!(page["meta"]["total_count"], 150, "{query}");
        }
        for query in ["?page=0", "?per_page=0", "?page=a"] {
            family
                .api
                .get(&path(&import, &format!("/rows{query}")))
                .expect_error(422, "validation_failed");
        }
    }
}

#[test]
fn a_page_far_behind_comes_as_fast_as_the_first() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let mut csv = "Date,Amount,Name,Notes\n".to_owned();
    for row in 1..=60_000 {
        // Quoted line breaks and two-byte characters: offsets are bytes, lines are physical.
        let note = if row % 7 == 0 { "\"é\né\"" } else { "ü" };
        csv.push_str(&format!("2024-01-02,+{row},N{row},{note}\n"));
    }
    let import = upload(&family.api, &csv, &json!({}));
    assert_eq!(import["stats"]["valid_rows_count"], 60_000, "{import}");
    for page in [1, 2, 3, 64, 500, 599, 600] {
        let started = Instant::now();
        let query = format!("/rows?per_page=100&page={page}");
        let shown = family.api.get(&path(&import, &query)).expect_status(200).json();
        assert!(started.elapsed() < Duration::from_secs(PAGE_SECONDS_MAX), "page {page}");
        let shown = shown["data"].as_array().unwrap();
        assert_eq!(shown.len(), 100);
        for (index, row) in shown.iter().enumerate() {
            let number = (page - 1) * 100 + index + 1;
            assert_eq!(row["row_number"], number);
            assert_eq!(row["line"], 1 + number + (number - 1) / 7, "row {number}");
            assert_eq!(row["fields"]["name"], format!("N{number}"));
            assert_eq!(row["fields"]["amount_decimal"], format!("-{number}.00"));
        }
    }
}

/// As many names as an import may have: a page of rows must not look at each for each.
#[test]
fn many_names_do_not_make_pages_slow() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let mut csv = "Date,Amount,Name,Category,Tags\n".to_owned();
    for row in 0..200 {
        let tags: Vec<String> = (0..45).map(|tag| format!("t{}", row * 45 + tag)).collect();
        csv.push_str(&format!("2024-01-02,+1,N,Category {row},\"{}\"\n", tags.join(",")));
    }
    let import = upload(&family.api, &csv, &json!({}));
    assert_eq!(import["stats"]["mappings_count"], 9_201, "{import}");
    let started = Instant::now();
    let shown =
        family.api.get(&path(&import, "/rows?per_page=100&page=2")).expect_status(200).json();
    assert!(started.elapsed() < Duration::from_secs(PAGE_SECONDS_MAX), "{:?}", started.elapsed());
    let last = &shown["data"][99]["mappings"];
    assert_eq!(last["tags"][44]["key"], "t8999");
    assert_eq!(last["category"]["create"], true);
}
