//! Bank connections: what a new user does, and what goes wrong, with banks that misbehave.

use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{API_KEY, Fault, Quirk};

use crate::browser::{Browser, Screen, journey};
use crate::people::signed_in;
use crate::support::{Backend, Banks, Server};

/// Defines journeys with banks of their own, on both screens.
macro_rules! with_banks {
    ($(fn $name:ident($browser:ident, $server:ident, $banks:ident) $body:block)*) => {$(
        mod $name {
            use super::*;

            #[allow(unused_variables, reason = "not every journey asks the server itself")]
            fn on(screen: Screen) {
                let $banks = Banks::start();
                let $server = Server::start_with(Backend::Sqlite, $banks.options());
                journey(&$server, screen, stringify!($name), |$browser| $body);
            }

            #[test]
            fn desktop() {
                on(Screen::Desktop);
            }

            #[test]
            fn phone() {
                on(Screen::Phone);
            }
        }
    )*};
}

pub(crate) use with_banks;

/// From the list to the screen on which accounts are linked.
pub(crate) fn connect(browser: &Browser, name: &str) {
    browser.go("/connections/new");
    browser.fill("#provider_secret", API_KEY);
    browser.fill("#name", name);
    browser.press("Connect");
    browser.wait_for_text("What becomes of these accounts?");
}

/// Whether a field of the row with a title is shown; its selector.
fn field(browser: &Browser, title: &str, name: &str) -> String {
    let row = browser
        .texts(".linking legend strong")
        .iter()
        .position(|shown| shown == title)
        .unwrap_or_else(|| panic!("no {title}"));
    // The hidden token is the first child of the form.
    format!(".linking:nth-of-type({}) [name^={name}_]", row + 1)
}

/// Opens the connection. The list shows itself anew while it is synced, so the run has to end.
fn open_ours(browser: &Browser) {
    browser.go("/connections");
    browser.wait_for_text("Synced ");
    browser.press("Ours");
    synced(browser);
}

fn synced(browser: &Browser) {
    browser.wait_for_text("Sync now");
    browser.wait_for_text("Synced ");
}

