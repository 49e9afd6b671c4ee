//! `PUT /imports/{id}/file`: other content for an import, or its first.

use serde_json::{Value, json};

use super::configure::{essence, patch};
use super::{IMPORTS, both_whole, errors, path, publish, rows, upload};
use crate::support::{Multipart, Options, Server};

const CSV: &str = "Date,Amount,Name,Account\n2024-01-02,-1.00,A,Cash\n2024-01-03,-2.00,B,Bank\n";
const OTHER: &str = "When;Date;Amount;Name;Account\nx;13.02.2024;-5,00;Z;Cash\n";

/// The files of the server, without what is arriving.
fn files_on_disk(server: &Server) -> usize {
    let mut count = 0;
    let mut left = vec![server.data_folder().join("files")];
    while let Some(folder) = left.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { left.push(path) } else { count += 1 }
        }
    }
    count
}

both_whole! {
    fn other_content_is_as_if_it_had_been_uploaded(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let import = upload(&family.api, CSV, &json!({ "name_col_label": "Name" }));
        let choice = json!({ "mappings": [{ "kind": "account", "key": "cash", "id": account }] });
        patch(&family.api, &import, &choice);
        family.api.patch(&path(&import, "/rows/2"), &json!({ "choice": "leave_out" }))
            .expect_status(200);
        let row_of = |import: &Value| {
            let shown = family.api.get(&path(import, "/rows")).expect_status(200).json();
            shown["data"][0]["mappings"]["account"]["id"].clone()
        };
        let file = path(&import, "/file");
        let content = json!({ "raw_file_content": OTHER });
        let form = Multipart::new().file("file", "b.csv", "text/csv", OTHER.as_bytes());
        let (kind, bytes) = form.encode();
        for (number, body) in [
            Some(("application/json", content.to_string().into_bytes())),
            Some((kind.as_str(), bytes)),
            Some(("text/csv; charset=utf-8", OTHER.as_bytes().to_vec())),
        ].into_iter().enumerate() {
            let body = body.as_ref().map(|(kind, bytes)| (*kind, &bytes[..]));
            let answer = family.api.request("PUT", &file, body).expect_status(200).json();
            let dropped = answer["notes"].as_array().unwrap().len();
            assert_eq!(dropped, usize::from(number == 0), "corrections go with their rows");
            let shown = family.api.get(&path(&import, "")).expect_status(200).json();
            assert_eq!(answer["data"], shown["data"]);
            assert_eq!(row_of(&import), account, "a choice stays with its name");
            assert_eq!(rows(&family.api, &import), ["2024-02-13 5.00 USD Z @Cash"]);
        }
        let reset = json!({ "mappings": [{ "kind": "account", "key": "cash", "reset": true }] });
        let changed = patch(&family.api, &import, &reset);
        let fresh = upload(&family.api, OTHER, &json!({ "name_col_label": "Name" }));
        assert_eq!(essence(&family.api, &changed), essence(&family.api, &fresh));
        assert_eq!(crate::imports::sql::query(&server, "SELECT COUNT(*) FROM files")[0][0], "2");
        assert_eq!(files_on_disk(&server), 2);
    }

    fn content_in_another_encoding_goes_with_its_text(server) {
        let family = server.family();
        let latin = b"Datum;Betrag;Text\n02.01.2024;-1,50;Caf\xe9 M\xfcller\n03.01.2024;-2,50;\xc4pfel\n";
        let form = Multipart::new().file("file", "a.csv", "text/csv", latin);
        let import = family.api.post_form(IMPORTS, &form).expect_status(201).json()["data"].clone();
        assert_eq!(files_on_disk(&server), 2, "the evidence and its text");
        let changed = patch(&family.api, &import, &json!({ "signage_convention": "inflows_negative" }));
        assert_eq!(changed["source"]["encoding"], import["source"]["encoding"]);
        assert_eq!(rows(&family.api, &import)[0], "2024-01-02 -1.50 USD Café Müller");
        assert_eq!(files_on_disk(&server), 2, "the text is not written again");
        let utf8 = json!({ "raw_file_content": CSV });
        family.api.put(&path(&import, "/file"), &utf8).expect_status(200);
        assert_eq!(files_on_disk(&server), 1);
        let back = family.api.request("PUT", &path(&import, "/file"), Some(("text/csv", latin)));
        back.expect_status(200);
        assert_eq!(files_on_disk(&server), 2);
        assert_eq!(rows(&family.api, &import)[0], "2024-01-02 -1.50 USD Café Müller");
    }

    fn an_import_without_content_gets_some(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account, "signage_convention": "inflows_negative" });
        let import = family.api.post(IMPORTS, &fields).expect_status(201).json()["data"].clone();
        assert_eq!(import["status_detail"]["uploaded"], false);
        let answer = family.api.put(&path(&import, "/file"), &json!({ "raw_file_content": CSV }));
        let given = answer.expect_status(200).json()["data"].clone();
        let fresh = upload(&family.api, CSV, &fields);
        assert_eq!(essence(&family.api, &given), essence(&family.api, &fresh));
        family.api.request("POST", &path(&given, "/publish"), None).expect_status(202);
        let done = family.api.wait_for_import(given["id"].as_str().unwrap());
        assert_eq!(done["status"], "complete", "{done}");
    }

    fn what_is_wrong_is_named_and_the_old_content_stays(
        server = Options::new().env("PURSER_MAX_CSV_BYTES", "200")
    ) {
        let family = server.family();
        let import = upload(&family.api, CSV, &json!({ "name_col_label": "Name" }));
        let before = family.api.get(&path(&import, "")).text();
        let file = path(&import, "/file");
        let large = "x".repeat(201);
        for (content, code) in [
            (json!({}), "missing_content"),
            (json!({ "raw_file_content": null }), "missing_content"),
            (json!({ "raw_file_content": " \n" }), "missing_content"),
            (json!({ "raw_file_content": 5 }), "validation_failed"),
            (json!({ "raw_file_content": large }), "content_too_large"),
            (json!({ "raw_file_content": "%PDF-1.4\n" }), "invalid_file_type"),
            (json!({ "raw_file_content": "Date,Amount\n2024-01-02,1\n" }), "validation_failed"),
            (json!({ "raw_file_content": CSV, "use_template": "x" }), "validation_failed"),
        ] {
            family.api.put(&file, &content).expect_error(422, code);
            assert_eq!(family.api.get(&path(&import, "")).text(), before, "{content}");
        }
        let form = Multipart::new().file("file", "b.csv", "text/csv", large.as_bytes());
        let (kind, bytes) = form.encode();
        family.api.request("PUT", &file, Some((&kind, &bytes)))
            .expect_error(422, "file_too_large");
        family.api.request("PUT", &file, Some(("text/csv", large.as_bytes())))
            .expect_error(422, "content_too_large");
        family.api.request("PUT", &file, Some(("text/csv", b""))).expect_error(422, "missing_content");
        family.api.request("PUT", &file, Some(("application/json", b"{")))
            .expect_error(400, "bad_request");
        family.api.request("PUT", &file, Some(("text/plain", b"a,b")))
            .expect_error(415, "unsupported_media_type");
        let refused = family.api.put(&file, &json!({ "raw_file_content": "Date,Amount\n1,2\n" }));
        let refused = errors(&refused.expect_error(422, "validation_failed"));
        assert!(refused[0].starts_with("The name_col_label \"Name\" is not in the header"));
        assert_eq!(files_on_disk(&server), 1, "nothing is left behind");
    }

    fn only_what_is_not_published_gets_other_content(server) {
        let family = server.family();
        let import = publish(&family.api, CSV, &json!({}));
        let content = json!({ "raw_file_content": CSV });
        family.api.put(&path(&import, "/file"), &content).expect_error(422, "not_configurable");
        let other = server.family();
        other.api.put(&path(&import, "/file"), &content).expect_error(404, "not_found");
        let (api, path) = (&family.api, path(&import, "/revert"));
        api.request("POST", &path, None).expect_status(202);
        crate::support::until("the undo", || {
            let shown = api.get(&super::path(&import, "")).expect_status(200).json();
            (shown["data"]["status"] == "pending").then_some(())
        });
        let answer = api.put(&super::path(&import, "/file"), &json!({ "raw_file_content": OTHER }));
        assert_eq!(answer.expect_status(200).json()["data"]["stats"]["rows_count"], 1);
        assert_eq!(rows(api, &import), ["2024-02-13 5.00 USD Z @Cash"]);
    }
}
