//! `GET /imports`: what is listed, in which order, and what may be asked for.

use std::collections::BTreeSet;

use serde_json::json;

use super::{IMPORTS, both_whole, errors, post, publish, text, upload};

const CSV: &str = "Date,Amount,Name\n2024-01-02,+1.00,A\n";

both_whole! {
    fn the_newest_comes_first_page_by_page(server) {
        let family = server.family();
        let empty = family.api.get(IMPORTS).expect_status(200).json();
        assert_eq!(
            empty,
            json!({ "data": [], "meta": {
                "current_page": 1, "total_pages": 1, "total_count": 0, "per_page": 25,
                "next_page": null, "prev_page": null,
            }})
        );
        let made: Vec<String> =
            (0..5).map(|_| text(&upload(&family.api, CSV, &json!({}))["id"]).to_owned()).collect();
        let newest: Vec<&str> = made.iter().rev().map(String::as_str).collect();
        let mut seen = Vec::new();
        for (page, next, previous) in
            [(1, json!(2), json!(null)), (2, json!(3), json!(1)), (3, json!(null), json!(2))]
        {
            let listed = family.api.get(&format!("{IMPORTS}?per_page=2&page={page}")).json();
            assert_eq!(
                listed["meta"],
                json!({
                    "current_page": page, "total_pages": 3, "total_count": 5, "per_page": 2,
                    "next_page": next, "prev_page": previous,
                })
            );
            seen.extend(
                listed["data"].as_array().unwrap().iter().map(|one| text(&one["id"]).to_owned()),
            );
        }
        assert_eq!(seen, newest);
        let past =
            family.api.get(&format!("{IMPORTS}?page=9&per_page=2")).expect_status(200).json();
        assert_eq!(past["data"], json!([]));
        let most = family.api.get(&format!("{IMPORTS}?per_page=101")).expect_status(200).json();
        assert_eq!(most["meta"]["per_page"], 100);
        assert!(
            crate::imports::all(&server.family().api, IMPORTS, "data").is_empty(),
            "another family's"
        );
    }

    fn an_item_has_the_short_form(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let import = publish(&family.api, CSV, &json!({ "account_id": account }));
        let item = family.api.get(IMPORTS).json()["data"][0].clone();
        let keys: BTreeSet<&str> = item.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            [
                "id",
                "type",
                "status",
                "created_at",
                "updated_at",
                "status_detail",
                "account_id",
                "rows_count"
            ]
            .into()
        );
        for same in ["id", "type", "status", "created_at", "updated_at", "account_id"] {
            assert_eq!(item[same], import[same], "{same}");
        }
        assert_eq!(
            item["status_detail"],
            json!({ "uploaded": true, "configured": true, "terminal": true })
        );
        assert_eq!(item["rows_count"], 1);
    }

    fn filters_choose_and_unknown_ones_are_refused(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        upload(&family.api, CSV, &json!({}));
        publish(&family.api, CSV, &json!({ "account_id": account }));
        post(&family.api, CSV, &json!({ "publish": "true" }))
            .expect_error(422, "unassigned_mappings");
        for (query, total) in [
            ("status=pending", 2),
            ("status=complete", 1),
            ("status=importing", 0),
            ("status=failed", 0),
            ("status=reverting", 0),
            ("status=revert_failed", 0),
            ("type=TransactionImport", 3),
            ("type=TransactionImport&status=complete", 1),
            ("type=NativeImport", 0),
            ("type=SureImport", 0),
            ("type=QifImport", 0),
            ("status=&type=", 3),
            ("unknown=1", 3),
        ] {
            let listed = family.api.get(&format!("{IMPORTS}?{query}")).expect_status(200).json();
            assert_eq!(listed["meta"]["total_count"], total, "{query}");
            assert_eq!(listed["data"].as_array().unwrap().len(), total, "{query}");
        }
        for (query, named) in [
            ("status=done", &["status", "revert_failed"][..]),
            ("status=Complete", &["status"]),
            ("type=Csv", &["type", "QifImport"]),
            ("status=x&type=y", &["status", "type"]),
            ("page=0", &["page"]),
            ("page=x", &["page"]),
            ("per_page=0", &["per_page"]),
            ("per_page=-1", &["per_page"]),
            ("page=99999999999999999999", &["page"]),
        ] {
            let refused = family
                .api
                .get(&format!("{IMPORTS}?{query}"))
                .expect_error(422, "validation_failed");
            let all = format!("{refused} {:?}", errors(&refused));
            assert!(named.iter().all(|name| all.contains(name)), "{query}: {refused}");
        }
    }
}
