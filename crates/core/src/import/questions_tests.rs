#[path = "questions_tests/words.rs"]
mod words;

use std::collections::HashMap;

use jiff::civil::date;

use super::*;
use crate::import::kind::TargetAccount;
use crate::import::kinds::Kind;
use crate::import::layout::Preface;
use crate::import::layout_problem::ProposedColumn;
use crate::import::settings::{Separator, Settings, Signage};
use crate::ledger::account::Classification;
use crate::money::Currency;

/// The questions about a file, from lines with `;` between the cells.
fn asked_into(lines: &[&str], account: Option<TargetAccount>) -> Vec<Question> {
    asked_with(lines, account, &Settings::default())
}

fn asked_with(
    lines: &[&str],
    account: Option<TargetAccount>,
    settings: &Settings,
) -> Vec<Question> {
    let (header, rows) = lines.split_first().unwrap();
    let preface = Preface::below(header, Separator::Semicolon);
    let mut layout = Kind::Transaction.layout(preface, settings).unwrap();
    let records: Vec<Vec<String>> =
        rows.iter().map(|row| row.split(';').map(str::to_owned).collect()).collect();
    let currencies = HashMap::new();
    let context = context(account, &currencies);
    if let Some(mut detector) = Kind::Transaction.detector(&layout, settings, context) {
        for record in &records {
            detector.observe(record.iter().collect::<CellsBuf>().as_cells());
        }
        detector.finish(&mut layout);
    }
    questions(&layout, context, &records)
}

fn context(
    account: Option<TargetAccount>,
    account_currencies: &HashMap<String, Currency>,
) -> Context<'_> {
    Context {
        as_of: date(2024, 6, 1),
        family_currency: Currency::EUR,
        account,
        account_currencies,
        row_set: None,
    }
}

fn asked(lines: &[&str]) -> Vec<Question> {
    asked_into(lines, None)
}

/// An answer as `setting=value: meaning: day amount name; …`.
fn text(answer: &Answer) -> String {
    let settings: Vec<String> =
        answer.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let rows: Vec<String> = answer.rows.iter().map(row).collect();
    format!("{}: {}: {}", settings.join(" "), answer.meaning, rows.join("; "))
}

fn row(row: &AnsweredRow) -> String {
    let date = row.date.map_or_else(|| row.date_cell.clone(), |date| date.to_string());
    let amount = match row.amount {
        Some(money) => (money.amount / 10_000).to_string(),
        None => row.amount_cell.clone(),
    };
    format!("{date} {amount} {}", row.name)
}

fn answers(lines: &[&str]) -> Vec<String> {
    let questions = asked(lines);
    assert_eq!(questions.len(), 1, "{questions:?}");
    questions[0].answers.iter().map(text).collect()
}

#[test]
fn amounts_without_signs_are_shown_as_money_out_and_in() {
    let lines = ["Date;Amount;Name", "13.01.2024;0;Zero", "14.01.2024;2,00;A", "15.01.2024;5;B"];
    let shown = answers(&lines);
    let of = |sign: &str| format!("2024-01-14 {sign}2 A; 2024-01-15 {sign}5 B");
    assert_eq!(
        shown,
        [
            format!("signage_convention=inflows_negative: money out: {}", of("")),
            format!("signage_convention=inflows_positive: money in: {}", of("-")),
        ],
        "a zero shows nothing"
    );
}

#[test]
fn a_card_with_positive_amounts_shows_the_others_as_well() {
    let card = TargetAccount { currency: Currency::EUR, classification: Classification::Liability };
    let lines =
        ["Date;Amount;Name", "2024-01-13;2.00;Shop", "2024-01-14;3.00;Bar", "2024-01-15;-5.00;Pay"];
    let questions = asked_into(&lines, Some(card));
    let shown: Vec<String> = questions[0].answers.iter().map(text).collect();
    assert_eq!(
        shown[0],
        "signage_convention=inflows_negative: amounts without a minus are money out: \
         2024-01-13 2 Shop; 2024-01-14 3 Bar; 2024-01-15 -5 Pay"
    );
    assert!(shown[1].ends_with("2024-01-13 -2 Shop; 2024-01-14 -3 Bar; 2024-01-15 5 Pay"));
}

