//! Balances stay exact: a change that would take one out of its range is refused as a whole;
//! writers of one account don't lose each other's entries; a client that repeats a request gets the
//! present state.

use std::thread;

use serde_json::json;

use crate::both;
use crate::ledger::{account, balance, unlimited, value};

const VALUATIONS: &str = "/api/v1/valuations";
const OUT_OF_RANGE: &str = "The balance of the account would leave the range of amounts";

both! {
    fn a_balance_never_leaves_its_range(server) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "opening_balance": "900000000000000" }));
        let before = account(&family.api, &id);
        let csv = "Date,Description,Amount\n2026-01-04,ok,+1\n2026-01-05,much,+800000000000000\n";
        let fields = json!({ "raw_file_content": csv, "account_id": id, "publish": "true" });
        let made = family.api.post("/api/v1/imports", &fields).expect_status(201).id();
        let import = family.api.wait_for_import(&made);
        assert_eq!(import["status"], "failed", "{import}");
        assert_eq!(import["error"], OUT_OF_RANGE);
        assert_eq!(account(&family.api, &id), before);
        assert_eq!(family.api.get("/api/v1/transactions").json()["pagination"]["total_count"], 0);

        let fields =
            json!({ "account_id": id, "amount": "-900000000000000", "date": "2026-01-05" });
        let refused = family.api.post(VALUATIONS, &json!({ "valuation": fields }));
        let refused = refused.expect_error(422, "validation_failed");
        assert_eq!(refused["errors"], json!([OUT_OF_RANGE]));
        assert_eq!(account(&family.api, &id), before);
        assert_eq!(family.api.get(VALUATIONS).json()["pagination"]["total_count"], 0);
        value(&family.api, &id, "2026-01-05", "0");
        assert_eq!(balance(&family.api, &id), "0.00");
    }

    fn writers_of_one_account_lose_nothing(server = unlimited()) {
        const WRITERS: usize = 6;
        let family = server.family();
        let id = family.account_with(json!({ "name": "A", "account_type": "depository",
            "opening_balance": "1000" }));
        thread::scope(|scope| {
            for writer in 0..WRITERS {
                let (family, id) = (&family, &id);
                scope.spawn(move || {
                    for round in 0..4 {
                        let day = 1 + (writer * 4 + round) % 28;
                        let line = format!("2026-01-{day:02},Writer {writer} {round},-1.01");
                        family.import(id, &format!("Date,Description,Amount\n{line}\n"));
                        // A valuation that goes again leaves nothing.
                        let fields = json!({ "account_id": id, "amount": writer,
                            "date": format!("2025-{:02}-{day:02}", writer + 1) });
                        let body = json!({ "valuation": fields });
                        let made = family.api.post(VALUATIONS, &body).expect_status(201).id();
                        family.api.delete(&format!("{VALUATIONS}/{made}")).expect_status(200);
                    }
                });
            }
        });
        assert_eq!(balance(&family.api, &id), "975.76");
        let page = family.api.get("/api/v1/transactions?per_page=1").json();
        assert_eq!(page["pagination"]["total_count"], WRITERS * 4);
        assert_eq!(family.api.get(VALUATIONS).json()["valuations"], json!([]));
        let outcome = server.run(&["check"], "");
        assert!(outcome.status.success(), "{outcome:?}");
    }

    fn a_client_that_keeps_answers_learns_of_a_new_balance(server) {
        let family = server.family();
        let id = family.account("House", "property");
        for path in
            ["/api/v1/accounts".to_owned(), format!("/api/v1/accounts/{id}"), VALUATIONS.to_owned()]
        {
            value(&family.api, &id, "2026-01-12", "5");
            let kept = family.api.get(&path).expect_status(200);
            let keeper = family.api.with_header("If-None-Match", kept.header("ETag").unwrap());
            keeper.get(&path).expect_status(304);
            value(&family.api, &id, "2026-01-12", "6");
            let fresh = keeper.get(&path).expect_status(200);
            assert!(fresh.text().contains("$6.00"), "{path}: {}", fresh.text());
        }
    }
}
