//! What a record of a file of categories means.

use crate::import::cells::Cells;
use crate::import::kind::Interpreted;
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::mapping::split_path;
use crate::import::plain::cell_reader::{CellReader, Reasons};
use crate::labels::input::is_path;
use crate::limits::{ICON_CHARS_MAX, LABEL_CHARS_MAX};
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
    cells: CellReader<'l>,
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
        let cells = CellReader::new(layout)?;
        let name = cells.required("name")?;
        let [parent, color, icon] = ["parent", "color", "icon"].map(|field| cells.column(field));
        Ok(Self { cells, name, parent, color, icon })
    }

    /// Interprets a record; all reasons of a bad one are collected.
    pub fn interpret<'r>(&self, cells: Cells<'r>) -> Interpreted<Row<'r>> {
        let mut reasons = Reasons::default();
        self.cells.check_length(cells, &mut reasons);
        let (path_parent, name) = split_path(cells.get(self.name));
        self.check_name(name, &mut reasons);
        let mut parent = CellReader::text(cells, self.parent);
        if let Some(named) = parent {
            self.check_parent(name, named, path_parent, &mut reasons);
        }
        if let Some(above) = path_parent {
            self.cells.check_text(above, self.name, LABEL_CHARS_MAX, &mut reasons);
            parent = Some(above);
        }
        let color = CellReader::text(cells, self.color);
        self.cells.check_color(color, self.color, &mut reasons);
        let icon = CellReader::text(cells, self.icon);
        if let (Some(column), Some(text)) = (self.icon, icon) {
            self.cells.check_text(text, column, ICON_CHARS_MAX, &mut reasons);
        }
        match reasons.into_list() {
            Some(reasons) => Interpreted::Invalid(reasons),
            None => {
                let is_path = path_parent.is_some();
                Interpreted::Row(Row { name, parent, is_path, color, icon })
            }
        }
    }

    fn check_name(&self, name: &str, reasons: &mut Reasons) {
        self.cells.check_name(name, self.name, LABEL_CHARS_MAX, reasons);
        if is_path(name) {
            let what = "has more than two levels, or a colon without a name";
            self.cells.report(self.name, what, reasons);
        }
    }

    fn check_parent(
        &self,
        name: &str,
        parent: &str,
        path_parent: Option<&str>,
        reasons: &mut Reasons,
    ) {
        let Some(column) = self.parent else { return };
        self.cells.check_text(parent, column, LABEL_CHARS_MAX, reasons);
        if is_path(parent) {
            let what = "names a category of the second level: there are only two";
            self.cells.report(column, what, reasons);
        }
        match path_parent {
            Some(other) if name_key(other) != name_key(parent) => {
                let what = format!("is not \"{}\", as the name has it", quoted(other));
                self.cells.report(column, what, reasons);
            }
            None if name_key(name) == name_key(parent) => {
                self.cells.report(column, "is the category itself", reasons);
            }
            _ => {}
        }
    }
}
