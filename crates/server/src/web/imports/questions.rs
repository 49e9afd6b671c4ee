//! What a person must decide before a file can be read, each answer with rows of the file as it
//! reads them.

use std::collections::BTreeSet;

use purser_app::imports::document_picture::PageRows;
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::questions::{Answer, AnsweredRow, Question};

use super::sentences::{column_name, of_layout, with_capital};
use crate::web::form::Form;
use crate::web::view::{Amount, day};

/// What the button of an answer sends.
const ANSWER: &str = "answer";

/// A question, as the page asks it.
pub(super) struct QuestionView {
    /// The setting that decides it; its control refers to the question.
    pub(super) setting: &'static str,
    /// It is the first one about its setting.
    pub(super) is_first: bool,
    /// The question as a sentence.
    pub(super) sentence: String,
    pub(super) answers: Vec<AnswerView>,
    /// Pictures of the pages of a document that it is about: where they are, below the import.
    pub(super) pictures: Vec<String>,
    /// It is about all rows of the file.
    is_of_file: bool,
}

/// An answer, as a button with rows.
pub(super) struct AnswerView {
    /// The value that the button sends: settings, encoded as in an address.
    pub(super) value: String,
    pub(super) meaning: String,
    pub(super) rows: Vec<AnswerLine>,
}

/// A row of the file as an answer reads it.
pub(super) struct AnswerLine {
    /// The line of the table, below its header, if each row is a line.
    line: u64,
    pub(super) day: String,
    pub(super) name: String,
    pub(super) amount: Amount,
}

/// The questions that have answers to choose from; what else is wrong is shown at its control.
pub(super) fn of(questions: &[Question]) -> Vec<QuestionView> {
    let mut shown: Vec<QuestionView> = Vec::new();
    for question in questions.iter().filter(|question| !question.answers.is_empty()) {
        shown.push(QuestionView {
            setting: question.setting,
            is_first: shown.iter().all(|one| one.setting != question.setting),
            sentence: of_layout(&question.problem),
            answers: question.answers.iter().map(AnswerView::from).collect(),
            pictures: Vec::new(),
            is_of_file: is_of_file(&question.problem),
        });
    }
    shown
}

/// Whether only a comparison of all rows with the document answers it.
fn is_of_file(problem: &LayoutProblem) -> bool {
    matches!(
        problem,
        LayoutProblem::NotProven
            | LayoutProblem::EndsNotStated { .. }
            | LayoutProblem::Recognised
            | LayoutProblem::EndsDiffer { .. }
            | LayoutProblem::SenseOfEnds { .. }
            | LayoutProblem::StatementsNotProven { .. }
            | LayoutProblem::BalanceDiffers { .. }
    )
}

impl QuestionView {
    /// Adds the pictures of the pages of a document: all of them with all rows marked, or those
    /// with the rows that the answers show.
    pub(super) fn show_pages(&mut self, pages: &[PageRows]) {
        let rows = self.answers.iter().flat_map(|answer| &answer.rows);
        let lines: BTreeSet<u64> = rows.map(|row| row.line).collect();
        let picture = |page: &PageRows| {
            if self.is_of_file {
                return (!page.lines.is_empty()).then(|| format!("pages/{}", page.page));
            }
            let on_page = page.lines.iter().filter(|line| lines.contains(line));
            let on_page: Vec<String> = on_page.map(u64::to_string).collect();
            (!on_page.is_empty()).then(|| format!("document/{}", on_page.join(",")))
        };
        self.pictures = pages.iter().filter_map(picture).collect();
    }
}

/// The settings that the pressed button gives.
pub(super) fn answered(form: &Form) -> Vec<(String, String)> {
    form.filled(ANSWER)
        .map(|answer| form_urlencoded::parse(answer.as_bytes()).into_owned().collect())
        .unwrap_or_default()
}

impl From<&Answer> for AnswerView {
    fn from(answer: &Answer) -> Self {
        let mut value = form_urlencoded::Serializer::new(String::new());
        value.extend_pairs(answer.settings.iter().map(|(name, value)| (*name, value)));
        // A column without a header of its own has a label that only the API knows.
        let meaning = answer.settings.iter().fold(answer.meaning.clone(), |meaning, (_, value)| {
            meaning.replace(&format!("\"{value}\""), &format!("\"{}\"", column_name(value)))
        });
        Self {
            value: value.finish(),
            meaning: with_capital(&meaning),
            rows: answer.rows.iter().map(AnswerLine::from).collect(),
        }
    }
}

impl From<&AnsweredRow> for AnswerLine {
    fn from(row: &AnsweredRow) -> Self {
        let amount = match row.amount {
            Some(money) => signed(Amount::of_entry(money.amount, money.currency)),
            None => Amount { text: row.amount_cell.clone(), ..Amount::none() },
        };
        Self {
            line: row.row + 1,
            day: row.date.map_or_else(|| row.date_cell.clone(), day),
            name: row.name.clone(),
            amount,
        }
    }
}

/// With a plus for money in: beside the other answer the sign is what matters.
fn signed(amount: Amount) -> Amount {
    match amount.class {
        "in" => Amount { text: format!("+{}", amount.text), ..amount },
        _ => amount,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_without_a_header_are_called_by_their_place() {
        let answer = Answer {
            settings: vec![("amount_col_label", "#3".to_owned())],
            meaning: "the amount is in \"#3\"".to_owned(),
            rows: Vec::new(),
        };
        let view = AnswerView::from(&answer);
        assert_eq!(view.meaning, "The amount is in \"Column 3\"");
        assert_eq!(view.value, "amount_col_label=%233");
    }

    #[test]
    fn an_answer_comes_back_as_it_was_sent() {
        let settings =
            vec![("amount_type_inflow_value", "C & \u{e4}=".to_owned()), ("a", "b".into())];
        let answer = Answer { settings, meaning: "\"C\" is money in".to_owned(), rows: Vec::new() };
        let view = AnswerView::from(&answer);
        let form = Form::of([(ANSWER, view.value.as_str())]);
        let sent = answered(&form);
        assert_eq!(sent[0], ("amount_type_inflow_value".to_owned(), "C & \u{e4}=".to_owned()));
        assert_eq!(sent.len(), 2);
        assert_eq!(answered(&Form::default()), []);
    }
}
