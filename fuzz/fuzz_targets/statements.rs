//! Statements in each format: events come in order, counts agree with the tally, the place of each
//! thing is in the file, and the sizes of the pieces in which the source delivers change nothing.
#![no_main]

use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use purser_formats::archive::writer::ArchiveWriter;
use purser_formats::statements::model::Location;
use purser_formats::statements::proof::check;
use purser_formats::statements::table::write_table;
use purser_formats::statements::trades::write_trades;
use purser_formats::statements::{
    ArchivedFiles, Event, OneFile, StatementFormat, encoding, file_format, read, recognise,
};

fuzz_target!(|input: (u8, u8, &[u8])| {
    let (choice, piece, bytes) = input;
    let format = StatementFormat::ALL[usize::from(choice) % StatementFormat::ALL.len()];
    // Neither may panic, whatever the bytes are.
    let _ = (recognise(bytes), encoding::claimed(bytes));
    let whole = events(format, bytes);
    let pieces = events(format, Pieces { rest: bytes, size: usize::from(piece) + 1 });
    assert_eq!(whole, pieces);
    check_order(&whole.0, bytes.len() as u64);
    check_tables(format, bytes);
});

/// What is made of a file: a row for each entry, and the same for the file in an archive.
fn check_tables(format: StatementFormat, bytes: &[u8]) {
    let mut table = Vec::new();
    let facts = write_table(&mut OneFile(format, || Ok(bytes)), &mut table);
    let _ = write_trades(&mut OneFile(format, || Ok(bytes)), std::io::sink());
    let mut archive = ArchiveWriter::new(Vec::new());
    archive.part("a.txt", |part| part.write_all(bytes)).expect("memory takes all of it");
    let packed = archive.finish().expect("memory takes all of it");
    if let Ok(Some(mut files)) = ArchivedFiles::open(Cursor::new(packed)) {
        let _ = write_table(&mut files, std::io::sink());
    }
    let Ok(facts) = facts else { return };
    let lines = table.iter().filter(|byte| **byte == b'\n').count() as u64;
    assert!(lines > facts.rows, "{lines} lines for {} entries", facts.rows);
    // Neither may panic.
    let _ = (facts.unproven(file_format(format, bytes)), facts.obstacle());
}

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
