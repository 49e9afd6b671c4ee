//! Tables of cases, and laws over small banks in which days pass.

mod cases;
mod history;
mod laws;
mod ledger;
mod others;
mod pending;

use jiff::Span;
use jiff::civil::Date;
use uuid::Uuid;

use super::*;

/// A day of the test; day 1 is the second of May.
pub(super) fn day(number: i64) -> Date {
    Date::constant(2024, 5, 1).saturating_add(Span::new().days(number))
}

pub(super) fn entry(number: u128) -> EntryId {
    EntryId(Uuid::from_u128(number))
}

/// A booked row in euros; an empty id is none.
pub(super) fn booked(id: &str, date: i64, amount: i64, name: &str) -> SourceRow {
    let id = (!id.is_empty()).then(|| id.to_owned());
    let name = name.to_owned();
    SourceRow { id, date: day(date), amount, currency: Currency::EUR, name, pending: false }
}

/// A pending row in euros.
pub(super) fn pending(id: &str, date: i64, amount: i64, name: &str) -> SourceRow {
    SourceRow { pending: true, ..booked(id, date, amount, name) }
}

pub(super) fn known(number: u128, row: SourceRow) -> KnownRow {
    let state = KnownState::Untouched;
    let (absences, absent_on, is_questioned) = (0, None, false);
    KnownRow { entry: entry(number), row, state, absences, absent_on, is_questioned }
}

/// An entry of another source.
pub(super) fn other(number: u128, row: SourceRow, state: OtherState) -> OtherEntry {
    OtherEntry { entry: entry(number), row, origin: None, state }
}

/// A whole answer for the days 0 to 30.
pub(super) fn answer(rows: impl IntoIterator<Item = SourceRow>) -> ReportedRows {
    ReportedRows {
        rows: rows.into_iter().map(|row| ReportedRow { row, notes: None }).collect(),
        from: day(0),
        to: day(30),
        is_whole: true,
        is_doubtful: false,
        has_pending: true,
        unreadable: 0,
        unreadable_ids: Vec::new(),
    }
}

pub(super) fn account(rows: impl IntoIterator<Item = KnownRow>) -> KnownAccount {
    KnownAccount { rows: rows.into_iter().collect(), others: Vec::new() }
}

/// The plan of an answer on day 10.
pub(super) fn plan(known: &KnownAccount, reported: &ReportedRows) -> SyncPlan {
    reconcile(known, reported, day(10))
}

pub(super) fn add(row: usize, keeps_id: bool) -> SyncChange {
    SyncChange::Add { row, keeps_id }
}

pub(super) fn follow(number: u128, row: usize, keeps_id: bool, reason: Reason) -> SyncChange {
    SyncChange::Follow { entry: entry(number), row, keeps_id, reason }
}

pub(super) fn absent(number: u128) -> SyncChange {
    SyncChange::MarkAbsent { entry: entry(number) }
}
