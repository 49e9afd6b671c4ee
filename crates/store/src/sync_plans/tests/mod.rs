//! Syncs of an account on both databases: single changes, and worlds of the simulator in which days
//! pass.

mod changes;
mod collisions;
mod merged;
mod moved;
mod observed;
mod pending;
mod undo;
mod worlds;

use std::collections::HashMap;

use jiff::ToSpan;
use jiff::civil::Date;
use purser_core::connection::SyncStatus;
use purser_core::ids::SyncId;
use purser_core::money::Currency;
use purser_core::sync::{ReportedRow, ReportedRows, SourceRow, SyncPlan, reconcile};

use super::*;
use crate::accounts::tests::{input, make};
use crate::check;
use crate::driver::{Row, statements};
use crate::families::FamilyId;
use crate::files::FileStore;
use crate::sync_rows::{self, SourceAccount};
use crate::syncs::{self, SyncRecord};
use crate::testing::{Fixture, on_both};

statements! {
    /// Everything about the entries of an account that a sync can change.
    LEDGER = "SELECT date, amount, booked, name, notes, pending, external_id,
            changed_at IS NOT NULL, valuation_kind
        FROM ledger_entries WHERE family_id = $1 AND account_id = $2
        ORDER BY date, amount, name, external_id, notes, pending";
    /// Everything that is known of rows.
    KNOWN = "SELECT date, amount, name, pending, external_id, absences
        FROM sync_rows WHERE family_id = $1 AND account_id = $2
        ORDER BY date, amount, name, external_id, pending, absences";
    /// The balance of each day.
    SERIES = "SELECT date, inflow, outflow, valued, end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 ORDER BY date";
    /// The transactions of an account, the oldest first.
    ENTRIES = "SELECT id FROM ledger_entries
        WHERE family_id = $1 AND account_id = $2 AND kind = 0 ORDER BY date, id";
}

/// An account of a family that a provider reports.
pub(super) struct Linked<'a> {
    pub(super) fixture: &'a Fixture,
    pub(super) family: FamilyId,
    pub(super) of: SourceAccount<'static>,
}

/// A day of the tests; day 1 is the second of May.
pub(super) fn day(number: i64) -> Date {
    Date::constant(2024, 5, 1).saturating_add(number.days())
}

/// A booked row in euros; an empty id is none.
pub(super) fn booked(id: &str, date: i64, amount: i64, name: &str) -> SourceRow {
    let id = (!id.is_empty()).then(|| id.to_owned());
    let (date, currency, name) = (day(date), Currency::EUR, name.to_owned());
    SourceRow { id, date, amount, currency, name, pending: false }
}

/// A pending row in euros.
pub(super) fn pending(id: &str, date: i64, amount: i64, name: &str) -> SourceRow {
    SourceRow { pending: true, ..booked(id, date, amount, name) }
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

impl<'a> Linked<'a> {
    /// A new account with a balance of 100 before everything.
    pub(super) fn new(fixture: &'a Fixture) -> Self {
        assert_eq!(STATEMENTS.len(), 4);
        let (family, _) = fixture.family("one");
        let account = make(fixture, family, &input("Giro", "depository", "100")).summary.id;
        Self { fixture, family, of: SourceAccount { account, source: "lunchflow" } }
    }

    pub(super) fn write<T>(&self, work: impl FnMut(&mut FamilyTx<'_>) -> Result<T>) -> T {
        self.fixture.clock.advance(jiff::SignedDuration::from_secs(1));
        self.fixture.store.write_blocking(self.family, work).unwrap()
    }

    pub(super) fn read<T>(&self, work: impl FnOnce(&mut FamilyTx<'_>) -> Result<T>) -> T {
        self.fixture.store.read_blocking(self.family, work).unwrap()
    }

    /// One run: the plan that it executed, and its id.
    pub(super) fn sync(
        &self,
        reported: &ReportedRows,
        today: i64,
        balance: Option<i64>,
    ) -> (SyncId, SyncPlan) {
        self.write(|tx| {
            let run = SyncRecord {
                connection: None,
                status: SyncStatus::Completed,
                accounts_synced: 1,
                accounts_failed: 0,
                error: None,
                created_at: tx.now(),
                syncing_at: Some(tx.now()),
                completed_at: Some(tx.now()),
                failed_at: None,
            };
            let sync = syncs::put(tx, None, &run)?;
            let known = sync_rows::known(tx, self.of, reported)?;
            let plan = reconcile(&known, reported, day(today));
            let date = day(today);
            let balance = balance.map(|amount| Balance { date, amount, is_cash: true });
            let execution = Execution {
                sync,
                of: self.of,
                today: date,
                known: &known,
                reported,
                plan: &plan,
                evaluations: &HashMap::new(),
                holdings: None,
                balance,
                warnings: &[],
                watermark_before: None,
            };
            execute(tx, execution)?;
            Ok((sync, plan))
        })
    }

    /// The plan that the same answer would have now.
    pub(super) fn plan(&self, reported: &ReportedRows, today: i64) -> SyncPlan {
        self.read(|tx| {
            let known = sync_rows::known(tx, self.of, reported)?;
            Ok(reconcile(&known, reported, day(today)))
        })
    }

    /// Entries, what is known of their rows, and balances, each as a line.
    pub(super) fn state(&self) -> Vec<String> {
        let key = (self.family, self.of.account);
        self.read(|tx| {
            let mut lines = Vec::new();
            for (sql, columns) in [(&LEDGER, 9), (&KNOWN, 6), (&SERIES, 5)] {
                lines.extend(tx.query(sql, vals![key.0, key.1], |row| Ok(line(row, columns)))?);
            }
            Ok(lines)
        })
    }

    /// The ids of the transactions, the oldest first.
    pub(super) fn entries(&self) -> Vec<EntryId> {
        let (family, account) = (self.family, self.of.account);
        self.read(|tx| tx.query(&ENTRIES, vals![family, account], |row| row.id(0)))
    }

    /// The balance at the end of a day.
    pub(super) fn balance(&self, date: i64) -> i64 {
        self.read(|tx| crate::balances::at_end_of(tx, self.of.account, day(date)))
    }

    /// Every invariant of the database holds.
    pub(super) fn check(&self) {
        let files = FileStore::open(&self.fixture.directory, &self.fixture.store).unwrap();
        let outcomes = check::run(&self.fixture.store, &files, |_| {});
        let broken: Vec<_> = outcomes.iter().filter(|outcome| !outcome.holds()).collect();
        assert!(broken.is_empty(), "{broken:?}");
    }
}

/// The columns of a row as text, whatever their types.
fn line(row: &Row<'_>, columns: usize) -> String {
    let shown = (0..columns).map(|at| {
        let text = row.opt_text(at).map(|text| text.map(str::to_owned));
        let number = || row.opt_int(at).map(|number| number.map(|number| number.to_string()));
        let flag = || row.bool(at).map(|flag| Some(flag.to_string()));
        text.or_else(|_| flag()).or_else(|_| number()).ok().flatten().unwrap_or_default()
    });
    shown.collect::<Vec<_>>().join("|")
}
