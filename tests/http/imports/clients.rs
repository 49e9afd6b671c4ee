//! What known programs send, byte for byte as they send it.

use serde_json::json;

use super::{IMPORTS, both_whole, rows, text, transactions};
use crate::support::Multipart;

both_whole! {
    /// One import per account; reads the count of valid rows from the answer, and never comes back.
    fn moneyman(server) {
        let family = server.family_in("ILS");
        let account = family.account("Bank", "depository");
        let csv = "Date,Amount,Description,Notes,Currency\n\
                   2026-01-05,-12.5,\"Cafe, \"\"Aroma\"\"\",\
                   \"category: food\nmemo: card 1234\",ILS\n\
                   2026-01-06,1000,Salary,,ILS\n\
                   2026-01-06,-0.07,Fee,,ILS";
        let body = json!({
            "type": "TransactionImport",
            "account_id": account,
            "raw_file_content": csv,
            "date_col_label": "Date",
            "amount_col_label": "Amount",
            "name_col_label": "Description",
            "notes_col_label": "Notes",
            "currency_col_label": "Currency",
            "date_format": "%Y-%m-%d",
            "number_format": "1,234.56",
            "signage_convention": "inflows_positive",
            "publish": "true",
        });
        let answer = family.api.post(IMPORTS, &body).expect_status(201);
        assert_eq!(answer.json()["data"]["stats"]["valid_rows_count"], 3);
        let import = family.api.wait_for_import(&answer.id());
        assert_eq!(import["status"], "complete");
        assert_eq!(
            transactions(&family),
            [
                "2026-01-05 -12.50 ILS Cafe, \"Aroma\" @Bank",
                "2026-01-06 -0.07 ILS Fee @Bank",
                "2026-01-06 1000.00 ILS Salary @Bank",
            ]
        );
        assert_eq!(
            rows(&family.api, &import)[0],
            "2026-01-05 12.50 ILS Cafe, \"Aroma\" | category: food\nmemo: card 1234"
        );
    }

    /// The JSON form: strings only, and two keys that the interface doesn't know.
    fn sure_cli_with_content(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let body = json!({
            "account_id": account,
            "amount_col_label": "amount",
            "date_col_label": "date",
            "date_format": "%m/%d/%Y",
            "format": "csv",
            "name_col_label": "name",
            "publish": "true",
            "raw_file_content": "date,amount,name\n01/15/2024,-4.50,Coffee\n",
            "source": "cli",
            "type": "TransactionImport",
        });
        let answer = family.api.post(IMPORTS, &body).expect_status(201);
        family.api.wait_for_import(&answer.id());
        assert_eq!(transactions(&family), ["2024-01-15 -4.50 USD Coffee @Main"]);
    }

    /// The multipart form: text fields, then the file with a type made from its extension.
    fn sure_cli_with_a_file(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let csv = b"date,amount,name\n2024-01-15,-4.50,Coffee\n";
        let form = Multipart::new()
            .text("account_id", &account)
            .text("publish", "true")
            .text("type", "TransactionImport")
            .file("file", "bank.csv", "text/csv", csv);
        let answer = family.api.post_form(IMPORTS, &form).expect_status(201);
        family.api.wait_for_import(&answer.id());
        assert_eq!(transactions(&family), ["2024-01-15 -4.50 USD Coffee @Main"]);
        // It sends native exports by itself as SureImport.
        let form = Multipart::new().text("type", "SureImport").file(
            "file",
            "all.ndjson",
            "application/x-ndjson",
            b"{\"type\":\"Account\",\"data\":{\"id\":\"1\",\"name\":\"Giro\",\"balance\":\"1.00\",\
              \"accountable_type\":\"Depository\",\"currency\":\"USD\"}}\n",
        );
        let answer = family.api.post_form(IMPORTS, &form).expect_status(201).json();
        assert_eq!(answer["data"]["type"], "NativeImport", "{answer}");
    }

    /// Retries any 5xx, also of a POST: see `failures` for what becomes of that.
    fn a_header_named_bearer_opens_too(server) {
        let family = server.family();
        let key = server.key(&family.email, crate::support::Scope::ReadWrite);
        let bearer = server.client().with_header("Authorization", &format!("Bearer {key}"));
        bearer.post(IMPORTS, &json!({})).expect_status(201);
    }

    /// Uploads without publishing; reads only the id.
    fn sumeria(server) {
        let family = server.family_in("EUR");
        let account = family.account("Sumeria", "depository");
        let body = json!({
            "type": "TransactionImport",
            "account_id": account,
            "raw_file_content": "date,amount,name,tags\n\
                2025-11-03,-23.40,Carrefour,\"courses,maison\"\n",
            "date_col_label": "date",
            "amount_col_label": "amount",
            "name_col_label": "name",
            "tags_col_label": "tags",
            "date_format": "%Y-%m-%d",
            "number_format": "1,234.56",
            "signage_convention": "inflows_positive",
            "amount_type_strategy": "signed_amount",
            "col_sep": ",",
        });
        let answer = family.api.post(IMPORTS, &body).expect_status(201);
        let import = answer.json()["data"].clone();
        assert_eq!(text(&import["id"]), answer.id());
        assert_eq!(import["status_detail"]["publishable"], true);
        assert_eq!(
            rows(&family.api, &import),
            ["2025-11-03 23.40 EUR Carrefour [courses] [maison]"]
        );
    }

    /// An extension that shows its rows for review before anything is booked.
    fn a_review_queue(server) {
        let family = server.family_in("ILS");
        let account = family.account("Card", "credit_card");
        let body = json!({
            "account_id": account, "col_sep": ",", "date_format": "%d/%m/%Y", "publish": "false",
            "raw_file_content": "Date,Amount,Name\n05/01/2026,-10.00,Shop\n",
            "type": "TransactionImport",
        });
        let answer = family.api.post(IMPORTS, &body).expect_status(201);
        let polled =
            family.api.get(&format!("{IMPORTS}/{}", answer.id())).expect_status(200).json();
        assert_eq!(polled["data"]["status"], "pending");
    }

    /// The answers are short and must not be chunked.
    fn answers_have_a_length(server) {
        let family = server.family();
        for (name, value) in [("Accept-Encoding", "gzip"), ("Accept", "*/*")] {
            let answer = family.api.with_header(name, value).post(IMPORTS, &json!({}));
            assert!(
                answer.header("Content-Length").is_some()
                    || answer.header("Content-Encoding").is_some()
            );
            assert_eq!(answer.header("Transfer-Encoding"), None);
        }
    }
}
