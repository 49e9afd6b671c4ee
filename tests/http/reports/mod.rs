//! Reports over HTTP: what the family has, what came in and went out, what was gained.

mod large;
mod rates;

use serde_json::{Value, json};

use crate::both;
use crate::ledger::{text, unlimited};
use crate::support::{Client, Family};

fn net_worth(api: &Client, query: &str) -> Value {
    api.get(&format!("/api/v1/reports/net_worth?{query}")).expect_status(200).json()
}

fn series(report: &Value) -> Vec<(String, String)> {
    let points = report["points"].as_array().unwrap().iter();
    points.map(|point| (text(point, "date"), text(&point["net_worth"], "amount"))).collect()
}

fn rate(api: &Client, base: &str, date: &str, rate: &str) {
    let stated = json!({ "base": base, "quote": "USD", "date": date, "rate": rate });
    api.post("/api/v1/exchange_rates", &stated).expect_status(201);
}

fn trade(family: &Family, account: &str, fields: Value) {
    let mut trade = json!({ "account_id": account, "ticker": "VTI" });
    for (name, value) in fields.as_object().unwrap() {
        trade[name] = value.clone();
    }
    family.api.post("/api/v1/trades", &json!({ "trade": trade })).expect_status(201);
}

/// Giro: 100, +50 on 5 February. House: 1,000 on 1 January, 1,200 on 1 March. Loan: 400.
fn household(family: &Family) -> [String; 3] {
    let giro = family.account_with(json!({ "name": "Giro", "account_type": "depository",
        "opening_balance": "100" }));
    family.import(&giro, "Date,Description,Amount\n2026-02-05,Gift,50\n");
    let house = family.account_with(json!({ "name": "House", "account_type": "property",
        "opening_balance": "1000", "opening_date": "2026-01-01" }));
    crate::ledger::value(&family.api, &house, "2026-03-01", "1200");
    let loan = family.account_with(json!({ "name": "Loan", "account_type": "loan",
        "opening_balance": "400" }));
    [giro, house, loan]
}

