//! Transactions of hidden accounts are hidden, in lists, counts and alone.

use serde_json::json;

use crate::both;
use crate::ledger::{text, texts};
use crate::support::Sql;

const PATH: &str = "/api/v1/transactions";

both! {
    fn transactions_are_hidden_with_their_account(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        let (big, small) =
            (family.account("Big", "depository"), family.account("Small", "depository"));
        family.import(
            &big,
            "Date,Description,Amount,Tags\n2026-01-05,a,1,t\n2026-01-06,b,-1,\n2026-01-07,c,1,\n",
        );
        family.import(&small, "Date,Description,Amount\n2026-01-06,d,1\n");
        let page = family.api.get(PATH).json();
        let id = |name: &str| {
            let found =
                page["transactions"].as_array().unwrap().iter().find(|one| one["name"] == name);
            text(found.unwrap(), "id")
        };
        let tag = text(&page["transactions"].as_array().unwrap()[3]["tags"][0], "id");
        for (account, status, visible) in [
            (&big, "disabled", "d"),
            (&big, "pending_deletion", "d"),
            (&big, "draft", "c d b a"),
            (&small, "disabled", "c b a"),
            (&small, "active", "c d b a"),
        ] {
            sql.set_status(account, status);
            let names: Vec<&str> = visible.split(' ').collect();
            for query in ["", "search=", "min_amount=-5", "start_date=2026-01-01"] {
                let page = family.api.get(&format!("{PATH}?{query}")).expect_status(200).json();
                assert_eq!(texts(&page["transactions"], "name"), names, "{status} {query}");
                assert_eq!(page["pagination"]["total_count"], names.len(), "{status} {query}");
            }
            let by_tag = family.api.get(&format!("{PATH}?tag_ids[]={tag}")).json();
            assert_eq!(by_tag["pagination"]["total_count"], u64::from(names.contains(&"a")));
            for name in ["a", "b", "c", "d"] {
                let status = if names.contains(&name) { 200 } else { 404 };
                family.api.get(&format!("{PATH}/{}", id(name))).expect_status(status);
            }
            let asked =
                family.api.get(&format!("{PATH}?account_id={account}")).expect_status(200).json();
            let seen = matches!(status, "active" | "draft");
            assert_eq!(asked["pagination"]["total_count"] == 0, !seen, "{status}");
        }
        sql.set_status(&big, "disabled");
        sql.set_status(&small, "disabled");
        let none = family.api.get(PATH).expect_status(200).json();
        assert_eq!(none["transactions"], json!([]));
        assert_eq!(none["pagination"]["total_count"], 0);
    }
}
