use purser_core::import::layout_problem::ColumnContent;
use purser_core::import::row_filter::RowFilter;
use purser_core::import::transaction::balance::RowOrder;
use purser_core::text::number::NumberFormat;

use super::*;

#[test]
fn names_of_the_interface_are_left_out() {
    for (problem, shown) in [
        (Problem::field("file", "is sent twice"), "One file at a time."),
        (Problem::field("form_token", "is sent twice"), "The form_token is sent twice."),
        (Problem::unknown("account_id", "account"), "Choose an account of the list."),
        (Problem::remark("mappings[3]", "every row goes there"), "Every row goes there."),
        (Problem::sentence("why?"), "Why?"),
    ] {
        assert_eq!(for_people(&problem), shown);
    }
    for (problem, shown) in [
        (LayoutProblem::SkipsEverything { rows_to_skip: 9 }, "The file has no line after these."),
        (LayoutProblem::NoRows, "The file has a header, but no rows."),
    ] {
        assert_eq!(of_layout(&problem), shown);
    }
}

#[test]
fn formats_of_dates_are_shown_example_of() {
    let patterns = ["%d.%m.%Y.".to_owned(), "%Y年%m月%d日".to_owned()];
    // What a cell holds stays as it is.
    let problem = LayoutProblem::AmbiguousDates { patterns, cell: "%d/%m/%Y".to_owned() };
    assert_eq!(
        of_layout(&problem),
        "31.12.2024. and 2024年12月31日 fit equally well (for example \"%d/%m/%Y\")."
    );
    assert_eq!(example_of("%d.%m.%Y %H:%M"), "31.12.2024 18:30");
    assert_eq!(example_of("%d.%m.%Y %z"), "%d.%m.%Y %z", "no zone is the file's");
}

/// One of each kind; [`position`] doesn't compile if one is missing there.
fn problems() -> Vec<LayoutProblem> {
    let text = || "Text".to_owned();
    let content = ColumnContent::Amount;
    let proposed = || ProposedColumn { column: 0, header: text(), cell: text() };
    let currency = purser_core::money::Currency::EUR;
    vec![
        LayoutProblem::Empty,
        LayoutProblem::SkipsEverything { rows_to_skip: 2 },
        LayoutProblem::NoHeader { line: 1, cell: text() },
        LayoutProblem::NoRows,
        LayoutProblem::NoColumn { content, headers: text() },
        LayoutProblem::TwoColumns { content, headers: [text(), text()] },
        LayoutProblem::WhichColumn {
            content,
            columns: vec![proposed(), proposed()],
            likely: Some(0),
        },
        LayoutProblem::BlankColumn { content },
        LayoutProblem::WhichSheet { sheets: Vec::new() },
        LayoutProblem::NoSheet { name: text(), sheets: Vec::new() },
        LayoutProblem::AmbiguousDates {
            patterns: ["%d.%m.%Y".to_owned(), "%m.%d.%Y".to_owned()],
            cell: text(),
        },
        LayoutProblem::AmbiguousNumbers { formats: [NumberFormat::CommaDot; 2], cell: text() },
        LayoutProblem::UnlikelyYears { day: date(2024, 1, 2), cell: text() },
        LayoutProblem::UnnamedCurrency { header: text(), found: currency, expected: currency },
        LayoutProblem::CurrencyAbove { found: currency, expected: currency },
        LayoutProblem::CodeInHeader { header: text(), code: text(), former: Some(text()) },
        LayoutProblem::UnknownFee { fee: text(), others: vec![text()], amount: text() },
        LayoutProblem::UnknownDates { cell: text() },
        LayoutProblem::UnknownNumbers { cell: text() },
        LayoutProblem::UncertainDirection { header: text(), reason: text() },
        LayoutProblem::UnknownDirection { header: text(), has_signs: true, is_debt: true },
        LayoutProblem::UnmarkedAmounts { header: text(), marked: 1, others: 2 },
        LayoutProblem::MixedSigns { headers: vec![text(), text()] },
        LayoutProblem::TurnedElsewhere { credit: text() },
        LayoutProblem::OldestDirection { header: text(), others: Signage::InflowsNegative },
        LayoutProblem::UnknownTradeDirection { header: text() },
        LayoutProblem::UnknownStatus {
            header: text(),
            words: vec![text()],
            unknown: vec![text()],
            booked: vec![text()],
            filter: RowFilter::default(),
        },
        LayoutProblem::SeveralAccounts,
        LayoutProblem::AllLeftOut { reason: text() },
        LayoutProblem::BalanceDiffers { header: text(), follow: 1, compared: 2 },
        LayoutProblem::EndsDiffer { ends: text() },
        LayoutProblem::SenseOfEnds { ends: text(), is_debt: false },
        LayoutProblem::StatementsNotProven { reasons: vec![text()] },
        LayoutProblem::EndsNotStated { reasons: vec![text()] },
        LayoutProblem::NotProven,
        LayoutProblem::Recognised,
        LayoutProblem::MoneyOrDebt { header: text(), is_directed: true, is_by_balance: false },
        LayoutProblem::UnsignedMoneyOrDebt {
            header: text(),
            column: 0,
            order: RowOrder::OldestFirst,
        },
        LayoutProblem::OpenDirections { amount: text(), header: text(), rows: 200, lines: vec![2] },
        LayoutProblem::BalanceAgainstColumns { header: text() },
        LayoutProblem::Sentence(text()),
    ]
}