both! {
    fn net_worth_is_what_is_owned_less_what_is_owed(server = unlimited()) {
        let family = server.family();
        let [giro, ..] = household(&family);
        let report = net_worth(&family.api, "start_date=2026-01-10&end_date=2026-03-15");
        assert_eq!((&report["interval"], &report["complete"]), (&json!("month"), &json!(true)));
        let expected = [("2026-01-31", "700.00"), ("2026-02-28", "750.00"), ("2026-03-15", "950.00")];
        let expected = expected.map(|(day, amount)| (day.to_owned(), amount.to_owned()));
        assert_eq!(series(&report), expected);
        assert_eq!(report["points"][2]["liabilities"]["formatted"], "$400.00");
        for (interval, count) in [("day", 65), ("week", 10), ("quarter", 1), ("year", 1)] {
            let query = format!("start_date=2026-01-10&end_date=2026-03-15&interval={interval}");
            let report = net_worth(&family.api, &query);
            assert_eq!(series(&report).len(), count, "{interval}");
            assert_eq!(series(&report).last(), expected.last(), "{interval}");
        }
        let sheet = family.api.get("/api/v1/balance_sheet?date=2026-02-10").expect_status(200);
        let sheet = sheet.json();
        assert_eq!(sheet["net_worth"]["amount"], "750.00");
        assert_eq!(sheet["assets"]["formatted"], "$1,150.00");
        assert_eq!(sheet["account_types"].as_array().unwrap().len(), 3);
        let today = family.api.get("/api/v1/balance_sheet").expect_status(200).json();
        assert_eq!(today["net_worth"]["amount"], "950.00");
        // A hidden account is not in the report.
        let path = format!("/api/v1/accounts/{giro}");
        family.api.patch(&path, &json!({ "status": "disabled" })).expect_status(200);
        let today = family.api.get("/api/v1/balance_sheet").expect_status(200).json();
        assert_eq!(today["net_worth"]["amount"], "800.00");
    }

    fn other_currencies_are_converted_day_by_day_or_named(server = unlimited()) {
        let family = server.family();
        let id = family.account_with(json!({ "name": "Pounds", "account_type": "depository",
            "currency": "GBP", "opening_balance": "100" }));
        let query = "start_date=2026-01-01&end_date=2026-02-28";
        let report = net_worth(&family.api, query);
        assert_eq!(report["complete"], false);
        assert_eq!(report["incomplete_accounts"][0]["id"], id);
        assert_eq!(report["points"][0]["net_worth"]["amount"], "0.00", "never one to one");
        rate(&family.api, "GBP", "2026-01-31", "1.25");
        rate(&family.api, "GBP", "2026-02-15", "1.5");
        let report = net_worth(&family.api, query);
        assert_eq!(report["complete"], true);
        let amounts: Vec<String> = series(&report).into_iter().map(|(_, amount)| amount).collect();
        assert_eq!(amounts, ["125.00", "150.00"]);
    }

    fn cash_flow_leaves_out_what_is_neither_income_nor_expense(server = unlimited()) {
        let family = server.family();
        let giro = family.account("Giro", "depository");
        let savings = family.account("Savings", "depository");
        let broker = family.account("Broker", "investment");
        family.import(&giro, "Date,Description,Amount,Category\n\
            2026-01-05,Salary,3000,Income\n2026-01-06,Market,-80,Food\n2026-01-07,Refund,5,Food\n\
            2026-02-01,Odd,-7,\n2026-02-02,To savings,-500,\n2026-02-03,Hidden,-9,Food\n");
        family.import(&savings, "Date,Description,Amount\n2026-02-02,From giro,500\n");
        crate::support::until("the transfer to be made", || {
            let transfers = family.api.get("/api/v1/transfers?status=confirmed").json();
            (transfers["pagination"]["total_count"] == 1).then_some(())
        });
        trade(&family, &broker, json!({ "type": "buy", "date": "2026-01-10", "qty": "2", "price": "10" }));
        trade(&family, &broker, json!({ "type": "dividend", "date": "2026-02-10", "amount": "3" }));
        let hidden = family.api.get("/api/v1/transactions?search=Hidden").json();
        let hidden = format!("/api/v1/transactions/{}", text(&hidden["transactions"][0], "id"));
        family.api.patch(&hidden, &json!({ "excluded": true })).expect_status(200);
        let market = family.api.get("/api/v1/transactions?search=Market").json();
        let market = text(&market["transactions"][0], "id");
        let parts = json!({ "parts": [{ "amount": 60 }, { "amount": 20 }] });
        family.api.post(&format!("/api/v1/transactions/{market}/split"), &parts).expect_status(201);

        let path = "/api/v1/reports/cash_flow?start_date=2026-01-01&end_date=2026-03-31";
        let report = family.api.get(path).expect_status(200).json();
        assert_eq!(report["complete"], true);
        let months: Vec<_> = report["months"].as_array().unwrap().iter().map(|month| {
            let amount = |name: &str| text(&month[name], "amount");
            (text(month, "month"), amount("income"), amount("expense"), amount("net"))
        }).collect();
        let row = |month: &str, income: &str, expense: &str, net: &str| {
            (month.to_owned(), income.to_owned(), expense.to_owned(), net.to_owned())
        };
        assert_eq!(months, [
            row("2026-01-01", "3005.00", "80.00", "2925.00"),
            row("2026-02-01", "3.00", "7.00", "-4.00"),
        ], "{report}");
        let january = report["months"][0]["categories"].as_array().unwrap();
        // The parts have no category of their own, the refund has that of the file.
        let named: Vec<_> = january.iter().map(|line| line["category"].clone()).collect();
        assert_eq!(named.len(), 3, "{report}");
        assert!(named.contains(&json!("Food")) && named.contains(&json!("Income")));
        let of_giro = format!("{path}&account_id={giro}");
        let of_giro = family.api.get(&of_giro).expect_status(200).json();
        assert_eq!(of_giro["months"][1]["income"]["amount"], "0.00");
    }

    fn gains_are_listed_by_year_account_and_security(server = unlimited()) {
        let family = server.family();
        let fifo = family.account_with(json!({ "name": "Fifo", "account_type": "investment",
            "cost_method": "fifo" }));
        let average = family.account("Average", "investment");
        for account in [&fifo, &average] {
            for (date, kind, qty, price) in [
                ("2025-01-10", "buy", "10", "10"),
                ("2025-02-10", "buy", "10", "20"),
                ("2025-06-10", "sell", "5", "30"),
                ("2026-01-10", "sell", "15", "30"),
            ] {
                let fields = json!({ "type": kind, "date": date, "qty": qty, "price": price });
                trade(&family, account, fields);
            }
        }
        let report = family.api.get("/api/v1/reports/gains").expect_status(200).json();
        let years = report["years"].as_array().unwrap();
        assert_eq!(years.iter().map(|year| year["year"].clone()).collect::<Vec<_>>(), [2026, 2025]);
        let gain = |year: usize, account: &str| {
            let lines = years[year]["lines"].as_array().unwrap().iter();
            let line = lines.clone().find(|line| line["account"]["name"] == account).unwrap();
            let amount = |name: &str| text(&line[name], "amount");
            (amount("proceeds"), amount("cost"), amount("gain"))
        };
        let sums = |proceeds: &str, cost: &str, gain: &str| {
            (proceeds.to_owned(), cost.to_owned(), gain.to_owned())
        };
        assert_eq!(gain(1, "Fifo"), sums("150.00", "50.00", "100.00"));
        assert_eq!(gain(0, "Fifo"), sums("450.00", "250.00", "200.00"));
        assert_eq!(gain(1, "Average"), sums("150.00", "75.00", "75.00"));
        assert_eq!(gain(0, "Average"), sums("450.00", "225.00", "225.00"));
        assert_eq!(years[0]["gain"]["formatted"], "$425.00");
        let one = family.api.get("/api/v1/reports/gains?year=2025").expect_status(200).json();
        assert_eq!(one["years"], json!([years[1]]));
        // Another method is another truth, for the whole past.
        let path = format!("/api/v1/accounts/{average}");
        family.api.patch(&path, &json!({ "cost_method": "lifo" })).expect_status(200);
        let report = family.api.get("/api/v1/reports/gains?year=2025").expect_status(200).json();
        let lines = report["years"][0]["lines"].as_array().unwrap();
        let lifo = lines.iter().find(|line| line["account"]["name"] == "Average").unwrap();
        assert_eq!(lifo["gain"]["amount"], "50.00");
        crate::accounts::consistent(&server);
    }

    fn a_sale_counts_as_a_gain_from_its_day_on(server = unlimited()) {
        let family = server.family();
        let broker = family.account("Broker", "investment");
        let today = crate::ledger::today(&family);
        let tomorrow = today.tomorrow().unwrap();
        for (date, kind, qty) in [
            ("2025-01-10".to_owned(), "buy", "10"),
            (today.to_string(), "sell", "4"),
            // The family's day may be one ahead of the server's.
            (tomorrow.tomorrow().unwrap().to_string(), "sell", "6"),
        ] {
            let fields = json!({ "type": kind, "date": date, "qty": qty, "price": "10" });
            trade(&family, &broker, fields);
        }
        let year = format!("/api/v1/reports/gains?year={}", today.year());
        for path in ["/api/v1/reports/gains", &year] {
            let report = family.api.get(path).expect_status(200).json();
            let years = report["years"].as_array().unwrap();
            assert_eq!((years.len(), &years[0]["lines"][0]["sales"]), (1, &json!(1)), "{report}");
        }
    }

    fn what_no_balance_holds_is_incomplete_there_and_fails_nothing(server = unlimited()) {
        let family = server.family();
        let most = "900000000000000";
        let broker = family.account_with(json!({ "name": "Broker", "account_type": "investment",
            "opening_balance": most }));
        family.account_with(json!({ "name": "Other", "account_type": "depository",
            "opening_balance": most }));
        trade(&family, &broker, json!({ "type": "transfer_in", "date": "2026-01-05",
            "qty": "1000000" }));
        let holdings = family.api.get("/api/v1/holdings").expect_status(200).json();
        let security = &holdings["holdings"][0]["security"]["id"];
        let price = json!({ "security_id": security, "date": "2026-01-06", "price": "90000000000",
            "currency": "USD" });
        family.api.post("/api/v1/security_prices", &price).expect_status(201);
        for path in ["accounts", "balances", "balance_sheet", "reports/net_worth", "holdings"] {
            family.api.get(&format!("/api/v1/{path}")).expect_status(200);
        }
        let sheet = family.api.get("/api/v1/balance_sheet").expect_status(200).json();
        assert_eq!(sheet["net_worth"]["amount"], "91800000000000000.00");
        assert_eq!(sheet["complete"], true, "a sum holds what no balance does");
        let account = family.api.get(&format!("/api/v1/accounts/{broker}")).json();
        assert_eq!((&account["balance_decimal"], &account["complete"]),
            (&json!("900000000000000.00"), &json!(false)));
    }

    fn nonsense_is_refused(server) {
        let family = server.family();
        for (query, problems) in [
            ("net_worth?start_date=x&end_date=y&interval=hour", 3),
            ("net_worth?start_date=2026-02-01&end_date=2026-01-01", 1),
            ("net_worth?start_date=1900-01-01&end_date=2026-01-01", 1),
            ("cash_flow?account_id=1&start_date=x", 2),
            ("gains?year=26", 1),
        ] {
            let answer = family.api.get(&format!("/api/v1/reports/{query}"));
            let error = answer.expect_error(422, "validation_failed");
            assert_eq!(error["errors"].as_array().map(Vec::len), Some(problems), "{query}: {error}");
        }
        family.api.get("/api/v1/balance_sheet?date=x").expect_error(422, "validation_failed");
        let tomorrow = crate::ledger::today(&family).tomorrow().unwrap();
        let later = family.api.get(&format!("/api/v1/balance_sheet?date={tomorrow}"));
        let error = later.expect_error(422, "validation_failed");
        assert!(error["message"].as_str().unwrap().starts_with("The date must not be"), "{error}");
        assert_eq!(series(&net_worth(&family.api, "")).len(), 13, "the last year, by months");
    }
}
