//! Exports of programs: any bytes as a file of each of them, and as an archive, become a register
//! that can be read or are refused. Every record of a register has the cells of its header, and the
//! lines of the file that it names are in the file.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use purser_core::import::register::Program;
use purser_formats::archive::writer::ArchiveWriter;
use purser_formats::csv::Reader;
use purser_formats::programs::{import_type_of, rewrite, rewrite_archive, unpack_native};

fuzz_target!(|bytes: &[u8]| {
    // Neither may panic, whatever the bytes are.
    let _ = import_type_of(Cursor::new(bytes), None);
    let _ = unpack_native(Cursor::new(bytes), &mut Vec::new());
    let lines = bytes.split(|byte| matches!(byte, b'\n' | b'\r')).count() as u64;
    for program in [Program::Mint, Program::Ynab, Program::Actual, Program::Qif] {
        let mut register = Vec::new();
        if rewrite(program, Cursor::new(bytes), &mut register).is_ok() {
            check(&register, lines);
        }
        let _ = rewrite_archive(program, Cursor::new(bytes), &mut Vec::new());
        let mut register = Vec::new();
        if rewrite_archive(program, Cursor::new(packed(bytes)), &mut register).is_ok() {
            check(&register, lines);
        }
    }
});

/// The bytes as the only table of an archive.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Vec::new());
    archive.part("table.csv", |part| part.write_all(bytes)).expect("memory takes all of it");
    archive.finish().expect("memory takes all of it")
}

fn check(register: &[u8], lines: u64) {
    let mut reader = Reader::new(Cursor::new(register), b',');
    let header = reader.read().expect("it can be read").expect("it has a header").cells.len();
    while let Some(record) = reader.read().expect("it can be read") {
        assert_eq!(record.cells.len(), header);
        let line: u64 = record.cells.get(0).parse().expect("the line of the file");
        assert!((1..=lines).contains(&line), "line {line} of {lines}");
    }
}
