//! Spreadsheets as content: which sheet is read, what its cells mean, templates, undo.

#[path = "../../../crates/formats/tests/sheets/xls_writing.rs"]
mod xls_writing;

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::{IMPORTS, both_whole, errors, path, rows, transactions};
use crate::support::sheets::Cell::{Day, Formula, Number, Text};
use crate::support::sheets::{Cell, Sheet, ods, xlsx, zip};
use crate::support::{Answer, Client, Family, Multipart};
use xls_writing::{XlsCell, XlsStyle, workbook};

const HEADER: &[Cell] = &[Text("Date"), Text("Amount"), Text("Name")];
/// Three rows below some lines of the bank, as programs store them.
const JANUARY: &[&[Cell]] = &[
    &[Text("Statement of account 123")],
    &[],
    HEADER,
    &[Day(45_293), Number("-12.300000000000001"), Text("Bakery & Son")],
    &[Day(45_294), Text("ten"), Text("Salary")],
    &[Day(45_295), Number("-1E2"), Text("Rent")],
];
const FEBRUARY: &[&[Cell]] = &[HEADER, &[Day(45_324), Number("-7.5"), Text("Tram")]];
const SUMMARY: &[&[Cell]] = &[&[Text("Month"), Text("Sum")], &[Text("January"), Number("12")]];

fn form(file: &[u8], name: &str, fields: &Value) -> Multipart {
    let texts = fields.as_object().unwrap().iter();
    texts
        .fold(Multipart::new(), |form, (name, value)| form.text(name, value.as_str().unwrap()))
        .file("file", name, "application/octet-stream", file)
}

fn post_file(api: &Client, file: &[u8], name: &str, fields: &Value) -> Answer {
    api.post_form(IMPORTS, &form(file, name, fields))
}

#[track_caller]
pub(super) fn upload_file(api: &Client, file: &[u8], name: &str, fields: &Value) -> Value {
    post_file(api, file, name, fields).expect_status(201).json()["data"].clone()
}

fn main_account(family: &Family) -> Value {
    json!({ "account_id": family.account("Main", "depository") })
}

fn two_months() -> Vec<u8> {
    xlsx(&[("January", JANUARY), ("Summary", SUMMARY), ("February", FEBRUARY)])
}

