//! What a sync is going to change, and why.

use serde::{Deserialize, Serialize};

use super::ReportedRows;
use super::holdings::HoldingCounts;
use crate::ids::EntryId;
use crate::named::text_enum;

text_enum! {
    /// Why a sync changes an entry.
    Reason {
        /// The row wasn't there before.
        New = "new",
        /// A pending row was booked.
        Booked = "booked",
        /// The bank changed the row.
        Corrected = "corrected",
        /// The row has got an id, or another one.
        Identified = "identified",
        /// An entry of another source is this row.
        Claimed = "claimed",
        /// A person deleted the entry of another source that this row is.
        Deleted = "deleted",
        /// A pending row is missing for the first time.
        Absent = "absent",
        /// A pending row that was missing is there again.
        Present = "present",
        /// A pending row is missing for good.
        Gone = "gone",
        /// Pending rows are not asked for any more.
        NotAsked = "not_asked",
    }
}

text_enum! {
    /// Why a person has to decide whether two entries are the same transaction.
    Doubt {
        /// The amount of the booked row differs somewhat from that of the pending one.
        AmountDiffers = "amount_differs",
        /// Several booked rows may be the pending one, or the other way round.
        SeveralCandidates = "several_candidates",
        /// An entry of another source resembles the row.
        Resembles = "resembles",
        /// An entry that equals the row was moved from the account to another linked one.
        Moved = "moved",
        /// The answer isn't whole: the entry may be among what it lacks.
        AnswerIncomplete = "answer_incomplete",
    }
}

impl Doubt {
    /// Why a person has to decide, in one sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::AmountDiffers => {
                "The booked amount differs somewhat from that of the pending transaction."
            }
            Self::SeveralCandidates => {
                "Several booked transactions may be the pending one, or the other way round."
            }
            Self::Resembles => "Both have the same amount, and days close to each other.",
            Self::Moved => "You moved one of them from this account to another connected one.",
            Self::AnswerIncomplete => {
                "The provider didn't give all transactions, so that an id may have changed."
            }
        }
    }
}

/// A change of the ledger. Rows are named by their position in the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyncChange {
    /// The row becomes an entry.
    Add {
        /// The position of the row.
        row: usize,
        /// Whether its id is its own; an id of several rows is none.
        keeps_id: bool,
    },
    /// The entry takes over what the row has now. Of a deleted entry only what is known of the row
    /// changes.
    Follow {
        /// The entry that the row stands for.
        entry: EntryId,
        /// The position of the row.
        row: usize,
        /// Whether the id of the row becomes that of the entry.
        keeps_id: bool,
        /// What changed in the row.
        reason: Reason,
    },
    /// An entry of another source is this row from now on; its values stay.
    Claim {
        /// The entry of the other source.
        entry: EntryId,
        /// The position of the row.
        row: usize,
        /// Whether the id of the row becomes that of the entry.
        keeps_id: bool,
    },
    /// A person deleted the entry of another source that this row is: from now on the row is known.
    LeaveDeleted {
        /// The entry that was deleted.
        entry: EntryId,
        /// The position of the row.
        row: usize,
        /// Whether the id of the row becomes that of the entry.
        keeps_id: bool,
    },
    /// The pending entry is missing today.
    MarkAbsent {
        /// The pending entry of the row.
        entry: EntryId,
    },
    /// The pending entry is there again.
    MarkPresent {
        /// The pending entry of the row.
        entry: EntryId,
    },
    /// The pending entry goes, without a trace that would keep it from coming back.
    Remove {
        /// The pending entry of the row.
        entry: EntryId,
        /// The reason why it goes.
        reason: Reason,
    },
}

impl SyncChange {
    /// The reason of the change.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Add { .. } => Reason::New,
            Self::Follow { reason, .. } | Self::Remove { reason, .. } => *reason,
            Self::Claim { .. } => Reason::Claimed,
            Self::LeaveDeleted { .. } => Reason::Deleted,
            Self::MarkAbsent { .. } => Reason::Absent,
            Self::MarkPresent { .. } => Reason::Present,
        }
    }
}

