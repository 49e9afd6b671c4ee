//! What is found after a publish, and what is not.

use serde_json::{Value, json};

use super::{Accounts, PATH, listed, pair};
use crate::both;
use crate::support::Options;

both! {
    fn a_publish_finds_transfers_with_score_and_reasons(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.import(
            &accounts.checking,
            &[(5, "-500.00", "To Rainy Day"), (9, "-20.00", "Lunch"), (20, "-75.00", "Shoes")],
        );
        accounts.import(
            &accounts.savings,
            &[(6, "500.00", "Incoming"), (24, "75.00", "Deposit"), (9, "19.99", "Interest")],
        );
        let found = accounts.settled(2);
        let expected =
            [pair("Shoes", "Deposit", "pending"), pair("To Rainy Day", "Incoming", "confirmed")];
        assert_eq!(found, expected);

        let confirmed = api.get(&format!("{PATH}?status=confirmed")).json()["transfers"][0].clone();
        assert_eq!(confirmed["made_by"], "matching");
        assert_eq!(confirmed["score"], 85);
        assert_eq!(
            confirmed["reasons"],
            json!([
                "The amounts are equal and opposite.",
                "They are one day apart.",
                "“To Rainy Day” names the account Rainy Day.",
                "Nothing else fits to either of them.",
            ])
        );
        assert_eq!(confirmed["date"], "2026-01-05");
        assert_eq!(confirmed["amount"], "$500.00");
        assert_eq!(confirmed["amount_cents"], 50_000);
        assert_eq!(confirmed["transfer_type"], "transfer");
        assert_eq!(confirmed["outflow_transaction"]["amount_decimal"], "500.00");
        assert_eq!(confirmed["inflow_transaction"]["amount_decimal"], "-500.00");
        assert_eq!(confirmed["inflow_transaction"]["account"]["name"], "Rainy Day");
        for side in ["outflow_transaction", "inflow_transaction"] {
            assert_eq!(confirmed[side]["entry_id"], confirmed[side]["id"]);
            assert_eq!(confirmed[side]["kind"], "funds_movement");
        }
        let id = confirmed["id"].as_str().unwrap();
        assert_eq!(api.get(&format!("{PATH}/{id}")).expect_status(200).json(), confirmed);

        // Both transactions show it, in lists of their own account too.
        for (name, account, other) in [
            ("To Rainy Day", &accounts.checking, "Rainy Day"),
            ("Incoming", &accounts.savings, "Everyday"),
        ] {
            let list = format!("/api/v1/transactions?account_id={account}");
            let body = api.get(&list).expect_status(200).json();
            let all = body["transactions"].as_array().unwrap();
            let shown = &all.iter().find(|one| one["name"] == name).unwrap()["transfer"];
            assert_eq!(shown["id"], confirmed["id"]);
            assert_eq!(shown["status"], "confirmed");
            assert_eq!(shown["other_account"]["name"], other);
            assert_eq!(shown["amount"], "$500.00", "positive on both sides");
            assert_eq!(shown["amount_decimal"], "500.00");
            assert_eq!(shown["currency"], "USD");
        }
        let lunch = api.get(&format!("/api/v1/transactions/{}", accounts.id("Lunch"))).json();
        assert!(lunch["transfer"].is_null());
    }

    fn the_order_of_uploads_does_not_matter_and_again_changes_nothing(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.import(&accounts.savings, &[(6, "500.00", "Incoming")]);
        accounts.import(&accounts.checking, &[(6, "-500.00", "Outgoing")]);
        assert_eq!(accounts.settled(1), [pair("Outgoing", "Incoming", "confirmed")]);
        let before = api.get(PATH).text();
        accounts.look_again();
        accounts.look_again();
        assert_eq!(api.get(PATH).text(), before);
    }

    fn what_is_not_certain_is_proposed_or_left_alone(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.import(
            &accounts.checking,
            &[(5, "-50.00", "a"), (5, "-50.00", "b"), (15, "-30.00", "Groceries"), (25, "-9", "c")],
        );
        accounts.import(
            &accounts.savings,
            &[(5, "50.00", "d"), (5, "50.00", "e"), (16, "30.00", "Refund"), (30, "9", "f")],
        );
        let expected = [("a", "d"), ("a", "e"), ("b", "d"), ("b", "e")]
            .map(|(out, into)| pair(out, into, "pending"));
        assert_eq!(accounts.settled(4), expected);
    }

    fn a_card_that_is_paid_is_a_payment(server) {
        let accounts = Accounts::new(server.family());
        let card = accounts.family.account("Gold Card", "credit_card");
        let loan = accounts.family.account("Car loan", "loan");
        accounts.import(&accounts.checking, &[(5, "-120.00", "Card"), (15, "-300.00", "Loan")]);
        accounts.import(&card, &[(7, "120.00", "Payment - thank you")]);
        accounts.import(&loan, &[(16, "300.00", "Installment")]);
        accounts.settled(2);
        let body = accounts.family.api.get(PATH).json();
        assert_eq!(body["transfers"][0]["transfer_type"], "loan_payment");
        assert_eq!(body["transfers"][1]["transfer_type"], "liability_payment");
        let kinds = |transfer: &Value| {
            ["outflow_transaction", "inflow_transaction"].map(|side| transfer[side]["kind"].clone())
        };
        assert_eq!(kinds(&body["transfers"][0]), ["loan_payment", "funds_movement"]);
        assert_eq!(kinds(&body["transfers"][1]), ["cc_payment", "funds_movement"]);
    }

    fn the_family_can_have_all_proposed_or_none(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.want("off");
        accounts.import(&accounts.checking, &[(5, "-500.00", "Transfer")]);
        accounts.import(&accounts.savings, &[(5, "500.00", "Transfer")]);
        let asked = api.request("POST", "/api/v1/transfers/match", None);
        asked.expect_error(409, "transfer_matching_off");
        accounts.settle();
        assert_eq!(listed(api, ""), []);
        accounts.want("propose");
        accounts.look_again();
        assert_eq!(accounts.settled(1), [pair("Transfer", "Transfer", "pending")]);
        accounts.want("automatic");
        accounts.look_again();
        assert_eq!(listed(api, "status=confirmed").len(), 1);
    }

    fn an_undo_takes_the_transfers_of_its_transactions_along(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.import(&accounts.checking, &[(5, "-500.00", "Outgoing")]);
        let import =
            accounts.family.import(&accounts.savings, "date,amount,name\n2026-01-05,+500,Incoming\n");
        accounts.settled(1);
        let revert = format!("/api/v1/imports/{}/revert", import["id"].as_str().unwrap());
        api.request("POST", &revert, None).expect_status(202);
        accounts.settled(0);
        let out = api.get(&format!("/api/v1/transactions/{}", accounts.id("Outgoing")));
        assert!(out.json()["transfer"].is_null());
        server.run_json(&["check"], "");
    }

    fn a_changed_amount_ends_its_transfer(server) {
        let accounts = Accounts::new(server.family());
        let api = &accounts.family.api;
        accounts.import(&accounts.checking, &[(5, "-500.00", "Outgoing")]);
        accounts.import(&accounts.savings, &[(5, "500.00", "Incoming")]);
        accounts.settled(1);
        let path = format!("/api/v1/transactions/{}", accounts.id("Incoming"));
        api.patch(&path, &json!({ "name": "Renamed" })).expect_status(200);
        assert_eq!(listed(api, ""), [pair("Outgoing", "Renamed", "confirmed")]);
        api.patch(&path, &json!({ "amount": "-400.00" })).expect_status(200);
        assert_eq!(listed(api, ""), []);
        server.run_json(&["check"], "");
    }

    fn random_amounts_in_a_busy_ledger_are_no_transfers(
        server = Options::new().env("PURSER_MAX_CSV_BYTES", 64 * 1024 * 1024)
    ) {
        let accounts = Accounts::new(server.family());
        let mut state = 12_345_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for account in [&accounts.checking, &accounts.savings] {
            let mut csv = "date,amount,name\n".to_owned();
            for row in 0..4_000 {
                let (cents, sign) = (random(100), if random(2) == 0 { "-" } else { "" });
                let day = row % 28 + 1;
                csv.push_str(&format!("2026-01-{day:02},{sign}{}.{cents:02},x{row}\n", random(400)));
            }
            accounts.family.import(account, &csv);
        }
        accounts.settle();
        assert_eq!(listed(&accounts.family.api, "per_page=100"), []);
    }
}
