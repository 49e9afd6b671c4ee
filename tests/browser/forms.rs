//! Forms that are sent twice, too late, or beside somebody else's change.

use serde_json::json;

use crate::browser::Browser;
use crate::people::{PASSWORD, signed_in};
use crate::support::{Server, Sql};

/// Types a new account into its form.
fn type_account(browser: &Browser, name: &str) {
    browser.go("/accounts/new");
    browser.fill("#name", name);
    browser.fill("#opening_balance", "1.234,50");
}

/// The number of accounts with a name.
fn accounts(server: &Server, name: &str) -> usize {
    let counted = format!("SELECT COUNT(*) FROM accounts WHERE name = '{name}'");
    crate::support::sql::value(server, &counted).parse().expect("a number")
}

journeys! { Sqlite:
    fn a_double_click_makes_one_account(browser, server) {
        signed_in(browser, &server);
        type_account(browser, "Savings");
        browser.send_twice("form[action='/accounts']");
        browser.wait_for_text("$1,234.50");
        browser.assert_fits();
        assert_eq!(accounts(&server, "Savings"), 1);
    }

    fn a_double_click_makes_one_account_without_scripts(browser, server) {
        browser.without_scripts();
        signed_in(browser, &server);
        type_account(browser, "Savings");
        browser.send_twice("form[action='/accounts']");
        browser.wait_for_text("$1,234.50");
        assert_eq!(accounts(&server, "Savings"), 1);
    }

    fn what_was_typed_is_there_after_signing_in_again(browser, server) {
        let family = server.family();
        crate::people::sign_in(browser, &family.email);
        type_account(browser, "Savings");
        Sql::open(&server).run("UPDATE sessions SET expires_at = 1");
        browser.press("Create the account");
        browser.wait_for_path("/sign-in");
        browser.wait_for_text("so nothing was saved");
        browser.assert_fits();
        browser.fill("#email", &family.email);
        browser.fill("#password", PASSWORD);
        browser.press("Sign in");
        browser.wait_for_path("/accounts/new");
        browser.wait_for_text("This is what you had typed when you were signed out.");
        assert_eq!(browser.value("#name"), "Savings");
        assert_eq!(browser.value("#opening_balance"), "1.234,50");
        browser.assert_fits();
        browser.press("Create the account");
        browser.wait_for_text("The account is created.");
        browser.wait_for_text("$1,234.50");
    }

    fn what_was_typed_stays_beside_the_change_of_somebody_else(browser, server) {
        let family = server.family();
        let account = family.account("Everyday", "depository");
        family.import(&account, "Date,Amount,Name\n2024-01-15,-12.50,Bakery\n");
        crate::people::sign_in(browser, &family.email);
        browser.go("/transactions");
        browser.press("Bakery");
        browser.fill("#name", "Bread for the week");
        let listed = family.api.get("/api/v1/transactions").expect_status(200).json();
        let id = listed["transactions"][0]["id"].as_str().expect("an id").to_owned();
        let change = json!({ "transaction": { "name": "Bakery Blom" } });
        family.api.patch(&format!("/api/v1/transactions/{id}"), &change).expect_status(200);
        browser.press("Save");
        browser.wait_for_text("The name is \u{201c}Bakery Blom\u{201d} now");
        browser.expect_error("422");
        assert_eq!(browser.value("#name"), "Bread for the week");
        browser.assert_fits();
        browser.press("Save");
        browser.wait_for_text("The transaction is saved.");
        browser.wait_for_text("Bread for the week");
    }
}
