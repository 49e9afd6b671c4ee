//! Whether what a file has is in the family after its publish.

use purser_core::error::Result;
use purser_core::import::native::{
    FamilyCounts, Readback, Record, RecordCounts, RecordType, RecordTypes,
};
use purser_core::import::verdict::Verdict;
use purser_core::money::decimal::amount_text;
use purser_formats::records::Visited;
use purser_store::FamilyTx;
use purser_store::imports::{self, Published};

use super::entries::Pointers;
use super::publication::Basis;

/// Differences that are named.
const DIFFERENCES_MAX: usize = 20;

/// Compares a file with what its publish made. `before` are the counts before it, `beside` what the
/// publish made that is no record of the file, `found` what was there by then.
pub(super) fn verify(
    tx: &mut FamilyTx<'_>,
    basis: &Basis,
    pointers: &Pointers<'_>,
    (published, before, beside, found): (Published, RecordCounts, RecordCounts, RecordCounts),
) -> Result<()> {
    let import = basis.import.id;
    let (mut reused, mut differences) = (found, Vec::new());
    let is_all_created = basis.counts.created() == basis.import.rows_in_file();
    // Of records that were there only the type is needed.
    let wanted = RecordTypes::of(&[RecordType::Balance]);
    let each = |visited: Visited<'_>| {
        let planned = basis.blocks.get(visited.row)?.verdict;
        let Ok(row) = &visited.outcome else { return Ok(()) };
        let Some(record_type) = row.native_type() else { return Ok(()) };
        if matches!(planned, Verdict::Invalid | Verdict::LeftOut) {
            return Ok(());
        }
        if let Some(Record::Balance(one)) = row.native() {
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
        if !planned.creates() {
            reused.add(record_type);
        }
        Ok(())
    };
    if !is_all_created {
        basis.source.visit_types(wanted, 1, |_| false, each)?;
    }
    let created = imports::counts_of_import(tx, import, published.range)?;
    let after = imports::family_counts(tx)?;
    let expected = basis.source.layout().record_counts.clone().unwrap_or_default();
    let counts = FamilyCounts { before, after, created, reused, beside };
    let mut readback = Readback::compare(&expected, counts, tx.now());
    readback.differences = differences;
    imports::readback_set(tx, import, &readback)
}
