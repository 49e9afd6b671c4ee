//! Whether the ledger has what the banks have.

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, ToSpan};
use purser_bank_simulator::histories::{KnownLine, Line, LineState, SHORT_HISTORY_DAYS, compare};
use purser_core::error::Result;
use purser_core::ids::EntryId;
use purser_core::ledger::account::Classification;
use purser_core::ledger::locks::LockField;
use purser_core::sync::{KnownState, OtherEntry, ReportedRows, SourceRow};
use purser_store::connections::found;
use purser_store::sync_rows::{self, SourceAccount};
use purser_store::{balances, connections, families};

use super::life::{Life, Link};
use crate::sync;
use crate::transactions::{self, Transaction};

/// Units of the ledger in a hundredth.
const UNITS: i64 = 100;

/// A line that is known of a bank, and its entry.
pub(super) struct KnownEntry {
    pub(super) entry: EntryId,
    pub(super) line: KnownLine,
    pub(super) state: KnownState,
    transaction: Option<Transaction>,
}

impl Life<'_> {
    /// Compares everything; the error is what is wrong.
    pub(super) async fn judge(&mut self) -> std::result::Result<(), String> {
        let failed = |error| format!("{error:?}");
        let world = self.stage.simulator.world();
        // What the bank didn't show when it was asked for doesn't come by itself later.
        let first = match self.history.is_cut_short() {
            true => world.today.saturating_sub((SHORT_HISTORY_DAYS - 1).days()),
            false => Date::MIN,
        };
        self.compare(first).await?;
        self.require_same_again().await?;
        self.relink().await.map_err(failed)?;
        // The key has had its requests of the day, and what was pending has to come again.
        self.stage.pass(SignedDuration::from_hours(24));
        self.sync().await.map_err(failed)?;
        self.decide().await.map_err(failed)?;
        self.compare(Date::MIN).await.map_err(|problem| format!("linked anew: {problem}"))
    }

    async fn compare(&self, first: Date) -> std::result::Result<(), String> {
        let failed = |error| format!("{error:?}");
        let world = self.stage.simulator.world();
        for link in &self.links {
            let name = link.at_bank.name;
            let mut at_bank = self.history.lines(&world, link.at_bank, self.is_pending_wanted);
            at_bank.retain(|line| line.date >= first);
            let known = self.known(*link).await.map_err(failed)?;
            let lines: Vec<KnownLine> = known
                .iter()
                .filter(|one| one.line.line.date >= first)
                .map(|one| one.line.clone())
                .collect();
            compare(&at_bank, &lines).map_err(|problem| format!("{name}: {problem}"))?;
            for one in &known {
                one.require_followed().map_err(|problem| format!("{name}: {problem}"))?;
            }
            let others = self.others(*link).await.map_err(failed)?;
            let left: Vec<&OtherEntry> =
                others.iter().filter(|other| !self.touched.contains(&other.entry)).collect();
            if !left.is_empty() {
                return Err(format!("{name}: no row stands for {left:?}"));
            }
            self.require_once(*link, &known).map_err(|problem| format!("{name}: {problem}"))?;
            self.require_balance(*link, world.balance(link.at_bank)).await?;
            self.require_no_drift(*link).await?;
        }
        Ok(())
    }

    /// What a person changed or deleted before a sync knew it didn't come again without a question:
    /// the row is that entry, or else nothing was added for it.
    fn require_once(&self, link: Link, known: &[KnownEntry]) -> std::result::Result<(), String> {
        for before in self.changed_before.iter().filter(|one| one.account == link.account) {
            let came_again = |one: &&KnownEntry| {
                one.line.line == before.line
                    && one.state != KnownState::Deleted
                    && one.entry > before.entry
                    && !self.asked.contains(&one.entry)
            };
            let is_known = known.iter().any(|one| one.entry == before.entry);
            if let Some(again) = known.iter().find(came_again).filter(|_| !is_known) {
                return Err(format!("{before:?} came again as {:?}", again.entry));
            }
        }
        Ok(())
    }

    /// The ledger's balance is the bank's.
    async fn require_balance(&self, link: Link, cents: i64) -> std::result::Result<(), String> {
        let look = move |tx: &mut purser_store::FamilyTx<'_>| {
            let zone = families::get(tx)?.time_zone;
            let zone = TimeZone::get(&zone).unwrap_or(TimeZone::UTC);
            let today = tx.now().to_zoned(zone).date();
            balances::at_end_of(tx, link.account, today)
        };
        let found = self.read(look).await.map_err(|error| format!("{error:?}"))?;
        let wanted = match link.classification {
            Classification::Asset => cents * UNITS,
            Classification::Liability => -cents * UNITS,
        };
        if found == wanted {
            return Ok(());
        }
        Err(format!("{}: a balance of {found} instead of {wanted}", link.at_bank.name))
    }

    /// What the ledger has explains what the bank has, unless people changed the ledger.
    async fn require_no_drift(&self, link: Link) -> std::result::Result<(), String> {
        if self.history.changes_amounts() {
            return Ok(());
        }
        let connection = self.connection;
        let look =
            move |tx: &mut purser_store::FamilyTx<'_>| found::get(tx, connection, link.found);
        let found = self.read(look).await.map_err(|error| format!("{error:?}"))?;
        match found.drift {
            Some(0) => Ok(()),
            drift => Err(format!("{}: a drift of {drift:?}", link.at_bank.name)),
        }
    }

    /// A run that finds nothing new changes nothing. The first of the two asks for the days since
    /// the last one, in which an id of several rows may be that of one; the other asks for the
    /// same.
    async fn require_same_again(&mut self) -> std::result::Result<(), String> {
        let failed = |error| format!("{error:?}");
        self.sync().await.map_err(failed)?;
        self.sync().await.map_err(failed)?;
        let Some(sync) = self.runs.last().copied() else { return Ok(()) };
        let plans = self.read(move |tx| sync::changes_of(tx, sync)).await.map_err(failed)?;
        match plans.iter().find(|plan| plan.counts.has_changes() || plan.counts.absent > 0) {
            None => Ok(()),
            Some(plan) => Err(format!("the same answer changed something: {:?}", plan.counts)),
        }
    }

    /// What is known of an account from its bank, with the entries.
    pub(super) async fn known(&self, link: Link) -> Result<Vec<KnownEntry>> {
        let (connection, doubles) = (self.connection, self.doubles.clone());
        let look = move |tx: &mut purser_store::FamilyTx<'_>| {
            let source = connections::get(tx, connection)?.provider;
            let of = SourceAccount { account: link.account, source: &source };
            let known = sync_rows::known(tx, of, &every_day())?.rows;
            let mut found = Vec::new();
            for one in known {
                let transaction = match one.state {
                    KnownState::Deleted => None,
                    _ => Some(transactions::get(tx, one.entry)?),
                };
                let state = match one.state {
                    KnownState::Deleted if doubles.contains(&one.entry) => LineState::Surplus,
                    KnownState::Deleted => LineState::Deleted,
                    KnownState::Touched => LineState::Touched,
                    KnownState::Untouched => LineState::Untouched,
                };
                let line = KnownLine { line: line_of(&one.row), state };
                found.push(KnownEntry { entry: one.entry, line, state: one.state, transaction });
            }
            Ok(found)
        };
        self.read(look).await
    }

    async fn others(&self, link: Link) -> Result<Vec<OtherEntry>> {
        let connection = self.connection;
        let look = move |tx: &mut purser_store::FamilyTx<'_>| {
            let source = connections::get(tx, connection)?.provider;
            let of = SourceAccount { account: link.account, source: &source };
            Ok(sync_rows::known(tx, of, &every_day())?.others)
        };
        self.read(look).await
    }
}

