//! A set of entries, kept as intervals of ids.
//!
//! The entries of one import have consecutive ids, so a million of them that were taken are a
//! handful of intervals.

use crate::ids::EntryId;

/// The entries that were taken.
#[derive(Debug, Default)]
pub(super) struct EntrySet {
    /// First and last, sorted; no two touch.
    intervals: Vec<(u128, u128)>,
}

impl EntrySet {
    pub(super) fn contains(&self, entry: EntryId) -> bool {
        let id = entry.0.as_u128();
        let after = self.intervals.partition_point(|(first, _)| *first <= id);
        after > 0 && id <= self.intervals[after - 1].1
    }

    /// Adds many at once: one by one would first be scattered, then grow together.
    pub(super) fn add(&mut self, mut entries: Vec<EntryId>) {
        if entries.is_empty() {
            return;
        }
        entries.sort_unstable();
        let mut old = std::mem::take(&mut self.intervals).into_iter().peekable();
        let mut new = entries.into_iter().map(|entry| entry.0.as_u128()).peekable();
        loop {
            let next = match (old.peek(), new.peek()) {
                (Some((first, _)), Some(id)) if first <= id => old.next(),
                (_, Some(_)) => new.next().map(|id| (id, id)),
                (_, None) => old.next(),
            };
            let Some((first, last)) = next else { break };
            match self.intervals.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => self.intervals.push((first, last)),
            }
        }
        self.intervals.shrink_to_fit();
    }

    #[cfg(test)]
    pub(super) fn intervals(&self) -> usize {
        self.intervals.len()
    }
}
