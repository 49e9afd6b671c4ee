//! Syncs: what the answer of a bank means for what the ledger knows of its account.
//!
//! [`reconcile`] is a pure function: rows that a provider reported and rows that it reported before
//! give a plan, with a reason for each change. It knows neither the provider nor the database.
//!
//! ```text
//! rows, KnownAccount ─► by the bank's id ─► by content ─► ids that changed
//!     ─► entries of other sources ─► pending to booked ─► deleted entries of other sources
//!     ─► pending rows that are gone ─► SyncPlan
//! ```
//!
//! What one step took, later ones don't see; each row and each known row is taken once. Rows that
//! no step takes are new. Known rows are compared by what the source reported last, whatever a
//! person made of the entry since, and rows of deleted entries take part in every step: what a
//! person deleted doesn't come back. Booked entries are never removed.

mod absence;
mod booking;
mod by_content;
mod by_id;
mod claims;
pub mod holdings;
mod matching;
mod names;
mod plan;
mod rotated;
#[cfg(test)]
mod tests;
mod warning;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::ids::EntryId;
use crate::money::Currency;

pub use names::are_similar;
pub use plan::{Counts, Doubt, Reason, Suggestion, SyncChange, SyncPlan};
pub use warning::Warning;

use matching::Matching;

/// Days after which a pending entry that isn't reported any more goes at once.
pub const PENDING_DAYS_MAX: i32 = 14;
/// Different days on which a pending entry must be missing before it goes.
pub const ABSENCES_MAX: u32 = 2;
/// The same for one without an id while there are rows without ids that can't be read.
pub const ABSENCES_HIDDEN_MAX: u32 = 4;
/// How many days back a pending entry is asked for. An older one that an answer lacks goes,
/// although its day was not asked for.
pub const PENDING_ASKED_DAYS: i32 = 90;
/// Days by which a booking may come before the day of the pending row.
pub const BOOKED_DAYS_BEFORE: i32 = 1;
/// Days by which a booking may come after the day of the pending row.
pub const BOOKED_DAYS_AFTER: i32 = 8;

/// A transaction as a source reports it, in the ledger's signs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRow {
    /// The id of the source. Not every row has one, and several may have the same.
    pub id: Option<String>,
    /// The day of the row.
    pub date: Date,
    /// The amount in the scale of its currency; positive = money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The other side, or the text of the bank.
    pub name: String,
    /// Whether it isn't booked yet.
    pub pending: bool,
}

/// What a row is, but for its id: equal ones are interchangeable.
pub(crate) type Content<'a> = (Date, i64, Currency, &'a str, bool);

impl SourceRow {
    /// Everything but the id.
    pub(crate) fn content(&self) -> Content<'_> {
        (self.date, self.amount, self.currency, &self.name, self.pending)
    }
}

/// A row of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedRow {
    /// The values by which it is recognised.
    pub row: SourceRow,
    /// The text of the bank beside the name.
    pub notes: Option<String>,
}

/// The answer about the transactions of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedRows {
    /// The rows in the order of the answer. Equal rows are several transactions.
    pub rows: Vec<ReportedRow>,
    /// The first day that was asked for.
    pub from: Date,
    /// The last day that was asked for.
    pub to: Date,
    /// Whether these are all rows of those days, those that can't be read included. What is missing
    /// in another answer isn't known to be gone.
    pub is_whole: bool,
    /// Whether it isn't whole only because the provider reports a problem. What is missing isn't
    /// known to be gone then either; but what came is taken for what the bank has made of it.
    pub is_doubtful: bool,
    /// Whether rows that aren't booked yet were asked for.
    pub has_pending: bool,
    /// How many rows couldn't be read.
    pub unreadable: u64,
    /// The ids of those that have one. Their transactions are there.
    pub unreadable_ids: Vec<String>,
}

impl ReportedRows {
    /// Whether a row without an id may be among those that can't be read.
    pub fn may_hide_rows(&self) -> bool {
        self.unreadable > self.unreadable_ids.len() as u64
    }

