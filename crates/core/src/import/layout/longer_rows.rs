//! Rows with more cells than the header.

use serde::{Deserialize, Serialize};

use super::Layout;
use crate::import::cells::Cells;
use crate::limits::IMPORT_FINDINGS_MAX;

/// Valid rows with more cells than the header; what stands behind it is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongerRows {
    /// How many there are.
    pub count: u64,
    /// The lines of the first of them.
    pub lines: Vec<u64>,
}

impl LongerRows {
    /// Counts a row, and keeps its line.
    pub fn add(&mut self, line: u64) {
        self.count += 1;
        if self.lines.len() < IMPORT_FINDINGS_MAX {
            self.lines.push(line);
        }
    }
}

impl Layout {
    /// Whether a record has text behind the columns of the header.
    pub fn is_longer(&self, cells: Cells<'_>) -> bool {
        cells.has_text_from(self.headers.len())
    }
}