/// A plus is money in once that is known, whatever else the amounts turn out to be.
#[test]
fn marks_that_are_known_are_read_as_such_with_each_answer() {
    let lines = ["Date;Amount;Name", "2024-01-13;+2.00;A", "2024-01-14;-3.00;B"];
    let mut known = Settings::default();
    known.preferred.unmarked_is_out = Some(true);
    known.preferred.signage = Some(Signage::InflowsNegative);
    let questions = asked_with(&lines, None, &known);
    let shown: Vec<String> = questions[0].answers.iter().map(text).collect();
    let of = "amounts without a minus are";
    assert_eq!(
        shown,
        [
            format!("signage_convention=inflows_negative: {of} money out: 2024-01-14 -3 B"),
            format!("signage_convention=inflows_positive: {of} money in: 2024-01-14 3 B"),
        ]
    );
}

#[test]
fn each_sign_of_a_direction_may_be_money_that_came_back() {
    let rows = ["2024-01-13;-5.00;;A", "2024-01-14;-6.00;;B", "2024-01-15;2.00;;C"];
    let shown = answers(&["Date;Debit;Credit;Name", rows[0], rows[1], rows[2]]);
    let of = |strategy: &str, meaning: &str, signs: [&str; 3]| {
        let [a, b, c] = signs;
        format!(
            "amount_type_strategy={strategy}: the columns decide, {meaning}: 2024-01-13 {a}5 A; \
             2024-01-14 {b}6 B; 2024-01-15 {c}2 C"
        )
    };
    let came_back = "is money that came back";
    let expected = [
        of("minus_is_reversal", &format!("and a minus {came_back}"), ["-", "-", ""]),
        of(
            "plain_is_reversal",
            &format!("and an amount without a minus {came_back}"),
            ["", "", "-"],
        ),
        of("direction_only", "whatever the sign", [""; 3]),
    ];
    assert_eq!(shown, expected);
    let both = ["2024-01-16;;7.00;D", "2024-01-17;;-8.00;E", "2024-01-18;;9.00;F"];
    let all: Vec<&str> = ["Date;Debit;Credit;Name"].into_iter().chain(rows).chain(both).collect();
    let shown = answers(&all);
    let rarer = "amount_type_strategy=direction_and_sign: the columns decide, and the rarer sign of \
                 each is money that came back: 2024-01-13 5 A; 2024-01-14 6 B; 2024-01-15 -2 C";
    assert_eq!((shown.len(), shown[3].as_str()), (4, rarer));
}

#[test]
fn words_may_have_reversals_of_both_directions() {
    let rows = ["50;Debit", "-5;Debit", "-2000;Credit", "-100;Credit", "7;Credit", "30;Debit"];
    let rows: Vec<String> = rows.iter().map(|row| format!("2024-01-13;{row};A")).collect();
    let rows = rows.iter().map(String::as_str);
    let shown = answers(&["Date;Amount;D/C;Name"].into_iter().chain(rows).collect::<Vec<_>>());
    let of = |name| shown.iter().filter(move |it| it.contains(name)).collect::<Vec<_>>();
    assert_eq!(of("signed_amount").len(), 1, "{shown:?}");
    let rarer = "50 A; 2024-01-13 -5 A; 2024-01-13 -2000 A";
    assert!(matches!(of("direction_and_sign")[..], [one] if one.contains(rarer)), "{shown:?}");
}

#[test]
fn either_of_two_columns_may_be_money_out() {
    let preface = Preface::below("Date;Xyz;Abc;Name", Separator::Semicolon);
    let mut layout = Kind::Transaction.layout(preface, &Settings::default()).unwrap();
    let columns = [(1, "Xyz"), (2, "Abc")].map(|(column, header)| ProposedColumn {
        column,
        header: header.to_owned(),
        cell: "5.00".to_owned(),
    });
    let (content, likely) = (ColumnContent::MoneyOut, Some(1));
    layout.problems = vec![LayoutProblem::WhichColumn { content, columns: columns.into(), likely }];
    layout.date_format = Some("%Y-%m-%d".to_owned());
    let rows = ["2024-01-13;5.00;;A", "2024-01-14;;7.25;B"];
    let records = rows.map(|row| row.split(';').map(str::to_owned).collect());
    let currencies = HashMap::new();
    let questions = questions(&layout, context(None, &currencies), &records);
    let answers: Vec<String> = questions[0].answers.iter().map(text).collect();
    let of = |out: &str, income: &str, rows: &str| {
        format!(
            "debit_col_label={out} credit_col_label={income}: \"{out}\" is money out, and \
             \"{income}\" money in: {rows}"
        )
    };
    let expected = [
        of("Abc", "Xyz", "2024-01-13 -5 A; 2024-01-14 7 B"),
        of("Xyz", "Abc", "2024-01-13 5 A; 2024-01-14 -7 B"),
    ];
    assert_eq!(answers, expected);
}

