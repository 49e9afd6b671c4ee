//! One month in every format that a bank hands out: each later file adds only what is new, whatever
//! it is read from.

use serde_json::{Value, json};

use super::spreadsheets::upload_file;
use super::undo::publish_again;
use super::{both_whole, transactions};
use crate::support::pdf::{Page, Style, document};
use crate::support::sheets::Cell::{Day, Number, Text};
use crate::support::sheets::{Cell, xlsx};

const CSV: &str = "Date;Amount;Name\n02.01.2024;-10,00;AT&T\n03.01.2024;5,50;Friend\n\
    03.01.2024;-3,00;Coffee\n03.01.2024;-3,00;Coffee\n";
const OFX: &str = "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>\
    <CURDEF>USD<BANKACCTFROM><BANKID>1<ACCTID>123<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST>\n\
    <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240102<TRNAMT>-10.00<FITID>A1<NAME>AT&T\n\
    <STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240103<TRNAMT>5.50<FITID>A2<NAME>Friend\n\
    <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240103<TRNAMT>-3.00<FITID>A3<NAME>Coffee\n\
    <STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20240103<TRNAMT>-3.00<FITID>A4<NAME>Coffee\n\
    </BANKTRANLIST><LEDGERBAL><BALAMT>89.50<DTASOF>20240131</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>";
const MT940: &str = ":20:1\n:25:10010010/123\n:28C:1/1\n:60F:C240101USD100,00\n\
    :61:240102D10,00NTRF\n:86:AT&T\n:61:240103C5,50NTRF\n:86:Friend\n:61:240103D3,00NTRF\n\
    :86:Coffee\n:61:240103D3,00NTRF\n:86:Coffee\n:62F:C240131USD89,50\n-\n";

fn camt() -> String {
    let entry = |(day, sign, amount, name): (u32, &str, &str, &str)| {
        format!(
            "<Ntry><Amt Ccy='USD'>{amount}</Amt><CdtDbtInd>{sign}</CdtDbtInd><Sts>BOOK</Sts>\
             <BookgDt><Dt>2024-01-{day:02}</Dt></BookgDt><AddtlNtryInf>{name}</AddtlNtryInf></Ntry>"
        )
    };
    let entries: String = [
        (2, "DBIT", "10.00", "AT&amp;T"),
        (3, "CRDT", "5.50", "Friend"),
        (3, "DBIT", "3.00", "Coffee"),
        (3, "DBIT", "3.00", "Coffee"),
    ]
    .map(entry)
    .concat();
    let balance = |(kind, amount): (&str, &str)| {
        format!(
            "<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy='USD'>{amount}</Amt>\
             <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-31</Dt></Dt></Bal>"
        )
    };
    let balances: String = [("OPBD", "100.00"), ("CLBD", "89.50")].map(balance).concat();
    format!(
        "<?xml version='1.0'?><Document><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>123</Id></Othr>\
         </Id></Acct>{balances}{entries}</Stmt></BkToCstmrStmt></Document>"
    )
}

fn sheet() -> Vec<u8> {
    let rows: &[&[Cell]] = &[
        &[Text("Date"), Text("Amount"), Text("Name")],
        &[Day(45_293), Number("-10"), Text("AT&T")],
        &[Day(45_294), Number("5.5"), Text("Friend")],
        &[Day(45_294), Number("-3"), Text("Coffee")],
        &[Day(45_294), Number("-3"), Text("Coffee")],
    ];
    xlsx(&[("Account", rows)])
}

fn pdf() -> Vec<u8> {
    let mut page = Page::default();
    page.left(40, 780, "Kontoauszug vom 01.01.2024 bis 31.01.2024");
    let lines: [&[(i64, bool, &str)]; 7] = [
        &[(40, false, "Anfangssaldo"), (560, true, "100,00")],
        &[(40, false, "Buchung"), (110, false, "Text"), (440, true, "Soll"), (560, true, "Haben")],
        &[(40, false, "02.01.2024"), (110, false, "AT&T"), (440, true, "10,00")],
        &[(40, false, "03.01.2024"), (110, false, "Friend"), (560, true, "5,50")],
        &[(40, false, "03.01.2024"), (110, false, "Coffee"), (440, true, "3,00")],
        &[(40, false, "03.01.2024"), (110, false, "Coffee"), (440, true, "3,00")],
        &[(40, false, "Endsaldo"), (560, true, "89,50")],
    ];
    for (y, cells) in (0..).map(|at| 760 - 14 * at).zip(lines) {
        for (x, is_right, text) in cells {
            match is_right {
                true => page.right(*x, y, text, Style::PLAIN),
                false => page.left(*x, y, text),
            }
        }
    }
    document(&[page], Style::PLAIN)
}

both_whole! {
    fn a_month_in_every_format_comes_once(server) {
        let family = server.family();
        let account = family.account("Main", "depository");
        let files: [(&str, Vec<u8>, &str); 6] = [
            ("csv", CSV.into(), "TransactionImport"),
            ("ofx", OFX.into(), "TransactionImport"),
            ("camt.053", camt().into_bytes(), "TransactionImport"),
            ("mt940", MT940.into(), "TransactionImport"),
            ("xlsx", sheet(), "TransactionImport"),
            ("pdf", pdf(), "PdfImport"),
        ];
        for (at, (format, file, kind)) in files.into_iter().enumerate() {
            let fields = json!({ "account_id": account, "type": kind });
            let import = upload_file(&family.api, &file, "month", &fields);
            assert_eq!(import["source"]["format"], format, "{import}");
            let count = |name: &str| import["plan"][name].clone();
            let (created, matched) = if at == 0 { (4, 0) } else { (0, 4) };
            assert_eq!(
                (count("create_count"), count("matched_count")),
                (json!(created), json!(matched)),
                "{format}: {import}"
            );
            assert_eq!(count("possible_duplicates_count"), Value::from(0), "{format}");
            publish_again(&family.api, &import);
            assert_eq!(transactions(&family).len(), 4, "{format}");
        }
        assert_eq!(transactions(&family), [
            "2024-01-02 -10.00 USD AT&T @Main",
            "2024-01-03 -3.00 USD Coffee @Main",
            "2024-01-03 -3.00 USD Coffee @Main",
            "2024-01-03 5.50 USD Friend @Main",
        ]);
        // Each row is a line of every statement, whichever file made it.
        let list = family.api.get("/api/v1/transactions").expect_status(200).json();
        for row in list["transactions"].as_array().unwrap() {
            let path = format!("/api/v1/statements?transaction_id={}", row["id"].as_str().unwrap());
            let found = family.api.get(&path).expect_status(200).json();
            let formats = found["statements"].as_array().unwrap().iter();
            let mut formats: Vec<&str> =
                formats.map(|one| one["file"]["format"].as_str().unwrap()).collect();
            formats.sort_unstable();
            assert_eq!(formats, ["camt.053", "mt940", "ofx", "pdf"], "{row}");
        }
    }
}
