//! What the steps have decided so far.

use std::collections::{HashMap, HashSet};

use super::{
    Counts, Doubt, KnownAccount, KnownRow, KnownState, OtherEntry, OtherState, Reason, ReportedRow,
    ReportedRows, SourceRow, Suggestion, SyncChange, SyncPlan, are_similar,
};
use crate::ids::EntryId;

/// What a row is, as far as a step has decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// No step has decided; in the end the row is new.
    Open,
    /// The row is the pending side of a booked row of the same answer.
    Superseded,
    /// The row stands for the known row at this position.
    Known(usize),
    /// The row stands for the entry of another source at this position.
    Other(usize),
}

/// Rows and known rows while the steps go over them. Both are named by their positions.
pub(super) struct Matching<'a> {
    pub(super) known: &'a [KnownRow],
    pub(super) others: &'a [OtherEntry],
    pub(super) reported: &'a ReportedRows,
    /// The id of each row, if it is of no other row of the answer and of no other known row.
    ids: Vec<Option<&'a str>>,
    /// Every id that the answer has.
    stated_ids: HashSet<&'a str>,
    /// The known row that has an id.
    owners: HashMap<&'a str, usize>,
    /// Rows with ids that are those of something else.
    refused: HashMap<&'a str, usize>,
    fates: Vec<Fate>,
    taken: Vec<bool>,
    claimed: Vec<bool>,
    ends: Vec<SyncChange>,
    suggestions: Vec<Suggestion>,
}

impl<'a> Matching<'a> {
    pub(super) fn new(known: &'a KnownAccount, reported: &'a ReportedRows) -> Self {
        let mut counted: HashMap<&str, u32> = HashMap::new();
        for id in reported.rows.iter().filter_map(|one| stated_id(&one.row)) {
            *counted.entry(id).or_default() += 1;
        }
        let own = |one: &'a ReportedRow| stated_id(&one.row).filter(|id| counted[id] == 1);
        let ids = reported.rows.iter().map(own).collect();
        // What has the id of a row that can't be read is there, whatever it is by now.
        let hidden: HashSet<&str> = reported.unreadable_ids.iter().map(String::as_str).collect();
        let is_hidden = |one: &KnownRow| {
            let id = one.row.id.as_deref();
            id.is_some_and(|id| hidden.contains(id) && !counted.contains_key(id))
        };
        let taken = known.rows.iter().map(is_hidden).collect();
        let owners = known.rows.iter().enumerate();
        let owners = owners.filter_map(|(at, one)| Some((one.row.id.as_deref()?, at))).collect();
        Self {
            known: &known.rows,
            others: &known.others,
            reported,
            ids,
            stated_ids: counted.into_keys().collect(),
            owners,
            refused: HashMap::new(),
            fates: vec![Fate::Open; reported.rows.len()],
            taken,
            claimed: vec![false; known.others.len()],
            ends: Vec::new(),
            suggestions: Vec::new(),
        }
    }

