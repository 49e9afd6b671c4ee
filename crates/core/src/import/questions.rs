//! Questions about a file, each with what its answers would make of rows of the file.
//!
//! Where a file can be read in several ways, a person decides, and a row of their own file is
//! clearer than the name of a setting. The rows that are shown are those that the answers read
//! differently.

mod fees;
mod money_or_debt;
mod named;
mod proposals;
mod signs;
mod statuses;
mod years;

use jiff::civil::Date;

use super::cells::{Cells, CellsBuf};
use super::kind::Context;
use super::layout::{AmountSource, Layout};
use super::layout_problem::{ColumnContent, LayoutProblem};
use super::settings::{ALL_IN, BalanceCheck, NO_COLUMN};
use super::source_file::SourceSheet;
use super::transaction::Interpreter;
use crate::money::Money;
use crate::text::date::DateFormat;
use crate::text::quoted;

/// Rows that are shown with an answer.
const ROWS_SHOWN: usize = 3;

/// Something that a person must decide before the file can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What is in doubt.
    pub problem: LayoutProblem,
    /// The setting that decides it.
    pub setting: &'static str,
    /// The possible answers; none where any value of the setting may be right.
    pub answers: Vec<Answer>,
}

/// One of the ways in which the file can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The settings that give this answer, with their values.
    pub settings: Vec<(&'static str, String)>,
    /// What the answer means, as a part of a sentence.
    pub meaning: String,
    /// Rows of the file as this answer reads them.
    pub rows: Vec<AnsweredRow>,
}

/// A row of the file as an answer reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredRow {
    /// Its number, counted from 1.
    pub row: u64,
    /// The cell of the date.
    pub date_cell: String,
    /// The cell of the amount.
    pub amount_cell: String,
    /// The cell of the name, if a column of names is known.
    pub name: String,
    /// The day, unless that is in doubt as well.
    pub date: Option<Date>,
    /// The amount, unless that is in doubt as well; positive is money out.
    pub amount: Option<Money>,
}

/// The questions about a file in the order of its problems. `records` are some of its first
/// records; without any the answers have no rows.
pub fn questions(layout: &Layout, context: Context<'_>, records: &[Vec<String>]) -> Vec<Question> {
    let records: Vec<CellsBuf> = records.iter().map(|record| record.iter().collect()).collect();
    let asked = layout.problems.iter().filter_map(|problem| {
        let setting = problem.setting()?;
        let is_of_all_kinds = setting == "sheet";
        let answers = if layout.kind.has_transactions() || is_of_all_kinds {
            let numbered = records.iter().zip(1..);
            let concerned = numbered.filter(|(record, _)| is_concerned(problem, layout, record));
            let mut readings = readings(problem, layout, context, &records);
            proposals::note(layout, &mut readings);
            shown(readings, context, concerned)
        } else {
            Vec::new()
        };
        Some(Question { problem: problem.clone(), setting, answers })
    });
    asked.collect()
}

