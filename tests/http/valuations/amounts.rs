//! Amounts are read exactly, to the last digit, or refused.

use crate::both;
use crate::ledger::{account, balance, post_text, unlimited};
use crate::support::{Answer, Family};
use serde_json::json;

const NO_NUMBER: &str = "The amount must be a decimal number such as 12.50";
const TOO_FINE: &str = "The amount must have at most 4 decimals";
const TOO_LARGE: &str = "The amount is too large";

/// What is sent, as JSON; the exact amount; the formatted one.
type AmountCase = (&'static str, &'static str, &'static str);

const DOLLARS: &[AmountCase] = &[
    ("770639.10", "770639.10", "$770,639.10"),
    (r#""770639.10""#, "770639.10", "$770,639.10"),
    ("123456789012.3456", "123456789012.3456", "$123,456,789,012.35"),
    (r#""123456789012.3456""#, "123456789012.3456", "$123,456,789,012.35"),
    ("900719925474.0993", "900719925474.0993", "$900,719,925,474.10"),
    ("0.1", "0.10", "$0.10"),
    ("0.3", "0.30", "$0.30"),
    // Sums that clients made in floats.
    ("0.30000000000000004", "0.30", "$0.30"),
    ("-30.299999999999997", "-30.30", "-$30.30"),
    ("1234.5600000000001", "1234.56", "$1,234.56"),
    ("1.005", "1.005", "$1.01"),
    ("-1.005", "-1.005", "-$1.01"),
    ("2.675", "2.675", "$2.68"),
    ("8.325", "8.325", "$8.33"),
    ("1.50000000", "1.50", "$1.50"),
    ("1e3", "1000.00", "$1,000.00"),
    ("1E+3", "1000.00", "$1,000.00"),
    ("12.5e-1", "1.25", "$1.25"),
    ("1e-4", "0.0001", "$0.00"),
    ("0e-999999999999", "0.00", "$0.00"),
    ("-0.0", "0.00", "$0.00"),
    ("-0.004", "-0.004", "$0.00"),
    (r#""-1234.5""#, "-1234.50", "-$1,234.50"),
    (r#"" 12.50 ""#, "12.50", "$12.50"),
    (r#""0012""#, "12.00", "$12.00"),
    ("900000000000000", "900000000000000.00", "$900,000,000,000,000.00"),
    ("-900000000000000.0000", "-900000000000000.00", "-$900,000,000,000,000.00"),
    (r#""899999999999999.9999""#, "899999999999999.9999", "$900,000,000,000,000.00"),
];

const REFUSED: &[(&str, &str)] = &[
    (r#""0.30000000000000004""#, TOO_FINE),
    ("0.123456789012345678", TOO_FINE),
    ("1e-5", TOO_FINE),
    ("1e-999999999999", TOO_FINE),
    (r#""1.23456""#, TOO_FINE),
    (r#""1.50000""#, TOO_FINE),
    ("900000000000000.0001", TOO_LARGE),
    ("-900000000000000.0001", TOO_LARGE),
    ("1e15", TOO_LARGE),
    ("1e999999999999", TOO_LARGE),
    (r#""9223372036854775808""#, TOO_LARGE),
    (r#""99999999999999999999999999999999999999999999""#, TOO_LARGE),
    (r#""abc""#, NO_NUMBER),
    (r#""NaN""#, NO_NUMBER),
    (r#""Infinity""#, NO_NUMBER),
    (r#""-""#, NO_NUMBER),
    (r#"".""#, NO_NUMBER),
    (r#"".5""#, NO_NUMBER),
    (r#""5.""#, NO_NUMBER),
    (r#""--5""#, NO_NUMBER),
    (r#""+5""#, NO_NUMBER),
    (r#""1e3""#, NO_NUMBER),
    (r#""0x10""#, NO_NUMBER),
    (r#""1,234.56""#, NO_NUMBER),
    (r#""1234,56""#, NO_NUMBER),
    (r#""1 000""#, NO_NUMBER),
    (r#""1_000""#, NO_NUMBER),
    (r#""$5""#, NO_NUMBER),
    (r#""5 USD""#, NO_NUMBER),
    (r#""(5)""#, NO_NUMBER),
    (r#""−5""#, NO_NUMBER),
    (r#""٥""#, NO_NUMBER),
    (r#""5\u0000""#, NO_NUMBER),
    (r#""\ud800""#, NO_NUMBER),
    ("true", NO_NUMBER),
    ("false", NO_NUMBER),
    ("[]", NO_NUMBER),
    ("[5]", NO_NUMBER),
    ("{}", NO_NUMBER),
    (r#"{"amount": 5}"#, NO_NUMBER),
];

both! {
    fn an_amount_is_kept_to_the_last_digit(server = unlimited()) {
        takes(&server.family(), "USD", DOLLARS);
    }

    fn each_currency_has_its_own_decimals(server) {
        let family = server.family();
        takes(
            &family,
            "BTC",
            &[
                ("0.00000001", "0.00000001", "₿0.00000001"),
                ("1e-8", "0.00000001", "₿0.00000001"),
                (r#""20999999.97690001""#, "20999999.97690001", "₿20,999,999.97690001"),
                ("90000000000", "90000000000.00000000", "₿90,000,000,000.00000000"),
            ],
        );
        takes(
            &family,
            "JPY",
            &[
                ("1235", "1235", "¥1,235"),
                ("1234.5", "1234.5", "¥1,235"),
                ("-1234.5", "-1234.5", "-¥1,235"),
                ("0.4", "0.4", "¥0"),
                ("-0.4", "-0.4", "¥0"),
            ],
        );
        takes(
            &family,
            "KWD",
            &[("1234.567", "1234.567", "KWD 1,234.567"), ("-0.0005", "-0.0005", "-KWD 0.001")],
        );
        let wallet = open(&family, "BTC");
        for (amount, sentence) in [
            ("0.000000001", "The amount must have at most 8 decimals"),
            ("90000000000.00000001", TOO_LARGE),
        ] {
            refuses(&family, &wallet, amount, sentence);
        }
        refuses(&family, &open(&family, "JPY"), "1.00001", TOO_FINE);
    }

    fn what_is_no_amount_changes_nothing(server) {
        let family = server.family();
        let account = open(&family, "USD");
        send(&family, &account, "17.5").expect_status(201);
        for (amount, sentence) in REFUSED {
            refuses(&family, &account, amount, sentence);
        }
        assert_eq!(balance(&family.api, &account), "17.50");
    }

    fn amounts_add_up_exactly(server) {
        let family = server.family();
        let wallet = open(&family, "USD");
        send(&family, &wallet, "0.1").expect_status(201);
        family.import(&wallet, "Date,Description,Amount\n2026-01-13,a,0.2\n2026-01-14,b,0.0001\n");
        assert_eq!(balance(&family.api, &wallet), "0.3001");
        send(&family, &wallet, "123456789012.3456").expect_status(201);
        assert_eq!(balance(&family.api, &wallet), "123456789012.5457");
    }
}

fn takes(family: &Family, currency: &str, table: &[AmountCase]) {
    let id = open(family, currency);
    for (amount, decimal, formatted) in table {
        let made = send(family, &id, amount).expect_status(201);
        let (made, entry) = (made.json(), made.id());
        let path = format!("/api/v1/valuations/{entry}");
        let shown = family.api.get(&path).expect_status(200).json();
        assert_eq!(shown, made, "{amount}");
        assert_eq!(made["amount_decimal"], **decimal, "{amount}");
        assert_eq!(made["amount"], **formatted, "{amount}");
        assert_eq!(made["currency"], currency);
        let account = account(&family.api, &id);
        assert_eq!(account["balance_decimal"], **decimal, "{amount}");
        assert_eq!(account["balance"], **formatted, "{amount}");
    }
}

fn refuses(family: &Family, account: &str, amount: &str, sentence: &str) {
    let refused = send(family, account, amount).expect_error(422, "validation_failed");
    assert_eq!(refused["errors"], json!([sentence]), "{amount}");
    assert_eq!(refused["message"], sentence);
}

fn open(family: &Family, currency: &str) -> String {
    let fields = json!({ "name": currency, "account_type": "other_asset", "currency": currency });
    family.account_with(fields)
}

fn send(family: &Family, account: &str, amount: &str) -> Answer {
    let fields =
        format!(r#"{{"account_id": "{account}", "amount": {amount}, "date": "2026-01-12"}}"#);
    post_text(&family.api, "/api/v1/valuations", &format!(r#"{{"valuation": {fields}}}"#))
}
