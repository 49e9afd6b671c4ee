//! Files with one digit changed.

use purser_formats::statements::StatementFormat;

use crate::reading::{ReadStatement, read_text};
use crate::table::is_noticed;

/// How many files are changed digit by digit, and how long they may be: each digit is a whole
/// reading.
pub(crate) const FILES: usize = 10;
pub(crate) const BYTES_MAX: usize = 8_000;

/// Changes every digit of a text, each time to another one. Where the file is read as other money
/// than before, something must contradict it: its balances, an entry that can't be read, a doubt.
///
/// `complete` adds what proves the statements besides the file. Returns how many changes were of
/// money.
pub(crate) fn every_digit(
    format: StatementFormat,
    text: &[u8],
    complete: impl Fn(Vec<ReadStatement>) -> Vec<ReadStatement>,
) -> usize {
    let money = |read: &[ReadStatement]| -> Vec<Vec<String>> {
        read.iter().map(ReadStatement::money).collect()
    };
    let original = complete(read_text(format, text).unwrap());
    assert!(original.iter().all(|one| one.check().is_proven()), "{:?}", original[0].check());
    let original = money(&original);
    let mut noticed = 0;
    for at in (0..text.len()).filter(|at| text[*at].is_ascii_digit()) {
        let mut changed = text.to_vec();
        changed[at] = b'0' + (changed[at] - b'0' + 1 + u8::try_from(at % 9).unwrap()) % 10;
        let Ok(read) = read_text(format, &changed) else {
            noticed += 1;
            continue;
        };
        let read = complete(read);
        if money(&read) == original {
            continue;
        }
        noticed += 1;
        assert!(
            !read.iter().all(|one| one.check().is_proven()),
            "byte {at} of {}",
            String::from_utf8_lossy(&changed)
        );
        // OFX is completed with a balance that only the ledger of the import has.
        assert!(
            format == StatementFormat::Ofx || is_noticed(format, &changed),
            "byte {at} isn't noticed by the import of {}",
            String::from_utf8_lossy(&changed)
        );
    }
    noticed
}
