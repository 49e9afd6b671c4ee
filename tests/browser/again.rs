//! Imports that are begun again: the same file, the form of a session that ended, an account that
//! is made twice, an upload that nobody can read.

use crate::browser::Browser;
use crate::people::{PASSWORD, sign_in, signed_in};
use crate::support::{Server, Sql, until};

const STATEMENT: &str = "Date,Payee,Info,Amount\n2024-01-15,Bakery,Bread,-12.50\n\
                         2024-01-17,Employer,Salary,2500.00\n";
const UNREADABLE: &str = "This is no statement.\nIt has no rows at all.\n";

fn upload(browser: &Browser, content: &str) {
    browser.go("/imports/new");
    browser.give_file("#file", "statement.csv", content);
}

fn count(server: &Server, table: &str) -> String {
    crate::support::sql::value(server, &format!("SELECT COUNT(*) FROM {table}"))
}

/// Chooses a new account for all rows, and goes to the review.
fn new_account(browser: &Browser, name: &str) {
    browser.wait_for("#mapping");
    browser.choose("#account_id", "create");
    browser.fill("#account_new", name);
    browser.press("Continue");
    browser.wait_for_text(&format!("{name} (USD)"));
}

journeys! { Sqlite:
    fn a_double_click_on_the_review_makes_one_account(browser, server) {
        let family = server.family();
        sign_in(browser, &family.email);
        upload(browser, STATEMENT);
        new_account(browser, "Joint");
        browser.click(".new-account summary");
        browser.fill("#opening_balance", "100.00");
        browser.assert_fits();
        browser.send_twice(".new-account form");
        browser.wait_for_text("The account is created.");
        browser.assert_fits();
        assert_eq!(count(&server, "accounts"), "1");
        // With the import it goes again.
        browser.press("Import 2 transactions");
        browser.wait_for_text("2 transactions imported");
        browser.press("Undo");
        browser.wait_for_text("Undoing removes 2 transactions");
        browser.wait_for_text("Joint");
        browser.assert_fits();
        browser.press("Undo the import");
        until("the account to go", || (count(&server, "accounts") == "0").then_some(()));
        browser.assert_fits();
    }

    fn what_was_chosen_is_there_after_signing_in_again(browser, server) {
        let family = server.family();
        let account = family.account("Everyday", "depository");
        sign_in(browser, &family.email);
        upload(browser, STATEMENT);
        browser.wait_for("#mapping");
        browser.choose("#account_id", &account);
        // The page sends each change by itself; this one shall arrive while the session lives.
        browser.wait_for("#mapping:not([aria-busy])");
        let mapping = browser.path();
        Sql::open(&server).run("UPDATE sessions SET expires_at = 1");
        browser.choose("#name_col_label", "Info");
        browser.wait_for_path("/sign-in");
        browser.fill("#email", &family.email);
        browser.fill("#password", PASSWORD);
        browser.press("Sign in");
        browser.wait_for_path(&mapping);
        browser.wait_for_text("This is what you had typed when you were signed out.");
        assert_eq!(browser.value("#name_col_label"), "Info");
        browser.assert_fits();
        browser.press("Continue");
        browser.wait_for_text("Import 2 transactions");
        browser.wait_for_text("Bread");
        browser.assert_fits();
    }

    fn an_upload_that_nobody_can_read_is_thrown_away(browser, server) {
        signed_in(browser, &server);
        upload(browser, UNREADABLE);
        browser.wait_for("#mapping");
        browser.assert_fits();
        browser.press("Throw this import away");
        browser.accept_question("Throw this import away?");
        browser.wait_for_path("/imports");
        browser.assert_fits();
        assert_eq!((count(&server, "imports"), count(&server, "files")), ("0".into(), "0".into()));
    }

    fn the_same_file_is_named_and_known_by_its_records(browser, server) {
        let account = signed_in(browser, &server);
        for (button, result) in [
            ("Import 2 transactions", "2 transactions imported"),
            ("Finish: nothing is new", "2 rows were there already"),
        ] {
            upload(browser, STATEMENT);
            browser.wait_for("#mapping");
            browser.choose("#account_id", &account);
            browser.wait_for_text("2 rows can be read.");
            if button.starts_with("Finish") {
                browser.wait_for_text("into Everyday: it created 2 transactions.");
                browser.choose("#name_col_label", "Info");
                browser.wait_for_text("Bread");
                browser.assert_fits();
            }
            browser.press("Continue");
            browser.wait_for_text(button);
            browser.assert_fits();
            browser.press(button);
            browser.wait_for_text(result);
        }
        browser.wait_for_text("2 rows were there already");
        browser.assert_fits();
    }
}
