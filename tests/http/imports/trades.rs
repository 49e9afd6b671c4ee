//! `TradeImport`: files of brokers, previewed, published, found again and undone.

use serde_json::{Value, json};

use super::undo::{preview, publish_again, undo};
use super::{all, balance, both_whole, merged, path, publish, text, transactions, upload};
use crate::support::{Client, Family};
use crate::trades::{PATH, broker, rate};

fn of(account: &str) -> Value {
    json!({ "type": "TradeImport", "account_id": account })
}

/// The trades as lines, the oldest first: `2024-05-15 buy 10.0 VTI 151.25 1513.50 USD`, or `-` in
/// the place of a price that there isn't.
#[track_caller]
pub(super) fn trades(family: &Family) -> Vec<String> {
    let mut lines: Vec<String> = all(&family.api, PATH, "trades").iter().map(line).collect();
    lines.sort();
    lines
}

fn line(trade: &Value) -> String {
    format!(
        "{} {} {} {} {} {} {}",
        text(&trade["date"]),
        text(&trade["type"]),
        text(&trade["qty"]),
        text(&trade["security"]["ticker"]),
        trade["price_decimal"].as_str().unwrap_or("-"),
        text(&trade["amount_decimal"]),
        text(&trade["currency"])
    )
}

/// Verdict and reason of each row.
#[track_caller]
fn rows(api: &Client, import: &Value) -> Vec<(String, String)> {
    let shown = |row: &Value| {
        let reason = row["reason"].as_str().unwrap_or_default().to_owned();
        (text(&row["verdict"]).to_owned(), reason)
    };
    all(api, &path(import, "/rows"), "data").iter().map(shown).collect()
}

const CSV: &str = "Date,Action,Symbol,Quantity,Price,Fees,Amount\n\
    2024-05-15,Buy,VTI,10,151.25,1.00,-1513.50\n\
    2024-05-16,Sell,VTI,-4,160.00,1.00,639.00\n\
    2024-05-17,Dividend,VTI,,,,12.34\n\
    2024-05-18,Deposit,,,,,500.00\n";

