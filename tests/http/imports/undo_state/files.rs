//! Random files, and random edits of their rows before they are published.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::imports::configure::patch;
use crate::imports::{all, path, text};
use crate::support::{Client, Dice};

/// A file of which rows are often equal to each other and to those of earlier files. Which of
/// several equal rows is which isn't defined, so within a file they have the same category, tags
/// and notes.
pub(super) fn csv(dice: &mut Dice) -> String {
    let has = [0; 4].map(|_| !dice.one_in(3));
    let mut csv = "Date,Amount,Name,Account".to_owned();
    for (column, has) in ["Category", "Tags", "Notes", "Transaction ID"].iter().zip(has) {
        if has {
            csv.push_str(&format!(",{column}"));
        }
    }
    csv.push('\n');
    let salt = dice.below(1_000);
    for row in 0..dice.between(1, 31) {
        let what = [dice.below(4), dice.below(2), dice.below(3), dice.below(3), dice.below(3)];
        csv.push_str(&format!(
            "2024-01-0{},{}{}.00,{},{}",
            1 + what[0],
            ["+", "-"][what[1] as usize],
            1 + what[2],
            ["Bread", "Milk", "Rent"][what[3] as usize],
            ["Giro", "Cash", "Card"][what[4] as usize],
        ));
        let mut same = Dice::with_seed(what.iter().fold(salt, |sum, part| sum * 5 + part));
        same.below(2);
        let values = [
            same.pick(&["", "Food", "Food:Fruit", "Fun", "Home:Rent"]).to_owned(),
            same.pick(&["", "a", "\"a,b\"", "c"]).to_owned(),
            same.pick(&["", "n", "m"]).to_owned(),
            // Ids are unique in a file, and the same in another.
            if dice.one_in(2) { format!("id{row}") } else { String::new() },
        ];
        for (value, has) in values.iter().zip(has) {
            if has {
                csv.push_str(&format!(",{value}"));
            }
        }
        csv.push('\n');
    }
    csv
}

/// Makes random edits of the rows of an upload and of its configuration. Like the file, they leave
/// no equal rows with other categories, tags or notes: a corrected row gets a name of its own.
pub(super) fn prepare(api: &Client, import: &Value, csv: &str, dice: &mut Dice) {
    let rows = all(api, &path(import, "/rows"), "data");
    let has: BTreeSet<&str> = csv.lines().next().unwrap().split(',').collect();
    for _ in 0..dice.below(6) {
        let row = &dice.one_of(&rows)["row_number"];
        let row = row.as_u64().unwrap();
        match dice.below(6) {
            // The first stays: an import without rows can't be published.
            0 if row > 1 => edit_row(api, import, row, &json!({ "choice": "leave_out" })),
            1 => edit_row(api, import, row, &json!({ "choice": "create" })),
            2 => edit_row(api, import, row, &json!({ "choice": "plan" })),
            3 => edit_row(api, import, row, &json!({ "cells": correction(row, &has, dice) })),
            4 => there_and_back(api, import, || {
                let amount_cell = |amount| json!({ "cells": { "Amount": amount } });
                edit_row(api, import, row, &amount_cell(json!("nonsense")));
                edit_row(api, import, row, &amount_cell(Value::Null));
            }),
            _ => there_and_back(api, import, || {
                for signs in ["inflows_negative", "inflows_positive"] {
                    patch(api, import, &json!({ "signage_convention": signs }));
                }
            }),
        }
    }
}

/// The edits of each row: its choice and its corrected cells.
pub(super) fn edits(api: &Client, import: &Value) -> Vec<(String, Value)> {
    let rows = all(api, &path(import, "/rows"), "data");
    let one = |row: &Value| (text(&row["choice"]).to_owned(), row["corrected_cells"].clone());
    rows.iter().map(one).collect()
}

fn edit_row(api: &Client, import: &Value, row: u64, change: &Value) {
    api.patch(&path(import, &format!("/rows/{row}")), change).expect_status(200);
}

/// Other cells, some of them, of the columns that there are. The amount stays:
/// it is what is made wrong and taken back.
fn correction(row: u64, has: &BTreeSet<&str>, dice: &mut Dice) -> Value {
    let mut cells = json!({ "Name": format!("Fixed {row}") });
    for (column, values) in [
        ("Date", ["2024-01-01", "2024-01-06"]),
        ("Account", ["Giro", "Savings"]),
        ("Category", ["Fun", "Food:Bread"]),
        ("Tags", ["a", "d"]),
        ("Notes", ["n", "fixed"]),
    ] {
        if has.contains(column) && dice.one_in(2) {
            cells[column] = json!(dice.pick(&values));
        }
    }
    cells
}

/// Changes something and takes it back: the rows are as before.
fn there_and_back(api: &Client, import: &Value, change: impl Fn()) {
    let rows = || all(api, &path(import, "/rows"), "data");
    let before = rows();
    change();
    assert_eq!(rows(), before, "there and back");
}
