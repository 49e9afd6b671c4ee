//! Merchants: the record kind of `MerchantImport`.
//!
//! A row names a merchant, and perhaps its color and website. A merchant that the family has is
//! found by its name; a blank cell or a missing column changes nothing of it.

mod columns;
mod interpret;
mod plan;
mod set;
#[cfg(test)]
mod tests;

pub use interpret::{Interpreter, Row};

use super::cells::Cells;
use super::import_type::ImportType;
use super::kind::{Context, Interpreted, RecordKind, RowSet, Spec, Survey, WholePlanner};
use super::layout::{Layout, Preface};
use super::layout_problem::LayoutProblem;
use super::mapping::MappingKind;
use super::scratch::Scratch;
use super::settings::Settings;
use crate::error::Problem;
use crate::money::Currency;

/// The record kind of files with merchants.
#[derive(Debug)]
pub struct MerchantKind;

impl RecordKind for MerchantKind {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = Interpreter<'l>;

    const SPEC: Spec = Spec {
        import_type: ImportType::Merchant,
        one: "merchant",
        many: "merchants",
        columns: &columns::COLUMNS,
        settings: &["col_sep", "rows_to_skip", "sheet"],
        has_account: false,
        is_whole: true,
        reads_without_header: false,
    };

    fn header_score(cells: &[String], settings: &Settings) -> usize {
        columns::WORDS.header_score(cells, settings)
    }

    fn layout(preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>> {
        columns::WORDS.layout(preface, settings)
    }

    fn interpreter<'l>(
        layout: &'l Layout,
        _context: Context<'l>,
    ) -> Result<Interpreter<'l>, Vec<LayoutProblem>> {
        Interpreter::new(layout)
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
        _row: &Row<'_>,
        _row_set: Option<&RowSet>,
        _name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    ) {
        // A row names nothing but its merchant.
    }

    fn fields(row: &Row<'_>, field: &mut dyn FnMut(&'static str, &str)) {
        let Row { name, color, website } = *row;
        for (name, text) in [("name", Some(name)), ("color", color), ("website", website)] {
            if let Some(text) = text {
                field(name, text);
            }
        }
    }

    fn survey() -> Option<Box<dyn Survey<Self>>> {
        Some(Box::<set::MerchantSurvey>::default())
    }

    fn planner() -> Option<Box<dyn WholePlanner<Self>>> {
        Some(Box::<plan::MerchantPlanner>::default())
    }
}
