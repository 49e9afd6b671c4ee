//! `PATCH /imports/{id}/rows/{n}`: single rows corrected, left out, or created in spite of a match.

use serde_json::{Value, json};

use super::configure::{essence, patch};
use super::{all, both_whole, errors, path, publish, rows, text, transactions, upload};
use crate::support::{Client, until};

const CSV: &str = "Date,Amount,Name,Account,Tags,,Name\n\
                   2024-01-02,-1.00,A,Cash,x,,p\n\
                   2024-01-03,oops,B,Cash,y,,q\n\
                   2024-13-04,-4.00,C,Bank,x,,r\n\
                   2024-01-05,-8.00,D,Bank,,,s\n\
                   total,-13.00,,,,,\n";

/// Edits a row and returns it as it is then.
#[track_caller]
fn edit(api: &Client, import: &Value, row: u64, change: &Value) -> Value {
    let answer =
        api.patch(&path(import, &format!("/rows/{row}")), change).expect_status(200).json();
    assert_eq!(answer["notes"], json!([]), "{answer}");
    let shown = api.get(&path(import, "")).expect_status(200).json();
    assert_eq!(answer["import"], shown["data"], "the answer is what GET shows");
    let listed = all(api, &path(import, "/rows"), "data");
    let of_row = listed.iter().find(|one| one["row_number"] == row).unwrap();
    assert_eq!(answer["data"], *of_row, "and so is the row");
    answer["data"].clone()
}

/// The facts of an import, without the edits of its rows.
#[track_caller]
fn facts(api: &Client, import: &Value) -> Value {
    let import = api.get(&path(import, "")).expect_status(200).json()["data"].clone();
    let mut essence = essence(api, &import);
    for row in essence["rows"].as_array_mut().unwrap() {
        for member in ["cells", "corrected_cells", "edited", "choice"] {
            row.as_object_mut().unwrap().remove(member);
        }
    }
    essence
}

