//! Living through a history.

use std::collections::HashSet;
use std::pin::Pin;
use std::task::Poll;

use jiff::{SignedDuration, ToSpan};
use purser_bank_simulator::histories::{History, Interface, Line, Step};
use purser_bank_simulator::world::Account;
use purser_bank_simulator::{API_KEY, Quirk};
use purser_core::connection::outcome::StepFailure;
use purser_core::connection::{SyncErrorCode, SyncStatus};
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, ConnectionId, EntryId, FoundAccountId, SyncId};
use purser_core::ledger::account::Classification;
use purser_providers::ProviderKind;
use purser_store::audit::Actor;
use purser_store::connections::runs::{self, ClaimedRun, Runner};
use purser_store::{Access, FamilyTx, Secret, sync_outcomes, syncs};

use super::stage::Stage;
use crate::App;
use crate::connections::links::{self, LinkTarget, NewLinkedAccount};
use crate::connections::{request_sync, run, setup};
use crate::limits::SYNC_LEASE;

/// Longer than a process owns a connection without a sign of life.
const LEASE_OVER: SignedDuration = SignedDuration::from_secs(20);
/// Quiet days until what the bank did has come to rest, at most.
const QUIET_DAYS_MAX: u32 = 15;
/// The first quiet days, on which nobody decides on anything.
const OPEN_DAYS: u32 = 2;
/// Days on which everything must have come, so that what is gone is missed.
const GOOD_DAYS: u32 = 3;
/// The same where rows without ids can't be read.
const GOOD_DAYS_HIDDEN: u32 = 5;

/// An account at both ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) at_bank: &'static Account,
    pub(super) found: FoundAccountId,
    pub(super) account: AccountId,
    pub(super) classification: Classification,
}

/// A transaction that a person changed or deleted before a sync knew it.
#[derive(Debug, Clone)]
pub(super) struct ChangedBefore {
    pub(super) entry: EntryId,
    /// The account that it came into.
    pub(super) account: AccountId,
    /// The line as it came.
    pub(super) line: Line,
}

pub(super) struct Life<'a> {
    pub(super) stage: &'a Stage,
    pub(super) history: &'a History,
    pub(super) app: App,
    pub(super) access: Access,
    pub(super) connection: ConnectionId,
    pub(super) links: Vec<Link>,
    /// Runs of this life, the newest last.
    pub(super) runs: Vec<SyncId>,
    /// Entries that a person changed.
    pub(super) touched: HashSet<EntryId>,
    /// Entries that a person deleted because the bank has the transaction less often.
    pub(super) doubles: HashSet<EntryId>,
    /// Transactions that a person changed or deleted before a sync knew them, as they came.
    pub(super) changed_before: Vec<ChangedBefore>,
    /// Entries of syncs about which a person was asked whether they are others.
    pub(super) asked: HashSet<EntryId>,
    pub(super) is_pending_wanted: bool,
    node: usize,
    /// A run of a process that sleeps.
    asleep: Option<Pin<Box<dyn Future<Output = ()>>>>,
}

/// Lives through a history, lets the banks be quiet, and compares. The error is what is wrong.
pub(super) async fn live(stage: &Stage, history: &History) -> std::result::Result<(), String> {
    let mut life = Life::begin(stage, history).await.map_err(|error| format!("{error:?}"))?;
    for step in &history.steps {
        life.step(step).await.map_err(|error| format!("at {step:?}: {error:?}"))?;
    }
    life.wake().await;
    life.quiet().await.map_err(|error| format!("while the banks are quiet: {error:?}"))?;
    life.judge().await
}

impl<'a> Life<'a> {
    async fn begin(stage: &'a Stage, history: &'a History) -> Result<Self> {
        let today = stage.next_morning();
        stage.simulator.clear_faults();
        stage.simulator.set_world(history.world(today));
        let access = stage.family(history.zone).await.access(Actor::System);
        let app = stage.app(0, true);
        let (kind, key) = match history.interface {
            Interface::Lunchflow => (ProviderKind::Lunchflow, API_KEY.to_owned()),
            Interface::Simplefin => (ProviderKind::Simplefin, stage.simulator.setup_token()),
        };
        let tried = setup::try_key(&app, access.clone(), kind, &Secret::new(key)).await?;
        let keys = app.providers.keys.clone();
        let create = move |tx: &mut FamilyTx<'_>| setup::create(tx, &keys, &tried, None);
        let connection = app.store.write(access.clone(), create).await?;
        let (links, runs, touched) = (Vec::new(), Vec::new(), HashSet::new());
        let mut life = Self {
            stage,
            history,
            app,
            access,
            connection,
            links,
            runs,
            touched,
            doubles: HashSet::new(),
            changed_before: Vec::new(),
            asked: HashSet::new(),
            is_pending_wanted: true,
            node: 0,
            asleep: None,
        };
        life.link().await?;
        Ok(life)
    }

