//! Amounts: the four formats, what stands around numbers, signs, and currencies.

use serde_json::{Value, json};

use super::{both_whole, errors, merged, path, publish, rows, transactions, upload};
use crate::support::{Backend, Family, Server};

/// The amount of a single cell, positive for money out, or the reason why it is none.
#[track_caller]
fn cell(family: &Family, cell: &str, fields: &Value) -> Result<String, String> {
    let quoted = cell.replace('"', "\"\"");
    let csv = format!("Date;Amount;Name\n2024-01-02;\"{quoted}\";A\n");
    let known = json!({ "col_sep": ";", "date_format": "%Y-%m-%d",
        "signage_convention": "inflows_positive" });
    let fields = merged(&known, fields);
    let import = upload(&family.api, &csv, &fields);
    let shown = rows(&family.api, &import);
    let [line] = shown.as_slice() else { panic!("{cell:?}: {shown:?} {import}") };
    match line.strip_prefix("2024-01-02 ") {
        Some(rest) => Ok(rest.strip_suffix(" A").expect("the name").to_owned()),
        None => Err(line.clone()),
    }
}

#[test]
fn each_format_reads_what_is_written_in_it_and_nothing_else() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    let formats = ["1,234.56", "1.234,56", "1 234,56", "1,234"];
    // What each of the four formats makes of a cell; none = an invalid row.
    for (text, expected) in [
        ("1,234.56", [Some("1234.56"), None, None, None]),
        ("1.234,56", [None, Some("1234.56"), None, None]),
        ("1 234,56", [None, None, Some("1234.56"), None]),
        ("1\u{a0}234,56", [None, None, Some("1234.56"), None]),
        ("1\u{202f}234,56", [None, None, Some("1234.56"), None]),
        ("1,234", [Some("1234.00"), Some("1.234"), Some("1.234"), Some("1234.00")]),
        ("12,50", [None, Some("12.50"), Some("12.50"), None]),
        ("12.50", [Some("12.50"), None, None, None]),
        ("1.234", [Some("1.234"), Some("1234.00"), None, None]),
        ("1234", [Some("1234.00"); 4]),
        ("0", [Some("0.00"); 4]),
        (".50", [Some("0.50"), None, None, None]),
        ("1'234.56", [Some("1234.56"), None, None, None]),
        ("1,23,456.78", [Some("123456.78"), None, None, None]),
        ("12,34,567", [Some("1234567.00"), None, None, Some("1234567.00")]),
        ("0.1234", [Some("0.1234"), None, None, None]),
        ("0.12345", [None; 4]),
        ("1,2345.6", [None; 4]),
        ("12/34", [None; 4]),
        ("1e5", [None; 4]),
        ("0x10", [None; 4]),
        ("NaN", [None; 4]),
        ("twelve", [None; 4]),
        ("", [None; 4]),
        ("-", [None; 4]),
    ] {
        for (format, expected) in formats.iter().zip(expected) {
            let read = cell(
                &family,
                text,
                &json!({ "number_format": format, "signage_convention": "inflows_negative" }),
            );
            match (expected, read) {
                (Some(expected), Ok(read)) => {
                    assert_eq!(read, format!("{expected} USD"), "{text} as {format}")
                }
                (None, Err(why)) => {
                    assert!(why.starts_with("line 2: Amount "), "{text} as {format}: {why}")
                }
                (expected, read) => {
                    panic!("{text} as {format}: expected {expected:?}, read {read:?}")
                }
            }
        }
    }
}

#[test]
fn signs_and_currencies_around_a_number_are_understood() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for (text, expected) in [
        ("-12.50", Some("12.50 USD")),
        ("+12.50", Some("-12.50 USD")),
        ("12.50-", Some("12.50 USD")),
        ("(12.50)", Some("12.50 USD")),
        ("\u{2212}12.50", Some("12.50 USD")),
        ("$12.50", Some("-12.50 USD")),
        ("-$12.50", Some("12.50 USD")),
        ("$-12.50", Some("12.50 USD")),
        ("($1,234.50)", Some("1234.50 USD")),
        ("12.50 USD", Some("-12.50 USD")),
        ("USD 12.50", Some("-12.50 USD")),
        ("12.50 CR", Some("-12.50 USD")),
        ("12.50 DR", Some("12.50 USD")),
        ("12.50cr", Some("-12.50 USD")),
        ("€ 12.50", Some("-12.50 EUR")),
        ("12.50 EUR", Some("-12.50 EUR")),
        ("--12.50", None),
        ("(-12.50)", None),
        ("-12.50 CR", None),
        ("12.50 XXX", None),
        ("€12.50 USD", None),
        ("900,000,000,000,000.00", Some("-900000000000000.00 USD")),
        ("900,000,000,000,000.01", None),
        ("99999999999999999999999999", None),
    ] {
        let read = cell(&family, text, &json!({ "number_format": "1,234.56" }));
        assert_eq!(read.as_ref().ok().map(String::as_str), expected, "{text}: {read:?}");
    }
    for (convention, expected) in
        [("inflows_positive", "12.50 USD"), ("inflows_negative", "-12.50 USD")]
    {
        let fields = json!({ "signage_convention": convention, "number_format": "1,234.56" });
        assert_eq!(cell(&family, "-12.50", &fields).as_deref(), Ok(expected));
        // The mark of the bank beside the number is not a matter of convention.
        assert_eq!(cell(&family, "12.50 DR", &fields).as_deref(), Ok("12.50 USD"));
    }
}

