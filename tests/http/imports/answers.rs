//! The shape of an import in an answer, and its booleans in every state.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{IMPORTS, both_whole, path, post, publish, text, upload};

const CSV: &str =
    "Date,Amount,Name,Category,Tags\n2024-01-02,+1.00,A,Food,x|y\n2024-01-03,+2.00,B,,x\n";

fn keys(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .unwrap_or_else(|| panic!("no object: {value}"))
        .keys()
        .map(String::as_str)
        .collect()
}

fn detail(flags: [bool; 6]) -> Value {
    let [uploaded, configured, terminal, cleaned, publishable, revertable] = flags;
    json!({
        "uploaded": uploaded, "configured": configured, "terminal": terminal, "cleaned": cleaned,
        "publishable": publishable, "revertable": revertable,
    })
}

both_whole! {
    fn a_created_import_is_whole_at_once(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let before = server.client().get("/healthz").header("Date").map(str::to_owned);
        assert!(before.is_some());
        let answer = post(&family.api, CSV, &json!({ "account_id": account })).expect_status(201);
        assert_eq!(answer.header("Content-Type"), Some("application/json"));
        let body = answer.json();
        assert_eq!(keys(&body), ["data"].into());
        let import = &body["data"];
        assert_eq!(
            keys(import),
            [
                "id",
                "type",
                "status",
                "created_at",
                "updated_at",
                "account_id",
                "status_detail",
                "configuration",
                "stats",
                "plan",
                "progress",
                "source",
                "same_file",
                "invalid_rows"
            ]
            .into()
        );
        assert_eq!(import["type"], "TransactionImport");
        assert_eq!(import["status"], "pending");
        assert_eq!(import["account_id"], *account);
        assert_eq!(import["status_detail"], detail([true, true, false, true, true, false]));
        assert_eq!(
            import["configuration"],
            json!({
                "date_col_label": "Date", "amount_col_label": "Amount", "name_col_label": "Name",
                "category_col_label": "Category", "tags_col_label": "Tags", "notes_col_label": null,
                "account_col_label": null, "date_format": "%Y-%m-%d", "number_format": "1,234.56",
                "signage_convention": "inflows_positive",
            })
        );
        assert_eq!(
            import["stats"],
            json!({
                "rows_count": 2, "valid_rows_count": 2, "invalid_rows_count": 0,
                "left_out_count": 0,
                "mappings_count": 3,
                "unassigned_mappings_count": 0,
            })
        );
        for time in ["created_at", "updated_at"] {
            let time = text(&import[time]);
            assert!(time.len() == 24 && time.ends_with('Z'), "milliseconds in UTC: {time}");
        }
        assert_eq!(family.api.get(&path(import, "")).expect_status(200).json(), body);
    }

    fn a_publish_is_accepted_and_ends_with_the_same_counts(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account, "publish": "true" });
        let queued = post(&family.api, CSV, &fields).expect_status(201);
        let (id, queued) = (queued.id(), queued.json()["data"].clone());
        assert_eq!(queued["status"], "importing");
        assert_eq!(queued["status_detail"], detail([true, true, false, true, false, false]));
        let done = family.api.wait_for_import(&id);
        assert_eq!(done["status"], "complete");
        assert_eq!(done["status_detail"], detail([true, true, true, true, false, true]));
        for same in ["stats", "configuration", "id", "created_at", "account_id", "source"] {
            assert_eq!(done[same], queued[same], "{same}");
        }
        for absent in ["error", "verification"] {
            assert!(!keys(&done).contains(absent), "{absent}");
        }
    }

    fn booleans_follow_what_was_uploaded(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let main = json!({ "account_id": account });
        let none = json!({});
        for (csv, fields, flags, stats) in [
            ("", &main, [false; 6], [0, 0, 0, 0, 0]),
            (
                "Date,Amount,Name\n",
                &main,
                [true, false, false, false, false, false],
                [0, 0, 0, 0, 0],
            ),
            (
                "only words\nand more words\n",
                &main,
                [true, false, false, false, false, false],
                [0; 5],
            ),
            ("Date,Name\n2024-01-02,A\n", &main, [true, false, false, false, false, false], [0; 5]),
            (
                "Date,Amount\n01/02/2024,+1.00\n",
                &main,
                [true, false, false, false, false, false],
                [0; 5],
            ),
            (
                "Date,Amount\n2024-01-02,x\n2024-01-02,+1.5\n",
                &main,
                [true, true, false, false, false, false],
                [2, 1, 1, 0, 0],
            ),
            (CSV, &none, [true, true, false, true, false, false], [2, 2, 0, 4, 1]),
            (CSV, &main, [true, true, false, true, true, false], [2, 2, 0, 3, 0]),
        ] {
            let import = upload(&family.api, csv, fields);
            assert_eq!(import["status_detail"], detail(flags), "{csv:?}: {import}");
            let counts = [
                "rows_count",
                "valid_rows_count",
                "invalid_rows_count",
                "mappings_count",
                "unassigned_mappings_count",
            ];
            assert_eq!(
                counts.map(|name| import["stats"][name].as_u64().unwrap()),
                stats,
                "{csv:?}"
            );
            // The list shows the same, as far as it goes.
            let listed = family.api.get(IMPORTS).json()["data"][0].clone();
            assert_eq!(listed["id"], import["id"]);
            assert_eq!(listed["rows_count"], import["stats"]["rows_count"]);
            assert_eq!(
                listed["status_detail"],
                json!({ "uploaded": flags[0], "configured": flags[1], "terminal": flags[2] })
            );
        }
    }

    fn problems_are_reported_with_lines(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let mut csv =
            "Date,Amount,Name\n\n2024-01-02,+1.00,fine\n2024-02-30,x,\"two\nlines\"\n".to_owned();
        (0..30).for_each(|_| csv.push_str("2024-01-02,,blank\n"));
        let import = upload(&family.api, &csv, &json!({ "account_id": account }));
        let found = import["invalid_rows"].as_array().unwrap();
        assert_eq!(found.len(), 20, "the first of them");
        assert_eq!((&found[0]["row_number"], &found[0]["line"]), (&json!(2), &json!(4)));
        assert_eq!(found[0]["errors"].as_array().unwrap().len(), 2, "every reason: {}", found[0]);
        assert_eq!((&found[1]["row_number"], &found[1]["line"]), (&json!(3), &json!(6)));
        let refused = post(&family.api, &csv, &json!({ "account_id": account, "publish": "true" }))
            .expect_error(422, "invalid_rows");
        let errors = crate::imports::errors(&refused);
        assert_eq!(errors.len(), 20);
        assert!(errors[0].starts_with("Line 4: "), "{errors:?}");
        let stored = format!("{IMPORTS}/{}", text(&refused["import_id"]));
        let stored = family.api.get(&stored).expect_status(200).json()["data"].clone();
        assert_eq!(stored["status"], "pending");
        assert_eq!(stored["stats"], import["stats"]);
    }

    fn an_unknown_import_is_404(server) {
        let family = server.family();
        let theirs = server.family();
        let import = upload(&theirs.api, CSV, &json!({}));
        let done =
            publish(&theirs.api, CSV, &json!({ "account_id": theirs.account("T", "depository") }));
        let foreign = [text(&import["id"]), text(&done["id"])];
        for id in ["7", "x", "018f0000-0000-7000-8000-000000000000", "%00"].iter().chain(&foreign) {
            for below in ["", "/rows"] {
                family.api.get(&format!("{IMPORTS}/{id}{below}")).expect_error(404, "not_found");
            }
            family
                .api
                .post(&format!("{IMPORTS}/{id}/publish"), &json!({}))
                .expect_error(404, "not_found");
        }
    }
}
