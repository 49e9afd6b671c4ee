//! The fields beside the content: each value that is accepted, each that is refused, and how.

use serde_json::{Value, json};

use super::{IMPORTS, both_whole, count, errors, merged, post, upload};
use crate::support::Multipart;

const CSV: &str = "Date,Amount,Name,Category,Tags,Notes,Account,Cur,Way,Qty,Ticker,Price,Mic\n\
                   2024-01-02,+12.50,Coffee,Food,a,n,Main,USD,in,1,T,2,X\n";
/// Every type of the enumeration.
const TYPES: [&str; 12] = [
    "TransactionImport",
    "TradeImport",
    "AccountImport",
    "MintImport",
    "CategoryImport",
    "RuleImport",
    "MerchantImport",
    "QifImport",
    "PdfImport",
    "YnabImport",
    "ActualImport",
    "NativeImport",
];

both_whole! {
    fn every_field_of_the_specification_is_accepted(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({
            "type": "TransactionImport", "account_id": account, "publish": "false",
            "date_col_label": "Date", "amount_col_label": "Amount", "name_col_label": "Name",
            "category_col_label": "Category", "tags_col_label": "Tags",
                "notes_col_label": "Notes",
            "account_col_label": "Account", "qty_col_label": "Qty", "ticker_col_label": "Ticker",
            "price_col_label": "Price", "entity_type_col_label": "Way",
            "currency_col_label": "Cur", "exchange_operating_mic_col_label": "Mic",
            "date_format": "%Y-%m-%d", "number_format": "1,234.56",
            "signage_convention": "inflows_negative", "col_sep": ",",
            "amount_type_strategy": "custom_column", "amount_type_inflow_value": "in",
            "rows_to_skip": "0", "format": "unknown", "source": { "also": ["unknown"] },
        });
        let import = upload(&family.api, CSV, &fields);
        assert_eq!(import["stats"]["valid_rows_count"], 1, "{import}");
        assert_eq!(import["account_id"], *account);
        assert_eq!(
            import["configuration"],
            json!({
                "date_col_label": "Date", "amount_col_label": "Amount", "name_col_label": "Name",
                "category_col_label": "Category",
                "tags_col_label": "Tags", "notes_col_label": "Notes",
                "account_col_label": "Account", "date_format": "%Y-%m-%d",
                "number_format": "1,234.56", "signage_convention": "inflows_negative",
            })
        );
    }

    fn json_and_multipart_come_to_the_same(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({
            "account_id": account, "date_col_label": "Date",
            "signage_convention": "inflows_negative",
            "number_format": "1,234.56", "unknown": "ignored",
        });
        let texts = fields.as_object().unwrap().iter();
        let form = texts
            .fold(Multipart::new(), |form, (name, value)| form.text(name, value.as_str().unwrap()));
        let inline = form.clone().text("raw_file_content", CSV);
        let file = form.clone().file("file", "bank.csv", "text/csv", CSV.as_bytes());
        let nameless = form.text("file", CSV);
        let same = |import: &Value| {
            let mut import = import.clone();
            for own in ["id", "created_at", "updated_at", "same_file"] {
                assert!(import.as_object_mut().unwrap().remove(own).is_some(), "{import}");
            }
            import
        };
        let expected = same(&upload(&family.api, CSV, &fields));
        for form in [inline, file, nameless] {
            let import = family.api.post_form(IMPORTS, &form).expect_status(201).json();
            assert_eq!(same(&import["data"]), expected);
        }
    }

    fn each_bad_value_is_named_and_nothing_is_stored(server) {
        let family = server.family();
        let foreign = server.family().account("Theirs", "depository");
        let unknown = "018f0000-0000-7000-8000-000000000000";
        let cases = [
            ("type", json!("BankImport")),
            ("type", json!("transactionimport")),
            ("type", json!(["TransactionImport"])),
            ("type", json!(true)),
            ("account_id", json!("7")),
            ("account_id", json!(7)),
            ("account_id", json!({})),
            ("account_id", json!(unknown)),
            ("account_id", json!(foreign)),
            ("publish", json!("yes")),
            ("publish", json!("True")),
            ("publish", json!(1)),
            ("publish", json!(["true"])),
            ("skip_invalid", json!("1")),
            ("date_format", json!("%d.%m.")),
            ("date_format", json!("DD.MM.YYYY")),
            ("date_format", json!("%Q")),
            ("number_format", json!("1'234.56")),
            ("number_format", json!("1,234.567")),
            ("number_format", json!(false)),
            ("signage_convention", json!("inflow_positive")),
            ("col_sep", json!(":")),
            ("col_sep", json!(",,")),
            ("amount_type_strategy", json!("by_magic")),
            ("rows_to_skip", json!("-1")),
            ("rows_to_skip", json!("two")),
            ("rows_to_skip", json!(1.5)),
            ("raw_file_content", json!(5)),
            ("raw_file_content", json!(["Date,Amount"])),
            ("date_col_label", json!("Booked on")),
            ("amount_col_label", json!("Sum")),
            ("name_col_label", json!(["Name"])),
            ("category_col_label", json!("Kind")),
            ("tags_col_label", json!("Labels")),
            ("notes_col_label", json!("Remarks")),
            ("account_col_label", json!("Konto")),
            ("currency_col_label", json!("Currency")),
            ("entity_type_col_label", json!("Direction")),
        ];
        for (name, value) in cases {
            let answer = post(&family.api, CSV, &json!({ name: value }));
            let refused = answer.expect_error(422, "validation_failed");
            let errors = errors(&refused);
            let plain = name.trim_end_matches("_col_label").replace('_', " ");
            let names = |error: &String| error.contains(name) || error.contains(&plain);
            assert!(errors.iter().any(names), "{name}={value}: {refused}");
            assert!(refused["import_id"].is_null(), "{refused}");
        }
        assert_eq!(count(&family.api), 0);
    }

    fn all_problems_are_named_at_once(server) {
        let family = server.family();
        let bad = json!({
            "type": "X", "account_id": "7", "publish": "yes", "skip_invalid": 3,
            "date_format": "%d", "number_format": "1", "signage_convention": "both",
            "col_sep": "x", "amount_type_strategy": "custom_column", "rows_to_skip": "-",
            "name_col_label": {}, "raw_file_content": 5,
        });
        let problems =
            errors(&family.api.post(IMPORTS, &bad).expect_error(422, "validation_failed"));
        for name in bad.as_object().unwrap().keys().filter(|name| *name != "amount_type_strategy") {
            assert!(problems.iter().any(|problem| problem.contains(name)), "{name}: {problems:?}");
        }
        for companion in ["amount_type_inflow_value", "entity_type_col_label"] {
            assert!(problems.iter().any(|problem| problem.contains(companion)), "{problems:?}");
        }
        let labels =
            json!({ "date_col_label": "A", "amount_col_label": "B", "tags_col_label": "C" });
        let refused = post(&family.api, CSV, &labels).expect_error(422, "validation_failed");
        let problems = errors(&refused);
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems.iter().all(|problem| problem.contains("\"Amount\"")), "{problems:?}");
        assert_eq!(count(&family.api), 0);
    }

    fn types_are_known_or_wrong(server) {
        let family = server.family();
        let send = |name: Value| post(&family.api, CSV, &json!({ "type": name }));
        for name in [json!("TransactionImport"), json!(""), json!(null)] {
            let answer = send(name.clone()).expect_status(201).json();
            assert_eq!(answer["data"]["type"], "TransactionImport", "{name}");
        }
        for name in ["NativeImport", "SureImport"] {
            let answer = send(json!(name)).expect_status(201).json();
            assert_eq!(answer["data"]["type"], "NativeImport", "{name}");
        }
        let refused = send(json!("PdfImport")).expect_error(422, "invalid_file_type");
        assert!(refused["message"].as_str().unwrap().contains("PdfImport"), "{refused}");
        let refused = send(json!("Csv")).expect_error(422, "validation_failed").to_string();
        for name in TYPES {
            assert!(refused.contains(name), "{name} is not listed: {refused}");
        }
        assert_eq!(count(&family.api), 5);
    }

    fn publish_is_a_wish_only_when_it_is_true(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account, "amount_col_label": "Amount" });
        for (sent, status) in [
            (json!("true"), "importing"),
            (json!(true), "importing"),
            (json!("false"), "pending"),
            (json!(false), "pending"),
            (json!(""), "pending"),
            (json!(null), "pending"),
        ] {
            let import = upload(&family.api, CSV, &merged(&fields, &json!({ "publish": sent })));
            assert_eq!(import["status"], status, "publish {sent}");
            if status == "importing" {
                family.api.wait_for_import(import["id"].as_str().unwrap());
            }
        }
        assert_eq!(upload(&family.api, CSV, &fields)["status"], "pending");
    }

    fn a_key_of_some_accounts_must_name_one_of_them(server) {
        let family = server.family();
        let [mine, other] = ["Mine", "Other"].map(|name| family.account(name, "depository"));
        let made = server.run_json(
            &[
                "key",
                "add",
                "--user",
                &family.email,
                "--name",
                "narrow",
                "--scope",
                "read_write",
                "--account",
                &mine,
            ],
            "",
        );
        let narrow = server.client().with_key(made["key"].as_str().unwrap());
        for fields in [json!({}), json!({ "account_id": other }), json!({ "account_id": "" })] {
            let refused = post(&narrow, CSV, &fields).expect_error(422, "validation_failed");
            assert!(refused["message"].as_str().unwrap().contains("account_id"), "{refused}");
        }
        assert_eq!(count(&family.api), 0);
        let wide = [json!({}), json!({ "account_id": other })]
            .map(|fields| upload(&family.api, CSV, &fields));
        let import = crate::imports::publish(&narrow, CSV, &json!({ "account_id": mine }));
        let listed = narrow.get(IMPORTS).expect_status(200).json();
        assert_eq!(listed["meta"]["total_count"], 1);
        assert_eq!(listed["data"][0]["id"], import["id"]);
        for foreign in &wide {
            for below in ["", "/rows"] {
                narrow.get(&crate::imports::path(foreign, below)).expect_error(404, "not_found");
            }
            narrow
                .post(&crate::imports::path(foreign, "/publish"), &json!({}))
                .expect_error(404, "not_found");
        }
        assert_eq!(crate::imports::rows(&narrow, &import).len(), 1);
    }
}
