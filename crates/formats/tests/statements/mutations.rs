//! Files with one digit changed.

use purser_core::import::source_file::FileFormat;
use purser_formats::statements::StatementFormat;

use crate::reading::{ReadStatement, read_text};
use crate::table::{is_noticed, objections};

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
    let original = complete(read_text(format, text).unwrap());
    assert!(original.iter().all(|one| one.check().is_proven()), "{:?}", original[0].check());
    let original = money(&original);
    let mut noticed = 0;
    for (at, changed) in with_a_digit_changed(text) {
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

/// The same of a file that only its totals prove, as the import judges it: without a change it has
/// no objections.
pub(crate) fn every_digit_of_totals(file: FileFormat, of: StatementFormat, text: &[u8]) -> usize {
    assert_eq!(
        objections(file, of, text),
        Vec::<String>::new(),
        "{}",
        String::from_utf8_lossy(text)
    );
    let original = money(&read_text(of, text).unwrap());
    let mut noticed = 0;
    for (at, changed) in with_a_digit_changed(text) {
        if read_text(of, &changed).is_ok_and(|read| money(&read) == original) {
            continue;
        }
        noticed += 1;
        assert!(
            !objections(file, of, &changed).is_empty(),
            "byte {at} isn't noticed by the import of {}",
            String::from_utf8_lossy(&changed)
        );
    }
    noticed
}

fn money(read: &[ReadStatement]) -> Vec<Vec<String>> {
    read.iter().map(ReadStatement::money).collect()
}

/// The text as often as it has digits, each time with another one changed.
fn with_a_digit_changed(text: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> {
    (0..text.len()).filter(|at| text[*at].is_ascii_digit()).map(|at| {
        let mut changed = text.to_vec();
        changed[at] = b'0' + (changed[at] - b'0' + 1 + u8::try_from(at % 9).unwrap()) % 10;
        (at, changed)
    })
}
