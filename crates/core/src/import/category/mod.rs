//! Categories: the record kind of `CategoryImport`.
//!
//! A row names a category, and perhaps its parent, color and icon. A category that the family has
//! is found by its name; a blank cell or a missing column changes nothing of it. Rows refer to each
//! other by their parents, in any order, so they are judged together (`set`) and planned together
//! ([`plan`]): no row creates a third level, and none is imported twice.

mod columns;
mod image;
pub mod interpret;
pub mod plan;
mod set;
#[cfg(test)]
mod tests;

pub use image::CategoryImage;
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
use crate::text::label::name_key;

/// The record kind of files with categories.
#[derive(Debug)]
pub struct CategoryKind;

impl RecordKind for CategoryKind {
    type Row<'r> = Row<'r>;
    type Interpreter<'l> = Interpreter<'l>;

    const SPEC: Spec = Spec {
        import_type: ImportType::Category,
        one: "category",
        many: "categories",
        columns: &columns::COLUMNS,
        settings: &["col_sep", "has_header", "rows_to_skip", "sheet"],
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
        row: &Row<'_>,
        row_set: Option<&RowSet>,
        name: &mut dyn FnMut(MappingKind, &str, Option<Currency>),
    ) {
        let is_defined =
            |parent: &str| row_set.is_some_and(|set| set.defined.contains(&name_key(parent)));
        if let Some(parent) = row.parent.filter(|parent| !is_defined(parent)) {
            name(MappingKind::Parent, parent, None);
        }
    }

    fn fields(row: &Row<'_>, field: &mut dyn FnMut(&'static str, &str)) {
        let Row { name, parent, color, icon, is_path: _ } = *row;
        let fields = [("name", Some(name)), ("parent", parent), ("color", color), ("icon", icon)];
        for (name, text) in fields {
            if let Some(text) = text {
                field(name, text);
            }
        }
    }

    fn survey() -> Option<Box<dyn Survey<Self>>> {
        Some(Box::<set::CategorySurvey>::default())
    }

    fn planner() -> Option<Box<dyn WholePlanner<Self>>> {
        Some(Box::<plan::CategoryPlanner>::default())
    }
}
