//! The review: what the file comes to, and a new account that is made there.

use serde_json::Value;

use super::Visitor;
use crate::both;
use crate::support::{Family, Multipart, Server, until};

const PLAIN: &str = "Date,Description,Amount\n2024-01-02,Kiosk,-5.00\n2024-01-09,Pay,+12.50\n";
/// A card's statement: the balance is what is owed.
const CARD: &str = "Date,Description,Amount,Balance\n\
    2024-01-02,Kiosk,5.00,105.00\n2024-01-03,Tram,2.50,107.50\n2024-01-04,Paid,-50.00,57.50\n";

fn upload(server: &Server, content: &str) -> (Family, Visitor, String) {
    let family = server.family();
    let visitor = server.signed_in(&family);
    let form = Multipart::new().file("file", "a.csv", "text/csv", content.as_bytes());
    let import = visitor.post_form("/imports/new", form).expect_status(303);
    let import = import.header("Location").unwrap().to_owned();
    (family, visitor, import)
}

/// Chooses a new account of a name for all rows.
fn choose_new(visitor: &Visitor, import: &str, name: &str) {
    let fields = [("account_id", "create"), ("account_new", name), ("next", "1")];
    visitor.post(&format!("{import}/mapping"), &fields).expect_redirect(import);
}

fn account(family: &Family, name: &str) -> Value {
    let listed = family.api.get("/api/v1/accounts").expect_status(200).json();
    let found = listed["accounts"].as_array().unwrap().iter().find(|one| one["name"] == name);
    found.cloned().unwrap_or_else(|| panic!("no {name} in {listed}"))
}

both! {
    fn the_review_shows_what_the_file_comes_to(server) {
        let (_, visitor, import) = upload(&server, PLAIN);
        choose_new(&visitor, &import, "Joint");
        let text = visitor.get(&import).expect_status(200).text();
        for part in [
            "<strong>Joint (USD)</strong>",
            "2 rows, 2 Jan 2024 to 9 Jan 2024",
            "$12.50 in",
            "\u{2212}$5.00 out",
            "The file has no balances, so nothing proves that it is whole.",
            "Joint is new: a bank account in USD that opens with $0.00",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        for word in ["inflows_", "_col_label", "account_id\":", "date_format%"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
    }

    fn a_new_account_is_made_with_type_currency_and_opening(server) {
        let (family, visitor, import) = upload(&server, PLAIN);
        choose_new(&visitor, &import, "Joint");
        let once = visitor.get(&import).expect_status(200).field("once").unwrap();
        let make = |currency: &str, opening: &str| {
            let fields = [
                ("once", &*once), ("value", ""), ("name", "Joint card"),
                ("account_type", "credit_card"), ("currency", currency),
                ("opening_balance", opening),
            ];
            visitor.post(&format!("{import}/account"), &fields)
        };
        let page = make("EUR", "1,234").expect_page(422, "Opening balance");
        assert_eq!(page.field("name").as_deref(), Some("Joint card"), "what was typed stays");
        // Twice, as with a double click.
        make("EUR", "1.234,50").expect_redirect(&format!("{import}?done=account-created"));
        make("EUR", "1.234,50").expect_redirect(&format!("{import}?done=account-created"));
        let made = account(&family, "Joint card");
        assert_eq!((&made["currency"], &made["balance_decimal"]), (&"EUR".into(), &"1234.50".into()));
        let text = visitor.get(&import).expect_page(200, "<strong>Joint card (EUR)</strong>").text();
        assert!(!text.contains("is new: "), "{text}");
        assert!(text.contains("\u{20ac}12.50 in"), "rows are in the currency of the account: {text}");
    }

    fn a_new_account_opens_with_the_balance_of_the_file(server) {
        let (family, visitor, import) = upload(&server, CARD);
        let mapping = format!("{import}/mapping");
        let debt = [("signage_convention", "inflows_negative"), ("balance_check", "compare")];
        visitor.post(&mapping, &debt).expect_page(200, "3 rows can be read.");
        choose_new(&visitor, &import, "Card");
        let fields = [("value", ""), ("name", "Card"), ("account_type", "credit_card"), ("currency", "USD")];
        visitor.post(&format!("{import}/account"), &fields).expect_status(303);
        assert_eq!(account(&family, "Card")["balance_decimal"], "100.00", "what was owed before");
    }

    fn an_account_that_was_made_for_an_import_goes_with_it(server) {
        let make = |visitor: &Visitor, import: &str, value: &str| {
            let fields = [
                ("value", value), ("name", "Made"), ("account_type", "depository"),
                ("currency", "USD"), ("opening_balance", "7"),
            ];
            visitor.post(&format!("{import}/account"), &fields).expect_status(303);
        };
        let run = |family: &Family, visitor: &Visitor, import: &str, step: &str, end: &str| {
            visitor.post(&format!("{import}/{step}"), &[]).expect_status(303);
            until("the end of the import", || {
                let shown = family.api.get(&format!("/api/v1{import}")).expect_status(200).json();
                (shown["data"]["status"] == end).then(|| shown["data"].clone())
            })
        };
        let names = |family: &Family| -> Vec<String> {
            let listed = family.api.get("/api/v1/accounts").expect_status(200).json();
            let accounts = listed["accounts"].as_array().unwrap().iter();
            accounts.map(|one| one["name"].as_str().unwrap().to_owned()).collect()
        };
        // For all rows of a file, and for those of one of its names.
        let named = "Date,Description,Amount,Account\n2024-01-02,Kiosk,-5.00,Giro\n";
        for (csv, value, again) in [(PLAIN, "", "Made"), (named, "Giro", "Giro")] {
            let (family, visitor, import) = upload(&server, csv);
            if value.is_empty() {
                choose_new(&visitor, &import, "Made");
            }
            make(&visitor, &import, value);
            let done = run(&family, &visitor, &import, "publish", "complete");
            assert_eq!((done["status"].as_str(), names(&family)), (Some("complete"), vec!["Made".to_owned()]));
            visitor.get(&format!("{import}/undo")).expect_page(200, "Made");
            let undone = run(&family, &visitor, &import, "undo", "pending");
            assert_eq!(undone["status"], "pending", "{undone}");
            assert_eq!(names(&family), [""; 0]);
            // It can be imported again.
            if value.is_empty() {
                assert_eq!(undone["status_detail"]["publishable"], false, "an account is missing");
                choose_new(&visitor, &import, "Made");
            }
            run(&family, &visitor, &import, "publish", "complete");
            assert_eq!(names(&family), [again]);
            crate::imports::assert_whole(&server);
        }
        // What something else uses stays.
        let (family, visitor, import) = upload(&server, PLAIN);
        choose_new(&visitor, &import, "Made");
        make(&visitor, &import, "");
        let made = account(&family, "Made")["id"].as_str().unwrap().to_owned();
        run(&family, &visitor, &import, "publish", "complete");
        family.import(&made, "Date,Amount,Name\n2024-05-05,-1.00,Other\n");
        run(&family, &visitor, &import, "undo", "pending");
        assert_eq!(names(&family), ["Made"]);
        crate::imports::assert_whole(&server);
    }
}
