//! From an empty server to a family that can be used.

use crate::people::PASSWORD;

journeys! { Sqlite:
    fn a_family_begins_and_comes_back(browser, server) {
        browser.go("/");
        browser.wait_for_path("/welcome");
        browser.assert_fits();
        browser.fill("#family", "Lindgren");
        browser.fill("#time_zone", "Europe/Stockholm");
        browser.choose("#currency", "EUR");
        browser.fill("#name", "Astrid");
        browser.fill("#email", "astrid@example.com");
        browser.fill("#password", PASSWORD);
        browser.fill("#password_again", PASSWORD);
        browser.press("Create the family");
        browser.wait_for_path("/accounts");
        browser.wait_for_text("Welcome, Astrid");
        browser.assert_fits();
        browser.press("Settings");
        browser.wait_for_path("/settings");
        browser.press("Sign out");
        browser.wait_for_path("/sign-in");
        // Going back shows nothing of the family again.
        browser.back();
        browser.wait_for("input[name=next][value='/settings']");
        assert!(!browser.text("body").contains("Lindgren"));
        browser.fill("#email", "astrid@example.com");
        browser.fill("#password", "wrong");
        browser.press("Sign in");
        browser.wait_for(".problems");
        browser.expect_error("422");
        // What is asked for is shown after signing in.
        browser.go("/imports/new");
        browser.wait_for_path("/sign-in");
        browser.fill("#email", "astrid@example.com");
        browser.fill("#password", PASSWORD);
        browser.press("Sign in");
        browser.wait_for_path("/imports/new");
        browser.assert_fits();
    }
}