#[test]
fn rows_that_all_answers_read_alike_are_passed_over() {
    let mut lines = vec!["Date;Amount;Name"];
    lines.extend(["05/05/2024;-1.00;Same"; 9]);
    lines.push("03/04/2024;-2.00;Other");
    assert_eq!(
        answers(&lines),
        [
            "date_format=%d/%m/%Y: day, month, year: 2024-04-03 2 Other",
            "date_format=%m/%d/%Y: month, day, year: 2024-03-04 2 Other",
        ]
    );
}

#[test]
fn numbers_are_shown_in_both_formats() {
    let shown = answers(&["Date;Amount;Name", "2024-01-13;-1.500;A", "2024-01-14;-2;B"]);
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(shown.iter().any(|one| one.ends_with("2024-01-13 1500 A")), "{shown:?}");
    assert!(shown.iter().any(|one| one.ends_with("2024-01-13 1 A")), "{shown:?}");
}

#[test]
fn two_columns_are_shown_with_what_is_in_them() {
    let lines = ["Date;Amount (EUR);Amount (USD);Name", "2024-01-13;-5.00;-6.00;A"];
    let questions = asked(&lines);
    let answers: Vec<String> = questions[0].answers.iter().map(text).collect();
    assert_eq!(
        answers,
        [
            "amount_col_label=Amount (EUR): the amount is in \"Amount (EUR)\": 2024-01-13 5 A",
            "amount_col_label=Amount (USD): the amount is in \"Amount (USD)\": 2024-01-13 6 A",
        ]
    );
}

#[test]
fn an_amount_in_an_unknown_format_is_shown_as_it_stands() {
    let questions = asked(&["Date;Amount;Name", "03/04/2024;1.500;A"]);
    let settings: Vec<&str> = questions.iter().map(|question| question.setting).collect();
    assert_eq!(settings, ["date_format", "number_format", "signage_convention"]);
    let rows = |question: &Question| question.answers.iter().map(text).collect::<Vec<_>>();
    assert!(rows(&questions[0])[0].ends_with("2024-04-03 1.500 A"), "{questions:?}");
    // Neither the day nor the amount is known, so the answers have no rows of their own.
    assert_eq!(questions[2].answers.iter().map(|answer| answer.rows.len()).max(), Some(0));
}

#[test]
fn columns_that_may_hold_what_is_missing_are_answers() {
    let answers = answers(&["When;Amount;Name;Seen", "13.01.2024;-2.50;A;x", "14.01.2024;-3;B;y"]);
    assert_eq!(
        answers,
        ["date_col_label=When: the date is in \"When\": 2024-01-13 -2.50 A; 2024-01-14 -3 B"]
    );
    let questions = asked(&["Date;Xyz;Name", "2024-01-13;-2.50;A", "2024-01-14;-3.25;B"]);
    let answers: Vec<String> = questions[0].answers.iter().map(text).collect();
    assert_eq!(
        answers,
        ["amount_col_label=Xyz: the amount is in \"Xyz\": 2024-01-13 2 A; 2024-01-14 3 B"]
    );
    assert_eq!(asked(&["A;B", "x;y"])[0].answers, [], "there is nothing to choose from");
}

#[test]
fn columns_beside_one_that_cannot_be_read_are_answers() {
    let lines = ["Date;Xyz;Amount;Name", "Monday;13.01.2024;-2.50;A", "Tuesday;14.01.2024;-3;B"];
    let questions = asked(&lines);
    assert!(matches!(questions[0].problem, LayoutProblem::UnknownDates { .. }), "{questions:?}");
    let answers: Vec<String> = questions[0].answers.iter().map(text).collect();
    assert_eq!(
        answers,
        ["date_col_label=Xyz: the date is in \"Xyz\": 2024-01-13 2 A; 2024-01-14 3 B"]
    );
    let lines = ["Date;Amount;Xyz;Name", "2024-01-13;two;-2.50;A", "2024-01-14;three;-3.25;B"];
    let questions = asked(&lines);
    let of_numbers =
        |question: &&Question| matches!(question.problem, LayoutProblem::UnknownNumbers { .. });
    let question = questions.iter().find(of_numbers).expect("a question about the amounts");
    let answers: Vec<String> = question.answers.iter().map(text).collect();
    assert_eq!(
        answers,
        ["amount_col_label=Xyz: the amount is in \"Xyz\": 2024-01-13 2 A; 2024-01-14 3 B"]
    );
}