/// An answer, and the layout that it leads to.
struct Reading {
    settings: Vec<(&'static str, String)>,
    meaning: String,
    layout: Layout,
}

impl Reading {
    fn new(
        layout: &Layout,
        (setting, value): (&'static str, &str),
        meaning: impl Into<String>,
        change: impl FnOnce(&mut Layout),
    ) -> Self {
        let mut layout = layout.clone();
        change(&mut layout);
        Self { settings: vec![(setting, value.to_owned())], meaning: meaning.into(), layout }
    }
}

/// The ways to read the file among which a problem leaves the choice.
fn readings(
    problem: &LayoutProblem,
    layout: &Layout,
    context: Context<'_>,
    records: &[CellsBuf],
) -> Vec<Reading> {
    match problem {
        LayoutProblem::WhichSheet { sheets } | LayoutProblem::NoSheet { sheets, .. } => {
            sheets.iter().map(|sheet| of_sheet(layout, sheet)).collect()
        }
        LayoutProblem::AmbiguousDates { patterns, .. } => {
            patterns.iter().map(|pattern| days(layout, pattern)).collect()
        }
        LayoutProblem::AmbiguousNumbers { formats, .. } => {
            let reading = |format: &crate::text::number::NumberFormat| {
                let meaning = format!("amounts are written like {}", format.as_str());
                Reading::new(layout, ("number_format", format.as_str()), meaning, |layout| {
                    layout.number_format = Some(*format);
                })
            };
            formats.iter().map(reading).collect()
        }
        LayoutProblem::UnsignedMoneyOrDebt { column, order, .. } => {
            money_or_debt::answers(layout, (*column, *order), context, records)
        }
        LayoutProblem::MoneyOrDebt { is_directed: true, is_by_balance: true, .. } => {
            money_or_debt::of_unknown_words(layout, context, records)
        }
        LayoutProblem::MoneyOrDebt { is_directed: true, .. } => {
            let debt = "the balance is what is owed, and is compared";
            vec![balance(layout, BalanceCheck::Compare, debt), no_balance(layout)]
        }
        LayoutProblem::BalanceDiffers { header, .. } => {
            let mut found = named::other_amounts(layout, header, records);
            found.push(no_balance(layout));
            found
        }
        LayoutProblem::OpenDirections { .. } => vec![no_balance(layout)],
        LayoutProblem::SenseOfEnds { is_debt, .. } => {
            let counts = if *is_debt { "what is owed" } else { "money that was paid in" };
            let meaning = format!("the balances are {counts}, and are compared");
            vec![
                balance(layout, BalanceCheck::of_lines(*is_debt), &meaning),
                ends_not_compared(layout),
            ]
        }
        LayoutProblem::EndsDiffer { .. } => {
            vec![ends_not_compared(layout)]
        }
        LayoutProblem::StatementsNotProven { .. } => {
            not_compared(layout, "the rows are right, as a comparison with the bank's has shown")
        }
        LayoutProblem::EndsNotStated { .. } => {
            let meaning =
                "the rows are all rows of the document, as a comparison with it has shown";
            vec![balance(layout, BalanceCheck::IgnoreEnds, meaning)]
        }
        LayoutProblem::NotProven | LayoutProblem::Recognised => {
            not_compared(layout, "the rows are right, as a comparison with the document has shown")
        }
        LayoutProblem::UnlikelyYears { .. } => years::orders(layout, records),
        LayoutProblem::UnknownStatus { header, booked, unknown, .. } => {
            statuses::readings(layout, header, booked, unknown)
        }
        _ => readings_of_columns(problem, layout, context, records),
    }
}

/// The same where it isn't known what some columns hold.
fn readings_of_columns(
    problem: &LayoutProblem,
    layout: &Layout,
    context: Context<'_>,
    records: &[CellsBuf],
) -> Vec<Reading> {
    match problem {
        LayoutProblem::TwoColumns { content, headers } => {
            named::of_two(layout, *content, headers, records)
        }
        LayoutProblem::WhichColumn { content, columns, likely } => {
            named::of_proposed(layout, *content, columns, *likely, records)
        }
        LayoutProblem::NoColumn { content, .. } | LayoutProblem::BlankColumn { content } => {
            named::others(layout, *content, records)
        }
        LayoutProblem::UnknownDates { .. } => named::others(layout, ColumnContent::Date, records),
        LayoutProblem::UnknownNumbers { .. } => {
            named::others(layout, ColumnContent::Amount, records)
        }
        LayoutProblem::UnnamedCurrency { header, found, expected } => {
            named::currency(layout, header, *found, *expected)
        }
        LayoutProblem::CurrencyAbove { found, expected } => {
            let all_in = format!("{ALL_IN}{found}");
            let setting = ("currency_col_label", all_in.as_str());
            let found =
                Reading::new(layout, setting, format!("the amounts are in {found}"), |it| {
                    it.amount_currency = Some(*found);
                });
            let meaning = match layout.columns.account.filter(|_| context.account.is_none()) {
                Some(_) => "the amounts are in the currencies of their accounts".to_owned(),
                None => format!("the amounts are in {expected}"),
            };
            let setting = ("currency_col_label", NO_COLUMN);
            vec![found, Reading::new(layout, setting, meaning, |_| {})]
        }
        LayoutProblem::CodeInHeader { code, .. } => {
            let expected = context.default_currency();
            let meaning = format!("the amounts are in {expected}, and {code} is something else");
            vec![Reading::new(layout, ("currency_col_label", NO_COLUMN), meaning, |_| {})]
        }
        LayoutProblem::UnknownFee { fee, others, .. } => fees::readings(layout, fee, others),
        _ => signs::readings(problem, layout, records),
    }
}

/// Days read with a pattern.
fn days(layout: &Layout, pattern: &str) -> Reading {
    Reading::new(layout, ("date_format", pattern), order_of(pattern), |layout| {
        layout.date_format = Some(pattern.to_owned());
    })
}

/// Whether a record shows something of a problem.
fn is_concerned(problem: &LayoutProblem, layout: &Layout, record: &CellsBuf) -> bool {
    match problem {
        LayoutProblem::UnknownStatus { header, unknown, .. } => statuses::column(layout, header)
            .is_none_or(|column| unknown.iter().any(|word| word == record.as_cells().get(column))),
        _ => true,
    }
}

/// That a sheet is read, with the header of its table: rows of it are known once it is chosen.
fn of_sheet(layout: &Layout, sheet: &SourceSheet) -> Reading {
    let columns: Vec<String> = sheet.columns.iter().map(|column| quoted(column)).collect();
    let meaning = format!("the sheet \"{}\": {}", quoted(&sheet.name), columns.join(", "));
    Reading::new(layout, ("sheet", &sheet.name), meaning, |_| {})
}

/// The order of day, month and year in a pattern.
fn order_of(pattern: &str) -> String {
    let part = |c: char| match c {
        'd' | 'e' => Some("day"),
        'm' | 'b' | 'B' => Some("month"),
        'y' | 'Y' => Some("year"),
        _ => None,
    };
    let parts: Vec<&str> = pattern
        .split('%')
        .skip(1)
        .filter_map(|directive| part(directive.trim_start_matches('-').chars().next()?))
        .collect();
    parts.join(", ")
}

fn balance(layout: &Layout, check: BalanceCheck, meaning: &str) -> Reading {
    Reading::new(layout, ("balance_check", check.as_str()), meaning, |_| {})
}

/// That stated balances prove nothing.
fn not_compared(layout: &Layout, meaning: &str) -> Vec<Reading> {
    vec![balance(layout, BalanceCheck::Ignore, meaning)]
}

fn ends_not_compared(layout: &Layout) -> Reading {
    let meaning = "the balances before and after the rows are not compared";
    balance(layout, BalanceCheck::Ignore, meaning)
}

fn no_balance(layout: &Layout) -> Reading {
    balance(layout, BalanceCheck::Ignore, "the balance is not looked at, and proves nothing")
}

/// The answers, each with the same rows: those that they read differently, else the first.
fn shown<'r>(
    readings: Vec<Reading>,
    context: Context<'_>,
    records: impl Iterator<Item = (&'r CellsBuf, u64)>,
) -> Vec<Answer> {
    let mut answers: Vec<(Answer, Reader)> = Vec::new();
    for Reading { settings, meaning, layout } in readings {
        answers.push((Answer { settings, meaning, rows: Vec::new() }, Reader::new(layout)));
    }
    let mut alike = Vec::new();
    let mut found = Vec::new();
    for (record, number) in records {
        let cells = record.as_cells();
        let rows: Vec<AnsweredRow> =
            answers.iter().map(|(_, reader)| reader.read(context, number, cells)).collect();
        if rows.iter().all(|row| row.date.is_none() && row.amount.is_none()) {
            continue;
        }
        let is_alike = rows.windows(2).all(|two| two[0] == two[1]);
        if is_alike { &mut alike } else { &mut found }.push(rows);
        if found.len() == ROWS_SHOWN {
            break;
        }
    }
    if found.is_empty() {
        found = alike;
    }
    for rows in found.into_iter().take(ROWS_SHOWN) {
        for (row, (answer, _)) in rows.into_iter().zip(&mut answers) {
            answer.rows.push(row);
        }
    }
    answers.into_iter().map(|(answer, _)| answer).collect()
}

/// Reads single records by a layout in which something else may be open.
struct Reader {
    layout: Layout,
    date_format: Option<DateFormat>,
    has_amount: bool,
}

impl Reader {
    fn new(mut layout: Layout) -> Self {
        layout.problems.clear();
        let date_format =
            layout.date_format.as_deref().and_then(|pattern| DateFormat::new(pattern).ok());
        let has_amount = layout.amount.is_some() && layout.number_format.is_some();
        // Whatever they are: only the amount is read with them.
        layout.date_format.get_or_insert_with(|| "%Y-%m-%d".to_owned());
        layout.columns.date.get_or_insert(0);
        Self { layout, date_format, has_amount }
    }

