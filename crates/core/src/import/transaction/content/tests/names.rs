//! What a row without a known column of names is called by.

use super::headed;

#[test]
fn a_column_of_directions_names_no_rows() {
    let kinds = ["Interest", "Deposit", "Withdrawal"];
    let rows: Vec<String> = (1..24)
        .map(|day| {
            let kind = kinds[day % 3];
            let way = if kind == "Withdrawal" { "D" } else { "C" };
            format!("2026-01-{:02};{way};{kind};{}.00", day + 1, day + 10)
        })
        .collect();
    let opening = "2026-01-01;C;Opening balance;1000.00";
    let lines: Vec<&str> =
        std::iter::once(opening).chain(rows.iter().map(String::as_str)).collect();
    // Of two rows nearly all words differ.
    let few = ["2026-01-01;Debit;Fee;5.00", "2026-01-02;Credit;Interest;6.00"];
    for lines in [lines.as_slice(), &few] {
        let layout = headed("Date;D/C;Movement;Amount", lines);
        let names = layout.columns.names.iter().chain(&layout.columns.other_texts);
        let names: Vec<String> = names.map(|column| layout.header(*column)).collect();
        assert_eq!(names, ["Movement"], "{lines:?}");
    }
}
