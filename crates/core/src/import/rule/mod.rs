//! Rules: the record kind of `RuleImport`.
//!
//! A row has a rule: its conditions and actions as JSON, which programs escape in many ways
//! (`json_cell`), its name, whether it is active, and the day from which on it counts. A rule of
//! the family is found by its name, and gets all conditions and actions of the row; a rule without
//! a name only by its contents. What conditions and actions name is found by id or by name, else it
//! is created with the rule, but for accounts (`plan`).

mod columns;
mod interpret;
mod json_cell;
mod plan;
mod references;
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
use crate::rules::json;

/// The record kind of files with rules.
#[derive(Debug)]
pub struct RuleKind;

impl RecordKind for RuleKind {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = Interpreter<'l>;

    const SPEC: Spec = Spec {
        import_type: ImportType::Rule,
        one: "rule",
        many: "rules",
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
        // What a rule names is resolved with the rule: `references`.
    }

    /// Conditions and actions are shown as they are understood.
    fn fields(row: &Row<'_>, field: &mut dyn FnMut(&'static str, &str)) {
        if let Some(name) = row.name {
            field("name", name);
        }
        if let Some(active) = row.active {
            field("active", if active { "true" } else { "false" });
        }
        if let Some(date) = row.effective_date {
            field("effective_date", &date.to_string());
        }
        field("conditions", &json::write_conditions(&row.conditions()).to_string());
        field("actions", &json::write_actions(&row.actions()).to_string());
    }

    fn survey() -> Option<Box<dyn Survey<Self>>> {
        Some(Box::<set::RuleSurvey>::default())
    }

    fn planner() -> Option<Box<dyn WholePlanner<Self>>> {
        Some(Box::<plan::RulePlanner>::default())
    }
}
