//! Questions about a document, beside its pages.

use crate::browser::Browser;
use crate::people::signed_in;
use crate::support::Server;
use crate::support::pdf::{Page, Style, document};

/// A statement without balances: nothing proves its rows.
fn statement() -> Vec<u8> {
    let mut page = Page::default();
    let mut y = 780;
    let mut line = |cells: [&str; 3]| {
        for (x, text) in [40, 110].into_iter().zip(cells) {
            page.left(x, y, text);
        }
        page.right(440, y, cells[2], Style::PLAIN);
        y -= 20;
    };
    line(["Statement from 2026-01-01 to 2026-01-31", "", ""]);
    line(["Date", "Description", "Amount"]);
    line(["2026-01-02", "Bakery", "-12.50"]);
    line(["2026-01-15", "Salary", "2,345.67"]);
    line(["2026-01-31", "Rent", "-800.00"]);
    document(&[page], Style::PLAIN)
}

fn a_document_is_compared(browser: &Browser, server: &Server) {
    let account = signed_in(browser, server);
    browser.go("/imports/new");
    browser.choose("#account_id", &account);
    browser.give_file("#file", "statement.pdf", statement());
    browser.wait_for_text("no balances that prove its rows");
    browser.wait_for(".question .pages-read img");
    browser.assert_fits();
    // The picture is there, and as wide as its place.
    assert!(browser.number(".question .pages-read img", "naturalWidth") > 100);
    assert!(browser.number(".question .pages-read img", "width") > 200);
    browser.picture("document_question");
    browser.press("The rows are right, as a comparison with the document has shown");
    browser.wait_for_text("3 rows can be read.");
    browser.press("Continue");
    browser.wait_for_text("Import 3 transactions");
    browser.press("Correct");
    browser.wait_for(".document img");
    assert!(browser.number(".document img", "naturalWidth") > 100);
    browser.assert_fits();
    browser.picture("document_row");
}

journeys! { Sqlite:
    fn what_nothing_proves_is_compared_with_the_pages(browser, server) {
        a_document_is_compared(browser, &server);
    }
}
