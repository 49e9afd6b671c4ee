//! How much work a document may be.

use std::cell::Cell;

use super::error::{PdfError, Result};
use super::limits::WORK_MAX;

/// Counts steps down, so that a document is refused after the same work on every machine.
#[derive(Debug)]
pub(super) struct Work(Cell<u64>);

impl Work {
    pub(super) fn new() -> Self {
        Self(Cell::new(WORK_MAX))
    }

    /// Takes steps, or refuses the document if none are left.
    pub(super) fn take(&self, steps: usize) -> Result<()> {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        let left = self.0.get().checked_sub(steps).ok_or(PdfError::TooComplex)?;
        self.0.set(left);
        Ok(())
    }
}
