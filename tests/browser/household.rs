//! Accounts, transactions and keys: what people do by hand.

use crate::browser::Browser;
use crate::people::signed_in;
use crate::support::Server;

fn key_that_is_shown(browser: &Browser, name: &str, scope: &str) -> String {
    browser.fill("#name", name);
    browser.choose("#scope", scope);
    browser.press("Make the key");
    browser.wait_for("#new-key");
    browser.value("#new-key")
}

fn accounts(server: &Server, key: &str) -> u16 {
    server.client().with_key(key).get("/api/v1/accounts").status
}

journeys! { Sqlite:
    fn a_key_is_made_used_and_revoked(browser, server) {
        signed_in(browser, &server);
        browser.press("Settings");
        browser.press("API keys");
        browser.wait_for_text("Make a key");
        browser.assert_fits();
        let key = key_that_is_shown(browser, "Backup", "read");
        browser.assert_fits();
        // All of it can be seen.
        let [whole, seen] =
            ["scrollWidth", "clientWidth"].map(|of| browser.number("#new-key", of));
        assert!(whole > 0 && whole <= seen, "{whole} of {seen}");
        assert_eq!(accounts(&server, &key), 200);
        // It is shown once.
        browser.go("/settings/keys");
        browser.wait_for_text("Backup");
        assert!(!browser.text("body").contains(&key));
        browser.click("[aria-label='Revoke Backup']");
        browser.accept_question("Revoke this key?");
        browser.wait_for_text("it no longer works");
        assert_eq!(accounts(&server, &key), 401);
    }

    fn ticking_an_account_chooses_only_these(browser, server) {
        let account = signed_in(browser, &server);
        browser.go("/settings/keys");
        browser.click(&format!("input[value='{account}']"));
        let key = key_that_is_shown(browser, "Phone", "read");
        browser.wait_for_text("Chosen accounts");
        assert_eq!(accounts(&server, &key), 200);
    }

    fn long_names_and_large_amounts_fit(browser, server) {
        signed_in(browser, &server);
        browser.go("/settings/profile");
        browser.wait_for_text("Change the password");
        browser.assert_fits();
        browser.assert_no_advice();
        browser.fill("#name", "Maximiliane Wilhelmine von der Osten-Sacken");
        browser.press("Save");
        browser.wait_for_text("Your name is saved.");
        // It is cut with dots, and doesn't push anything to a line of its own.
        let of = |css, property| browser.number(css, property);
        assert!(of(".who > span", "scrollWidth") > of(".who > span", "clientWidth"));
        let (brand, leave) = (of(".brand", "offsetTop"), of(".leave", "offsetTop"));
        assert!(brand.abs_diff(leave) < of(".brand", "offsetHeight"), "{brand} and {leave}");
        browser.go("/accounts/new");
        browser.fill("#name", "Vault");
        browser.fill("#opening_balance", "123456789012.34");
        browser.press("Create the account");
        browser.wait_for_text("$123,456,789,012.34");
        browser.assert_fits();
        browser.go("/accounts");
        browser.wait_for_text("$123,456,789,012.34");
        browser.assert_fits();
        browser.go("/nothing");
        browser.wait_for_text("Back to accounts");
        browser.assert_fits();
        browser.expect_error("404");
    }

    fn an_account_is_added(browser, server) {
        signed_in(browser, &server);
        browser.press("Add an account");
        browser.wait_for_path("/accounts/new");
        browser.assert_fits();
        browser.fill("#name", "Savings");
        browser.fill("#opening_balance", "1234.50");
        browser.press("Create the account");
        browser.wait_for_text("The account is created.");
        browser.wait_for_text("$1,234.50");
        browser.assert_fits();
        browser.go("/accounts");
        browser.wait_for_text("Savings");
        browser.assert_fits();
    }

    fn an_account_is_changed_closed_opened_and_deleted(browser, server) {
        let account = signed_in(browser, &server);
        browser.go(&format!("/accounts/{account}"));
        browser.press("Change");
        browser.wait_for("#balance");
        browser.assert_fits();
        browser.fill("#name", "Household");
        browser.press("Save");
        browser.wait_for_text("The account is saved.");
        browser.press("Change");
        // What is typed could be either of two amounts, so neither is taken.
        browser.fill("#balance", "1.300");
        browser.press("Set the balance");
        browser.wait_for_text("The balance could be 1.30 or 1300.00");
        browser.expect_error("422");
        browser.assert_fits();
        browser.fill("#balance", "1.300,75");
        browser.press("Set the balance");
        browser.wait_for_text("The balance is set.");
        browser.wait_for_text("$1,300.75");
        browser.press("Change");
        browser.choose("#status", "disabled");
        browser.press("Save");
        browser.wait_for_text("The account is saved.");
        browser.go("/accounts");
        browser.wait_for("#closed");
        browser.assert_fits();
        browser.press("Household");
        browser.press("Change");
        browser.choose("#status", "active");
        browser.press("Save");
        browser.wait_for_text("The account is saved.");
        browser.press("Change");
        browser.press("Delete this account");
        browser.accept_question("Delete Household with everything in it? There is no way back.");
        browser.wait_for_text("The account is deleted");
        assert!(!browser.text("main").contains("Household"));
    }

    fn a_transaction_is_edited_and_deleted(browser, server) {
        let account = signed_in(browser, &server);
        browser.go("/imports/new");
        browser.choose("#account_id", &account);
        browser.give_file("#file", "one.csv", "Date,Amount,Name\n2024-01-15,-12.50,Bakery\n");
        browser.press("Import 1 transaction");
        browser.press("See the transactions");
        browser.press("Bakery");
        browser.wait_for("#name");
        browser.assert_fits();
        browser.fill("#name", "Bread for the week");
        browser.fill("#amount", "13.75");
        browser.press("Save");
        browser.wait_for_text("The transaction is saved.");
        browser.wait_for_text("\u{2212}$13.75");
        browser.press("Bread for the week");
        browser.press("Delete this transaction");
        browser.accept_question("Delete this transaction?");
        browser.wait_for_text("The transaction is deleted.");
        assert!(!browser.text("main").contains("Bread for the week"));
    }
}
