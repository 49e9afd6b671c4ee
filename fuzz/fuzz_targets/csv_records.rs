//! CSV records: places and lines only grow; reading again from a record's place gives the same
//! record; and the sizes of the pieces in which the source delivers change nothing.
#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use purser_formats::csv::Reader;

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (choice, piece, bytes) = input;
    let separator = [b',', b';', b'\t', b'|'][usize::from(choice % 4)];
    let mut pieces = Reader::new(Pieces { rest: bytes, size: usize::from(piece) + 1 }, separator);
    let mut reader = Reader::new(bytes, separator);
    let (mut offset, mut line) = (0, 1);
    loop {
        let record = match (reader.read(), pieces.read()) {
            (Ok(Some(one)), Ok(Some(two))) => {
                assert!(one.cells.iter().eq(two.cells.iter()), "{one:?} is {two:?} in pieces");
                assert_eq!((one.offset, one.line), (two.offset, two.line));
                one
            }
            (Ok(None), Ok(None)) => return,
            (Err(one), Err(two)) => return assert_eq!(one.to_string(), two.to_string()),
            (one, two) => panic!("{one:?} is {two:?} in pieces"),
        };
        assert!(record.offset >= offset && record.line >= line, "{record:?} goes back");
        let from = usize::try_from(record.offset).expect("an offset in memory");
        let mut again = Reader::at(&bytes[from..], separator, record.offset, record.line);
        let second = again.read().expect("it was read before").expect("it was read before");
        assert_eq!((second.offset, second.line), (record.offset, record.line));
        assert!(second.cells.iter().eq(record.cells.iter()), "{record:?} is {second:?} again");
        (offset, line) = (record.offset + 1, record.line);
        assert!(reader.offset() >= offset && reader.offset() <= bytes.len() as u64);
    }
});

/// A source that never delivers more than `size` bytes at once.
struct Pieces<'b> {
    rest: &'b [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.size.min(buffer.len());
        self.rest.read(&mut buffer[..length])
    }
}
