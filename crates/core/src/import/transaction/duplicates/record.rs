//! The hash of a record: what stays the same of a row however its file is read.
//!
//! It is made of all cells of the record as the file has them, before anything is corrected or
//! understood. So neither other columns nor other formats change it, nor another separator or
//! quotes, another encoding, other line ends and spaces, and blank cells at the end. It is kept
//! with entries, so it must stay the same in every version of the program.

use std::num::NonZeroU64;

use sha2::{Digest as _, Sha256};
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

use crate::import::cells::Cells;

/// Stands between cells. In a cell it counts as white space.
const SEPARATOR: char = '\u{1f}';

/// Makes hashes of records, one after the other, in the same memory.
#[derive(Debug, Default)]
pub struct RecordHasher {
    text: String,
}

impl RecordHasher {
    /// The hash of a record: the first eight bytes of the SHA-256 of its plain text.
    pub fn hash(&mut self, cells: Cells<'_>) -> NonZeroU64 {
        write_plain(cells, &mut self.text);
        let digest = Sha256::digest(&self.text);
        let first = digest.iter().take(8).fold(0, |hash, byte| hash << 8 | u64::from(*byte));
        NonZeroU64::new(first).unwrap_or(NonZeroU64::MIN)
    }
}

/// Writes a record as it is compared: its cells in their order, each with single spaces and
/// composed letters, without those at the end that are blank.
fn write_plain(cells: Cells<'_>, text: &mut String) {
    text.clear();
    let mut end = 0;
    for (column, cell) in cells.iter().enumerate() {
        if column > 0 {
            text.push(SEPARATOR);
        }
        let start = text.len();
        for word in cell.split(|c: char| c.is_whitespace() || c == SEPARATOR) {
            if word.is_empty() {
                continue;
            }
            if text.len() > start {
                text.push(' ');
            }
            if word.is_ascii() || is_nfc(word) {
                text.push_str(word);
            } else {
                text.extend(word.nfc());
            }
        }
        if text.len() > start {
            end = text.len();
        }
    }
    text.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::cells::CellsBuf;

    fn hash(cells: &[&str]) -> NonZeroU64 {
        RecordHasher::default().hash(cells.iter().collect::<CellsBuf>().as_cells())
    }

    #[test]
    fn what_means_nothing_changes_nothing() {
        let record = ["2024-03-01", "Café Müller", "-12.50"];
        for same in [
            &["2024-03-01", "Café Müller", "-12.50", "", " "][..],
            &[" 2024-03-01 ", "Café\u{a0}Müller", "-12.50\t"],
            &["2024-03-01", "Café  \r\n Müller", "-12.50"],
            &["2024-03-01", "Cafe\u{301} Mu\u{308}ller", "-12.50"],
            &["2024-03-01", "Café\u{1f}Müller", "-12.50"],
        ] {
            assert_eq!(hash(same), hash(&record), "{same:?}");
        }
    }

    #[test]
    fn what_means_something_changes_it() {
        let record = ["2024-03-01", "Shop", "", "12.50"];
        for other in [
            &["2024-03-01", "Shop", "12.50"][..],
            &["2024-03-01", "Shop", "12.50", ""],
            &["2024-03-01", "shop", "", "12.50"],
            &["2024-03-01", "Shop", "", "12,50"],
            &["2024-03-01 Shop", "", "12.50"],
            &["", "2024-03-01", "Shop", "", "12.50"],
            &["2024-03-01", "Shop", "", "12.50", "x"],
        ] {
            assert_ne!(hash(other), hash(&record), "{other:?}");
        }
    }

    /// Entries keep it, so another version of the program must make the same.
    #[test]
    fn it_is_the_same_in_every_version() {
        let digest = Sha256::digest("2024-03-01\u{1f}Shop\u{1f}\u{1f}12.50");
        let first: [u8; 8] = digest[..8].try_into().unwrap();
        assert_eq!(hash(&["2024-03-01", "Shop ", "", "12.50"]).get(), u64::from_be_bytes(first));
        assert_eq!(hash(&[]).get(), 0xe3b0_c442_98fc_1c14);
    }

    #[test]
    fn the_memory_of_one_record_is_that_of_the_next() {
        let mut hasher = RecordHasher::default();
        let long: CellsBuf = ["a long text", "and another one"].into_iter().collect();
        let short: CellsBuf = ["a"].into_iter().collect();
        hasher.hash(long.as_cells());
        assert_eq!(hasher.hash(short.as_cells()), hash(&["a"]));
    }
}
