//! Tables for each rule, laws over random files, and a slow matcher that the fast one must equal.

mod changed;
mod laws;
mod lookup;
mod naive;
mod near;
mod records;
mod scale;
mod taking;

use std::collections::BTreeMap;

use jiff::SignedDuration;
use jiff::civil::Date;
use uuid::Uuid;

use super::{Aspect, Chunk, EntryKey, Finding, Matcher, RowKey, content_key, external_key};
use crate::ids::EntryId;
use crate::import::verdict::Verdict;
use crate::money::Currency;

/// A day of June 2024, counted on over its ends.
fn day(number: i64) -> Date {
    Date::constant(2024, 6, 1) + SignedDuration::from_hours(24 * (number - 1))
}

fn entry_id(number: u128) -> EntryId {
    EntryId(Uuid::from_u128(number))
}

/// A row of account 0, in euros.
fn row(row: u32, number: i64, amount: i64, name: &str, id: &str) -> RowKey {
    RowKey {
        row,
        account: 0,
        date: day(number),
        amount,
        currency: Currency::EUR,
        content: content_key(Currency::EUR, name),
        external: (!id.is_empty()).then(|| external_key(id)),
        record: None,
    }
}

/// A living entry of account 0, in euros.
fn known(entry: u128, number: i64, amount: i64, name: &str, id: &str) -> EntryKey {
    created(&row(0, number, amount, name, id), entry)
}

fn tombstone(entry: u128, number: i64, amount: i64, name: &str, id: &str) -> EntryKey {
    EntryKey { aspect: Aspect::Tombstone, ..known(entry, number, amount, name, id) }
}

/// The entry that a row makes if it is created.
fn created(row: &RowKey, entry: u128) -> EntryKey {
    let RowKey { account, date, amount, currency, content, external, record, .. } = *row;
    let (entry, aspect) = (entry_id(entry), Aspect::Unchanged);
    EntryKey { entry, aspect, account, date, amount, currency, content, external, record }
}

/// Decides everything in one chunk.
fn decide(rows: &[RowKey], known: &[EntryKey]) -> Vec<Finding> {
    Matcher::new().decide(&Chunk::new(rows.to_vec()), known.to_vec())
}

/// Findings as row, verdict, entry.
fn plain(findings: &[Finding]) -> Vec<(u32, Verdict, u128)> {
    findings.iter().map(|one| (one.row, one.verdict, one.entry.0.as_u128())).collect()
}

/// Verdict counts by all values of a row.
type Tally = BTreeMap<(u32, Date, i64, Currency, u64, u64, &'static str), usize>;

/// Counts verdicts; `name` may call two of them the same.
fn tally(rows: &[RowKey], findings: &[Finding], name: impl Fn(Verdict) -> &'static str) -> Tally {
    let found: BTreeMap<u32, Verdict> = findings.iter().map(|one| (one.row, one.verdict)).collect();
    let mut tally = Tally::new();
    for row in rows {
        let verdict = found.get(&row.row).copied().unwrap_or(Verdict::Create);
        let external = row.external.map_or(0, |external| external.get());
        let RowKey { account, date, amount, currency, content, .. } = *row;
        *tally
            .entry((account, date, amount, currency, content, external, name(verdict)))
            .or_default() += 1;
    }
    tally
}
