//! Money without a security that is written as a trade: it becomes a transaction.

use serde_json::{Value, json};

use super::PATH;
use crate::both;
use crate::support::Family;

fn sent(family: &Family, fields: &Value, status: u16) -> Value {
    family.api.post(PATH, &json!({ "trade": fields })).expect_status(status).json()
}

fn balance(family: &Family, account: &str) -> Value {
    let body = family.api.get(&format!("/api/v1/accounts/{account}")).expect_status(200).json();
    body["balance_decimal"].clone()
}

both! {
    fn deposits_withdrawals_interest_and_fees_are_transactions(server) {
        let family = server.family();
        let depot = family.account("Depot", "investment");
        for (kind, amount, signed, name) in [
            ("deposit", "100", "-100.00", "Deposit"),
            ("withdrawal", "30.5", "30.50", "Withdrawal"),
            ("interest", "1", "-1.00", "Interest"),
            ("fee", "0.25", "0.25", "Fee"),
        ] {
            let fields = json!({ "account_id": depot, "type": kind, "amount": amount,
                "date": "2026-01-05", "external_id": kind });
            let made = sent(&family, &fields, 201);
            assert_eq!(made["amount_decimal"], signed, "{kind}");
            assert_eq!(made["name"], name);
            let path = format!("/api/v1/transactions/{}", made["id"].as_str().unwrap());
            assert_eq!(family.api.get(&path).expect_status(200).json(), made);
            assert_eq!(sent(&family, &fields, 200), made, "the same external id");
        }
        assert_eq!(balance(&family, &depot), "70.25");
    }

    fn a_deposit_from_an_account_of_the_family_is_a_transfer(server) {
        let family = server.family();
        let (depot, giro) = (family.account("Depot", "investment"), family.account("Giro", "depository"));
        let made = sent(&family, &json!({ "account_id": depot, "type": "deposit", "amount": 50,
            "date": "2026-01-05", "transfer_account_id": giro, "name": "Savings plan" }), 201);
        assert_eq!(made["transfer"]["status"], "confirmed");
        assert_eq!(made["transfer"]["other_account"]["id"], giro);
        assert_eq!((balance(&family, &depot), balance(&family, &giro)), (json!("50.00"), json!("-50.00")));
        let made = sent(&family, &json!({ "account_id": depot, "type": "withdrawal", "amount": 20,
            "date": "2026-01-06", "transfer_account_id": giro }), 201);
        assert_eq!(made["transfer"]["status"], "confirmed");
        assert_eq!((balance(&family, &depot), balance(&family, &giro)), (json!("30.00"), json!("-30.00")));
        let flow = family.api.get("/api/v1/reports/cash_flow").expect_status(200).json();
        assert_eq!(flow["months"], json!([]), "{flow}");
    }

    fn what_means_nothing_is_refused_and_nothing_is_made(server) {
        let family = server.family();
        let (depot, giro) = (family.account("Depot", "investment"), family.account("Giro", "depository"));
        let other = server.family().account("Theirs", "depository");
        let base = json!({ "account_id": depot, "type": "deposit", "amount": "5", "date": "2026-01-05" });
        for (name, value, sentence) in [
            ("account_id", json!(giro), "The account_id must name an account of type investment or crypto"),
            ("account_id", Value::Null, "Account ID is required"),
            ("amount", json!("-5"), "The amount must be more than 0: the type is the direction of the money"),
            ("amount", json!("0.00"), "The amount must be more than 0: the type is the direction of the money"),
            ("amount", Value::Null, "Amount is required"),
            ("qty", json!("1"), "The qty is not for a deposit"),
            ("transfer_account_id", json!(depot), "The transfer_account_id must name another account"),
            ("transfer_account_id", json!(other), "The transfer_account_id is not an account of this family"),
            ("category_id", json!(other), "The category_id is not a category of this family"),
        ] {
            let mut fields = base.clone();
            fields[name] = value;
            let refused = sent(&family, &fields, 422);
            assert_eq!(refused["message"], sentence, "{refused}");
        }
        let odd = json!({ "account_id": depot, "type": "buy", "ticker": "A", "qty": 1, "price": 1,
            "date": "2026-01-05", "investment_activity_label": "Reinvestment", "category_id": other });
        let made = sent(&family, &odd, 201);
        assert_eq!(made["investment_activity_label"], "Buy", "it follows from the type");
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        let change = json!({ "name": "Mine", "nature": "inflow", "category_id": null,
            "investment_activity_label": "Sweep In" });
        assert_eq!(family.api.patch(&path, &change).expect_status(200).json()["name"], "Mine");
        let change = json!({ "investment_activity_label": "Gift" });
        family.api.patch(&path, &change).expect_error(422, "validation_failed");
        let unknown = sent(&family, &json!({ "account_id": depot, "type": "gift" }), 422);
        assert!(unknown["message"].as_str().unwrap().starts_with("Date is required")
            || unknown["message"].as_str().unwrap().contains("deposit or withdrawal"), "{unknown}");
        let rows = family.api.get("/api/v1/transactions").expect_status(200).json();
        assert_eq!(rows["pagination"]["total_count"], 0);
    }
}
