//! `QifImport` of depots: trades, money that moves there, and transfers that are paired once.

use serde_json::{Value, json};

use super::trades::trades;
use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{all, both_whole, merged, path, text, transactions, upload};
use crate::support::{Family, Sql};

/// A depot and the account that pays for it, both with their sides of the transfers.
const FILE: &str = "!Type:Security\nNAcme Inc.\nSACM\nTStock\n^\n\
     !Account\nNGiro\nTBank\n^\n!Type:Bank\n\
     D1/31'06\nT1,000.00\nPOpening Balance\nL[Giro]\n^\n\
     D2/1'06\nT-209.95\nPTo the depot\nL[Depot]\n^\n\
     D2/20'06\nT20.00\nPFrom the depot\nL[Depot]\n^\n\
     !Account\nNDepot\nTInvst\n^\n!Type:Invst\n\
     D2/1'06\nNBuyX\nYAcme Inc.\nI10.00\nQ20\nO9.95\nT209.95\nL[Giro]\n$209.95\n^\n\
     D2/5'06\nNStkSplit\nYAcme Inc.\nQ20\n^\n\
     D2/6'06\nNSell\nYAcme Inc.\nI6.00\nQ10\nT60.00\nCX\n^\n\
     D2/7'06\nNDiv\nYAcme Inc.\nT5.50\nMyearly\n^\n\
     D2/8'06\nNReinvDiv\nYAcme Inc.\nI6 1/2\nQ2\nT13.00\n^\n\
     D2/9'06\nNShrsIn\nYOther Fund\nQ3\n^\n\
     D2/13'06\nNMiscExp\nT1.50\nLFees\n^\n\
     D2/20'06\nNXOut\nT20.00\nL[Giro]\n^\n";

fn qif(fields: &Value) -> Value {
    merged(&json!({ "type": "QifImport" }), fields)
}

/// The first row of a line.
fn on_line(rows: &[Value], line: u64) -> &Value {
    rows.iter().find(|row| row["line"] == line).expect("a row of the line")
}

/// The shares of all accounts today.
#[track_caller]
fn holdings(family: &Family) -> Vec<String> {
    let found = all(&family.api, "/api/v1/holdings", "holdings");
    let shown = |one: &Value| format!("{} {}", text(&one["security"]["ticker"]), text(&one["qty"]));
    let mut shown: Vec<String> = found.iter().map(shown).collect();
    shown.sort();
    shown
}

