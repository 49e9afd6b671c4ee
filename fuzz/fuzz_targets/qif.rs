//! QIF: whatever the sections and records are, none is passed over. Every record of the file, but
//! those that only name an account, is in the register with its line.
#![no_main]

use std::collections::HashSet;
use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use purser_core::import::register::Program;
use purser_core::text::label::name_key;
use purser_formats::csv::Reader;
use purser_formats::programs::rewrite;

fuzz_target!(|text: &str| {
    let text = format!("!Type:Bank\n{text}");
    let mut register = Vec::new();
    if rewrite(Program::Qif, Cursor::new(text.as_bytes()), &mut register).is_err() {
        return;
    }
    let mut reader = Reader::new(Cursor::new(register), b',');
    let mut lines = HashSet::new();
    while let Some(record) = reader.read().expect("it can be read") {
        lines.insert(record.cells.get(0).to_owned());
    }
    for line in records(&text) {
        assert!(lines.contains(&line.to_string()), "the record of line {line} is lost");
    }
});

/// The lines on which records start.
fn records(text: &str) -> Vec<usize> {
    let (mut found, mut start) = (Vec::new(), None);
    let (mut names_account, mut is_price) = (false, false);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    for (at, line) in text.split('\n').enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim_end();
        if line.trim().is_empty() {
            continue;
        }
        let ends = line.starts_with(['!', '^']);
        if ends {
            found.extend(start.take().filter(|_| !names_account));
        }
        if let Some(command) = line.strip_prefix('!') {
            let command = name_key(command);
            let section = command.strip_prefix("type:").map(str::trim);
            names_account = command == "account" || (names_account && section.is_none());
            is_price = section == Some("prices")
                || (is_price && section.is_none() && command != "account");
        } else if !ends && is_price {
            found.push(at + 1);
        } else if !ends {
            start.get_or_insert(at + 1);
        }
    }
    found.extend(start.filter(|_| !names_account));
    found
}
