//! Positions and prices of statements of investments in OFX, beside the ledger's.

use serde_json::{Value, json};

use super::trades::trades;
use super::undo::{publish_again, undo};
use super::{all, both_whole, path, text, upload};
use crate::support::Family;
use crate::trades::broker;

/// A statement of a month. `trades` and `positions` are elements of its lists.
fn ofx(month: &str, trades: &str, positions: &str) -> String {
    format!(
        "OFXHEADER:100\n\n<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1<INVSTMTRS>\n\
         <DTASOF>2024{month}28<CURDEF>USD<INVACCTFROM><BROKERID>broker.example<ACCTID>77\
         </INVACCTFROM><INVTRANLIST><DTSTART>2024{month}01<DTEND>2024{month}28\n{trades}\
         </INVTRANLIST><INVPOSLIST>\n{positions}</INVPOSLIST></INVSTMTRS></INVSTMTTRNRS>\
         </INVSTMTMSGSRSV1><SECLISTMSGSRSV1><SECLIST>{}{}</SECLIST></SECLISTMSGSRSV1></OFX>",
        "<STOCKINFO><SECINFO><SECID><UNIQUEID>1<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Acme\
         <TICKER>ACME<UNITPRICE>12.5<DTASOF>20240128</SECINFO></STOCKINFO>\n",
        "<MFINFO><SECINFO><SECID><UNIQUEID>2<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Other Fund\
         <TICKER>OTHER<UNITPRICE>6.9<DTASOF>20240115</SECINFO></MFINFO>\n",
    )
}

fn buy(id: &str, day: &str, units: &str, total: &str) -> String {
    format!(
        "<BUYSTOCK><INVBUY><INVTRAN><FITID>{id}<DTTRADE>2024{day}</INVTRAN><SECID><UNIQUEID>1\
         <UNIQUEIDTYPE>CUSIP</SECID><UNITS>{units}<UNITPRICE>10<TOTAL>-{total}</INVBUY>\
         <BUYTYPE>BUY</BUYSTOCK>\n"
    )
}

fn position(kind: &str, id: &str, units: &str, price: &str, value: &str, day: &str) -> String {
    format!(
        "<{kind}><INVPOS><SECID><UNIQUEID>{id}<UNIQUEIDTYPE>CUSIP</SECID><UNITS>{units}\
         <UNITPRICE>{price}<MKTVAL>{value}<DTPRICEASOF>2024{day}</INVPOS></{kind}>\n"
    )
}

fn january() -> String {
    let positions = position("POSSTOCK", "1", "15", "12.5", "187.50", "0128")
        + &position("POSMF", "2", "3", "7", "21.00", "0128");
    ofx("01", &buy("A", "0103", "10", "100.00"), &positions)
}

fn of(account: &str) -> Value {
    json!({ "type": "TradeImport", "account_id": account })
}

fn prices(family: &Family) -> Vec<String> {
    let line = |one: &Value| {
        let ticker = text(&one["security"]["ticker"]);
        format!("{} {ticker} {} {}", text(&one["date"]), text(&one["price_decimal"]), one["source"])
    };
    let found = all(&family.api, "/api/v1/security_prices", "security_prices");
    let mut lines: Vec<String> = found.iter().map(line).collect();
    lines.sort();
    lines
}

/// The only statement that ends in a month.
#[track_caller]
fn statement(family: &Family, month: &str) -> Value {
    let found = all(&family.api, "/api/v1/statements", "statements");
    let ends = |one: &&Value| text(&one["end_date"]).starts_with(month);
    let found: Vec<&Value> = found.iter().filter(ends).collect();
    let [statement] = found.as_slice() else { panic!("{found:?}") };
    (*statement).clone()
}

