//! `PdfImport`: statements as PDF documents, read in a process of their own.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{IMPORTS, both_whole, path, rows, transactions};
use crate::support::pdf::{Page, Style, document, file, stream};
use crate::support::{Client, Family, Multipart, Sql};

/// A statement with a balance before and after its rows, or without them.
pub(crate) fn statement(has_balances: bool) -> Vec<u8> {
    let mut page = Page::default();
    page.left(40, 780, "Kontoauszug vom 01.01.2026 bis 31.01.2026");
    let mut y = 760;
    let mut line = |cells: &[(i64, bool, &str)]| {
        for (x, is_right, text) in cells {
            match is_right {
                true => page.right(*x, y, text, Style::PLAIN),
                false => page.left(*x, y, text),
            }
        }
        y -= 14;
    };
    if has_balances {
        line(&[(40, false, "Anfangssaldo"), (560, true, "1.000,00 EUR")]);
    }
    line(&[
        (40, false, "Buchung"),
        (110, false, "Text"),
        (440, true, "Soll"),
        (560, true, "Haben"),
    ]);
    line(&[(40, false, "02.01."), (110, false, "Bakery"), (440, true, "12,50")]);
    line(&[(110, false, "with the long text")]);
    line(&[(40, false, "15.01."), (110, false, "Salary"), (560, true, "2.345,67")]);
    line(&[(40, false, "31.01."), (110, false, "Rent"), (440, true, "800,00")]);
    if has_balances {
        line(&[(40, false, "Endsaldo"), (560, true, "2.533,17 EUR")]);
    }
    let compressed = Style { is_compressed: true, has_object_streams: true, ..Style::PLAIN };
    document(&[page], compressed)
}

/// A statement with a balance beside each row, and none before the first or after the last.
fn without_ends() -> Vec<u8> {
    let mut page = Page::default();
    for (y, [day, text, amount, balance]) in [
        (760, ["Date", "Description", "Amount", "Balance"]),
        (746, ["2026-01-02", "Salary", "2000.00", "2100.00"]),
        (732, ["2026-01-15", "Bakery", "-12.50", "2087.50"]),
        (718, ["2026-01-31", "Rent", "-800.00", "1287.50"]),
    ] {
        page.left(40, y, day);
        page.left(120, y, text);
        page.right(440, y, amount, Style::PLAIN);
        page.right(560, y, balance, Style::PLAIN);
    }
    document(&[page], Style::PLAIN)
}

fn form(document: &[u8], fields: &Value) -> Multipart {
    let texts = fields.as_object().unwrap().iter();
    texts
        .fold(Multipart::new(), |form, (name, value)| form.text(name, value.as_str().unwrap()))
        .text("type", "PdfImport")
        .file("file", "statement.pdf", "application/pdf", document)
}

fn upload_pdf(api: &Client, document: &[u8], fields: &Value) -> Value {
    api.post_form(IMPORTS, &form(document, fields)).expect_status(201).json()["data"].clone()
}

fn euros(family: &Family) -> String {
    let account = json!({ "name": "Main", "account_type": "depository", "currency": "EUR" });
    family.account_with(account)
}

