//! How large content may be: equal to the limit is accepted, one byte more is not.

use serde_json::{Value, json};

use super::{IMPORTS, assert_whole, both_whole, count, post};
use crate::support::{Answer, Backend, Client, Multipart, Options, Server};

/// The default of the program for the size of a CSV.
const TEN_MIB: usize = 10 * 1024 * 1024;
const SMALL: usize = 4096;
const HEADER: &str = "Date,Amount,Name\n";

/// A CSV of exactly so many bytes.
fn csv(bytes: usize) -> String {
    let row = "2024-01-02,+1.00,Something that is bought\n";
    let mut text = HEADER.to_owned();
    while text.len() + row.len() <= bytes {
        text.push_str(row);
    }
    // The name of the last row takes what is left.
    text.truncate(text.len() - 1);
    text.push_str(&"x".repeat(bytes - text.len()));
    text
}

fn as_file(api: &Client, content: &str) -> Answer {
    api.post_form(IMPORTS, &Multipart::new().file("file", "a.csv", "text/csv", content.as_bytes()))
}

fn as_field(api: &Client, content: &str) -> Answer {
    api.post_form(IMPORTS, &Multipart::new().text("raw_file_content", content))
}

fn as_json(api: &Client, content: &str) -> Answer {
    post(api, content, &json!({}))
}

type Send = fn(&Client, &str) -> Answer;
const WAYS: [(Send, &str); 3] =
    [(as_file, "file_too_large"), (as_field, "content_too_large"), (as_json, "content_too_large")];

#[track_caller]
fn limit_is(api: &Client, limit: usize) {
    for (send, code) in WAYS {
        let stored = count(api);
        for bytes in [limit - 1, limit] {
            let import = send(api, &csv(bytes)).expect_status(201).json();
            assert_eq!(import["data"]["status_detail"]["cleaned"], true, "{bytes} {code}");
        }
        let refused = send(api, &csv(limit + 1)).expect_error(422, code);
        assert!(refused["import_id"].is_null(), "{refused}");
        assert_eq!(count(api), stored + 2);
    }
}

both_whole! {
    fn an_operator_sets_the_limit(server = Options::new().env("PURSER_MAX_CSV_BYTES", SMALL)) {
        let family = server.family();
        limit_is(&family.api, SMALL);
        // Far beyond the limit the answer is the same, and the connection goes on.
        for (send, code) in WAYS {
            send(&family.api, &csv(1024 * 1024)).expect_error(422, code);
        }
        // The file counts, not what is sent beside it.
        let form = Multipart::new()
            .file("file", "a.csv", "text/csv", csv(100).as_bytes())
            .text("raw_file_content", &csv(SMALL + 1));
        family.api.post_form(IMPORTS, &form).expect_error(422, "content_too_large");
    }
}

#[test]
fn the_limit_is_ten_mebibytes() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    limit_is(&family.api, TEN_MIB);
    let refused = as_file(&family.api, &csv(TEN_MIB + 1)).expect_error(422, "file_too_large");
    assert_eq!(refused["message"], "The file is larger than 10 MiB");
    assert_whole(&server);
}

/// Programs that write every character beyond ASCII as an escape send three bytes for each.
#[test]
fn escapes_do_not_count() {
    let limit = 4 * 1024 * 1024;
    let options = Options::new().env("PURSER_MAX_CSV_BYTES", limit);
    let server = Server::start_with(Backend::Sqlite, options);
    let family = server.family();
    let escaped = |text: &str| {
        let escape = |c: char| match c {
            '\n' => "\\n".to_owned(),
            c if c.is_ascii() => c.to_string(),
            c => format!("\\u{:04x}", u32::from(c)),
        };
        format!("{{\"raw_file_content\":\"{}\"}}", text.chars().map(escape).collect::<String>())
    };
    let row = format!("2024-01-02,+1.00,{}\n", "Продукты".repeat(10));
    for (bytes, status) in [(limit, 201), (limit + 1, 422)] {
        let mut text = HEADER.to_owned();
        while text.len() + row.len() <= bytes {
            text.push_str(&row);
        }
        text.truncate(text.len() - 1);
        text.push_str(&"x".repeat(bytes - text.len()));
        let body = escaped(&text);
        assert!(body.len() > 2 * limit + 2 * 1024 * 1024, "{} bytes", body.len());
        let answer =
            family.api.request("POST", IMPORTS, Some(("application/json", body.as_bytes())));
        let answer = answer.expect_status(status).json();
        match status {
            201 => assert_eq!(answer["data"]["stats"]["invalid_rows_count"], 0),
            _ => assert_eq!(answer["error"], "content_too_large"),
        }
    }
}

