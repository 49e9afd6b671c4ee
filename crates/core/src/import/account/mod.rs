//! Accounts: the record kind of `AccountImport`.
//!
//! A row has the name of an account, what it is in any words (`type_words`), its balance, and
//! perhaps the day of that. Unknown words for the type are a mapping that a person must choose for.
//! An account of the same name and type is never made twice (`plan`).

mod columns;
mod detection;
mod interpret;
mod plan;
mod set;
#[cfg(test)]
mod tests;
pub(crate) mod type_words;

pub use columns::OWN_HEADER;
pub use interpret::{Interpreter, Row};

use super::cells::Cells;
use super::import_type::ImportType;
use super::kind::{Context, Detect, Interpreted, RecordKind, RowSet, Spec, Survey, WholePlanner};
use super::layout::{Layout, Preface};
use super::layout_problem::LayoutProblem;
use super::mapping::MappingKind;
use super::scratch::Scratch;
use super::settings::{DebtSign, Settings};
use crate::error::Problem;
use crate::money::Currency;
use crate::money::decimal::amount_text;

/// The record kind of files with accounts.
#[derive(Debug)]
pub struct AccountKind;

impl RecordKind for AccountKind {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = Interpreter<'l>;

    const SPEC: Spec = Spec {
        import_type: ImportType::Account,
        one: "account",
        many: "accounts",
        columns: &columns::COLUMNS,
        settings: &[
            "date_format",
            "number_format",
            "debt_sign",
            "col_sep",
            "rows_to_skip",
            "sheet",
        ],
        has_account: false,
        is_whole: true,
        reads_without_header: false,
    };

    fn header_score(cells: &[String], settings: &Settings) -> usize {
        columns::WORDS.header_score(cells, settings)
    }

    fn layout(preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>> {
        let is_own = preface.headers == OWN_HEADER;
        let mut layout = columns::WORDS.layout(preface, settings)?;
        layout.date_format.clone_from(&settings.date_format);
        layout.number_format = settings.number_format;
        layout.debt_sign = settings.debt_sign.or(is_own.then_some(DebtSign::Positive));
        Ok(layout)
    }

    fn detector(
        layout: &Layout,
        settings: &Settings,
        context: Context<'_>,
    ) -> Option<Box<dyn Detect>> {
        let detector = detection::Detector::new(layout, settings, context)?;
        Some(Box::new(detector))
    }

    fn interpreter<'l>(
        layout: &'l Layout,
        context: Context<'l>,
    ) -> Result<Interpreter<'l>, Vec<LayoutProblem>> {
        Interpreter::new(layout, context)
    }

    fn omit_reasons(_interpreter: &mut Interpreter<'_>) {
        // There are few rows.
    }

    fn interpret<'r>(
        interpreter: &Interpreter<'_>,
        cells: Cells<'r>,
        _scratch: &'r mut Scratch,
    ) -> Interpreted<Row<'r>> {
        interpreter.interpret(cells)
    }

    fn names(
        row: &Row<'_>,
        _row_set: Option<&RowSet>,
        name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    ) {
        name(MappingKind::AccountType, row.type_text, None);
    }

    /// The balance as the file has it: what it means for the account is in the plan.
    fn fields(row: &Row<'_>, field: &mut dyn FnMut(&'static str, &str)) {
        field("name", row.name);
        if !row.type_text.is_empty() {
            field("type", row.type_text);
        }
        if let Some(subtype) = row.subtype {
            field("subtype", subtype);
        }
        field("balance", &amount_text(row.balance, row.currency));
        field("currency", row.currency.code());
        if let Some(date) = row.date {
            field("date", &date.to_string());
        }
    }

    fn survey() -> Option<Box<dyn Survey<Self>>> {
        Some(Box::<set::AccountSurvey>::default())
    }

    fn planner() -> Option<Box<dyn WholePlanner<Self>>> {
        Some(Box::<plan::AccountPlanner>::default())
    }
}
