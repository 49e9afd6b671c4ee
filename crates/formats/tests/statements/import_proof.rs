//! What keeps a file of statements from being imported without a person's word.

use purser_core::import::source_file::FileFormat;
use purser_formats::statements::StatementFormat;

use crate::table::objections;

fn of_swift(file: &str) -> Vec<String> {
    objections(FileFormat::Mt940, StatementFormat::Mt940, file.as_bytes())
}

fn of_camt(format: FileFormat, file: &str) -> Vec<String> {
    objections(format, StatementFormat::Camt, file.as_bytes())
}

fn of_ofx(file: &str) -> Vec<String> {
    objections(FileFormat::Ofx, StatementFormat::Ofx, file.as_bytes())
}

#[track_caller]
fn assert_asked(found: &[String], what: &str) {
    assert!(found.iter().any(|one| one.contains(what)), "{what}: {found:?}");
}

#[track_caller]
fn assert_clean(found: &[String]) {
    assert_eq!(found, Vec::<String>::new());
}

/// A statement of SWIFT with these lines between its balances.
fn swift(account: &str, [opening, closing]: [&str; 2], lines: &str) -> String {
    format!(
        ":20:STARTUMS\n:25:10010010/{account}\n:28C:1/1\n:60F:C240101EUR{opening}\n{lines}\
         :62F:C240131EUR{closing}\n-\n"
    )
}

#[test]
fn signs_are_never_turned_round_to_fit() {
    let lines = ":61:240102C10,00NTRF\n:61:240103D20,00NTRF\n";
    assert_clean(&of_swift(&swift("1", ["100,00", "90,00"], lines)));
    // 10.00 was 30.00, so that only -100 - 10 + 110 is zero.
    assert_asked(&of_swift(&swift("1", ["100,00", "110,00"], lines)), "if the account were a debt");
    // The opening balance was 100.00.
    let one = ":61:240102C50,00NTRF\n";
    assert_asked(&of_swift(&swift("1", ["200,00", "150,00"], one)), "do not agree");
    // The bank means another direction by its reversals.
    let reversal = ":61:240102RC10,00NTRF\n";
    assert_asked(&of_swift(&swift("1", ["100,00", "110,00"], reversal)), "do not agree");
}

#[test]
fn a_missing_proof_is_named() {
    let whole = swift("1", ["100,00", "90,00"], ":61:240102D10,00NTRF\n:86:Shop\n");
    assert_clean(&of_swift(&whole));
    let cut = &whole[..whole.find(":62F:").unwrap()];
    assert_asked(&of_swift(cut), "the statement has no closing balance");
    assert_asked(&of_swift(&whole.replace(":62F:", ":72F:")), "no closing balance");
    assert_asked(&of_swift(&whole.replace("EUR90,00", "EUR9x")), "a balance can't be read");
    let other = whole.replace("/1\n", "/2\n");
    assert_clean(&of_swift(&format!("{whole}{other}")));
    let lacks = format!("{whole}{}", other.replace(":62F:", ":72F:"));
    assert_asked(&of_swift(&lacks), "no closing balance");
    // Balances in a currency that the entries don't have.
    let dollars = whole.replace("10010010/1", "10010010/1EUR").replace("01EUR", "01USD");
    assert_asked(&of_swift(&dollars.replace("31EUR", "31USD")), "can't be added");
}

#[test]
fn contradictions_within_a_file_are_asked_about() {
    let first = swift("1", ["100,00", "95,00"], ":61:240102D10,00NTRF\n");
    let second = swift("1", ["95,00", "80,00"], ":61:240203D10,00NTRF\n").replace("2401", "2402");
    // Together they agree.
    assert_asked(&of_swift(&format!("{first}{second}")), "differ by 5.00");
    let other = swift("2", ["1,00", "9,00"], ":61:240102C7,00NTRF\n");
    let right = swift("1", ["100,00", "90,00"], ":61:240102D10,00NTRF\n");
    assert_asked(&of_swift(&format!("{right}{other}")), "differ by 1.00");
    let totals = right.replace(":62F:", ":90D:2EUR10,00\n:62F:");
    assert_asked(&of_swift(&totals), "its totals are not those of its entries");
    assert_clean(&of_swift(&right.replace(":62F:", ":90D:1EUR10,00\n:62F:")));
    // A statement of one of two accounts is missing in between.
    let last = swift("1", ["70,00", "60,00"], ":61:240303D10,00NTRF\n").replace("2401", "2403");
    let quiet = swift("2", ["1,00", "8,00"], ":61:240102C7,00NTRF\n");
    assert_asked(&of_swift(&format!("{right}{last}{quiet}")), "don't follow each other");
}

#[test]
fn the_same_statement_twice_is_asked_about() {
    let a = swift("1", ["100,00", "90,00"], ":61:240102D10,00NTRF\n");
    let b = swift("2", ["100,00", "90,00"], ":61:240102D10,00NTRF\n");
    assert_clean(&of_swift(&format!("{a}{b}")));
    assert_asked(&of_swift(&format!("{a}{b}{a}")), "The file has twice the statement");
}

