//! The cells of one record, borrowed from the reader's buffer.
//!
//! A record is one text and the bounds of each cell in it, so that handing it on copies nothing.
//! Cells are trimmed when they are asked for; a cell that the record doesn't have is empty.

use crate::text::formula;

/// Cells of a record: cheap to copy, valid until the next record is read.
#[derive(Debug, Clone, Copy)]
pub struct Cells<'r> {
    text: &'r str,
    bounds: &'r [(u32, u32)],
}

impl<'r> Cells<'r> {
    /// Cells of `text`; each bound is a start and an end in it.
    pub fn new(text: &'r str, bounds: &'r [(u32, u32)]) -> Self {
        Self { text, bounds }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    /// The cell as it stands in the file, or nothing if the record is shorter.
    pub fn raw(&self, column: usize) -> &'r str {
        let Some(&(start, end)) = self.bounds.get(column) else { return "" };
        self.text.get(start as usize..end as usize).unwrap_or("")
    }

    /// The cell without white space around it, and without the apostrophe that keeps a spreadsheet
    /// from executing it.
    pub fn get(&self, column: usize) -> &'r str {
        formula::read_back(self.raw(column).trim())
    }

    /// Whether a cell has more than one line.
    pub fn has_line_break(&self) -> bool {
        self.text.contains('\n') || self.text.contains('\r')
    }

    /// Whether there is text in this column, or behind it.
    pub fn has_text_from(&self, column: usize) -> bool {
        (column..self.len()).any(|column| !self.get(column).is_empty())
    }

    /// All cells in order, without white space around them.
    pub fn iter(self) -> impl Iterator<Item = &'r str> {
        (0..self.len()).map(move |column| self.get(column))
    }

    /// Whether nothing but white space is in it.
    pub fn is_blank(&self) -> bool {
        self.iter().all(str::is_empty)
    }
}

/// Cells that own their text: a row's tags, and records in tests.
#[derive(Debug, Clone, Default)]
pub struct CellsBuf {
    text: String,
    bounds: Vec<(u32, u32)>,
}

impl CellsBuf {
    /// Forgets the cells, keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.bounds.clear();
    }

    /// Adds a cell. Texts beyond 4 GiB don't occur: records are far smaller.
    pub fn push(&mut self, cell: &str) {
        let start = self.text.len();
        self.text.push_str(cell);
        let bound = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.bounds.push((bound(start), bound(self.text.len())));
    }

    /// The same cells, borrowed.
    pub fn as_cells(&self) -> Cells<'_> {
        Cells::new(&self.text, &self.bounds)
    }
}

impl<S: AsRef<str>> FromIterator<S> for CellsBuf {
    fn from_iter<I: IntoIterator<Item = S>>(cells: I) -> Self {
        let mut buf = Self::default();
        cells.into_iter().for_each(|cell| buf.push(cell.as_ref()));
        buf
    }
}
