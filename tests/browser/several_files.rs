//! Several files that are dropped at once: one plan each, one summary.

use crate::browser::Browser;
use crate::people::signed_in;
use crate::support::Server;

const JANUARY: &str = "\
Date,Amount,Description
2024-01-15,-12.50,Bakery Blom
2024-01-31,2500.00,Salary January
";
/// The last row of January once more, and one of February.
const FEBRUARY: &str = "\
Date,Amount,Description
2024-01-31,2500.00,Salary January
2024-02-02,-54.90,Grocer & Sons
";
/// It can't be known which way the money went.
const UNSIGNED: &str = "Datum;Betrag;Text\n02.01.2024;1,50;A\n03.01.2024;2,00;B\n";
/// A document that breaks off.
const BROKEN: &str = "%PDF-1.7\n";

fn dropped(browser: &Browser, server: &Server) {
    let account = signed_in(browser, server);
    browser.go("/imports/new");
    browser.choose("#account_id", &account);
    let (january, february) = (("January.csv", JANUARY), ("February.csv", FEBRUARY));
    let asks = ("unsigned.csv", UNSIGNED);
    browser.drop_files("#drop", &[january, ("broken.pdf", BROKEN), february, asks]);
    // What was refused is named, and the others are kept.
    browser.wait_for_text("broken.pdf: ");
    browser.expect_error("422");
    browser.assert_fits();
    browser.press("Look at the other 3 files");
    browser.wait_for_text("3 files · ");
    browser.wait_for_text("2 ready · 1 needs your decision");
    browser.wait_for_text("2 rows: 2 new");
    browser.assert_fits();
    browser.press("Import the 2 files that are ready");
    // The row that both have comes once.
    browser.wait_for_text("1 row imported");
    browser.wait_for_text("2 rows imported");
    browser.assert_fits();
    browser.press("unsigned.csv");
    browser.wait_for_text("No amount has a sign");
    browser.go("/transactions");
    browser.wait_for_text("Grocer & Sons");
    let salaries = browser.text("main").matches("Salary January").count();
    assert_eq!(salaries, 1, "{}", browser.text("main"));
}

journeys! { Sqlite:
    fn several_files_are_dropped_at_once(browser, server) {
        dropped(browser, &server);
    }
}
