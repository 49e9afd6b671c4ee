//! What is open about an upload, and the field of the request that answers it.

use std::collections::BTreeMap;

use purser_core::import::mapping::MappingKind;
use purser_core::import::questions::{Answer, AnsweredRow, Question};
use purser_core::money::decimal::amount_text;
use purser_store::imports::Mapping;
use serde::Serialize;

use crate::imports::objections;

/// Names that are listed in a question.
const NAMES_LISTED: usize = 5;

/// Something that must be decided before the file can be imported.
#[derive(Debug, Clone, Serialize)]
pub struct OpenQuestion {
    /// What must be decided, as a sentence without a full stop.
    pub problem: String,
    /// The field of the request that decides it.
    pub field: &'static str,
    /// The possible answers; none where any value of the field may be right.
    pub answers: Vec<OpenAnswer>,
}

/// An answer, as fields of the request.
#[derive(Debug, Clone, Serialize)]
pub struct OpenAnswer {
    /// The fields that give this answer, with their values.
    pub fields: BTreeMap<&'static str, String>,
    /// What the answer means, as a part of a sentence.
    pub meaning: String,
    /// Rows of the file as this answer reads them.
    pub rows: Vec<AnswerRow>,
}

/// A row of the file as an answer reads it.
#[derive(Debug, Clone, Serialize)]
pub struct AnswerRow {
    /// The day; null if that is in doubt as well.
    pub date: Option<String>,
    /// The exact amount; positive for money out; null if that is in doubt as well.
    pub amount: Option<String>,
    /// The code of the amount's currency.
    pub currency: Option<&'static str>,
    /// The cell of the name.
    pub name: String,
    /// The cell of the date.
    pub date_cell: String,
    /// The cell of the amount.
    pub amount_cell: String,
}

impl From<&Question> for OpenQuestion {
    fn from(question: &Question) -> Self {
        Self {
            problem: question.problem.to_string(),
            field: question.setting,
            answers: question.answers.iter().map(OpenAnswer::from).collect(),
        }
    }
}

impl From<&Answer> for OpenAnswer {
    fn from(answer: &Answer) -> Self {
        Self {
            fields: answer.settings.iter().cloned().collect(),
            meaning: answer.meaning.clone(),
            rows: answer.rows.iter().map(AnswerRow::from).collect(),
        }
    }
}

impl From<&AnsweredRow> for AnswerRow {
    fn from(row: &AnsweredRow) -> Self {
        Self {
            date: row.date.map(|date| date.to_string()),
            amount: row.amount.map(|money| amount_text(money.amount, money.currency)),
            currency: row.amount.map(|money| money.currency.code()),
            name: row.name.clone(),
            date_cell: row.date_cell.clone(),
            amount_cell: row.amount_cell.clone(),
        }
    }
}

/// Everything that fields of the upload can decide: how the file is read, the account of its rows,
/// what becomes of invalid ones, and what its statements show against the accounts.
pub(in crate::imports) fn open_questions(
    asked: &[Question],
    mappings: &[Mapping],
    (invalid_rows, objections): (u64, &[String]),
) -> Vec<OpenQuestion> {
    let mut open: Vec<OpenQuestion> = asked.iter().map(OpenQuestion::from).collect();
    let accounts = mappings.iter().filter(|one| one.kind == MappingKind::Account);
    let problems: Vec<&str> =
        accounts.filter_map(|one| one.problem.as_deref()).take(NAMES_LISTED).collect();
    if !problems.is_empty() {
        open.push(OpenQuestion {
            problem: problems.join("; "),
            field: "account_id",
            answers: Vec::new(),
        });
    }
    if invalid_rows > 0 {
        let (rows, are) = if invalid_rows == 1 { ("row", "is") } else { ("rows", "are") };
        open.push(OpenQuestion {
            problem: format!("{invalid_rows} {rows} can't be imported"),
            field: "skip_invalid",
            answers: vec![OpenAnswer {
                fields: BTreeMap::from([("skip_invalid", "true".to_owned())]),
                meaning: format!("{invalid_rows} {rows} {are} left out"),
                rows: Vec::new(),
            }],
        });
    }
    if !objections.is_empty() {
        let (answer, meaning) = objections::answer_to(objections);
        open.push(OpenQuestion {
            problem: objections.join("; "),
            field: "balance_check",
            answers: vec![OpenAnswer {
                fields: BTreeMap::from([("balance_check", answer.as_str().to_owned())]),
                meaning: meaning.to_owned(),
                rows: Vec::new(),
            }],
        });
    }
    open
}
