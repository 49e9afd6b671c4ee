//! Statements in each format: events come in order, counts agree with the tally, the place of each
//! thing is in the file, and the sizes of the pieces in which the source delivers change nothing.
#![no_main]

use std::io::Read;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use purser_formats::statements::model::Location;
use purser_formats::statements::proof::check;
use purser_formats::statements::{Event, StatementFormat, encoding, read, recognise};

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (choice, piece, bytes) = input;
    let format = StatementFormat::ALL[usize::from(choice) % StatementFormat::ALL.len()];
    // Neither may panic, whatever the bytes are.
    let _ = (recognise(bytes), encoding::claimed(bytes));
    let whole = events(format, bytes);
    let pieces = events(format, Pieces { rest: bytes, size: usize::from(piece) + 1 });
    assert_eq!(whole, pieces);
    check_order(&whole.0, bytes.len() as u64);
});

fn events(format: StatementFormat, source: impl Read) -> (Vec<Event>, Option<String>) {
    let mut events = Vec::new();
    let result = read(format, source, &mut |event| {
        events.push(event);
        ControlFlow::Continue(())
    });
    (events, result.err().map(|error| error.to_string()))
}

fn check_order(events: &[Event], length: u64) {
    let mut open = None;
    let (mut entries, mut unreadable) = (0, 0);
    let inside = |location: &Location| {
        assert!(location.line >= 1 && location.offset <= length, "{location:?}");
    };
    for event in events {
        match event {
            Event::Begin(statement) => {
                assert!(open.is_none(), "a statement begins in another one");
                inside(&statement.location);
                open = Some(statement.location.clone());
                (entries, unreadable) = (0, 0);
            }
            Event::Entry(entry) => {
                assert!(open.is_some());
                inside(&entry.location);
                entries += 1;
            }
            Event::Unreadable(entry) => {
                assert!(open.is_some() && !entry.reasons.is_empty());
                inside(&entry.location);
                unreadable += 1;
            }
            Event::Position(_) | Event::Security(_) => {}
            Event::End(statement, tally) => {
                assert_eq!(open.take(), Some(statement.location.clone()));
                assert_eq!(tally.booked + tally.pending + tally.information, entries);
                assert_eq!(tally.unreadable, unreadable);
                let _ = check(statement, tally);
            }
        }
    }
}

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
