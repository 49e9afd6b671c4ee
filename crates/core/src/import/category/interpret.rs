//! What a record of a file of categories means.

use crate::error::Problems;
use crate::import::cells::Cells;
use crate::import::kind::Interpreted;
use crate::import::layout::Layout;
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::import::mapping::split_path;
use crate::labels::color;
use crate::labels::input::is_path;
use crate::limits::{CSV_COLUMNS_MAX, ICON_CHARS_MAX, LABEL_CHARS_MAX, ROW_REASONS_MAX};
use crate::text::label::name_key;
use crate::text::quoted;

/// A category as a row describes it. What is blank is `None`, and changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'r> {
    /// The name of its own level.
    pub name: &'r str,
    /// The name of the category above.
    pub parent: Option<&'r str>,
    /// The name was written `Parent:Child`: this very category is meant, not one of the same name
    /// elsewhere.
    pub is_path: bool,
    /// `#rrggbb`, in any case.
    pub color: Option<&'r str>,
    /// The name of an icon.
    pub icon: Option<&'r str>,
}

/// A layout, ready to read records.
#[derive(Debug)]
pub struct Interpreter<'l> {
    layout: &'l Layout,
    name: usize,
    parent: Option<usize>,
    color: Option<usize>,
    icon: Option<usize>,
}

impl<'l> Interpreter<'l> {
    /// Prepares a layout; fails with its problems if it isn't readable.
    ///
    /// # Errors
    /// The problems of the layout.
    pub fn new(layout: &'l Layout) -> Result<Self, Vec<LayoutProblem>> {
        if !layout.is_readable() {
            return Err(layout.problems.clone());
        }
        let field = |name: &str| layout.fields.get(name).copied();
        let name = field("name")
            .ok_or_else(|| vec![LayoutProblem::no_column(ColumnContent::Name, &layout.headers)])?;
        let (parent, color, icon) = (field("parent"), field("color"), field("icon"));
        Ok(Self { layout, name, parent, color, icon })
    }

    /// Interprets a record; all reasons of a bad one are collected.
    pub fn interpret<'r>(&self, cells: Cells<'r>) -> Interpreted<Row<'r>> {
        let mut reasons = Vec::new();
        self.check_length(cells, &mut reasons);
        let text = |column: Option<usize>| Some(cells.get(column?)).filter(|text| !text.is_empty());
        let (path_parent, name) = split_path(cells.get(self.name));
        self.check_name(name, &mut reasons);
        let mut parent = text(self.parent);
        if let Some(named) = parent {
            self.check_parent(name, named, path_parent, &mut reasons);
        }
        if let Some(above) = path_parent {
            self.check_text(above, self.name, LABEL_CHARS_MAX, &mut reasons);
            parent = Some(above);
        }
        let color = text(self.color);
        if let (Some(column), Some(text)) = (self.color, color)
            && color::read("color", text, &mut Problems::new()).is_none()
        {
            self.report(column, format_args!("must be written #rrggbb"), &mut reasons);
        }
        let icon = text(self.icon);
        if let (Some(column), Some(text)) = (self.icon, icon) {
            self.check_text(text, column, ICON_CHARS_MAX, &mut reasons);
        }
        if reasons.is_empty() {
            let is_path = path_parent.is_some();
            return Interpreted::Row(Row { name, parent, is_path, color, icon });
        }
        reasons.truncate(ROW_REASONS_MAX);
        Interpreted::Invalid(reasons)
    }

    fn check_name(&self, name: &str, reasons: &mut Vec<String>) {
        if name_key(name).is_empty() {
            self.report(self.name, "is blank", reasons);
        } else if is_path(name) {
            self.report(self.name, "has more than two levels, or a colon without a name", reasons);
        }
        self.check_text(name, self.name, LABEL_CHARS_MAX, reasons);
    }

    fn check_parent(
        &self,
        name: &str,
        parent: &str,
        path_parent: Option<&str>,
        reasons: &mut Vec<String>,
    ) {
        let Some(column) = self.parent else { return };
        self.check_text(parent, column, LABEL_CHARS_MAX, reasons);
        if is_path(parent) {
            self.report(
                column,
                "names a category of the second level: there are only two",
                reasons,
            );
        }
        match path_parent {
            Some(other) if name_key(other) != name_key(parent) => {
                let other = quoted(other);
                self.report(
                    column,
                    format_args!("is not \"{other}\", as the name has it"),
                    reasons,
                );
            }
            None if name_key(name) == name_key(parent) => {
                self.report(column, "is the category itself", reasons);
            }
            _ => {}
        }
    }

    /// Cells with text behind the header mean that no column can be trusted.
    fn check_length(&self, cells: Cells<'_>, reasons: &mut Vec<String>) {
        let (headers, count) = (self.layout.headers.len(), cells.len());
        if count > CSV_COLUMNS_MAX {
            reasons.push(format!("the record has more than {CSV_COLUMNS_MAX} cells"));
        } else if (headers..count).any(|column| !cells.get(column).is_empty()) {
            reasons.push(format!("the record has {count} cells, the header only {headers}"));
        }
    }

    fn check_text(&self, text: &str, column: usize, max: usize, reasons: &mut Vec<String>) {
        if text.chars().count() > max {
            self.report(column, format_args!("is longer than {max} characters"), reasons);
        }
        if text.contains('\0') {
            self.report(column, "holds a NUL character", reasons);
        }
    }

    fn report(&self, column: usize, what: impl std::fmt::Display, reasons: &mut Vec<String>) {
        reasons.push(format!("{} {what}", quoted(&self.layout.header(column))));
    }
}