/// The same two rows, as each format has them.
fn in_each_format() -> [(Vec<u8>, &'static str); 3] {
    let header = ["Date", "Amount", "Name", "Checked", "Looked up"];
    let header = header.map(|text| XlsCell::Shared(text.to_owned()));
    let first = [
        XlsCell::Day(45_293),
        XlsCell::Short(-1_000, true),
        XlsCell::Text("AT&T".to_owned()),
        XlsCell::Truth(true),
        XlsCell::Error,
    ];
    // Doubles of 5.5 and 1.
    let second = [
        XlsCell::Day(45_294),
        XlsCell::Double(0x4016_0000_0000_0000),
        XlsCell::Computed("Friend".to_owned()),
        XlsCell::Truth(false),
        XlsCell::ComputedDouble(0x3FF0_0000_0000_0000),
    ];
    let mut cells = Vec::new();
    for (row, its) in (0..).zip([header, first, second]) {
        cells.extend((0..).zip(its).map(|(column, cell)| (row, column, cell)));
    }
    let table: &[&[Cell]] = &[
        &[Text("Date"), Text("Amount"), Text("Name")],
        &[Day(45_293), Number("-10"), Text("AT&T")],
        &[Day(45_294), Number("5.5"), Text("Friend")],
    ];
    let rows: &[&[&str]] = &[
        &["Date", "Amount", "Name"],
        &["2024-01-02", "-10", "AT&amp;T"],
        &["2024-01-03", "5.5", "Friend"],
    ];
    [
        (xlsx(&[("Rows", table)]), "xlsx"),
        (ods("Rows", rows), "ods"),
        (workbook(&[("Rows", cells)], XlsStyle::PLAIN), "xls"),
    ]
}

both_whole! {
    fn a_text_that_may_be_another_number_is_a_row_that_somebody_corrects(server) {
        let family = server.family();
        let rows_of: &[&[Cell]] = &[
            HEADER,
            &[Day(45_293), Number("-12.5"), Text("Bakery")],
            &[Day(45_294), Text("1.234"), Text("Salary")],
            &[Day(45_295), Number("-3"), Text("Tram")],
        ];
        let file = xlsx(&[("Sheet", rows_of)]);
        let import = upload_file(&family.api, &file, "a.xlsx", &main_account(&family));
        let state = (&import["status_detail"]["configured"], &import["status_detail"]["publishable"]);
        assert_eq!(state, (&json!(true), &json!(false)), "{import}");
        assert!(import.to_string().contains("1.234 ?"), "{import}");
    }

    fn numbers_of_one_column_do_not_decide_about_texts_of_another(server) {
        let family = server.family();
        let account = main_account(&family);
        let sheet: &[&[Cell]] = &[
            &[Text("Date"), Text("Name"), Text("Debit"), Text("Credit")],
            &[Day(45_293), Text("Bakery"), Number("12.5"), Text("")],
            &[Day(45_294), Text("Tram"), Number("3.75"), Text("")],
            &[Day(45_295), Text("Salary"), Text(""), Text("2.500")],
            &[Day(45_296), Text("Gift"), Text(""), Text("1.000 \u{20ac}")],
        ];
        let of_one: &[&[Cell]] = &[
            HEADER,
            &[Day(45_293), Number("12.5"), Text("Bakery")],
            &[Day(45_294), Text("2.500-"), Text("Rent")],
            &[Day(45_295), Text("1.000"), Text("Salary")],
        ];
        let mut signed = account.clone();
        signed["signage_convention"] = json!("inflows_positive");
        for (rows_of, fields) in [(sheet, account), (of_one, signed)] {
            let file = xlsx(&[("Sheet", rows_of)]);
            let import = upload_file(&family.api, &file, "a.xlsx", &fields);
            assert_eq!(import["status_detail"]["publishable"], false, "{import}");
            assert_eq!(import["stats"]["invalid_rows_count"], 2, "{import}");
        }
    }

    fn a_text_among_quantities_is_no_number(server) {
        let family = server.family();
        let account = family.account("Depot", "investment");
        let sheet: &[&[Cell]] = &[
            &[Text("Date"), Text("Ticker"), Text("Quantity"), Text("Price")],
            &[Day(45_293), Text("ACME"), Number("10"), Number("5")],
            &[Day(45_294), Text("ACME"), Number("5.5"), Number("5")],
            &[Day(45_295), Text("ACME"), Text("2,500"), Number("5")],
        ];
        let file = xlsx(&[("Sheet", sheet)]);
        let fields = json!({ "account_id": account, "type": "TradeImport",
            "signage_convention": "inflows_positive" });
        let import = upload_file(&family.api, &file, "a.xlsx", &fields);
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        assert!(import.to_string().contains("2,500 ?"), "{import}");
    }

    fn each_format_is_read_and_nothing_comes_twice(server) {
        let family = server.family();
        let fields = main_account(&family);
        for (at, (file, format)) in in_each_format().into_iter().enumerate() {
            // The name of the file counts for nothing.
            let import = upload_file(&family.api, &file, "statement.bin", &fields);
            assert_eq!(import["source"]["format"], format, "{import}");
            assert_eq!(import["source"]["sheet"], "Rows");
            assert_eq!(rows(&family.api, &import), [
                "2024-01-02 10.00 USD AT&T",
                "2024-01-03 -5.50 USD Friend",
            ]);
            let created = if at == 0 { 2 } else { 0 };
            assert_eq!(import["plan"]["create_count"], created, "{format}: {import}");
            publish_again(&family.api, &import);
        }
        assert_eq!(transactions(&family).len(), 2);
    }

    fn several_sheets_with_a_table_are_a_question(server) {
        let family = server.family();
        let fields = main_account(&family);
        let import = upload_file(&family.api, &two_months(), "2024.xlsx", &fields);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let problem = "Several sheets have a table (\"January\", \"February\"); say which one it is";
        assert_eq!(import["source"]["problems"], json!([problem]));
        let preview = family.api
            .post_form(&format!("{IMPORTS}/preflight"), &form(&two_months(), "2024.xlsx", &fields))
            .expect_status(200)
            .json();
        let answers = &preview["data"]["questions"][0]["answers"];
        assert_eq!(answers[0]["fields"]["sheet"], "January", "{preview}");
        assert_eq!(answers[1]["fields"]["sheet"], "February");
        let unknown = family.api.patch(&path(&import, ""), &json!({ "sheet": "March" }));
        let unknown = unknown.expect_status(200).json();
        assert!(unknown["data"]["source"]["problems"][0].as_str().unwrap().contains("no sheet"));
        let chosen = family.api.patch(&path(&import, ""), &json!({ "sheet": "february" }));
        let chosen = chosen.expect_status(200).json()["data"].clone();
        assert_eq!(rows(&family.api, &chosen), ["2024-02-02 7.50 USD Tram"]);
        let change = json!({ "sheet": "January" });
        let chosen = family.api.patch(&path(&import, ""), &change).expect_status(200).json();
        let chosen = &chosen["data"];
        assert_eq!(chosen["source"]["sheet"], "January");
        assert_eq!(chosen["source"]["header_line"], 3);
        let found = rows(&family.api, chosen);
        assert_eq!(found[0], "2024-01-02 12.30 USD Bakery & Son");
        assert!(found[1].starts_with("line 5: ") && found[1].contains("ten"), "{found:?}");
        assert_eq!(found[2], "2024-01-04 100.00 USD Rent");
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        let refused = refused.expect_error(422, "invalid_rows");
        assert!(errors(&refused)[0].starts_with("Sheet \"January\", row 5: "), "{refused}");
        let cells = json!({ "row": { "cells": { "Amount": "1234.57" } } });
        family.api.patch(&path(&import, "/rows/2"), &cells).expect_status(200);
        let done = publish_again(&family.api, &import);
        assert_eq!(done["plan"]["created_count"], 3, "{done}");
        // The next file of the kind has the sheet that was chosen, and is known.
        let again = upload_file(&family.api, &two_months(), "2024-02.xlsx", &fields);
        assert_eq!(again["source"]["sheet"], "January", "{again}");
        assert!(again["source"]["template"]["settings_taken"].to_string().contains("sheet"));
        // One without it isn't read with it.
        let other = xlsx(&[("Rows of March", FEBRUARY)]);
        let other = upload_file(&family.api, &other, "2024-03.xlsx", &fields);
        assert_eq!(other["source"]["sheet"], "Rows of March", "{other}");
        undo(&family.api, &import);
        assert!(transactions(&family).is_empty());
    }

    fn a_correction_of_one_sheet_is_none_of_another(server) {
        let family = server.family();
        let fields = main_account(&family);
        let other: &[&[Cell]] = &[HEADER, &[Day(45_324), Number("-8"), Text("Bus")]];
        let book = xlsx(&[("One", FEBRUARY), ("Two", other)]);
        let import = upload_file(&family.api, &book, "a.xlsx", &fields);
        family.api.patch(&path(&import, ""), &json!({ "sheet": "One" })).expect_status(200);
        let cells = json!({ "row": { "cells": { "Name": "Corrected" } } });
        family.api.patch(&path(&import, "/rows/1"), &cells).expect_status(200);
        let changed = family.api.patch(&path(&import, ""), &json!({ "sheet": "Two" }));
        let changed = changed.expect_status(200).json();
        assert_eq!(rows(&family.api, &changed["data"]), ["2024-02-02 8.00 USD Bus"]);
        assert!(changed.to_string().contains("corrections of single rows were dropped"));
    }

    fn a_formula_without_a_value_is_an_invalid_row(server) {
        let family = server.family();
        let table: &[&[Cell]] = &[
            &[Text("Date"), Text("Amount"), Text("Name")],
            &[Day(45_293), Formula(Some("-1.5")), Text("Computed")],
            &[Day(45_294), Formula(None), Text("Never computed")],
            &[Day(45_295), Number("-2"), Text("Plain")],
        ];
        let file = xlsx(&[("A", table)]);
        let import = upload_file(&family.api, &file, "a.xlsx", &main_account(&family));
        let rows = rows(&family.api, &import);
        assert_eq!(rows.len(), 3, "{rows:?}");
        assert_eq!(rows[0], "2024-01-02 1.50 USD Computed");
        assert!(rows[1].starts_with("line 3: ") && rows[1].contains("without a value"), "{rows:?}");
    }

    fn other_kinds_are_read_from_sheets(server) {
        let family = server.family();
        let table: &[&[Cell]] = &[
            &[Text("name"), Text("parent"), Text("color")],
            &[Text("Food"), Text(""), Text("#a1b2c3")],
            &[Text("Bread"), Text("Food"), Text("")],
        ];
        let file = xlsx(&[("Notes", &[&[Text("Made by hand")]]), ("Categories", table)]);
        let fields = json!({ "type": "CategoryImport" });
        let import = upload_file(&family.api, &file, "c.xlsx", &fields);
        assert_eq!(import["source"]["sheet"], "Categories", "{import}");
        let done = publish_again(&family.api, &import);
        assert_eq!(done["plan"]["created_count"], 2, "{done}");
    }

    fn what_is_no_spreadsheet_or_not_whole_is_refused(server) {
        let family = server.family();
        let fields = main_account(&family);
        let refused = |file: &[u8], name: &str, fields: &Value| {
            post_file(&family.api, file, name, fields).expect_error(422, "invalid_file_type").to_string()
        };
        let whole = two_months();
        let cut = refused(&whole[..whole.len() / 2], "a.xlsx", &fields);
        assert!(cut.contains("archive") || cut.contains("spreadsheet"), "{cut}");
        let mint = refused(&whole, "a.xlsx", &json!({ "type": "MintImport" }));
        assert!(mint.contains("save it as XLSX, or as CSV"), "{mint}");
        let page = b"<html><table><tr><td>Date</td></tr></table></html>";
        let page = refused(page, "a.xls", &fields);
        assert!(page.contains("save it as XLSX"), "{page}");
        let document = xls_writing::compound("WordDocument", &[0; 5_000]);
        assert!(refused(&document, "a.doc", &fields).contains("no spreadsheet"));
        let bomb = vec![b' '; 40 * 1024 * 1024];
        let bomb = zip(&[
            ("[Content_Types].xml", b"<a/>"),
            ("_rels/.rels", b"<R><Relationship Id='1' Type='/officeDocument' Target='b'/></R>"),
            ("_rels/b.rels", &bomb),
        ]);
        let bomb = refused(&bomb, "a.xlsx", &fields);
        assert!(bomb.contains("larger than") || bomb.contains("longer than"), "{bomb}");
        let empty: Sheet<'_> = ("A", &[]);
        let import = upload_file(&family.api, &xlsx(&[empty]), "a.xlsx", &fields);
        assert_eq!(import["source"]["problems"], json!(["The file is empty"]));
        let csv = "Date,Amount,Name\n2024-01-02,-1.00,A\n";
        let sent = json!({ "account_id": fields["account_id"], "sheet": "A" });
        let import = upload_file(&family.api, csv.as_bytes(), "a.csv", &sent);
        assert_eq!(
            import["source"]["problems"],
            json!(["The file has no sheet \"A\", because it is no spreadsheet"])
        );
        assert_eq!(import["source"]["format"], "csv");
    }
}
