//! Pages of lists that have a holding for each open position and each day.
//!
//! Such a list can have millions of rows, so days before the page are counted, not visited row by
//! row: the time is that of the days plus the changes of positions.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use super::positions::Position;

/// The rows of a page (which position, which day), by day and then in the order of the positions,
/// and how many rows there are in all.
pub(super) fn page(
    positions: &[Position],
    (first, last): (Date, Date),
    limit: i64,
    offset: i64,
) -> (Vec<(usize, Date)>, u64) {
    let changes = changes(positions, first, last);
    let mut open: BTreeSet<usize> = BTreeSet::new();
    let mut rows = Vec::new();
    let mut total: i64 = 0;
    let starts: Vec<Date> = changes.keys().copied().collect();
    for (at, (start, changed)) in changes.iter().enumerate() {
        for (position, is_open) in changed {
            if *is_open {
                open.insert(*position);
            } else {
                open.remove(position);
            }
        }
        if open.is_empty() {
            continue;
        }
        // The same positions are open until the next change.
        let end = starts.get(at + 1).and_then(|next| next.yesterday().ok()).unwrap_or(last);
        let mut day = *start;
        while day <= end {
            let count = open.len() as i64;
            let (from, to) = (offset.saturating_sub(total), limit.saturating_add(offset) - total);
            if from < count && to > 0 {
                let skipped = usize::try_from(from).unwrap_or(0);
                let taken = usize::try_from(to).unwrap_or(usize::MAX).saturating_sub(skipped);
                rows.extend(open.iter().skip(skipped).take(taken).map(|one| (*one, day)));
            }
            total = total.saturating_add(count);
            let Ok(next) = day.tomorrow() else { break };
            day = next;
        }
    }
    (rows, u64::try_from(total).unwrap_or(0))
}

/// On which days which positions open or close within the span.
fn changes(positions: &[Position], first: Date, last: Date) -> BTreeMap<Date, Vec<(usize, bool)>> {
    let mut changes: BTreeMap<Date, Vec<(usize, bool)>> = BTreeMap::new();
    for (at, position) in positions.iter().enumerate() {
        let mut is_open = false;
        for segment in &position.segments {
            let opens = !segment.quantity.is_zero();
            if opens != is_open && segment.date <= last {
                is_open = opens;
                changes.entry(segment.date.max(first)).or_default().push((at, opens));
            }
        }
    }
    changes.retain(|day, _| *day <= last);
    changes
}
