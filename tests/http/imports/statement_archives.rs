//! Archives with several files of statements.

use serde_json::json;

use super::spreadsheets::upload_file;
use super::undo::publish_again;
use super::{IMPORTS, both_whole, rows, transactions};
use crate::support::Multipart;
use crate::support::sheets::zip;

/// A day of an account: what it held, one entry, what it holds then.
fn day(id: &str, day: u32, [opening, entry, closing]: [&str; 3]) -> String {
    let (sign, amount) = match entry.strip_prefix('-') {
        Some(amount) => ("DBIT", amount),
        None => ("CRDT", entry),
    };
    let balance = |kind: &str, amount: &str| {
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy='USD'>{amount}</Amt>\
             <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-{day:02}</Dt></Dt></Bal>"
        )
    };
    format!(
        "<?xml version='1.0' encoding='UTF-8'?><Document xmlns='urn:iso:std:iso:20022:tech:xsd:\
         camt.053.001.02'><BkToCstmrStmt><Stmt><Id>{id}</Id><Acct><Id><Othr><Id>123</Id></Othr>\
         </Id></Acct>{}{}<Ntry><Amt Ccy='USD'>{amount}</Amt><CdtDbtInd>{sign}</CdtDbtInd>\
         <Sts>BOOK</Sts><BookgDt><Dt>2024-01-{day:02}</Dt></BookgDt><AddtlNtryInf>Entry of {day}\
         </AddtlNtryInf></Ntry></Stmt></BkToCstmrStmt></Document>",
        balance("OPBD", opening),
        balance("CLBD", closing)
    )
}

both_whole! {
    fn files_of_an_archive_are_one_import_in_the_order_of_their_days(server) {
        let family = server.family();
        let fields = json!({ "account_id": family.account("Main", "depository") });
        let first = day("S1", 2, ["100.00", "-10.00", "90.00"]);
        let second = day("S2", 3, ["90.00", "5.50", "95.50"]).replace("Entry", "M\u{fc}ller, entry");
        // The later day first, and in another encoding, as its declaration states.
        let mut latin = second.replace("encoding='UTF-8'", "encoding='ISO-8859-1'").into_bytes();
        let at = latin.windows(2).position(|two| two == "ü".as_bytes()).unwrap();
        latin.splice(at..at + 2, [0xFC]);
        let archive = zip(&[
            ("b/2024-01-03.xml", &latin),
            ("__MACOSX/._2024-01-03.xml", b"\0\0"),
            ("a/2024-01-02.xml", first.as_bytes()),
        ]);
        let import = upload_file(&family.api, &archive, "statements.zip", &fields);
        assert_eq!(import["source"]["format"], "camt.053", "{import}");
        assert_eq!(import["source"]["files"], 2);
        assert_eq!(import["source"]["stated_balances"]["difference"], "0.00", "{import}");
        assert_eq!(rows(&family.api, &import), [
            "2024-01-02 -100.00 USD Opening balance @123",
            "2024-01-02 10.00 USD Entry of 2 @123",
            "2024-01-03 -5.50 USD Müller, entry of 3 @123",
            "2024-01-03 -95.50 USD Closing balance @123",
        ].map(|line| line.replace(" @123", "")));
        publish_again(&family.api, &import);
        assert_eq!(transactions(&family).len(), 2);
        let alone = upload_file(&family.api, first.as_bytes(), "a.xml", &fields);
        assert_eq!(alone["plan"]["created_count"], 0, "{alone}");
    }

    fn a_gap_between_the_files_is_a_question(server) {
        let family = server.family();
        let fields = json!({ "account_id": family.account("Main", "depository") });
        let first = day("S1", 2, ["100.00", "-10.00", "90.00"]);
        let last = day("S3", 4, ["95.50", "-5.50", "90.00"]);
        let archive = zip(&[("1.xml", first.as_bytes()), ("3.xml", last.as_bytes())]);
        let import = upload_file(&family.api, &archive, "statements.zip", &fields);
        assert_eq!(import["status_detail"]["configured"], false, "{import}");
        assert!(import["source"]["problems"].to_string().contains("rows may be missing"));
    }

    fn archives_that_mix_or_do_harm_are_refused(server) {
        let family = server.family();
        let fields = json!({ "account_id": family.account("Main", "depository") });
        let account = fields["account_id"].as_str().unwrap();
        let refused = |parts: &[(&str, &[u8])]| {
            let form = Multipart::new()
                .text("account_id", account)
                .file("file", "a.zip", "application/zip", &zip(parts));
            family.api.post_form(IMPORTS, &form).expect_error(422, "invalid_file_type").to_string()
        };
        let first = day("S1", 2, ["100.00", "-10.00", "90.00"]);
        let other = day("S1", 2, ["100.00", "-10.00", "90.00"]).replace("Entry", "The entry");
        let report = first.replace("camt.053", "camt.052").replace("BkToCstmrStmt", "BkToCstmrAcctRpt");
        let (first, other, report) = (first.as_bytes(), other.as_bytes(), report.as_bytes());
        for (parts, reason) in [
            (vec![("../a.xml", first)], "leads out of its folder"),
            (vec![("C:\\a.xml", first)], "leads out of its folder"),
            (vec![("a.xml", first), ("A.XML", other)], "two parts of one name"),
            (vec![("a.xml", first), ("b.xml", first)], "are equal"),
            (vec![("a.xml", first), ("b.xml", other)], "Two files of the archive have the statement"),
            (vec![("a.xml", first), ("b.xml", report)], "of camt.053 and of camt.052"),
            (vec![("a.xml", first), ("read me.txt", b"hello")], "is no file of statements"),
            (vec![("photo.jpg", b"photo")], "an archive: unpack it first"),
            (vec![("a.xml", &first[..first.len() - 12])], "cut off"),
        ] {
            let refused = refused(&parts);
            assert!(refused.contains(reason), "{refused}");
        }
        let mut bomb = first.to_vec();
        bomb.resize(300 * 1024 * 1024, b' ');
        assert!(refused(&[("a.xml", &bomb)]).contains("more than"));
        assert!(transactions(&family).is_empty());
    }
}
