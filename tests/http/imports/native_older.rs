//! Files in the native format that another program wrote: what they leave out, what they round, and
//! what they contradict.

use serde_json::{Value, json};

use super::native::{exported, native, readback, state, without_ids};
use super::undo::undo;
use super::{all, both_whole, path, publish, text, upload};
use crate::support::{Client, Family, Sql};

/// What a line of the format has.
fn line(kind: &str, data: Value) -> String {
    format!("{}\n", json!({ "type": kind, "data": data }))
}

fn account(id: &str, kind: &str, more: Value) -> String {
    let mut data = json!({ "id": id, "name": id, "accountable_type": kind, "currency": "EUR" });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    line("Account", data)
}

fn spent(id: &str, account: &str, amount: &str, more: Value) -> String {
    let mut data = json!({
        "id": id, "account_id": account, "date": "2024-01-05", "amount": amount, "name": id,
    });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    line("Transaction", data)
}

fn trade(account: &str, amount: &str, more: Value) -> String {
    let mut data = json!({
        "account_id": account, "date": "2024-01-06", "amount": amount, "ticker": "VTI",
        "currency": "EUR",
    });
    data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    line("Trade", data)
}

fn balance_of(family: &Family, name: &str) -> String {
    let accounts = all(&family.api, "/api/v1/accounts", "accounts");
    let account = accounts.iter().find(|one| one["name"] == name).unwrap();
    text(&account["balance_decimal"]).to_owned()
}

/// The differences of a file that came in whole.
#[track_caller]
fn differences(api: &Client, import: &Value) -> Vec<String> {
    let read = readback(api, import);
    assert_eq!(read["status"], "matched", "{read}");
    let listed = read["differences"].as_array().cloned().unwrap_or_default();
    listed.iter().map(|one| text(one).to_owned()).collect()
}

/// The row of a line, as the import shows it.
fn row(api: &Client, import: &Value, line: u64) -> Value {
    let rows = all(api, &path(import, "/rows"), "data");
    rows.into_iter().find(|row| row["line"] == line).unwrap()
}

