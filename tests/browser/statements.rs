//! The page of an account's statements: what agrees with the ledger, what differs, what is missing.

use serde_json::json;

use crate::browser::Browser;
use crate::people::sign_in;
use crate::support::{Server, until};

/// A statement of a month of 2024 with two entries.
fn month(number: u32, opening: &str, [out, back]: [&str; 2], closing: &str) -> String {
    let last = if number == 2 { 29 } else { 31 };
    format!(
        ":20:1\n:25:10010010/98761234\n:28C:{number}\n:60F:C24{number:02}01USD{opening}\n\
         :61:24{number:02}02D{out}NTRF\n:86:Grocer\n:61:24{number:02}03C{back}NTRF\n:86:Friend\n\
         :62F:C24{number:02}{last}USD{closing}\n-\n"
    )
}

fn imported(browser: &Browser, account: &str, name: &str, content: &str) {
    browser.go("/imports/new");
    browser.choose("#account_id", account);
    browser.give_file("#file", name, content);
    browser.press("Import 2 transactions");
    browser.wait_for_text("2 transactions imported");
}

fn looked_at(browser: &Browser, server: &Server) {
    let family = server.family();
    let account = family.account_with(json!({ "name": "Everyday", "account_type": "depository",
        "opening_balance": "100.00", "opening_date": "2023-12-31" }));
    sign_in(browser, &family.email);
    let page = format!("/accounts/{account}/statements");
    browser.go(&page);
    browser.wait_for_text("No statements yet");
    browser.assert_fits();
    imported(browser, &account, "january.sta", &month(1, "100,", ["10,", "5,50"], "95,50"));
    imported(browser, &account, "march.sta", &month(3, "120,", ["20,", "5,"], "105,"));
    browser.go(&page);
    browser.wait_for_text("2 of Everyday");
    // January agrees, and between the two a month is missing.
    browser.wait_for_text("Reconciled");
    browser.wait_for_text("No statement of 29 days, 1 Feb 2024 to 29 Feb 2024");
    browser.wait_for_text("$24.50 more than in the account");
    browser.assert_fits();
    browser.press("1 Mar 2024 – 31 Mar 2024");
    browser.wait_for_text("2 transactions imported");
    // February comes, and nothing is missing any more.
    imported(browser, &account, "february.sta", &month(2, "95,50", ["0,50", "25,"], "120,"));
    until("all to be reconciled", || {
        browser.go(&page);
        let states = browser.texts(".state");
        (states == ["Reconciled"; 3]).then_some(())
    });
    browser.assert_fits();
}

journeys! { Sqlite:
    fn statements_show_what_is_missing(browser, server) {
        looked_at(browser, &server);
    }
}
