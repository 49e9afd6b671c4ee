//! What stays of moved shares when the account that they came from is removed.

use serde_json::{Value, json};

use super::{PATH, broker, cost, rate, trade};
use crate::accounts::consistent;
use crate::both;
use crate::ledger::{text, unlimited};
use crate::support::Client;

/// Moves shares out of an account; gives the path of their arrival.
fn move_out(api: &Client, from: &str, to: &str, day: i8, qty: &str) -> String {
    let fields = json!({ "qty": qty, "to_account_id": to });
    let out = trade(api, from, "transfer_out", &format!("2026-01-{day:02}"), fields);
    format!("{PATH}/{}", text(&out["transfer"], "trade_id"))
}

fn remove(api: &Client, account: &str) {
    api.delete(&format!("/api/v1/accounts/{account}")).expect_status(200);
}

both! {
    fn what_arrived_keeps_what_it_had_cost(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        let accounts = ["One", "Two", "Three"].map(|name| broker(&family, name, "1000"));
        let [one, two, three] = accounts.each_ref().map(String::as_str);
        let lots = family.account_with(json!({
            "name": "Lots", "account_type": "investment", "cost_method": "fifo"
        }));
        trade(api, one, "buy", "2026-01-02", json!({ "qty": "3", "price": "33.335" }));
        // Through the account that goes: in from one, out to the others.
        move_out(api, one, two, 3, "3");
        let arrivals =
            [move_out(api, two, three, 4, "1"), move_out(api, two, &lots, 5, "1")];
        assert_eq!(cost(api, three), json!("33.335"));
        remove(api, two);
        for arrival in &arrivals {
            let arrived = api.get(arrival).expect_status(200).json();
            assert_eq!(arrived["transfer"], json!(null));
            assert_eq!(arrived["cost_decimal"], "33.335");
        }
        assert_eq!((cost(api, three), cost(api, &lots)), (json!("33.335"), json!("33.335")));
        consistent(&server);
        // What one had given away is gone from it all the same.
        let list = format!("/api/v1/holdings?account_id={one}");
        assert_eq!(api.get(&list).expect_status(200).json()["holdings"], json!([]));
        // From now on it is a cost that a person may correct.
        api.patch(&arrivals[0], &json!({ "cost": "30" })).expect_status(200);
        assert_eq!(cost(api, three), json!("30.00"));
        remove(api, one);
        assert_eq!(cost(api, &lots), json!("33.335"));
        consistent(&server);
    }

    fn gains_of_lots_stay_when_the_account_that_they_came_from_goes(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        let fifo = |name: &str| family.account_with(json!({
            "name": name, "account_type": "investment", "cost_method": "fifo"
        }));
        let (one, other) = (fifo("One"), fifo("Other"));
        trade(api, &one, "buy", "2026-01-02", json!({ "qty": "3", "price": "10.00003333" }));
        trade(api, &one, "buy", "2026-01-04", json!({ "qty": "3", "price": "40" }));
        let arrival = move_out(api, &one, &other, 5, "5");
        trade(api, &other, "buy", "2026-01-03", json!({ "qty": "1", "price": "70" }));
        trade(api, &other, "sell", "2026-01-06", json!({ "qty": "4", "price": "100" }));
        let gains = || {
            let report = api.get("/api/v1/reports/gains").expect_status(200).json();
            report["years"].clone()
        };
        let before = gains();
        assert_eq!(before[0]["gain"]["amount"], "299.9999", "{before}");
        remove(api, &one);
        assert_eq!(gains(), before);
        consistent(&server);
        // Notes are none of the lots' business, another quantity is.
        api.patch(&arrival, &json!({ "notes": "n" })).expect_status(200);
        assert_eq!(gains(), before);
        api.patch(&arrival, &json!({ "qty": "6" })).expect_status(200);
        assert_ne!(gains(), before);
        consistent(&server);
    }

    fn lots_keep_their_place_in_line(server = unlimited()) {
        let family = server.family();
        let api = &family.api;
        let account = |method: &str| family.account_with(json!({
            "name": method, "account_type": "investment", "cost_method": method
        }));
        let gain = || {
            let report = api.get("/api/v1/reports/gains").expect_status(200).json();
            report["years"][0]["gain"]["amount"].clone()
        };
        let bought = |account: &str, day: u8, prices: &[&str]| for price in prices {
            let terms = json!({ "qty": "1", "price": price });
            trade(api, account, "buy", &format!("2026-01-0{day}"), terms);
        };
        let sold = |account: &str, day: u8| {
            let terms = json!({ "qty": "1", "price": "100" });
            trade(api, account, "sell", &format!("2026-01-0{day}"), terms);
        };
        let stays = |account: &str, expected: &str| {
            assert_eq!(gain(), expected);
            remove(api, account);
            assert_eq!(gain(), expected, "without the other account");
            consistent(&server);
        };

        // Two purchases of one day, the newest first.
        let (one, other) = (account("lifo"), account("lifo"));
        bought(&one, 2, &["10", "20"]);
        move_out(api, &one, &other, 5, "2");
        sold(&other, 6);
        stays(&one, "80.00");
        remove(api, &other);

        // Purchases of one day in both accounts, the oldest first.
        let (one, other) = (account("fifo"), account("fifo"));
        bought(&one, 2, &["10"]);
        bought(&other, 2, &["20"]);
        move_out(api, &one, &other, 5, "1");
        sold(&other, 6);
        stays(&one, "90.00");
        remove(api, &other);

        // What left counts before the sales of the day, also when it is gone.
        let (one, other) = (account("fifo"), account("fifo"));
        bought(&one, 2, &["10"]);
        bought(&one, 3, &["20"]);
        move_out(api, &one, &other, 5, "1");
        sold(&one, 5);
        stays(&other, "80.00");
        remove(api, &one);

        // What came from it still comes among the moves of the day.
        let accounts = [account("fifo"), account("fifo"), account("fifo")];
        let [one, other, third] = accounts.each_ref().map(String::as_str);
        bought(one, 2, &["10", "10", "10", "10"]);
        bought(other, 3, &["20", "20"]);
        move_out(api, other, third, 5, "1");
        move_out(api, one, other, 5, "4");
        sold(third, 6);
        stays(one, "80.00");
    }

    fn what_is_not_known_stays_unknown(server) {
        let family = server.family();
        let api = &family.api;
        let (one, other) = (broker(&family, "One", "0"), broker(&family, "Other", "0"));
        trade(api, &one, "transfer_in", "2026-01-02", json!({ "qty": "5" }));
        let arrival = move_out(api, &one, &other, 3, "2");
        remove(api, &one);
        assert_eq!(api.get(&arrival).json()["cost"], json!(null));
        assert_eq!(cost(api, &other), json!(null));
        consistent(&server);
    }

    fn a_cost_from_another_currency_still_follows_its_rate(server) {
        let family = server.family();
        let api = &family.api;
        let one = broker(&family, "One", "1000");
        let other = family.account_with(json!({
            "name": "Euros", "account_type": "investment", "currency": "EUR"
        }));
        trade(api, &one, "buy", "2026-01-02", json!({ "qty": "4", "price": "50" }));
        rate(api, ("EUR", "USD"), "2026-01-01", "1.25");
        let arrival = move_out(api, &one, &other, 3, "2");
        remove(api, &one);
        let arrived: Value = api.get(&arrival).expect_status(200).json();
        assert_eq!(arrived["cost_decimal"], "100.00");
        assert_eq!(arrived["currency"], "USD");
        assert_eq!(cost(api, &other), json!("80.00"));
        rate(api, ("EUR", "USD"), "2026-01-03", "2");
        assert_eq!(cost(api, &other), json!("50.00"));
        consistent(&server);
    }
}
