//! Files of statements as banks hand them out: OFX, CAMT, MT940.

use serde_json::json;

use super::undo::publish_again;
use super::{all, both_whole, errors, path, post, publish, rows, transactions, upload};
use crate::support::Multipart;

pub(crate) const OFX: &str = "OFXHEADER:100\nDATA:OFXSGML\nENCODING:USASCII\nCHARSET:1252\n\n<OFX>\
    <BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>123\
    <ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20240101<DTEND>20240131\n\
    <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240102120000[-5:EST]<TRNAMT>-10.00<FITID>A1<NAME>AT&T\n\
    <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240103<TRNAMT>+5,50<FITID>A2<NAME>Friend<MEMO>back\n\
    </BANKTRANLIST><LEDGERBAL><BALAMT>95.50<DTASOF>20240131</LEDGERBAL></STMTRS></STMTTRNRS>\
    </BANKMSGSRSV1></OFX>";
const MT940: &str = ":20:1\n:25:10010010/123\n:28C:1/1\n:60F:C240101USD100,00\n\
    :61:240102D10,00NTRF\n:86:AT&T\n:61:240103C5,50NTRF\n:86:Friend\n:62F:C240131USD95,50\n-\n";
const CAMT: &str = "<?xml version='1.0' encoding='UTF-8'?><Document><BkToCstmrStmt><Stmt><Acct><Id>\
    <Othr><Id>123</Id></Othr></Id></Acct><Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp>\
    <Amt Ccy='USD'>100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-01</Dt></Dt></Bal><Bal>\
    <Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy='USD'>95.50</Amt>\
    <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-31</Dt></Dt></Bal><Ntry><Amt Ccy='USD'>10.00</Amt>\
    <CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2024-01-02</Dt></BookgDt>\
    <AddtlNtryInf>AT&amp;T</AddtlNtryInf></Ntry><Ntry><Amt Ccy='USD'>5.50</Amt>\
    <CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2024-01-03</Dt></BookgDt>\
    <AddtlNtryInf>Friend</AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>";

