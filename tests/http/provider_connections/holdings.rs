//! Holdings that providers report: positions, costs and prices of the ledger, whatever happens in
//! between.

use jiff::ToSpan;
use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{Fault, Quirk};
use serde_json::{Value, json};

use super::banked::{account_of, changes, found, linked};
use super::managing::{PATH, connect_simplefin};
use super::syncing::{BACKENDS, failures, sync, synced};
use crate::support::{Banks, Family, Server};

const BROKERAGE: &str = "Brokerage";

/// The holdings of an account: ticker, quantity, cost and its source.
#[track_caller]
fn held(family: &Family, account: &str) -> Vec<[String; 4]> {
    let path = format!("/api/v1/holdings?account_id={account}");
    let body = family.api.get(&path).expect_status(200).json();
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let mut lines: Vec<_> = body["holdings"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            let (cost, source) = (&one["cost_basis_decimal"], &one["cost_basis_source"]);
            [&one["security"]["ticker"], &one["qty"], cost, source].map(text)
        })
        .collect();
    lines.sort();
    lines
}

#[track_caller]
fn holdings(family: &Family, account: &str) -> Vec<Value> {
    let path = format!("/api/v1/holdings?account_id={account}");
    let body = family.api.get(&path).expect_status(200).json();
    body["holdings"].as_array().expect("a list").clone()
}

/// Ticker and quantity of each holding.
#[track_caller]
fn quantities(family: &Family, account: &str) -> Vec<(String, String)> {
    let lines = held(family, account).into_iter();
    lines.map(|[ticker, quantity, ..]| (ticker, quantity)).collect()
}

/// The balance and the cash of an account, in cents.
#[track_caller]
fn worth(family: &Family, account: &str) -> (i64, i64) {
    let shown = family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200).json();
    let cents = |name: &str| shown[name].as_i64().unwrap_or_else(|| panic!("{name} in {shown}"));
    (cents("balance_cents"), cents("cash_balance_cents"))
}

fn counts(family: &Family, account: &str) -> Value {
    changes(family, account)["counts"]["holdings"].clone()
}

fn codes(family: &Family, account: &str) -> Vec<String> {
    let changes = changes(family, account);
    let warnings = changes["warnings"].as_array().expect("a list").iter();
    warnings.map(|one| one["code"].as_str().unwrap().to_owned()).collect()
}

fn pair(ticker: &str, quantity: &str) -> (String, String) {
    (ticker.to_owned(), quantity.to_owned())
}

#[test]
fn positions_costs_and_cash_are_those_of_the_bank() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let server = Server::start_with(backend, banks.options());
        let (family, id) = linked(&server);
        let account = account_of(&family, &id, BROKERAGE);
        let coins = pair("BTC", "0.012345678901234567");
        assert_eq!(quantities(&family, &account), [coins.clone(), pair("VTI", "40.5")]);
        let all = holdings(&family, &account);
        let fund = all
            .iter()
            .find(|one| one["security"]["ticker"] == "VTI")
            .unwrap_or_else(|| panic!("{all:?}"));
        assert_eq!(fund["cost_basis_source"], "provider", "{fund}");
        let bank = banks.world().balance(super::banked::at_bank(BROKERAGE));
        assert_eq!(worth(&family, &account), (bank, bank - 1_055_025 - 98_765));

        // The same day, and one without changes: nothing is written.
        let events = || family.api.get("/api/v1/syncs/latest").json()["data"]["changes"].clone();
        sync(&family, &id);
        let expected = json!({ "opened": 0, "changed": 0, "closed": 0, "known": 2, "priced": 0 });
        assert_eq!(counts(&family, &account), expected, "{}", events());

        banks.set_quirks(&[Quirk::BoughtHolding]);
        sync(&family, &id);
        assert_eq!(quantities(&family, &account), [coins.clone(), pair("VTI", "50.5")]);
        assert_eq!(worth(&family, &account), (bank, bank - 1_315_525 - 98_765), "cash went");
        banks.set_quirks(&[Quirk::BoughtHolding, Quirk::SoldHolding]);
        sync(&family, &id);
        assert_eq!(quantities(&family, &account), [pair("VTI", "50.5")]);
        assert_eq!(counts(&family, &account)["closed"], 1);
        server.run_json(&["check"], "");
    }
}