/// The rows that are left out because they can't be used, by their reasons, of an import that can
/// be published. What was held before isn't among them.
#[track_caller]
fn not_used(family: &Family, import: &Value) -> Vec<String> {
    assert_eq!(import["status_detail"]["publishable"], true, "{import}");
    let rows = all(&family.api, &path(import, "/rows"), "data");
    let left_out = rows.iter().filter(|row| row["verdict"] == "left_out");
    let reasons = left_out.map(|row| text(&row["reason"]));
    let reasons = reasons.filter(|reason| !reason.contains("held it before"));
    let short = |reason: &str| match reason.split_once(" of the file: ") {
        Some((_, reason)) => reason.to_owned(),
        None => reason.to_owned(),
    };
    reasons.map(short).collect()
}

/// A security that the family has already.
#[track_caller]
fn security(family: &Family, fields: Value) -> Value {
    let body = json!({ "security": fields });
    family.api.post("/api/v1/securities", &body).expect_status(201).json()["id"].clone()
}

fn differing(statement: &Value) -> Vec<String> {
    let differing = statement["positions"]["differing"].as_array().unwrap().iter();
    let line = |one: &Value| {
        let [ticker, stated, ledger] = ["ticker", "qty", "ledger_qty"].map(|name| text(&one[name]));
        format!("{ticker} {stated} {ledger} {}", text(&one["difference"]))
    };
    differing.map(line).collect()
}