#[test]
fn a_currency_can_be_denied() {
    let questions = asked(&["Date;Amount;Xyz;Name", "2024-01-13;-2.50;USD;A"]);
    let answers: Vec<(String, String, &str)> = questions[0]
        .answers
        .iter()
        .map(|answer| {
            let currency = answer.rows[0].amount.map_or("", |money| money.currency.code());
            (answer.settings[0].1.clone(), answer.meaning.clone(), currency)
        })
        .collect();
    let meanings = [
        "the amounts are in USD, as \"Xyz\" has it",
        "the amounts are in EUR, and \"Xyz\" is something else",
    ];
    assert_eq!(
        answers,
        [
            ("Xyz".to_owned(), meanings[0].to_owned(), "USD"),
            ("-".to_owned(), meanings[1].to_owned(), "EUR"),
        ]
    );
}

#[test]
fn rows_with_unknown_words_for_the_status_are_taken_or_left_out() {
    let lines = [
        "Date;Amount;Name;Status",
        "2024-01-13;-1.00;A;Booked",
        "2024-01-14;-2.00;B;Zqx",
        "2024-01-15;3.00;C;",
    ];
    assert_eq!(
        answers(&lines),
        [
            "row_filter=Status is Booked | \"\" | Zqx: rows with \"Zqx\" in \"Status\" are taken: \
             2024-01-14 2 B",
            "row_filter=Status is not Zqx: rows with \"Zqx\" in \"Status\" are left out: \
             2024-01-14 2 B",
        ]
    );
}

#[test]
fn years_of_two_digits_may_stand_at_the_other_end() {
    let shown = answers(&["Date;Amount;Name", "24/05/01;-1.00;A", "24/05/02;2.00;B"]);
    let settings: Vec<&str> =
        shown.iter().filter_map(|one| Some(one.split_once(": ")?.0)).collect();
    assert_eq!(settings.first(), Some(&"date_format=%d/%m/%y"), "{shown:?}");
    assert!(settings.contains(&"date_format=%y/%m/%d"), "{shown:?}");
    assert!(shown.iter().any(|one| one.contains("2024-05-01 1 A")), "{shown:?}");
}

#[test]
fn a_balance_that_alone_shows_directions_is_shown_as_debt_and_as_money() {
    let rows = [
        "Date;Name;Amount;Balance",
        "2024-01-04;D;5.50;114.50",
        "2024-01-03;C;20.00;120.00",
        "2024-01-02;B;50.00;140.00",
        "2024-01-01;A;10.00;90.00",
    ];
    let both = "balance_check=compare: the balance is what";
    let expected = [
        format!(
            "signage_convention=inflows_negative {both} is owed: it grows with money out: \
             2024-01-04 -5 D; 2024-01-03 -20 C; 2024-01-02 50 B"
        ),
        format!(
            "signage_convention=inflows_positive {both} the account holds: it grows with money in: \
             2024-01-04 5 D; 2024-01-03 20 C; 2024-01-02 -50 B"
        ),
    ];
    assert_eq!(answers(&rows), expected);
}

#[test]
fn a_balance_that_contradicts_has_more_answers_than_to_leave_it_out() {
    let asset = TargetAccount { currency: Currency::EUR, classification: Classification::Asset };
    let lines = [
        "Date;Name;Debit;Credit;Balance",
        "2024-01-13;A;1.00;;101.00",
        "2024-01-14;B;;2.00;99.00",
        "2024-01-15;C;3.00;;102.00",
    ];
    let asked = asked_into(&lines, Some(asset));
    let shown: Vec<String> = asked[0].answers.iter().map(text).collect();
    let expected = [
        "debit_col_label=Credit credit_col_label=Debit: \"Credit\" is money out, and \"Debit\" money \
         in: 2024-01-13 -1 A; 2024-01-14 2 B; 2024-01-15 -3 C",
        "balance_check=compare: the directions are right, and the balance is what is owed: \
         2024-01-13 1 A; 2024-01-14 -2 B; 2024-01-15 3 C",
        "balance_check=ignore: the balance is not looked at, and proves nothing: \
         2024-01-13 1 A; 2024-01-14 -2 B; 2024-01-15 3 C",
    ];
    assert_eq!(shown, expected);
}