#[test]
fn the_format_is_found_in_the_whole_column() {
    let server = Server::start(Backend::Sqlite);
    let family = server.family();
    for (cells, format, last) in [
        (["1,234.56", "12.50"], "1,234.56", "-12.50"),
        (["1.234,56", "12,50"], "1.234,56", "-12.50"),
        (["1 234,56", "12,50"], "1 234,56", "-12.50"),
        (["1,234", "1,234.5"], "1,234.56", "-1234.50"),
        (["1.234", "12,5"], "1.234,56", "-12.50"),
        (["12", "7"], "1,234.56", "-7.00"),
    ] {
        let csv =
            format!("Date;Amount;Name\n2024-01-02;{};A\n2024-01-03;{};B\n", cells[0], cells[1]);
        let known = json!({ "signage_convention": "inflows_positive" });
        let import = upload(&family.api, &csv, &known);
        assert_eq!(
            import["configuration"]["number_format"], format,
            "{cells:?} {}",
            import["source"]
        );
        assert_eq!(rows(&family.api, &import)[1], format!("2024-01-03 {last} USD B"), "{cells:?}");
    }
}

both_whole! {
    fn two_formats_that_fit_are_a_question(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let main =
            json!({ "account_id": account, "signage_convention": "inflows_positive" });
        for (cells, one, other, shown) in [
            (["1.234", "5.678"], ("1,234.56", "1.234"), ("1.234,56", "1234.00"), "\"1.234\""),
            (["1,234", "5,678"], ("1,234.56", "1234.00"), ("1.234,56", "1.234"), "\"1,234\""),
        ] {
            let csv = format!("Date;Amount\n2024-01-02;{}\n2024-01-03;{}\n", cells[0], cells[1]);
            let import = upload(&family.api, &csv, &main);
            assert_eq!(import["status_detail"]["configured"], false, "{import}");
            assert_eq!(import["configuration"]["number_format"], json!(null));
            let refused = family
                .api
                .post(&path(&import, "/publish"), &json!({}))
                .expect_error(422, "not_configured");
            let problem = &errors(&refused)[0];
            assert!([one.0, other.0, shown].iter().all(|part| problem.contains(part)), "{problem}");
            for (format, expected) in [one, other] {
                let import =
                    upload(&family.api, &csv, &merged(&main, &json!({ "number_format": format })));
                assert_eq!(
                    rows(&family.api, &import)[0],
                    format!("2024-01-02 -{expected} USD Imported transaction")
                );
            }
        }
        // Both questions at once are both named.
        let import = upload(&family.api, "Date;Amount\n01/02/2024;1.234\n", &main);
        let refused = family
            .api
            .post(&path(&import, "/publish"), &json!({}))
            .expect_error(422, "not_configured");
        assert_eq!(errors(&refused).len(), 2, "{refused}");
    }

    fn two_columns_give_the_direction(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "Date,Description,Debit,Credit\n2024-01-02,Out,12.50,\n2024-01-03,In,,7.00\n\
                   2024-01-04,Signed,-3.00,0.00\n2024-01-05,Both,1.00,1.00\n2024-01-06,None,,\n";
        let fields = json!({ "account_id": account, "signage_convention": "inflows_negative" });
        // A minus among amounts without one may be a reversal.
        let open = upload(&family.api, csv, &fields);
        assert_eq!(open["status_detail"]["configured"], false, "{open}");
        let answer = json!({ "amount_type_strategy": "direction_only" });
        let fields = merged(&fields, &answer);
        let import = upload(&family.api, csv, &fields);
        assert_eq!(import["configuration"]["amount_col_label"], json!(null));
        let shown = rows(&family.api, &import);
        assert_eq!(
            shown[..3],
            ["2024-01-02 12.50 USD Out", "2024-01-03 -7.00 USD In", "2024-01-04 3.00 USD Signed"]
        );
        assert_eq!(shown[3], "line 5: Debit and Credit are both filled");
        assert_eq!(shown[4], "line 6: Debit and Credit are both blank");
        publish(&family.api, csv, &merged(&fields, &json!({ "skip_invalid": "true" })));
        assert_eq!(crate::imports::balance(&family, &account), "-8.50");
    }

    fn a_custom_column_gives_the_direction(server) {
        let family = server.family();
        let csv = "Date,Amount,Name,Kind\n2024-01-02,-12.50,A,debit\n2024-01-03,7.00,B, CREDIT \n\
                   2024-01-04,-3.00,C,Credit\n2024-01-05,1.00,D,pending\n2024-01-06,1.00,E,\n";
        let fields = json!({
            "amount_type_strategy": "custom_column", "amount_type_inflow_value": "credit",
            "entity_type_col_label": "Kind",
        });
        for convention in ["inflows_positive", "inflows_negative"] {
            let import = upload(
                &family.api,
                csv,
                &merged(&fields, &json!({ "signage_convention": convention })),
            );
            let shown = rows(&family.api, &import);
            assert_eq!(
                shown[..4],
                [
                    "2024-01-02 12.50 USD A",
                    "2024-01-03 -7.00 USD B",
                    "2024-01-04 -3.00 USD C",
                    "2024-01-05 1.00 USD D"
                ],
                "{convention}"
            );
            assert_eq!(shown[4], "line 6: Kind is blank, so the direction is not known");
        }
    }

    fn currencies_keep_their_decimals(server) {
        let family = server.family();
        let csv = "Date,Amount,Name,Currency,Account\n\
                   2024-01-02,-1500,Lunch,JPY,Yen\n2024-01-02,1500.5,Half,JPY,Yen\n\
                   2024-01-02,-1.234,Tea,KWD,Dinar\n2024-01-02,-0.00000001,Satoshi,BTC,Coins\n\
                   2024-01-02,-21.12345678,Many,BTC,Coins\n";
        publish(&family.api, csv, &json!({}));
        assert_eq!(
            transactions(&family),
            [
                "2024-01-02 -0.00000001 BTC Satoshi @Coins",
                "2024-01-02 -1.234 KWD Tea @Dinar",
                "2024-01-02 -1500 JPY Lunch @Yen",
                "2024-01-02 -21.12345678 BTC Many @Coins",
                "2024-01-02 1500.5 JPY Half @Yen",
            ]
        );
        let accounts = family.api.get("/api/v1/accounts").json();
        let mut balances: Vec<String> = accounts["accounts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|account| {
                assert_eq!(account["account_type"], "depository");
                format!(
                    "{} {}",
                    account["currency"].as_str().unwrap(),
                    account["balance_decimal"].as_str().unwrap()
                )
            })
            .collect();
        balances.sort();
        assert_eq!(balances, ["BTC -21.12345679", "JPY 0.5", "KWD -1.234"]);
        let bad = "Date,Amount,Name,Currency,Account\n2024-01-02,+0.000000001,A,BTC,Coins\n\
                   2024-01-02,+1.00,A,ABC,Coins\n2024-01-02,+1.00001,A,USD,Dollars\n\
                   2024-01-02,+90000000001,A,BTC,Coins\n";
        let shown = rows(&family.api, &upload(&family.api, bad, &json!({})));
        assert!(shown.iter().all(|line| line.starts_with("line ")), "{shown:?}");
        assert!(shown[1].contains("ABC"), "{shown:?}");
    }

    fn a_row_must_be_in_the_currency_of_its_account(server) {
        let family = server.family();
        let euros = family.account_with(
            json!({ "name": "Euros", "account_type": "depository", "currency": "EUR" }),
        );
        let csv = "Date,Amount,Name,Currency\n2024-01-02,-1.00,A,EUR\n2024-01-03,-2.00,B,USD\n\
                   2024-01-04,-3.00,C,\n2024-01-05,$4.00,D,\n2024-01-06,£5.00,E,\n\
                   2024-01-07,€6.00,F,usd\n";
        let import = upload(&family.api, csv, &json!({ "account_id": euros }));
        let shown = rows(&family.api, &import);
        assert_eq!(shown[0], "2024-01-02 1.00 EUR A");
        assert_eq!(shown[2], "2024-01-04 3.00 EUR C");
        // No rate is known for a row in another currency: a person decides.
        assert_eq!(shown[1], "2024-01-03 2.00 USD B");
        assert_eq!(import["plan"]["needs_choice_count"], 1, "{import}");
        // A sign that euros never have is not taken for euros.
        for (index, written) in [(3, "$"), (4, "£")] {
            let line = &shown[index];
            assert!(
                line.starts_with("line ") && line.contains(written) && line.contains("EUR"),
                "{shown:?}"
            );
        }
        assert!(shown[5].starts_with("line 7: "), "{shown:?}");
        // The same file by the account's name.
        let named = csv
            .replace("Currency\n", "Currency,Account\n")
            .lines()
            .map(|line| {
                if line.starts_with("Date") {
                    format!("{line}\n")
                } else {
                    format!("{line},euros\n")
                }
            })
            .collect::<String>();
        let import = upload(&family.api, &named, &json!({}));
        assert_eq!(import["status_detail"]["publishable"], false);
        assert_eq!(rows(&family.api, &import)[2], "2024-01-04 3.00 EUR C @euros");
    }
}
