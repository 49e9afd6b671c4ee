//! Files of all kinds that are right, and each with one mistake.

use proptest::prelude::*;

use super::*;

/// How a generated file gives the direction of its amounts.
#[derive(Debug, Clone, Copy)]
enum Style {
    Signed,
    Inverted,
    Columns,
    Words,
}

const STYLES: [Style; 4] = [Style::Signed, Style::Inverted, Style::Columns, Style::Words];
/// Before decimals, and between groups of digits.
const MARKS: [(char, &str); 3] = [('.', ","), (',', "."), (',', " ")];

/// A row as the file has it: the day, what it changes, the balance after it.
type Record = (u64, i64, i64);

fn number(cents: i64, (point, group): (char, &str)) -> String {
    let units = (cents.abs() / 100).to_string();
    let groups: Vec<&str> = units
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|digits| std::str::from_utf8(digits).unwrap())
        .collect();
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}{point}{:02}", groups.join(group), cents.abs() % 100)
}

fn line(record: &Record, style: Style, marks: (char, &str)) -> String {
    let (day, cents, balance) = *record;
    let shown = |cents| number(cents, marks);
    let amount = match style {
        Style::Signed => shown(cents),
        Style::Inverted => shown(-cents),
        Style::Columns if cents < 0 => format!("{};", shown(-cents)),
        Style::Columns => format!(";{}", shown(cents)),
        Style::Words if cents < 0 => format!("{};Debit", shown(-cents)),
        Style::Words => format!("{};Credit", shown(cents)),
    };
    format!("2026-01-{:02};Shop;{amount};{}\n", 1 + day, shown(balance))
}

fn text(records: &[Record], style: Style, marks: (char, &str)) -> String {
    let amount = match style {
        Style::Signed | Style::Inverted => "Amount",
        Style::Columns => "Debit;Credit",
        Style::Words => "Amount;Type",
    };
    let lines: String = records.iter().map(|record| line(record, style, marks)).collect();
    format!("Date;Name;{amount};Balance\n{lines}")
}

/// Another digit in the text, at the position among its digits.
fn other_digit(text: &str, at: prop::sample::Index, by: u8) -> String {
    let digits: Vec<usize> =
        text.bytes().enumerate().filter(|(_, b)| b.is_ascii_digit()).map(|(i, _)| i).collect();
    let place = digits[at.index(digits.len())];
    let mut bytes = text.as_bytes().to_vec();
    bytes[place] = b'0' + (bytes[place] - b'0' + by) % 10;
    String::from_utf8(bytes).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn whatever_changes_in_a_file_is_noticed(
        opening in -500_000_i64..5_000_000,
        rows in prop::collection::vec(
            (0_u64..2, prop_oneof![-90_000_i64..-1, -900_i64..-1, 1_i64..300_000]),
            4..14,
        ),
        style in prop::sample::select(&STYLES[..]),
        marks in prop::sample::select(&MARKS[..]),
        newest_first in any::<bool>(),
        row in any::<prop::sample::Index>(),
        digit in any::<prop::sample::Index>(),
        by in 1_u8..10,
    ) {
        let (mut day, mut balance) = (0, opening);
        let mut records: Vec<Record> = Vec::new();
        for (days, change) in rows {
            day += days;
            balance += change;
            records.push((day, change, balance));
        }
        // Without any sign the oldest row is a question.
        let goes = |is_in: bool| records.iter().any(|(_, change, _)| (*change > 0) == is_in);
        prop_assume!(goes(true) && goes(false));
        let oldest = if newest_first { records.len() - 1 } else { 0 };
        if newest_first {
            records.reverse();
        }
        let right = file(&text(&records, style, marks)).of(Classification::Asset);
        let analysis = right.analysed();
        prop_assert_eq!(&analysis.layout.problems, &[], "{}", right.text);
        let truth: Vec<_> = records.iter().map(|(_, change, _)| Ok(*change)).collect();
        prop_assert_eq!(right.rows(&analysis.layout), truth, "{}", right.text);

        // Nothing precedes the oldest row and follows the newest one, so these may be missing, and
        // the amount of the oldest can't be checked.
        let mut row = row.index(records.len() - 2) + 1;
        if row == oldest {
            row = 1;
        }
        let its = line(&records[row], style, marks);
        let (before, balance) = its.rsplit_once(';').unwrap();
        let (head, amount) = before.split_at("2026-01-01;Shop;".len());
        let doubled = format!("{its}{its}");
        let other_amount = format!("{head}{};{balance}", other_digit(amount, digit, by));
        let other_balance = format!("{before};{}", other_digit(balance, digit, by));
        for changed in [String::new(), doubled, other_amount, other_balance] {
            let lines = records.iter().enumerate().map(|(at, record)| {
                if at == row { changed.clone() } else { line(record, style, marks) }
            });
            let header = right.text.split_once('\n').unwrap().0;
            let text = format!("{header}\n{}", lines.collect::<String>());
            let analysis = File { text, ..right.clone() }.analysed();
            let is_noticed = analysis.invalid > 0 || !analysis.layout.is_readable();
            prop_assert!(is_noticed, "not noticed: {changed:?} in\n{}", right.text);
        }
    }
}
