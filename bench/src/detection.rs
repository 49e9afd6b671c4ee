//! What it takes to find out how a file is written, of all that its import takes.
//!
//! The analysis of the upload runs in this process, once with nothing set and once with every
//! format set, in turn: the difference is the detection.

use std::collections::HashMap;
use std::io::Cursor;
use std::time::{Duration, Instant};

use jiff::civil::date;
use purser_core::import::kind::Context;
use purser_core::import::kinds::Kind;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::Settings;
use purser_core::money::Currency;
use purser_formats::decode::{Encoding, UTF_8};
use purser_formats::records::analyse;

use crate::Result;
use crate::statistics::median;

const ROUNDS: usize = 9;
/// What is found in the generated file.
const FORMATS: [(&str, &str); 4] = [
    ("date_format", "%Y-%m-%d"),
    ("number_format", "1,234.56"),
    ("signage_convention", "inflows_positive"),
    ("balance_check", "ignore"),
];

/// The time that detection takes of the analysis of a generated file, the median of several.
pub(crate) fn measure(csv: &[u8]) -> Result<Duration> {
    let sent = |name: &str| {
        let format = FORMATS.iter().find(|(known, _)| *known == name);
        format.map(|(_, value)| (*value).to_owned())
    };
    let decided = Settings::from_fields(sent).map_err(|problems| format!("{problems:?}"))?;
    let open = Settings::default();
    // The first round warms up.
    analyse_once(csv, &open)?;
    let mut differences = Vec::new();
    for _ in 0..ROUNDS {
        let without = analyse_once(csv, &decided)?;
        let with = analyse_once(csv, &open)?;
        differences.push(with.saturating_sub(without));
    }
    Ok(median(&differences).unwrap_or_default())
}

fn analyse_once(csv: &[u8], settings: &Settings) -> Result<Duration> {
    let context = Context {
        as_of: date(2026, 6, 30),
        family_currency: Currency::USD,
        account: None,
        account_currencies: &HashMap::new(),
        row_set: None,
    };
    let encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };
    let edits = RowEdits::new();
    let file = || Ok(Cursor::new(csv));
    let started = Instant::now();
    let analysis = analyse(file, Kind::Transaction, &encoding, settings, context, &edits)?;
    let took = started.elapsed();
    if !analysis.layout.is_readable() || analysis.invalid > 0 {
        return Err(format!("the file is not understood: {:?}", analysis.layout.problems).into());
    }
    Ok(took)
}
