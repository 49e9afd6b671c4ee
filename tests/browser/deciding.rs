//! What people decide about syncs: an undo, and pairs of transactions that may be one.

use jiff::ToSpan;
use purser_bank_simulator::API_KEY;
use purser_bank_simulator::world::ACCOUNTS;
use serde_json::{Value, json};

use crate::browser::{Browser, Screen, journey};
use crate::connections::{connect, with_banks};
use crate::people::{sign_in, signed_in};
use crate::support::{Backend, Banks, Family, Server, until};

const PATH: &str = "/api/v1/provider_connections";

/// A family with a transaction of a file and one of the bank that may be the same.
fn family_with_a_pair(server: &Server, banks: &Banks) -> Family {
    let world = banks.world();
    let family = server.family();
    let account = family
        .account_with(json!({ "name": "Giro", "account_type": "depository", "currency": "EUR" }));
    let rows = world.rows(&ACCOUNTS[0], false);
    let first = world.today.saturating_sub(80.days());
    let last = world.today.saturating_sub(10.days());
    let is_single = |amount: i64| rows.iter().filter(|one| one.amount == amount).count() == 1;
    let row = rows
        .iter()
        .find(|row| first < row.date && row.date < last && row.amount < 0 && is_single(row.amount))
        .expect("a row that is unmistakable");
    let (day, cents) = (row.date.saturating_add(2.days()), -row.amount);
    let csv =
        format!("date,amount,name\n{day},-{}.{:02},{}\n", cents / 100, cents % 100, row.payee);
    family.import(&account, &csv);
    let body = json!({ "provider": "lunchflow", "key": API_KEY, "name": "Ours" });
    let id = family.api.post(PATH, &body).expect_status(201).id();
    run_ended(&family, &id);
    let found = family.api.get(&format!("{PATH}/{id}/accounts")).expect_status(200).json();
    let found = found["data"].as_array().expect("a list").clone();
    let current = found.iter().find(|one| one["name"] == "Current account").expect("it is listed");
    let link = format!("{PATH}/{id}/accounts/{}/link", current["id"].as_str().expect("an id"));
    family.api.post(&link, &json!({ "account_id": account })).expect_status(200);
    run_ended(&family, &id);
    family
}

fn run_ended(family: &Family, id: &str) {
    until("the run to end", || {
        let one: Value = family.api.get(&format!("{PATH}/{id}")).expect_status(200).json();
        let is_over = one["sync"]["latest"].is_object() && one["sync"]["syncing"] == json!(false);
        is_over.then_some(())
    });
}

/// From the list of pairs to an answer.
fn decide(browser: &Browser, server: &Server, banks: &Banks, answer: &str, done: &str) {
    let family = family_with_a_pair(server, banks);
    sign_in(browser, &family.email);
    browser.press("Banks");
    browser.wait_for_text("1 pair of transactions may be one.");
    browser.assert_fits();
    browser.press("Look at it");
    browser.wait_for_text("Are these one transaction?");
    browser.wait_for_text("Both have the same amount");
    assert_eq!(browser.texts(".pairing .money").len(), 2, "side by side");
    browser.assert_fits();
    browser.press(answer);
    browser.wait_for_text(done);
    browser.wait_for_text("Nothing to look at");
    browser.assert_fits();
    browser.go("/connections");
    browser.wait_for_text("Ours");
    assert!(!browser.text("main").contains("may be one"));
}

with_banks! {
    fn a_sync_is_undone(browser, server, banks) {
        signed_in(browser, &server);
        connect(browser, "Ours");
        browser.go("/connections");
        browser.wait_for_text("Synced ");
        browser.press("Ours");
        browser.press("Link accounts");
        browser.press("Save");
        browser.wait_for_text("Your choice is saved.");
        browser.wait_for_text("Sync now");
        browser.wait_for_text("Working");
        browser.assert_fits();
        let names = browser.texts("[aria-labelledby=accounts] .row strong");
        let at = names.iter().position(|name| name == "Brokerage").expect("it is linked") + 1;
        browser.click(&format!("[aria-labelledby=accounts] li:nth-of-type({at}) .row"));
        browser.wait_for_text("Total market fund");
        browser.wait_for_text("What the holdings leave of the balance");
        browser.assert_fits();
        browser.back();
        browser.wait_for_text("Working");
        browser.click("[aria-labelledby=runs] .row");
        browser.wait_for_text("new transactions");
        browser.wait_for_text("positions were opened");
        browser.assert_fits();
        browser.press("Undo…");
        browser.wait_for_text("What it does");
        browser.wait_for_text("transactions go.");
        browser.assert_fits();
        browser.press("Undo the sync");
        browser.wait_for_text("The sync is undone.");
        browser.wait_for_text("Undone ");
        assert!(!browser.text("main").contains("Undo…"), "there is nothing left to undo");
        browser.assert_fits();
    }

    fn a_pair_is_merged(browser, server, banks) {
        decide(browser, &server, &banks, "Merge", "The two are one transaction now.");
    }

    fn a_pair_is_kept_without_scripts(browser, server, banks) {
        browser.without_scripts();
        decide(browser, &server, &banks, "Keep both", "Both stay.");
    }
}
