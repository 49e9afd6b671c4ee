//! `POST /imports/{id}/publish`: when it is accepted, and why it is refused.

use serde_json::json;

use super::{both_whole, errors, path, post, publish, text, transactions, upload};

const GOOD: &str = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-01-03,-2.00,B\n";
const BAD: &str = "Date,Amount,Name\n2024-01-02,-1.00,A\n2024-13-03,-2.00,B\n2024-01-04,,C\n";

both_whole! {
    fn a_pending_import_is_published_once(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let import = upload(&family.api, GOOD, &json!({ "account_id": account }));
        assert!(transactions(&family).is_empty(), "an upload alone changes nothing");
        let queued =
            family.api.request("POST", &path(&import, "/publish"), None).expect_status(202);
        let queued = queued.json()["data"].clone();
        assert_eq!((&queued["status"], &queued["id"]), (&json!("importing"), &import["id"]));
        family.api.wait_for_import(text(&import["id"]));
        for _ in 0..2 {
            let refused = family
                .api
                .post(&path(&import, "/publish"), &json!({}))
                .expect_error(422, "not_publishable");
            assert_eq!(refused["import_id"], import["id"]);
        }
        assert_eq!(
            transactions(&family),
            ["2024-01-02 -1.00 USD A @Main", "2024-01-03 -2.00 USD B @Main"]
        );
    }

    fn obstacles_are_reported_and_change_nothing(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let main = json!({ "account_id": account });
        for (csv, fields, code, reason) in [
            ("", &main, "not_configured", "content"),
            ("Date,Amount,Name\n", &main, "not_configured", "no rows"),
            ("Date,Name\n2024-01-02,A\n", &main, "not_configured", "\"Name\""),
            ("Date,Amount\n01/02/2024,+1\n", &main, "not_configured", "%d/%m/%Y and %m/%d/%Y"),
            (BAD, &main, "invalid_rows", "Line 3: "),
            (GOOD, &json!({}), "unassigned_mappings", "account"),
        ] {
            let import = upload(&family.api, csv, fields);
            let refused =
                family.api.post(&path(&import, "/publish"), &json!({})).expect_error(422, code);
            assert_eq!(refused["import_id"], import["id"], "{refused}");
            assert!(errors(&refused)[0].contains(reason), "{refused}");
            let after = family.api.get(&path(&import, "")).json()["data"].clone();
            assert_eq!(after, import, "{code}");
            // The same in one step.
            let at_once = post(
                &family.api,
                csv,
                &crate::imports::merged(fields, &json!({ "publish": true })),
            )
            .expect_error(422, code);
            assert_eq!(at_once["errors"], refused["errors"]);
            assert_ne!(at_once["import_id"], import["id"]);
        }
        assert!(transactions(&family).is_empty());
        assert_eq!(crate::imports::sql::value(&server, "SELECT COUNT(*) FROM jobs"), "0");
    }

    fn invalid_rows_are_left_out_on_demand(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account, "skip_invalid": "true" });
        let import = publish(&family.api, BAD, &fields);
        assert_eq!(import["stats"]["invalid_rows_count"], 2);
        assert_eq!(import["stats"]["valid_rows_count"], 1);
        assert_eq!(import["status_detail"]["cleaned"], false);
        assert_eq!(transactions(&family), ["2024-01-02 -1.00 USD A @Main"]);
        let refused = post(
            &family.api,
            "Date,Amount\n2024-13-01,+1\n2024-13-02,+2\n",
            &crate::imports::merged(
                &fields,
                &json!({ "publish": "true", "date_format": "%Y-%m-%d" }),
            ),
        );
        refused.expect_error(422, "not_publishable");
        let stored = upload(&family.api, BAD, &fields);
        family.api.post(&path(&stored, "/publish"), &json!({})).expect_status(202);
        let done = family.api.wait_for_import(text(&stored["id"]));
        assert_eq!(done["status"], "complete", "{done}");
        assert_eq!(transactions(&family).len(), 1, "the valid row is there already");
    }

    fn two_publishes_at_once_are_one(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let import = upload(&family.api, GOOD, &json!({ "account_id": account }));
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| family.api.post(&path(&import, "/publish"), &json!({})).status)
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
        });
        assert_eq!(statuses.iter().filter(|status| **status == 202).count(), 1, "{statuses:?}");
        assert!(statuses.iter().all(|status| [202, 422].contains(status)), "{statuses:?}");
        family.api.wait_for_import(text(&import["id"]));
        assert_eq!(transactions(&family).len(), 2);
    }
}
