//! The edit of one row: other texts for its cells, or a choice of what becomes of it.

use std::collections::BTreeMap;

use purser_core::error::{Error, Problems, Result};
use purser_core::import::layout::Layout;
use purser_core::import::row_edit::{RowChoice, RowEdit, RowEdits};
use purser_core::limits::{IMPORT_ROW_EDITS_MAX, ROW_EDIT_CHARS_MAX};

use super::cells::column_of;

/// What changes in one row; what isn't named stays.
#[derive(Debug, Clone)]
pub struct RowChange {
    /// The number of the row.
    pub row: u64,
    /// Texts by the header or the number of the column, counted from 1; nothing takes the
    /// correction of a cell back, or that of all.
    pub cells: Option<Option<BTreeMap<String, Option<String>>>>,
    /// What is to become of it.
    pub choice: Option<RowChoice>,
}

impl RowChange {
    /// Merges it into the edits of a file with so many rows; `layout` is there if they can be
    /// read.
    pub(super) fn apply(
        &self,
        rows_in_file: u64,
        layout: Option<&Layout>,
        edits: &mut RowEdits,
    ) -> Result<()> {
        let exists = (1..=rows_in_file).contains(&self.row);
        let layout = layout.filter(|_| exists).ok_or(Error::NotFound { what: "Row" })?;
        let as_it_came = || RowEdit { cells: BTreeMap::new(), choice: RowChoice::Plan };
        let mut edit = edits.remove(&self.row).unwrap_or_else(as_it_came);
        edit.choice = self.choice.unwrap_or(edit.choice);
        match &self.cells {
            None => {}
            Some(None) => edit.cells.clear(),
            Some(Some(cells)) => correct(&mut edit, cells, layout)?,
        }
        if edit.is_empty() {
            return Ok(());
        }
        if edits.len() >= IMPORT_ROW_EDITS_MAX {
            return Err(Error::invalid_code(
                "too_many_row_edits",
                format!("At most {IMPORT_ROW_EDITS_MAX} rows can be corrected: correct the file"),
            ));
        }
        edits.insert(self.row, edit);
        Ok(())
    }
}

fn correct(
    edit: &mut RowEdit,
    cells: &BTreeMap<String, Option<String>>,
    layout: &Layout,
) -> Result<()> {
    let mut problems = Problems::new();
    let mut corrected = BTreeMap::new();
    for (name, text) in cells {
        let Some(column) = column_of(name, layout) else {
            problems.remark("cells", format!("there is no column {name:?}"));
            continue;
        };
        if text.as_deref().is_some_and(|text| text.contains('\0')) {
            problems.remark("cells", format!("{name:?} holds a NUL character"));
        }
        if corrected.insert(column, text).is_some() {
            problems.remark("cells", format!("{name:?} is a column that is named twice"));
        }
    }
    for (column, text) in corrected {
        match text {
            Some(text) => edit.cells.insert(column, text.clone()),
            None => edit.cells.remove(&column),
        };
    }
    if edit.cells.values().map(|text| text.chars().count()).sum::<usize>() > ROW_EDIT_CHARS_MAX {
        problems.remark("cells", format!("longer than {ROW_EDIT_CHARS_MAX} characters in all"));
    }
    problems.into_result()
}
