//! The pages of accounts.

use serde_json::json;

use crate::both;

both! {
    fn an_account_is_made_and_counted(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        visitor.get("/accounts").expect_page(200, "There is nothing here yet");
        visitor.get("/accounts/new").expect_page(200, "<option value=\"USD\" selected>");
        let wrong = [("name", ""), ("account_type", "x"), ("opening_balance", "1,5")];
        let page = visitor.post("/accounts", &wrong).expect_page(422, "The name is required");
        assert_eq!(page.text().matches("class=\"problem\"").count(), 3);
        assert_eq!(page.field("opening_balance").as_deref(), Some("1,5"));
        let fields =
            [("name", "Checking"), ("account_type", "depository"), ("opening_balance", "1200.50")];
        let made = visitor.post("/accounts", &fields).expect_status(303);
        let path = made.header("Location").unwrap().to_owned();
        assert!(path.ends_with("?done=account-created"), "{path}");
        visitor.get(&path).expect_page(200, "The account is created.");
        let fields =
            [("name", "Card"), ("account_type", "credit_card"), ("opening_balance", "200")];
        visitor.post("/accounts", &fields).expect_status(303);
        let fields = [("name", "Euros"), ("account_type", "depository"), ("currency", "EUR"),
            ("opening_balance", "3")];
        visitor.post("/accounts", &fields).expect_status(303);
        let page = visitor.get("/accounts").expect_page(200, "Net worth");
        for amount in [">$1,000.50<", ">€3.00<", ">$1,200.50<", ">$200.00<"] {
            assert!(page.text().contains(amount), "{amount} in {}", page.text());
        }
    }

    fn an_account_shows_its_line_and_its_latest_transactions(server) {
        let family = server.family();
        let account = family.account_with(json!({
            "name": "Checking", "account_type": "depository", "opening_balance": "100.00",
        }));
        let visitor = server.signed_in(&family);
        let path = format!("/accounts/{account}");
        let page = visitor.get(&path).expect_page(200, "No transactions yet");
        assert!(!page.text().contains("<svg"), "nothing to draw");
        let csv = "Date,Description,Amount\n2024-01-02,Shop,-5.25\n2024-02-02,Pay,7\n";
        family.import(&account, csv);
        let page = visitor.get(&format!("{path}?range=all")).expect_page(200, "<svg");
        let text = page.text();
        for part in ["lowest $94.75, highest $101.75", "\u{2212}$5.25", ">$7.00<", "All 2"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.find(">Pay<") < text.find(">Shop<"), "newest first");
        visitor.get(&format!("{path}?range=nonsense")).expect_status(200);
    }
}