both_whole! {
    fn positions_of_a_broker_are_compared_with_the_trades(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let import = upload(&family.api, &january(), &of(&account));
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        let rows = all(&family.api, &path(&import, "/rows"), "data");
        let verdicts: Vec<&str> = rows.iter().map(|row| text(&row["verdict"])).collect();
        let left_out = ["left_out"; 2];
        assert_eq!(verdicts, [&["create"], &left_out[..], &["create"; 3]].concat(), "{rows:?}");
        assert!(text(&rows[1]["reason"]).contains("held it before"), "{}", rows[1]);
        publish_again(&family.api, &import);
        let trades_of_file = ["2024-01-03 buy 10.0 ACME 10.00 100.00 USD"];
        assert_eq!(trades(&family), trades_of_file);
        assert_eq!(prices(&family), [
            "2024-01-15 OTHER 6.9 \"file\"",
            "2024-01-28 ACME 12.5 \"file\"",
            "2024-01-28 OTHER 7.0 \"file\"",
        ]);
        let shown = statement(&family, "2024-01");
        assert_eq!(shown["lines_count"], 1, "prices and what was held before are no lines");
        assert_eq!(shown["positions"]["date"], "2024-01-28");
        assert_eq!(shown["positions"]["count"], 2);
        assert_eq!(differing(&shown), ["ACME 15.0 10.0 5.0", "OTHER 3.0 0.0 3.0"]);
        assert_eq!((&shown["reconciled"], &shown["missing_lines_count"]), (&json!(false), &json!(0)));
        // Undone, nothing of it is left.
        undo(&family.api, &import);
        assert!(prices(&family).is_empty() && trades(&family).is_empty());
        assert!(all(&family.api, "/api/v1/statements", "statements").is_empty());
    }

    fn what_was_held_before_is_taken_by_a_choice(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let import = upload(&family.api, &january(), &of(&account));
        for row in [2, 3] {
            let row = path(&import, &format!("/rows/{row}"));
            family.api.patch(&row, &json!({ "choice": "create" })).expect_status(200);
        }
        publish_again(&family.api, &import);
        assert_eq!(trades(&family), [
            "2023-12-31 transfer_in 3.0 OTHER - 0.00 USD",
            "2023-12-31 transfer_in 5.0 ACME - 0.00 USD",
            "2024-01-03 buy 10.0 ACME 10.00 100.00 USD",
        ]);
        let shown = statement(&family, "2024-01");
        assert_eq!((differing(&shown).len(), &shown["reconciled"]), (0, &json!(true)), "{shown}");
        // The next month: half of the shares are sold, and the broker forgets the other fund.
        let sold = buy("B", "0205", "10", "100.00")
            .replace("BUY", "SELL")
            .replace("<UNITS>10", "<UNITS>-7.5")
            .replace("-100.00", "75.00");
        let positions = position("POSSTOCK", "1", "7.5", "12", "90.00", "0228");
        let import = upload(&family.api, &ofx("02", &sold, &positions), &of(&account));
        publish_again(&family.api, &import);
        let shown = statement(&family, "2024-02");
        assert_eq!(differing(&shown), ["OTHER 0.0 3.0 -3.0"], "only the ledger has it");
        // A trade of another day shows in the statement of that day and of later ones.
        let fields = json!({ "account_id": account, "date": "2024-02-10", "type": "transfer_out",
            "ticker": "OTHER", "qty": "3" });
        family.api.post("/api/v1/trades", &fields).expect_status(201);
        assert_eq!(statement(&family, "2024-02")["reconciled"], true);
        assert_eq!(statement(&family, "2024-01")["reconciled"], true);
    }

    fn a_price_that_contradicts_its_position_is_shown(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let pence = position("POSSTOCK", "1", "10", "1250", "125.00", "0128");
        let file = ofx("01", &buy("A", "0103", "10", "100.00"), &pence);
        let import = upload(&family.api, &file, &of(&account));
        assert_eq!(not_used(&family, &import), [
            "The position's 10 × 1250 don't come to 125.00",
            "Nothing shows that 12.5 is the price of one unit",
        ]);
        publish_again(&family.api, &import);
        assert_eq!(prices(&family), [""; 0], "the list has none that is better");
    }

    fn what_stands_beside_trades_never_stops_them(server) {
        let family = server.family();
        for market in ["XNAS", "XLON"] {
            security(&family, json!({ "ticker": "OTHER", "exchange_operating_mic": market }));
        }
        let account = broker(&family, "Broker", "10000");
        let positions = position("POSSTOCK", "1", "10", "12.5", "0", "0128")
            + &position("POSMF", "2", "1", "187.500", "187.500", "0128")
            + &position("POSOTHER", "3", "100", "98.75", "", "0128").replace("<MKTVAL>", "")
            + &position("POSOPT", "4", "1", "1.35", "135.00", "0128")
            + &position("POSSTOCK", &"5".repeat(50), "1", "7", "7.00", "0128");
        let option = "<OPTINFO><SECINFO><SECID><UNIQUEID>4<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Call\
                      <TICKER>ACME  240119C00450000</SECINFO></OPTINFO>\n";
        let list = format!("{option}</SECLIST>");
        let file = ofx("01", &buy("A", "0103", "10", "100.00"), &positions);
        let file = file.replace("</SECLIST>", &list).replace("6.9<DTASOF>20240115", "<DTASOF>x");
        let import = upload(&family.api, &file, &of(&account));
        let found = not_used(&family, &import);
        let long = "5".repeat(50);
        for (reason, part) in found.iter().zip([
            "don't come to 0",
            "what the price 98.75 is of",
            "Nothing shows that 12.5",
            "several exchanges",
            "is no ticker",
            "is no ticker",
        ]) {
            assert!(reason.contains(part), "{reason} {found:?}");
        }
        assert_eq!(found.len(), 6, "{found:?}");
        publish_again(&family.api, &import);
        assert_eq!(trades(&family), ["2024-01-03 buy 10.0 ACME 10.00 100.00 USD"]);
        // Nobody checked these names, so they are no securities.
        let securities = all(&family.api, "/api/v1/securities", "securities");
        let mut tickers: Vec<&str> = securities.iter().map(|one| text(&one["ticker"])).collect();
        tickers.sort_unstable();
        assert_eq!(tickers, ["3", "ACME", "OTHER", "OTHER"]);
        let shown = differing(&statement(&family, "2024-01"));
        assert_eq!(shown, [
            "3 100.0 0.0 100.0".to_owned(),
            format!("{long} 1.0 0.0 1.0"),
            "ACME  240119C00450000 1.0 0.0 1.0".to_owned(),
            "OTHER 1.0 0.0 1.0".to_owned(),
        ]);
    }

    fn positions_follow_the_securities_of_the_ledger(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let positions = position("POSSTOCK", "1", "10", "12.5", "125.00", "0128")
            + &position("POSMF", "2", "3", "7", "21.00", "0128");
        let file = ofx("01", &buy("A", "0103", "10", "100.00"), &positions);
        publish_again(&family.api, &upload(&family.api, &file, &of(&account)));
        let missing = "OTHER 3.0 0.0 3.0";
        assert_eq!(differing(&statement(&family, "2024-01")), [missing]);
        // The shares turn out to be those of another security.
        let other = security(&family, json!({ "ticker": "ACMEB" }));
        let held = all(&family.api, "/api/v1/holdings", "holdings").remove(0);
        let holding = format!("/api/v1/holdings/{}", text(&held["id"]));
        family.api.patch(&holding, &json!({ "security_id": other })).expect_status(200);
        assert_eq!(differing(&statement(&family, "2024-01")), [missing]);
        // One that only the statement has is deleted, and bought later.
        let prices = all(&family.api, "/api/v1/security_prices", "security_prices");
        for price in prices.iter().filter(|one| one["security"]["ticker"] == "OTHER") {
            let price = format!("/api/v1/security_prices/{}", text(&price["id"]));
            family.api.delete(&price).expect_status(200);
        }
        let securities = all(&family.api, "/api/v1/securities?ticker=OTHER", "securities");
        let gone = format!("/api/v1/securities/{}", text(&securities[0]["id"]));
        family.api.delete(&gone).expect_status(200);
        assert_eq!(differing(&statement(&family, "2024-01")), [missing]);
        let fields = json!({ "account_id": account, "date": "2024-01-10", "type": "transfer_in",
            "ticker": "OTHER", "qty": "3" });
        family.api.post("/api/v1/trades", &fields).expect_status(201);
        assert_eq!(differing(&statement(&family, "2024-01")), [""; 0]);
    }

    fn identifiers_of_one_security_are_one_position(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let isin = "US0378331005";
        security(&family, json!({ "ticker": "ACME", "isin": isin }));
        let of_isin = |price, value| {
            position("POSSTOCK", isin, "4", price, value, "0128").replace("CUSIP", "ISIN")
        };
        let positions =
            position("POSSTOCK", "1", "6", "12.5", "75.00", "0128") + &of_isin("13", "52.00");
        let file = ofx("01", &buy("A", "0103", "10", "100.00"), &positions);
        let import = upload(&family.api, &file, &of(&account));
        let other = "An earlier row has another price of that security and day";
        assert_eq!(not_used(&family, &import), [other]);
        publish_again(&family.api, &import);
        let shown = statement(&family, "2024-01");
        assert_eq!((differing(&shown).len(), &shown["positions"]["count"]), (0, &json!(1)), "{shown}");
        assert_eq!(prices(&family).len(), 1);
    }

    fn the_price_of_an_option_is_not_that_of_what_it_is_on(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let positions = position("POSSTOCK", "1", "10", "12.5", "125.00", "0128")
            + &position("POSOPT", "4", "1", "1.35", "135.00", "0127");
        let option = "<OPTINFO><SECINFO><SECID><UNIQUEID>4<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Call\
                      <TICKER>ACME<UNITPRICE>1.35<DTASOF>20240126</SECINFO></OPTINFO></SECLIST>";
        let file = ofx("01", &buy("A", "0103", "10", "100.00"), &positions);
        let file = file.replace("</SECLIST>", option);
        let import = upload(&family.api, &file, &of(&account));
        assert_eq!(not_used(&family, &import).len(), 2);
        publish_again(&family.api, &import);
        assert_eq!(prices(&family), ["2024-01-28 ACME 12.5 \"file\""]);
    }

    fn a_short_position_above_zero_is_not_compared(server) {
        let family = server.family();
        let account = broker(&family, "Broker", "10000");
        let short = position("POSSTOCK", "1", "4", "12.5", "50.00", "0128")
            .replace("<UNITS>", "<POSTYPE>SHORT<UNITS>");
        let file = ofx("01", &buy("A", "0103", "10", "100.00"), &short);
        let import = upload(&family.api, &file, &of(&account));
        let found = not_used(&family, &import);
        assert_eq!(found, ["A short position has units above zero; none is compared"]);
        publish_again(&family.api, &import);
        assert_eq!(statement(&family, "2024-01")["positions"], Value::Null);
    }
}