both_whole! {
    fn a_depot_is_imported_with_its_money_and_taken_back(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        sql.run("UPDATE families SET transfer_matching = 'off'");
        let before = State::read(&sql, &family);
        let import = upload(&family.api, FILE, &qif(&json!({})));
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let sold = on_line(&listed, 46);
        assert_eq!(sold["fields"]["type"], "sell", "{sold}");
        assert_eq!(sold["fields"]["notes"], "Reconciled");
        publish_again(&family.api, &import);
        assert_eq!(trades(&family), [
            "2006-02-01 buy 20.0 ACM 10.00 209.95 USD",
            "2006-02-05 split 0.0 ACM - 0.00 USD",
            "2006-02-06 sell -10.0 ACM 6.00 -60.00 USD",
            "2006-02-07 dividend 0.0 ACM - -5.50 USD",
            "2006-02-08 reinvestment 2.0 ACM 6.50 0.00 USD",
            "2006-02-09 transfer_in 3.0 OTHER-FUND - 0.00 USD",
        ]);
        assert_eq!(transactions(&family), [
            "2006-02-01 -209.95 USD To the depot @Giro",
            "2006-02-01 209.95 USD Transfer @Depot",
            "2006-02-13 -1.50 USD Expense #Fees @Depot",
            "2006-02-20 -20.00 USD Transfer @Depot",
            "2006-02-20 20.00 USD From the depot @Giro",
        ]);
        assert_eq!(holdings(&family), ["ACM 32.0", "OTHER-FUND 3.0"]);
        let transfers = all(&family.api, "/api/v1/transfers", "transfers");
        assert_eq!(transfers.len(), 2, "each is paired once");
        assert!(transfers.iter().all(|one| one["status"] == "confirmed"));
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        let depot = accounts.iter().find(|one| one["name"] == "Depot").expect("the depot");
        assert_eq!(depot["account_type"], "investment");
        assert_eq!(depot["cash_balance_decimal"], "44.00", "{depot}");
        let again = crate::imports::publish(&family.api, FILE, &qif(&json!({})));
        assert_eq!(again["plan"]["created_count"], 0, "{again}");
        undo(&family.api, &again);
        family.api.delete(&path(&again, "")).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(State::read(&sql, &family), before);
        publish_again(&family.api, &import);
        assert_eq!(trades(&family).len(), 6);
    }

    fn prices_of_securities_are_kept_and_taken_back(server) {
        let family = server.family();
        let sql = Sql::open(&server);
        sql.run("UPDATE families SET transfer_matching = 'off'");
        let before = State::read(&sql, &family);
        let file = format!(
            "{FILE}!Type:Prices\n\"ACM\",6 1/4,\" 2/6' 6\"\n^\n\"ACM\",7.10,\"2/28'06\"\n^\n\
             \"ACM\",7.20,\"2/28'06\"\n^\n\"NEW\",1.5,\"2/28'06\"\n^\nACM,0,2/1'06\n^\n"
        );
        let skipped = qif(&json!({ "skip_invalid": true }));
        let import = upload(&family.api, &file, &skipped);
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let last = &listed[listed.len() - 5..];
        assert_eq!(last[0]["fields"], json!({
            "type": "SecurityPrice", "name": "ACM 2006-02-06 6.25 USD",
        }), "{}", last[0]);
        let verdicts: Vec<&str> = last.iter().map(|row| text(&row["verdict"])).collect();
        assert_eq!(verdicts, ["create", "create", "left_out", "create", "invalid"]);
        publish_again(&family.api, &import);
        let shown = |one: &Value| {
            let ticker = text(&one["security"]["ticker"]);
            let (date, price) = (text(&one["date"]), text(&one["price_decimal"]));
            format!("{date} {ticker} {price} {}", text(&one["source"]))
        };
        let prices = all(&family.api, "/api/v1/security_prices?source=file", "security_prices");
        let mut prices: Vec<String> = prices.iter().map(shown).collect();
        prices.retain(|price| price.ends_with("file"));
        prices.sort();
        assert_eq!(prices, [
            "2006-02-06 ACM 6.25 file", "2006-02-28 ACM 7.1 file", "2006-02-28 NEW 1.5 file",
        ]);
        let again = crate::imports::publish(&family.api, &file, &skipped);
        assert_eq!(again["plan"]["create_count"], 0, "{again}");
        undo(&family.api, &again);
        family.api.delete(&path(&again, "")).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(State::read(&sql, &family), before);
    }

    fn prices_are_in_the_currency_of_the_depot(server) {
        let family = server.family();
        for (name, account_type) in [("Depot", "investment"), ("Giro", "depository")] {
            family.account_with(json!({
                "name": name, "account_type": account_type, "currency": "EUR",
            }));
        }
        let prices = "!Type:Prices\n\"ACM\",6 1/8,\"2/6'06\"\n^\n\"NEW\",1.5,\"2/28'06\"\n^\n";
        let import = upload(&family.api, &format!("{FILE}{prices}"), &qif(&json!({})));
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let names: Vec<&str> =
            listed[listed.len() - 2..].iter().map(|row| text(&row["fields"]["name"])).collect();
        assert_eq!(names, ["ACM 2006-02-06 6.125 EUR", "NEW 2006-02-28 1.5 USD"]);
    }

    fn years_of_prices_are_read_in_a_file_without_other_days(server) {
        let family = server.family();
        let file = "!Type:Prices\n\"ACM\",6.25,\" 2/13' 6\"\n^\n";
        let import = upload(&family.api, file, &qif(&json!({})));
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        assert_eq!(listed[0]["fields"]["name"], "ACM 2006-02-13 6.25 USD", "{}", listed[0]);
    }

    fn trades_go_into_accounts_that_can_hold_them(server) {
        let family = server.family();
        family.account("Depot", "depository");
        let import = upload(&family.api, FILE, &qif(&json!({})));
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let bought = on_line(&listed, 31);
        assert_eq!(bought["verdict"], "needs_choice", "{bought}");
        let reason = text(&bought["reason"]);
        assert!(reason.contains("investment or crypto"), "{reason}");
    }

    fn totals_that_do_not_follow_are_invalid(server) {
        let family = server.family();
        let wrong = FILE.replace("T209.95", "T219.95");
        let import = upload(&family.api, &wrong, &qif(&json!({})));
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let invalid = on_line(&listed, 31);
        assert!(text(&invalid["errors"][0]).contains("does not follow"), "{invalid}");
    }

    fn symbols_on_several_markets_need_a_choice(server) {
        let family = server.family();
        for market in ["XNAS", "XLON"] {
            let security = json!({ "security": {
                "ticker": "ACM", "exchange_operating_mic": market, "name": "Acme",
            } });
            family.api.post("/api/v1/securities", &security).expect_status(201);
        }
        let import = upload(&family.api, FILE, &qif(&json!({})));
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let bought = on_line(&listed, 31);
        assert_eq!(bought["verdict"], "needs_choice", "{bought}");
        let file = format!("{FILE}!Type:Prices\n\"ACM\",6.25,\"2/6'06\"\n^\n");
        let import = upload(&family.api, &file, &qif(&json!({})));
        let listed = all(&family.api, &path(&import, "/rows"), "data");
        let last = listed.last().unwrap();
        assert_eq!(last["verdict"], "needs_choice", "{last}");
        assert!(text(&last["reason"]).contains("several exchanges"), "{last}");
    }
}