/// An OFX document of an account with transactions: identifier, day, amount.
fn ofx(account: &str, transactions: &[(&str, &str, &str)]) -> String {
    let entry = |(id, day, amount): &(&str, &str, &str)| {
        format!(
            "<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{day}<TRNAMT>{amount}<FITID>{id}<NAME>Shop {id}\n"
        )
    };
    let entries: String = transactions.iter().map(entry).collect();
    format!(
        "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR\n\
         <BANKACCTFROM><BANKID>1{account}</BANKACCTFROM><BANKTRANLIST>\n{entries}</BANKTRANLIST>\
         <LEDGERBAL><BALAMT>95.50<DTASOF>20240131</LEDGERBAL></STMTRS></STMTTRNRS>\
         </BANKMSGSRSV1></OFX>\n"
    )
}

const CHECKING: &str = "<ACCTID>123<ACCTTYPE>CHECKING";

#[test]
fn an_entry_of_two_statements_is_asked_about() {
    let first = ofx(CHECKING, &[("A1", "20240110", "-10.00"), ("A2", "20240120", "-5.00")]);
    let overlap = ofx(CHECKING, &[("A2", "20240120", "-5.00"), ("A3", "20240210", "-1.00")]);
    assert_clean(&of_ofx(&first));
    assert_asked(&of_ofx(&format!("{first}{overlap}")), "would come twice");
    // The same identifiers of other entries, or of another account.
    let next = ofx(CHECKING, &[("A1", "20240210", "-10.00"), ("A2", "20240220", "-5.00")]);
    assert_clean(&of_ofx(&format!("{first}{next}")));
    let savings = overlap.replace(CHECKING, "<ACCTID>456<ACCTTYPE>SAVINGS");
    assert_clean(&of_ofx(&format!("{first}{savings}")));
}

#[test]
fn ofx_needs_its_balance() {
    let file = ofx(CHECKING, &[("A1", "20240110", "-10.00")]);
    assert_clean(&of_ofx(&file));
    assert_asked(&of_ofx(&file.replace("LEDGERBAL", "AVAILBAL")), "no closing balance");
    assert_asked(&of_ofx(&file.replace("95.50", "95,5O")), "can't be read");
}

#[test]
fn a_balance_of_a_day_after_the_period_is_not_that_of_its_entries() {
    let file = ofx(CHECKING, &[("A1", "20240110", "-10.00")]);
    let until = |day: &str, of: &str| {
        let list = format!("<BANKTRANLIST><DTSTART>20240101<DTEND>{day}");
        file.replace("<BANKTRANLIST>", &list).replace("<DTASOF>20240131", &format!("<DTASOF>{of}"))
    };
    for (day, of) in [("20240131", "20240131"), ("20240131", "20240201"), ("20240315", "20240301")]
    {
        assert_clean(&of_ofx(&until(day, of)));
    }
    let later = of_ofx(&until("20240131", "20240315"));
    assert_asked(&later, "no closing balance");
    assert_asked(&later, "LEDGERBAL of 2024-03-15 is too late");
}

/// A statement of CAMT with balances and entries.
fn camt(inside: &str) -> String {
    format!(
        "<?xml version='1.0'?><Document><BkToCstmrStmt><Stmt><Id>1</Id><Acct><Id><Othr><Id>123\
         </Id></Othr></Id></Acct>{inside}</Stmt></BkToCstmrStmt></Document>"
    )
}

fn balance(kind: &str, amount: &str) -> String {
    format!(
        "<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy='EUR'>{amount}</Amt>\
         <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-02</Dt></Dt></Bal>"
    )
}

fn entry(currency: &str, amount: &str) -> String {
    format!(
        "<Ntry><NtryRef>3</NtryRef><Amt Ccy='{currency}'>{amount}</Amt>\
         <CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2024-01-02</Dt></BookgDt></Ntry>"
    )
}

#[test]
fn camt_needs_balances_or_totals() {
    let ends = format!("{}{}", balance("OPBD", "100.00"), balance("CLBD", "90.00"));
    let spent = entry("EUR", "10.00");
    let statement = |inside: &str| of_camt(FileFormat::Camt053, &camt(inside));
    assert_clean(&statement(&format!("{ends}{spent}")));
    assert_asked(&statement(&spent), "no opening balance, the statement has no closing balance");
    let mixed = format!("{ends}{spent}{}", entry("USD", "10.00"));
    assert_asked(&statement(&mixed), "can't be added");
    let totals = |sum: &str| {
        format!(
            "<TxsSummry><TtlNtries><NbOfNtries>1</NbOfNtries><Sum>{sum}</Sum></TtlNtries>\
                 </TxsSummry>{spent}"
        )
    };
    // A report ends with what is booked so far, if nothing else ends it.
    let report = |inside: &str| {
        let file = camt(inside).replace("BkToCstmrStmt", "BkToCstmrAcctRpt");
        let file = file.replace("<Stmt>", "<Rpt>").replace("</Stmt>", "</Rpt>");
        of_camt(FileFormat::Camt052, &file)
    };
    let so_far =
        |kind: &str| format!("{}{}{spent}", balance("PRCD", "100.00"), balance(kind, "90.00"));
    assert_clean(&report(&so_far("ITBD")));
    assert_asked(&report(&so_far("ITAV")), "no closing balance");
    assert_asked(&report(&so_far("ITBD").replace("90.00", "91.00")), "do not agree");
    assert_asked(&statement(&so_far("ITBD")), "no closing balance");
    let notification = |inside: &str| of_camt(FileFormat::Camt054, &camt(inside));
    assert_asked(&notification(&spent), "no closing balance");
    assert_clean(&notification(&totals("10.00")));
    assert_asked(&notification(&totals("11.00")), "totals are not those of its entries");
    assert_asked(&statement(&totals("10.00")), "no closing balance");
}

