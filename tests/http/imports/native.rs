//! `NativeImport`: files in the server's own format, with records of all fifteen types.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::{all, both_whole, path, publish, text, upload};
pub(super) use crate::family_exports::fixed_point::exported;
pub(super) use crate::family_exports::without_ids;
use crate::support::{Client, Family, Multipart, Sql, State};

/// A record of each of the fifteen types, and of the others, in no order.
pub(super) const CLEAN: &str = include_str!("native_clean.ndjson");

pub(super) fn native() -> Value {
    json!({ "type": "NativeImport" })
}

/// The counts of [`CLEAN`].
fn counts() -> Value {
    json!({
        "accounts": 3, "balances": 1, "categories": 2, "tags": 1, "merchants": 1,
        "recurring_transactions": 1, "transactions": 4, "transfers": 1, "rejected_transfers": 1,
        "trades": 1, "holdings": 1, "valuations": 1, "budgets": 1, "budget_categories": 1,
        "rules": 1,
    })
}

#[track_caller]
pub(super) fn readback(api: &Client, import: &Value) -> Value {
    let import = api.get(&path(import, "")).expect_status(200).json();
    import["data"]["verification"]["readback"].clone()
}

fn transactions(family: &Family) -> Vec<Value> {
    all(&family.api, "/api/v1/transactions", "transactions")
}

/// What an undo must leave as it was.
pub(super) fn state(sql: &Sql) -> State {
    State::read(sql).without(&[
        "audit_events",
        "audit_images",
        "families",
        "files",
        "import_offsets",
        "import_plan_blocks",
        "imports",
        "jobs",
    ])
}

both_whole! {
    fn all_types_come_in_are_verified_and_go_again(server) {
        let family = server.family_in("EUR");
        let sql = Sql::open(&server);
        let before = state(&sql);
        let import = upload(&family.api, CLEAN, &native());
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        assert_eq!(import["verification"]["expected_record_counts"], counts());
        let not_verified = json!({ "status": "not_verified", "checked_at": null, "error": null });
        assert_eq!(import["verification"]["readback"], not_verified);
        let stats = &import["stats"];
        assert_eq!(stats["rows_count"], CLEAN.lines().count(), "{import}");
        assert_eq!(stats["invalid_rows_count"], 0);

        publish_again(&family.api, &import);
        let read = readback(&family.api, &import);
        assert_eq!(read["status"], "matched", "{read}");
        assert_eq!(read["checked_counts"], counts());
        assert_eq!(read["mismatches"], json!({}));
        assert_eq!(read["actual_delta_counts"]["transactions"], 4, "{read}");
        assert_eq!(read["before_counts"]["accounts"], 0);
        assert_eq!(read["after_counts"]["accounts"], 3);
        assert!(read["differences"].is_null(), "{read}");
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        let balance = |name: &str| {
            let account = accounts.iter().find(|one| one["name"] == name).unwrap();
            text(&account["balance_decimal"]).to_owned()
        };
        assert_eq!(balance("Giro"), "837.50");
        let listed = transactions(&family);
        assert_eq!(listed.len(), 5, "parts stand for their transaction: {listed:#?}");

        let again = publish(&family.api, CLEAN, &native());
        assert_eq!(again["plan"]["created_count"], 0, "{again}");
        assert_eq!(transactions(&family).len(), 5, "nothing comes twice");
        assert_eq!(readback(&family.api, &again)["status"], "matched");
        undo(&family.api, &again);
        assert_eq!(transactions(&family).len(), 5);

        undo(&family.api, &import);
        assert_eq!(readback(&family.api, &import)["status"], "reverted");
        state(&sql).assert_is(&before, "the undo");
        publish_again(&family.api, &import);
        assert_eq!(readback(&family.api, &import)["status"], "matched");
    }

    fn what_the_family_has_is_reused(server) {
        let family = server.family_in("EUR");
        let tag = json!({ "tag": { "name": "holiday" } });
        family.api.post("/api/v1/tags", &tag).expect_status(201);
        let import = publish(&family.api, CLEAN, &native());
        let read = readback(&family.api, &import);
        assert_eq!(read["status"], "matched", "{read}");
        assert_eq!(read["actual_delta_counts"]["tags"], 0);
        assert_eq!(read["checked_counts"]["tags"], 1);
        let tags = family.api.get("/api/v1/tags").expect_status(200).json();
        assert_eq!(tags.as_array().map(Vec::len), Some(1), "{tags}");
    }

    fn what_can_not_be_read_is_an_invalid_row_with_line_and_reason(server) {
        let family = server.family_in("EUR");
        let bad = "{\"type\":\"Account\",\"data\":{\"id\":\"a\",\"name\":\"Giro\",\
                   \"balance\":\"1\",\"accountable_type\":\"Depository\",\"currency\":\"EUR\"}}\n\
                   \"not an object\n\
                   {\"type\":\"Transaction\",\"data\":{\"id\":\"t\",\"account_id\":\"b\",\
                   \"date\":\"2024-13-01\",\"amount\":\"1,5\",\"name\":\"X\"}}\n\
                   {\"type\":\"Nothing\",\"data\":{}}\n";
        let import = upload(&family.api, bad, &native());
        assert_eq!(import["stats"]["invalid_rows_count"], 3, "{import}");
        let found = &import["invalid_rows"];
        let lines: Vec<&Value> = found.as_array().unwrap().iter().map(|one| &one["line"]).collect();
        assert_eq!(lines, [2, 3, 4]);
        let reasons = found[1]["errors"].to_string();
        for part in ["which no Account of the file has", "date", "amount"] {
            assert!(reasons.contains(part), "{part}: {reasons}");
        }
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        refused.expect_error(422, "invalid_rows");
        assert_eq!(readback(&family.api, &import)["status"], "not_verified");
        // The valid rows alone: what is missing shows.
        let body = json!({ "type": "NativeImport", "skip_invalid": "true" });
        let import = publish(&family.api, bad, &body);
        let read = readback(&family.api, &import);
        assert_eq!(read["status"], "mismatch", "{read}");
        let mismatch = json!({ "transactions": { "expected": 1, "actual": 0 } });
        assert_eq!(read["mismatches"], mismatch);
    }

    fn content_is_required_and_may_be_a_file(server) {
        let family = server.family_in("EUR");
        let nothing = family.api.post("/api/v1/imports", &native());
        nothing.expect_error(422, "missing_content");
        let csv = json!({ "type": "NativeImport", "raw_file_content": "%PDF-1.4" });
        family.api.post("/api/v1/imports", &csv).expect_error(422, "invalid_file_type");
        let form = Multipart::new()
            .text("type", "SureImport")
            .file("file", "all.ndjson", "application/x-ndjson", CLEAN.as_bytes());
        let made = family.api.post_form("/api/v1/imports", &form).expect_status(201).json();
        assert_eq!(made["data"]["type"], "NativeImport");
        assert_eq!(made["data"]["verification"]["expected_record_counts"], counts());
    }

    fn an_export_that_is_imported_is_exported_again(server) {
        let first = server.family_in("EUR");
        publish(&first.api, CLEAN, &native());
        let file = exported(&first.api);
        let second = server.family_in("EUR");
        let import = publish(&second.api, &file, &native());
        let read = readback(&second.api, &import);
        assert_eq!(read["status"], "matched", "{read}");
        assert_eq!(without_ids(&exported(&second.api)), without_ids(&file));
    }
}
