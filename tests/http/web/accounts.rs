//! The pages of accounts.

use serde_json::json;

use crate::both;

both! {
    fn an_account_is_made_and_counted(server) {
        let family = server.family();
        let visitor = server.signed_in(&family);
        visitor.get("/accounts").expect_page(200, "There is nothing here yet");
        visitor.get("/accounts/new").expect_page(200, "<option value=\"USD\" selected>");
        let wrong = [("name", ""), ("account_type", "x"), ("opening_balance", "1,500")];
        let page = visitor.post("/accounts", &wrong).expect_page(422, "The name is required");
        assert_eq!(page.text().matches("class=\"problem\"").count(), 3);
        assert!(page.text().contains("The opening balance could be 1.50 or 1500.00"), "{}", page.text());
        assert_eq!(page.field("opening_balance").as_deref(), Some("1,500"));
        let fields =
            [("name", "Checking"), ("account_type", "depository"), ("opening_balance", "1.200,50")];
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
        let unknown = "because a rate or a price isn't known: Euros.";
        assert!(page.text().contains(unknown), "{}", page.text());
        // Converted as the API does.
        let rate = json!({ "base": "EUR", "quote": "USD", "date": "2024-01-02", "rate": "1.1" });
        family.api.post("/api/v1/exchange_rates", &rate).expect_status(201);
        let page = visitor.get("/accounts").expect_page(200, "1 EUR = 1.1 USD of 2 Jan 2024");
        let sheet = family.api.get("/api/v1/balance_sheet").expect_status(200).json();
        assert_eq!(sheet["net_worth"]["formatted"], "$1,003.80");
        for amount in [">$1,003.80<", ">$1,203.80<", ">$200.00<"] {
            assert!(page.text().contains(amount), "{amount} in {}", page.text());
        }
        assert!(!page.text().contains(unknown), "{}", page.text());
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

    fn statements_stand_beside_what_the_account_has(server) {
        let family = server.family();
        let account = family.account_with(json!({
            "name": "Checking", "account_type": "depository", "opening_balance": "100.00",
            "opening_date": "2023-12-31",
        }));
        let visitor = server.signed_in(&family);
        let (path, statements) =
            (format!("/accounts/{account}"), format!("/accounts/{account}/statements"));
        visitor.get(&path).expect_page(200, &format!("href=\"{statements}\""));
        visitor.get(&statements).expect_page(200, "No statements yet");
        for (month, opening, closing) in [("01", "100", "90"), ("03", "70", "60")] {
            let file = format!(
                ":20:1\n:25:1/98761234\n:28C:{month}\n:60F:C24{month}01USD{opening},\n\
                 :61:24{month}01D10,NTRF\n:86:Shop <1>\n:62F:C24{month}31USD{closing},\n-\n"
            );
            let fields = json!({ "account_id": account });
            crate::imports::publish(&family.api, &file, &fields);
        }
        let text = visitor.get(&statements).expect_page(200, "Reconciled").text();
        for part in [
            "1 Jan 2024 – 31 Jan 2024", "•••• 1234", "No. 1", "$20.00 less than in the account",
            "No statement of 29 days, 1 Feb 2024 to 29 Feb 2024; then the balance is $20.00 less",
            "the account has <span class=\"money\">$80.00<",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let list = family.api.get("/api/v1/transactions").expect_status(200).json();
        let shop = list["transactions"][1]["id"].as_str().unwrap();
        let page = visitor.get(&format!("/transactions/{shop}"));
        let text = page.expect_page(200, "statement of 1 Jan 2024").text();
        assert!(text.contains("</a>: Reconciled"), "{text}");
        visitor.get(&format!("{statements}?page=9")).expect_page(200, "Reconciled");
        let other = server.signed_in(&server.family());
        other.get(&statements).expect_status(404);
    }

    fn an_account_is_changed_where_somebody_typed(server) {
        let family = server.family();
        let account = family.account_with(json!({
            "name": "Checking", "account_type": "depository", "opening_balance": "100.00",
            "institution_name": "Bank", "notes": "one\ntwo",
        }));
        let visitor = server.signed_in(&family);
        let path = format!("/accounts/{account}");
        visitor.get(&path).expect_page(200, "/edit\">Change</a>");
        let edit = format!("{path}/edit");
        let page = visitor.get(&edit).expect_page(200, "Change the account");
        assert!(!page.text().contains("What is sold first"), "there are no shares in it");
        assert_eq!(page.field("before_name").as_deref(), Some("Checking"));
        let api = format!("/api/v1/accounts/{account}");
        let account_now = || family.api.get(&api).expect_status(200).json();
        // Somebody else gives it another bank meanwhile.
        family.api.patch(&api, &json!({ "institution_name": "Other" })).expect_status(200);
        let typed = [
            ("before_name", "Checking"), ("name", "Everyday"), ("before_institution_name", "Bank"),
            ("institution_name", "Bank"), ("before_notes", "one\r\ntwo"), ("notes", "one\r\ntwo"),
            ("before_status", "active"), ("status", "active"), ("before_cost_method", "average"),
        ];
        let saved = visitor.post(&edit, &typed).expect_status(303);
        assert_eq!(saved.header("Location"), Some(&*format!("{path}?done=account-saved")));
        let shown = account_now();
        assert_eq!(shown["name"], "Everyday");
        assert_eq!(shown["institution_name"], "Other");
        assert_eq!(shown["notes"], "one\ntwo");
        let refused = [("before_name", "Everyday"), ("name", " "), ("notes", "three")];
        let page = visitor.post(&edit, &refused).expect_page(422, "The name must have 1 to 200");
        assert!(page.text().contains("three</textarea>"), "{}", page.text());
        assert_eq!(account_now()["name"], "Everyday");
    }

    fn an_account_is_closed_and_opened_again(server) {
        let family = server.family();
        let account = family.account_with(json!({
            "name": "Old", "account_type": "depository", "opening_balance": "100.00",
        }));
        let visitor = server.signed_in(&family);
        let edit = format!("/accounts/{account}/edit");
        let to = |before, after| [("before_status", before), ("status", after)];
        visitor.post(&edit, &to("active", "disabled")).expect_status(303);
        let page = visitor.get("/accounts").expect_page(200, ">Closed</h2>");
        assert!(!page.text().contains("Assets"), "it counts nowhere: {}", page.text());
        visitor.get(&edit).expect_page(200, "<option value=\"disabled\" selected>");
        visitor.post(&edit, &to("disabled", "active")).expect_status(303);
        let page = visitor.get("/accounts").expect_page(200, "Assets");
        assert!(!page.text().contains(">Closed</h2>"), "{}", page.text());
    }

    fn the_balance_of_a_day_is_set(server) {
        let family = server.family();
        let account = family.account_with(json!({
            "name": "Checking", "account_type": "depository", "opening_balance": "100.00",
        }));
        let visitor = server.signed_in(&family);
        let path = format!("/accounts/{account}/balance");
        let set = [("balance", "250,75"), ("balance_date", "2026-01-05")];
        let done = visitor.post(&path, &set).expect_status(303);
        visitor.get(done.header("Location").unwrap()).expect_page(200, "The balance is set.");
        let shown = family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200);
        assert_eq!(shown.json()["balance_decimal"], "250.75");
        let wrong = [("balance", "many"), ("balance_date", "2026-01-05")];
        let page = visitor.post(&path, &wrong).expect_page(422, "The balance must be a decimal");
        assert_eq!(page.field("balance").as_deref(), Some("many"));
        assert_eq!(page.field("name").as_deref(), Some("Checking"), "the other form is whole");
        let blank = [("balance", ""), ("balance_date", "2026-01-05")];
        visitor.post(&path, &blank).expect_page(422, "The balance is required");
    }

    fn an_account_is_deleted(server) {
        let family = server.family();
        let account = family.account_with(json!({ "name": "Old", "account_type": "depository" }));
        family.import(&account, "Date,Description,Amount\n2024-01-02,Shop,-5.25\n");
        let visitor = server.signed_in(&family);
        visitor.get(&format!("/accounts/{account}/edit")).expect_page(200, "(transactions: 1)");
        let done = visitor.post(&format!("/accounts/{account}/delete"), &[]).expect_status(303);
        visitor.get(done.header("Location").unwrap()).expect_page(200, "The account is deleted.");
        visitor.get(&format!("/accounts/{account}")).expect_status(404);
    }
}