both_whole! {
    fn a_corrected_row_is_as_if_the_file_had_it(server) {
        let family = server.family();
        let fields = json!({ "date_format": "%Y-%m-%d", "number_format": "1,234.56" });
        let import = upload(&family.api, CSV, &fields);
        assert_eq!(import["stats"]["invalid_rows_count"], 2);
        let first = facts(&family.api, &import);
        let mut csv = CSV.to_owned();
        for (row, cells, from, to) in [
            (2, json!({ "amount": "-2.00" }), "oops,B", "-2.00,B"),
            (3, json!({ "Date": "2024-01-04", "Tags": "z" }), "2024-13-04,-4.00,C,Bank,x",
                "2024-01-04,-4.00,C,Bank,z"),
            (3, json!({ "4": "Cash", "name": "CC" }), "C,Bank,z", "CC,Cash,z"),
            (4, json!({ "Account": "Other", "7": "t", "6": "u" }), "D,Bank,,,s", "D,Other,,u,t"),
            (1, json!({ "1": "nonsense", "2": "total" }), "2024-01-02,-1.00,A",
                "nonsense,total,A"),
        ] {
            let was = edit(&family.api, &import, row, &json!({ "cells": cells }));
            assert_eq!(was["edited"], true);
            csv = csv.replacen(from, to, 1);
            let fresh = upload(&family.api, &csv, &fields);
            assert_eq!(facts(&family.api, &import), facts(&family.api, &fresh), "{cells}");
        }
        let row = family.api.get(&path(&import, "/rows")).expect_status(200).json()["data"][3].clone();
        assert_eq!(
            row["cells"],
            json!({ "Date": "2024-01-05", "Amount": "-8.00", "Name": "D", "Account": "Bank",
                "Tags": "", "6": "", "7": "s" })
        );
        assert_eq!(row["corrected_cells"], json!({ "Account": "Other", "6": "u", "7": "t" }));
        // One cell, then all of them, as they came.
        let row = edit(&family.api, &import, 4, &json!({ "cells": { "Account": null } }));
        assert_eq!(row["corrected_cells"], json!({ "6": "u", "7": "t" }));
        for row in 1..=4 {
            let row = edit(&family.api, &import, row, &json!({ "cells": null }));
            assert_eq!(row["edited"], false);
        }
        assert_eq!(facts(&family.api, &import), first);
        assert_eq!(crate::imports::sql::query(&server, "SELECT COUNT(*) FROM import_row_edits")[0][0], "0");
    }

    fn a_row_that_is_left_out_is_counted_nowhere_else(server) {
        let family = server.family();
        let fields = json!({ "date_format": "%Y-%m-%d", "number_format": "1,234.56" });
        let import = upload(&family.api, CSV, &fields);
        let stats = |rows: u64, invalid: u64, mappings: u64, left_out: u64| {
            let shown = family.api.get(&path(&import, "")).expect_status(200).json();
            let stats = &shown["data"]["stats"];
            assert_eq!(stats["rows_count"], rows, "{stats}");
            assert_eq!(stats["valid_rows_count"], rows - invalid, "{stats}");
            assert_eq!(stats["invalid_rows_count"], invalid, "{stats}");
            assert_eq!(stats["mappings_count"], mappings, "{stats}");
            assert_eq!(stats["left_out_count"], left_out, "{stats}");
            shown["data"].clone()
        };
        stats(4, 2, 3, 0);
        let row = edit(&family.api, &import, 2, &json!({ "choice": "leave_out" }));
        assert_eq!((&row["verdict"], &row["choice"]), (&json!("left_out"), &json!("leave_out")));
        stats(3, 1, 3, 1);
        edit(&family.api, &import, 1, &json!({ "choice": "leave_out" }));
        stats(2, 1, 1, 2);
        edit(&family.api, &import, 3, &json!({ "choice": "leave_out" }));
        let ready = stats(1, 0, 1, 3);
        assert_eq!(ready["status_detail"]["publishable"], true);
        assert_eq!(ready["plan"]["left_out_count"], 3);
        assert_eq!(ready["plan"]["create_count"], 1);
        edit(&family.api, &import, 4, &json!({ "choice": "leave_out" }));
        let none = stats(0, 0, 0, 4);
        assert_eq!(none["status_detail"]["configured"], false);
        family.api.request("POST", &path(&import, "/publish"), None)
            .expect_error(422, "not_configured");
        edit(&family.api, &import, 4, &json!({ "choice": "plan" }));
        edit(&family.api, &import, 1, &json!({ "choice": "plan" }));
        family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        family.api.wait_for_import(text(&import["id"]));
        assert_eq!(
            transactions(&family),
            ["2024-01-02 -1.00 USD A [x] @Cash", "2024-01-05 -8.00 USD D @Bank"]
        );
    }

    fn a_row_can_be_created_in_spite_of_a_match(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        let csv = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-01-03,-2.00,B\n";
        publish(&family.api, csv, &account);
        let import = upload(&family.api, csv, &account);
        assert_eq!(import["plan"]["matched_count"], 2);
        let row = edit(&family.api, &import, 2, &json!({ "choice": "create" }));
        assert_eq!(row["verdict"], "create");
        let corrected = edit(&family.api, &import, 1, &json!({ "cells": { "Name": "Z" } }));
        assert_eq!(corrected["verdict"], "matched_by_record", "its record is imported");
        family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        family.api.wait_for_import(text(&import["id"]));
        assert_eq!(
            transactions(&family),
            [
                "2024-01-02 -1.00 USD A @Main",
                "2024-01-03 -2.00 USD B @Main",
                "2024-01-03 -2.00 USD B @Main",
            ]
        );
    }

    fn corrections_stay_while_the_same_lines_are_rows(server) {
        let family = server.family();
        let csv = "Date,Amount,Other,Name\n2024-01-02,-1.00,+5,A\n2024-01-03,oops,+6,B\n\
                   ,-8.00,,C\nend,,,\n2024-01-04,-2.00,+7,D\n";
        let import = upload(&family.api, csv, &json!({ "date_format": "%Y-%m-%d" }));
        assert_eq!(rows(&family.api, &import).len(), 4, "{:?}", rows(&family.api, &import));
        let correction = json!({ "cells": { "Amount": "-3.00" } });
        for (change, stays) in [
            (json!({ "signage_convention": "inflows_negative" }), true),
            (json!({ "notes_col_label": "Other" }), true),
            (json!({ "amount_col_label": "Other" }), true),
            (json!({ "amount_col_label": null }), true),
            (json!({ "col_sep": ";", "date_col_label": "Date" }), false),
            (json!({ "rows_to_skip": 1 }), false),
        ] {
            let fields = json!({ "date_format": "%Y-%m-%d", "number_format": "1,234.56" });
            let import = upload(&family.api, csv, &fields);
            edit(&family.api, &import, 2, &correction);
            edit(&family.api, &import, 4, &json!({ "choice": "leave_out" }));
            let answer = family.api.patch(&path(&import, ""), &change);
            if answer.status == 422 {
                // The labels don't fit the other division: nothing changed.
                assert!(!stays);
                assert_eq!(rows(&family.api, &import)[1], "2024-01-03 3.00 USD B");
                continue;
            }
            let answer = answer.expect_status(200).json();
            let left_out = answer["data"]["stats"]["left_out_count"].as_u64().unwrap();
            assert_eq!(answer["notes"].as_array().unwrap().is_empty(), stays, "{change} {answer}");
            assert_eq!(left_out, u64::from(stays), "{change} {answer}");
        }
        // By another column of days the total is no total any more, but the second row.
        let csv = "Date,Booked,Amount,Name\n2024-01-02,2024-01-02,-1.00,A\n\
                   Total,2024-01-09,-9.00,\n2024-01-04,2024-01-04,-2.00,D\n";
        for (row, stays) in [(1, 1_u64), (2, 0)] {
            let import = upload(&family.api, csv, &json!({}));
            assert_eq!(import["stats"]["rows_count"], 2, "{import}");
            edit(&family.api, &import, row, &json!({ "choice": "leave_out" }));
            let change = json!({ "date_col_label": "Booked" });
            let answer = family.api.patch(&path(&import, ""), &change).expect_status(200).json();
            assert_eq!(answer["data"]["stats"]["rows_count"], 3 - stays, "{answer}");
            assert_eq!(answer["data"]["stats"]["left_out_count"], stays, "{answer}");
            assert_eq!(answer["notes"].as_array().unwrap().len(), 1 - stays as usize, "{answer}");
        }
    }

    fn what_is_wrong_is_named_and_nothing_is_stored(server) {
        let family = server.family();
        let import = upload(&family.api, CSV, &json!({ "date_format": "%Y-%m-%d" }));
        let state = || {
            let shown = family.api.get(&path(&import, "")).expect_status(200).text();
            shown + &family.api.get(&path(&import, "/rows")).expect_status(200).text()
        };
        let before = state();
        let row = path(&import, "/rows/1");
        for (change, expected) in [
            (json!({ "choice": "maybe" }), "The choice must be plan, leave_out or create"),
            (json!({ "choice": 1 }), "The choice must be plan, leave_out or create"),
            (json!({ "cells": [] }), "The cells must be an object"),
            (json!({ "cells": { "Amount": 5 } }), "The cells.Amount must be a string"),
            (json!({ "cells": { "Nothing": "x" } }), "In cells: there is no column \"Nothing\""),
            (json!({ "cells": { "0": "x" } }), "In cells: there is no column \"0\""),
            (json!({ "cells": { "513": "x" } }), "In cells: there is no column \"513\""),
            (json!({ "cells": { "": "x" } }), "In cells: there is no column \"\""),
            (json!({ "cells": { "Amount": "x", "2": "y" } }),
                "In cells: \"Amount\" is a column that is named twice"),
            (json!({ "cells": { "Name": "a\u{0}b" } }), "In cells: \"Name\" holds a NUL character"),
            (json!({ "cells": { "Name": "n".repeat(20_001) } }),
                "In cells: longer than 20000 characters in all"),
        ] {
            let refused = family.api.patch(&row, &change).expect_error(422, "validation_failed");
            assert_eq!(errors(&refused), [expected], "{change}");
        }
        for row in ["0", "5", "x", "-1", "01x", "18446744073709551616", "%31x"] {
            let path = path(&import, &format!("/rows/{row}"));
            let missing = family.api.patch(&path, &json!({})).expect_error(404, "not_found");
            assert_eq!(missing["message"], "Row not found");
        }
        let other = server.family();
        other.api.patch(&row, &json!({ "choice": "leave_out" })).expect_error(404, "not_found");
        assert_eq!(state(), before);
        // An empty change changes nothing.
        edit(&family.api, &import, 1, &json!({}));
        edit(&family.api, &import, 1, &json!({ "cells": {} }));
        assert!(!state().contains("\"edited\":true"));
        // There are no rows where nothing can be read.
        let unread = upload(&family.api, "a,b\n1,2\n", &json!({}));
        family.api.patch(&path(&unread, "/rows/1"), &json!({})).expect_error(404, "not_found");
    }

    fn rows_corrected_at_once_are_all_corrected(server) {
        let family = server.family();
        let mut csv = "Date,Amount,Name\n".to_owned();
        (1..=20).for_each(|row| csv.push_str(&format!("2024-01-02,x,N{row}\n")));
        let fields = json!({ "number_format": "1,234.56" });
        let import = upload(&family.api, &csv, &fields);
        assert_eq!(import["stats"]["invalid_rows_count"], 20, "{import}");
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let edits: Vec<_> = (1..=4)
                .map(|worker| {
                    let (api, import) = (&family.api, &import);
                    scope.spawn(move || {
                        let edit = |row: u64| {
                            let change = json!({ "cells": { "Amount": format!("-{row}.00") } });
                            until("a turn", || {
                                let path = path(import, &format!("/rows/{row}"));
                                let answer = api.patch(&path, &change);
                                (answer.status != 409).then_some(answer.status)
                            })
                        };
                        (0..5).map(|number| edit(worker + 4 * number)).collect::<Vec<_>>()
                    })
                })
                .collect();
            edits.into_iter().flat_map(|edits| edits.join().unwrap()).collect()
        });
        assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
        let shown = family.api.get(&path(&import, "")).expect_status(200).json()["data"].clone();
        assert_eq!(shown["stats"]["invalid_rows_count"], 0, "{shown}");
        let names: Vec<String> = rows(&family.api, &import);
        assert_eq!(names[19], "2024-01-02 20.00 USD N20");
    }

    fn a_cell_too_many_can_be_blanked(server) {
        let family = server.family();
        let csv = "Date,Name,Amount\n2024-01-02,A,-1.00,7.00\n2024-01-03,B,-2.00\n";
        let import = upload(&family.api, csv, &json!({}));
        assert_eq!(import["stats"]["invalid_rows_count"], 1);
        let row = edit(&family.api, &import, 1, &json!({ "cells": { "4": "" } }));
        assert_eq!(row["valid"], true);
        assert_eq!(row["cells"]["4"], "7.00");
        assert_eq!(row["corrected_cells"], json!({ "4": "" }));
        let kept = patch(&family.api, &import, &json!({ "signage_convention": "inflows_negative" }));
        assert_eq!(kept["stats"]["invalid_rows_count"], 0);
    }
}
