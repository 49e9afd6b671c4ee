//! From a file to transactions, and back.

use crate::browser::Browser;
use crate::people::signed_in;
use crate::support::sheets::{Cell, xlsx};
use crate::support::{Server, until};

const STATEMENT: &str = "\
Date,Amount,Description,Category
2024-01-15,-12.50,Bakery Blom,Food
2024-01-16,-54.90,Grocer & Sons,Food
2024-01-17,2500.00,Salary January,Income
";
/// It can't be known which way the money went.
const UNSIGNED: &str = "Datum;Betrag;Text\n02.01.2024;1,50;A\n03.01.2024;2,00;B\n";
/// It can't be known which number is the month.
const AMBIGUOUS: &str = "Date,Amount,Name\n03/04/2024,-1.00,Kiosk\n05/06/2024,-2.00,Tram\n";
const FAULTY: &str = "\
Date,Amount,Name
2024-02-01,-10.00,Kept
2024-02-02,ten,Corrected
2024-02-03,-30.00,Left out
2024-02-04,oops,Hopeless
";

const ROWS: usize = 12_000;

/// From now on adding an entry takes about a tenth of a millisecond more.
fn slow_down(server: &Server) {
    let path = server.data_folder().join("purser.db");
    let database = rusqlite::Connection::open(path).expect("the database");
    database.busy_timeout(std::time::Duration::from_secs(10)).expect("a bound");
    let slow = "CREATE TRIGGER slow BEFORE INSERT ON entries BEGIN
        SELECT COUNT(*) FROM (WITH RECURSIVE counted(n) AS
            (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1000)
            SELECT n FROM counted);
    END";
    database.execute_batch(slow).expect("a trigger");
}

/// Chooses a file on the page for new ones; the import is stored when this returns.
fn upload(browser: &Browser, content: &str, account: Option<&str>) {
    browser.go("/imports/new");
    if let Some(account) = account {
        browser.choose("#account_id", account);
    }
    browser.assert_fits();
    browser.give_file("#file", "statement.csv", content);
}

fn publish(browser: &Browser, button: &str, result: &str) {
    browser.press(button);
    browser.wait_for_text(result);
    assert!(browser.text("h2#created").contains(result));
    browser.assert_fits();
}

fn a_file_becomes_transactions_and_goes_again(browser: &Browser, server: &Server) {
    let account = signed_in(browser, server);
    browser.go("/imports");
    browser.wait_for_text("Bring a file from your bank");
    browser.press("Import a file");
    browser.wait_for_path("/imports/new");
    browser.drop_files("#drop", &[("January.csv", STATEMENT)]);
    // No account was chosen, and one is needed.
    browser.wait_for("#mapping");
    browser.assert_fits();
    browser.press("Continue");
    browser.wait_for_text("Choose the account that the rows go to.");
    browser.go(&format!("{}?show=all", browser.path().trim_end_matches("/mapping")));
    browser.wait_for("#publish:disabled");
    assert!(!browser.text("main").contains("nothing is new"));
    browser.assert_fits();
    browser.press("Choose the account");
    browser.wait_for("#mapping");
    assert!(!browser.text("#heading").contains("into Everyday"));
    browser.choose("#account_id", &account);
    browser.wait_for_text("3 rows can be read.");
    browser.wait_for("#account_id option[selected]:not([value=''])");
    assert!(browser.text("#heading").contains("into Everyday"));
    // The other sign: the preview turns round, and back.
    assert!(browser.text("#preview").contains("\u{2212}$12.50"));
    browser.choose("#signage_convention", "inflows_negative");
    browser.wait_for_text("\u{2212}$2,500.00");
    assert!(!browser.text("#preview").contains("\u{2212}$12.50"));
    browser.choose("#signage_convention", "");
    browser.wait_for_text("\u{2212}$12.50");
    browser.press("Continue");
    browser.wait_for_text("Import 3 transactions");
    browser.assert_fits();
    publish(browser, "Import 3 transactions", "3 transactions imported");
    browser.press("See the transactions");
    browser.wait_for_path("/transactions");
    browser.wait_for_text("Bakery Blom");
    browser.assert_fits();
    browser.go("/imports");
    browser.press("January.csv");
    browser.wait_for_text("3 transactions imported");
    browser.press("Undo");
    browser.wait_for_text("Undoing removes 3 transactions");
    browser.assert_fits();
    browser.press("Undo the import");
    browser.wait_for_text("The import is undone.");
    browser.wait_for_text("Import 3 transactions");
    browser.go("/transactions");
    browser.wait_for_text("No transactions yet");
}

