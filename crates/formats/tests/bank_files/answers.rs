//! A person who answers the questions about a file by the rows that are shown with each answer.

use std::collections::HashMap;

use purser_core::import::layout_problem::{ColumnContent, LayoutProblem};
use purser_core::import::questions::{Answer, AnsweredRow, Question, questions};
use purser_core::import::settings::Settings;
use purser_core::text::number::{Written, written_sign};

use crate::combination::{Combination, Direction, Extra};
use crate::reading::{Answers, Verdict, answered_verdict, context, read};
use crate::table::{Column, Table};
use crate::truth::Truth;

/// Two things may be in doubt, each for itself.
const QUESTIONS_MAX: usize = 2;
/// Answers that are about which way money went: the sign of the rows that are shown counts.
const OF_DIRECTION: &[&str] = &[
    "signage_convention",
    "amount_type_strategy",
    "debit_col_label",
    "credit_col_label",
    "balance_check",
];

/// What comes of a file once its questions are answered.
#[derive(Debug)]
pub(crate) enum Outcome {
    Answered(Verdict),
    /// Questions of which no answer that is offered is true.
    WithoutTrueAnswer(Vec<LayoutProblem>),
    /// Nobody can answer: a row has to be corrected, or the file doesn't show what is right.
    Open,
}

/// Answers the questions of a file by the rows that are shown with each answer.
pub(crate) fn answered(table: &Table, combination: &Combination, truth: &Truth) -> Outcome {
    let is_of_rows = combination.direction == Direction::UnsignedBothWays;
    // Without a header nothing shows which of two amounts a currency belongs to.
    let has_two_amounts = combination.has(Extra::Original) && !combination.has_header;
    if is_of_rows || has_two_amounts {
        return Outcome::Open;
    }
    let (text, _) = table.text();
    let mut answers = Answers::default();
    for _ in 0..QUESTIONS_MAX {
        let reading = read(&text, combination, truth, &answers);
        if reading.layout.problems.is_empty() {
            break;
        }
        let currencies = HashMap::new();
        let context = context(combination, truth, &currencies);
        let records: Vec<Vec<String>> =
            table.records.iter().map(|record| record.cells.clone()).collect();
        let all = questions(&reading.layout, context, &records);
        let fits = |answer: &&Answer| is_true(answer, table, truth);
        let amount = table.position(Column::Amount);
        let has_minus = table.records.iter().any(|record| {
            let cell = amount.and_then(|at| record.cells.get(at));
            record.transaction.is_some()
                && cell.is_some_and(|cell| written_sign(cell) == Written::Minus)
        });
        let is_one_way = truth.transactions.iter().all(|one| one.amount < 0);
        let can_be_answered = |question: &&Question| match question.problem {
            // Where amounts went both ways, neither answer about all of them is right.
            LayoutProblem::UnknownDirection { has_signs: false, .. }
            | LayoutProblem::OldestDirection { .. } => is_one_way,
            LayoutProblem::MoneyOrDebt { is_directed: false, .. } => is_one_way || has_minus,
            _ => true,
        };
        let asked: Vec<&Question> = all.iter().filter(can_be_answered).collect();
        let mut fitting = asked.iter().filter_map(|question| question.answers.iter().find(fits));
        let Some(answer) = fitting.next() else {
            // No order of the parts of a day is true for the years of another era.
            let is_of_era = |question: &&&Question| {
                matches!(question.problem, LayoutProblem::UnlikelyYears { .. })
            };
            let days_are_true = !asked.iter().any(|question| is_of_era(&question));
            let must_fit =
                asked.iter().filter(|question| days_are_true && has_true_answer(&question.problem));
            let left = must_fit.map(|question| question.problem.clone());
            let left: Vec<LayoutProblem> = left.collect();
            return if left.is_empty() { Outcome::Open } else { Outcome::WithoutTrueAnswer(left) };
        };
        let mut fields = answers.settings.fields();
        let chosen = answer.settings.iter().map(|(name, value)| (*name, value.clone()));
        fields.extend(chosen);
        answers.settings = Settings::from_fields(|name| fields.get(name).cloned()).unwrap();
    }
    Outcome::Answered(answered_verdict(table, combination, truth, &answers))
}

/// Whether one of the answers to a problem has to be true. Where a line above the table was taken
/// for the header, and for eras and digits of other scripts, none may be.
fn has_true_answer(problem: &LayoutProblem) -> bool {
    use LayoutProblem::{
        AmbiguousNumbers, BalanceAgainstColumns, MixedSigns, MoneyOrDebt, OldestDirection,
        TwoColumns, UncertainDirection, UnknownDirection, UnknownFee, WhichColumn,
    };
    match problem {
        WhichColumn { content, .. } => {
            matches!(content, ColumnContent::MoneyOut | ColumnContent::MoneyIn)
        }
        AmbiguousNumbers { .. }
        | BalanceAgainstColumns { .. }
        | MixedSigns { .. }
        | OldestDirection { .. }
        | TwoColumns { .. }
        | UncertainDirection { .. }
        | UnknownDirection { .. }
        | MoneyOrDebt { is_directed: true, .. }
        | UnknownFee { .. } => true,
        _ => false,
    }
}

/// Whether the rows that an answer shows are true, and the columns that it names the right ones.
fn is_true(answer: &Answer, table: &Table, truth: &Truth) -> bool {
    let is_of = |names: &[&str]| answer.settings.iter().any(|(name, _)| names.contains(name));
    let has_sign = is_of(OF_DIRECTION);
    let is_row_true = |row: &AnsweredRow| {
        let record = usize::try_from(row.row - 1).ok().and_then(|at| table.records.get(at));
        let its = record.and_then(|record| record.transaction).map(|at| &truth.transactions[at]);
        // Nobody knows anything of a total.
        let Some(its) = its else { return true };
        let unit = 10_i64.pow(truth.currency.scale() - truth.currency.precision());
        let is_amount_true = row.amount.is_none_or(|money| {
            let (shown, true_one) = (-money.amount, its.amount * unit);
            if has_sign { shown == true_one } else { shown.abs() == true_one.abs() }
        });
        row.date.is_none_or(|day| day == its.day) && is_amount_true
    };
    let is_label_true = |(name, value): &(&str, String)| {
        let column = match *name {
            "date_col_label" => Column::Date,
            "amount_col_label" => Column::Amount,
            "debit_col_label" => Column::MoneyOut,
            "credit_col_label" => Column::MoneyIn,
            "currency_col_label" if value != "-" => Column::Currency,
            _ => return true,
        };
        let Some(at) = table.position(column) else { return false };
        let header = table.header.as_ref().map(|header| header[at].as_str());
        header == Some(value) || *value == format!("#{}", at + 1)
    };
    // Nobody knows which status means what without the bank.
    let is_clear = !is_of(&["row_filter"])
        && (!has_sign || answer.rows.iter().any(|row| row.amount.is_some()));
    is_clear && answer.rows.iter().all(is_row_true) && answer.settings.iter().all(is_label_true)
}