fn position(problem: &LayoutProblem) -> usize {
    use LayoutProblem as P;
    match problem {
        P::Empty => 0,
        P::SkipsEverything { .. } => 1,
        P::NoHeader { .. } => 2,
        P::NoRows => 3,
        P::NoColumn { .. } => 4,
        P::TwoColumns { .. } => 5,
        P::WhichColumn { .. } => 6,
        P::BlankColumn { .. } => 7,
        P::WhichSheet { .. } => 8,
        P::NoSheet { .. } => 9,
        P::AmbiguousDates { .. } => 10,
        P::AmbiguousNumbers { .. } => 11,
        P::UnlikelyYears { .. } => 12,
        P::UnnamedCurrency { .. } => 13,
        P::CurrencyAbove { .. } => 14,
        P::CodeInHeader { .. } => 15,
        P::UnknownFee { .. } => 16,
        P::UnknownDates { .. } => 17,
        P::UnknownNumbers { .. } => 18,
        P::UncertainDirection { .. } => 19,
        P::UnknownDirection { .. } => 20,
        P::UnmarkedAmounts { .. } => 21,
        P::MixedSigns { .. } => 22,
        P::TurnedElsewhere { .. } => 23,
        P::OldestDirection { .. } => 24,
        P::UnknownTradeDirection { .. } => 25,
        P::UnknownStatus { .. } => 26,
        P::SeveralAccounts => 27,
        P::AllLeftOut { .. } => 28,
        P::BalanceDiffers { .. } => 29,
        P::EndsDiffer { .. } => 30,
        P::SenseOfEnds { .. } => 31,
        P::StatementsNotProven { .. } => 32,
        P::EndsNotStated { .. } => 33,
        P::NotProven => 34,
        P::Recognised => 35,
        P::MoneyOrDebt { .. } => 36,
        P::UnsignedMoneyOrDebt { .. } => 37,
        P::OpenDirections { .. } => 38,
        P::BalanceAgainstColumns { .. } => 39,
        P::Sentence(_) => 40,
    }
}

#[test]
fn no_question_names_a_field_or_a_value_of_the_interface() {
    for (index, problem) in problems().iter().enumerate() {
        assert_eq!(position(problem), index, "each is there once: {problem:?}");
        let shown = of_layout(problem);
        assert!(!shown.contains(['_', '%']), "{shown}");
    }
    assert_eq!(position(&LayoutProblem::Sentence(String::new())) + 1, problems().len());
}