#[test]
fn prices_and_the_balance_follow_the_bank() {
    let banks = Banks::start();
    let today = banks.world().today;
    banks.set_quirks(&[Quirk::MovingPrices]);
    banks.set_today(today.saturating_sub(2.days()));
    let server = Server::start_with(BACKENDS[0], banks.options());
    let (family, id) = linked(&server);
    let account = account_of(&family, &id, BROKERAGE);
    for days in [1, 0] {
        banks.set_today(today.saturating_sub(days.days()));
        sync(&family, &id);
        let bank = banks.world().balance(super::banked::at_bank(BROKERAGE));
        assert_eq!(worth(&family, &account).0, bank, "{days}");
        assert_eq!(counts(&family, &account)["changed"], 0);
        assert_eq!(counts(&family, &account)["priced"], 1);
    }
    server.run_json(&["check"], "");
}

#[test]
fn what_cannot_be_read_or_did_not_come_changes_nothing() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let server = Server::start_with(backend, banks.options());
        let (family, id) = linked(&server);
        let account = account_of(&family, &id, BROKERAGE);
        let before = (held(&family, &account), worth(&family, &account));
        let state = || (held(&family, &account), worth(&family, &account));
        banks.set_quirks(&[Quirk::BrokenHoldings, Quirk::SoldHolding]);
        sync(&family, &id);
        assert_eq!(state(), before, "a row can't be read");
        assert_eq!(codes(&family, &account), ["holdings_incomplete"]);
        banks.set_quirks(&[Quirk::SoldHolding]);
        banks.add_fault(Fault::always(FaultKind::NotJson, "/1004/holdings"));
        let connection = sync(&family, &id);
        assert_eq!(state(), before, "it didn't come");
        let expected = [(BROKERAGE.to_owned(), "invalid_response".to_owned())];
        assert_eq!(failures(&family, &connection), expected);
        assert_eq!(connection["sync"]["status_summary"], "3 synced, 1 failed");
        banks.clear_faults();
        for (quirk, code) in [
            (Quirk::WrongSum, "holdings_total_differs"),
            (Quirk::ForeignHolding, "cost_currency_differs"),
        ] {
            banks.set_quirks(&[quirk]);
            sync(&family, &id);
            assert_eq!(codes(&family, &account), [code]);
        }
        let foreign = holdings(&family, &account);
        let sap =
            foreign.iter().find(|one| one["security"]["ticker"] == "SAP").expect("the foreign one");
        assert_eq!(sap["cost_basis_source"], json!(null), "{sap}");
        server.run_json(&["check"], "");
    }
}

#[test]
fn lots_cash_and_unit_costs_come_to_the_same() {
    let banks = Banks::start();
    let server = Server::start_with(BACKENDS[0], banks.options());
    let (family, id) = linked(&server);
    let account = account_of(&family, &id, BROKERAGE);
    let before = (quantities(&family, &account), worth(&family, &account));
    for quirk in [Quirk::Lots, Quirk::CashHolding, Quirk::UnitCosts, Quirk::NamelessHoldings] {
        banks.set_quirks(&[quirk]);
        sync(&family, &id);
        let after = (quantities(&family, &account), worth(&family, &account));
        assert_eq!(after, before, "{quirk:?}");
        assert_eq!(counts(&family, &account)["closed"], 0, "{quirk:?}");
    }
    server.run_json(&["check"], "");
}

#[test]
fn who_has_no_holdings_is_not_asked_again_at_once() {
    let banks = Banks::start();
    banks.add_fault(Fault::always(FaultKind::Status(501), "/1004/holdings"));
    let server = Server::start_with(BACKENDS[0], banks.options());
    let (family, id) = linked(&server);
    let connection = synced(&family, &id);
    assert_eq!(connection["sync"]["status_summary"], "4 accounts synced", "no failure");
    let accounts = found(&family, &id);
    for one in &accounts {
        assert_eq!(one["holdings_supported"], json!(one["name"] != BROKERAGE), "{one}");
    }
    banks.clear_faults();
    banks.take_requests();
    sync(&family, &id);
    let asked = banks.take_requests().iter().any(|path| path.contains("holdings"));
    assert!(!asked, "neither an account that can't have any, nor one that had none");
    let account = account_of(&family, &id, BROKERAGE);
    assert!(held(&family, &account).is_empty());
}

