//! Holdings over HTTP, put in by SQL because no route writes them yet.

use serde_json::{Value, json};

use crate::both;
use crate::support::{Family, Scope, Server, Sql};

const PATH: &str = "/api/v1/holdings";
const ID: &str = "01900000-0000-7000-8000-0000000000aa";
const SECURITY: &str = "01900000-0000-7000-8000-0000000000bb";
const UNKNOWN: &str = "01900000-0000-7000-8000-000000000000";

/// What a holding is worth and what it cost; amounts in the scale of the currency.
#[derive(Clone, Copy)]
struct Values {
    qty: &'static str,
    price: &'static str,
    amount: i64,
    currency: &'static str,
    cost: Option<(i64, &'static str)>,
    source: Option<&'static str>,
}

const SHARES: Values = Values {
    qty: "10.0",
    price: "187.1234",
    amount: 18_712_340,
    currency: "USD",
    cost: None,
    source: None,
};

/// A family with an account and one holding in it.
struct Fixture {
    family: Family,
    account: String,
    sql: Sql,
}

impl Fixture {
    fn new(server: &Server) -> Self {
        let family = server.family();
        let account = family.account("Broker", "investment");
        let sql = Sql::open(server);
        let (own, id, security) = (sql.uuid(&account), sql.uuid(ID), sql.uuid(SECURITY));
        sql.run(&format!(
            "INSERT INTO securities (family_id, id, ticker, exchange_operating_mic, name,
                created_at, updated_at)
             SELECT family_id, {security}, 'VTI', 'XNAS', 'Total Stock Market', 0, 0
                FROM accounts WHERE id = {own};
             INSERT INTO holdings (family_id, id, account_id, security_id, date, qty, price, amount,
                currency, cost_basis_locked, created_at, updated_at)
             SELECT family_id, {id}, id, {security}, 20468, '0', '0', 0, 'USD', {no},
                1000000, 2000000
                FROM accounts WHERE id = {own};",
            no = sql.flag(false)
        ));
        let fixture = Self { family, account, sql };
        fixture.set(SHARES);
        fixture
    }

    fn set(&self, values: Values) {
        let Values { qty, price, amount, currency, .. } = values;
        let text = |text: Option<&str>| text.map_or("NULL".into(), |text| format!("'{text}'"));
        let total = values.cost.map_or("NULL".to_owned(), |(total, _)| total.to_string());
        let (paid, source) = (text(values.cost.map(|(_, qty)| qty)), text(values.source));
        self.sql.run(&format!(
            "UPDATE holdings SET qty = '{qty}', price = '{price}', amount = {amount},
                currency = '{currency}', cost_total = {total}, cost_qty = {paid},
                cost_basis_source = {source}"
        ));
    }

    fn show(&self) -> Value {
        self.family.api.get(&format!("{PATH}/{ID}")).expect_status(200).json()
    }
}

