//! A transaction is moved to another account, with everything that depends on it.

use serde_json::{Value, json};

use crate::both;
use crate::imports::undo::undo;
use crate::imports::{balance, publish, transactions};
use crate::support::{Client, Family, Server, Sql};

const PATH: &str = "/api/v1/transactions";

/// Two accounts with an opening balance of 100 each, of the family's currency and of this one.
fn accounts(family: &Family, currency: &str) -> [String; 2] {
    ["USD", currency].map(|currency| {
        family.account_with(json!({ "name": format!("In {currency}"), "currency": currency,
            "account_type": "depository", "opening_balance": "100" }))
    })
}

#[track_caller]
fn make(api: &Client, account: &str, fields: &Value) -> String {
    let mut body = json!({ "account_id": account, "date": "2026-01-05", "amount": "10",
        "name": "Tea" });
    body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    api.post(PATH, &body).expect_status(201).id()
}

#[track_caller]
fn move_to(api: &Client, id: &str, account: &str) -> Value {
    let moved = api.patch(&format!("{PATH}/{id}"), &json!({ "account_id": account }));
    moved.expect_status(200).json()
}

#[track_caller]
fn refusal(api: &Client, id: &str, account: &str) -> String {
    let refused = api.patch(&format!("{PATH}/{id}"), &json!({ "account_id": account }));
    let refused = refused.expect_error(422, "validation_failed");
    refused["message"].as_str().unwrap().to_owned()
}

fn balances(family: &Family, accounts: &[String; 2]) -> [String; 2] {
    accounts.each_ref().map(|account| balance(family, account))
}

fn listed(api: &Client, account: &str) -> u64 {
    let list = api.get(&format!("{PATH}?account_id={account}")).expect_status(200).json();
    list["pagination"]["total_count"].as_u64().unwrap()
}

/// The balance of an account at the end of a day.
fn end_of(api: &Client, account: &str, day: &str) -> Value {
    let query = format!("account_id={account}&start_date={day}&end_date={day}");
    let shown = api.get(&format!("/api/v1/balances?{query}")).expect_status(200).json();
    shown["balances"][0]["end_balance_decimal"].clone()
}