with_banks! {
    fn banks_are_connected_and_synced(browser, server, banks) {
        signed_in(browser, &server);
        browser.press("Banks");
        browser.wait_for_text("Connect your banks");
        browser.assert_fits();
        browser.press("Add a connection");
        browser.wait_for("#provider_secret");
        browser.assert_fits();
        browser.fill("#provider_secret", "not-the-key");
        browser.fill("#name", "Ours");
        browser.press("Connect");
        browser.wait_for_text("The provider rejected the credentials.");
        browser.expect_error("422");
        assert_eq!(browser.value("#name"), "Ours", "what was typed stays");
        assert_eq!(browser.value("#provider_secret"), "", "but for the key");
        assert_eq!(browser.text("#provider_secret-problem"), "The provider rejected the credentials.");
        browser.assert_fits();
        browser.fill("#provider_secret", API_KEY);
        browser.press("Connect");
        browser.wait_for_text("What becomes of these accounts?");
        browser.assert_fits();
        // The first run has found the currencies by then.
        browser.go("/connections");
        browser.wait_for_text("Accounts to link");
        browser.wait_for_text("Synced ");
        browser.assert_fits();
        browser.press("Ours");
        browser.wait_for_text("Choose what becomes of the accounts");
        browser.assert_fits();
        banks.add_fault(Fault::always(FaultKind::Slow, "balance"));
        browser.press("Link accounts");
        browser.wait_for_text("What becomes of these accounts?");
        browser.choose(&field(browser, "Brokerage", "what"), "ignore");
        browser.assert_fits();
        browser.press("Save");
        browser.wait_for_text("Your choice is saved.");
        browser.wait_for_text("of 3 accounts");
        browser.assert_fits();
        synced(browser);
        browser.wait_for_text("Working");
        browser.assert_fits();
        browser.click("[aria-labelledby=runs] .row");
        browser.wait_for_text("Sync of ");
        browser.wait_for_text("retrieved");
        browser.wait_for_text("new transactions");
        browser.assert_fits();
        browser.go("/accounts");
        browser.wait_for_text("Current account");
    }

    fn accounts_are_linked_to_those_that_are_there(browser, server, banks) {
        banks.set_quirks(&[Quirk::NoCurrency]);
        banks.add_fault(Fault::always(FaultKind::NotJson, "/accounts/"));
        signed_in(browser, &server);
        connect(browser, "Ours");
        let checking = field(browser, "Checking", "what");
        let own = browser.texts(&format!("{checking} option"));
        assert!(own.iter().any(|label| label.starts_with("Everyday")), "{own:?}");
        // Nobody has stated the currency of a new account.
        for name in ["Credit card", "Current account", "Brokerage"] {
            browser.choose(&field(browser, name, "what"), "later");
        }
        browser.press("Save");
        browser.wait_for_text("The provider doesn't state the currency of the account");
        browser.expect_error("422");
        browser.wait_for_text("Nothing is saved yet");
        assert_eq!(browser.value(&checking), "new");
        assert_eq!(browser.value(&field(browser, "Brokerage", "what")), "later");
        browser.assert_fits();
        browser.fill(&field(browser, "Checking", "currency"), "usd");
        browser.fill(&field(browser, "Checking", "name"), "Checking in Omaha");
        browser.press("Save");
        browser.wait_for_text("Your choice is saved.");
        browser.wait_for_text("Checking in Omaha");
        // The bank has a failure, which is no matter of a person.
        browser.wait_for_text("Sync failed");
        browser.assert_fits();
        browser.press("Link accounts");
        browser.wait_for_text("Linked to Checking in Omaha");
        browser.assert_fits();
    }

    fn a_key_that_is_revoked_is_replaced(browser, server, banks) {
        signed_in(browser, &server);
        connect(browser, "Ours");
        open_ours(browser);
        banks.add_fault(Fault::times(2, FaultKind::Status(401), "/accounts"));
        browser.press("Sync now");
        browser.wait_for_text("Key refused");
        browser.wait_for_text("The provider rejected the stored key.");
        browser.assert_fits();
        browser.press("Enter a key");
        browser.fill("#provider_secret", API_KEY);
        browser.press("Save the key");
        browser.wait_for_text("The provider rejected the credentials.");
        browser.expect_error("422");
        browser.assert_fits();
        assert_eq!(browser.value("#name"), "Ours");
        browser.fill("#provider_secret", API_KEY);
        browser.press("Save the key");
        browser.wait_for_text("The provider accepts the new key.");
        synced(browser);
        browser.wait_for_text("Accounts to link");
    }

    fn a_consent_that_expired_is_shown_at_its_account(browser, server, banks) {
        signed_in(browser, &server);
        connect(browser, "Ours");
        open_ours(browser);
        browser.press("Link accounts");
        browser.press("Save");
        browser.wait_for_text("Working");
        banks.set_quirks(&[Quirk::ConsentExpired]);
        browser.press("Sync now");
        browser.wait_for_text("Needs attention");
        browser.wait_for_text("The bank asks for a new consent.");
        browser.assert_fits();
        browser.click("[aria-labelledby=runs] .row");
        browser.wait_for_text("Sync of ");
        browser.wait_for_text("Partly failed");
        browser.assert_fits();
    }

    fn a_connection_is_deleted_and_its_accounts_stay(browser, server, banks) {
        signed_in(browser, &server);
        connect(browser, "Ours");
        open_ours(browser);
        browser.press("Link accounts");
        browser.press("Save");
        browser.wait_for_text("Working");
        browser.press("Change");
        browser.wait_for_text("Another key for Lunch Flow");
        browser.assert_fits();
        browser.press("Delete this connection");
        browser.accept_question("Delete the connection Ours?");
        browser.wait_for_text("The key is removed");
        browser.wait_for_text("Connect your banks");
        browser.assert_fits();
        browser.go("/accounts");
        browser.wait_for_text("Current account");
    }

    fn everything_works_without_scripts(browser, server, banks) {
        browser.without_scripts();
        signed_in(browser, &server);
        banks.add_fault(Fault::times(8, FaultKind::Slow, "balance"));
        connect(browser, "Ours");
        browser.press("Save");
        browser.wait_for_text("Ours");
        // The currencies weren't known yet, or all is linked: the page shows which.
        if browser.text("main").contains("Nothing is saved yet") {
            browser.expect_error("422");
            browser.go("/connections");
            browser.press("Ours");
        }
        browser.wait_for_text("Syncing");
        browser.assert_fits();
        synced(browser);
    }
}