/// A notification with totals of the directions that it has, and its entries.
fn notification(totals: &str, entries: &str) -> Vec<String> {
    let file = camt(&format!("<TxsSummry>{totals}</TxsSummry>{entries}"));
    of_camt(FileFormat::Camt054, &file)
}

fn total(of: &str, count: u32, sum: &str) -> String {
    format!("<{of}><NbOfNtries>{count}</NbOfNtries><Sum>{sum}</Sum></{of}>")
}

/// A report of SWIFT with these lines.
fn report(lines: &str) -> Vec<String> {
    let file =
        format!(":20:1\n:25:10010010/1\n:28C:1/1\n:34F:EUR0,\n:13D:2401021200+0100\n{lines}-\n");
    of_mt942(&file)
}

fn of_mt942(file: &str) -> Vec<String> {
    objections(FileFormat::Mt942, StatementFormat::Mt940, file.as_bytes())
}

#[test]
fn banks_leave_out_the_total_of_a_direction_without_entries() {
    let spent = entry("EUR", "10.00");
    let income = spent.replace("DBIT", "CRDT");
    assert_clean(&notification(&total("TtlDbtNtries", 1, "10.00"), &spent));
    let both = format!("{spent}{income}");
    assert_asked(&notification(&total("TtlDbtNtries", 1, "10.00"), &both), "no closing balance");
    assert_asked(&notification(&total("TtlCdtNtries", 0, "0"), &spent), "no closing balance");
    assert_clean(&report(":61:240102D10,00NTRF\n:90D:1EUR10,00\n"));
    assert_clean(&report(":61:240102C10,00NTRF\n:90C:1EUR10,00\n"));
    let mixed = ":61:240102D10,00NTRF\n:61:240102C1,00NTRF\n:90D:1EUR10,00\n";
    assert_asked(&report(mixed), "no closing balance");
}

#[test]
fn totals_notice_every_digit_of_an_amount() {
    let lines = ":61:240102D12,34NTRF\n:61:240102C5,60NTRF\n:90D:1EUR12,34\n:90C:1EUR5,60\n";
    assert_clean(&report(lines));
    let spent = entry("EUR", "12.34");
    let totals = total("TtlDbtNtries", 1, "12.34");
    assert_clean(&notification(&totals, &spent));
    let mut changed = 0;
    for (text, amounts) in [(lines, &["12,34", "5,60"][..]), (&spent, &["12.34"][..])] {
        for (start, amount) in amounts.iter().flat_map(|amount| text.match_indices(amount)) {
            for at in (start..start + amount.len()).filter(|at| text.as_bytes()[*at] != b',') {
                for digit in '0'..='9' {
                    let mut other = text.to_owned();
                    if &other[at..=at] == "." || other[at..].starts_with(digit) {
                        continue;
                    }
                    other.replace_range(at..=at, &digit.to_string());
                    let found = match text == lines {
                        true => report(&other),
                        false => notification(&totals, &other),
                    };
                    assert!(!found.is_empty(), "{other}");
                    changed += 1;
                }
            }
        }
    }
    // Four digits and three of the lines, each twice, and four of the notification.
    assert_eq!(changed, 9 * (2 * 7 + 4));
}

#[test]
fn purchases_without_signs_are_asked_about() {
    let file = ofx(CHECKING, &[("A1", "20240110", "10.00")]);
    assert_clean(&of_ofx(&file));
    for kind in ["POS", "ATM", "CASH", "DIRECTDEBIT", "PAYMENT", "REPEATPMT"] {
        let unsigned = file.replace("OTHER", kind);
        assert_asked(&of_ofx(&unsigned), "usually money out");
        assert_clean(&of_ofx(&unsigned.replace("TRNAMT>10", "TRNAMT>-10")));
    }
    let card = file.replace("CHECKING", "CREDITCARD");
    assert_clean(&of_ofx(&card.replace("OTHER", "PAYMENT")));
    assert_asked(&of_ofx(&card.replace("OTHER", "POS")), "usually money out");
    assert_asked(&of_ofx(&file.replace("CURDEF>EUR", "CURDEF>Euro")), "is not the code");
}
