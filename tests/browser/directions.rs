//! A file of amounts without signs: a person states which way the money of the oldest row went.

use crate::browser::Browser;
use crate::people::signed_in;
use crate::support::Server;

/// Money in and out, the newest first: only the balance shows which.
const BOTH_WAYS: &str = "Date,Details,Amount,Balance\n\
    2026-01-04,Bakery,$5.50,$114.50\n\
    2026-01-03,Grocer,$20.00,$120.00\n\
    2026-01-02,Salary,$50.00,$140.00\n\
    2026-01-01,Kiosk,$10.00,$90.00\n";

fn the_oldest_row_is_answered(browser: &Browser, server: &Server, has_scripts: bool) {
    let account = signed_in(browser, server);
    browser.go("/imports/new");
    browser.choose("#account_id", &account);
    browser.give_file("#file", "statement.csv", BOTH_WAYS);
    if !has_scripts {
        browser.press("Continue");
    }
    browser.wait_for_text("Is this money out or money in?");
    // The row of the file is shown with it, and nothing of the interface for programs.
    browser.wait_for_text("2026-01-01 · Kiosk · $10.00 · $90.00");
    let page = browser.text("main");
    assert!(page.contains("Needs an answer") && !page.contains("correct the amount"), "{page}");
    browser.wait_for("#publish:disabled");
    browser.assert_fits();
    browser.press("Money in");
    browser.wait_for_text("Import 4 transactions");
    browser.wait_for_text("Balance in the file: $80.00 before 1 Jan 2026");
    assert!(!browser.text("main").contains("Is this money out"));
    browser.assert_fits();
    // An answer can be changed where cells are corrected.
    browser.click("#row-4 a.button");
    browser.wait_for_text("The file says “$10.00”");
    assert_eq!(browser.value("#cell-3"), "+$10.00");
    browser.fill("#cell-3", "-$10.00");
    browser.press("Save");
    browser.wait_for_text("Balance in the file: $100.00 before 1 Jan 2026");
    browser.press("Import 4 transactions");
    browser.wait_for_text("4 transactions imported");
    browser.go("/transactions");
    browser.wait_for_text("\u{2212}$10.00");
    browser.assert_fits();
}

journeys! { Sqlite:
    fn the_oldest_row_is_in_or_out(browser, server) {
        the_oldest_row_is_answered(browser, &server, true);
    }

    fn the_oldest_row_is_in_or_out_without_scripts(browser, server) {
        browser.without_scripts();
        the_oldest_row_is_answered(browser, &server, false);
    }
}