both_whole! {
    fn a_file_becomes_trades_and_goes_again(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let import = upload(&family.api, CSV, &of(&account));
        assert_eq!(import["type"], "TradeImport");
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        let rule = "Positive quantities come in, negative ones leave; negative totals are money \
                    out; fees are part of the total";
        assert_eq!(import["source"]["sign_rule"], rule);
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        assert_eq!(listed[1]["fields"]["qty"], "-4.0");
        assert_eq!(listed[1]["fields"]["amount_decimal"], "-639.00");
        assert!(trades(&family).is_empty(), "nothing is there before the publish");
        let done = publish_again(&family.api, &import);
        assert_eq!(done["plan"]["created_count"], 4, "{done}");
        assert_eq!(
            trades(&family),
            [
                "2024-05-15 buy 10.0 VTI 151.25 1513.50 USD",
                "2024-05-16 sell -4.0 VTI 160.00 -639.00 USD",
                "2024-05-17 dividend 0.0 VTI - -12.34 USD",
            ]
        );
        assert_eq!(transactions(&family), ["2024-05-18 500.00 USD Deposit @Broker"]);
        let holdings = all(&family.api, &format!("/api/v1/holdings?account_id={account}"), "holdings");
        assert_eq!(holdings[0]["qty"], "6.0");

        let again = publish(&family.api, CSV, &of(&account));
        let counts = (&again["plan"]["created_count"], &again["plan"]["matched_count"]);
        assert_eq!(counts, (&json!(0), &json!(4)), "{again}");
        assert_eq!(trades(&family).len(), 3);

        undo(&family.api, &import);
        assert!(trades(&family).is_empty() && transactions(&family).is_empty());
        assert_eq!(balance(&family, &account), "10000.00");
        let securities = all(&family.api, "/api/v1/securities", "securities");
        assert_eq!(securities, Vec::<Value>::new(), "nothing uses it any more");
        publish_again(&family.api, &import);
        assert_eq!(trades(&family).len(), 3);
    }

    fn what_a_person_did_to_a_trade_is_known_to_the_next_file(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let import = publish(&family.api, CSV, &of(&account));
        let id = |kind: &str| {
            let trades = all(&family.api, PATH, "trades");
            let trade = trades.iter().find(|one| one["type"] == kind).unwrap();
            format!("{PATH}/{}", text(&trade["id"]))
        };
        let (bought, paid) = (id("buy"), id("dividend"));
        let change = json!({ "trade": { "price": "150", "notes": "corrected" } });
        family.api.patch(&bought, &change).expect_status(200);
        family.api.delete(&paid).expect_status(200);
        let again = upload(&family.api, CSV, &of(&account));
        let found = rows(&family.api, &again);
        assert_eq!(found[0].0, "matched_by_content");
        assert!(found[0].1.contains("which was changed since"), "{}", found[0].1);
        assert_eq!(found[2].0, "deleted_before", "{found:?}");
        assert!(found[2].1.contains("dividend VTI"), "{}", found[2].1);
        publish_again(&family.api, &again);
        assert_eq!(trades(&family).len(), 2);
        // The undo keeps what was changed.
        assert_eq!(preview(&family.api, &import)["transactions"]["kept_count"], 1);
        undo(&family.api, &import);
        assert_eq!(trades(&family).len(), 1);
    }

    fn equal_trades_are_counted_and_ids_of_brokers_are_trusted(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let twice = "Date,Type,Symbol,Shares,Price\n\
            2024-05-15,buy,VTI,1,100\n2024-05-15,buy,VTI,1,100\n";
        let done = publish(&family.api, twice, &of(&account));
        assert_eq!(done["plan"]["created_count"], 2);
        let more = format!("{twice}2024-05-15,buy,VTI,1,100\n2024-05-15,buy,VOO,1,100\n");
        let done = publish(&family.api, &more, &of(&account));
        assert_eq!(done["plan"]["created_count"], 2, "{done}");
        let named = "Date,Type,Symbol,Shares,Price,Trade ID\n2024-06-15,buy,VTI,1,90,t1\n";
        publish(&family.api, named, &of(&account));
        let other_day = "Date,Type,Symbol,Shares,Price,Trade ID\n2024-06-20,buy,VTI,1,90,t1\n";
        let import = upload(&family.api, other_day, &of(&account));
        assert_eq!(rows(&family.api, &import)[0].0, "matched_by_id");
    }

    fn rows_are_corrected_and_left_out(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let wrong = CSV.replace("-1513.50", "-1531.50").replace("Dividend", "Merger");
        let import = upload(&family.api, &wrong, &of(&account));
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let reason = "The total 1531.50 does not follow from 10 × 151.25 + 1.00";
        assert_eq!((&listed[0]["line"], &listed[0]["errors"]), (&json!(2), &json!([reason])));
        assert_eq!(listed[2]["errors"], json!(["Action \"Merger\" is no known type of trades"]));
        let row = |number: u32| path(&import, &format!("/rows/{number}"));
        let cells = json!({ "cells": { "Amount": "-1513.50" } });
        family.api.patch(&row(1), &cells).expect_status(200);
        family.api.patch(&row(3), &json!({ "choice": "leave_out" })).expect_status(200);
        publish_again(&family.api, &import);
        assert_eq!(trades(&family).len(), 2);
    }

    fn money_in_another_currency_is_booked_by_a_rate(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let csv = "Date,Type,Symbol,Shares,Price,Currency\n2024-05-15,buy,SAP,10,100,EUR\n";
        let import = upload(&family.api, csv, &of(&account));
        let (verdict, reason) = rows(&family.api, &import).remove(0);
        assert_eq!(verdict, "needs_choice");
        assert!(reason.contains("no exchange rate is known for 2024-05-15"), "{reason}");
        assert_eq!(import["status_detail"]["publishable"], false);
        rate(&family.api, ("EUR", "USD"), "2024-05-14", "1.1");
        let import = upload(&family.api, csv, &of(&account));
        let (verdict, reason) = rows(&family.api, &import).remove(0);
        let expected = "It is booked as -$1,100.00: one EUR is 1.1 USD, the family's rate of \
                        2024-05-14";
        assert_eq!((verdict.as_str(), reason.as_str()), ("create", expected));
        publish_again(&family.api, &import);
        assert_eq!(all(&family.api, PATH, "trades")[0]["converted"]["amount_decimal"], "1100.00");
        // A rate that the file states, under the setting that gives it its direction.
        let stated = "Date,Type,Symbol,Shares,Price,Currency,FX\n2024-05-16,buy,SAP,1,100,EUR,0.8\n";
        let with = merged(&of(&account), &json!({ "inverse_rate_col_label": "FX" }));
        publish(&family.api, stated, &with);
        let newest = &all(&family.api, PATH, "trades")[0];
        assert_eq!(newest["converted"]["amount_decimal"], "125.00", "{newest}");
    }

    fn securities_are_those_that_the_family_has(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        for mic in ["XLON", "XNAS"] {
            let security = json!({ "security": { "ticker": "VOD", "exchange_operating_mic": mic } });
            family.api.post("/api/v1/securities", &security).expect_status(201);
        }
        let csv = "Date,Type,Symbol,Shares,Price\n2024-05-15,buy,VOD,10,100\n";
        let import = upload(&family.api, csv, &of(&account));
        let (verdict, reason) = rows(&family.api, &import).remove(0);
        assert_eq!(verdict, "needs_choice");
        assert!(reason.contains("traded on several exchanges"), "{reason}");
        let csv = "Date,Type,Symbol,MIC,Shares,Price\n2024-05-15,buy,VOD,XNAS,10,100\n";
        publish(&family.api, csv, &of(&account));
        let trade = &all(&family.api, PATH, "trades")[0];
        assert_eq!(trade["security"]["exchange_operating_mic"], "XNAS", "{trade}");
        assert_eq!(all(&family.api, "/api/v1/securities", "securities").len(), 2);
        let isin = "Date,Type,ISIN,Shares,Price\n2024-05-16,buy,US0378331005,1,100\n";
        publish(&family.api, isin, &of(&account));
        let securities = all(&family.api, "/api/v1/securities", "securities");
        assert!(securities.iter().any(|one| one["isin"] == "US0378331005"), "{securities:?}");
    }

    fn accounts_are_named_by_rows_or_chosen(server) {
        let family = server.family();
        let account = broker(&family, "Depot", "10000");
        let csv = "Date,Type,Symbol,Shares,Price,Currency,Account\n\
            2024-05-15,buy,VTI,1,100,USD,depot\n2024-05-16,buy,VTI,1,100,USD,Other\n";
        let import = upload(&family.api, csv, &json!({ "type": "TradeImport" }));
        let found = rows(&family.api, &import);
        assert_eq!(found[0].0, "create");
        assert_eq!(found[1].0, "needs_choice");
        let other = "No account is called Other: choose one of type investment or crypto";
        assert_eq!(found[1].1, other);
        let choice = json!({ "mappings": [{ "kind": "account", "key": "Other", "id": account }] });
        family.api.patch(&path(&import, ""), &choice).expect_status(200);
        publish_again(&family.api, &import);
        assert_eq!(trades(&family).len(), 2);
        let giro = family.account("Giro", "depository");
        let import = upload(&family.api, CSV, &of(&giro));
        let reason = &rows(&family.api, &import)[0].1;
        assert_eq!(reason, "Trades can only stand in accounts of type investment or crypto");
    }

    fn large_files_are_published_in_parts(server = crate::support::Options::new()
        .env("PURSER_PUBLISH_PART_ROWS", "50"))
    {
        let family = server.family();
        let account = broker(&family, "Broker", "1000000");
        let mut csv = String::from("Date,Type,Symbol,Shares,Price\n");
        for number in 0..180 {
            let (day, ticker) = (number % 28 + 1, number % 7);
            csv.push_str(&format!("2024-03-{day:02},buy,T{ticker},{},10\n", number + 1));
        }
        let import = publish(&family.api, &csv, &of(&account));
        assert_eq!(import["plan"]["created_count"], 180);
        assert_eq!(trades(&family).len(), 180);
        undo(&family.api, &import);
        assert!(trades(&family).is_empty());
    }
}