both_whole! {
    fn each_format_is_imported_and_nothing_comes_twice(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        let first = upload(&family.api, OFX, &fields);
        assert_eq!(first["plan"]["create_count"], 2, "{first}");
        assert_eq!(first["plan"]["left_out_count"], 1, "the closing balance: {first}");
        assert_eq!(first["status_detail"]["publishable"], true, "{first}");
        publish_again(&family.api, &first);
        assert_eq!(transactions(&family), [
            "2024-01-02 -10.00 USD AT&T @Main",
            "2024-01-03 5.50 USD Friend @Main",
        ]);
        for file in [MT940, CAMT, "Date,Name,Amount\n2024-01-02,AT&T,-10.00\n2024-01-03,Friend,5.50\n"] {
            let again = publish(&family.api, file, &fields);
            assert_eq!(again["plan"]["created_count"], 0, "{again}");
        }
        assert_eq!(transactions(&family).len(), 2);
    }

    fn a_statement_that_contradicts_itself_is_a_question(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        let right = upload(&family.api, MT940, &fields);
        assert_eq!(right["status_detail"]["publishable"], true, "{right}");
        let wrong = upload(&family.api, &MT940.replace("10,00N", "10,01N"), &fields);
        assert_eq!(wrong["status_detail"]["publishable"], false, "{wrong}");
        assert!(wrong.to_string().contains("95.50"), "{wrong}");
    }

    fn a_contradiction_in_a_file_of_several_accounts_is_a_question(server) {
        let family = server.family();
        let two = format!("{MT940}{}", MT940.replace("/123", "/456").replace("10,00N", "11,00N"));
        let import = upload(&family.api, &two, &json!({}));
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let problems = import["source"]["problems"].to_string();
        assert!(problems.contains("differ by 1.00"), "{problems}");
        let answered = json!({ "balance_check": "ignore" });
        let import = family.api.patch(&path(&import, ""), &answered).expect_status(200).json();
        assert_eq!(import["data"]["status_detail"]["publishable"], true, "{import}");
    }

    fn a_statement_that_was_cut_off_is_a_question(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let cut = &MT940[..MT940.find(":61:240103").unwrap()];
        let import = upload(&family.api, cut, &json!({ "account_id": account }));
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let problems = import["source"]["problems"].to_string();
        assert!(problems.contains("no closing balance"), "{problems}");
    }

    fn an_answer_about_balances_is_about_one_file(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let wrong = MT940.replace("USD95,50", "USD96,50");
        let fields = json!({ "account_id": account, "balance_check": "ignore" });
        publish(&family.api, &wrong, &fields);
        let fields = json!({ "account_id": account });
        // The next statement of the account, and one of another bank.
        let next = wrong.replace(":2401", ":2403").replace("C2401", "C2403");
        let other = CAMT.replace("95.50", "99.50").replace("2024-01", "2024-03");
        for file in [next, other] {
            let import = upload(&family.api, &file, &fields);
            assert_eq!(import["status_detail"]["configured"], false, "{import}");
        }
    }

    fn ofx_is_proven_by_the_statement_before(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        publish(&family.api, OFX, &fields);
        let next = OFX.replace("202401", "202403").replace("<FITID>A", "<FITID>B");
        let right = next.replace("95.50", "91.00");
        let of = |file: &str| upload(&family.api, file, &fields);
        let import = of(&right);
        assert_eq!(import["status_detail"]["publishable"], true, "{import}");
        // A lost row, and a changed digit.
        let kept = right.split_inclusive('\n').filter(|line| !line.contains("B2"));
        let lost: String = kept.collect();
        for wrong in [lost, right.replace("-10.00", "-90.00")] {
            let import = of(&wrong);
            assert_eq!(import["status_detail"]["publishable"], false, "{import}");
            let refused = family.api.post(&path(&import, "/publish"), &json!({}));
            let refused = refused.expect_error(422, "not_proven").to_string();
            assert!(refused.contains("rows may be missing"), "{refused}");
            let change = json!({ "balance_check": "ignore" });
            let import = family.api.patch(&path(&import, ""), &change).expect_status(200).json();
            assert_eq!(import["data"]["status_detail"]["publishable"], true, "{import}");
        }
        publish(&family.api, &right, &fields);
    }

    fn the_first_ofx_of_an_account_follows_from_what_it_has(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        let of = |file: &str| upload(&family.api, file, &fields)["status_detail"].clone();
        let before = "Date,Name,Amount\n2023-12-30,X,+100.00\n2024-01-02,AT&T,-10.00\n";
        publish(&family.api, before, &fields);
        let kept = OFX.split_inclusive('\n').filter(|line| !line.contains("A2"));
        let lost: String = kept.collect();
        for (file, is_right) in [
            (OFX, true),
            (lost.as_str(), false),
            (&OFX.replace("+5,50", "+5,60"), false),
            (&OFX.replace("95.50", "96.50"), false),
        ] {
            assert_eq!(of(file)["publishable"], is_right, "{file}");
        }
        // A valuation among its days sets what the account has then: rows until then don't count.
        for (day, amount, is_right) in
            [("2024-01-31", "95.50", true), ("2024-01-31", "95.40", false),
            ("2024-01-02", "90.00", true), ("2024-01-02", "91.00", false)]
        {
            let valuation = json!({ "valuation": {
                "account_id": account, "date": day, "amount": amount, "currency": "USD" } });
            let made = family.api.post("/api/v1/valuations", &valuation).expect_status(201);
            assert_eq!(of(OFX)["publishable"], is_right, "{day} {amount}");
            let path = format!("/api/v1/valuations/{}", made.id());
            family.api.delete(&path).expect_status(200);
        }
        publish(&family.api, OFX, &fields);
    }

    fn entries_of_the_next_working_day_may_be_in_the_balance_of_ofx_or_not(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        publish(&family.api, OFX, &fields);
        // The last entry is of a Monday, and the balance of the Friday before.
        let next = OFX.replace("202401", "202406").replace("<FITID>A", "<FITID>B");
        let next = next.replace("20240603", "20240701").replace("20240631", "20240630");
        let next = next.replace("<DTASOF>20240630", "<DTASOF>20240628");
        for (balance, is_right) in [("85.50", true), ("91.00", true), ("90.00", false)] {
            let import = upload(&family.api, &next.replace("95.50", balance), &fields);
            assert_eq!(import["status_detail"]["publishable"], is_right, "{balance}: {import}");
        }
    }

    fn every_digit_of_money_in_ofx_is_noticed(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        publish(&family.api, OFX, &fields);
        let next = OFX.replace("202401", "202403").replace("<FITID>A", "<FITID>B");
        let next = next.replace("95.50", "91.00");
        let is_publishable = |file: &str| {
            upload(&family.api, file, &fields)["status_detail"]["publishable"] == true
        };
        assert!(is_publishable(&next));
        let mut changed = 0;
        for (start, amount) in
            ["-10.00", "+5,50", "91.00"].iter().flat_map(|amount| next.match_indices(amount))
        {
            for at in start..start + amount.len() {
                let digit = next.as_bytes()[at];
                if !digit.is_ascii_digit() {
                    continue;
                }
                let mut other = next.clone();
                let new = (digit - b'0' + 1 + u8::try_from(at % 9).unwrap()) % 10;
                other.replace_range(at..=at, &new.to_string());
                assert!(!is_publishable(&other), "{other}");
                changed += 1;
            }
        }
        assert_eq!(changed, 11);
    }

    fn reports_and_notifications_are_imported_by_their_totals(server) {
        let family = server.family();
        let fields = json!({ "account_id": family.account("Main", "depository") });
        let entries = &CAMT[CAMT.find("<Ntry>").unwrap()..CAMT.find("</Stmt>").unwrap()];
        let totals = "<TxsSummry><TtlCdtNtries><NbOfNtries>1</NbOfNtries><Sum>5.50</Sum>\
            </TtlCdtNtries><TtlDbtNtries><NbOfNtries>1</NbOfNtries><Sum>10.00</Sum>\
            </TtlDbtNtries></TxsSummry>";
        let account = "<Acct><Id><Othr><Id>123</Id></Othr></Id></Acct>";
        let camt = |message: &str, statement: &str, days: &str| {
            let entries = entries.replace("2024-01", days);
            format!(
                "<Document><{message}><{statement}>{account}{totals}{entries}</{statement}>\
                 </{message}></Document>"
            )
        };
        let swift = ":20:1\n:25:10010010/123\n:28C:1/1\n:34F:USD0,\n:13D:2404041200+0100\n\
            :61:240402D10,00NTRF\n:86:AT&T\n:61:240403C5,50NTRF\n:86:Friend\n:90D:1USD10,00\n\
            :90C:1USD5,50\n-\n";
        for (file, format) in [
            (camt("BkToCstmrAcctRpt", "Rpt", "2024-02"), "camt.052"),
            (camt("BkToCstmrDbtCdtNtfctn", "Ntfctn", "2024-03"), "camt.054"),
            (swift.to_owned(), "mt942"),
        ] {
            let import = publish(&family.api, &file, &fields);
            assert_eq!(import["source"]["format"], format, "{import}");
            assert_eq!(import["plan"]["created_count"], 2, "{import}");
            let wrong = file.replacen("5.50", "5.60", 1).replacen("5,50", "5,60", 1);
            let import = upload(&family.api, &wrong, &fields);
            assert_eq!(import["status_detail"]["configured"], false, "{import}");
        }
        assert_eq!(transactions(&family).len(), 6);
    }

    fn purchases_without_signs_are_no_income(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let fields = json!({ "account_id": account });
        let unsigned = OFX.replace("DEBIT", "POS").replace("-10.00", "10.00").replace("95.50", "115.50");
        let import = upload(&family.api, &unsigned, &fields);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        let problems = import["source"]["problems"].to_string();
        assert!(problems.contains("POS, which is usually money out"), "{problems}");
        // What comes back beside purchases is clear, and so is what is paid to a card.
        let refund = OFX.replace("CREDIT<", "POS<");
        let card = unsigned.replace(">POS<", ">PAYMENT<").replace("CHECKING", "CREDITCARD");
        for file in [refund, card] {
            let import = upload(&family.api, &file, &fields);
            assert_eq!(import["status_detail"]["configured"], true, "{import}");
        }
        // One minus elsewhere shows nothing of purchases.
        let entry = |kind: &str, amount: &str, id: &str| {
            format!(
                "<STMTTRN><TRNTYPE>{kind}<DTPOSTED>20240102<TRNAMT>{amount}<FITID>{id}<NAME>X\n"
            )
        };
        let of = |entries: &[(&str, &str)]| {
            let entries = (0..).zip(entries).map(|(at, (kind, amount))| {
                entry(kind, amount, &format!("C{at}"))
            });
            let (start, end) = (OFX.find("<STMTTRN>").unwrap(), OFX.find("</BANKTRANLIST").unwrap());
            format!("{}{}{}", &OFX[..start], entries.collect::<String>(), &OFX[end..])
        };
        let card = of(&[("POS", "50"), ("POS", "30"), ("PAYMENT", "-200")]);
        let card = card.replace("CHECKING", "CREDITCARD");
        let fee = of(&[("POS", "50"), ("ATM", "30"), ("FEE", "-1")]);
        for file in [card, fee] {
            let import = upload(&family.api, &file, &fields);
            assert_eq!(import["status_detail"]["configured"], false, "{import}");
            let problems = import["source"]["problems"].to_string();
            assert!(problems.contains("2 of 2 amounts have no minus"), "{problems}");
        }
        let refunds = of(&[("POS", "50"), ("POS", "-30"), ("FEE", "-1")]);
        let import = upload(&family.api, &refunds, &fields);
        assert_eq!(import["status_detail"]["configured"], true, "{import}");
        let currency = OFX.replace("<CURDEF>USD", "<CURDEF>US dollars");
        let import = upload(&family.api, &currency, &fields);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
    }

    fn the_first_ofx_of_a_new_account_opens_it(server) {
        let family = server.family();
        let import = publish(&family.api, OFX, &json!({}));
        assert_eq!(import["source"]["openings"].as_array().unwrap().len(), 1, "{import}");
        let accounts = all(&family.api, "/api/v1/accounts", "accounts");
        assert_eq!(accounts[0]["balance_decimal"], "95.50", "{accounts:?}");
    }

    fn a_new_card_that_may_be_owed_is_asked_about(server) {
        let family = server.family();
        let card = OFX.replace("CHECKING", "CREDITLINE");
        let import = upload(&family.api, &card, &json!({}));
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
        let refused = family.api.post(&path(&import, "/publish"), &json!({}));
        let refused = refused.expect_error(422, "not_proven");
        assert!(refused["message"].as_str().unwrap().contains("if that is owed"), "{refused}");
        // The answer names what it decides.
        let body = json!({ "raw_file_content": card });
        let answer = family.api.post("/api/v1/imports/preflight", &body);
        let answer = answer.expect_status(200).json();
        let questions = answer["data"]["questions"].to_string();
        assert!(questions.contains("money that was paid in and isn't owed"), "{answer}");
        publish(&family.api, &card, &json!({ "balance_check": "ignore" }));
    }

    fn a_statement_of_another_account_is_not_taken_by_itself(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let savings = family.account("Savings", "depository");
        let of = |number: &str, month: &str| {
            let file = MT940.replace("/123", &format!("/{number}"));
            let file = file.replace(":2401", &format!(":24{month}"));
            file.replace("C2401", &format!("C24{month}"))
        };
        publish(&family.api, &of("70001111", "01"), &json!({ "account_id": main }));
        for (number, account, is_right) in [
            ("70001111", &main, true),
            ("70002222", &main, false),
            ("70001111", &savings, false),
            ("70002222", &savings, true),
        ] {
            let import = upload(&family.api, &of(number, "03"), &json!({ "account_id": account }));
            assert_eq!(import["status_detail"]["publishable"], is_right, "{number}: {import}");
        }
        let bank = of("70001111", "03").replace(":25:10010010", ":25:20020020");
        let import = upload(&family.api, &bank, &json!({ "account_id": main }));
        assert_eq!(import["status_detail"]["publishable"], false, "{import}");
    }

    fn encodings_that_headers_claim_are_read(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let mut file = OFX.replace("AT&T", "M?ller").into_bytes();
        let at = file.iter().rposition(|byte| *byte == b'?').unwrap();
        file[at] = 0xFC;
        let form = Multipart::new()
            .text("account_id", &account)
            .file("file", "bank.qfx", "application/vnd.intu.qfx", &file);
        let import = family.api.post_form(crate::imports::IMPORTS, &form).expect_status(201).json();
        assert_eq!(rows(&family.api, &import["data"])[0], "2024-01-02 10.00 USD Müller");
    }

    fn several_accounts_in_a_file_go_where_each_of_them_belongs(server) {
        let family = server.family();
        let main = family.account("Main", "depository");
        let other = MT940.replace("/123", "/456").replace("NTRF", "NMSC");
        let two = format!("{MT940}{other}");
        let into_one = upload(&family.api, &two, &json!({ "account_id": main }));
        assert_eq!(into_one["status_detail"]["configured"], false, "{into_one}");
        let problems = into_one["source"]["problems"].to_string();
        assert!(problems.contains("several accounts"), "{problems}");
        let import = upload(&family.api, &two, &json!({}));
        assert_eq!(import["plan"]["left_out_count"], 4, "the balances of both: {import}");
        let change = json!({ "mappings": [{ "kind": "account", "key": "123", "id": main }] });
        family.api.patch(&path(&import, ""), &change).expect_status(200);
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family), [
            "2024-01-02 -10.00 USD AT&T @456",
            "2024-01-02 -10.00 USD AT&T @Main",
            "2024-01-03 5.50 USD Friend @456",
            "2024-01-03 5.50 USD Friend @Main",
        ]);
        let held = |name: &str| {
            let accounts = all(&family.api, "/api/v1/accounts", "accounts");
            accounts.iter().find(|one| one["name"] == name).unwrap()["balance_decimal"].clone()
        };
        assert_eq!((held("Main"), held("456")), (json!("-4.50"), json!("95.50")), "a new one opens");
        let again = publish(&family.api, &two, &json!({}));
        assert_eq!(again["plan"]["created_count"], 0, "the accounts are known: {again}");
    }

    fn an_account_without_rows_does_not_contradict_the_others(server) {
        let family = server.family();
        let quiet = ":20:1\n:25:10010010/456\n:28C:1/1\n:60F:C240101USD7,00\n\
                     :62F:C240131USD7,00\n-\n";
        for two in [format!("{quiet}{MT940}"), format!("{MT940}{quiet}")] {
            let import = upload(&family.api, &two, &json!({}));
            assert_eq!(import["status_detail"]["publishable"], true, "{import}");
            assert_eq!(import["plan"]["left_out_count"], 4, "{import}");
        }
    }

    fn what_cant_be_imported_is_refused_with_the_reason(server) {
        let family = server.family();
        let refused = |file: &str, fields| {
            let answer = post(&family.api, file, &fields);
            let refused = answer.expect_error(422, "invalid_file_type");
            format!("{refused}{:?}", errors(&refused))
        };
        let two = format!("{MT940}{}", MT940.replace("10010010/123", ""));
        let text = refused(&two, json!({}));
        assert!(text.contains("one of them has no number"), "{text}");
        let cut = &OFX[..OFX.len() - 20];
        assert!(refused(cut, json!({})).contains("cut off"));
        let text = refused(OFX, json!({ "type": "AccountImport" }));
        assert!(text.contains("send it as TransactionImport"), "{text}");
        let entity = CAMT.replace("<Document>", "<!DOCTYPE a [<!ENTITY b 'c'>]><Document>");
        assert!(refused(&entity, json!({})).contains("document type declaration"));
    }
}
