//! The demo, as whoever tries it sees it.

use crate::browser::{Browser, Screen, journey};
use crate::people::{PASSWORD, sign_in};
use crate::support::{Backend, Options, Server};

const EMAIL: &str = "demo@example.com";

fn looked_at(browser: &Browser, server: &Server) {
    let arguments = ["user", "password", EMAIL, "--password-stdin"];
    let set = server.run(&arguments, &format!("{PASSWORD}\n"));
    assert!(set.status.success(), "{set:?}");
    sign_in(browser, EMAIL);
    // Nothing is missing that the figures need.
    browser.wait_for_text("Brokerage");
    assert!(!browser.text("main").contains("isn't known"), "{}", browser.text("main"));
    browser.assert_fits();
    browser.press("Brokerage");
    browser.wait_for("svg");
    browser.assert_fits();
    // Of the statements of the savings account one is missing.
    browser.go("/accounts");
    browser.press("Savings");
    browser.press("Statements");
    browser.wait_for_text("Reconciled");
    browser.wait_for_text("No statement of");
    browser.wait_for_text("more than in the account");
    browser.assert_fits();
    // A file of the bank waits, with rows that are there already and new ones.
    browser.go("/imports");
    browser.wait_for_text("To be looked at");
    browser.assert_fits();
    browser.press("checking-latest.csv");
    browser.wait_for_text("Import 3 transactions");
    browser.wait_for_text("Everyday checking (USD)");
    browser.assert_fits();
    // Money that went from one account to another is proposed as a transfer, or found.
    browser.go("/transfers");
    browser.wait_for_text("Yes, a transfer");
    browser.assert_fits();
    browser.go("/transactions");
    browser.wait_for_text("Payment order 4711");
    browser.assert_fits();
    // Banks are connected: one account is synced, the others are left to be linked.
    browser.go("/connections");
    browser.wait_for_text("Simulated banks");
    browser.wait_for_text("1 synced, 3 need setup");
    browser.assert_fits();
    browser.press("Simulated banks");
    browser.wait_for_text("Prairie checking");
    browser.assert_fits();
}

fn on(screen: Screen) {
    let server = Server::start_with(Backend::Sqlite, Options::new().arg("--demo"));
    journey(&server, screen, "the_demo", |browser| looked_at(browser, &server));
}

#[test]
fn desktop() {
    on(Screen::Desktop);
}

#[test]
fn phone() {
    on(Screen::Phone);
}
