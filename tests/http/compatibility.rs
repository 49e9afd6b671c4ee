//! What programs that already exist send and read: their exact bodies, and the members that they
//! would stumble over.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::both;
use crate::ledger::{post_text, text};
use crate::support::Scope;

both! {
    /// A command line that writes amounts as text and `upsert` on the top level.
    fn a_command_line_records_valuations(server) {
        let family = server.family();
        let house = family.account("House", "property");
        let body = format!(
            r#"{{"valuation":{{"account_id":"{house}","amount":"770639.10",
            "date":"2026-01-12","notes":"n"}}}}"#
        );
        let made = post_text(&family.api, "/api/v1/valuations", &body).expect_status(201).json();
        let again = format!(
            r#"{{"upsert":true,"valuation":{{"account_id":"{house}","amount":"770700",
            "date":"2026-01-12"}},"format":"json","source":"cli"}}"#
        );
        let again = post_text(&family.api, "/api/v1/valuations", &again).expect_status(200).json();
        assert_eq!(again["id"], made["id"]);
        assert_eq!(again["notes"], "n");
    }

    /// A typed library: it knows three kinds, parses formatted dollars, and wants times of RFC
    /// 3339 with an offset.
    fn a_typed_library_reads_a_valuation(server) {
        let family = server.family();
        let house = family.account("House", "property");
        let body = json!({ "valuation": { "account_id": house, "amount": "770639.10",
            "date": "2026-01-12", "notes": "n" } });
        let made = family.api.post("/api/v1/valuations", &body).expect_status(201).json();
        assert_eq!(made["amount"], "$770,639.10");
        assert!(
            ["reconciliation", "opening_anchor", "current_anchor"]
                .contains(&made["kind"].as_str().unwrap())
        );
        for name in ["created_at", "updated_at"] {
            text(&made, name).parse::<Timestamp>().unwrap();
        }
        for name in ["id", "name", "account_type"] {
            assert!(made["account"][name].is_string(), "{name}");
        }
        let page = family.api.get("/api/v1/valuations?page=1&per_page=100").json();
        assert_eq!(page["valuations"][0], made);
        for name in ["page", "per_page", "total_count", "total_pages"] {
            assert!(page["pagination"][name].is_u64(), "{name}");
        }
    }

    /// Importers that correct the balance with a number and then look for it in the accounts.
    fn an_importer_settles_a_balance_and_finds_it_at_once(server) {
        let family = server.family();
        let account = family.account("Leumi", "depository");
        family.import(&account, "Date,Description,Amount\n2026-01-05,Shop,-12.5\n");
        let body = format!(
            r#"{{"valuation":{{"account_id":"{account}","date":"2026-01-12","amount":8432.17}}}}"#
        );
        post_text(&family.api, "/api/v1/valuations", &body).expect_status(201);
        let page = family.api.get("/api/v1/accounts?page=1&per_page=100").json();
        let found = page["accounts"].as_array().unwrap().iter().find(|one| one["id"] == *account);
        let found = found.unwrap();
        assert_eq!(found["balance"], "$8,432.17");
        assert_eq!(found["balance_cents"], 843_217);
        assert_eq!(
            (&found["classification"], &found["status"]),
            (&json!("asset"), &json!("active"))
        );
        let page = family.api.get("/api/v1/transactions?search=Shop&per_page=100").json();
        let transaction = &page["transactions"][0];
        for name in ["id", "date", "amount", "currency", "name", "classification"] {
            assert!(transaction[name].is_string(), "{name}: {transaction}");
        }
        assert!(transaction["account"]["id"].is_string() && transaction["tags"].is_array());
        assert_eq!(page["pagination"]["total_pages"], 1);
    }

    /// A home dashboard: it offers gzip and can't read answers in chunks.
    fn a_dashboard_reads_answers_with_their_length(server) {
        let family = server.family();
        for number in 0..40 {
            family.account(&format!("Account {number}"), "depository");
        }
        let key = server.key(&family.email, Scope::Read);
        for path in ["accounts?per_page=100", "transactions", "valuations", "provider_connections"]
        {
            for encoding in ["gzip, deflate, br", "identity"] {
                let headers = [("X-Api-Key", key.as_str()), ("Accept-Encoding", encoding)];
                let answer = server.get_raw(&format!("/api/v1/{path}"), &headers);
                assert_eq!(answer.status, 200, "{path}");
                assert_eq!(answer.header("transfer-encoding"), None, "{path}");
                let length = answer.body.len().to_string();
                assert_eq!(answer.header("content-length"), Some(length.as_str()), "{path}");
                let long = path.starts_with("accounts") && encoding.starts_with("gzip");
                assert_eq!(answer.header("content-encoding"), long.then_some("gzip"), "{path}");
            }
        }
    }

    /// Lists of accounts as `account_ids[]=`, as text in several places of the query.
    fn a_command_line_filters_by_accounts(server) {
        let family = server.family();
        let (one, two) = (family.account("One", "depository"), family.account("Two", "depository"));
        family.import(&one, "Date,Description,Amount\n2026-01-05,a,1\n");
        family.import(&two, "Date,Description,Amount\n2026-01-05,b,1\n");
        let query = format!("account_ids%5B%5D={one}&account_ids%5B%5D={two}&page=1&per_page=25");
        let page =
            family.api.get(&format!("/api/v1/transactions?{query}")).expect_status(200).json();
        assert_eq!(page["pagination"]["total_count"], 2);
        // Or with commas; an error names what was sent.
        let count = |query: &str| {
            let page = family.api.get(&format!("/api/v1/transactions?{query}"));
            page.expect_status(200).json()["pagination"]["total_count"].clone()
        };
        assert_eq!(count(&format!("account_ids={one},{two}")), 2);
        assert_eq!(count(&format!("account_ids={one}%2C")), 1);
        for (query, message) in [
            (format!("account_ids={one},7"), "The account_ids must be an id"),
            (format!("account_ids[]={one}&account_ids[]=7"), "The account_ids[] must be an id"),
            (format!("account_id={one},{two}"), "The account_id must be an id"),
            ("tag_ids=7".to_owned(), "The tag_ids must be an id"),
        ] {
            let refused = family.api.get(&format!("/api/v1/transactions?{query}"));
            assert_eq!(refused.expect_error(422, "validation_failed")["message"], message);
        }
    }

    /// What a client shows its user when something fails: the status alone, or the first text of
    /// `message`, `error`, `errors`.
    fn errors_have_what_clients_show(server) {
        let family = server.family();
        let body = json!({ "valuation": { "account_id": "", "amount": "1" } });
        let refused: Value = family.api.post("/api/v1/valuations", &body).expect_status(422).json();
        assert_eq!(
            refused,
            json!({
                "error": "validation_failed",
                "message": "Account ID is required",
                "errors": ["Account ID is required"],
            })
        );
        let list = family.api.get("/api/v1/provider_connections").expect_status(200).json();
        assert_eq!(list, json!({ "data": [] }));
        let holding = "/api/v1/holdings/01900000-0000-7000-8000-000000000000";
        family.api.get(holding).expect_error(404, "not_found");
    }
}