    async fn link(&mut self) -> Result<()> {
        let wanted: Vec<&'static Account> = self.history.linked().collect();
        let connection = self.connection;
        self.links = self
            .write(move |tx| {
                let mut made = Vec::new();
                for one in links::list(tx, connection)? {
                    let number = one.found.external_id.clone();
                    let wanted = wanted.iter().find(|known| known.id.to_string() == number);
                    let Some(at_bank) = wanted else { continue };
                    let currency = Some(at_bank.currency.to_owned());
                    let target = NewLinkedAccount { currency, ..NewLinkedAccount::default() };
                    let found = one.found.id;
                    let one = links::link(tx, connection, found, &LinkTarget::New(target))?;
                    let account = one.found.account.ok_or_else(|| Error::internal("no link"))?;
                    let (kind, _) = purser_store::sync_rows::account_of(tx, account)?;
                    let classification = kind.classification();
                    made.push(Link { at_bank, found, account, classification });
                }
                Ok(made)
            })
            .await?;
        assert_eq!(self.links.len(), self.history.accounts.len(), "every account is there");
        Ok(())
    }

    pub(super) async fn write<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.stage.pass(SignedDuration::from_secs(1));
        self.app.store.write(self.access.clone(), work).await
    }

    pub(super) async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        self.app.store.read(self.access.clone(), work).await
    }

    async fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Days(days) => self.pass_days(i64::from(*days)),
            Step::Misbehave(moods) => {
                let quirks = [&self.history.nature[..], moods].concat();
                self.stage.simulator.set_quirks(&quirks);
            }
            Step::Meet(fault) => self.stage.simulator.add_fault(fault.clone()),
            Step::Sync => self.sync().await?,
            Step::Die(moment) => self.die(*moment).await?,
            Step::Sleep(moment) if self.stage.has_two_nodes() => self.fall_asleep(*moment).await?,
            Step::Sleep(moment) => self.die(*moment).await?,
            Step::Pending(is_wanted) => {
                self.is_pending_wanted = *is_wanted;
                self.restart();
            }
            Step::Person(deed, which) => self.meddle(*deed, usize::from(*which)).await?,
            Step::PersonBefore(deed, which) => {
                self.meddle_before(*deed, usize::from(*which)).await?;
            }
            Step::Import(days) => self.import(i64::from(*days)).await?,
            Step::Decide => self.decide().await?,
            Step::Undo => self.undo().await?,
            Step::Relink => self.relink().await?,
        }
        Ok(())
    }

    fn pass_days(&self, days: i64) {
        self.stage.pass(SignedDuration::from_hours(24 * days));
        let simulator = &self.stage.simulator;
        simulator.set_today(simulator.world().today.saturating_add(days.days()));
    }

    /// Another process takes the place of the one before.
    fn restart(&mut self) {
        self.stage.pass(LEASE_OVER);
        self.node += 1;
        self.app = self.stage.app(self.node, self.is_pending_wanted);
    }

    /// Requests a run and claims it, if the provider may be asked by now.
    async fn claim(&mut self) -> Result<Option<ClaimedRun>> {
        self.stage.pass(SignedDuration::from_mins(1));
        let connection = self.connection;
        self.write(move |tx| request_sync(tx, connection)).await?;
        let (node, is_alone) = (self.app.node.clone(), self.app.store.is_sqlite());
        let claimed = self
            .write(move |tx| runs::claim(tx, Runner { node: &node, is_alone }, SYNC_LEASE))
            .await?;
        self.runs.extend(claimed.iter().map(|claimed| claimed.sync));
        Ok(claimed)
    }

    /// One run to its end, whatever comes of it; and that of a process that slept meanwhile.
    pub(super) async fn sync(&mut self) -> Result<()> {
        if let Some(claimed) = self.claim().await? {
            run::run(&self.app, &claimed).await;
            self.require_booked(claimed.sync).await?;
            self.note_questions().await?;
            if self.stage.moves_watermark.get() {
                self.move_watermarks().await?;
            }
        }
        self.wake().await;
        Ok(())
    }

    /// What came was booked: a bank may do what it likes.
    async fn require_booked(&self, sync: SyncId) -> Result<()> {
        let look = move |tx: &mut FamilyTx<'_>| {
            Ok((syncs::get(tx, sync)?, sync_outcomes::list(tx, sync)?))
        };
        let (run, outcomes) = self.read(look).await?;
        let is_interrupted = run.error == Some(SyncErrorCode::Interrupted);
        let is_refused =
            outcomes.iter().any(|one| one.outcome.failure == Some(StepFailure::NotBooked));
        if is_interrupted || is_refused || run.status.is_running() {
            return Err(Error::internal(format!("{run:?} {outcomes:?}")));
        }
        Ok(())
    }

    /// A run of which the process dies at a moment.
    async fn die(&mut self, moment: u16) -> Result<()> {
        if let Some(claimed) = self.claim().await? {
            let mut run = Box::pin(run::run(&self.app, &claimed));
            until(&mut run, moment).await;
            drop(run);
        }
        self.restart();
        Ok(())
    }

    /// A run that goes on when another process has had its turn.
    async fn fall_asleep(&mut self, moment: u16) -> Result<()> {
        self.wake().await;
        if let Some(claimed) = self.claim().await? {
            let app = self.app.clone();
            let mut run: Pin<Box<dyn Future<Output = ()>>> =
                Box::pin(async move { run::run(&app, &claimed).await });
            if !until(&mut run, moment).await {
                self.asleep = Some(run);
            }
        }
        self.restart();
        Ok(())
    }

    async fn wake(&mut self) {
        if let Some(run) = self.asleep.take() {
            run.await;
        }
    }

    /// The banks do nothing any more, and behave; days pass until everything has come.
    async fn quiet(&mut self) -> Result<()> {
        let simulator = &self.stage.simulator;
        simulator.clear_faults();
        simulator.set_quirks(&self.history.nature);
        let hides_rows = self.history.nature.contains(&Quirk::BrokenRows);
        let wanted = if hides_rows { GOOD_DAYS_HIDDEN } else { GOOD_DAYS };
        let mut good_days = 0;
        for day in 0..QUIET_DAYS_MAX {
            self.stage.pass(SignedDuration::from_hours(24));
            self.sync().await?;
            if day < OPEN_DAYS {
                continue;
            }
            self.decide().await?;
            if self.has_all_come().await? {
                good_days += 1;
            }
            if good_days == wanted {
                return Ok(());
            }
        }
        Err(Error::internal("the banks behave, and something doesn't come"))
    }

    async fn has_all_come(&self) -> Result<bool> {
        let Some(sync) = self.runs.last().copied() else { return Ok(false) };
        let (run, outcomes) = self
            .read(move |tx| Ok((syncs::get(tx, sync)?, sync_outcomes::list(tx, sync)?)))
            .await?;
        let has_failed = |one: &sync_outcomes::NamedOutcome| {
            let failure = one.outcome.failure;
            failure.is_some_and(|failure| failure != StepFailure::Unsupported)
        };
        Ok(run.status == SyncStatus::Completed && !outcomes.iter().any(has_failed))
    }

    pub(super) async fn relink(&mut self) -> Result<()> {
        let (connection, links) = (self.connection, self.links.clone());
        self.write(move |tx| {
            for link in &links {
                links::unlink(tx, connection, link.found)?;
                links::link(tx, connection, link.found, &LinkTarget::Existing(link.account))?;
            }
            Ok(())
        })
        .await
    }
}

/// Polls a future so many times; whether it has ended.
async fn until<F: Future<Output = ()> + ?Sized>(run: &mut Pin<Box<F>>, moment: u16) -> bool {
    let mut left = moment;
    std::future::poll_fn(|context| match run.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(true),
        Poll::Pending if left == 0 => Poll::Ready(false),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    })
    .await
}
