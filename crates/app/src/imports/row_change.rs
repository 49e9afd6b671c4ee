//! The edit of one row: other texts for its cells, or a choice of what becomes of it.

use std::collections::BTreeMap;

use purser_core::error::{Error, Problems, Result};
use purser_core::import::columns::label_key;
use purser_core::import::layout::Layout;
use purser_core::import::row_edit::{RowChoice, RowEdit, RowEdits};
use purser_core::limits::{CSV_COLUMNS_MAX, IMPORT_ROW_EDITS_MAX, ROW_EDIT_CHARS_MAX};

use super::basis::Basis;

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
    /// Merges it into the edits before.
    pub(super) fn apply(&self, basis: &Basis, edits: &mut RowEdits) -> Result<()> {
        let exists = (1..=basis.import.rows_in_file()).contains(&self.row);
        let layout = basis.layout.as_ref().filter(|_| exists && basis.source.is_some());
        let layout = layout.ok_or(Error::NotFound { what: "Row" })?;
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

/// The column of a header, else of a number counted from 1 (`3`, or `#3` if that is a header). Of
/// equal headers the first counts, as everywhere. Cells behind the header can be corrected too:
/// they are what makes some rows invalid.
fn column_of(name: &str, layout: &Layout) -> Option<usize> {
    let key = label_key(name);
    let headers = &layout.headers;
    let known = headers.iter().position(|header| !key.is_empty() && label_key(header) == key);
    known.or_else(|| {
        let name = name.trim();
        let number: usize = name.strip_prefix('#').unwrap_or(name).parse().ok()?;
        number.checked_sub(1).filter(|column| *column < CSV_COLUMNS_MAX)
    })
}

/// The names of the cells of a row: those of the header, or their numbers where the header has none
/// or the same twice.
pub fn cell_names(layout: &Layout) -> Vec<String> {
    let names = layout.headers.iter().enumerate();
    let name = |(column, header): (usize, &String)| match column_of(header, layout) {
        Some(first) if first == column => header.clone(),
        _ => {
            let number = (column + 1).to_string();
            let is_header = column_of(&number, layout) != Some(column);
            if is_header { format!("#{number}") } else { number }
        }
    };
    names.map(name).collect()
}
