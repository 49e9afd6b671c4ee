//! Making accounts: every type, both forms of the body, defaults, and all problems at once.

use jiff::Span;
use serde_json::{Value, json};

use crate::both;
use crate::ledger::{account, balance, text, texts, today};
use crate::support::Scope;

const PATH: &str = "/api/v1/accounts";

const TYPES: [(&str, &str); 9] = [
    ("depository", "asset"),
    ("credit_card", "liability"),
    ("investment", "asset"),
    ("crypto", "asset"),
    ("loan", "liability"),
    ("property", "asset"),
    ("vehicle", "asset"),
    ("other_asset", "asset"),
    ("other_liability", "liability"),
];

const DATE_FORM: &str = "The opening_date must be a calendar date such as 2026-01-31";

both! {
    fn every_type_has_its_class_and_its_part_of_cash(server) {
        let family = server.family();
        for (account_type, class) in TYPES {
            let fields = json!({ "name": account_type, "account_type": account_type,
                "opening_balance": "12.5" });
            let made =
                family.api.post(PATH, &json!({ "account": fields })).expect_status(201).json();
            assert_eq!(made["account_type"], account_type);
            assert_eq!(made["classification"], class);
            assert_eq!(made["balance_decimal"], "12.50");
            let has_cash =
                matches!(account_type, "depository" | "credit_card" | "investment" | "crypto");
            let cash = if has_cash { "12.50" } else { "0.00" };
            assert_eq!(made["cash_balance_decimal"], cash, "{account_type}");
            assert_eq!(account(&family.api, &text(&made, "id")), made);
        }
    }

    fn notes_are_kept_as_they_were_written_and_shown_on_the_page(server) {
        let family = server.family();
        let notes = "  Joint <account>\nsince 2020 ";
        let fields = |notes: &str| json!({ "name": "A", "account_type": "loan", "notes": notes });
        let made = family.api.post(PATH, &fields(notes)).expect_status(201).json();
        assert_eq!(made["notes"], notes);
        let page = server.signed_in(&family).get(&format!("/accounts/{}", text(&made, "id")));
        let page = page.expect_page(200, "</html>").text();
        assert!(page.contains("Joint &#60;account&#62;\nsince 2020"), "{page}");
        let blank = family.api.post(PATH, &fields(" \n")).expect_status(201).json();
        assert_eq!(blank["notes"], Value::Null);
        let longest = "x".repeat(10_000);
        family.api.post(PATH, &fields(&longest)).expect_status(201);
        let refused = family.api.post(PATH, &fields(&format!("{longest}x")));
        let refused = refused.expect_error(422, "validation_failed");
        assert!(refused.to_string().contains("notes"), "{refused}");
    }

    fn the_wrapper_may_be_left_out(server) {
        let family = server.family();
        let fields = json!({ "name": " Checking ", "account_type": "depository", "subtype": "giro",
            "currency": "eur", "opening_balance": 10.25, "opening_date": "2026-01-01",
            "institution_name": "Bank", "institution_domain": "bank.example", "status": "draft",
            "balance": "10.250", "other": [1] });
        let flat = family.api.post(PATH, &fields).expect_status(201).json();
        let wrapped = family.api.post(PATH, &json!({ "account": fields, "name": "Outside" }));
        let wrapped = wrapped.expect_status(201).json();
        for (name, value) in [
            ("name", json!("Checking")),
            ("subtype", json!("giro")),
            ("currency", json!("EUR")),
            ("balance_decimal", json!("10.25")),
            ("institution_name", json!("Bank")),
            ("institution_domain", json!("bank.example")),
            ("status", json!("active")),
        ] {
            assert_eq!((&flat[name], &wrapped[name]), (&value, &value), "{name}");
        }
        assert_ne!(flat["id"], wrapped["id"], "a name may be used again");
    }

    fn the_names_that_other_programs_have_are_taken(server) {
        let family = server.family();
        let fields = json!({ "name": "Card", "accountable_type": "CreditCard", "balance": "5",
            "opening_balance_date": "2026-01-02" });
        let made = family.api.post(PATH, &json!({ "account": fields })).expect_status(201).json();
        assert_eq!((&made["account_type"], &made["balance_decimal"]), (&json!("credit_card"), &json!("5.00")));
        let found = family.api.get("/api/v1/valuations").expect_status(200).json();
        assert_eq!(found["valuations"][0]["date"], "2026-01-02");
        let wrong = json!({ "name": "Card", "accountable_type": "Wallet", "opening_balance_date": "soon" });
        let refused = family.api.post(PATH, &wrong).expect_error(422, "validation_failed");
        let errors = refused["errors"].as_array().unwrap();
        assert!(text(&refused, "message").contains("accountable_type"), "{refused}");
        assert!(errors.len() == 2 && errors[1].as_str().unwrap().contains("opening_balance_date"));
    }

    fn what_is_left_out_has_its_default(server) {
        let family = server.family_in("CHF");
        for fields in [
            json!({ "name": "A", "account_type": "loan" }),
            json!({ "name": "A", "account_type": "loan", "currency": null, "opening_balance": null,
                "opening_date": null, "subtype": null, "institution_name": null,
                "institution_domain": null }),
            json!({ "name": "A", "account_type": "loan", "currency": " ", "opening_balance": "",
                "opening_date": "", "subtype": " ", "institution_name": "",
                "institution_domain": "" }),
        ] {
            let made = family.api.post(PATH, &fields).expect_status(201).json();
            assert_eq!(made["currency"], "CHF");
            assert_eq!(made["balance"], "CHF 0.00");
            assert_eq!(made["status"], "active");
            for name in ["subtype", "institution_name", "institution_domain"] {
                assert_eq!(made[name], json!(null), "{name}");
            }
        }
        let valuations = family.api.get("/api/v1/valuations").json();
        assert_eq!(valuations["valuations"], json!([]), "an opening without a date is no entry");
    }

    fn a_type_is_read_in_any_case(server) {
        let family = server.family();
        for (sent, expected) in [
            ("Depository", "depository"),
            ("CreditCard", "credit_card"),
            ("CREDIT_CARD", "credit_card"),
            ("OtherLiability", "other_liability"),
        ] {
            let fields = json!({ "name": sent, "account_type": sent });
            let made = family.api.post(PATH, &fields).expect_status(201).json();
            assert_eq!(made["account_type"], expected);
        }
    }

    fn a_balance_is_taken_as_the_opening_balance(server) {
        let family = server.family();
        let fields = |more: Value| {
            let mut fields = json!({ "name": "A", "account_type": "depository" });
            fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            fields
        };
        let made = family.api.post(PATH, &fields(json!({ "balance": "12.5" }))).expect_status(201);
        assert_eq!(made.json()["balance_decimal"], "12.50");
        let same = json!({ "balance": 12.5, "opening_balance": "12.50" });
        family.api.post(PATH, &fields(same)).expect_status(201);
        for wrong in [json!({ "balance": "1", "opening_balance": "2" }), json!({ "balance": "$1" })]
        {
            let refused = family.api.post(PATH, &fields(wrong));
            let refused = refused.expect_error(422, "validation_failed");
            assert!(text(&refused, "message").starts_with("The balance "), "{refused}");
        }
    }

    fn every_problem_is_named_at_once(server) {
        let family = server.family();
        let types = TYPES.map(|(name, _)| name).join(", ");
        let wrong_type = format!("The account_type must be one of {types}");
        let long = "ü".repeat(201);
        for (fields, errors) in [
            (json!({}), json!(["Name is required", "The account_type is required"])),
            (json!({ "account": null }), json!(["Name is required", "The account_type is required"])),
            (
                json!({ "name": " ", "account_type": "Deposit" }),
                json!(["Name is required", wrong_type]),
            ),
            (
                json!({ "name": "A", "account_type": "loan", "currency": "XYZ" }),
                json!(["The currency must be a known currency code such as USD"]),
            ),
            (
                json!({ "name": "A", "account_type": "loan", "currency": "US" }),
                json!(["The currency must be a known currency code such as USD"]),
            ),
            (
                json!({ "name": 5, "account_type": ["loan"], "subtype": true }),
                json!([
                    "The name must be a string",
                    "The account_type must be a string",
                    "The subtype must be a string"
                ]),
            ),
            (
                json!({ "name": long, "account_type": "loan", "subtype": long,
                    "institution_name": long,
                "institution_domain": "a\0b" }),
                json!([
                    "The name must have at most 200 characters",
                    "The subtype must have at most 200 characters",
                    "The institution_name must have at most 200 characters",
                    "The institution_domain must not contain control characters"
                ]),
            ),
            (
                json!({ "account_type": "x", "currency": "", "opening_balance": "1,000",
                    "opening_date": "1/1/26" }),
                json!([
                    "Name is required",
                    wrong_type,
                    "The opening_balance must be a decimal number such as 12.50",
                    DATE_FORM
                ]),
            ),
            (
                json!({ "name": "A", "account_type": "loan", "opening_balance": 0.00001 }),
                json!(["The opening_balance must have at most 4 decimals"]),
            ),
            (
                json!({ "name": "A", "account_type": "loan",
                    "opening_balance": "900000000000000.01" }),
                json!(["The opening_balance is too large"]),
            ),
            (
                json!({ "name": "A", "account_type": "loan", "currency": "BTC",
                    "opening_balance": 1e-9 }),
                json!(["The opening_balance must have at most 8 decimals"]),
            ),
            (json!({ "account": "A" }), json!(["The account must be an object"])),
            (json!([]), json!(["The body must be an object"])),
        ] {
            let refused = family.api.post(PATH, &fields).expect_error(422, "validation_failed");
            assert_eq!(refused["errors"], errors, "{fields}");
            assert_eq!(refused["message"], errors[0], "{fields}");
        }
        assert_eq!(family.api.get(PATH).json()["accounts"], json!([]));
    }

    fn an_opening_with_a_date_is_an_entry_of_its_day(server) {
        let family = server.family();
        let soon = today(&family).saturating_add(Span::new().days(30));
        for (date, now) in [("1900-01-01".to_owned(), "500.00"), (soon.to_string(), "0.00")] {
            let fields = json!({ "name": "A", "account_type": "depository",
                "opening_balance": "500",
                "opening_date": date });
            let id = family.account_with(fields);
            assert_eq!(balance(&family.api, &id), now, "{date}");
            let page = family.api.get(&format!("/api/v1/valuations?account_id={id}")).json();
            assert_eq!(texts(&page["valuations"], "kind"), ["opening_anchor"]);
            assert_eq!(texts(&page["valuations"], "date"), [date]);
            assert_eq!(texts(&page["valuations"], "amount"), ["$500.00"]);
        }
        let late = today(&family).saturating_add(Span::new().years(1).days(2)).to_string();
        for (date, sentence) in [
            (json!("1899-12-31"), "The opening_date must be from 1900-01-01 to "),
            (json!(late), "The opening_date must be from 1900-01-01 to "),
            (json!("2026-02-29"), DATE_FORM),
            (json!(20_260_101), DATE_FORM),
            (json!(true), DATE_FORM),
        ] {
            let fields = json!({ "name": "A", "account_type": "loan", "opening_date": date });
            let refused = family.api.post(PATH, &fields).expect_error(422, "validation_failed");
            assert!(text(&refused, "message").starts_with(sentence), "{refused}");
        }
    }

    fn only_a_key_that_may_write_makes_accounts(server) {
        let family = server.family();
        let reader = server.client().with_key(&server.key(&family.email, Scope::Read));
        for body in [json!({}), json!({ "name": "A", "account_type": "loan" })] {
            reader.post(PATH, &body).expect_error(403, "insufficient_scope");
        }
        let made: Value = family.api.get(PATH).json();
        assert_eq!(made["pagination"]["total_count"], 0);
    }
}
