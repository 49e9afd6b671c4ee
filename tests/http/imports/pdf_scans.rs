//! `PdfImport` of scans: documents with pictures of pages, in which tesseract recognises words.

use serde_json::{Value, json};

use super::undo::publish_again;
use super::{IMPORTS, both_whole, path, rows, transactions};
use crate::support::{Answer, Client, Family, Multipart};

/// Scans of one statement, as scanners store pictures; `scans/make.py` makes them.
const SCANS: [(&str, &[u8]); 3] = [
    ("fax", include_bytes!("../../../crates/formats/tests/pdf/scans/fax.pdf")),
    ("jpeg", include_bytes!("../../../crates/formats/tests/pdf/scans/jpeg.pdf")),
    ("pixels", include_bytes!("../../../crates/formats/tests/pdf/scans/pixels.pdf")),
];
/// The same statement with another digit in one amount.
const WRONG: &[u8] = include_bytes!("../../../crates/formats/tests/pdf/scans/wrong.pdf");

fn send(api: &Client, document: &[u8], fields: &Value) -> Answer {
    let texts = fields.as_object().unwrap().iter();
    let form = texts
        .fold(Multipart::new(), |form, (name, value)| form.text(name, value.as_str().unwrap()))
        .text("type", "PdfImport")
        .file("file", "scan.pdf", "application/pdf", document);
    api.post_form(IMPORTS, &form)
}

fn main_account(family: &Family) -> String {
    family.account("Main", "depository")
}

both_whole! {
    fn a_scan_is_recognised_and_proven_by_its_balances(server) {
        let family = server.family();
        let account = main_account(&family);
        let fields = json!({ "account_id": account });
        for (name, document) in SCANS {
            // Nothing proves days and names: they are compared with the document, each time.
            let asked = send(&family.api, document, &fields).expect_status(201).json();
            assert_eq!(asked["data"]["status_detail"]["configured"], false, "{name}: {asked}");
            let problems = asked["data"]["source"]["problems"].to_string();
            assert!(problems.contains("recognised in pictures"), "{name}: {problems}");
            let confirmed = json!({ "account_id": account, "balance_check": "ignore" });
            let import = send(&family.api, document, &confirmed).expect_status(201).json();
            let import = import["data"].clone();
            assert_eq!(import["status_detail"]["publishable"], true, "{name}: {import}");
            let shown: Vec<String> = rows(&family.api, &import)
                .into_iter()
                .filter(|row| !row.ends_with(" balance"))
                .collect();
            assert_eq!(shown, [
                "2026-01-02 12.50 USD Bakery on the corner",
                "2026-01-05 64.37 USD Supermarket",
                "2026-01-15 -2345.67 USD Salary January",
                "2026-01-20 78.09 USD Electricity",
                "2026-01-31 800.00 USD Rent",
            ], "{name}");
            publish_again(&family.api, &import);
            // The three are one statement.
            assert_eq!(transactions(&family).len(), 5, "{name}");
            let page = path(&import, "/document/3").replace("/api/v1", "");
            let picture = server.signed_in(&family).get(&page).expect_status(200);
            assert!(picture.text().contains(">Bakery</text>"), "{}", picture.text());
        }
    }

    fn a_scan_that_its_balances_do_not_prove_is_refused(server) {
        let family = server.family();
        let fields = json!({ "account_id": main_account(&family), "balance_check": "ignore" });
        let refused = send(&family.api, WRONG, &fields).expect_error(422, "invalid_file_type");
        assert!(refused.to_string().contains("its balances don't prove"), "{refused}");
        assert!(transactions(&family).is_empty());
    }
}
