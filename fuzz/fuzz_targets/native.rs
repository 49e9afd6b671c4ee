//! The server's own NDJSON: no line panics, a line that isn't taken has reasons, and the order of
//! the lines changes nothing.
#![no_main]

use jiff::civil::date;
use libfuzzer_sys::fuzz_target;
use purser_core::import::native::{Record, Survey};
use purser_core::money::Currency;

fuzz_target!(|text: &str| {
    let lines: Vec<&str> = text.lines().collect();
    let mut forwards = read(&lines);
    let reversed: Vec<&str> = lines.iter().rev().copied().collect();
    forwards.reverse();
    assert_eq!(forwards, read(&reversed));
});

fn read(lines: &[&str]) -> Vec<Result<Record, Vec<String>>> {
    let mut survey = Survey::default();
    lines.iter().for_each(|line| survey.line(line));
    if survey.finish().is_err() {
        return Vec::new();
    }
    let mut read = Vec::with_capacity(lines.len());
    for line in lines {
        let record = survey.read(line, date(2024, 5, 17), Currency::EUR);
        let record = record.map_err(|problems| problems.texts());
        assert!(record.as_ref().err().is_none_or(|reasons| !reasons.is_empty()), "{line}");
        read.push(record);
    }
    read
}