    /// Whether a row of it may be what became of one that it lacks. If that one comes again, it is
    /// a transaction beside it; so nothing is lost, and nothing is doubled meanwhile.
    pub(crate) fn shows_what_became(&self) -> bool {
        self.is_whole || self.is_doubtful
    }

    /// Whether a day was asked for.
    pub fn covers(&self, date: Date) -> bool {
        self.from <= date && date <= self.to
    }
}

/// What became of the entry of a known row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KnownState {
    /// A person changed the entry or decided something about it.
    Touched,
    /// Nobody changed the entry.
    Untouched,
    /// The entry was deleted by a person.
    Deleted,
}

/// A row that the same source reported before, and the entry that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRow {
    /// The entry, perhaps a deleted one.
    pub entry: EntryId,
    /// The row as it was reported last.
    pub row: SourceRow,
    /// What became of the entry.
    pub state: KnownState,
    /// On how many days the row was missing although it was pending.
    pub absences: u32,
    /// The last of these days.
    pub absent_on: Option<Date>,
    /// Whether a person has yet to decide if it is another entry. Where the doubt is only that an
    /// answer wasn't whole, whole ones decide.
    pub is_questioned: bool,
}

/// A transaction that this source never reported: a person or an import added it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherEntry {
    /// The transaction of another source.
    pub entry: EntryId,
    /// Its present values; those that it came with if it isn't in the account any more. It has an
    /// id only if that was given with the name of this source.
    pub row: SourceRow,
    /// The values that it came with, if a person or a rule changed them.
    pub origin: Option<SourceRow>,
    /// What became of it.
    pub state: OtherState,
}

/// What became of an entry of another source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherState {
    /// It is in the account.
    Here,
    /// It came into the account, and a person moved it to another one.
    Moved,
    /// The same, but a provider reports the other account: a row of that one may be it.
    MovedToLinked,
    /// A person deleted it.
    Deleted,
}

impl OtherState {
    /// Whether a row of the account stands for it without a question.
    pub(crate) fn is_claimed(self) -> bool {
        matches!(self, Self::Here | Self::Moved)
    }
}

impl OtherEntry {
    /// What a row may be compared with: its present values, and those that it came with.
    pub(crate) fn aspects(&self) -> impl Iterator<Item = &SourceRow> {
        std::iter::once(&self.row).chain(&self.origin)
    }
}

/// What is known of an account: all its pending rows, the rows of the days that were asked for, the
/// rows with ids of the answer, and entries of other sources around those days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnownAccount {
    /// Rows that the same source reported before.
    pub rows: Vec<KnownRow>,
    /// Entries that no row of this source stands for, those that are not in the account any more
    /// included.
    pub others: Vec<OtherEntry>,
}

/// What an answer means for an account on a day.
pub fn reconcile(known: &KnownAccount, reported: &ReportedRows, today: Date) -> SyncPlan {
    let mut matching = Matching::new(known, reported);
    by_id::decide_equal(&mut matching);
    by_content::decide(&mut matching);
    by_id::decide_changed(&mut matching);
    rotated::decide(&mut matching);
    claims::decide(&mut matching);
    booking::decide(&mut matching);
    claims::decide_deleted(&mut matching);
    claims::suggest(&mut matching);
    absence::decide(&mut matching, today);
    matching.into_plan()
}

/// The pending entries that go because pending rows aren't asked for any more.
pub fn drop_pending(known: &[KnownRow]) -> Vec<SyncChange> {
    let untouched =
        known.iter().filter(|one| one.row.pending && one.state == KnownState::Untouched);
    untouched.map(|one| SyncChange::Remove { entry: one.entry, reason: Reason::NotAsked }).collect()
}

/// Days from one day to another; negative if the other comes first.
pub(crate) fn days_between(from: Date, to: Date) -> i32 {
    (to - from).get_days()
}
