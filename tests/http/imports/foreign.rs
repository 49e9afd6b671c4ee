//! Rows in another currency than their account: booked by the rate that the file states, else by
//! the one that is known, and refused only without any.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::{all, balance, both_whole, merged, path, publish, text, upload};
use crate::support::Client;
use crate::trades::rate;

const CSV: &str = "Date,Amount,Name,Currency\n\
    2024-05-15,-10.00,Coffee,EUR\n2024-05-16,-5.00,Bread,USD\n";

fn into(account: &str) -> Value {
    json!({ "account_id": account })
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

both_whole! {
    fn the_known_rate_of_the_day_books_a_row(server) {
        let family = server.family();
        let account = family.account("Giro", "depository");
        let import = upload(&family.api, CSV, &into(&account));
        let found = rows(&family.api, &import);
        let reason = "It is in EUR and its account in USD, and no exchange rate is known for \
                      2024-05-15: state one, or name the column of the rates";
        assert_eq!(found[0], ("needs_choice".to_owned(), reason.to_owned()));
        assert_eq!(found[1], ("create".to_owned(), String::new()));
        family.api.request("POST", &path(&import, "/publish"), None)
            .expect_error(422, "undecided_rows");

        rate(&family.api, ("EUR", "USD"), "2024-05-14", "1.1");
        let import = upload(&family.api, CSV, &into(&account));
        let reason = "It is booked as -$11.00: one EUR is 1.1 USD, the family's rate of 2024-05-14";
        assert_eq!(rows(&family.api, &import)[0], ("create".to_owned(), reason.to_owned()));
        publish_again(&family.api, &import);
        assert_eq!(balance(&family, &account), "-16.00");
        let shown = all(&family.api, "/api/v1/transactions", "transactions");
        let coffee = shown.iter().find(|one| one["name"] == "Coffee").unwrap();
        assert_eq!(coffee["currency"], "EUR");
        assert_eq!(coffee["converted"]["amount_decimal"], "11.00", "{coffee}");

        // The same file once more adds nothing, and the undo takes the conversion along.
        let again = publish(&family.api, CSV, &into(&account));
        assert_eq!(again["plan"]["created_count"], 0);
        undo(&family.api, &import);
        assert_eq!(balance(&family, &account), "0.00");
    }

    fn a_rate_of_the_file_counts_in_the_direction_that_was_named(server) {
        let family = server.family();
        let account = family.account("Giro", "depository");
        rate(&family.api, ("EUR", "USD"), "2024-05-14", "1.1");
        let csv = "Date,Amount,Name,Currency,Wechselkurs\n2024-05-15,-10.00,Coffee,EUR,1.25\n";
        let refused = upload(&family.api, csv, &into(&account));
        let errors = &all(&family.api, &path(&refused, "/rows"), "data")[0]["errors"];
        assert!(text(&errors[0]).contains("nothing states whether"), "{errors}");
        let named = |setting: &str| merged(&into(&account), &json!({ setting: "Wechselkurs" }));
        let direct = upload(&family.api, csv, &named("exchange_rate_col_label"));
        let reason = "It is booked as -$12.50: one EUR is 1.25 USD, the rate that the file states";
        assert_eq!(rows(&family.api, &direct)[0].1, reason);
        publish(&family.api, csv, &named("inverse_rate_col_label"));
        assert_eq!(balance(&family, &account), "-8.00");
    }

    fn a_named_account_takes_other_currencies_if_a_person_chooses_it(server) {
        let family = server.family();
        let account = family.account("Giro", "depository");
        rate(&family.api, ("EUR", "USD"), "2024-05-14", "1.1");
        let csv = CSV.replace("Currency\n", "Currency,Account\n").replace("R\n", "R,Giro\n")
            .replace("D\n", "D,Giro\n");
        let import = upload(&family.api, &csv, &json!({}));
        assert_eq!(import["stats"]["unassigned_mappings_count"], 1, "several currencies");
        let choice = json!({ "mappings": [{ "kind": "account", "key": "Giro", "id": account }] });
        let chosen = family.api.patch(&path(&import, ""), &choice).expect_status(200).json();
        assert_eq!(chosen["data"]["status_detail"]["publishable"], true, "{chosen}");
        publish_again(&family.api, &import);
        assert_eq!(balance(&family, &account), "-16.00");
    }
}