both_whole! {
    fn an_opening_follows_from_trades_rates_and_cash(server) {
        let family = server.family_in("EUR");
        let file = [
            account("Depot", "Investment", json!({ "balance": "1004.00", "cash_balance": "4.00" })),
            spent("deposit", "Depot", "-1000.00", json!({})),
            // The fee is within the amount, a broker has rounded, and income has a label.
            trade("Depot", "901", json!({ "qty": "10", "price": "90" })),
            trade("Depot", "100", json!({ "qty": "3", "price": "33.33", "ticker": "BND" })),
            trade("Depot", "-5", json!({
                "qty": "0", "price": "0", "investment_activity_label": "Dividend",
            })),
            // The shares gain 300: that is no money.
            line("Holding", json!({
                "account_id": "Depot", "date": "2024-01-08", "qty": "10", "price": "120",
                "amount": "1200", "ticker": "VTI", "currency": "EUR",
            })),
            account("Giro", "Depository", json!({ "balance": "100.00" })),
            spent("abroad", "Giro", "50.00", json!({ "currency": "USD" })),
            spent("stated", "Giro", "10.00", json!({ "currency": "USD", "exchange_rate": "0.5" })),
            line("ExchangeRate", json!({
                "from_currency": "USD", "to_currency": "EUR", "date": "2024-01-01", "rate": "0.9",
            })),
            account("Card", "CreditCard", json!({ "balance": "30.00" })),
            spent("shoes", "Card", "10.00", json!({})),
            account("Start", "Depository", json!({ "balance": "7.00" })),
            spent("early", "Start", "1.00", json!({})),
            line("Balance", json!({
                "account_id": "Start", "date": "2024-01-05", "balance": "8.00",
                "start_cash_balance": "9.00", "start_non_cash_balance": "0", "currency": "EUR",
            })),
            account("House", "Property", json!({ "balance": "200000" })),
            line("Valuation", json!({
                "account_id": "House", "date": "2024-01-05", "amount": "200000",
            })),
        ]
        .concat();
        let sql = Sql::open(&server);
        let before = state(&sql).without(&["family_exports"]);
        let import = publish(&family.api, &file, &native());
        // The balance of Start contradicts itself: 9.00 before and 1.00 out are 8.00.
        let named = differences(&family.api, &import);
        let fee = "Line 3: no fee is stated, and the amount has 1.00 beside the shares: taken as a fee";
        assert_eq!(named, ["Start: the balance is 8.00 and not 7.00", fee]);
        for (name, expected) in [("Giro", "100.00"), ("Card", "30.00"), ("Start", "8.00")] {
            assert_eq!(balance_of(&family, name), expected, "{name}");
        }
        let text = exported(&family.api);
        let opening = |name: &str| {
            let account = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            let mut account = account.filter(|one| one["type"] == "Account");
            let account = account.find(|one| one["data"]["name"] == name).unwrap();
            account["data"]["opening_balance"].clone()
        };
        for (name, expected) in
            [("Depot", "0.00"), ("Giro", "150.00"), ("Card", "20.00"), ("House", "200000.00")]
        {
            assert_eq!(opening(name), expected, "{name}");
        }
        assert!(text.contains("\"trade_type\":\"dividend\""), "{text}");
        assert!(text.contains("\"fee\":\"1.00\""), "{text}");
        let again = publish(&family.api, &file, &native());
        assert_eq!(again["plan"]["created_count"], 0, "{again}");
        undo(&family.api, &again);
        undo(&family.api, &import);
        state(&sql).without(&["family_exports"]).assert_is(&before, "the undo");
    }

    fn what_does_not_follow_is_named(server) {
        let family = server.family_in("EUR");
        let file = [
            account("Giro", "Depository", json!({ "balance": "5.00", "opening_balance": "0" })),
            spent("food", "Giro", "-3.00", json!({ "merchant_id": "gone" })),
            line("Balance", json!({
                "account_id": "Giro", "date": "2024-01-05", "balance": "4.00", "currency": "EUR",
            })),
            line("Balance", json!({
                "account_id": "Giro", "date": "2024-01-06", "balance": "4.00", "currency": "USD",
            })),
            account("Depot", "Investment", json!({ "balance": "90" })),
            trade("Depot", "90", json!({ "qty": "1", "price": "90" })),
        ]
        .concat();
        let import = publish(&family.api, &file, &native());
        assert_eq!(
            differences(&family.api, &import),
            [
                "Giro: the balance is 3.00 and not 5.00",
                "Depot: the cash before its first entry is not known, so it begins with 0",
                "Labels are missing: records point 1 times to a category, tag or merchant that \
                 isn't taken, or of which the file has no record",
                "Line 3: the balance of 2024-01-05 is 3.00 and not 4.00",
                "Line 4: the balance of 2024-01-06 is in USD, which is not the currency of its \
                 account",
            ]
        );
    }

    fn what_is_stated_of_shares_and_does_not_follow_is_named(server) {
        let family = server.family_in("EUR");
        let file = [
            account("Depot", "Investment", json!({ "balance": "0", "opening_balance": "0" })),
            trade("Depot", "20", json!({
                "qty": "2", "price": "10", "investment_activity_label": "Transfer",
            })),
            line("Holding", json!({
                "account_id": "Depot", "date": "2024-01-06", "qty": "2", "price": "10",
                "amount": "200", "ticker": "VTI", "currency": "EUR",
            })),
        ]
        .concat();
        let import = publish(&family.api, &file, &native());
        assert_eq!(
            differences(&family.api, &import),
            [
                "Line 2: a transfer of shares for which money moved: taken as a trade of type buy",
                "Line 3: the position is stated to be worth 200.00, which 2 × 10 is not",
            ]
        );
    }

    fn merchants_of_a_provider_are_made_of_their_names(server) {
        let family = server.family_in("EUR");
        let file = [
            account("Giro", "Depository", json!({ "balance": "0", "opening_balance": "0" })),
            line("Merchant", json!({ "id": "m", "name": "Corner Shop" })),
            line("Tag", json!({ "id": "g", "name": "Trip" })),
            spent("named", "Giro", "1.00", json!({ "merchant_id": "p", "merchant_name": "Café" })),
            spent("nameless", "Giro", "-1.00", json!({ "merchant_id": "q" })),
            spent("split", "Giro", "0.00", json!({ "merchant_id": "m", "splits": [
                { "amount": "5.00", "tag_ids": ["g"] },
                { "amount": "-5.00", "merchant_id": null },
            ] })),
        ]
        .concat();
        let import = publish(&family.api, &file, &native());
        assert_eq!(differences(&family.api, &import).len(), 1);
        let listed = all(&family.api, "/api/v1/transactions", "transactions");
        let merchants: Vec<(&str, &Value)> = listed
            .iter()
            .map(|one| (text(&one["amount_decimal"]), &one["merchant"]["name"]))
            .collect();
        for (amount, merchant) in [
            ("1.00", json!("Café")),
            ("-1.00", Value::Null),
            ("5.00", json!("Corner Shop")),
            ("-5.00", Value::Null),
        ] {
            assert!(merchants.contains(&(amount, &merchant)), "{amount}: {merchants:?}");
        }
        let (first, second) = (exported(&family.api), server.family_in("EUR"));
        publish(&second.api, &first, &native());
        let again = exported(&second.api);
        assert_eq!(without_ids(&again), without_ids(&first));
    }

    fn one_of_several_accounts_of_a_name_is_chosen(server) {
        let family = server.family_in("EUR");
        for _ in 0..2 {
            family.account("Cash", "depository");
        }
        let file = [
            account("Cash", "Depository", json!({ "balance": "0", "opening_balance": "0" })),
            spent("food", "Cash", "3.00", json!({})),
        ]
        .concat();
        for count in [3, 4] {
            let import = upload(&family.api, &file, &native());
            assert_eq!(import["status_detail"]["publishable"], false, "{import}");
            let refused = family.api.post(&path(&import, "/publish"), &json!({}));
            refused.expect_status(422);
            let open = row(&family.api, &import, 1);
            assert_eq!(open["verdict"], "needs_choice", "{open}");
            assert!(text(&open["reason"]).contains("more accounts of this name"), "{open}");
            let create = json!({ "choice": "create" });
            family.api.patch(&path(&import, "/rows/1"), &create).expect_status(200);
            family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
            let done = family.api.wait_for_import(text(&import["id"]));
            assert_eq!(done["status"], "complete", "{done}");
            assert_eq!(all(&family.api, "/api/v1/accounts", "accounts").len(), count);
        }
    }

    fn what_points_to_a_row_that_is_not_taken_does_not_come(server) {
        let family = server.family_in("EUR");
        let file = [
            account("Bad", "Nonsense", json!({ "balance": "0" })),
            account("Good", "Depository", json!({ "balance": "0", "opening_balance": "0" })),
            line("Category", json!({ "id": "c", "name": "Food" })),
            line("Category", json!({ "id": "d", "name": "Bread", "parent_id": "c" })),
            spent("lost", "Bad", "-3.00", json!({})),
            spent("kept", "Good", "3.00", json!({ "category_id": "d" })),
            line("Transfer", json!({
                "outflow_transaction_id": "kept", "inflow_transaction_id": "lost",
                "status": "confirmed",
            })),
        ]
        .concat();
        let fields = json!({ "type": "NativeImport", "skip_invalid": "true" });
        let import = upload(&family.api, &file, &fields);
        family.api.patch(&path(&import, "/rows/3"), &json!({ "choice": "leave_out" }))
            .expect_status(200);
        for (line, verdict, reason) in [
            (4, "invalid", "which no Category of the file has"),
            (5, "invalid", "what it points to can't be imported: account_id \"Bad\""),
            (7, "invalid", "one of its transactions can't be imported"),
        ] {
            let open = row(&family.api, &import, line);
            assert_eq!(open["verdict"], verdict, "{open}");
            assert!(text(&open["reason"]).contains(reason), "{open}");
        }
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        let done = family.api.wait_for_import(text(&import["id"]));
        assert_eq!(done["status"], "complete", "{done}");
        let listed = all(&family.api, "/api/v1/transactions", "transactions");
        assert_eq!(listed.len(), 1, "{listed:?}");
        assert_eq!(listed[0]["category"], Value::Null, "{listed:?}");
        let read = readback(&family.api, &import);
        assert_eq!(read["status"], "mismatch", "{read}");
        assert!(read["differences"].to_string().contains("Labels are missing"), "{read}");
    }

    fn a_security_without_a_record_is_one_whatever_names_its_market(server) {
        let family = server.family_in("EUR");
        let of = |more: Value| {
            let mut data = json!({ "security_id": 7, "ticker": "vti" });
            data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            data
        };
        let file = [
            account("Depot", "Investment", json!({ "balance": "0", "opening_balance": "0" })),
            trade("Depot", "20", of(json!({ "qty": "2", "price": "10" }))),
            line("Holding", of(json!({
                "account_id": "Depot", "date": "2024-01-06", "qty": "2", "price": "10",
                "amount": "20", "currency": "EUR", "exchange_mic": "XNAS", "cost_basis": "9.33333",
                "cost_basis_source": "manual", "cost_basis_locked": true,
            }))),
        ]
        .concat();
        publish(&family.api, &file, &native());
        let file = exported(&family.api);
        let of_type = |kind: &str| -> Vec<Value> {
            let lines = file.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
            lines.filter(|one| one["type"] == kind).collect()
        };
        let costs = of_type("HoldingCost");
        assert_eq!(costs.len(), 1, "{costs:?}");
        assert_eq!(costs[0]["data"]["locked"], true, "{costs:?}");
        assert_eq!(costs[0]["data"]["cost_total"], "93.3333", "{costs:?}");
        let securities = of_type("Security");
        assert_eq!(securities.len(), 1, "{securities:?}");
        assert_eq!(securities[0]["data"]["exchange_operating_mic"], "XNAS");
    }
}
