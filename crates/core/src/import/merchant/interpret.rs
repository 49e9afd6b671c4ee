//! What a record of a file of merchants means.

use crate::error::Problems;
use crate::import::cells::Cells;
use crate::import::kind::Interpreted;
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::plain::cell_reader::{CellReader, Reasons};
use crate::labels::input::website_of;
use crate::limits::LABEL_CHARS_MAX;

/// A merchant as a row describes it. What is blank is `None`, and changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'r> {
    /// The name of the merchant.
    pub name: &'r str,
    /// `#rrggbb`, in any case.
    pub color: Option<&'r str>,
    /// A domain, or an address of the web.
    pub website: Option<&'r str>,
}

/// A layout, ready to read records.
#[derive(Debug)]
pub struct Interpreter<'l> {
    cells: CellReader<'l>,
    name: usize,
    color: Option<usize>,
    website: Option<usize>,
}

impl<'l> Interpreter<'l> {
    /// Prepares a layout; fails with its problems if it isn't readable.
    ///
    /// # Errors
    /// The problems of the layout.
    pub fn new(layout: &'l Layout) -> Result<Self, Vec<LayoutProblem>> {
        let cells = CellReader::new(layout)?;
        let name = cells.required("name")?;
        let (color, website) = (cells.column("color"), cells.column("website"));
        Ok(Self { cells, name, color, website })
    }

    /// Interprets a record; all reasons of a bad one are collected.
    pub fn interpret<'r>(&self, cells: Cells<'r>) -> Interpreted<Row<'r>> {
        let mut reasons = Reasons::default();
        self.cells.check_length(cells, &mut reasons);
        let name = cells.get(self.name);
        self.cells.check_name(name, self.name, LABEL_CHARS_MAX, &mut reasons);
        let color = CellReader::text(cells, self.color);
        self.cells.check_color(color, self.color, &mut reasons);
        let website = CellReader::text(cells, self.website);
        if let (Some(column), Some(text)) = (self.website, website) {
            self.check_website(text, column, &mut reasons);
        }
        match reasons.into_list() {
            Some(reasons) => Interpreted::Invalid(reasons),
            None => Interpreted::Row(Row { name, color, website }),
        }
    }

    fn check_website(&self, text: &str, column: usize, reasons: &mut Reasons) {
        let mut problems = Problems::new();
        if website_of(text, &mut problems).is_none() {
            let what = "must be a domain, or an address that starts with http:// or https://, of \
                        at most 200 characters";
            self.cells.report(column, what, reasons);
        }
    }
}
