//! Whether what a file has is in the family after its publish.

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::import::native::{FamilyCounts, Readback, Record, RecordCounts, RecordType};
use purser_core::money::decimal::amount_text;
use purser_store::FamilyTx;
use purser_store::imports::{self, Import, Published};

use super::entries::Pointers;
use super::planning::NativePlan;
use crate::imports::reading::Source;

/// Differences that are named.
const DIFFERENCES_MAX: usize = 20;

/// Compares a file with what its publish made. `before` are the counts before it, `beside` what the
/// publish made that is no record of the file.
pub(super) fn verify(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    (source, native): (&Source, &NativePlan),
    pointers: &Pointers<'_>,
    (published, before, beside): (Published, RecordCounts, RecordCounts),
) -> Result<()> {
    let mut reused = RecordCounts::default();
    let mut differences = Vec::new();
    source.visit_all(|visited| {
        let Some(record) = visited.outcome.as_ref().ok().and_then(|row| row.native()) else {
            return Ok(());
        };
        if visited.is_left_out() {
            return Ok(());
        }
        let verdict = native.plan.blocks().get(visited.row)?.verdict;
        if let Record::Balance(one) = record {
            let account = pointers.account(&one.account)?;
            let now = imports::balance_at(tx, account, one.date)?;
            if let Some(now) = now.filter(|now| *now != one.end)
                && differences.len() < DIFFERENCES_MAX
            {
                let (stated, now) =
                    (amount_text(one.end, one.currency), amount_text(now, one.currency));
                differences.push(format!(
                    "Line {}: the balance of {} is {now} and not {stated}",
                    visited.line, one.date
                ));
            }
        }
        if !verdict.creates() || record.record_type() == RecordType::Balance {
            reused.add(record.record_type());
        }
        Ok(())
    })?;
    let created = imports::counts_of_import(tx, ImportId(import.id.0), published.range)?;
    let after = imports::family_counts(tx)?;
    let expected = source.layout().record_counts.clone().unwrap_or_default();
    let counts = FamilyCounts { before, after, created, reused, beside };
    let mut readback = Readback::compare(&expected, counts, tx.now());
    readback.differences = differences;
    imports::readback_set(tx, import.id, &readback)
}
