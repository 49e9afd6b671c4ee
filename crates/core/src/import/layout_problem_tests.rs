use super::*;
use crate::import::settings::SETTINGS;

fn proposed() -> Vec<ProposedColumn> {
    let of = |column: usize| ProposedColumn {
        column,
        header: format!("#{}", column + 1),
        cell: format!("{column}.5"),
    };
    vec![of(2), of(4)]
}

#[test]
fn a_question_names_its_columns_with_their_cells() {
    let ask = |columns: Vec<ProposedColumn>, likely| {
        let content = ColumnContent::Amount;
        LayoutProblem::WhichColumn { content, columns, likely }.to_string()
    };
    assert_eq!(
        ask(proposed(), Some(1)),
        "The amount may be in \"#3\" (for example \"2.5\") or in \"#5\" (for example \"4.5\"); \
         \"#5\" is likely, say which one it is"
    );
    assert_eq!(
        ask(proposed()[..1].to_vec(), Some(0)),
        "The amount may be in \"#3\" (for example \"2.5\"); say whether it is"
    );
}

/// One problem of each kind.
fn problems() -> Vec<LayoutProblem> {
    let content = ColumnContent::Date;
    let (cell, headers) = (|| "x".to_owned(), [String::new(), "b".to_owned()]);
    let patterns = ["%d/%m/%Y".to_owned(), "%m/%d/%Y".to_owned()];
    let formats = [NumberFormat::CommaDot, NumberFormat::DotComma];
    vec![
        LayoutProblem::Empty,
        LayoutProblem::SkipsEverything { rows_to_skip: 3 },
        LayoutProblem::NoHeader { line: 1, cell: cell() },
        LayoutProblem::NoRows,
        LayoutProblem::no_column(content, &headers),
        LayoutProblem::TwoColumns { content, headers },
        LayoutProblem::WhichColumn { content, columns: Vec::new(), likely: None },
        LayoutProblem::WhichColumn { content, columns: proposed(), likely: Some(1) },
        LayoutProblem::BlankColumn { content },
        LayoutProblem::WhichSheet { sheets: Vec::new() },
        LayoutProblem::NoSheet { name: cell(), sheets: Vec::new() },
        LayoutProblem::AmbiguousDates { patterns, cell: cell() },
        LayoutProblem::AmbiguousNumbers { formats, cell: cell() },
        LayoutProblem::UnknownDates { cell: cell() },
        LayoutProblem::UnlikelyYears { day: jiff::civil::date(1969, 5, 15), cell: cell() },
        LayoutProblem::UnnamedCurrency {
            header: cell(),
            found: Currency::USD,
            expected: Currency::EUR,
        },
        LayoutProblem::CurrencyAbove { found: Currency::USD, expected: Currency::EUR },
        LayoutProblem::CodeInHeader { header: cell(), code: cell(), former: None },
        LayoutProblem::CodeInHeader { header: cell(), code: cell(), former: Some(cell()) },
        LayoutProblem::UnknownFee { fee: cell(), others: vec![cell()], amount: cell() },
        LayoutProblem::UnknownNumbers { cell: cell() },
        LayoutProblem::UncertainDirection { header: cell(), reason: cell() },
        LayoutProblem::UnknownDirection { header: cell(), has_signs: false, is_debt: false },
        LayoutProblem::UnknownDirection { header: cell(), has_signs: true, is_debt: true },
        LayoutProblem::OldestDirection { header: cell(), others: Signage::InflowsNegative },
        LayoutProblem::UnknownStatus {
            header: cell(),
            words: vec![cell()],
            unknown: vec![cell()],
            booked: Vec::new(),
            filter: RowFilter::default(),
        },
        LayoutProblem::AllLeftOut { reason: cell() },
        LayoutProblem::EndsDiffer { ends: cell() },
        LayoutProblem::SenseOfEnds { ends: cell(), is_debt: true },
        LayoutProblem::StatementsNotProven { reasons: vec![cell(), cell()] },
        LayoutProblem::EndsNotStated { reasons: vec![cell(), cell()] },
        LayoutProblem::NotProven,
        LayoutProblem::Recognised,
        LayoutProblem::BalanceDiffers { header: cell(), follow: 1, compared: 9 },
        LayoutProblem::MoneyOrDebt { header: cell(), is_directed: false, is_by_balance: false },
        LayoutProblem::MoneyOrDebt { header: cell(), is_directed: true, is_by_balance: false },
        LayoutProblem::UnsignedMoneyOrDebt {
            header: cell(),
            column: 3,
            order: RowOrder::NewestFirst,
        },
        LayoutProblem::OpenDirections {
            amount: cell(),
            header: cell(),
            rows: 101,
            lines: vec![7, 8, 9],
        },
        LayoutProblem::BalanceAgainstColumns { header: cell() },
        LayoutProblem::Sentence("Line 2: The record is not valid UTF-8".to_owned()),
    ]
}

#[test]
fn problems_survive_their_storage() {
    let json = serde_json::to_string(&problems()).unwrap();
    assert_eq!(serde_json::from_str::<Vec<LayoutProblem>>(&json).unwrap(), problems(), "{json}");
}

#[test]
fn texts_of_earlier_versions_are_read_as_they_are() {
    for problem in problems() {
        let json = serde_json::to_string(&problem.to_string()).unwrap();
        let read: LayoutProblem = serde_json::from_str(&json).unwrap();
        assert_eq!(read, LayoutProblem::Sentence(problem.to_string()));
        assert_eq!(read.to_string(), problem.to_string());
    }
}

#[test]
fn what_a_problem_is_about_is_a_setting() {
    for problem in problems() {
        let setting = problem.setting();
        assert!(setting.is_none_or(|name| SETTINGS.contains(&name)), "{problem:?}");
        assert_eq!(crate::error::Problem::from(problem).path(), setting);
    }
}