both! {
    fn a_holding_is_a_bare_object(server) {
        let fixture = Fixture::new(&server);
        fixture.set(Values {
            cost: Some((15_000_000, "10")),
            source: Some("calculated"),
            ..SHARES
        });
        assert_eq!(
            fixture.show(),
            json!({
                "id": ID,
                "date": "2026-01-15",
                "qty": "10.0",
                "price": "$187.12",
                "price_decimal": "187.1234",
                "amount": "$1,871.23",
                "amount_decimal": "1871.234",
                "currency": "USD",
                "account": {
                    "id": fixture.account, "name": "Broker", "account_type": "investment",
                    "status": "active",
                },
                "security": {
                    "id": SECURITY, "ticker": "VTI", "exchange_operating_mic": "XNAS",
                    "name": "Total Stock Market",
                },
                "cost_basis_source": "calculated",
                "avg_cost": "$150.00",
                "avg_cost_decimal": "150.00",
                "created_at": "1970-01-01T00:00:01.000Z",
                "updated_at": "1970-01-01T00:00:02.000Z",
            })
        );
    }

    fn what_is_unknown_is_null(server) {
        let fixture = Fixture::new(&server);
        fixture.sql.run("UPDATE securities SET name = NULL, exchange_operating_mic = ''");
        let shown = fixture.show();
        for name in ["cost_basis_source", "avg_cost", "avg_cost_decimal"] {
            assert_eq!(shown.get(name), Some(&json!(null)), "{name}");
        }
        for name in ["name", "exchange_operating_mic"] {
            assert_eq!(shown["security"].get(name), Some(&json!(null)), "{name}");
        }
    }

    fn quantities_are_plain_decimals(server) {
        let fixture = Fixture::new(&server);
        for (stored, shown) in [
            ("10.0", "10.0"),
            ("10", "10.0"),
            ("0.00000001", "0.00000001"),
            ("0.000000000000000001", "0.000000000000000001"),
            ("1.50", "1.5"),
            ("-3.25", "-3.25"),
            ("0", "0.0"),
            ("123456789012345.12345678", "123456789012345.12345678"),
        ] {
            fixture.set(Values { qty: stored, ..SHARES });
            assert_eq!(fixture.show()["qty"], shown);
        }
    }

    fn a_price_below_the_smallest_unit_keeps_its_digits(server) {
        let fixture = Fixture::new(&server);
        for (currency, price, shown, decimal) in [
            ("USD", "0.000012", "$0.000012", "0.000012"),
            ("USD", "0.00000001", "$0.00000001", "0.00000001"),
            ("USD", "0.0099", "$0.0099", "0.0099"),
            ("USD", "0.01", "$0.01", "0.01"),
            ("USD", "0.015", "$0.02", "0.015"),
            ("USD", "0", "$0.00", "0.00"),
            ("USD", "1234.5", "$1,234.50", "1234.50"),
            ("USD", "0.0000000012", "$0.00", "0.0000000012"),
            ("EUR", "12.345", "€12.35", "12.345"),
            ("JPY", "0.5", "¥0.5", "0.5"),
            ("JPY", "1234.5", "¥1,235", "1234.5"),
            ("KWD", "1.2345", "KWD 1.235", "1.2345"),
            ("BTC", "0.000000012", "₿0.00000001", "0.000000012"),
        ] {
            fixture.set(Values { currency, price, ..SHARES });
            let holding = fixture.show();
            assert_eq!(holding["price"], shown, "{currency} {price}");
            assert_eq!(holding["price_decimal"], decimal, "{currency} {price}");
            assert_eq!(holding["currency"], currency);
        }
    }

    fn the_average_cost_is_rounded_only_as_text(server) {
        let fixture = Fixture::new(&server);
        for source in ["manual", "calculated", "provider"] {
            for (cost, shown, decimal) in [
                ((1_000_000, "3"), "$33.33", "33.33333333"),
                ((2_000_000, "3"), "$66.67", "66.66666667"),
                ((15_000_000, "10.0"), "$150.00", "150.00"),
                ((1, "10"), "$0.00001", "0.00001"),
                ((1, "3000000"), "$0.00", "0.00"),
                // Given for nothing, which is known; not the same as unknown.
                ((0, "10"), "$0.00", "0.00"),
                ((1_234_567_890_123, "0.5"), "$246,913,578.02", "246913578.0246"),
            ] {
                fixture.set(Values { cost: Some(cost), source: Some(source), ..SHARES });
                let holding = fixture.show();
                assert_eq!(holding["cost_basis_source"], source);
                assert_eq!(holding["avg_cost"], shown, "{cost:?}");
                assert_eq!(holding["avg_cost_decimal"], decimal, "{cost:?}");
            }
        }
    }

    fn only_accounts_in_sight_show_their_holdings(server) {
        let fixture = Fixture::new(&server);
        let path = format!("{PATH}/{ID}");
        for (status, expected) in
            [("draft", 200), ("disabled", 404), ("pending_deletion", 404), ("active", 200)]
        {
            fixture.sql.set_status(&fixture.account, status);
            let answer = fixture.family.api.get(&path);
            if expected == 404 {
                let refused = answer.expect_error(404, "not_found");
                assert_eq!(refused["message"], "Holding not found", "{status}");
            } else {
                assert_eq!(answer.expect_status(200).json()["account"]["status"], status);
            }
        }
    }

    fn a_holding_is_its_familys(server) {
        let fixture = Fixture::new(&server);
        let api = &fixture.family.api;
        let missing = json!({ "error": "not_found", "message": "Holding not found" });
        for id in [UNKNOWN, "5", SECURITY, fixture.account.as_str(), &ID.replace('-', "")] {
            let refused = api.get(&format!("{PATH}/{id}")).expect_error(404, "not_found");
            assert_eq!(refused, missing, "{id}");
        }
        let path = format!("{PATH}/{ID}");
        assert_eq!(server.family().api.get(&path).expect_error(404, "not_found"), missing);
        let reader = server.client().with_key(&server.key(&fixture.family.email, Scope::Read));
        assert_eq!(reader.get(&path).expect_status(200).json(), fixture.show());
        assert_eq!(reader.get(&format!("{PATH}/{}", ID.to_uppercase())).status, 200);
        server.client().get(&path).expect_error(401, "unauthorized");
    }
}