const CATEGORIES: &str = "name,parent,color\nGroceries,Food,\nFood,,#a1b2c3\nFuel,Car,\n";

fn a_file_becomes_categories_and_goes_again(browser: &Browser, server: &Server) {
    signed_in(browser, server);
    browser.go("/imports/new");
    browser.choose("#type", "CategoryImport");
    browser.assert_fits();
    browser.give_file("#file", "categories.csv", CATEGORIES);
    browser.wait_for("#mapping");
    browser.wait_for_text("Neither the file nor the family has a category \"Car\"");
    browser.assert_fits();
    browser.choose("#pick-Parents-1", "create");
    browser.wait_for_text("3 rows can be read.");
    browser.press("Continue");
    browser.wait_for_text("Import 3 categories");
    browser.assert_fits();
    publish(browser, "Import 3 categories", "3 categories imported");
    browser.press("Undo");
    browser.wait_for_text("The category “Food: Groceries” goes");
    browser.assert_fits();
    browser.press("Undo the import");
    browser.wait_for_text("Import 3 categories");
}

journeys! { Sqlite:
    fn from_a_file_to_categories_and_back(browser, server) {
        a_file_becomes_categories_and_goes_again(browser, &server);
    }

    fn from_a_file_to_transactions_and_back(browser, server) {
        a_file_becomes_transactions_and_goes_again(browser, &server);
    }

    fn the_same_file_again_is_known(browser, server) {
        let account = signed_in(browser, &server);
        upload(browser, STATEMENT, Some(&account));
        publish(browser, "Import 3 transactions", "3 transactions imported");
        upload(browser, STATEMENT, Some(&account));
        browser.wait_for_text("All 3 rows are there already.");
        browser.assert_fits();
        assert!(browser.texts(".verdict").iter().all(|text| text == "Already there"));
        // One of them after all.
        browser.press("Import anyway");
        browser.wait_for_text("Import 1 transaction");
        publish(browser, "Import 1 transaction", "1 transaction imported");
        browser.wait_for_text("2 rows were there already");
        // The settings of the first file were kept.
        browser.go("/imports/templates");
        browser.wait_for_text("Used last on");
        browser.assert_fits();
    }

    fn a_publish_is_watched_and_found_again(browser, server) {
        let account = signed_in(browser, &server);
        let rows: String = (0..ROWS).map(|row| format!("2024-01-02,-1.00,Row {row}\n")).collect();
        upload(browser, &format!("Date,Amount,Name\n{rows}"), Some(&account));
        slow_down(&server);
        browser.press("Import 12,000 transactions");
        browser.wait_for_text("Becoming transactions");
        let done = || browser.number("progress", "value");
        until("some rows to be done", || (done() > 0).then_some(()));
        browser.assert_fits();
        let before = done();
        browser.reload();
        browser.wait_for_text("of 12,000");
        assert!(browser.text("h2#created").is_empty() && done() >= before);
        // The page goes on by itself.
        browser.wait_for_text("12,000 transactions imported");
        browser.wait_for("#created:focus");
        browser.assert_fits();
    }

    fn a_new_account_is_made_for_a_file(browser, server) {
        signed_in(browser, &server);
        upload(browser, STATEMENT, None);
        browser.wait_for("#mapping");
        // What is typed while an answer is on its way stays.
        browser.hold_fetches();
        browser.choose("#signage_convention", "inflows_negative");
        browser.choose("#account_id", "create");
        browser.type_on("#account_new", "Joint");
        browser.release_fetches();
        browser.wait_for("#mapping:not([aria-busy])");
        browser.wait_for_text("\u{2212}$2,500.00");
        assert_eq!(browser.value("#account_id"), "create");
        assert_eq!(browser.value("#account_new:focus"), "Joint");
        // So does what is chosen before there is anything to send.
        browser.fill("#account_new", "");
        browser.choose("#signage_convention", "");
        browser.wait_for_text("Give the new account a name.");
        assert_eq!(browser.value("#account_id"), "create");
        browser.fill("#account_new", "Joint account");
        browser.press("Continue");
        publish(browser, "Import 3 transactions", "3 transactions imported");
        browser.go("/accounts");
        browser.wait_for_text("Joint account");
        browser.wait_for_text("$2,432.60");
    }

    fn ambiguous_dates_are_asked_about(browser, server) {
        let account = signed_in(browser, &server);
        upload(browser, AMBIGUOUS, Some(&account));
        browser.wait_for("#mapping");
        browser.wait_for("#date_format[aria-invalid][aria-describedby='date_format-problem']");
        browser.wait_for("#date_format-problem");
        browser.wait_for_text("31/12/2024 and 12/31/2024 fit equally well");
        browser.wait_for_text("Month, day, year");
        browser.assert_fits();
        browser.choose("#date_format", "%d/%m/%Y");
        browser.wait_for_text("2 rows can be read.");
        assert!(browser.text("#preview").contains("3 Apr 2024"));
        browser.choose("#date_format", "%m/%d/%Y");
        browser.wait_for_text("4 Mar 2024");
        assert!(browser.text("#heading").contains("To be looked at"));
        assert_eq!(browser.text("#standing"), "2 rows can be read.");
        browser.assert_fits();
        browser.press("Continue");
        browser.wait_for_text("Import 2 transactions");
        // Whoever goes back can send the same file again.
        browser.back();
        browser.wait_for("#mapping");
        browser.back();
        browser.wait_for_text("Drop files here");
        browser.wait_for("#send:not(:disabled)");
        assert_eq!(browser.value("#account_id"), account);
        browser.give_file("#file", "statement.csv", AMBIGUOUS);
        // It is the import that is there already.
        publish(browser, "Import 2 transactions", "2 transactions imported");
    }

    fn a_question_is_answered_by_rows_of_the_file(browser, server) {
        let account = signed_in(browser, &server);
        upload(browser, UNSIGNED, Some(&account));
        browser.wait_for_text("No amount has a sign");
        let answers = browser.texts(".answer");
        assert!(answers[0].contains("Money out") && answers[0].contains("\u{2212}$1.50"), "{answers:?}");
        assert!(answers[1].contains("Money in") && answers[1].contains("+$1.50"), "{answers:?}");
        browser.assert_fits();
        browser.press("Money out");
        browser.wait_for_text("2 rows can be read.");
        assert!(browser.text("#preview").contains("\u{2212}$1.50"));
        assert!(browser.texts(".answer").is_empty());
        browser.assert_fits();
        browser.press("Continue");
        browser.wait_for_text("$3.50 out");
        browser.assert_fits();
        publish(browser, "Import 2 transactions", "2 transactions imported");
    }

    fn a_new_account_is_made_on_the_review(browser, server) {
        signed_in(browser, &server);
        upload(browser, STATEMENT, None);
        browser.choose("#account_id", "create");
        browser.fill("#account_new", "Joint");
        browser.press("Continue");
        browser.wait_for_text("Joint (USD)");
        browser.wait_for_text("3 rows, 15 Jan 2024 to 17 Jan 2024");
        browser.assert_fits();
        browser.click(".new-account summary");
        browser.choose("#currency", "EUR");
        browser.fill("#opening_balance", "1,234");
        browser.assert_fits();
        browser.press("Make this account");
        browser.wait_for("#opening_balance-problem");
        assert_eq!(browser.value("#opening_balance"), "1,234");
        browser.expect_error("422");
        browser.assert_fits();
        browser.fill("#opening_balance", "1.234,00");
        browser.press("Make this account");
        browser.wait_for_text("The account is created.");
        browser.wait_for_text("Joint (EUR)");
        browser.assert_fits();
        publish(browser, "Import 3 transactions", "3 transactions imported");
        browser.go("/accounts");
        browser.wait_for_text("\u{20ac}3,666.60");
    }

    fn rows_are_corrected_and_left_out(browser, server) {
        let account = signed_in(browser, &server);
        upload(browser, FAULTY, Some(&account));
        browser.wait_for_text("2 rows of 4 can't be imported");
        browser.wait_for("#publish:disabled");
        browser.assert_fits();
        browser.click("#row-2 a.quiet");
        browser.wait_for_text("Line 3");
        browser.assert_fits();
        browser.fill("#cell-2", "-20.00");
        browser.press("Save");
        browser.wait_for_text("corrected");
        browser.click("#row-3 button");
        browser.wait_for("#row-3 .verdict.out");
        browser.press("leave it out");
        browser.wait_for_text("will be left out");
        publish(browser, "Import 2 transactions", "2 transactions imported");
        browser.wait_for_text("1 row was left out");
    }

    fn a_workbook_with_two_sheets_asks_which_one_it_is(browser, server) {
        let account = signed_in(browser, &server);
        let header: &[Cell] = &[Cell::Text("Date"), Cell::Text("Amount"), Cell::Text("Name")];
        let january: &[&[Cell]] =
            &[header, &[Cell::Day(45_293), Cell::Number("-12.5"), Cell::Text("Bakery")]];
        let february: &[&[Cell]] = &[
            header,
            &[Cell::Day(45_324), Cell::Number("-7"), Cell::Text("Tram")],
            &[Cell::Day(45_325), Cell::Formula(None), Cell::Text("Rent")],
        ];
        let book = xlsx(&[("January", january), ("February", february)]);
        browser.go("/imports/new");
        browser.choose("#account_id", &account);
        browser.give_file("#file", "2024.xlsx", book);
        browser.wait_for_text("Several sheets have a table");
        browser.assert_fits();
        browser.press("The sheet \"February\": Date, Amount, Name");
        browser.wait_for_text("Row 3");
        assert!(browser.text("#format").contains("XLSX, sheet \"February\" of 2"));
        assert!(browser.text("#preview").contains("Tram"));
        browser.choose("#sheet", "January");
        browser.wait_for_text("1 row can be read.");
        assert!(browser.text("#preview").contains("2 Jan 2024"));
        browser.assert_fits();
        browser.press("Continue");
        publish(browser, "Import 1 transaction", "1 transaction imported");
    }

    fn without_a_script_everything_can_be_done(browser, server) {
        browser.without_scripts();
        let account = signed_in(browser, &server);
        upload(browser, AMBIGUOUS, Some(&account));
        browser.press("Continue");
        browser.choose_by_keys("#date_format", "31/12/2024");
        browser.press("Update the preview");
        browser.wait_for_text("2 rows can be read.");
        assert!(browser.text("#preview").contains("3 Apr 2024"));
        browser.press("Continue");
        browser.press("Import 2 transactions");
        browser.wait_for_text("2 transactions imported");
    }
}

mod on_postgres {
    use super::*;

    journeys! { Postgres:
        fn from_a_file_to_transactions_and_back(browser, server) {
            a_file_becomes_transactions_and_goes_again(browser, &server);
        }
    }
}