#[test]
fn a_preview_has_the_holdings_and_an_undo_takes_them_back() {
    for backend in BACKENDS {
        let banks = Banks::start();
        let server = Server::start_with(backend, banks.options());
        let (family, id) = linked(&server);
        let account = account_of(&family, &id, BROKERAGE);
        let state = || (held(&family, &account), worth(&family, &account));
        let first = state();
        banks.set_quirks(&[Quirk::BoughtHolding, Quirk::SoldHolding, Quirk::ForeignHolding]);
        let plan = family.api.get(&format!("{PATH}/{id}/plan")).expect_status(200).json();
        let plans = plan["data"].as_array().expect("a list");
        let planned = plans.iter().find(|one| one["account_id"] == account).expect("the account");
        let mut lines: Vec<_> = planned["holdings"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| (one["ticker"].clone(), one["reason"].clone(), one["qty"].clone()))
            .collect();
        lines.sort_by_key(|line| line.0.to_string());
        let expected =
            [("BTC", "closed", "0.0"), ("SAP", "opened", "2.0"), ("VTI", "changed", "50.5")];
        let expected = expected.map(|(a, b, c)| (json!(a), json!(b), json!(c)));
        assert_eq!(lines, expected);
        assert_eq!(state(), first, "nothing is written");

        sync(&family, &id);
        let second = state();
        assert_ne!(second, first);
        let run = |family: &Family| {
            let latest = family.api.get("/api/v1/syncs/latest").json();
            format!("/api/v1/syncs/{}/revert", latest["data"]["id"].as_str().unwrap())
        };
        let path = run(&family);
        let shown = family.api.get(&path).expect_status(200).json();
        let done = family.api.post(&path, &json!({})).expect_status(200).json();
        assert_eq!((&shown["status"], &done["status"]), (&Value::Null, &json!("reverted")));
        for number in ["removed_count", "restored_count", "kept_count"] {
            assert_eq!(shown[number], done[number], "{number}");
        }
        assert_eq!(state(), first);
        let securities = family.api.get("/api/v1/securities?ticker=SAP").expect_status(200).json();
        assert_eq!(securities["securities"], json!([]), "what the run made is gone");
        server.run_json(&["check"], "");
        sync(&family, &id);
        assert_eq!(state(), second);
        server.run_json(&["check"], "");
    }
}

#[test]
fn a_security_that_a_person_corrected_stays_so() {
    let banks = Banks::start();
    let server = Server::start_with(BACKENDS[0], banks.options());
    let (family, id) = linked(&server);
    let account = account_of(&family, &id, BROKERAGE);
    let body = json!({ "security": { "ticker": "VTSAX", "name": "The other class" } });
    let other = family.api.post("/api/v1/securities", &body).expect_status(201).json();
    let fund = holdings(&family, &account);
    let fund = fund.iter().find(|one| one["security"]["ticker"] == "VTI").expect("the fund");
    let path = format!("/api/v1/holdings/{}", fund["id"].as_str().unwrap());
    family.api.patch(&path, &json!({ "security_id": other["id"] })).expect_status(200);
    let tickers = |family: &Family| {
        let all = quantities(family, &account);
        all.into_iter().map(|(ticker, _)| ticker).collect::<Vec<_>>()
    };
    assert_eq!(tickers(&family), ["BTC", "VTSAX"]);
    sync(&family, &id);
    assert_eq!(tickers(&family), ["BTC", "VTSAX"]);
    banks.set_quirks(&[Quirk::BoughtHolding]);
    sync(&family, &id);
    assert!(quantities(&family, &account).contains(&pair("VTSAX", "50.5")));
    server.run_json(&["check"], "");
}

#[test]
fn both_providers_report_the_same_positions() {
    let banks = Banks::start();
    let server = Server::start_with(BACKENDS[0], banks.options());
    let (one, first) = linked(&server);
    let other = server.family();
    let second = connect_simplefin(&other, &banks);
    synced(&other, &second);
    // The bridge allows few requests: only one account is linked.
    let at_bridge = found(&other, &second);
    let brokerage = at_bridge.iter().find(|one| one["name"] == BROKERAGE).expect("it is listed");
    let link = format!("{PATH}/{second}/accounts/{}/link", brokerage["id"].as_str().unwrap());
    other.api.post(&link, &json!({})).expect_status(200);
    synced(&other, &second);
    let accounts = (account_of(&one, &first, BROKERAGE), account_of(&other, &second, BROKERAGE));
    assert_eq!(held(&one, &accounts.0), held(&other, &accounts.1));
    assert_eq!(worth(&one, &accounts.0), worth(&other, &accounts.1));
    server.run_json(&["check"], "");
}
