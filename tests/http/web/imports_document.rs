//! Pictures of the pages of a document, with a row marked.

use serde_json::Value;

use super::Visitor;
use crate::both;
use crate::imports::pdf::statement;
use crate::support::{Family, Multipart};

/// Sends a document as the form does, and returns the address of its import.
#[track_caller]
fn upload(visitor: &Visitor, account: &str, document: &[u8], fields: &[(&str, &str)]) -> String {
    let form = Multipart::new().text("account_id", account);
    let form = fields.iter().fold(form, |form, (name, text)| form.text(name, text));
    let form = form.file("file", "statement.pdf", "application/pdf", document);
    let answer = visitor.post_form("/imports/new", form).expect_status(303);
    answer.header("Location").unwrap().to_owned()
}

fn euros(family: &Family) -> String {
    family.account_with(serde_json::json!({ "name": "Main", "account_type": "depository",
        "currency": "EUR" }))
}

both! {
    fn the_page_of_a_row_is_shown_with_the_row_marked(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let account = euros(&family);
        let import = upload(&visitor, &account, &statement(true), &[]);
        // Above it stand the names of the columns and the opening balance.
        let picture = format!("{import}/document/3");
        let page = visitor.get(&format!("{import}/rows/2")).expect_page(200, "Bakery");
        assert!(page.text().contains(&format!("<img src=\"{picture}\"")), "{}", page.text());
        let answer = visitor.get(&picture).expect_status(200);
        assert_eq!(answer.header("Content-Type").unwrap(), "image/svg+xml");
        assert!(answer.header("Content-Security-Policy").unwrap().contains("default-src 'none'"));
        let svg = answer.text();
        assert!(svg.contains(">Bakery</text>") && svg.contains(">12,50</text>"), "{svg}");
        // The page, and both lines of the row.
        assert_eq!(svg.matches("<rect").count(), 3, "{svg}");

        for none in ["0", "1", "99", "x"] {
            let answer = visitor.get(&format!("{import}/document/{none}"));
            assert!([404, 422].contains(&answer.status), "{none}: {}", answer.status);
        }
        let other = server.signed_in(&server.family());
        other.get(&picture).expect_page(404, "Import not found");
        // A table is no document.
        let csv = family.import(&account, "Date,Amount,Name\n2024-01-02,-5.00,Kiosk\n");
        let id = csv["id"].as_str().unwrap_or_default();
        visitor.get(&format!("/imports/{id}/document/2")).expect_page(404, "Document not found");
        let locked =
            include_bytes!("../../../crates/formats/tests/pdf/encrypted/aes_256_password.pdf");
        let import = upload(&visitor, &account, locked, &[("password", "Stra\u{df}e 7")]);
        let svg = visitor.get(&format!("{import}/document/3")).expect_status(200).text().to_owned();
        assert_eq!(svg.matches("<rect").count(), 2, "without its password: {svg}");
        let deleted = family.api.delete(&format!("/api/v1{import}"));
        deleted.expect_status(200);
        visitor.get(&format!("{import}/document/3")).expect_page(404, "Import not found");
    }

    fn what_is_asked_about_a_document_is_shown_on_its_pages(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let account = euros(&family);
        let import = upload(&visitor, &account, &statement(false), &[]);
        let page = visitor.get(&format!("{import}/mapping"));
        let page = page.expect_page(200, "no balances that prove its rows");
        let picture = format!("{import}/pages/1");
        assert!(page.text().contains(&format!("<img src=\"{picture}\"")), "{}", page.text());
        let svg = visitor.get(&picture).expect_status(200).text().to_owned();
        // The page, and the lines of its three rows.
        assert_eq!(svg.matches("<rect").count(), 5, "{svg}");
        for none in ["0", "2", "x"] {
            visitor.get(&format!("{import}/pages/{none}")).expect_page(404, "Page not found");
        }
        let two = visitor.get(&format!("{import}/document/2,4")).expect_status(200);
        assert_eq!(two.text().matches("<rect").count(), 4, "{}", two.text());
        let other = server.signed_in(&server.family());
        other.get(&picture).expect_page(404, "Import not found");
    }

    fn a_protected_document_asks_for_its_password(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        let account = euros(&family);
        let locked =
            include_bytes!("../../../crates/formats/tests/pdf/encrypted/aes_256_password.pdf");
        let send = |password: Option<&str>| {
            let form = Multipart::new().text("account_id", &account);
            let form = password.into_iter().fold(form, |form, text| form.text("password", text));
            let form = form.file("file", "statement.pdf", "application/pdf", locked);
            visitor.post_form("/imports/new", form)
        };
        let page = send(None).expect_page(422, "protected with a password, which is missing");
        assert!(page.text().contains("type=\"password\""), "{}", page.text());
        let page = send(Some("wrong horse")).expect_page(422, "is not that of the document");
        assert!(!page.text().contains("wrong horse"), "{}", page.text());
        let answer = send(Some("Stra\u{df}e 7")).expect_status(303);
        let import = answer.header("Location").unwrap().to_owned();
        let stored: Value = family.api.get(&format!("/api/v1{import}")).expect_status(200).json();
        assert_eq!(stored["data"]["stats"]["valid_rows_count"], 3, "{stored}");
    }
}
