//! What came for a linked account becomes entries, in as many commits as it takes.
//!
//! The plan is made in a snapshot, while others write, and is executed in parts: SQLite has one
//! writer for all families, and a first sync may bring a hundred thousand transactions. Each commit
//! checks that the connection is still this run's, the account still linked, and the plan still
//! made of what the ledger has; else another plan is made, to which everything that was executed is
//! known. Outcomes and watermark are stored with the last part. A run that dies before leaves
//! entries that the next run recognises.

use std::sync::Arc;

use purser_core::connection::outcome::{StepFailure, StepOutcome, SyncStep};
use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::limits::PUBLISH_PART_ROWS;
use purser_providers::snapshot::{BalanceSnapshot, HoldingsSnapshot, TransactionsSnapshot};
use purser_providers::window::Window;
use purser_store::connections::found::{self, FoundAccount};
use purser_store::connections::runs;
use purser_store::{FamilyTx, sync_outcomes};

use super::questions::Questions;
use super::run::Run;
use crate::sync::{self, Answers, LinkedAccount, PreparedPlan, Progress, RunSettings};

/// How often a plan is made anew because somebody changed what it was made of, before it is made
/// and executed in one commit.
const PLANS_MAX: u32 = 5;

/// What came for an account.
#[derive(Default)]
pub(super) struct AccountAnswers {
    pub(super) balance: Option<BalanceSnapshot>,
    pub(super) transactions: Option<(Window, TransactionsSnapshot)>,
    pub(super) holdings: Option<HoldingsSnapshot>,
}

impl AccountAnswers {
    pub(super) fn as_answers(&self) -> Answers<'_> {
        Answers {
            transactions: self.transactions.as_ref().map(|(window, came)| (*window, came)),
            balance: self.balance.as_ref(),
            holdings: self.holdings.as_ref(),
        }
    }
}

/// Everything that the commits for an account share.
struct Booking {
    found: FoundAccount,
    linked: LinkedAccount,
    settings: RunSettings,
    answers: AccountAnswers,
    outcomes: Vec<StepOutcome>,
}

/// What a commit came to.
enum Part {
    /// It executed more of the plan.
    Executed(Box<Progress>),
    /// The plan doesn't hold any more.
    Outdated,
    /// Somebody has ended the link.
    Unlinked,
}

impl Run<'_> {
    /// Books what came for a linked account, and stores the outcomes with it. What the ledger can't
    /// take is an outcome, too.
    pub(super) async fn book(
        &mut self,
        questions: &Questions,
        found: &FoundAccount,
        account: AccountId,
        answers: AccountAnswers,
        outcomes: Vec<StepOutcome>,
    ) -> Result<()> {
        let linked =
            LinkedAccount { account, watermark: found.watermark, stated: found.newest_currency() };
        let (found, settings) = (found.clone(), questions.settings.clone());
        let booking = Arc::new(Booking { found, linked, settings, answers, outcomes });
        match self.book_in_parts(&booking).await {
            Ok(Some(plan)) => {
                if plan.has_gaps() {
                    self.incomplete.insert(booking.found.id.0);
                }
                self.outcomes.extend(plan.outcomes_of(&booking.outcomes));
            }
            Ok(None) => self.outcomes.extend(booking.outcomes.iter().cloned()),
            Err(error) if runs::is_over(&error) => return Err(error),
            Err(error) => {
                tracing::error!(connection = %self.claimed.connection, %account, cause = ?error,
                    "what a provider reported of an account can't be booked");
                let mut outcomes = booking.outcomes.clone();
                for outcome in outcomes.iter_mut().filter(|outcome| outcome.failure.is_none()) {
                    outcome.failure = Some(StepFailure::NotBooked);
                }
                self.outcomes.extend(outcomes.iter().cloned());
                let sync = self.claimed.sync;
                self.write(move |tx| sync_outcomes::put(tx, sync, &outcomes)).await?;
            }
        }
        Ok(())
    }

    /// The plan that was executed last; `None` if somebody has ended the link.
    async fn book_in_parts(&self, booking: &Arc<Booking>) -> Result<Option<Arc<PreparedPlan>>> {
        let part_rows = self.app.imports.publish_part_rows.unwrap_or(PUBLISH_PART_ROWS);
        let changes_max = usize::try_from(part_rows).unwrap_or(usize::MAX);
        let mut progress = Progress::default();
        for _ in 0..PLANS_MAX {
            let making = booking.clone();
            let access = self.claimed.access.clone();
            let plan = self.app.store.read_at_length(access, move |tx| making.plan(tx)).await?;
            let plan = Arc::new(plan);
            progress = progress.of_new_plan();
            while !progress.is_done() {
                let (booking, plan, before) = (booking.clone(), plan.clone(), progress.clone());
                let part = self
                    .write(move |tx| booking.execute_part(tx, &plan, &before, changes_max))
                    .await?;
                match part {
                    Part::Executed(after) => progress = *after,
                    Part::Outdated => break,
                    Part::Unlinked => return Ok(None),
                }
            }
            if progress.is_done() {
                return Ok(Some(plan));
            }
        }
        // The family changes its ledger all the time: nobody else does while this commit lasts.
        let (booking, before) = (booking.clone(), progress.of_new_plan());
        self.write(move |tx| {
            let plan = booking.plan(tx)?;
            booking.execute_part(tx, &plan, &before, usize::MAX)?;
            Ok(Some(Arc::new(plan)))
        })
        .await
    }
}

impl Booking {
    fn plan(&self, tx: &mut FamilyTx<'_>) -> Result<PreparedPlan> {
        let prepared = sync::prepare(tx, &self.linked, &self.answers.as_answers(), &self.settings)?;
        Ok(prepared.to_execute())
    }

    /// Executes more of a plan; with the last part everything else is stored that came.
    fn execute_part(
        &self,
        tx: &mut FamilyTx<'_>,
        plan: &PreparedPlan,
        before: &Progress,
        changes_max: usize,
    ) -> Result<Part> {
        let now = found::get(tx, self.found.connection, self.found.id)?;
        if now.account != Some(self.linked.account) {
            return Ok(Part::Unlinked);
        }
        if !plan.is_current(tx, before)? {
            return Ok(Part::Outdated);
        }
        let after = plan.execute_part(tx, before, changes_max)?;
        if after.is_done() {
            if let Some(balance) = &self.answers.balance {
                let currency = balance.currency.known();
                found::note_balance(tx, self.found.id, balance.amount, currency)?;
            }
            // Who has linked it anew or undone a sync wants what came before, too.
            if let Some(watermark) = plan.watermark()
                && now.watermark == self.linked.watermark
            {
                found::set_watermark(tx, self.linked.account, Some(watermark))?;
            }
            self.note_holdings(tx, &now)?;
            let outcomes = plan.outcomes_of(&self.outcomes);
            sync_outcomes::put(tx, self.settings.sync, &outcomes)?;
        }
        Ok(Part::Executed(Box::new(after)))
    }

    /// Notes whether the provider had holdings to report: if it had none, it isn't asked again for
    /// a while.
    fn note_holdings(&self, tx: &mut FamilyTx<'_>, now: &FoundAccount) -> Result<()> {
        let mut steps = self.outcomes.iter();
        let Some(asked) = steps.find(|one| one.step == SyncStep::Holdings) else { return Ok(()) };
        match (asked.failure, now.holdings_unsupported_at) {
            (Some(StepFailure::Unsupported), _) => found::note_holdings(tx, self.found.id, false),
            (None, Some(_)) => found::note_holdings(tx, self.found.id, true),
            _ => Ok(()),
        }
    }
}
