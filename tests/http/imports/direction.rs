//! Amounts of which nothing in the file shows the direction: a person is asked once.

use serde_json::{Value, json};

use super::configure::patch;
use super::{both_whole, errors, path, publish, rows, transactions, upload};

const CSV: &str = "Date,Amount,Name\n2024-01-02,1.50,A\n2024-01-03,0.25,B\n";
const QUESTION: &str = "All amounts in \"Amount\" are unsigned: are they money out \
    (inflows_negative), money in (inflows_positive), or does a column have the direction?";

both_whole! {
    fn unsigned_amounts_are_a_question_that_is_asked_once(server) {
        let family = server.family();
        let into = json!({ "account_id": family.account("Main", "depository") });
        let import = upload(&family.api, CSV, &into);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        assert_eq!(import["configuration"]["signage_convention"], Value::Null);
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        assert_eq!(errors(&refused.expect_error(422, "not_configured")), [QUESTION]);
        let visitor = server.signed_in(&family);
        let page = format!("/imports/{}/mapping", import["id"].as_str().unwrap());
        visitor.get(&page).expect_page(200, "No amount has a sign: are they money out or money in?");

        let import = patch(&family.api, &import, &json!({ "signage_convention": "inflows_negative" }));
        assert_eq!(import["configuration"]["signage_convention"], "inflows_negative");
        assert_eq!(rows(&family.api, &import), ["2024-01-02 1.50 USD A", "2024-01-03 0.25 USD B"]);
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        let id = import["id"].as_str().unwrap();
        assert_eq!(family.api.wait_for_import(id)["status"], "complete");

        // The next file of the kind is read as this one was.
        let next = "Date,Amount,Name\n2024-02-02,3.00,C\n";
        publish(&family.api, next, &into);
        assert_eq!(transactions(&family)[2], "2024-02-02 -3.00 USD C @Main");
    }

    fn purchases_of_a_card_never_become_income(server) {
        let family = server.family();
        let card = json!({ "account_id": family.account("Card", "credit_card") });
        let csv = "Date,Amount,Text\n2024-01-02,1.50,A\n2024-01-03,0.25,B\n2024-01-04,-1.75,Paid\n";
        let import = upload(&family.api, csv, &card);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        let refused = refused.expect_error(422, "not_configured");
        assert!(errors(&refused)[0].contains("inflows_negative, which is likely"), "{refused}");
        let charges = csv.replace(",1.50", ",-1.50").replace(",0.25", ",-0.25").replace(",-1.75", ",1.75");
        let import = upload(&family.api, &charges, &card);
        assert_eq!(import["status_detail"]["configured"], true, "{import}");
        assert_eq!(rows(&family.api, &import)[0], "2024-01-02 1.50 USD A");
    }
}