#[test]
fn other_fields_have_limits_too() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let long = "x".repeat(65 * 1024);
    let refused = family.api.post(IMPORTS, &json!({ "name_col_label": long }));
    assert!([400, 413, 422].contains(&refused.status), "{}", refused.status);
    let many: serde_json::Map<String, Value> =
        (0..100).map(|number| (format!("field{number}"), json!(number))).collect();
    let refused = family.api.post(IMPORTS, &Value::Object(many));
    assert!([400, 413, 422].contains(&refused.status), "{}", refused.status);
    let form =
        (0..100).fold(Multipart::new(), |form, number| form.text(&format!("f{number}"), "x"));
    let refused = family.api.post_form(IMPORTS, &form);
    assert!([400, 413, 422].contains(&refused.status), "{}", refused.status);
    let refused = family.api.post_form(IMPORTS, &Multipart::new().text("name_col_label", &long));
    assert!([400, 413, 422].contains(&refused.status), "{}", refused.status);
    assert_eq!(count(&family.api), 0);
}

/// A file of OFX of at least so many bytes.
fn ofx(bytes: usize) -> Vec<u8> {
    let mut text = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>\
                    <STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>123456<ACCTTYPE>CHECKING\
                    </BANKACCTFROM><BANKTRANLIST>"
        .to_owned();
    // What isn't known is passed over.
    let filler = format!("<XFILLER>{}</XFILLER>\n", "x".repeat(1_000));
    while text.len() < bytes {
        text.push_str(&filler);
    }
    text.push_str(
        "<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240102<TRNAMT>-1.00<FITID>1<NAME>Shop</STMTTRN>\
         </BANKTRANLIST><LEDGERBAL><BALAMT>-1.00<DTASOF>20240102</LEDGERBAL></STMTRS></STMTTRNRS>\
         </BANKMSGSRSV1></OFX>",
    );
    text.into_bytes()
}

/// A document of exactly so many bytes.
fn pdf(bytes: usize) -> Vec<u8> {
    let mut document = super::pdf::statement(true);
    document.resize(bytes, b' ');
    document
}

#[test]
fn documents_and_statements_may_be_larger_than_a_csv() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let send = |import_type: &str, name: &str, content: &[u8]| {
        let form = Multipart::new().text("type", import_type).file(
            "file",
            name,
            "application/octet-stream",
            content,
        );
        family.api.post_form(IMPORTS, &form)
    };
    for (import_type, name, content) in [
        ("PdfImport", "a.pdf", pdf(12 << 20)),
        ("PdfImport", "a.pdf", pdf(25 << 20)),
        ("TransactionImport", "a.ofx", ofx(12 << 20)),
    ] {
        let import = send(import_type, name, &content).expect_status(201).json();
        assert_ne!(import["data"]["stats"]["valid_rows_count"], 0, "{import}");
    }
    for (import_type, name, content, max) in [
        ("PdfImport", "a.pdf", pdf((25 << 20) + 1), "25 MiB"),
        ("TransactionImport", "a.ofx", ofx(32 << 20), "32 MiB"),
        // It has the look of the server's own format, and isn't.
        ("TransactionImport", "a.csv", [b"{".to_vec(), vec![b' '; 10 << 20]].concat(), "10 MiB"),
    ] {
        let refused = send(import_type, name, &content).expect_error(422, "file_too_large");
        assert_eq!(refused["message"], format!("The file is larger than {max}"));
    }
    assert_whole(&server);
}

#[test]
fn documents_have_to_be_files() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let document = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n";
    let fields = json!({ "type": "PdfImport", "raw_file_content": document });
    let form = Multipart::new().text("type", "PdfImport").text("raw_file_content", document);
    for answer in [family.api.post(IMPORTS, &fields), family.api.post_form(IMPORTS, &form)] {
        let refused = answer.expect_error(422, "invalid_file_type");
        assert!(refused["message"].as_str().unwrap().contains("sent as a file"), "{refused}");
    }
    assert_eq!(count(&family.api), 0);
    assert_whole(&server);
}
