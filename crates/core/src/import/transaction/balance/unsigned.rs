//! Whether the balances of a file's first rows show which way amounts without signs went.
//!
//! Such amounts go both ways, so that no sign convention fits. Each balance differs from the one
//! before it by the amount; a column of which that holds, in one order of the rows, shows the
//! direction of each.

use std::mem::discriminant;

use super::RowOrder;
use super::readings::{Number, Reading, Sample, Score, Trial, columns_of};
use super::sign_chain::{Change, SignChain, Unsigned};
use crate::import::layout::AmountSource;
use crate::import::transaction::balance::Stated;

/// Fewer rows than these could follow by chance.
const PROOFS_MIN: u64 = 2;

/// The directions that a reading gives, by row.
type Changes = Vec<Change>;

/// The reading by which the balances show the directions, and all that were tried; nothing if none
/// is proven, or several that mean something else. `is_enough` judges scores, too.
pub(in crate::import::transaction) fn proven(
    sample: &mut Sample,
    trial: &Trial<'_>,
    is_enough: impl Fn(Score) -> bool,
) -> Option<(Reading, Vec<Reading>)> {
    let tried = readings(sample, trial);
    let is_proven = |(reading, _): &&(Reading, Changes)| {
        let Score { proofs, breaks } = reading.score;
        let is_clear = breaks == 0 || (proofs > PROOFS_MIN && proofs > breaks);
        proofs >= PROOFS_MIN && is_clear && is_enough(reading.score)
    };
    let proven: Vec<&(Reading, Changes)> = tried.iter().filter(is_proven).collect();
    // Of equal ones the first: `max_by_key` would take the last.
    let (best, its) = proven.iter().rev().max_by_key(|(one, _)| one.score.weight())?;
    // Where days don't show the order, more proofs in one of them don't either.
    let is_rival = |(reading, shown): &&(Reading, Changes)| {
        (reading.order != best.order || reading.score.weight() == best.score.weight())
            && is_other_way(shown, its)
    };
    if proven.iter().copied().any(|one| is_rival(&one)) {
        return None;
    }
    let best = best.clone();
    Some((best, tried.into_iter().map(|(reading, _)| reading).collect()))
}

/// Whether two readings show different directions; the balances in which they differ don't count.
fn is_other_way(one: &Changes, other: &Changes) -> bool {
    one.iter().map(discriminant).ne(other.iter().map(discriminant))
}

fn readings(sample: &mut Sample, trial: &Trial<'_>) -> Vec<(Reading, Changes)> {
    let groups = sample.groups(trial.groups);
    let mut found = Vec::new();
    for format in trial.formats.iter().copied() {
        for (source, columns) in trial.sources.iter().enumerate() {
            let AmountSource::Signed { .. } = columns else { continue };
            let amounts = sample.changes(columns, format, false);
            if amounts.iter().any(has_sign) {
                continue;
            }
            for balance in trial.balances.iter().copied() {
                if columns_of(columns).contains(&balance) {
                    continue;
                }
                let balances = sample.numbers(balance, format);
                let may_follow = |order: &RowOrder| trial.may_follow(*order, source, false);
                for order in RowOrder::ALL.iter().copied().filter(may_follow) {
                    let (score, shown) = score(&amounts, balances, &groups, order);
                    let (is_inverted, is_marked) = (false, false);
                    let reading =
                        Reading { balance, source, is_inverted, is_marked, order, format, score };
                    found.push((reading, shown));
                }
            }
        }
    }
    found
}

fn has_sign(number: &Number) -> bool {
    matches!(number, Number::Value { value: ..0, .. } | Number::Value { is_marked: true, .. })
}

fn score(
    amounts: &[Number],
    balances: &[Number],
    groups: &[usize],
    order: RowOrder,
) -> (Score, Changes) {
    let count = groups.iter().max().map_or(0, |last| last + 1);
    let mut chains: Vec<SignChain<usize>> = (0..count).map(|_| SignChain::new(order)).collect();
    let mut all = vec![Change::LeftOut; amounts.len()];
    let mut first_of_account = vec![true; count];
    let mut unknown = 0;
    let mut shown = |at: usize, change| {
        if let Some(its) = all.get_mut(at) {
            *its = change;
        }
    };
    for (at, ((amount, balance), group)) in amounts.iter().zip(balances).zip(groups).enumerate() {
        let Some(chain) = chains.get_mut(*group) else { continue };
        let stated = match balance {
            Number::Blank => Stated::Blank,
            Number::Unreadable => Stated::Unreadable,
            Number::Value { value, .. } => Stated::Value(*value),
        };
        match amount {
            // A balance carried forward, or a remark.
            Number::Blank => {}
            Number::Unreadable => chain.break_off(&mut shown),
            Number::Value { value, .. } => {
                let row = Unsigned { at, magnitude: *value, stated, is_left_out: false };
                chain.row(row, &mut shown);
                if let Some(is_first) = first_of_account.get_mut(*group) {
                    // Of one row of each account nothing can be known.
                    unknown -= i64::from(std::mem::take(is_first));
                }
            }
        }
    }
    chains.into_iter().for_each(|chain| chain.finish(None, &mut shown));
    let of = |is_it: fn(&Change) -> bool| all.iter().filter(|change| is_it(change)).count() as u64;
    // With zeros where the balance moves it is one of two columns.
    let is_moved = |(amount, change): (&Number, &Change)| {
        amount.is_gap() && matches!(change, Change::Differs { .. })
    };
    if amounts.iter().zip(&all).any(is_moved) {
        return (Score::default(), all);
    }
    let is_proof = |(amount, change): &(&Number, &Change)| {
        !amount.is_gap() && matches!(change, Change::Rises | Change::Falls)
    };
    let proofs = amounts.iter().zip(&all).filter(is_proof).count() as u64;
    let differs = of(|change| matches!(change, Change::Differs { .. }));
    let unknown = of(|change| *change == Change::Unknown).saturating_add_signed(unknown);
    (Score { proofs, breaks: differs + unknown }, all)
}
