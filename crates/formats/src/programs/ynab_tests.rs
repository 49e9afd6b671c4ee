use super::*;
use crate::programs::testing::rewritten;

const HEADER: &str = "\"Account\",\"Flag\",\"Date\",\"Payee\",\"Category Group/Category\",\
     \"Category Group\",\"Category\",\"Memo\",\"Outflow\",\"Inflow\",\"Cleared\"\n";

/// Account, payee, category, tags, notes, transfer, parts and amounts of each record.
fn records(header: &str, rows: &str) -> Vec<String> {
    let text = format!("\u{feff}{header}{rows}");
    let records = rewritten(Program::Ynab, text.as_bytes()).unwrap();
    let shown = |record: &Vec<String>| {
        let cell = |at: usize| record[at].as_str();
        let kept = [1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 13].map(cell);
        kept.into_iter().filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" | ")
    };
    records.iter().skip(1).map(shown).collect()
}

#[test]
fn flags_and_what_is_cleared_become_tags() {
    let rows = "Cash,Red,07/28/2026,Shop,Food: Fruit,Food,Fruit,apples,$1.00,$0.00,Cleared\n\
         Cash,,07/28/2026,Shop,,,,,$1.00,$0.00,Uncleared\n\
         Cash,Gr\u{fc}n,07/28/2026,Shop,Bills: a: b,Bills: a,b,,$1.00,$0.00,Reconciled\n";
    assert_eq!(
        records(HEADER, rows),
        [
            "Cash | Shop | Food:Fruit | Red,Cleared | apples | $1.00 | $0.00",
            "Cash | Shop | $1.00 | $0.00",
            "Cash | Shop | Bills - a:b | Gr\u{fc}n,Reconciled | $1.00 | $0.00",
        ]
    );
}

#[test]
fn both_sides_of_transfers_name_the_other() {
    let rows = "Cash,,07/28/2026,Transfer : Savings,,,,,$5.00,$0.00,Cleared\n\
         Cash,,07/28/2026,Ann / Transfer : Savings,,,,,$5.00,$0.00,\n\
         Cash,,07/28/2026,No Transfer : Savings,,,,,$5.00,$0.00,\n\
         Cash,,07/28/2026,Starting Balance,,,,,$0.00,$9.00,\n";
    assert_eq!(
        records(HEADER, rows),
        [
            "Cash | Transfer : Savings | Cleared | Savings | $5.00 | $0.00",
            "Cash | Ann / Transfer : Savings | Savings | $5.00 | $0.00",
            "Cash | No Transfer : Savings | $5.00 | $0.00",
            "opening | Cash | Starting Balance | $0.00 | $9.00",
        ]
    );
}

#[test]
fn rows_of_one_transaction_become_its_parts() {
    let rows = "Cash,,1/2/2026,Shop,,F,A,Split (1/2) one,$1.00,$0.00,\n\
         Cash,,1/2/2026,Shop,,F,B,Split (2/2),$2.00,$0.00,\n\
         Cash,,1/3/2026,Shop,,F,A,(Split 2/3) two,$1.00,$0.00,\n\
         Cash,,1/3/2026,Other,,F,B,(Split 1/3),$2.00,$0.00,\n\
         Cash,,1/3/2026,Transfer : Savings,,,,(Split 3/3) kept,$3.00,$0.00,\n";
    let first = r#"[{"amounts":["$1.00","$0.00"],"category":"F:A","notes":"one"},{"amounts":["$2.00","$0.00"],"category":"F:B","notes":""}]"#;
    let second = r#"[{"amounts":["$2.00","$0.00"],"category":"F:B","notes":""},{"amounts":["$1.00","$0.00"],"category":"F:A","notes":"Shop; two"},{"amounts":["$3.00","$0.00"],"category":"","notes":"Transfer : Savings; kept","apart":true}]"#;
    assert_eq!(
        records(HEADER, rows),
        [
            format!("Cash | Shop | {first}"),
            "Cash | Transfer : Savings | kept | Savings | $3.00 | $0.00".to_owned(),
            format!("Cash | Other | {second}"),
        ]
    );
}

#[test]
fn a_group_with_a_row_too_few_stays_as_it_is() {
    let rows = "Cash,,1/2/2026,Shop,,F,A,Split (1/3) one,$1.00,$0.00,\n\
         Cash,,1/2/2026,Shop,,F,B,Split (2/3),$2.00,$0.00,\n\
         Cash,,1/3/2026,Shop,,F,A,Split (1/2) other,$1.00,$0.00,\n\
         Bank,,1/3/2026,Shop,,F,A,Split (2/2),$1.00,$0.00,\n";
    assert_eq!(
        records(HEADER, rows),
        [
            "Cash | Shop | F:A | Split (1/3) one | $1.00 | $0.00",
            "Cash | Shop | F:B | Split (2/3) | $2.00 | $0.00",
            "Cash | Shop | F:A | Split (1/2) other | $1.00 | $0.00",
            "Bank | Shop | F:A | Split (2/2) | $1.00 | $0.00",
        ]
    );
}

#[test]
fn the_register_of_ynab_4_is_read_with_tabs_too() {
    let header = "Account,Flag,Check Number,Date,Payee,Category,Master Category,Sub Category,\
         Memo,Outflow,Inflow,Cleared,Running Balance\n";
    let rows = "Cash,,12,2013-01-02,Shop,Food:Fruit,Food,Fruit,apples,1.00,0.00,C,5.00\n\
         Cash,,,2013-01-02,Shop,,,,,-1.00,0.00,U,5.00\n";
    let expected = [
        "Cash | Shop | Food:Fruit | Cleared | apples; check 12 | 1.00 | 0.00",
        "Cash | Shop | The outflow or the inflow has a minus | -1.00 | 0.00",
    ];
    assert_eq!(records(header, rows), expected);
    assert_eq!(records(&header.replace(',', "\t"), &rows.replace(',', "\t")), expected);
}