both_whole! {
    fn a_document_is_imported_proven_and_taken_back(server) {
        let family = server.family();
        let account = euros(&family);
        let before = State::read(&Sql::open(&server), &family);
        let fields = json!({ "account_id": account });
        let import = upload_pdf(&family.api, &statement(true), &fields);
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        assert_eq!(import["source"]["stated_balances"]["difference"], "0.00", "{import}");
        assert_eq!(rows(&family.api, &import), [
            "2026-01-02 -1000.00 EUR Opening balance",
            "2026-01-02 12.50 EUR Bakery | with the long text",
            "2026-01-15 -2345.67 EUR Salary",
            "2026-01-31 800.00 EUR Rent",
            "2026-01-31 -2533.17 EUR Closing balance",
        ]);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family).len(), 3);
        let again = upload_pdf(&family.api, &statement(true), &fields);
        assert_eq!(again["same_file"].as_array().unwrap().len(), 1, "{again}");
        publish_again(&family.api, &again);
        assert_eq!(transactions(&family).len(), 3, "nothing comes twice");
        undo(&family.api, &again);
        family.api.delete(&path(&again, "")).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(State::read(&Sql::open(&server), &family), before);
    }

    fn a_password_opens_a_document_and_is_not_kept(server) {
        let family = server.family();
        let account = euros(&family);
        let open = include_bytes!("../../../crates/formats/tests/pdf/encrypted/aes_256.pdf");
        let import = upload_pdf(&family.api, open, &json!({ "account_id": account }));
        assert_eq!(import["stats"]["valid_rows_count"], 3, "anybody may read it: {import}");
        let document =
            include_bytes!("../../../crates/formats/tests/pdf/encrypted/aes_256_password.pdf");
        for (password, named) in [("", "which is missing"), ("Strasse 7", "is not that of")] {
            let fields = json!({ "account_id": account, "password": password });
            let answer = family.api.post_form(IMPORTS, &form(document, &fields));
            let refused = answer.expect_status(422).json();
            let message = refused["message"].as_str().unwrap();
            assert!(message.contains(named), "{named}: {refused}");
            assert!(refused["errors"].to_string().contains("assword"), "{refused}");
        }
        let fields = json!({ "account_id": account, "password": "Stra\u{df}e 7" });
        let import = upload_pdf(&family.api, document, &fields);
        assert_eq!(import["stats"]["valid_rows_count"], 3, "{import}");
        assert_eq!(import["source"]["balance"]["breaks"], 0, "{import}");
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family).len(), 3);
        let stored = Sql::open(&server).query("SELECT settings, layout FROM imports");
        assert_eq!(stored.len(), 2);
        assert!(!format!("{stored:?}").contains("Stra"), "{stored:?}");
    }

    fn what_nothing_proves_is_asked(server) {
        let family = server.family();
        let account = euros(&family);
        let fields = json!({ "account_id": account });
        let import = upload_pdf(&family.api, &statement(false), &fields);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let problems = import["source"]["problems"].to_string();
        assert!(problems.contains("no balances that prove"), "{problems}");
        let fields = json!({ "account_id": account, "balance_check": "ignore" });
        let answered = upload_pdf(&family.api, &statement(false), &fields);
        assert_eq!(answered["status_detail"]["publishable"], true, "{answered}");
    }

    fn rows_that_may_be_missing_at_its_ends_are_asked_about(server) {
        let family = server.family();
        let account = euros(&family);
        let fields = json!({ "account_id": account });
        let import = upload_pdf(&family.api, &without_ends(), &fields);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let problems = import["source"]["problems"].to_string();
        for end in ["before the first row", "after the last row"] {
            assert!(problems.contains(end), "{problems}");
        }
        let fields = json!({ "account_id": account, "balance_check": "ignore_ends" });
        let answered = upload_pdf(&family.api, &without_ends(), &fields);
        assert_eq!(answered["status_detail"]["publishable"], true, "{answered}");
        // The balances between its rows are still compared, and kept.
        assert_eq!(answered["source"]["balance"]["proofs"], 2, "{answered}");
        publish_again(&family.api, &answered);
        let statements = family.api.get("/api/v1/statements").expect_status(200).json();
        let kept = &statements["statements"][0];
        assert_eq!(kept["closing_balance_decimal"], "1287.50", "{statements}");
        let another = upload_pdf(&family.api, &without_ends(), &json!({ "account_id": account }));
        assert_eq!(another["status_detail"]["configured"], false, "no later file takes it over");
    }

    fn what_cannot_be_read_is_refused_and_hurts_nobody(server) {
        let family = server.family();
        let bomb = vec![
            (1, b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(), false),
            (2, b"<< /Kids [3 0 R] >>".to_vec(), false),
            (3, b"<< /Contents 4 0 R >>".to_vec(), false),
            (4, stream("", &vec![b' '; 100 << 20], true), true),
        ];
        let cases = [
            (file(bomb, Style::PLAIN), "too complex"),
            (document(&[Page::default()], Style::PLAIN), "no text"),
            (b"%PDF-1.7\n".to_vec(), "damaged"),
            (b"Date,Amount\n2026-01-02,1.00\n".to_vec(), "PDF documents"),
        ];
        for (content, named) in cases {
            let answer = family.api.post_form(IMPORTS, &form(&content, &json!({})));
            let refused = answer.expect_error(422, "invalid_file_type");
            assert!(refused["message"].as_str().unwrap().contains(named), "{named}: {refused}");
        }
        let import = upload_pdf(&family.api, &statement(true), &json!({}));
        assert_eq!(import["stats"]["valid_rows_count"], 3, "{import}");
    }
}
