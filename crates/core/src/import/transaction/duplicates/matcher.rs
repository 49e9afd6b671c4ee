//! Decides chunk after chunk.

use std::collections::HashMap;

use super::entry_set::EntrySet;
use super::{Aspect, Chunk, EntryKey, Finding, RowKey, by_content, by_id, by_record, near};
use crate::ids::EntryId;
use crate::import::verdict::Verdict;

/// Decides chunk after chunk; remembers what was taken.
#[derive(Debug, Default)]
pub struct Matcher {
    /// Entries and tombstones that rows stand for.
    taken: EntrySet,
    /// Entries that a row was flagged with.
    flagged: EntrySet,
}

impl Matcher {
    /// A matcher that has taken no entry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Decides the rows of a chunk. `known` is in any order and may have a key twice. Rows that
    /// are not among the findings, which are sorted by row, are created.
    pub fn decide(&mut self, chunk: &Chunk, mut known: Vec<EntryKey>) -> Vec<Finding> {
        known.retain(|known| !self.taken.contains(known.entry));
        known.sort_unstable_by_key(|known| (known.entry, known.aspect));
        known.dedup_by_key(|known| (known.entry, known.aspect));
        known.sort_unstable_by_key(|known| {
            let fingerprint = (known.amount, known.currency, known.date, known.content);
            (known.account, fingerprint, known.is_deleted(), known.external.is_some(), known.entry)
        });
        let mut deciding = ChunkDecisions::new(chunk.rows(), &known);
        by_record::decide(&mut deciding);
        by_id::decide(&mut deciding);
        by_content::decide(&mut deciding);
        near::decide(&mut deciding, &self.flagged);
        by_id::flag_far(&mut deciding, &self.flagged);
        let findings = deciding.findings();
        self.remember(&findings);
        findings
    }

    /// Whether a finding still holds after the last chunk: a flag is withdrawn if a later chunk
    /// took the entry.
    pub fn stands(&self, finding: &Finding) -> bool {
        finding.verdict != Verdict::PossibleDuplicate || !self.taken.contains(finding.entry)
    }

    fn remember(&mut self, findings: &[Finding]) {
        let (flags, takes): (Vec<&Finding>, _) =
            findings.iter().partition(|finding| finding.verdict == Verdict::PossibleDuplicate);
        self.flagged.add(flags.into_iter().map(|finding| finding.entry).collect());
        self.taken.add(takes.into_iter().map(|finding| finding.entry).collect());
    }

    #[cfg(test)]
    pub(super) fn intervals(&self) -> usize {
        self.taken.intervals()
    }
}

/// A chunk while the rules go over it. Rows and entries are spoken of by their positions.
pub(super) struct ChunkDecisions<'a> {
    /// The rows in the order of [`Chunk`].
    pub(super) rows: &'a [RowKey],
    /// The keys in the order of rows, then: living first, without an id first, older first.
    pub(super) known: &'a [EntryKey],
    decided: Vec<Option<(Verdict, u32)>>,
    used: Vec<bool>,
    /// Entries with a key of what they are now, of which there are few, and whether a row stands
    /// for them: then that key isn't free.
    now: HashMap<EntryId, bool>,
}

impl<'a> ChunkDecisions<'a> {
    fn new(rows: &'a [RowKey], known: &'a [EntryKey]) -> Self {
        let current = known.iter().filter(|known| known.aspect == Aspect::Current);
        Self {
            rows,
            known,
            decided: vec![None; rows.len()],
            used: vec![false; known.len()],
            now: current.map(|known| (known.entry, false)).collect(),
        }
    }

    /// Whether no rule has decided on the row.
    pub(super) fn is_open(&self, row: usize) -> bool {
        self.decided[row].is_none()
    }

    /// Whether no row stands for the entry or is flagged with it.
    pub(super) fn is_free(&self, known: usize) -> bool {
        let EntryKey { aspect, entry, .. } = self.known[known];
        !self.used[known] && (aspect != Aspect::Current || !self.now[&entry])
    }

    /// Whether a row may still be flagged with the entry because of this key.
    pub(super) fn is_resembled(&self, known: usize) -> bool {
        let EntryKey { aspect, entry, .. } = self.known[known];
        let is_now = match aspect {
            Aspect::Current => true,
            Aspect::Unchanged => !self.now.contains_key(&entry),
            Aspect::Source | Aspect::Tombstone => false,
        };
        is_now && self.is_free(known)
    }

    /// The row stands for the entry; `verdict` is the reason if the entry lives.
    pub(super) fn take(&mut self, row: usize, known: usize, verdict: Verdict) {
        let EntryKey { aspect, entry, .. } = self.known[known];
        debug_assert!(aspect.is_exact());
        let deleted = aspect == Aspect::Tombstone;
        self.settle(row, known, if deleted { Verdict::DeletedBefore } else { verdict });
        if let Some(is_taken) = self.now.get_mut(&entry) {
            *is_taken = true;
        }
    }

    /// The row is flagged with the entry.
    pub(super) fn flag(&mut self, row: usize, known: usize) {
        debug_assert!(self.is_resembled(known));
        self.settle(row, known, Verdict::PossibleDuplicate);
    }

    fn settle(&mut self, row: usize, known: usize, verdict: Verdict) {
        debug_assert!(self.is_open(row) && self.is_free(known));
        self.decided[row] = Some((verdict, known as u32));
        self.used[known] = true;
    }

    fn findings(self) -> Vec<Finding> {
        let decided = self.rows.iter().zip(self.decided);
        let mut findings: Vec<Finding> = decided
            .filter_map(|(row, decided)| {
                let (verdict, known) = decided?;
                let entry = self.known[known as usize].entry;
                let RowKey { row, account, date, amount, .. } = *row;
                Some(Finding { row, verdict, entry, account, date, amount })
            })
            .collect();
        findings.sort_unstable_by_key(|finding| finding.row);
        findings
    }
}
