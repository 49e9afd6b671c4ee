//! Files without a header: their columns are what they hold, and `#3` names the third.

use serde_json::{Value, json};

use super::configure::patch;
use super::{both_whole, errors, merged, post, publish, rows, upload};

const PLAIN: &str = "2024-01-02;-5.00;Kiosk\n2024-01-03;2000.00;Salary\n";
const TWO_DAYS: &str = "2024-01-03;2024-01-02;-5.00;Kiosk\n2024-01-04;2024-01-04;-7.00;Bakery\n\
     2024-01-05;2024-01-03;-9.00;Tram\n";

both_whole! {
    fn what_leaves_no_doubt_needs_no_setting(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let import = publish(&family.api, PLAIN, &json!({ "account_id": account }));
        assert_eq!(
            rows(&family.api, &import),
            ["2024-01-02 5.00 USD Kiosk", "2024-01-03 -2000.00 USD Salary"]
        );
        assert_eq!(import["source"]["has_header"], false);
        assert_eq!(import["source"]["header_line"], Value::Null);
        assert_eq!(import["source"]["headers"], json!(["#1", "#2", "#3"]));
        assert_eq!(
            import["source"]["found_by_content"],
            json!(["date_col_label", "amount_col_label", "name_col_label"])
        );
        assert_eq!(import["configuration"]["date_col_label"], "#1");
        // A header is a row then, and an invalid one; the other way round a row is no row.
        let header = "Date;Amount;Name\n2024-01-02;-5.00;Kiosk\n";
        let fields = json!({ "account_id": account, "has_header": false, "rows_to_skip": 0 });
        let import = upload(&family.api, header, &fields);
        assert_eq!(import["stats"]["invalid_rows_count"], 1, "{import}");
        let import = patch(&family.api, &import, &json!({ "has_header": "true" }));
        assert_eq!(rows(&family.api, &import), ["2024-01-02 5.00 USD Kiosk"]);
        let refused = post(&family.api, PLAIN, &json!({ "has_header": "perhaps" }));
        let refused = refused.expect_error(422, "validation_failed");
        assert_eq!(errors(&refused), ["The has_header must be true or false"]);
    }

    fn one_answer_is_remembered_for_files_of_the_same_shape(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        let import = upload(&family.api, TWO_DAYS, &account);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        assert_eq!(
            import["source"]["problems"],
            json!(["The date may be in \"#1\" (for example \"2024-01-03\") or in \"#2\" (for example \
                    \"2024-01-02\"); \"#1\" is likely, say which one it is"])
        );
        let import = patch(&family.api, &import, &json!({ "date_col_label": "#2" }));
        assert_eq!(rows(&family.api, &import)[0], "2024-01-02 5.00 USD Kiosk");
        publish(&family.api, TWO_DAYS, &merged(&account, &json!({ "date_col_label": "#2" })));
        let next = "2024-02-06;2024-02-05;+5.00;Refund 12, of Bob\n2024-02-07;2024-02-01;1;B\n";
        let import = upload(&family.api, next, &account);
        assert_eq!(import["source"]["template"]["settings_taken"], json!(["date_col_label"]));
        assert_eq!(import["source"]["template"]["name"], "4 columns without a header");
        assert_eq!(rows(&family.api, &import)[0], "2024-02-05 -5.00 USD Refund 12, of Bob");
        // Another order of the columns, another way to write them, another number of columns.
        for other in [
            "2024-02-06;2024-02-05;Refund;-5.00\n",
            "06.02.2024;05.02.2024;-5.00;Refund\n",
            "2024-02-06;2024-02-05;-5,00;Refund\n",
            "2024-02-06;2024-02-05;-5.00;Refund;x\n",
        ] {
            let import = upload(&family.api, other, &account);
            assert_eq!(import["source"]["template"], Value::Null, "{other}");
            assert_eq!(import["status_detail"]["configured"], false, "{other}");
        }
    }

    fn a_balance_counts_before_what_another_bank_was_read_with(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        let first = "2024-01-02;-5.00;3.00;Kiosk\n2024-01-03;-7.00;4.00;Tram\n";
        publish(&family.api, first, &merged(&account, &json!({ "amount_col_label": "#2" })));
        // Of the same shape, but the balance stands before the amount.
        let second = "2024-02-02;95.00;-5.00;Kiosk\n2024-02-03;88.00;-7.00;Tram\n\
                      2024-02-04;98.00;10.00;Bob\n2024-02-05;97.00;-1.00;Ann\n";
        let import = upload(&family.api, second, &account);
        assert_eq!(import["configuration"]["amount_col_label"], "#3", "{import}");
        assert_eq!(import["source"]["balance"]["balance_col_label"], "#2");
        assert_eq!(import["source"]["template"]["not_fitting"], json!(["amount_col_label"]));
    }

    fn places_name_columns_under_any_header(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        let csv = "Date;;Amount;Amount;#3\n2024-01-02;Kiosk;-5.00;-6.00;-7.00\n";
        let import = upload(&family.api, csv, &account);
        assert_eq!(import["source"]["duplicate_headers"], json!(["Amount"]));
        for (label, amount) in [("Amount", "5.00"), ("#4", "6.00"), ("#3", "7.00")] {
            let labels = json!({ "amount_col_label": label, "name_col_label": "#2" });
            let import = patch(&family.api, &import, &labels);
            let shown = &import["configuration"];
            assert_eq!((&shown["amount_col_label"], &shown["name_col_label"]), (&json!(label), &json!("#2")));
            assert_eq!(rows(&family.api, &import), [format!("2024-01-02 {amount} USD Kiosk")]);
        }
        let refused = post(&family.api, csv, &merged(&account, &json!({ "date_col_label": "#6" })));
        let refused = errors(&refused.expect_error(422, "validation_failed"));
        assert!(refused[0].contains("\"#6\" is not in the header"), "{refused:?}");
        let categories = "Food;#aa0000\nRent;#00aa00\n";
        let places = json!({ "type": "CategoryImport", "has_header": "false",
            "name_col_label": "#1", "color_col_label": "#2" });
        let import = upload(&family.api, categories, &places);
        assert_eq!(import["stats"]["valid_rows_count"], 2, "{import}");
    }

    fn rows_with_more_cells_than_the_header_are_counted(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        let csv = "Date;Amount;Name\n2024-01-02;-5.00;Kiosk\n2024-01-03;-6.00;Milk; eggs; bread\n";
        let import = upload(&family.api, csv, &account);
        assert_eq!(import["source"]["longer_rows"], json!({ "count": 1, "lines": [3] }), "{import}");
        assert_eq!(rows(&family.api, &import)[1], "2024-01-03 6.00 USD Milk");
    }

    fn a_quote_that_is_not_closed_makes_no_account(server) {
        let family = server.family();
        let csv = "Date;Amount;Account;Name\n2024-01-02;-5.00;\"Giro;Kiosk\n\
                   2024-01-03;-6.00;Giro;\"Tram\"\n2024-01-04;-7.00;Giro;Bus\n";
        let import = upload(&family.api, csv, &json!({}));
        assert_eq!(import["stats"]["valid_rows_count"], 1, "{import}");
        let reason = "Account holds the next records, too: a quote isn't closed";
        assert_eq!(rows(&family.api, &import)[0], format!("line 2: {reason}"));
        post(&family.api, csv, &json!({ "publish": "true" })).expect_error(422, "invalid_rows");
        let accounts = family.api.get("/api/v1/accounts").expect_status(200).json();
        assert_eq!(accounts["accounts"], json!([]), "{accounts}");
    }

    fn who_is_paid_and_what_is_left_over_is_shown(server) {
        let family = server.family();
        let account = json!({ "account_id": family.account("Main", "depository") });
        let csv = "Date;Payer;Payee;Amount;Foo\n2024-01-02;Me;Kiosk;-5.00;x\n\
                   2024-01-03;Employer;Me;900.00;y\n2024-01-04;Me;;-1.00;z\n";
        let import = upload(&family.api, csv, &account);
        let source = &import["source"];
        assert_eq!((&source["own_name"], &source["unused_headers"]), (&json!("Me"), &json!(["Foo"])));
        assert_eq!(
            rows(&family.api, &import),
            [
                "2024-01-02 5.00 USD Kiosk",
                "2024-01-03 -900.00 USD Employer",
                "2024-01-04 1.00 USD Me",
            ]
        );
    }
}
