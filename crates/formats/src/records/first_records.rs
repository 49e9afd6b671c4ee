//! The records by which the columns of a file are found.

use purser_core::import::cells::CellsBuf;
use purser_core::import::layout::Layout;
use purser_core::import::transaction::content::SAMPLE_RECORDS;

use crate::csv::{HEADER_BYTES, Reader};

/// The first records, as far as the first bytes of the file have all of them.
pub(super) fn first_records(head: &[u8], layout: &Layout) -> Vec<CellsBuf> {
    let start = layout.start;
    let from = usize::try_from(start.offset).ok().and_then(|offset| head.get(offset..));
    let input = from.unwrap_or_default();
    let mut reader = Reader::at(input, layout.separator_byte(), start.offset, start.line);
    let mut records = Vec::new();
    while records.len() < SAMPLE_RECORDS {
        let Ok(Some(record)) = reader.read() else { break };
        let cells = record.cells.iter().collect();
        let is_cut = head.len() as u64 >= HEADER_BYTES && reader.offset() >= HEADER_BYTES;
        if is_cut {
            break;
        }
        records.push(cells);
    }
    records
}
