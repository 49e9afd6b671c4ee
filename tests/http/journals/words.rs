//! Journals of a small family, word by word.

use super::{family_with, journal};
use crate::both;

/// A family with one of each thing, without ids that follow from the clock.
const SMALL: &str = include_str!("small.ndjson");

/// The lines but for those with ids.
fn without_ids(text: &str) -> String {
    let has_id = |line: &&str| {
        let line = line.trim_start().trim_start_matches("; ");
        let keys = ["id: ", "into: ", "inflow: ", "transfer: ", "option \"title\"", "Family "];
        keys.iter().any(|key| line.starts_with(key))
    };
    text.lines().filter(|line| !has_id(line)).map(|line| format!("{line}\n")).collect()
}

both! {
    fn a_small_family_reads_like_a_book(server) {
        let family = family_with(&server, SMALL);
        for (format, expected) in [
            ("hledger", include_str!("small.journal")),
            ("beancount", include_str!("small.beancount")),
        ] {
            let path = journal(&server, &family, format, "small");
            let text = without_ids(&std::fs::read_to_string(path).unwrap());
            assert_eq!(text, expected, "{format}:\n{text}");
        }
    }
}
