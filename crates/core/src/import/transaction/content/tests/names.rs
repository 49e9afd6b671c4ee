//! What a row without a name is called by.

use super::headed;

#[test]
fn a_word_that_all_rows_have_names_none_while_another_is_left() {
    let header = "Date;Zone;Name;Type;Amount;Currency;Balance";
    let layout = headed(
        header,
        &[
            "01/15/2026;PST;Jane;Payment;96.80;USD;196.80",
            "01/16/2026;PST;Shop;Payment;-40.00;USD;156.80",
            "01/18/2026;PST;;Transfer to bank;-100.00;USD;56.80",
        ],
    );
    let names = layout.columns.other_texts.iter().map(|column| layout.header(*column));
    assert_eq!(names.collect::<Vec<_>>(), ["Type", "Zone"]);
}
