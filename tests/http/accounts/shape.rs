//! The members of an account in answers, in currencies of every precision.

use serde_json::json;

use crate::both;
use crate::ledger::{account, is_id, time, value};
use crate::support::Sql;

const PATH: &str = "/api/v1/accounts";

both! {
    fn an_account_is_an_object_without_envelope(server) {
        let family = server.family();
        let fields = json!({ "name": "Gold card", "account_type": "credit_card", "currency": "EUR",
            "opening_balance": "1234.5678", "institution_domain": "bank.example" });
        let made = family.api.post(PATH, &fields).expect_status(201).json();
        is_id(&made, "id");
        assert_eq!(time(&made, "created_at"), time(&made, "updated_at"));
        let mut rest = made.clone();
        for name in ["id", "created_at", "updated_at"] {
            assert!(rest.as_object_mut().unwrap().remove(name).is_some());
        }
        assert_eq!(
            rest,
            json!({
                "name": "Gold card",
                "balance": "€1,234.57",
                "balance_decimal": "1234.5678",
                "balance_cents": 123_457,
                "cash_balance": "€1,234.57",
                "cash_balance_decimal": "1234.5678",
                "cash_balance_cents": 123_457,
                "currency": "EUR",
                "classification": "liability",
                "account_type": "credit_card",
                "subtype": null,
                "status": "active",
                "institution_name": null,
                "institution_domain": "bank.example",
                "notes": null,
                "owner_id": null,
                "cost_method": "average",
                "complete": true,
            })
        );
        let page = family.api.get(PATH).json();
        let pagination = json!({ "page": 1, "per_page": 25, "total_count": 1, "total_pages": 1 });
        assert_eq!(page, json!({ "accounts": [made], "pagination": pagination }));
    }

    fn a_balance_is_text_decimal_and_smallest_units(server) {
        let family = server.family();
        for (currency, opening, formatted, decimal, cents) in [
            ("USD", "-1234.565", "-$1,234.57", "-1234.565", json!(-123_457)),
            ("USD", "0.0049", "$0.00", "0.0049", json!(0)),
            (
                "USD",
                "900000000000000",
                "$900,000,000,000,000.00",
                "900000000000000.00",
                json!(90_000_000_000_000_000_i64),
            ),
            ("CAD", "1234.56", "CA$1,234.56", "1234.56", json!(123_456)),
            ("JPY", "1234.5", "¥1,235", "1234.5", json!(1_235)),
            ("KWD", "1234.567", "KWD 1,234.567", "1234.567", json!(1_234_567)),
            ("BTC", "0.12345678", "₿0.12345678", "0.12345678", json!(12_345_678)),
            ("CLF", "1.2345", "CLF 1.2345", "1.2345", json!(12_345)),
        ] {
            for account_type in ["depository", "loan"] {
                let id = family.account_with(json!({ "name": "A", "account_type": account_type,
                    "currency": currency, "opening_balance": opening }));
                let account = account(&family.api, &id);
                assert_eq!(account["balance"], formatted, "{currency} {opening}");
                assert_eq!(account["balance_decimal"], decimal);
                assert_eq!(account["balance_cents"], cents);
                let cash = account_type == "depository";
                assert_eq!(account["cash_balance"] == account["balance"], cash || cents == 0);
                assert_eq!(
                    account["cash_balance_cents"],
                    if cash { cents.clone() } else { json!(0) }
                );
            }
        }
    }

    fn a_valuation_moves_the_account_at_once(server) {
        let family = server.family();
        let id = family.account("House", "property");
        Sql::open(&server).run("UPDATE accounts SET updated_at = created_at - 1000000");
        let before = account(&family.api, &id);
        value(&family.api, &id, "2026-01-12", "770639.1");
        let after = account(&family.api, &id);
        assert_eq!(after["balance"], "$770,639.10");
        assert_eq!(after["balance_cents"], 77_063_910);
        assert_eq!(after["cash_balance"], "$0.00");
        assert!(time(&after, "updated_at") > time(&before, "updated_at"));
        assert_eq!(after["created_at"], before["created_at"]);
    }
}
