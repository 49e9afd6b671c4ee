//! The list of accounts: by name, without hidden ones unless they are asked for.

use serde_json::json;

use crate::both;
use crate::ledger::{text, texts};
use crate::support::Sql;

const PATH: &str = "/api/v1/accounts";
const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";

both! {
    fn accounts_are_listed_by_name_whatever_its_case(server) {
        let family = server.family();
        for name in
            ["savings", "Zürich", "Äpfel", "account 10", "Account 2", "Savings", "BANK", "äpfel"]
        {
            family.account(name, "depository");
        }
        let page = family.api.get(PATH).expect_status(200).json();
        assert_eq!(
            texts(&page["accounts"], "name"),
            // By code point; of equal names the older account comes first.
            ["account 10", "Account 2", "BANK", "savings", "Savings", "Zürich", "Äpfel", "äpfel"]
        );
        let mut walked = Vec::new();
        for number in 1..=4 {
            let page = family.api.get(&format!("{PATH}?per_page=3&page={number}")).json();
            let pagination =
                json!({ "page": number, "per_page": 3, "total_count": 8, "total_pages": 3 });
            assert_eq!(page["pagination"], pagination);
            walked.extend(texts(&page["accounts"], "id"));
        }
        assert_eq!(walked, texts(&page["accounts"], "id"));
    }

    fn hidden_accounts_are_listed_on_request(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        for status in ["active", "draft", "disabled", "pending_deletion"] {
            let id = family.account(status, "depository");
            sql.set_status(&id, status);
            let shown = family.api.get(&format!("{PATH}/{id}")).expect_status(200).json();
            assert_eq!(text(&shown, "status"), status);
        }
        for (query, statuses) in [
            ("", &["active", "draft"][..]),
            ("include_disabled=false", &["active", "draft"]),
            ("include_disabled=0", &["active", "draft"]),
            ("include_disabled=", &["active", "draft"]),
            ("include_disabled=true", &["active", "disabled", "draft", "pending_deletion"]),
            ("include_disabled=1", &["active", "disabled", "draft", "pending_deletion"]),
        ] {
            let page = family.api.get(&format!("{PATH}?{query}")).expect_status(200).json();
            assert_eq!(texts(&page["accounts"], "status"), statuses, "{query}");
            assert_eq!(page["pagination"]["total_count"], statuses.len(), "{query}");
        }
        for query in [
            "include_disabled=yes",
            "include_disabled=true&include_disabled=true",
            "per_page=0",
            "include_disabled[]=true",
            "page=x",
        ] {
            family.api.get(&format!("{PATH}?{query}")).expect_error(422, "validation_failed");
        }
    }

    fn one_account_is_shown_to_its_family_only(server) {
        let family = server.family();
        let mine = family.account("Mine", "depository");
        let theirs = server.family().account("Theirs", "depository");
        for id in [UNKNOWN, "5", theirs.as_str(), &mine[1..], &mine.replace('-', "")] {
            let refused = family.api.get(&format!("{PATH}/{id}")).expect_error(404, "not_found");
            assert_eq!(
                refused,
                json!({ "error": "not_found", "message": "Account not found" }),
                "{id}"
            );
        }
        let page = family.api.get(&format!("{PATH}?include_disabled=true")).json();
        assert_eq!(texts(&page["accounts"], "id"), [mine.as_str()]);
        family.api.get(&format!("{PATH}/{}", mine.to_uppercase())).expect_status(200);
    }
}
