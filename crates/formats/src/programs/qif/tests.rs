use super::record::day;
use crate::programs::testing::rewritten;
use purser_core::import::register::Program;

/// Line, role, account, day, payee, category, tags, notes, transfer, parts, problem and amount, as
/// far as they are there.
fn records(text: &str) -> Vec<String> {
    let records = rewritten(Program::Qif, text.as_bytes()).unwrap();
    let shown = |record: &Vec<String>| {
        let kept = record.iter().filter(|cell| !cell.is_empty());
        kept.map(String::as_str).collect::<Vec<_>>().join(" | ")
    };
    records.iter().skip(1).map(shown).collect()
}

#[test]
fn years_behind_an_apostrophe_are_later_than_those_without() {
    for (text, has, expected) in [
        ("1/15'30", true, "1/15/2030"),
        (" 1/ 5' 6", true, "1/5/2006"),
        ("1/15/98", true, "1/15/1998"),
        ("1/15/98", false, "1/15/98"),
        ("15.01.2006", true, "15.01.2006"),
        ("15.1'06", true, "15.1.2006"),
        ("1/15'2006", true, "1/15/2006"),
        ("5 Jan 2006", false, "5 Jan 2006"),
    ] {
        assert_eq!(day(text, has), expected, "{text}");
    }
}

#[test]
fn each_section_belongs_to_the_account_before_it() {
    let text = "\u{feff}!Option:AutoSwitch\n!Account\nNGiro\nTBank\n^\nNCash\nTCash\n^\n\
         !Clear:AutoSwitch\n!Option:AutoSwitch\n!Account\nNGiro\nTBank\n^\n!type:bank \n\
         D1/2/06\nT-1.00\nPA\n^ \nD1/3/06\nT-2.00\nPB\n^\n!Account\nNCash\n^\n!Type:Oth S\n\
         D1/4/06\nT3.00\nPC\n";
    assert_eq!(
        records(text),
        [
            "3 | account | Giro | Bank",
            "6 | account | Cash | Cash",
            "16 | Giro | 1/2/06 | A | -1.00",
            "20 | Giro | 1/3/06 | B | -2.00",
            "28 | Cash | 1/4/06 | C | 3.00",
        ]
    );
}

#[test]
fn an_opening_balance_names_its_account() {
    let text = "!Type:Bank\nD1/2/06\nT100.00\nPOpening balance\nL[Giro]\n^\n\
         D1/3/06\nT-5.00\nPMove\nL[Cash]\n^\n";
    assert_eq!(
        records(text),
        [
            "2 | account | Giro | bank",
            "2 | opening | Giro | 1/2/06 | Opening balance | 100.00",
            "7 | Giro | 1/3/06 | Move | Cash | -5.00",
        ]
    );
}

#[test]
fn a_file_without_accounts_has_no_column_for_them() {
    let text = "!Type:Cat\nNFood\nE\n^\n!Type:Bank\nD1/2/06\nT-1.00\nPA\nLFood:Bread/Kids\nCX\n\
         N12\nMfresh\nAStreet 1\nATown\n^\n";
    let all = rewritten(Program::Qif, text.as_bytes()).unwrap();
    assert!(!all[0].contains(&"Account".to_owned()), "{:?}", all[0]);
    let expected =
        "6 | 1/2/06 | A | Food:Bread | Kids,Reconciled | fresh; Check 12; Street 1, Town | -1.00";
    assert_eq!(records(text), ["2 | category | Food", expected]);
}

#[test]
fn lists_are_records_too() {
    let text = "!Type:Class\nNKids\n^\n!Type:Security\nNAcme\nSACM\n^\n!Type:Memorized\nKP\n\
         T-5.00\nPRent\n^\n!Account\nNHouse\nTOth A\nDWhere we live\n^\n!Type:Kat\nNEssen\nE\n^\n\
         !Type:Dep\u{f4}t\nD1/2/06\nNBuy\nYAcme\nI1.00\nQ2\nT2.00\n^\n";
    assert_eq!(
        records(text),
        [
            "14 | account | House | Oth A | Where we live",
            "2 | tag | Kids",
            "5 | security | Acme",
            "9 | list | Rent",
            "19 | category | Essen",
            "23 | House | 1/2/06 | Buy | ACM | Acme | 2 | 1.00 | 2.00",
        ]
    );
}

#[test]
fn lines_may_end_as_on_old_computers() {
    let text = "!Type:Bank\nD1/2/06\nT-1.00\nPA\n^\nD1/3/06\nT-2.00\nPB\n^\n";
    let expected = ["2 | 1/2/06 | A | -1.00", "6 | 1/3/06 | B | -2.00"];
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(records(&text.replace('\n', end)), expected, "{end:?}");
    }
}

