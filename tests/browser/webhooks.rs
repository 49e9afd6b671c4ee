//! Webhooks in the settings.

use crate::people::signed_in;

journeys! { Sqlite:
    fn a_webhook_is_added_and_removed(browser, server) {
        signed_in(browser, &server);
        browser.press("Settings");
        browser.press("Webhooks");
        browser.wait_for_text("No webhooks");
        browser.assert_fits();
        browser.fill("#url", "https://hooks.example/a/rather/long/address/of/a/program?with=things");
        browser.press("Add the webhook");
        browser.wait_for_text("Choose what it is sent");
        browser.expect_error("422");
        browser.assert_fits();
        browser.click("[name=events][value=\"sync.failed\"]");
        browser.press("Add the webhook");
        browser.wait_for_text("it is shown only this once");
        let secret = browser.text("#new-secret");
        assert!(secret.len() >= 32, "{secret}");
        browser.assert_fits();
        browser.go("/settings/webhooks");
        browser.wait_for_text("hooks.example");
        assert!(!browser.text("main").contains(&secret));
        browser.click("[aria-labelledby=webhooks] .row");
        browser.wait_for_text("Nothing so far.");
        browser.assert_fits();
        browser.press("Send a test");
        browser.wait_for_text("1 attempt");
        browser.wait_for_text("Given up");
        browser.assert_fits();
        browser.press("Switch off");
        browser.wait_for_text("The webhook is off.");
        browser.press("Remove");
        browser.accept_question("Remove this webhook?");
        browser.wait_for_text("The webhook is removed.");
        browser.wait_for_text("No webhooks");
    }

    fn webhooks_work_without_scripts(browser, server) {
        browser.without_scripts();
        signed_in(browser, &server);
        browser.go("/settings/webhooks");
        browser.fill("#url", "https://hooks.example/purser");
        browser.click("[name=events][value=\"import.finished\"]");
        browser.press("Add the webhook");
        browser.wait_for_text("it is shown only this once");
        browser.assert_fits();
        browser.go("/settings/webhooks");
        browser.click("[aria-labelledby=webhooks] .row");
        browser.press("Remove");
        browser.wait_for_text("The webhook is removed.");
    }
}
