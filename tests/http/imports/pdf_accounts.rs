//! `PdfImport` of a document with the statements of several accounts.

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{IMPORTS, both_whole, path, rows, transactions};
use crate::support::pdf::{Page, Style, document};
use crate::support::{Client, Family, Multipart, Sql};

/// Two accounts with two rows each, in a month. `is_wrong` changes a digit of the second one.
fn statements(month: u32, is_wrong: bool) -> Vec<u8> {
    let mut page = Page::default();
    let mut y = 780;
    let mut line = |cells: &[(i64, bool, &str)]| {
        for (x, is_right, text) in cells {
            match is_right {
                true => page.right(*x, y, text, Style::PLAIN),
                false => page.left(*x, y, text),
            }
        }
        y -= 14;
    };
    let fee = if is_wrong { "1,60" } else { "1,50" };
    line(&[(40, false, &format!("Kontoauszug vom 01.{month:02}.2026 bis 28.{month:02}.2026"))]);
    line(&[(40, false, "Kontoinhaber: Ada Byron")]);
    for (account, opening, rows, closing) in [
        (
            "Girokonto IBAN DE89 3704 0044 0532 0130 00",
            "1.000,00 EUR",
            [("02", "Bakery", 440, "12,50"), ("15", "Salary", 560, "12,50")],
            "1.000,00 EUR",
        ),
        (
            "Tagesgeldkonto Konto-Nr. 98761234",
            "200,00 EUR",
            [("05", "Fee", 440, fee), ("27", "Interest", 560, "1,50")],
            "200,00 EUR",
        ),
    ] {
        line(&[]);
        line(&[(40, false, account)]);
        line(&[(40, false, "Anfangssaldo"), (560, true, opening)]);
        line(&[
            (40, false, "Buchung"),
            (110, false, "Text"),
            (440, true, "Soll"),
            (560, true, "Haben"),
        ]);
        for (day, text, x, amount) in rows {
            let day = format!("{day}.{month:02}.");
            line(&[(40, false, &day), (110, false, text), (x, true, amount)]);
        }
        line(&[]);
        line(&[(40, false, "Endsaldo"), (560, true, closing)]);
    }
    document(&[page], Style::PLAIN)
}

fn form(document: &[u8], fields: &Value) -> Multipart {
    let texts = fields.as_object().unwrap().iter();
    texts
        .fold(Multipart::new(), |form, (name, value)| form.text(name, value.as_str().unwrap()))
        .text("type", "PdfImport")
        .file("file", "statements.pdf", "application/pdf", document)
}

fn upload_pdf(api: &Client, document: &[u8], fields: &Value) -> Value {
    api.post_form(IMPORTS, &form(document, fields)).expect_status(201).json()["data"].clone()
}

/// Last four characters, balances, and whether the ledger agrees, of the statements of an account.
fn stated(family: &Family, account: &str) -> Vec<Value> {
    let path = format!("/api/v1/statements?account_id={account}");
    let list = family.api.get(&path).expect_status(200).json();
    let one = |one: &Value| {
        json!([
            one["last_four"],
            one["holder"],
            one["opening_balance_decimal"],
            one["closing_balance_decimal"],
            one["reconciled"]
        ])
    };
    list["statements"].as_array().unwrap().iter().map(one).collect()
}

both_whole! {
    fn several_accounts_of_a_document_go_where_each_of_them_belongs(server) {
        let family = server.family();
        let euros = |name: &str, opening: &str| {
            family.account_with(json!({ "name": name, "account_type": "depository",
                "currency": "EUR", "opening_balance": opening, "opening_date": "2025-12-31" }))
        };
        let (main, savings) = (euros("Main", "1000.00"), euros("Savings", "200.00"));
        let before = State::read(&Sql::open(&server), &family);
        let january = statements(1, false);
        let into_one = upload_pdf(&family.api, &january, &json!({ "account_id": main }));
        assert_eq!(into_one["status_detail"]["configured"], false, "{into_one}");
        assert!(into_one["source"]["problems"].to_string().contains("several accounts"));
        family.api.delete(&path(&into_one, "")).expect_status(200);

        let import = upload_pdf(&family.api, &january, &json!({}));
        assert_eq!(import["source"]["balance"]["breaks"], 0, "{import}");
        assert_eq!(rows(&family.api, &import), [
            "2026-01-02 12.50 EUR Bakery @DE89370400440532013000",
            "2026-01-15 -12.50 EUR Salary @DE89370400440532013000",
            "2026-01-05 1.50 EUR Fee @98761234",
            "2026-01-27 -1.50 EUR Interest @98761234",
        ]);
        let change = json!({ "mappings": [
            { "kind": "account", "key": "DE89370400440532013000", "id": main },
            { "kind": "account", "key": "98761234", "id": savings },
        ] });
        family.api.patch(&path(&import, ""), &change).expect_status(200);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), [
            "2026-01-02 -12.50 EUR Bakery @Main",
            "2026-01-05 -1.50 EUR Fee @Savings",
            "2026-01-15 12.50 EUR Salary @Main",
            "2026-01-27 1.50 EUR Interest @Savings",
        ]);
        let agreed = |last: &str, amount: &str| json!([last, "Ada Byron", amount, amount, true]);
        assert_eq!(stated(&family, &main), [agreed("3000", "1000.00")]);
        assert_eq!(stated(&family, &savings), [agreed("1234", "200.00")]);

        // The next document of the kind needs nobody.
        let next = upload_pdf(&family.api, &statements(2, false), &json!({}));
        assert_eq!(next["status_detail"]["publishable"], true, "{next}");
        publish_again(&family.api, &next);
        assert_eq!(stated(&family, &savings).len(), 2);
        undo(&family.api, &next);
        family.api.delete(&path(&next, "")).expect_status(200);
        undo(&family.api, &import);
        assert_eq!(State::read(&Sql::open(&server), &family), before);
    }

    fn accounts_of_which_one_is_not_proven_are_refused(server) {
        let family = server.family();
        let answer = family.api.post_form(IMPORTS, &form(&statements(1, true), &json!({})));
        let refused = answer.expect_error(422, "invalid_file_type");
        let message = refused["message"].as_str().unwrap();
        assert!(message.contains("nothing proves which of them each row belongs to"), "{message}");
    }
}
