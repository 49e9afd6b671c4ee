//! What is open about an upload, as the API shows it: questions with their answers, and what
//! accounts hold before and after.

use std::collections::BTreeMap;

use purser_app::imports::preview::{AnswerRow, OpenAnswer, OpenQuestion};
use purser_core::import::transaction::balance::own::OwnBalances;
use purser_core::money::decimal::amount_text;
use serde::Serialize;
use utoipa::ToSchema;

/// Something that must be decided before the file can be imported.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportQuestion {
    /// What must be decided, as a sentence.
    problem: String,
    /// The field of the request that decides it.
    #[schema(example = "signage_convention")]
    field: &'static str,
    /// The possible answers; empty where any value of the field may be right.
    answers: Vec<ImportQuestionAnswer>,
}

/// A possible answer to a question about a file.
#[derive(Debug, Serialize, ToSchema)]
struct ImportQuestionAnswer {
    /// The fields of the request that give this answer, with their values.
    #[schema(example = json!({ "signage_convention": "inflows_negative" }))]
    fields: BTreeMap<&'static str, String>,
    /// What the answer means, as a part of a sentence.
    #[schema(example = "money out")]
    meaning: String,
    /// Rows of the file as this answer reads them, first of all those that the answers read
    /// differently.
    rows: Vec<ImportQuestionRow>,
}

/// A row of the file as an answer reads it.
#[derive(Debug, Serialize, ToSchema)]
struct ImportQuestionRow {
    /// The day; null if that is in doubt as well.
    #[schema(required, format = Date)]
    date: Option<String>,
    /// The exact amount; positive for money out. Null if that is in doubt as well.
    #[schema(required, example = "1.50")]
    amount_decimal: Option<String>,
    /// The code of the amount's currency; null if there is no amount.
    #[schema(required)]
    currency: Option<&'static str>,
    /// The text of the name in the file.
    name: String,
    /// The text of the date in the file.
    date_cell: String,
    /// The text of the amount in the file.
    amount_cell: String,
}

/// What an account that exists holds before the rows and after their publish.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PreviewAccount {
    /// The name of the account.
    account: String,
    /// The code of its currency.
    currency: &'static str,
    /// The day of the oldest row.
    #[schema(format = Date)]
    first_day: String,
    /// What it holds before that day. Where the file has balances, in the sense in which the file
    /// counts them.
    balance_before: String,
    /// The day of the newest row.
    #[schema(format = Date)]
    last_day: String,
    /// What it will hold after that day; null if that doesn't follow from the rows alone.
    #[schema(required)]
    balance_after: Option<String>,
}

impl From<OpenQuestion> for ImportQuestion {
    fn from(open: OpenQuestion) -> Self {
        Self {
            problem: open.problem,
            field: open.field,
            answers: open.answers.into_iter().map(ImportQuestionAnswer::from).collect(),
        }
    }
}

impl From<OpenAnswer> for ImportQuestionAnswer {
    fn from(answer: OpenAnswer) -> Self {
        Self {
            fields: answer.fields,
            meaning: answer.meaning,
            rows: answer.rows.into_iter().map(ImportQuestionRow::from).collect(),
        }
    }
}

impl From<AnswerRow> for ImportQuestionRow {
    fn from(row: AnswerRow) -> Self {
        let AnswerRow { date, amount, currency, name, date_cell, amount_cell } = row;
        Self { date, amount_decimal: amount, currency, name, date_cell, amount_cell }
    }
}

impl From<&OwnBalances> for PreviewAccount {
    fn from(own: &OwnBalances) -> Self {
        Self {
            account: own.name.clone(),
            currency: own.currency.code(),
            first_day: own.first_day.to_string(),
            balance_before: amount_text(own.before.own, own.currency),
            last_day: own.last_day.to_string(),
            balance_after: own.after.map(|after| amount_text(after.own, own.currency)),
        }
    }
}