/// A statement of a broker: a purchase, a dividend, a split, a sale of a bond, cash.
const OFX: &str = "OFXHEADER:100\n\n<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1<INVSTMTRS>\n\
    <DTASOF>20240131<CURDEF>USD<INVACCTFROM><BROKERID>broker.example<ACCTID>77</INVACCTFROM>\n\
    <INVTRANLIST><DTSTART>20240101<DTEND>20240131\n\
    <BUYSTOCK><INVBUY><INVTRAN><FITID>1<DTTRADE>20240103<MEMO>Buy</INVTRAN><SECID>\
    <UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID><UNITS>10.125<UNITPRICE>100<COMMISSION>1.00\
    <FEES>0.50<TOTAL>-1014.00</INVBUY><BUYTYPE>BUY</BUYSTOCK>\n\
    <INCOME><INVTRAN><FITID>2<DTTRADE>20240110</INVTRAN><SECID><UNIQUEID>037833100\
    <UNIQUEIDTYPE>CUSIP</SECID><INCOMETYPE>DIV<TOTAL>3.20</INCOME>\n\
    <SPLIT><INVTRAN><FITID>3<DTTRADE>20240111</INVTRAN><SECID><UNIQUEID>037833100\
    <UNIQUEIDTYPE>CUSIP</SECID><OLDUNITS>10.125<NEWUNITS>20.25<NUMERATOR>2<DENOMINATOR>1</SPLIT>\n\
    <SELLSTOCK><INVSELL><INVTRAN><FITID>4<DTTRADE>20240112</INVTRAN><SECID><UNIQUEID>037833100\
    <UNIQUEIDTYPE>CUSIP</SECID><UNITS>-0.25<UNITPRICE>52<TOTAL>13.00</INVSELL><SELLTYPE>SELL\
    </SELLSTOCK>\n\
    <REINVEST><INVTRAN><FITID>5<DTTRADE>20240113</INVTRAN><SECID><UNIQUEID>US0378331005\
    <UNIQUEIDTYPE>ISIN</SECID><INCOMETYPE>DIV<TOTAL>-51.00<UNITS>1<UNITPRICE>51</REINVEST>\n\
    <TRANSFER><INVTRAN><FITID>6<DTTRADE>20240114</INVTRAN><SECID><UNIQUEID>037833100\
    <UNIQUEIDTYPE>CUSIP</SECID><UNITS>2<TFERACTION>IN<POSTYPE>LONG</TRANSFER>\n\
    <JRNLFUND><INVTRAN><FITID>7<DTTRADE>20240115</INVTRAN><SUBACCTTO>MARGIN<SUBACCTFROM>CASH\
    <TOTAL>10</JRNLFUND>\n\
    <INVBANKTRAN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240116<TRNAMT>500.00<FITID>8<NAME>Deposit\
    </STMTTRN><SUBACCTFUND>CASH</INVBANKTRAN>\n\
    <RETOFCAP><INVTRAN><FITID>9<DTTRADE>20240117</INVTRAN><SECID><UNIQUEID>037833100\
    <UNIQUEIDTYPE>CUSIP</SECID><TOTAL>5</RETOFCAP>\n\
    </INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1><SECLISTMSGSRSV1><SECLIST>\
    <STOCKINFO><SECINFO><SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Apple Inc.\
    <TICKER>AAPL</SECINFO></STOCKINFO></SECLIST></SECLISTMSGSRSV1></OFX>";

