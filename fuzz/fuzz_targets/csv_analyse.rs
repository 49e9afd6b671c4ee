//! The whole way of a file at upload: encoding, text, analysis; then every row again, from the
//! start and from each place of the offset index. Counts add up, and every reading agrees.
#![no_main]

use std::collections::HashMap;
use std::ops::ControlFlow;

use jiff::civil::date;
use libfuzzer_sys::fuzz_target;
use purser_core::import::kind::Context;
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Position;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::Settings;
use purser_core::limits::{IMPORT_FINDINGS_MAX, OFFSET_INDEX_STRIDE};
use purser_core::money::Currency;
use purser_formats::csv::OffsetIndex;
use purser_formats::decode::{detect, transcode};
use purser_formats::records::{Analysis, analyse, visit};

fuzz_target!(|bytes: &[u8]| {
    let Ok(encoding) = detect(&mut &bytes[..]) else { return };
    let mut text = Vec::new();
    if encoding.is_utf8() {
        text.extend_from_slice(bytes);
    } else if transcode(&mut &bytes[..], &mut text, &encoding).is_err() {
        return;
    }
    let currencies = HashMap::new();
    let context = Context {
        as_of: date(2026, 1, 15),
        family_currency: Currency::parse("USD").expect("a currency"),
        account: None,
        account_currencies: &currencies,
        row_set: None,
    };
    let settings = Settings::default();
    let Ok(analysis) = analyse(
        || Ok(&text[..]),
        Kind::Transaction,
        &encoding,
        &settings,
        context,
        &RowEdits::new(),
    ) else {
        return;
    };
    check_counts(&analysis);
    if !analysis.layout.is_readable() {
        return;
    }
    let all = rows(&text, &analysis, context, analysis.layout.start);
    assert_eq!(all.len() as u64, analysis.rows_count);
    assert_eq!(all.iter().filter(|row| row.good).count() as u64, analysis.valid);
    let index = OffsetIndex::new(&analysis.offsets);
    for first in (1..=analysis.rows_count).step_by(OFFSET_INDEX_STRIDE as usize) {
        let place = index.before(first).expect("a place for every row");
        assert_eq!(place.row, first);
        assert_eq!(rows(&text, &analysis, context, place), all[first as usize - 1..]);
    }
});

fn check_counts(analysis: &Analysis) {
    assert_eq!(analysis.rows_count, analysis.valid + analysis.invalid);
    assert!(analysis.layout.is_readable() || analysis.rows_count == 0);
    let found = analysis.findings.len() as u64;
    assert_eq!(found, analysis.invalid.min(IMPORT_FINDINGS_MAX as u64));
    assert!(analysis.findings.iter().all(|finding| !finding.reasons.is_empty()));
}

/// What must be the same however a row is reached.
#[derive(Debug, PartialEq)]
struct RowSummary {
    row: u64,
    line: u64,
    offset: u64,
    good: bool,
    shown: String,
}

fn rows(text: &[u8], analysis: &Analysis, context: Context<'_>, from: Position) -> Vec<RowSummary> {
    let mut seen = Vec::new();
    let start = usize::try_from(from.offset).expect("an offset in memory");
    let visited = visit(
        &text[start..],
        &analysis.layout,
        context,
        &RowEdits::new(),
        from,
        usize::MAX,
        |visited| {
            seen.push(RowSummary {
                row: visited.row,
                line: visited.line,
                offset: visited.offset,
                good: visited.outcome.is_ok(),
                shown: format!("{:?}", visited.outcome),
            });
            ControlFlow::<()>::Continue(())
        },
    );
    visited.expect("a file that could be analysed");
    seen
}
