//! A column of fees that the amounts don't contain.
//!
//! Some banks state an amount, a fee beside it, and a balance that both of them changed. The fee
//! comes off only if the balances prove it: with it all of them follow, and without it some don't.

use crate::import::layout::{AmountSource, Layout};
use crate::import::transaction::balance::readings::{Reading, Sample, Trial, columns_of};
use crate::import::transaction::header_names::is_fee;

/// The column of fees, and the readings with it.
pub(super) fn proven(
    layout: &Layout,
    sample: &mut Sample,
    trial: &Trial<'_>,
    readings: &[Reading],
) -> Option<(usize, Vec<Reading>)> {
    let source = trial.sources.first().filter(|it| matches!(it, AmountSource::Signed { .. }))?;
    let without = readings.iter().map(|reading| reading.score.weight()).max()?;
    let is_candidate = |column: &usize| {
        is_fee(&layout.header(*column))
            && !layout.columns.uses(*column)
            && !columns_of(source).contains(column)
            && !trial.balances.contains(column)
    };
    let columns: Vec<usize> = (0..layout.headers.len()).filter(is_candidate).collect();
    let [column] = columns[..] else { return None };
    let with = sample.readings(&Trial {
        sources: std::slice::from_ref(source),
        fee: Some(column),
        ..*trial
    });
    let is_better = |reading: &Reading| {
        reading.score.is_proven() && reading.score.breaks == 0 && reading.score.weight() > without
    };
    let with: Vec<Reading> = with.into_iter().filter(is_better).collect();
    (!with.is_empty()).then_some((column, with))
}