impl KnownEntry {
    /// The entry has what the bank reported, but for what a person set.
    fn require_followed(&self) -> std::result::Result<(), String> {
        let Some(entry) = &self.transaction else { return Ok(()) };
        let line = &self.line.line;
        let is_free = |field| !entry.locked.has(field);
        let differs = (is_free(LockField::Date) && entry.date != line.date)
            || (is_free(LockField::Amount) && entry.amount != -line.amount * UNITS)
            || (is_free(LockField::Name) && entry.name != line.name)
            || entry.pending != line.pending;
        if differs { Err(format!("the bank has {line:?}, the entry is {entry:?}")) } else { Ok(()) }
    }
}

/// A transaction as a line of its bank.
pub(super) fn line_of_entry(entry: &Transaction) -> Line {
    let Transaction { date, amount, name, pending, .. } = entry;
    Line { date: *date, amount: -amount / UNITS, name: name.clone(), pending: *pending }
}

fn line_of(row: &SourceRow) -> Line {
    let SourceRow { date, amount, name, pending, .. } = row;
    Line { date: *date, amount: -amount / UNITS, name: name.clone(), pending: *pending }
}

/// An answer about all days, to look at everything that is known.
fn every_day() -> ReportedRows {
    ReportedRows {
        rows: Vec::new(),
        from: date(2000, 1, 1),
        to: date(2100, 1, 1),
        is_whole: false,
        is_doubtful: false,
        has_pending: false,
        unreadable: 0,
        unreadable_ids: Vec::new(),
    }
}
