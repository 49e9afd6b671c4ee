//! The cells of a record by their fields, and the reasons why a record is no row.

use std::fmt::Display;

use super::header_words::no_column;
use crate::error::Problems;
use crate::import::cells::Cells;
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::labels::color;
use crate::limits::{CSV_COLUMNS_MAX, ROW_REASONS_MAX};
use crate::text::label::name_key;
use crate::text::quoted;

/// A layout, ready to read records.
#[derive(Debug)]
pub(in crate::import) struct CellReader<'l> {
    layout: &'l Layout,
}

/// The reasons why a record is no row.
#[derive(Debug, Default)]
pub(in crate::import) struct Reasons(Vec<String>);

impl Reasons {
    /// Adds a reason, a part of a sentence without its full stop.
    pub(in crate::import) fn push(&mut self, reason: impl Into<String>) {
        self.0.push(reason.into());
    }

    /// The first reasons, if there are any.
    pub(in crate::import) fn into_list(mut self) -> Option<Vec<String>> {
        self.0.truncate(ROW_REASONS_MAX);
        (!self.0.is_empty()).then_some(self.0)
    }
}

impl<'l> CellReader<'l> {
    /// Prepares a layout; fails with its problems if it isn't readable.
    pub(in crate::import) fn new(layout: &'l Layout) -> Result<Self, Vec<LayoutProblem>> {
        if layout.is_readable() { Ok(Self { layout }) } else { Err(layout.problems.clone()) }
    }

    /// The column of a field, if the file has one.
    pub(in crate::import) fn column(&self, field: &str) -> Option<usize> {
        self.layout.fields.get(field).copied()
    }

    /// The column of a field that every row needs.
    pub(in crate::import) fn required(&self, field: &str) -> Result<usize, Vec<LayoutProblem>> {
        self.column(field).ok_or_else(|| no_column(field, self.layout).into_iter().collect())
    }

    /// The text of a cell, if it isn't blank.
    pub(in crate::import) fn text<'r>(cells: Cells<'r>, column: Option<usize>) -> Option<&'r str> {
        Some(cells.get(column?)).filter(|text| !text.is_empty())
    }

    /// Cells with text behind the header mean that no column can be trusted.
    pub(in crate::import) fn check_length(&self, cells: Cells<'_>, reasons: &mut Reasons) {
        let (headers, count) = (self.layout.headers.len(), cells.len());
        if count > CSV_COLUMNS_MAX {
            reasons.push(format!("the record has more than {CSV_COLUMNS_MAX} cells"));
        } else if (headers..count).any(|column| !cells.get(column).is_empty()) {
            reasons.push(format!("the record has {count} cells, the header only {headers}"));
        }
    }

    /// A name must not be blank, nor longer than `max` characters.
    pub(in crate::import) fn check_name(
        &self,
        name: &str,
        column: usize,
        max: usize,
        reasons: &mut Reasons,
    ) {
        if name_key(name).is_empty() {
            self.report(column, "is blank", reasons);
        }
        self.check_text(name, column, max, reasons);
    }

    /// A text must not be longer than `max` characters.
    pub(in crate::import) fn check_text(
        &self,
        text: &str,
        column: usize,
        max: usize,
        reasons: &mut Reasons,
    ) {
        if text.chars().count() > max {
            self.report(column, format_args!("is longer than {max} characters"), reasons);
        }
        if text.contains('\0') {
            self.report(column, "holds a NUL character", reasons);
        }
    }

    /// A color is written `#rrggbb`.
    pub(in crate::import) fn check_color(
        &self,
        text: Option<&str>,
        column: Option<usize>,
        reasons: &mut Reasons,
    ) {
        if let (Some(column), Some(text)) = (column, text)
            && color::read("color", text, &mut Problems::new()).is_none()
        {
            self.report(column, "must be written #rrggbb", reasons);
        }
    }

    /// What is wrong with the cell of a column.
    pub(in crate::import) fn report(
        &self,
        column: usize,
        what: impl Display,
        reasons: &mut Reasons,
    ) {
        reasons.push(format!("{} {what}", quoted(&self.layout.header(column))));
    }
}
