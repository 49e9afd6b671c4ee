//! Words that give the direction.

use super::*;

#[test]
fn each_word_of_an_unknown_direction_is_an_answer() {
    let lines = ["Date;Amount;Type;Name", "2024-01-13;2.00;Debit;A", "2024-01-14;3.00;P;B"];
    let questions = asked(&lines);
    let of_direction =
        |question: &&Question| matches!(question.problem, LayoutProblem::UncertainDirection { .. });
    let question = questions.iter().find(of_direction).expect("a question about the direction");
    let answers: Vec<String> = question.answers.iter().map(text).collect();
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert_eq!(
        answers[1],
        "amount_type_strategy=custom_column entity_type_col_label=Type amount_type_inflow_value=P: \
         \"P\" is money in, anything else money out: 2024-01-13 2 A; 2024-01-14 -3 B"
    );
}

/// Words that rows have which aren't taken mean nothing.
#[test]
fn a_balance_that_alone_shows_several_words_is_shown_as_debt_and_as_money() {
    let mut lines = vec![
        "Date;Name;Type;Amount;Balance",
        "2024-01-11;A;Zqa;10.00;110.00",
        "2024-01-12;B;Zqa;20.00;130.00",
        "2024-01-13;C;Zqb;50.00;80.00",
        "2024-01-14;D;Zqc;5.00;75.00",
        "2024-01-15;E;Zqa;7.00;82.00",
    ];
    let settings = |lines: &[&str]| {
        let card =
            TargetAccount { currency: Currency::EUR, classification: Classification::Liability };
        let asked = asked_into(lines, Some(card));
        assert_eq!(asked.len(), 1, "{asked:?}");
        let of = |answer: &Answer| {
            let value = |(name, value): &(&str, String)| match *name {
                "amount_type_inflow_value" | "balance_check" => Some(value.clone()),
                _ => None,
            };
            answer.settings.iter().filter_map(value).collect::<Vec<String>>().join(" ")
        };
        asked[0].answers.iter().map(of).collect::<Vec<String>>()
    };
    let all = settings(&lines);
    assert_eq!(all, ["Zqb | Zqc compare", "Zqa compare", "ignore"]);
    lines[4] = "2024-01-13;Closing balance as of 01/13/2024;Zqc;80.00;80.00";
    lines[5] = "2024-01-15;E;Zqa;7.00;87.00";
    assert_eq!(settings(&lines), ["Zqb compare", "Zqa compare", "ignore"]);
}
