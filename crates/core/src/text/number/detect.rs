//! Which number format a column is written in.

use super::{NumberFormat, Problem, affix, body};
use crate::text::Detection;
use crate::text::detect::Tally;

/// Detection reads with the most decimals that any currency keeps.
const SCALE: u32 = 8;

/// Finds the number format of a column of amounts, cell by cell.
///
/// A number with too many decimals still shows which format it is in, so it counts as one that
/// fits; it becomes an invalid row later, for that reason.
#[derive(Debug, Default)]
pub struct NumberFormatDetector {
    tally: Tally,
}

impl NumberFormatDetector {
    /// Starts with nothing seen.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes note of a cell.
    pub fn observe(&mut self, cell: &str) {
        let parts = match affix::split(cell) {
            Ok(parts) => parts,
            Err(Problem::Blank) => return,
            Err(_) => return self.tally.record::<u64>(cell, &[]),
        };
        let mut readings = [(0, None); NumberFormat::ALL.len()];
        let mut count = 0;
        for (index, format) in NumberFormat::ALL.iter().enumerate() {
            let value = match body::read(parts.body, *format, SCALE) {
                Ok(value) => Some(value),
                Err(Problem::TooManyDecimals | Problem::TooLarge) => None,
                Err(_) => continue,
            };
            readings[count] = (index, value);
            count += 1;
        }
        self.tally.record(cell, &readings[..count]);
    }

    /// What was found. `preferred` decides between formats that fit equally well.
    pub fn finish(self, preferred: Option<NumberFormat>) -> Detection<NumberFormat> {
        let format = |index| NumberFormat::ALL.get(index).copied();
        let preferred =
            preferred.and_then(|wanted| NumberFormat::ALL.iter().position(|one| *one == wanted));
        self.tally.finish(preferred).map(|index| format(index).unwrap_or(NumberFormat::CommaDot))
    }
}