/// Two entries that may be the same transaction: one that is known, and one that a row becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suggestion {
    /// The entry that is there.
    pub entry: EntryId,
    /// The position of the row that is added.
    pub row: usize,
    /// Why it isn't certain.
    pub doubt: Doubt,
}

/// How many rows and entries came to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Rows that become entries.
    pub added: u64,
    /// Rows that are there already, and don't change.
    pub known: u64,
    /// Pending entries that are booked.
    pub booked: u64,
    /// Entries that the bank changed.
    pub corrected: u64,
    /// Entries that get an id, or another one.
    pub identified: u64,
    /// Entries of other sources that a row stands for from now on.
    pub claimed: u64,
    /// Rows of entries that a person deleted.
    pub deleted_before: u64,
    /// Pending entries that are missing and stay for now.
    pub absent: u64,
    /// Pending entries that go.
    pub removed: u64,
    /// Pairs that a person has to decide on.
    pub suggested: u64,
    /// Rows that couldn't be read.
    pub unreadable: u64,
    /// What becomes of positions and prices.
    pub holdings: HoldingCounts,
}

impl Counts {
    /// Whether entries were added, changed or removed.
    pub fn has_changes(&self) -> bool {
        let Self { added, booked, corrected, identified, claimed, removed, .. } = self;
        added + booked + corrected + identified + claimed + removed > 0
    }

    /// Counts a change that was executed.
    pub fn note(&mut self, change: &SyncChange) {
        let counted = match change.reason() {
            Reason::New => &mut self.added,
            Reason::Booked => &mut self.booked,
            Reason::Corrected => &mut self.corrected,
            Reason::Identified => &mut self.identified,
            Reason::Claimed => &mut self.claimed,
            Reason::Absent => &mut self.absent,
            Reason::Gone | Reason::NotAsked => &mut self.removed,
            // A later plan for the same answer counts the row again.
            Reason::Deleted | Reason::Present => return,
        };
        *counted += 1;
    }

    /// What a run came to that has executed `before` of earlier plans for the same answer: their
    /// rows are known to the later plan.
    #[must_use]
    pub fn after(self, before: Self) -> Self {
        let Self { added, booked, corrected, identified, claimed, absent, removed, .. } = before;
        Self {
            added: self.added + added,
            known: self.known.saturating_sub(added + booked + corrected + identified + claimed),
            booked: self.booked + booked,
            corrected: self.corrected + corrected,
            identified: self.identified + identified,
            claimed: self.claimed + claimed,
            absent: self.absent + absent,
            removed: self.removed + removed,
            suggested: self.suggested + before.suggested,
            ..self
        }
    }
}

/// More rows than these are added in the order of their ids.
const ADDED_IN_ORDER_MAX: usize = 5_000;

/// The plan for one account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SyncPlan {
    /// What changes: first what is missing, so that its ids are free; then what is added, in the
    /// order of the answer.
    pub changes: Vec<SyncChange>,
    /// What a person has to decide.
    pub suggestions: Vec<Suggestion>,
    /// How many of what.
    pub counts: Counts,
}

impl SyncPlan {
    /// Very many rows that are added come in the order of their ids, and no longer in that of the
    /// answer. Three indexes have the ids of a bank, which mostly look random: in another order
    /// nearly each row would touch a page of its own in all of them.
    pub fn order_many_added(&mut self, reported: &ReportedRows) {
        let is_added = |change: &SyncChange| matches!(change, SyncChange::Add { .. });
        for added in self.changes.chunk_by_mut(|one, next| is_added(one) == is_added(next)) {
            if added.len() > ADDED_IN_ORDER_MAX {
                added.sort_by_cached_key(|change| match *change {
                    SyncChange::Add { row, keeps_id: true } => {
                        reported.rows.get(row).and_then(|one| one.row.id.as_deref())
                    }
                    _ => None,
                });
            }
        }
    }
}
