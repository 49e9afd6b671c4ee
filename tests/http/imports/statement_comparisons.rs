//! What OFX states, compared with the ledger: currencies, days, debts, and what can't be compared.

use serde_json::json;

use super::statement_files::OFX;
use super::undo::publish_again;
use super::{both_whole, path, publish, transactions, upload};

both_whole! {
    fn a_balance_of_the_next_working_day_decides_nothing_about_the_statement_after(server) {
        let family = server.family();
        let fields = json!({ "account_id": family.account("Main", "depository") });
        // The balance of a Friday has the entry of the Monday, and nobody entered the first one.
        let june = OFX.replace("20240103", "20240701").replace("202401", "202406");
        let june = june.replace("20240631", "20240630").replace("<DTASOF>20240630", "<DTASOF>20240628");
        publish(&family.api, &june, &fields);
        let july = OFX.replace("202401", "202407").replace("<FITID>A", "<FITID>B");
        let july = july.replace("20240703", "20240710");
        for (balance, is_right) in [("91.00", true), ("90.00", false)] {
            let import = upload(&family.api, &july.replace("95.50", balance), &fields);
            assert_eq!(import["status_detail"]["publishable"], is_right, "{balance}: {import}");
        }
    }

    fn a_statement_that_agreed_leaves_no_second_reading(server) {
        let family = server.family();
        let fields = json!({ "account_id": family.account("Main", "depository") });
        publish(&family.api, "Date,Name,Amount\n2024-05-30,X,+100.00\n", &fields);
        // The balance of a Friday is without the entry of the Monday, and agrees.
        let june = OFX.replace("20240103", "20240701").replace("202401", "202406");
        let june = june.replace("20240631", "20240630").replace("<DTASOF>20240630", "<DTASOF>20240628");
        publish(&family.api, &june.replace("95.50", "90.00"), &fields);
        let july = OFX.replace("202401", "202407").replace("<FITID>A", "<FITID>B");
        let july = july.replace("20240703", "20240710");
        // The second lacks a row that is worth what the entry of the Monday is.
        for (balance, is_right) in [("91.00", true), ("85.50", false)] {
            let import = upload(&family.api, &july.replace("95.50", balance), &fields);
            assert_eq!(import["status_detail"]["publishable"], is_right, "{balance}: {import}");
        }
    }

    fn the_reading_counts_that_two_statements_had(server) {
        let family = server.family();
        let fields = json!({ "account_id": family.account("Main", "depository") });
        // Nobody entered the first 100.00. The balance of May agrees with that in one way.
        let may = OFX.replace("202401", "202405").replace("<FITID>A", "<FITID>0");
        publish(&family.api, &may, &fields);
        let june = OFX.replace("20240103", "20240701").replace("202401", "202406");
        let june = june.replace("20240631", "20240630").replace("<DTASOF>20240630", "<DTASOF>20240628");
        publish(&family.api, &june.replace("95.50", "85.50"), &fields);
        let july = OFX.replace("202401", "202407").replace("<FITID>A", "<FITID>B");
        let july = july.replace("20240703", "20240710");
        for (balance, is_right) in [("86.50", true), ("81.00", false)] {
            let import = upload(&family.api, &july.replace("95.50", balance), &fields);
            assert_eq!(import["status_detail"]["publishable"], is_right, "{balance}: {import}");
        }
    }

    fn ofx_in_another_currency_than_its_account_is_asked_about_each_time(server) {
        let family = server.family();
        let rate = json!({ "base": "EUR", "quote": "USD", "date": "2024-01-01", "rate": "2" });
        family.api.post("/api/v1/exchange_rates", &rate).expect_status(201);
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        let euros = OFX.replace("<CURDEF>USD", "<CURDEF>EUR");
        let first = upload(&family.api, &euros, &fields);
        let refused = family.api.post(&path(&first, "/publish"), &json!({}));
        refused.expect_error(422, "not_proven");
        let answered = json!({ "account_id": account, "balance_check": "ignore_account" });
        publish(&family.api, &euros, &answered);
        // The currency is answered for, and a row may still be missing.
        let next = euros.replace("202401", "202403").replace("<FITID>A", "<FITID>C");
        let next = upload(&family.api, &next, &fields);
        let refused = family.api.post(&path(&next, "/publish"), &json!({}));
        let refused = refused.expect_error(422, "not_proven");
        let sentence = refused["message"].as_str().unwrap();
        assert!(sentence.starts_with("The closing balance can't be compared"), "{refused}");
    }

    fn ofx_without_a_currency_is_compared_as_well(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let numbered = OFX.replace("<ACCTID>123", "<ACCTID>70001111");
        publish(&family.api, &numbered, &json!({ "account_id": main }));
        let next = numbered.replace("202401", "202403").replace("<FITID>A", "<FITID>B");
        let next = next.replace("<CURDEF>USD", "").replace("95.50", "91.00");
        let kept = next.split_inclusive('\n').filter(|line| !line.contains("B2"));
        let lost: String = kept.collect();
        let other = next.replace("70001111", "70002222");
        for (file, is_right) in [(&next, true), (&lost, false), (&other, false)] {
            let import = upload(&family.api, file, &json!({ "account_id": main }));
            assert_eq!(import["status_detail"]["publishable"], is_right, "{import}");
            // The same by the name of the account.
            let import = upload(&family.api, file, &json!({}));
            let name = if *file == other { "70002222" } else { "70001111" };
            let change = json!({ "mappings": [{ "kind": "account", "key": name, "id": main }] });
            let import = family.api.patch(&path(&import, ""), &change).expect_status(200).json();
            let state = &import["data"]["status_detail"]["publishable"];
            assert_eq!(*state, is_right, "{import}");
        }
    }

    fn a_comparison_that_cant_be_made_is_no_agreement(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        publish(&family.api, "Date,Name,Amount\n2021-12-30,X,+100.00\n", &fields);
        let valuation = json!({ "valuation": {
            "account_id": account, "date": "2022-02-10", "amount": "500", "currency": "USD" } });
        family.api.post("/api/v1/valuations", &valuation).expect_status(201);
        // More days with rows follow the valuation than sums are kept of.
        let days = (0..17).flat_map(|month| (1..=28).map(move |day| (month, day)));
        let entry = |(month, day)| {
            let day = format!("{:04}{:02}{day:02}", 2022 + month / 12, month % 12 + 1);
            format!("<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>{day}<TRNAMT>-1<FITID>{day}<NAME>X\n")
        };
        let entries: String = days.map(entry).collect();
        let (start, end) = (OFX.find("<STMTTRN>").unwrap(), OFX.find("</BANKTRANLIST").unwrap());
        let file = format!("{}{entries}{}", &OFX[..start], &OFX[end..]);
        let file = file.replace("20240101", "20220101").replace("20240131", "20230528");
        let import = upload(&family.api, &file.replace("95.50", "62.00"), &fields);
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        let refused = refused.expect_error(422, "not_proven").to_string();
        assert!(refused.contains("can't be compared"), "{refused}");
    }

    fn a_debt_that_a_bank_writes_without_a_minus_is_asked_about_once(server) {
        let family = server.family();
        let fields = json!({ "account_id": family.account("Card", "credit_card") });
        publish(&family.api, "Date,Name,Amount\n2023-12-30,X,-100.00\n", &fields);
        let import = upload(&family.api, &OFX.replace("95.50", "104.50"), &fields);
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        let refused = refused.expect_error(422, "not_proven").to_string();
        assert!(refused.contains("without a minus"), "{refused}");
        let change = json!({ "balance_check": "ignore" });
        family.api.patch(&path(&import, ""), &change).expect_status(200);
        publish_again(&family.api, &import);
        let next = OFX.replace("202401", "202403").replace("<FITID>A", "<FITID>B");
        for (balance, is_right) in [("109.00", true), ("110.00", false), ("-109.00", true)] {
            let import = upload(&family.api, &next.replace("95.50", balance), &fields);
            assert_eq!(import["status_detail"]["publishable"], is_right, "{balance}: {import}");
        }
    }

    fn what_changed_since_the_upload_is_compared_once_more(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        publish(&family.api, OFX, &fields);
        let next = OFX.replace("202401", "202403").replace("<FITID>A", "<FITID>B");
        let import = upload(&family.api, &next.replace("95.50", "91.00"), &fields);
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        let entry = json!({ "transaction": { "account_id": account, "date": "2024-02-10",
            "amount": "1.00", "name": "Cash", "nature": "expense" } });
        family.api.post("/api/v1/transactions", &entry).expect_status(201);
        let answer = family.api.post(&path(&import, "/publish"), &json!({}));
        if answer.status != 422 {
            let import = family.api.wait_for_import(import["id"].as_str().unwrap());
            assert_eq!(import["status"], "failed", "{import}");
            assert!(import.to_string().contains("rows may be missing"), "{import}");
        }
        assert_eq!(transactions(&family).len(), 3);
    }
}
