//! Lists of trades and what they are filtered by.

use serde_json::{Value, json};

use super::{PATH, broker, exchange, trade};
use crate::both;
use crate::ledger::texts;
use crate::support::Sql;

both! {
    fn trades_are_listed_and_filtered(server) {
        let family = server.family();
        let (one, other) = (broker(&family, "One", "0"), broker(&family, "Other", "0"));
        let api = &family.api;
        exchange(api, &one, "buy", "2026-01-02", "1", "1");
        exchange(api, &other, "buy", "2026-01-03", "2", "1");
        let sold = exchange(api, &one, "sell", "2026-01-03", "3", "1");
        let more = json!({ "qty": "4", "price": "1", "ticker": "VXUS" });
        let vxus = trade(api, &one, "buy", "2026-01-01", more)["security"]["id"].clone();
        let quantities = |query: &str| {
            let body = api.get(&format!("{PATH}?{query}")).expect_status(200).json();
            let shown = texts(&body["trades"], "qty");
            assert_eq!(body["pagination"]["total_count"], shown.len(), "{query}");
            shown
        };
        // Newest day first, and of a day what was added last.
        assert_eq!(quantities(""), ["-3.0", "2.0", "1.0", "4.0"]);
        assert_eq!(quantities(&format!("account_id={one}")), ["-3.0", "1.0", "4.0"]);
        let both = format!("account_ids[]={one}&account_ids[]={other}");
        assert_eq!(quantities(&both).len(), 4);
        assert_eq!(quantities("type=sell"), ["-3.0"]);
        assert_eq!(quantities(&format!("security_id={}", vxus.as_str().unwrap())), ["4.0"]);
        assert_eq!(quantities("start_date=2026-01-02&end_date=2026-01-02"), ["1.0"]);
        let unknown = "account_id=01900000-0000-7000-8000-000000000000";
        assert_eq!(quantities(unknown), Vec::<String>::new());
        for wrong in ["type=x", "account_id=x", "security_id=x", "start_date=x", "page=0"] {
            api.get(&format!("{PATH}?{wrong}")).expect_error(422, "validation_failed");
        }

        let sql = Sql::open(&server);
        sql.set_status(&one, "disabled");
        assert_eq!(quantities(""), ["2.0"]);
        let path = format!("{PATH}/{}", sold["id"].as_str().unwrap());
        api.get(&path).expect_error(404, "not_found");
    }

    fn transactions_and_trades_are_not_the_same(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "0");
        let made = exchange(&family.api, &account, "buy", "2026-01-02", "1", "1");
        family.import(&account, "date,amount,name\n2026-01-02,+5,Deposit\n");
        let transactions = family.api.get("/api/v1/transactions").expect_status(200).json();
        let all: &Value = &transactions["transactions"];
        assert_eq!(texts(all, "name"), ["Deposit"]);
        let id = made["id"].as_str().unwrap();
        family.api.get(&format!("/api/v1/transactions/{id}")).expect_error(404, "not_found");
        let id = all[0]["id"].as_str().unwrap();
        family.api.get(&format!("{PATH}/{id}")).expect_error(404, "not_found");
    }
}
