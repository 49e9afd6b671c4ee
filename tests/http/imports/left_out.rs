//! Rows that the file or a filter leaves out: shown with their reason, and taken if a person wants.

use serde_json::json;

use super::configure::patch;
use super::{balance, both_whole, path, post, publish, text, transactions, upload};

const CARD: &str = "Date,Name,Amount,Status\n\
                    2026-01-02,Salary,100.00,Completed\n\
                    2026-01-03,Coffee,-3.50,Declined\n\
                    2026-01-04,Books,-20.00,Pending\n\
                    2026-01-05,Cinema,-12.00,Completed\n";

const STATEMENT: &str = "Date,Name,Amount\n\
                         2026-01-01,Opening balance,50.00\n\
                         2026-01-02,Salary,100.00\n\
                         2026-01-03,Coffee,-3.50\n\
                         2026-01-31,Closing balance,146.50\n";

both_whole! {
    fn a_declined_row_is_left_out_until_somebody_wants_it(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let import = upload(&family.api, CARD, &json!({ "account_id": account }));
        assert_eq!(import["source"]["status_col_label"], "Status");
        assert_eq!(
            import["source"]["left_out_rows"],
            json!([
                { "reason": "Status is \"Declined\": no money moved", "rows": 1 },
                { "reason": "Status is \"Pending\": it is not booked yet", "rows": 1 },
            ])
        );
        assert_eq!(import["plan"]["left_out_count"], 2);
        assert_eq!(import["plan"]["create_count"], 2);
        let left_out = family.api.get(&path(&import, "/rows?verdict=left_out")).json();
        assert_eq!(left_out["data"][0]["reason"], "Status is \"Declined\": no money moved");
        assert_eq!(left_out["data"][0]["choice"], "plan");
        let page = path(&import, "").replace("/api/v1", "");
        let visitor = server.signed_in(&family);
        let review = visitor.get(&page).expect_status(200);
        assert!(review.text().contains("Left out: 1 row. Status is"), "{}", review.text());
        // The preview beside the settings shows what stays out, too.
        let mapping = visitor.get(&format!("{page}/mapping")).expect_status(200);
        for part in ["2 rows can be read", ">Left out<", ": no money moved"] {
            assert!(mapping.text().contains(part), "{part}: {}", mapping.text());
        }
        let wanted = json!({ "choice": "create" });
        let edited = family.api.patch(&path(&import, "/rows/3"), &wanted).expect_status(200).json();
        assert_eq!(edited["data"]["verdict"], "create");
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        family.api.wait_for_import(import["id"].as_str().unwrap());
        assert_eq!(
            transactions(&family),
            [
                "2026-01-02 100.00 USD Salary @Main",
                "2026-01-04 -20.00 USD Books @Main",
                "2026-01-05 -12.00 USD Cinema @Main",
            ]
        );
    }

    fn an_unknown_status_is_decided_by_a_filter_that_templates_keep(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let unknown = CARD.replace("Pending", "Refunded");
        let fields = json!({ "account_id": account });
        let import = upload(&family.api, &unknown, &fields);
        let problem = import["source"]["problems"][0].as_str().unwrap_or_default();
        assert!(problem.contains("\"Refunded\" in \"Status\""), "{import}");
        let filter = "Status is Completed | Refunded";
        let import = patch(&family.api, &import, &json!({ "row_filter": filter }));
        assert_eq!(import["source"]["problems"], json!([]));
        assert_eq!(import["plan"]["create_count"], 3);
        family.api.post(&path(&import, "/publish"), &json!({})).expect_status(202);
        family.api.wait_for_import(import["id"].as_str().unwrap());
        let next = unknown.replace("2026-01", "2026-02");
        let import = upload(&family.api, &next, &fields);
        assert_eq!(import["source"]["template"]["settings_taken"], json!(["row_filter"]));
        let reason = "Status is \"Declined\": the row filter leaves it out";
        assert_eq!(import["source"]["left_out_rows"], json!([{ "reason": reason, "rows": 1 }]));
        for (filter, problem) in
            [("Status", "must be written as"), ("State is x", "not in the header")]
        {
            let answer = post(&family.api, CARD, &json!({ "row_filter": filter }));
            assert!(answer.expect_status(422).text().contains(problem), "{filter}");
        }
        let all = upload(&family.api, CARD, &json!({ "row_filter": "Name is Nobody" }));
        let problem = all["source"]["problems"][0].as_str().unwrap_or_default();
        assert!(problem.starts_with("Every row is left out: Name is \"Salary\""), "{all}");
    }

    fn balances_in_lines_are_no_money(server) {
        let family = server.family();
        let new = json!({ "account_id": family.account("Main", "depository") });
        let import = publish(&family.api, STATEMENT, &new);
        assert_eq!(import["source"]["stated_balances"]["opening_balance"], "50.00");
        assert_eq!(import["source"]["stated_balances"]["difference"], "0.00");
        assert_eq!(
            transactions(&family),
            ["2026-01-02 100.00 USD Salary @Main", "2026-01-03 -3.50 USD Coffee @Main"]
        );
        let lost = STATEMENT.replace("2026-01-03,Coffee,-3.50\n", "");
        let import = upload(&family.api, &lost, &new);
        let problem = import["source"]["problems"][0].as_str().unwrap_or_default();
        assert!(problem.contains("the rows come to $3.50 more than the file"), "{import}");
        let import = patch(&family.api, &import, &json!({ "balance_check": "ignore" }));
        assert_eq!(import["source"]["problems"], json!([]));
        assert_eq!(import["source"]["stated_balances"]["difference"], "3.50");
    }

    fn balances_that_one_file_did_not_compare_are_compared_in_the_next(server) {
        let family = server.family();
        let card = family.account("Card", "credit_card");
        let owed = "Date,Name,Debit,Credit\n\
                    2026-01-01,Opening balance,,100.00\n\
                    2026-01-02,A,150.00,\n2026-01-03,Payment,,100.00\n\
                    2026-01-31,Closing balance,,150.00\n";
        let problem_of = |csv: &str| {
            let import = upload(&family.api, csv, &json!({ "account_id": card }));
            assert_eq!(import["configuration"]["balance_check"], json!(null), "{import}");
            import["source"]["problems"][0].as_str().unwrap_or_default().to_owned()
        };
        let sense = "agree with them as what is owed";
        assert!(problem_of(owed).contains(sense));
        publish(&family.api, owed, &json!({ "account_id": card, "balance_check": "ignore" }));
        let next = owed.replace("2026-01", "2026-02");
        assert!(problem_of(&next).contains(sense));
        let wrong = next.replace("A,150.00", "A,151.00");
        assert!(problem_of(&wrong).contains("the rows come to"), "{}", problem_of(&wrong));
    }

    fn a_new_account_opens_with_the_balance_that_a_line_states(server) {
        let family = server.family();
        let with_account = STATEMENT.replace("\n20", "\nNew,20").replace("Date,", "Account,Date,");
        publish(&family.api, &with_account, &json!({}));
        let accounts = family.api.get("/api/v1/accounts").expect_status(200).json();
        let account = &accounts["accounts"][0];
        assert_eq!((&account["name"], balance(&family, text(&account["id"])).as_str()),
            (&json!("New"), "146.50"));
    }
}
