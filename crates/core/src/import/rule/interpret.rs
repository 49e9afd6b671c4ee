//! What a record of a file of rules means.

use jiff::civil::Date;

use super::json_cell;
use crate::error::Problems;
use crate::import::cells::Cells;
use crate::import::kind::Interpreted;
use crate::import::layout::Layout;
use crate::import::layout_problem::LayoutProblem;
use crate::import::plain::cell_reader::{CellReader, Reasons};
use crate::ledger::input;
use crate::limits::LABEL_CHARS_MAX;
use crate::rules::{Action, Condition, ResourceType, json};

/// A rule as a row describes it. What is blank is `None`, and changes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'r> {
    /// As somebody calls it.
    pub name: Option<&'r str>,
    /// Whether it runs by itself.
    pub active: Option<bool>,
    /// Transactions before this day are left alone.
    pub effective_date: Option<Date>,
    /// The cell with the conditions, which can be read.
    conditions: &'r str,
    /// The cell with the actions, which can be read.
    actions: &'r str,
}

impl Row<'_> {
    /// The conditions, which must all hold.
    pub fn conditions(&self) -> Vec<Condition> {
        list(self.conditions, json::read_conditions)
    }

    /// The actions, of which there is at least one.
    pub fn actions(&self) -> Vec<Action> {
        list(self.actions, json::read_actions)
    }
}

/// What a cell holds that was found to be readable.
fn list<T>(cell: &str, read: fn(&str, &mut Problems) -> Vec<T>) -> Vec<T> {
    let text = json_cell::list(cell).unwrap_or_default();
    read(&text, &mut Problems::new())
}

/// A layout, ready to read records.
#[derive(Debug)]
pub struct Interpreter<'l> {
    cells: CellReader<'l>,
    name: Option<usize>,
    resource_type: Option<usize>,
    active: Option<usize>,
    effective_date: Option<usize>,
    conditions: usize,
    actions: usize,
}

impl<'l> Interpreter<'l> {
    /// Prepares a layout; fails with its problems if it isn't readable.
    ///
    /// # Errors
    /// The problems of the layout.
    pub fn new(layout: &'l Layout) -> Result<Self, Vec<LayoutProblem>> {
        let cells = CellReader::new(layout)?;
        let (conditions, actions) = (cells.required("conditions")?, cells.required("actions")?);
        let optional = ["name", "resource_type", "active", "effective_date"];
        let [name, resource_type, active, effective_date] =
            optional.map(|field| cells.column(field));
        Ok(Self { cells, name, resource_type, active, effective_date, conditions, actions })
    }

    /// Interprets a record; all reasons of a bad one are collected.
    pub fn interpret<'r>(&self, cells: Cells<'r>) -> Interpreted<Row<'r>> {
        let mut reasons = Reasons::default();
        self.cells.check_length(cells, &mut reasons);
        let name = CellReader::text(cells, self.name);
        if let (Some(column), Some(name)) = (self.name, name) {
            self.cells.check_name(name, column, LABEL_CHARS_MAX, &mut reasons);
        }
        self.check_resource_type(cells, &mut reasons);
        let active = self.active(cells, &mut reasons);
        let effective_date = self.effective_date(cells, &mut reasons);
        let (conditions, actions) = (cells.get(self.conditions), cells.get(self.actions));
        if conditions.is_empty() {
            let what = "is blank; [] stands for a rule that is for every transaction";
            self.cells.report(self.conditions, what, &mut reasons);
        } else {
            self.check_list(conditions, self.conditions, json::read_conditions, &mut reasons);
        }
        self.check_list(actions, self.actions, json::read_actions, &mut reasons);
        match reasons.into_list() {
            Some(reasons) => Interpreted::Invalid(reasons),
            None => Interpreted::Row(Row { name, active, effective_date, conditions, actions }),
        }
    }

    fn check_resource_type(&self, cells: Cells<'_>, reasons: &mut Reasons) {
        let Some(text) = CellReader::text(cells, self.resource_type) else { return };
        let is_known = ResourceType::parse(&text.to_ascii_lowercase()).is_some();
        if let (Some(column), false) = (self.resource_type, is_known) {
            self.cells.report(column, "must be transaction: rules are for nothing else", reasons);
        }
    }

    fn active(&self, cells: Cells<'_>, reasons: &mut Reasons) -> Option<bool> {
        let text = CellReader::text(cells, self.active)?;
        match text.to_ascii_lowercase().as_str() {
            "true" | "t" | "yes" | "y" | "1" | "on" => Some(true),
            "false" | "f" | "no" | "n" | "0" | "off" => Some(false),
            _ => {
                let what = "must be true or false (or yes or no, 1 or 0)";
                self.cells.report(self.active?, what, reasons);
                None
            }
        }
    }

    fn effective_date(&self, cells: Cells<'_>, reasons: &mut Reasons) -> Option<Date> {
        let date = input::calendar_date(CellReader::text(cells, self.effective_date)?);
        if date.is_none() {
            self.cells.report(self.effective_date?, input::NOT_A_DATE, reasons);
        }
        date
    }

    /// A list of conditions or actions must be readable; a problem of a part names the part.
    fn check_list<T>(
        &self,
        cell: &str,
        column: usize,
        read: fn(&str, &mut Problems) -> Vec<T>,
        reasons: &mut Reasons,
    ) {
        match json_cell::list(cell) {
            Err(what) => self.cells.report(column, what, reasons),
            Ok(text) => {
                let mut problems = Problems::new();
                read(&text, &mut problems);
                problems.texts().into_iter().for_each(|text| reasons.push(text));
            }
        }
    }
}
