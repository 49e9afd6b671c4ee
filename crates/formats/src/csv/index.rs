//! Where rows start: one entry for every 64 rows, so that a page is read without what precedes it.
//!
//! An entry is eight bytes, little endian: the byte offset of a record and the physical line on
//! which it starts. 135,000 rows take 17 KB. Rows are numbered from 1 and without gaps: blank
//! lines and totals have no number.

use purser_core::import::layout::Position;
use purser_core::limits::OFFSET_INDEX_STRIDE;

const ENTRY_BYTES: usize = 8;

/// Collects the index while a file is read.
#[derive(Debug, Default)]
pub struct IndexBuilder {
    bytes: Vec<u8>,
}

/// An offset or a line that doesn't fit into 32 bits: the file is beyond what an index can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("The file is too large to index")]
pub struct TooLarge;

impl IndexBuilder {
    /// Notes where a row starts. Rows come in order, from 1 on.
    pub fn push(&mut self, row: u64, offset: u64, line: u64) -> Result<(), TooLarge> {
        if !(row - 1).is_multiple_of(OFFSET_INDEX_STRIDE) {
            return Ok(());
        }
        for value in [offset, line] {
            let value = u32::try_from(value).map_err(|_| TooLarge)?;
            self.bytes.extend_from_slice(&value.to_le_bytes());
        }
        Ok(())
    }

    /// The index as it is stored.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// An index as it was stored, borrowed from its bytes.
#[derive(Debug, Clone, Copy)]
pub struct OffsetIndex<'b>(&'b [u8]);

impl<'b> OffsetIndex<'b> {
    /// Wraps the bytes that [`IndexBuilder::finish`] returned.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    /// The nearest indexed position at or before a row: start there and skip `row - position.row`
    /// rows. `None` if the file has no such row for certain.
    pub fn before(&self, row: u64) -> Option<Position> {
        let entry = row.checked_sub(1)? / OFFSET_INDEX_STRIDE;
        let at = usize::try_from(entry).ok()?.checked_mul(ENTRY_BYTES)?;
        let (offset, rest) = self.0.get(at..)?.split_first_chunk::<4>()?;
        let (line, _) = rest.split_first_chunk::<4>()?;
        Some(Position {
            row: entry * OFFSET_INDEX_STRIDE + 1,
            offset: u32::from_le_bytes(*offset).into(),
            line: u32::from_le_bytes(*line).into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_at_or_behind_its_entry() {
        let mut builder = IndexBuilder::default();
        for row in 1..=200 {
            builder.push(row, row * 100, row * 2).unwrap();
        }
        let bytes = builder.finish();
        assert_eq!(bytes.len(), 4 * ENTRY_BYTES);
        let index = OffsetIndex::new(&bytes);
        for (row, start) in [(1, 1), (64, 1), (65, 65), (128, 65), (129, 129), (200, 193)] {
            let position = Position { offset: start * 100, line: start * 2, row: start };
            assert_eq!(index.before(row), Some(position), "row {row}");
        }
        assert_eq!(index.before(257), None);
        assert_eq!(index.before(0), None);
        assert_eq!(index.before(u64::MAX), None);
        assert_eq!(OffsetIndex::new(&bytes[..5]).before(1), None);
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let mut builder = IndexBuilder::default();
        let limit = u64::from(u32::MAX);
        assert_eq!(builder.push(1, limit, 1), Ok(()));
        assert_eq!(builder.push(65, limit + 1, 1), Err(TooLarge));
    }
}
