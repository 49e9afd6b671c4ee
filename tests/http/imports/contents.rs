//! Where the content comes from, and what it may be.

use serde_json::json;

use super::{IMPORTS, both_whole, count, errors, post, rows, upload};
use crate::support::Multipart;

const CSV: &str = "Date,Amount,Name\n2024-01-02,+1.00,Inline\n";
const FILE: &str = "Date,Amount,Name\n2024-01-02,+1.00,File\n";

both_whole! {
    fn without_content_there_is_an_import_to_fill_later(server) {
        let family = server.family();
        for body in [
            json!({}),
            json!({ "raw_file_content": null }),
            json!({ "raw_file_content": "" }),
            json!({ "raw_file_content": " \n\t\r\n" }),
        ] {
            let import = family.api.post(IMPORTS, &body).expect_status(201).json()["data"].clone();
            assert_eq!(
                import["status_detail"],
                json!({
                    "uploaded": false, "configured": false, "terminal": false, "cleaned": false,
                    "publishable": false, "revertable": false,
                }),
                "{body}"
            );
            assert_eq!(import["source"], json!(null));
            assert!(rows(&family.api, &import).is_empty());
        }
        let refused = family
            .api
            .post(IMPORTS, &json!({ "publish": "true" }))
            .expect_error(422, "not_configured");
        let shown =
            family.api.get(&format!("{IMPORTS}/{}", refused["import_id"].as_str().unwrap()));
        assert_eq!(shown.expect_status(200).json()["data"]["status"], "pending");
        assert_eq!(count(&family.api), 5);
    }

    fn a_file_wins_over_inline_content_unless_it_is_blank(server) {
        let family = server.family();
        let file =
            |content: &str| Multipart::new().file("file", "f.csv", "text/csv", content.as_bytes());
        let inline = || Multipart::new().text("raw_file_content", CSV);
        for (form, name) in [
            (file(FILE), "File"),
            (file(FILE).text("raw_file_content", CSV), "File"),
            (inline().file("file", "f.csv", "text/csv", FILE.as_bytes()), "File"),
            (inline(), "Inline"),
            (file("").text("raw_file_content", CSV), "Inline"),
            (file(" \n").text("raw_file_content", CSV), "Inline"),
        ] {
            let import = family.api.post_form(IMPORTS, &form).expect_status(201).json();
            assert_eq!(
                rows(&family.api, &import["data"]),
                [format!("2024-01-02 -1.00 USD {name}")]
            );
        }
        let import = family.api.post_form(IMPORTS, &file("")).expect_status(201).json();
        assert_eq!(import["data"]["status_detail"]["uploaded"], false);
    }

    fn content_is_judged_by_itself_and_not_by_its_declared_type(server) {
        let family = server.family();
        for (name, declared) in [
            ("bank.csv", "text/csv"),
            ("bank.csv", "text/csv; charset=utf-8"),
            ("bank.csv", "text/csv;charset=iso-8859-1"),
            ("bank", "application/vnd.ms-excel"),
            ("bank.txt", "text/plain"),
            ("export.pdf", "application/pdf"),
            ("ünïcode \u{1f4b0}.csv", "application/octet-stream"),
            ("../../../etc/passwd", "text/csv"),
        ] {
            let form = Multipart::new().file("file", name, declared, FILE.as_bytes());
            let import = family.api.post_form(IMPORTS, &form).expect_status(201).json();
            assert_eq!(import["data"]["stats"]["valid_rows_count"], 1, "{name} {declared}");
        }
        let odd = "Content-Disposition: form-data; name=\"file\"; filename=\"a.csv\"; \
                   filename*=UTF-8''a%00b.csv";
        let form = Multipart::new().part(odd, FILE.as_bytes());
        family.api.post_form(IMPORTS, &form).expect_status(201);
    }

    fn what_is_no_csv_is_refused_with_its_name_and_nothing_is_stored(server) {
        let family = server.family();
        let zip = |name: &[u8]| [&b"PK\x03\x04\x14\0\0\0\0\0"[..], name, b"\0\0rest"].concat();
        let cases: [(&[u8], &str); 14] = [
            (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "PdfImport"),
            (
                b"{\"type\":\"Account\",\"data\":{\"id\":1}}\n{\"type\":\"Tag\",\"data\":{}}\n",
                "NativeImport",
            ),
            (b"\xEF\xBB\xBF{\"type\":\"Account\",\"data\":{}}", "NativeImport"),
            (b"!Type:Bank\nD01/02/2024\nT-12.50\n^\n", "QifImport"),
            (b"!Account\nNMain\n^\n", "QifImport"),
            (&zip(b"[Content_Types].xml"), "spreadsheet"),
            (&zip(b"xl/workbook.xml"), "spreadsheet"),
            (&zip(b"all.ndjson"), "archive"),
            (b"name,color,parent_category,lucide_icon\nFood,,,\n", "CategoryImport"),
            (b"name,color,website_url\nShop,,shop.example\n", "MerchantImport"),
            (b"name,conditions,actions\nR,[],[]\n", "RuleImport"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", "not text"),
            (b"Date,Amount\n2024-01-02,\x001.00\n", "not text"),
            (&[1, 2, 3, 4, 5, 6, 7, 14, 15, 16], "not text"),
        ];
        for (content, named) in cases {
            let form = Multipart::new().file("file", "bank.csv", "text/csv", content);
            let refused =
                family.api.post_form(IMPORTS, &form).expect_error(422, "invalid_file_type");
            assert!(refused["message"].as_str().unwrap().contains(named), "{named}: {refused}");
            assert!(refused["import_id"].is_null());
        }
        for (content, name, named) in [
            ("D01/02/2024\nT-12.50\n^\n", "bank.qif", "QifImport"),
            ("no document\n", "Statement.PDF", "PdfImport"),
            ("\u{1}\u{2}\u{3}\u{4}", "bank.xls", "spreadsheet"),
        ] {
            let form = Multipart::new().file("file", name, "text/csv", content.as_bytes());
            let refused =
                family.api.post_form(IMPORTS, &form).expect_error(422, "invalid_file_type");
            let message = refused["message"].as_str().unwrap();
            let is_read = named != "spreadsheet";
            assert!(message.contains(named), "{name}: {refused}");
            assert_eq!(message.contains("send it"), is_read, "{name}: {refused}");
        }
        post(&family.api, "!Type:Bank\nD1/2'24\n^\n", &json!({}))
            .expect_error(422, "invalid_file_type");
        assert_eq!(count(&family.api), 0);
        // The refused files are gone, too.
        assert_eq!(crate::imports::sql::value(&server, "SELECT COUNT(*) FROM files"), "0");
        assert_eq!(stored_files(&server.data_folder()), 0);
    }

    fn refused_labels_leave_no_file_behind(server) {
        let family = server.family();
        let utf16: Vec<u8> = CSV.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for content in [CSV.as_bytes(), &[&b"\xFF\xFE"[..], &utf16].concat()] {
            let form = Multipart::new()
                .file("file", "bank.csv", "text/csv", content)
                .text("date_col_label", "Nope");
            let refused =
                family.api.post_form(IMPORTS, &form).expect_error(422, "validation_failed");
            assert!(errors(&refused)[0].contains("\"Amount\""), "the headers are named: {refused}");
        }
        assert_eq!(stored_files(&server.data_folder()), 0);
    }

    fn broken_bodies_are_400_and_other_types_415(server) {
        let family = server.family();
        let send = |content_type: &str, body: &[u8]| {
            family.api.request("POST", IMPORTS, Some((content_type, body)))
        };
        for body in [
            &b"{\"raw_file_content\":\"a"[..],
            b"{\"a\":1,}",
            b"{\"a\":\"\xff\"}",
            b"{\"a\":\"\n\"}",
            b"{} {}",
            b"",
            b"{\"raw_file_content\":\"\\ud800\"}",
            b"{'a':1}",
            b"\xEF\xBB\xBF{}x",
        ] {
            let answer = send("application/json", body);
            let code = answer.json()["error"].clone();
            if body.starts_with(b"\xEF") {
                assert!(answer.status == 400 || answer.status == 422, "{code}");
            } else {
                answer.expect_error(400, "bad_request");
            }
        }
        for body in [&b"[]"[..], b"\"text\"", b"1"] {
            let status = send("application/json", body).status;
            assert!(status == 400 || status == 422, "{status}");
        }
        let (form_type, whole) = Multipart::new().text("raw_file_content", CSV).encode();
        for (content_type, body) in [
            (form_type.as_str(), &whole[..whole.len() - 8]),
            (form_type.as_str(), &whole[..40]),
            (form_type.as_str(), &b"no form"[..]),
            ("multipart/form-data", &whole[..]),
            ("multipart/form-data; boundary=other", &whole[..]),
        ] {
            send(content_type, body).expect_error(400, "bad_request");
        }
        for content_type in ["text/csv", "application/x-www-form-urlencoded", "application/xml"] {
            send(content_type, CSV.as_bytes()).expect_error(415, "unsupported_media_type");
        }
        send("application/json; charset=utf-8", br#"{"type":"TransactionImport"}"#)
            .expect_status(201);
        assert_eq!(count(&family.api), 1);
    }

    fn equal_uploads_are_two_imports(server) {
        let family = server.family();
        let [first, second] = [(); 2].map(|()| upload(&family.api, CSV, &json!({})));
        assert_ne!(first["id"], second["id"]);
        assert_eq!(count(&family.api), 2);
    }
}

/// Regular files below the folder of uploads, whatever their layout there.
fn stored_files(data: &std::path::Path) -> usize {
    fn count(folder: &std::path::Path) -> usize {
        let entries =
            std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
        entries.map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
    }
    let folders =
        std::fs::read_dir(data).expect("the data folder").map(|entry| entry.unwrap().path());
    folders.filter(|path| path.is_dir()).map(|path| count(&path)).sum()
}