#[test]
fn parts_and_sides_of_transfers_come_apart() {
    let text = "!Account\nNGiro\n^\n!Type:Bank\nD1/2/06\nT-6.00\nPShop\nLFood\nSFood\nEone\n$-1.00\n\
         SFun\n$-2.00\nS[Cash]\nEout\n$-3.00\nS\n$0.00\n^\n\
         D1/3/06\nT-4.00\nPLoan\nL--Split--\nS[Loan]\n$-3.00\nSInterest\n$-1.00\n^\n\
         D1/4/06\nT-5.00\nPLoans\nS[A]\n$-3.00\nS[B]\n$-2.00\n^\n";
    let parts = concat!(
        r#"[{"amounts":["-1.00"],"category":"Food","notes":"one"},"#,
        r#"{"amounts":["-2.00"],"category":"Fun","notes":""},"#,
        r#"{"amounts":["-3.00"],"category":"","notes":"out","apart":true}]"#
    );
    let loan = concat!(
        r#"[{"amounts":["-3.00"],"category":"","notes":"","apart":true},"#,
        r#"{"amounts":["-1.00"],"category":"Interest","notes":""}]"#
    );
    let sides = concat!(
        r#"[{"amounts":["-3.00"],"category":"","notes":"","apart":true},"#,
        r#"{"amounts":["-2.00"],"category":"","notes":""}]"#
    );
    assert_eq!(
        records(text),
        [
            "2 | account | Giro | bank".to_owned(),
            "5 | Giro | 1/2/06 | Shop | out | Cash | -3.00".to_owned(),
            format!("5 | Giro | 1/2/06 | Shop | {parts} | -6.00"),
            "20 | Giro | 1/3/06 | Loan | Loan | -3.00".to_owned(),
            format!("20 | Giro | 1/3/06 | Loan | Interest | {loan} | -4.00"),
            "29 | Giro | 1/4/06 | Loans | A | -3.00".to_owned(),
            format!("29 | Giro | 1/4/06 | Loans | B | {sides} | -5.00"),
        ]
    );
}

#[test]
fn what_is_no_transaction_here_is_a_record_with_the_reason() {
    let text = "!Account\nNGiro\n^\n!Type:Bank\nT5.00\nPNo day\n^\n";
    let records = records(text);
    assert!(records[1].contains("has no day"), "{records:?}");
    let foreign = rewritten(Program::Qif, b"Date,Amount\n").unwrap_err();
    assert_eq!(foreign.to_string(), "this is no QIF file: it has no !Type line");
}

#[test]
fn only_an_opening_balance_is_one() {
    let text = "!Account\nNBox\n^\n!Type:Cash\nD1/2/06\nT100.00\nPSolde de d\u{e9}part\nL[Box]\n^\n\
         D3/1/06\nT-20.00\nPBalance Adjustment\nL[Box]\n^\n\
         D4/1/06\nT-5.00\nPAnfangssaldo\nL[Box]\n^\n";
    assert_eq!(
        records(text)[1..],
        [
            "5 | opening | Box | 1/2/06 | Solde de d\u{e9}part | 100.00",
            "10 | correction | Box | 3/1/06 | Balance Adjustment | -20.00",
            "15 | opening | Box | 4/1/06 | Anfangssaldo | -5.00",
        ]
    );
}

#[test]
fn classes_of_parts_are_tags() {
    let text = "!Account\nNGiro\n^\n!Type:Bank\nD1/2/06\nT-3.00\nPShop\nL--Split--/Home\nSFood/Kids\n$-1.00\n\
         SFun/Trip\n$-2.00\n^\n\
         D1/3/06\nT-1.00\nPOne\nMwhole\nSFood/Kids\nEpart\n$-1.00\n^\n\
         D1/4/06\nT-100.00\nPLess\nSFood\n$-60.00\n^\n\
         D1/5/06\nT-4.00\nPLoan\nS[Loan]/Car\n$-3.00\nSInterest/Bank\n$-1.00\n^\n";
    let parts = concat!(
        r#"[{"amounts":["-1.00"],"category":"Food","notes":"","tag":"Kids"},"#,
        r#"{"amounts":["-2.00"],"category":"Fun","notes":"","tag":"Trip"}]"#
    );
    let less = r#"[{"amounts":["-60.00"],"category":"Food","notes":""}]"#;
    let loan = concat!(
        r#"[{"amounts":["-3.00"],"category":"","notes":"","tag":"Car","apart":true},"#,
        r#"{"amounts":["-1.00"],"category":"Interest","notes":"","tag":"Bank"}]"#
    );
    assert_eq!(
        records(text)[1..],
        [
            format!("5 | Giro | 1/2/06 | Shop | Home | {parts} | -3.00"),
            "14 | Giro | 1/3/06 | One | Food | Kids | whole; part | -1.00".to_owned(),
            format!("22 | Giro | 1/4/06 | Less | Food | {less} | -100.00"),
            "28 | Giro | 1/5/06 | Loan | Car | Loan | -3.00".to_owned(),
            format!("28 | Giro | 1/5/06 | Loan | Interest | Bank | {loan} | -4.00"),
        ]
    );
}