    fn read(&self, context: Context<'_>, number: u64, cells: Cells<'_>) -> AnsweredRow {
        let column = |column: Option<usize>| column.map_or("", |column| cells.get(column));
        let date_cell = column(self.layout.columns.date);
        let amount_column = match &self.layout.amount {
            Some(AmountSource::Signed { column } | AmountSource::ByBalance { column }) => {
                Some(*column)
            }
            Some(AmountSource::Directed { amount, .. }) => Some(*amount),
            Some(AmountSource::DebitCredit { debit, credit }) => {
                Some(*debit).filter(|debit| !cells.get(*debit).is_empty()).or(Some(*credit))
            }
            None => None,
        };
        let names = self.layout.columns.names.iter().map(|column| cells.get(*column));
        let interpreter = match self.has_amount {
            true => Interpreter::new(&self.layout, context).ok(),
            false => None,
        };
        AnsweredRow {
            row: number,
            date_cell: quoted(date_cell),
            amount_cell: quoted(column(amount_column)),
            name: quoted(names.into_iter().find(|name| !name.is_empty()).unwrap_or_default()),
            date: self.date_format.as_ref().and_then(|format| format.parse(date_cell).ok()),
            amount: interpreter.and_then(|interpreter| interpreter.amount_of(number, cells)),
        }
    }
}

#[cfg(test)]
#[path = "questions_tests.rs"]
mod tests;
