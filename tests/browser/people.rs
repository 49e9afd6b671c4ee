//! Steps that many journeys begin with.

use crate::browser::Browser;
use crate::support::Server;

pub(crate) const PASSWORD: &str = "correct horse battery staple";

/// Signs in as the admin of a family that the command line makes, with one account in it; its id.
pub(crate) fn signed_in(browser: &Browser, server: &Server) -> String {
    let family = server.family();
    let account = family.account("Everyday", "depository");
    sign_in(browser, &family.email);
    account
}

pub(crate) fn sign_in(browser: &Browser, email: &str) {
    browser.go("/sign-in");
    browser.fill("#email", email);
    browser.fill("#password", PASSWORD);
    browser.press("Sign in");
    browser.wait_for_path("/accounts");
}