both_whole! {
    fn a_statement_of_a_broker_in_ofx_becomes_trades(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let answer = crate::imports::post(&family.api, OFX, &json!({ "account_id": account }));
        let refused = answer.expect_error(422, "invalid_file_type").to_string();
        assert!(refused.contains("send it as TradeImport"), "{refused}");
        let fields = merged(&of(&account), &json!({ "skip_invalid": "true" }));
        let import = upload(&family.api, OFX, &fields);
        assert_eq!(import["source"]["format"], "ofx", "{import}");
        assert_eq!(import["stats"]["invalid_rows_count"], 1, "{import}");
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let invalid = listed.iter().find(|row| row["valid"] == false).unwrap();
        assert!(invalid["errors"].to_string().contains("RETOFCAP is not imported"), "{invalid}");
        let done = publish_again(&family.api, &import);
        assert_eq!(done["plan"]["created_count"], 7, "{done}");
        assert_eq!(trades(&family), [
            "2024-01-03 buy 10.125 AAPL 100.00 1014.00 USD",
            "2024-01-10 dividend 0.0 AAPL - -3.20 USD",
            "2024-01-11 split 0.0 AAPL - 0.00 USD",
            "2024-01-12 sell -0.25 AAPL 52.00 -13.00 USD",
            "2024-01-13 reinvestment 1.0 US0378331005 51.00 0.00 USD",
            "2024-01-14 transfer_in 2.0 AAPL - 0.00 USD",
        ]);
        assert_eq!(transactions(&family), ["2024-01-16 500.00 USD Deposit @Broker"]);
        let statements = all(&family.api, "/api/v1/statements", "statements");
        let [statement] = statements.as_slice() else { panic!("{statements:?}") };
        assert_eq!(statement["kind"], "investment");
        assert_eq!(statement["end_date"], "2024-01-31");
        assert_eq!(statement["bank"], "broker.example");
        assert_eq!((&statement["lines_count"], &statement["missing_lines_count"]), (&json!(8), &json!(1)));
        assert_eq!((&statement["difference"], &statement["reconciled"]), (&json!(null), &json!(false)));
        let again = publish(&family.api, OFX, &fields);
        assert_eq!(again["plan"]["created_count"], 0, "{again}");
        undo(&family.api, &import);
        assert!(trades(&family).is_empty() && transactions(&family).is_empty());
        assert_eq!(balance(&family, &account), "10000.00");
    }
}