    pub(super) fn row(&self, row: usize) -> &'a SourceRow {
        &self.reported.rows[row].row
    }

    pub(super) fn id(&self, row: usize) -> Option<&'a str> {
        self.ids[row]
    }

    /// The row has an id that another row of the answer has, too.
    pub(super) fn set_id(&mut self, row: usize, id: &'a str) {
        self.ids[row] = Some(id);
    }

    /// The row has the id of something else, unless that goes.
    pub(super) fn refuse_id(&mut self, row: usize) {
        self.refused.extend(self.ids[row].take().map(|id| (id, row)));
    }

    /// The known row that has an id.
    pub(super) fn owner(&self, id: &str) -> Option<usize> {
        self.owners.get(id).copied()
    }

    /// Whether any row of the answer has the id.
    pub(super) fn is_stated(&self, id: &str) -> bool {
        self.stated_ids.contains(id)
    }

    /// Rows that no step has decided on, in the order of the answer.
    pub(super) fn open_rows(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.fates.len()).filter(|row| self.fates[*row] == Fate::Open)
    }

    /// Known rows that no row stands for.
    pub(super) fn open_known(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.taken.len()).filter(|known| !self.taken[*known])
    }

    /// Entries of other sources that no row stands for.
    pub(super) fn open_others(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.claimed.len()).filter(|other| !self.claimed[*other])
    }

    /// Whether no row stands for a known row.
    pub(super) fn is_free(&self, known: usize) -> bool {
        !self.taken[known]
    }

    /// Whether no row stands for an entry of another source.
    pub(super) fn is_unclaimed(&self, other: usize) -> bool {
        !self.claimed[other]
    }

    pub(super) fn is_open(&self, row: usize) -> bool {
        self.fates[row] == Fate::Open
    }

    /// The row stands for the known row.
    pub(super) fn take(&mut self, row: usize, known: usize) {
        debug_assert!(self.fates[row] == Fate::Open && !self.taken[known]);
        self.fates[row] = Fate::Known(known);
        self.taken[known] = true;
    }

    /// The row stands for an entry of another source.
    pub(super) fn claim(&mut self, row: usize, other: usize) {
        debug_assert!(self.fates[row] == Fate::Open && !self.claimed[other]);
        self.fates[row] = Fate::Other(other);
        self.claimed[other] = true;
    }

    /// The row is a pending one that the same answer has as booked, too.
    pub(super) fn supersede(&mut self, row: usize) {
        self.fates[row] = Fate::Superseded;
    }

    /// A person has to decide whether the entry is the row.
    pub(super) fn suggest(&mut self, entry: EntryId, row: usize, doubt: Doubt) {
        self.suggestions.push(Suggestion { entry, row, doubt });
    }

    /// Whether a person has to decide about an entry because of this answer.
    pub(super) fn is_suggested(&self, entry: EntryId) -> bool {
        self.suggestions.iter().any(|one| one.entry == entry && self.is_open(one.row))
    }

    /// The rows about which a person has to decide because of this answer.
    pub(super) fn rows_in_question(&self) -> HashSet<usize> {
        self.suggestions.iter().map(|one| one.row).collect()
    }

    /// A pending row that no row stands for is missing.
    pub(super) fn mark_absent(&mut self, known: usize) {
        self.ends.push(SyncChange::MarkAbsent { entry: self.known[known].entry });
    }

    /// A pending row that no row stands for goes, and its id is free.
    pub(super) fn remove(&mut self, known: usize) {
        let one = &self.known[known];
        self.ends.push(SyncChange::Remove { entry: one.entry, reason: Reason::Gone });
        let freed = one.row.id.as_deref().and_then(|id| self.refused.get_key_value(id));
        if let Some((id, row)) = freed {
            self.ids[*row] = Some(*id);
        }
    }

    /// Everything that was decided, as a plan.
    pub(super) fn into_plan(mut self) -> SyncPlan {
        let mut counts = Counts { unreadable: self.reported.unreadable, ..Counts::default() };
        let (mut added, mut changed) = (Vec::new(), Vec::new());
        for row in 0..self.fates.len() {
            let keeps_id = self.ids[row].is_some();
            match self.fates[row] {
                Fate::Superseded => {}
                Fate::Open => {
                    counts.added += 1;
                    added.push(SyncChange::Add { row, keeps_id });
                }
                Fate::Other(other) => {
                    let OtherEntry { entry, state, .. } = self.others[other];
                    changed.push(match state {
                        OtherState::Deleted => {
                            counts.deleted_before += 1;
                            SyncChange::LeaveDeleted { entry, row, keeps_id }
                        }
                        OtherState::Here | OtherState::Moved | OtherState::MovedToLinked => {
                            counts.claimed += 1;
                            SyncChange::Claim { entry, row, keeps_id }
                        }
                    });
                }
                Fate::Known(known) => {
                    changed.extend(self.follow(row, &self.known[known], &mut counts));
                }
            }
        }
        // What was added may have been decided on after the suggestion.
        let suggestions = std::mem::take(&mut self.suggestions);
        let suggestions: Vec<Suggestion> =
            suggestions.into_iter().filter(|one| self.is_open(one.row)).collect();
        counts.suggested = suggestions.len() as u64;
        for end in &self.ends {
            match end {
                SyncChange::Remove { .. } => counts.removed += 1,
                _ => counts.absent += 1,
            }
        }
        let mut changes = self.ends;
        changes.extend(added);
        changes.extend(changed);
        SyncPlan { changes, suggestions, counts }
    }

    /// What a row changes in the entry that it stands for.
    fn follow(&self, row: usize, known: &KnownRow, counts: &mut Counts) -> Option<SyncChange> {
        let now = self.row(row);
        let entry = known.entry;
        if known.state == KnownState::Deleted {
            counts.deleted_before += 1;
        }
        let is_living = known.state != KnownState::Deleted;
        // A booked row doesn't become pending again. And if rows are missing, it may be among them,
        // and this one another with the same id: a correction waits for a whole answer.
        let waits = !known.row.pending && (now.pending || !self.reported.shows_what_became());
        let is_same = waits || now.content() == known.row.content();
        let new_id = self.ids[row].filter(|id| known.row.id.as_deref() != Some(*id));
        let reason = match (is_same, new_id) {
            (false, _) if known.row.pending && !now.pending => Reason::Booked,
            (false, _) => Reason::Corrected,
            (true, Some(_)) => Reason::Identified,
            (true, None) => {
                counts.known += u64::from(is_living);
                let is_back = known.absences > 0 && is_living;
                return is_back.then_some(SyncChange::MarkPresent { entry });
            }
        };
        if is_living {
            match reason {
                Reason::Booked => counts.booked += 1,
                Reason::Corrected => counts.corrected += 1,
                _ => counts.identified += 1,
            }
        }
        Some(SyncChange::Follow { entry, row, keeps_id: new_id.is_some(), reason })
    }
}

/// Whether a row with the id of a known row is what the bank has made of it. A row that only has
/// the id is another transaction: some banks give one id to all.
pub(super) fn is_followed(known: &SourceRow, row: &SourceRow, is_covered: bool) -> bool {
    let is_expected = known.pending || is_covered;
    let is_alike = known.amount == row.amount || are_similar(&known.name, &row.name);
    is_expected && is_alike && known.currency == row.currency
}

/// The id of a row, if it states one.
fn stated_id(row: &SourceRow) -> Option<&str> {
    row.id.as_deref().filter(|id| !id.is_empty())
}
