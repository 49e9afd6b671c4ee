//! `POST /imports/preflight`: the answer of the real thing, and nothing is stored.

use serde_json::{Value, json};

use super::{IMPORTS, all, body, both_whole, count, plain_rows, post, sql, upload};
use crate::support::{Client, Family, Multipart, Scope};

const CSV: &str = "Date,Amount,Name,Account,Category\n2024-03-01,-10.00,Rent,Main,Home\n\
                   2024-03-03,-4.00,Cafe,Main,\n2024-13-01,-1.00,Bad,Main,\n\
                   2024-03-05,-6.00,Other,Twin,\n2024-03-06,-7.00,Fresh,Brand new,Food:Bars\n";

fn preflight(api: &Client, csv: &str, fields: &Value) -> Value {
    let answer = api.post(&format!("{IMPORTS}/preflight"), &body(csv, fields));
    answer.expect_status(200).json()["data"].clone()
}

/// A family with something to compare with.
fn family_with_entries(family: &Family) {
    for name in ["Twin", "twin"] {
        family.account(name, "depository");
    }
    let main = family.account("Main", "depository");
    family.import(&main, "Date,Amount,Name\n2024-03-01,-10.00,Rent\n2024-03-02,-4.00,Bar\n");
}

both_whole! {
    fn it_answers_what_the_upload_then_answers(server) {
        let family = server.family();
        family_with_entries(&family);
        let before = count(&family.api);
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        let preview = preflight(&reader, CSV, &json!({}));
        assert_eq!(count(&family.api), before, "nothing is stored");
        let import = upload(&family.api, CSV, &json!({}));
        for part in [
            "configuration",
            "stats",
            "status_detail",
            "source",
            "plan",
            "invalid_rows",
            "unassigned_mappings",
        ] {
            assert_eq!(preview[part], import[part], "{part}");
        }
        assert_eq!(preview["rows"], json!(plain_rows(&family.api, &import)));
        let examples: Vec<&Value> =
            preview["examples"].as_array().unwrap().iter().map(|row| &row["row_number"]).collect();
        assert_eq!(examples, [2, 1, 4], "flagged, matched, to be chosen");
        let refused = post(&family.api, CSV, &json!({ "publish": true }));
        let refused = refused.expect_error(422, "invalid_rows");
        let obstacle = &preview["obstacle"];
        assert_eq!(obstacle["code"], "invalid_rows");
        assert_eq!((&obstacle["message"], &obstacle["errors"]), (&refused["message"], &refused["errors"]));
        let mapping = |key: &str| {
            let mappings = preview["mappings"].as_array().unwrap();
            mappings.iter().find(|one| one["key"] == key).unwrap().clone()
        };
        assert_eq!(mapping("Brand new")["create"], true);
        assert_eq!(mapping("Main")["create"], false);
        assert!(mapping("Main")["id"].is_string() && mapping("Twin")["problem"].is_string());
    }

    fn it_announces_what_a_publish_does(server) {
        let family = server.family();
        family_with_entries(&family);
        let csv = CSV.replace("2024-13-01,-1.00,Bad,Main,\n", "").replace(",Twin,", ",Main,");
        let preview = preflight(&family.api, &csv, &json!({}));
        assert_eq!(preview["obstacle"], Value::Null, "{preview}");
        let answer = post(&family.api, &csv, &json!({ "publish": true })).expect_status(201);
        let done = family.api.wait_for_import(&answer.id());
        assert_eq!(done["status"], "complete", "{done}");
        let mut planned = preview["plan"].clone();
        let created = preview["plan"]["create_count"].as_u64().unwrap()
            + preview["plan"]["possible_duplicates_count"].as_u64().unwrap();
        planned["created_count"] = json!(created);
        assert_eq!(done["plan"], planned);
        let listed = all(&family.api, "/api/v1/transactions", "transactions");
        assert_eq!(listed.len() as u64, 2 + created);
    }

    fn files_are_taken_as_well_and_none_stays(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let csv = "Date;Betrag;Text\n01.03.2024;-1,50;B\u{e4}cker\n";
        let latin: Vec<u8> = csv.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        let form =
            Multipart::new().text("account_id", &main).file("file", "a.csv", "text/csv", &latin);
        let answer = family.api.post_form(&format!("{IMPORTS}/preflight"), &form);
        let preview = answer.expect_status(200).json()["data"].clone();
        assert_eq!(preview["rows"][0]["fields"]["name"], "B\u{e4}cker", "{preview}");
        assert_eq!(preview["plan"]["create_count"], 1);
        assert_eq!(sql::value(&server, "SELECT COUNT(*) FROM files"), "0");
        let mut left = Vec::new();
        files_below(&server.data_folder().join("files"), &mut left);
        assert!(left.is_empty(), "{left:?}");
    }

    fn what_is_refused_is_refused_alike(server) {
        let family = server.family();
        let try_it = |fields: &Value, csv: &str| {
            family.api.post(&format!("{IMPORTS}/preflight"), &body(csv, fields))
        };
        try_it(&json!({ "date_col_label": "No" }), CSV).expect_error(422, "validation_failed");
        try_it(&json!({ "type": "PdfImport" }), CSV).expect_error(422, "invalid_file_type");
        try_it(&json!({ "type": "QifImport" }), CSV).expect_error(422, "invalid_file_type");
        try_it(&json!({}), "%PDF-1.7\n").expect_error(422, "invalid_file_type");
        for (csv, code) in [
            ("", "not_configured"),
            ("Date,Amount\n2024-01-02,+1\n", "unassigned_mappings"),
            ("Date,Amount\n01/02/2024,+1\n", "not_configured"),
        ] {
            let preview = preflight(&family.api, csv, &json!({}));
            assert_eq!(preview["obstacle"]["code"], code, "{preview}");
        }
        assert_eq!(count(&family.api), 0);
    }
}

fn files_below(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}
