//! What a publish does to accounts: transactions, balances on every day, the audit trail.

use serde_json::{Value, json};

use super::{all, balance, both_whole, post, publish, sql, text, transactions};
use crate::support::{Backend, Family};

/// The end of each day with an entry, exact, from the table that is derived from entries.
fn days(server: &crate::support::Server, account: &str) -> Vec<String> {
    let id = match server.backend() {
        Backend::Sqlite => format!("x'{}'", account.replace('-', "")),
        Backend::Postgres => format!("'{account}'"),
    };
    let query = format!("SELECT end_amount FROM balances WHERE account_id = {id} ORDER BY date");
    sql::query(server, &query).into_iter().map(|row| row[0].clone()).collect()
}

fn value(family: &Family, account: &str, date: &str, amount: &str) {
    let fields = json!({ "valuation": { "account_id": account, "date": date, "amount": amount } });
    family.api.post("/api/v1/valuations", &fields).expect_status(201);
}

const CSV: &str =
    "Date,Amount,Name\n2024-01-10,-10.00,Out\n2024-01-12,+25.50,In\n2024-01-12,-0.50,Fee\n";

both_whole! {
    fn assets_grow_with_income_and_debts_with_spending(server) {
        let family = server.family();
        for (name, kind, end, series) in [
            ("Checking", "depository", "15.00", ["-100000", "150000"]),
            ("Card", "credit_card", "-15.00", ["100000", "-150000"]),
            ("Loan", "loan", "-15.00", ["100000", "-150000"]),
            ("Broker", "investment", "15.00", ["-100000", "150000"]),
        ] {
            let account = family.account(name, kind);
            publish(&family.api, CSV, &json!({ "account_id": account }));
            assert_eq!(balance(&family, &account), end, "{name}");
            assert_eq!(days(&server, &account), series, "{name}");
        }
        let shown = all(&family.api, "/api/v1/transactions?search=Out", "transactions");
        assert_eq!(shown.len(), 4);
        for one in shown {
            assert_eq!(
                (
                    &one["amount"],
                    &one["amount_cents"],
                    &one["signed_amount_cents"],
                    &one["classification"]
                ),
                (&json!("$10.00"), &json!(1000), &json!(-1000), &json!("expense"))
            );
        }
    }

    fn an_opening_balance_counts_from_its_day(server) {
        let family = server.family();
        let open = |name: &str, kind: &str, date: Option<&str>| {
            let mut fields =
                json!({ "name": name, "account_type": kind, "opening_balance": "100.00" });
            if let Some(date) = date {
                fields["opening_date"] = json!(date);
            }
            family.account_with(fields)
        };
        for (account, end) in [
            (open("Undated", "depository", None), "115.00"),
            (open("Undated debt", "credit_card", None), "85.00"),
            (open("Before", "depository", Some("2024-01-01")), "115.00"),
            (open("Same day as the first", "depository", Some("2024-01-10")), "125.00"),
            (open("Between", "depository", Some("2024-01-11")), "125.00"),
            (open("After", "depository", Some("2024-02-01")), "100.00"),
        ] {
            publish(&family.api, CSV, &json!({ "account_id": account }));
            assert_eq!(balance(&family, &account), end);
        }
    }

    fn a_valuation_in_between_holds(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        value(&family, &account, "2024-01-11", "200.00");
        publish(&family.api, CSV, &json!({ "account_id": account }));
        assert_eq!(days(&server, &account), ["-100000", "2000000", "2250000"]);
        // A valuation of a day that has entries sets the balance at its end.
        value(&family, &account, "2024-01-12", "1.00");
        assert_eq!(balance(&family, &account), "1.00");
        publish(
            &family.api,
            "Date,Amount,Name\n2024-01-12,+50.00,More\n2024-01-20,+1.00,After\n",
            &json!({ "account_id": account }),
        );
        assert_eq!(balance(&family, &account), "2.00");
    }

    fn entries_that_come_late_move_every_later_day(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        publish(&family.api, CSV, &json!({ "account_id": account }));
        assert_eq!(days(&server, &account), ["-100000", "150000"]);
        let late = "Date,Amount,Name\n2023-12-31,+100.00,Late\n\
                    2024-01-11,+1.00,Between\n2024-01-12,+0.25,Same day\n";
        publish(&family.api, late, &json!({ "account_id": account }));
        assert_eq!(days(&server, &account), ["1000000", "900000", "910000", "1162500"]);
        assert_eq!(balance(&family, &account), "116.25");
    }

    fn equal_rows_stay_as_many_as_they_are(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = format!("Date,Amount,Name\n{}", "2024-01-02,-1.10,Coffee\n".repeat(7));
        publish(&family.api, &csv, &json!({ "account_id": account }));
        assert_eq!(transactions(&family), ["2024-01-02 -1.10 USD Coffee @Main"; 7]);
        assert_eq!(balance(&family, &account), "-7.70");
    }

    fn many_accounts_in_one_file(server) {
        let family = server.family();
        let mut csv = "Date,Amount,Name,Account,Currency\n".to_owned();
        for row in 0..300 {
            let account = row % 30;
            let currency = ["USD", "EUR", "CHF"][account % 3];
            csv.push_str(&format!(
                "2024-01-{:02},+{row}.25,R{row},Account {account},{currency}\n",
                1 + row % 28
            ));
        }
        publish(&family.api, &csv, &json!({}));
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        assert_eq!(accounts.len(), 30);
        for shown in accounts {
            let number: u32 = text(&shown["name"])[8..].parse().unwrap();
            let sum: u32 = (0..10).map(|round| round * 30 + number).sum();
            assert_eq!(text(&shown["balance_decimal"]), format!("{}.50", sum + 2), "{shown}");
            assert_eq!(shown["currency"], ["USD", "EUR", "CHF"][number as usize % 3]);
        }
    }

    fn everything_is_in_the_audit_trail(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = "Date,Amount,Name,Category\n2024-01-02,-1.00,A,Food\n2024-01-03,-1.00,B,\n";
        let import = publish(&family.api, csv, &json!({ "account_id": account }));
        let trail = sql::query(
            &server,
            "SELECT action, actor_kind, actor_id, subject_id, details FROM audit_events
             WHERE subject_kind = 'import' ORDER BY at, id",
        );
        let plain = |id: &str| id.replace('-', "");
        let id = plain(text(&import["id"]));
        assert_eq!(trail.len(), 2, "{trail:?}");
        let [uploaded, published] = [&trail[0], &trail[1]];
        assert_eq!((uploaded[0].as_str(), uploaded[1].as_str()), ("import.upload", "key"));
        assert!(!uploaded[2].is_empty(), "which key");
        assert_eq!((published[0].as_str(), published[1].as_str()), ("import.publish", "import"));
        for event in [uploaded, published] {
            assert_eq!(plain(&event[3]), id);
        }
        assert_eq!(plain(&published[2]), id);
        let details: Value = serde_json::from_str(&published[4]).expect("JSON");
        let range = &details["entries"];
        let mut ids: Vec<String> = all(&family.api, "/api/v1/transactions", "transactions")
            .iter()
            .map(|one| text(&one["id"]).to_owned())
            .collect();
        ids.sort();
        assert_eq!(
            (text(&range["first"]), text(&range["last"])),
            (ids[0].as_str(), ids[1].as_str())
        );
        assert_eq!(details["created"].as_array().map(Vec::len), Some(1), "the category: {details}");
        // What is refused leaves no trace of a publish.
        post(
            &family.api,
            "Date,Amount\n2024-01-02,x\n2024-01-02,+1\n",
            &json!({ "account_id": account, "publish": true }),
        )
        .expect_error(422, "invalid_rows");
        assert_eq!(
            sql::value(
                &server,
                "SELECT COUNT(*) FROM audit_events WHERE action = 'import.publish'"
            ),
            "1"
        );
    }
}
