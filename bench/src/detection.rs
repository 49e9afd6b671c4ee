//! What it takes to find out how a file is written, of all that its import takes.
//!
//! The analysis of the upload runs in this process, once with nothing set and once with every
//! format set, in turn: the difference is the detection.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Cursor;
use std::time::{Duration, Instant};

use jiff::ToSpan as _;
use jiff::civil::date;
use purser_core::import::kind::{Context, TargetAccount};
use purser_core::import::kinds::Kind;
use purser_core::import::row_edit::RowEdits;
use purser_core::import::settings::Settings;
use purser_core::ledger::account::Classification;
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

/// Rows of a day in a file of amounts without signs.
const ROWS_OF_A_DAY: i64 = 200;

/// A file with a balance in each row, as large as another one, and the number of its rows. Without
/// signs only the balances show which way each amount went, for which all rows are read once more.
pub(crate) fn file_with_balances(bytes: usize, has_signs: bool) -> Result<(Vec<u8>, u64)> {
    let mut csv =
        "Date,Description,Amount,Balance\n2019-12-31,Opening balance,,1000000.00\n".to_owned();
    let first = date(2020, 1, 1);
    let (mut row, mut balance) = (0_i64, 100_000_000_i64);
    loop {
        let day = first.checked_add((row / ROWS_OF_A_DAY).days())?;
        let amount = 1 + (row * 7_919) % 100_000;
        // Money goes both ways, and the account is never empty.
        let is_money_in = (row * 31) % 7 < 3 || balance < 2 * amount;
        balance += if is_money_in { amount } else { -amount };
        let decimal = |cents: i64| format!("{}.{:02}", cents / 100, cents % 100);
        let (amount, balance) = (decimal(amount), decimal(balance));
        let sign = if has_signs && !is_money_in { "-" } else { "" };
        let line = format!("{day},Card purchase at shop {},{sign}{amount},{balance}", row % 5_000);
        if csv.len() + line.len() >= bytes {
            break;
        }
        writeln!(csv, "{line}")?;
        row += 1;
    }
    Ok((csv.into_bytes(), u64::try_from(row)?))
}

/// The time that detection takes of the analysis of a generated file, the median of several. With
/// `is_of_an_account` its rows are those of one that holds money.
pub(crate) fn measure(csv: &[u8], is_of_an_account: bool) -> Result<Duration> {
    let account = is_of_an_account.then_some(TargetAccount {
        currency: Currency::USD,
        classification: Classification::Asset,
    });
    let sent = |name: &str| {
        let format = FORMATS.iter().find(|(known, _)| *known == name);
        format.map(|(_, value)| (*value).to_owned())
    };
    let decided = Settings::from_fields(sent).map_err(|problems| format!("{problems:?}"))?;
    let open = Settings::default();
    // The first round warms up.
    analyse_once(csv, &open, account)?;
    let mut differences = Vec::new();
    for _ in 0..ROUNDS {
        let without = analyse_once(csv, &decided, account)?;
        let with = analyse_once(csv, &open, account)?;
        differences.push(with.saturating_sub(without));
    }
    Ok(median(&differences).unwrap_or_default())
}

fn analyse_once(
    csv: &[u8],
    settings: &Settings,
    account: Option<TargetAccount>,
) -> Result<Duration> {
    let context = Context {
        as_of: date(2026, 6, 30),
        family_currency: Currency::USD,
        account,
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
