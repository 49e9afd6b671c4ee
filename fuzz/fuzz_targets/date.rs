//! Dates: no pattern and no cell panics, and a date that was read is written and read back by the
//! plain pattern.
#![no_main]

use libfuzzer_sys::fuzz_target;
use purser_core::text::date::{DateFormat, DateFormatDetector};

/// Read on every run, because a random pattern is rarely a pattern.
const PATTERNS: &[&str] = &["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%y", "%d %b %Y", "%Y%m%d", "%F %T%z"];

fuzz_target!(|input: (&str, &str)| {
    let (pattern, cell) = input;
    let plain = DateFormat::new("%Y-%m-%d").expect("a plain pattern");
    for pattern in PATTERNS.iter().copied().chain([pattern]) {
        let Ok(format) = DateFormat::new(pattern) else { continue };
        let _ = format.shown();
        if let Ok(date) = format.parse(cell) {
            assert_eq!(plain.parse(&date.to_string()).ok(), Some(date), "{pattern:?} {cell:?}");
        }
    }
    let mut detector = DateFormatDetector::new();
    detector.observe(cell);
    let _ = detector.finish(None);
});