both! {
    fn balances_of_both_accounts_follow_from_its_day_on(server) {
        let family = server.family();
        let api = &family.api;
        let both = accounts(&family, "USD");
        let [from, to] = &both;
        for account in &both {
            make(api, account, &json!({ "date": "2026-01-01", "amount": "1" }));
            make(api, account, &json!({ "date": "2026-01-09", "amount": "1" }));
        }
        let id = make(api, from, &json!({}));
        let moved = move_to(api, &id, to);
        assert_eq!((&moved["id"], &moved["account"]["id"]), (&json!(id), &json!(to)));
        assert_eq!(moved["locked_attributes"], api.get(&format!("{PATH}/{id}")).json()["locked_attributes"]);
        assert_eq!(balances(&family, &both), ["98.00", "88.00"]);
        let days = ["2026-01-04", "2026-01-05", "2026-01-09"];
        assert_eq!(days.map(|day| end_of(api, from, day)), ["99.00", "99.00", "98.00"]);
        assert_eq!(days.map(|day| end_of(api, to, day)), ["99.00", "89.00", "88.00"]);
        assert_eq!([from, to].map(|account| listed(api, account)), [2, 3]);
        // Together with another day and amount, and back.
        let body = json!({ "account_id": from, "date": "2026-01-07", "amount": "20" });
        api.patch(&format!("{PATH}/{id}"), &body).expect_status(200);
        assert_eq!(balances(&family, &both), ["78.00", "98.00"]);
        assert_eq!([from, to].map(|account| listed(api, account)), [3, 2]);
        server.run_json(&["check"], "");
    }

    fn parts_move_along_and_not_alone(server) {
        let family = server.family();
        let api = &family.api;
        let rate = json!({ "base": "USD", "quote": "EUR", "date": "2026-01-01", "rate": "0.5" });
        api.post("/api/v1/exchange_rates", &rate).expect_status(201);
        let both = accounts(&family, "EUR");
        let id = make(api, &both[0], &json!({}));
        let parts = json!({ "parts": [{ "amount": "3.01" }, { "amount": "6.99" }] });
        let split = api.post(&format!("{PATH}/{id}/split"), &parts).expect_status(201).json();
        let part = split["parts"][0]["id"].as_str().unwrap();
        assert!(refusal(api, part, &both[1]).contains("move the transaction"));
        move_to(api, &id, &both[1]);
        assert_eq!(balances(&family, &both), ["100.00", "95.00"]);
        assert_eq!([&both[0], &both[1]].map(|account| listed(api, account)), [0, 2]);
        let shown = api.get(&format!("{PATH}/{part}")).expect_status(200).json();
        assert_eq!(shown["account"]["id"], both[1]);
        server.run_json(&["check"], "");
        move_to(api, &id, &both[0]);
        assert_eq!(balances(&family, &both), ["90.00", "100.00"]);
        assert_eq!([&both[0], &both[1]].map(|account| listed(api, account)), [2, 0]);
        server.run_json(&["check"], "");
    }

    fn an_amount_in_another_currency_needs_a_rate(server) {
        let family = server.family();
        let api = &family.api;
        let both = accounts(&family, "EUR");
        let id = make(api, &both[0], &json!({}));
        let refused = refusal(api, &id, &both[1]);
        assert_eq!(refused, "The exchange_rate is required: no rate from USD to EUR is known");
        assert_eq!(balances(&family, &both), ["90.00", "100.00"]);
        let body = json!({ "account_id": both[1], "exchange_rate": "0.8" });
        let moved = api.patch(&format!("{PATH}/{id}"), &body).expect_status(200).json();
        assert_eq!((&moved["currency"], &moved["amount_decimal"]), (&json!("USD"), &json!("10.00")));
        assert_eq!(moved["converted"]["amount_decimal"], "8.00");
        assert_eq!(balances(&family, &both), ["100.00", "92.00"]);
        // The rate is kept in another account of the same currency, and in no other.
        let euros = family.account_with(json!({ "name": "E", "currency": "EUR",
            "account_type": "credit_card" }));
        assert_eq!(move_to(api, &id, &euros)["converted"]["amount_decimal"], "8.00");
        assert_eq!(move_to(api, &id, &both[0])["converted"], Value::Null);
        assert_eq!(balances(&family, &both), ["90.00", "100.00"]);
        let rate = json!({ "base": "USD", "quote": "EUR", "date": "2026-01-01", "rate": "0.5" });
        api.post("/api/v1/exchange_rates", &rate).expect_status(201);
        assert_eq!(move_to(api, &id, &both[1])["converted"]["amount_decimal"], "5.00");
        assert_eq!(balances(&family, &both), ["100.00", "95.00"]);
        server.run_json(&["check"], "");
    }

    fn a_transfer_ends_only_if_both_sides_are_in_one_account(server) {
        let family = server.family();
        let api = &family.api;
        api.patch("/api/v1/family_settings", &json!({ "transfer_matching": "off" })).expect_status(200);
        let both = accounts(&family, "USD");
        let third = family.account("Third", "depository");
        let out = make(api, &both[0], &json!({}));
        let into = make(api, &both[1], &json!({ "amount": "-10" }));
        let pair = json!({ "outflow_transaction_id": out, "inflow_transaction_id": into });
        api.post("/api/v1/transfers", &pair).expect_status(201);
        let moved = move_to(api, &out, &third);
        assert_eq!(moved["transfer"]["other_account"]["id"], both[1]);
        assert_eq!(move_to(api, &out, &both[1])["transfer"], Value::Null);
        server.run_json(&["check"], "");
    }

    fn the_same_row_of_a_file_stands_for_the_moved_transaction(server) {
        let family = server.family();
        let api = &family.api;
        let both = accounts(&family, "USD");
        let csv = "date,amount,name\n2026-01-05,-10.00,Tea\n2026-01-06,-1.00,Bread\n";
        let into = |account: &String| json!({ "account_id": account });
        let first = publish(api, csv, &into(&both[0]));
        let all = api.get(PATH).json();
        let tea = all["transactions"].as_array().unwrap().iter().find(|one| one["name"] == "Tea");
        let tea = tea.unwrap()["id"].as_str().unwrap().to_owned();
        move_to(api, &tea, &both[1]);
        publish(api, csv, &into(&both[0]));
        assert_eq!(balances(&family, &both), ["99.00", "90.00"], "no row came twice");
        // An undo keeps what a person has moved, and its row doesn't come again.
        undo(api, &first);
        assert_eq!(balances(&family, &both), ["100.00", "90.00"]);
        publish(api, csv, &into(&both[0]));
        assert_eq!(balances(&family, &both), ["99.00", "90.00"]);
        // Deleted where it is now, it stays deleted where it came from.
        api.delete(&format!("{PATH}/{tea}")).expect_status(200);
        publish(api, csv, &into(&both[0]));
        assert_eq!(balances(&family, &both), ["99.00", "100.00"]);
        assert_eq!(transactions(&family).len(), 1);
        server.run_json(&["check"], "");
    }

    fn a_clients_own_id_is_found_in_the_account_that_it_came_into(server) {
        let family = server.family();
        let api = &family.api;
        let both = accounts(&family, "USD");
        let new = |account: &str| json!({ "account_id": account, "date": "2026-01-05",
            "amount": "10", "name": "Tea", "external_id": "a-1" });
        let id = api.post(PATH, &new(&both[0])).expect_status(201).id();
        move_to(api, &id, &both[1]);
        for account in &both {
            assert_eq!(api.post(PATH, &new(account)).expect_status(200).id(), id, "{account}");
        }
        // Two of one id can't be in one account.
        let third = family.account("Third", "depository");
        let other = api.post(PATH, &new(&third)).expect_status(201).id();
        assert!(refusal(api, &other, &both[1]).contains("external_id"));
        api.delete(&format!("{PATH}/{id}")).expect_status(200);
        api.post(PATH, &new(&both[0])).expect_error(409, "deleted_before");
        server.run_json(&["check"], "");
    }

    fn where_a_transaction_cannot_go(server) {
        let family = server.family();
        let api = &family.api;
        let both = accounts(&family, "USD");
        let id = make(api, &both[0], &json!({}));
        let before = api.get(&format!("{PATH}/{id}")).expect_status(200).json();
        let sql = Sql::open(&server);
        for (status, problem) in
            [("disabled", "make it active first"), ("pending_deletion", "account_id")]
        {
            sql.set_status(&both[1], status);
            assert!(refusal(api, &id, &both[1]).contains(problem), "{status}");
        }
        sql.set_status(&both[1], "active");
        let foreign = server.family().account("Foreign", "depository");
        let unknown = refusal(api, &id, &foreign);
        assert_eq!(unknown, refusal(api, &id, "x"));
        sql.run(&format!("UPDATE entries SET pending = {} WHERE id = {}", sql.flag(true), sql.uuid(&id)));
        assert!(refusal(api, &id, &both[1]).contains("pending"));
        sql.run(&format!("UPDATE entries SET pending = {} WHERE id = {}", sql.flag(false), sql.uuid(&id)));
        let client = restricted(&server, &family, &both[0]);
        assert_eq!(refusal(&client, &id, &both[1]), unknown);
        assert_eq!(api.get(&format!("{PATH}/{id}")).expect_status(200).json(), before);
        assert_eq!(balances(&family, &both), ["90.00", "100.00"]);
        let broker = family.account("Broker", "investment");
        let trade = json!({ "account_id": broker, "type": "buy", "date": "2026-01-05",
            "ticker": "AAA", "qty": "1", "price": "1" });
        let trade = api.post("/api/v1/trades", &trade).expect_status(201).id();
        let body = json!({ "account_id": both[0] });
        api.patch(&format!("{PATH}/{trade}"), &body).expect_error(404, "not_found");
    }

    fn for_a_key_of_one_account_what_left_it_is_deleted(server) {
        let family = server.family();
        let api = &family.api;
        let both = accounts(&family, "USD");
        let csv = "date,amount,name\n2026-01-05,-10.00,Tea\n";
        publish(api, csv, &json!({ "account_id": both[0] }));
        let id = api.get(PATH).json()["transactions"][0]["id"].as_str().unwrap().to_owned();
        move_to(api, &id, &both[1]);
        let secret = json!({ "name": "Secret name" });
        api.patch(&format!("{PATH}/{id}"), &secret).expect_status(200);
        let client = restricted(&server, &family, &both[0]);
        let body = json!({ "raw_file_content": csv, "account_id": both[0] });
        let import = client.post("/api/v1/imports", &body).expect_status(201).id();
        let rows = client.get(&format!("/api/v1/imports/{import}/rows")).expect_status(200);
        assert!(rows.text().contains("deleted_before"), "{}", rows.text());
        assert!(!rows.text().contains("Secret"), "{}", rows.text());
    }

    fn either_account_can_be_deleted_afterwards(server) {
        for deleted in [0, 1] {
            let family = server.family();
            let api = &family.api;
            let both = accounts(&family, "USD");
            let csv = "date,amount,name\n2026-01-05,-10.00,Tea\n2026-01-06,-1.00,Bread\n";
            publish(api, csv, &json!({ "account_id": both[0] }));
            for one in api.get(PATH).json()["transactions"].as_array().unwrap() {
                if one["name"] == "Tea" {
                    move_to(api, one["id"].as_str().unwrap(), &both[1]);
                }
            }
            api.delete(&format!("/api/v1/accounts/{}", both[deleted])).expect_status(200);
            assert_eq!(transactions(&family).len(), 1);
            server.run_json(&["check"], "");
        }
    }
}

fn restricted(server: &Server, family: &Family, account: &str) -> Client {
    let made = server.run_json(
        &[
            "key",
            "add",
            "--user",
            &family.email,
            "--name",
            "one account",
            "--scope",
            "read_write",
            "--account",
            account,
        ],
        "",
    );
    server.client().with_key(made["key"].as_str().unwrap())
}
