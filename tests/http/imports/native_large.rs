//! `NativeImport` of files that are larger than a CSV may be.

use purser_formats::archive::writer::ArchiveWriter;
use serde_json::json;

use super::native::{exported, native, readback, without_ids};
use super::undo::publish_again;
use super::{IMPORTS, assert_whole, both_whole};
use crate::support::{Answer, Backend, Client, Multipart, Options, Server};

const MIB: usize = 1024 * 1024;
/// More than a CSV may have.
const LARGE: usize = 11 * MIB;
const NOTES: usize = 9_000;

/// Transactions with long notes, in a file of this size at least.
pub(crate) fn file(bytes: usize) -> String {
    let account = json!({ "id": "a", "name": "Giro", "balance": "0", "opening_balance": "0",
        "accountable_type": "Depository", "currency": "EUR" });
    let mut lines = format!("{}\n", json!({ "type": "Account", "data": account }));
    let notes = "n".repeat(NOTES);
    for row in 0.. {
        if lines.len() >= bytes {
            break;
        }
        let data = json!({ "id": row, "account_id": "a", "date": "2024-01-05", "amount": "0.25",
            "name": format!("Row {row}"), "notes": notes });
        lines.push_str(&format!("{}\n", json!({ "type": "Transaction", "data": data })));
    }
    lines
}

fn send(api: &Client, fields: &[(&str, &str)], (name, content): (&str, &[u8])) -> Answer {
    let form = Multipart::new().file("file", name, "application/octet-stream", content);
    let form = fields.iter().fold(form, |form, (name, value)| form.text(name, value));
    api.post_form(IMPORTS, &form)
}

fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Vec::new());
    for (name, content) in parts {
        archive.part(name, |part| part.write_all(content)).unwrap();
    }
    archive.finish().unwrap()
}

both_whole! {
    fn a_large_file_comes_in_also_in_an_archive(server) {
        let content = file(LARGE);
        let archive = zip(&[("all.ndjson", content.as_bytes()), ("version.txt", b"2")]);
        let mut seen = Vec::new();
        for (name, content) in [("all.ndjson", content.as_bytes()), ("all.zip", &archive)] {
            let family = server.family_in("EUR");
            let fields = [("type", "NativeImport")];
            let made = send(&family.api, &fields, (name, content)).expect_status(201).json();
            let import = made["data"].clone();
            assert_eq!(import["status_detail"]["publishable"], true, "{import}");
            publish_again(&family.api, &import);
            assert_eq!(readback(&family.api, &import)["status"], "matched");
            seen.push(without_ids(&exported(&family.api)));
        }
        assert!(seen[0].len() > LARGE / (NOTES + 500));
        assert!(seen[0] == seen[1]);
    }
}

#[test]
fn only_a_native_import_may_be_so_large() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family_in("EUR");
    let content = file(LARGE);
    let large = ("all.ndjson", content.as_bytes());
    for fields in [&[("type", "TransactionImport")][..], &[("type", "YnabImport")], &[]] {
        let refused = send(&family.api, fields, large).expect_error(422, "file_too_large");
        assert_eq!(refused["message"], "The file is larger than 10 MiB");
    }
    // As a text in the request it may have 32 MiB.
    let form = Multipart::new().text("type", "NativeImport").text("raw_file_content", &content);
    family.api.post_form(IMPORTS, &form).expect_status(201);
    let mut body = native();
    body["raw_file_content"] = json!(content);
    family.api.post(IMPORTS, &body).expect_status(201);
    body["raw_file_content"] = json!(file(32 * MIB + 1));
    let refused = family.api.post(IMPORTS, &body).expect_error(422, "content_too_large");
    assert_eq!(refused["message"], "The content is larger than 32 MiB");
    body["type"] = json!("AccountImport");
    body["raw_file_content"] = json!(content);
    let refused = family.api.post(IMPORTS, &body).expect_error(422, "content_too_large");
    assert_eq!(refused["message"], "The content is larger than 10 MiB");
    assert_whole(&server);
}

/// 257 MiB in an archive of a hundredth of that.
#[test]
fn an_archive_that_unpacks_to_more_is_refused() {
    let server = Server::start_with(Backend::Sqlite, Options::new());
    let family = server.family_in("EUR");
    let mut archive = ArchiveWriter::new(Vec::new());
    let line = format!("{}\n", " ".repeat(MIB - 1));
    let write = |part: &mut dyn std::io::Write| {
        part.write_all(b"{\"type\":\"Tag\",\"data\":{\"id\":1,\"name\":\"T\"}}\n")?;
        (0..257).try_for_each(|_| part.write_all(line.as_bytes()))
    };
    archive.part("all.ndjson", |part| write(part)).unwrap();
    let bomb = archive.finish().unwrap();
    assert!(bomb.len() < 3 * MIB, "{}", bomb.len());
    let refused = send(&family.api, &[("type", "NativeImport")], ("all.zip", &bomb));
    let refused = refused.expect_error(422, "invalid_file_type");
    assert!(refused["message"].to_string().contains("larger than is read"), "{refused}");
    assert_whole(&server);
}
