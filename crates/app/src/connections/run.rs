//! One run of a connection: the list of accounts, then each account for itself, then the result.
//!
//! What came of an account is booked before the next one is asked for (`booking`). Nothing is
//! written while a provider is waited for, and every commit checks that the connection is still
//! this process's. A failure of one account leaves the others alone; a failure of the
//! credentials ends the run, and counts for every account that it didn't come to.

use std::collections::BTreeSet;
use std::time::Duration;

use purser_core::connection::SyncErrorCode;
use purser_core::connection::outcome::{RunResult, StepFailure, StepOutcome};
use purser_core::error::Result;
use purser_core::limits::CONNECTION_SYNCS_KEPT_MAX;
use purser_providers::{Provider, ProviderError};
use purser_store::connections::found::{self, FoundAccount};
use purser_store::connections::history;
use purser_store::connections::runs::{self, ClaimedRun};
use purser_store::{FamilyTx, Secret, syncs};
use uuid::Uuid;

use super::asking::{self, StepResults, failure_of};
use super::booking::AccountAnswers;
use super::questions::Questions;
use super::setup::{note_list, provider};
use crate::App;
use crate::metric_names;
use crate::secrets::SecretOwner;
use crate::sync::RunSettings;

/// Runs a connection that was claimed, and stores what came of it.
pub(super) async fn run(app: &App, claimed: &ClaimedRun) {
    let (outcomes, incomplete) = (Vec::new(), BTreeSet::new());
    let mut run = Run { app, claimed, outcomes, incomplete, rest: None };
    let result = match run.retrieve().await {
        Ok(result) => result,
        Err(error) if runs::is_over(&error) => {
            tracing::info!(connection = %claimed.connection, "a run is over before its end");
            return;
        }
        Err(error) => {
            tracing::error!(connection = %claimed.connection, cause = ?error, "a run failed");
            RunResult::interrupted()
        }
    };
    let outcome = if result.error.is_some() { "failed" } else { "completed" };
    let provider = claimed.provider.clone();
    metrics::counter!(metric_names::SYNCS, "provider" => provider, "result" => outcome)
        .increment(1);
    if let Err(error) = run.finish(result).await {
        // The lease ends, and the connection is claimed again.
        tracing::error!(connection = %claimed.connection, cause = ?error, "a run can't be ended");
    }
}

pub(super) struct Run<'a> {
    pub(super) app: &'a App,
    pub(super) claimed: &'a ClaimedRun,
    pub(super) outcomes: Vec<StepOutcome>,
    /// Accounts of which something is missing or could not be used.
    pub(super) incomplete: BTreeSet<Uuid>,
    /// How long the provider wants to be left alone.
    rest: Option<Duration>,
}

impl Run<'_> {
    async fn retrieve(&mut self) -> Result<RunResult> {
        let kind = provider(&self.claimed.provider)?;
        let Some(credentials) = self.credentials().await? else {
            return Ok(RunResult::without_accounts(StepFailure::Auth));
        };
        let client = self.app.providers.client()?;
        let opened = match kind.open(&client, &credentials) {
            Ok(opened) => opened,
            Err(error) => return Ok(RunResult::without_accounts(self.note(&error))),
        };
        let listed = match opened.accounts().await {
            Ok(listed) => listed,
            Err(error) => return Ok(RunResult::without_accounts(self.note(&error))),
        };
        let (claimed, planning) = (self.claimed.clone(), self.app.providers.planning());
        let (accounts, questions) = self
            .write(move |tx| {
                note_list(tx, claimed.connection, &listed)?;
                let accounts = found::list(tx, claimed.connection)?;
                let settings = RunSettings::of(tx, claimed.sync, kind, planning)?;
                let questions = Questions::of(tx, settings, &accounts)?;
                Ok((accounts, questions))
            })
            .await?;
        let mut ended = None;
        for account in accounts.iter().filter(|account| is_asked_for(account)) {
            ended = self.retrieve_account(&questions, opened.as_ref(), account, ended).await?;
        }
        Ok(RunResult::of(&self.of_linked(&accounts), &self.incomplete))
    }

    /// Asks for everything of one account, unless the run has `ended`, and books what came. Returns
    /// the failure that ends the run, if there is one.
    async fn retrieve_account(
        &mut self,
        questions: &Questions,
        opened: &dyn Provider,
        account: &FoundAccount,
        ended: Option<StepFailure>,
    ) -> Result<Option<StepFailure>> {
        let StepResults { answers, outcomes, ended, rest } =
            asking::ask(questions, opened, account, ended).await;
        self.rest = self.rest.max(rest);
        match account.account {
            Some(linked) => self.book(questions, account, linked, answers, outcomes).await?,
            None => self.note_of_unlinked(account, answers).await?,
        }
        Ok(ended)
    }

    /// Keeps the balance of an account that isn't linked, for whoever links it.
    async fn note_of_unlinked(
        &self,
        account: &FoundAccount,
        answers: AccountAnswers,
    ) -> Result<()> {
        let (id, balance) = (account.id, answers.balance);
        self.write(move |tx| match &balance {
            Some(balance) => found::note_balance(tx, id, balance.amount, balance.currency.known()),
            None => Ok(()),
        })
        .await
    }

    /// The outcomes of linked accounts; what was asked of others is no part of the result.
    fn of_linked(&self, accounts: &[FoundAccount]) -> Vec<StepOutcome> {
        let is_linked = |outcome: &&StepOutcome| {
            accounts.iter().any(|one| one.id.0 == outcome.account && one.account.is_some())
        };
        self.outcomes.iter().filter(is_linked).cloned().collect()
    }

    /// Ends the run with its result.
    async fn finish(&self, result: RunResult) -> Result<()> {
        let (claimed, rest) = (self.claimed.clone(), self.rest);
        let next = self
            .write(move |tx| {
                let next = runs::finish(tx, &claimed, &result, rest)?;
                for old in history::old(tx, claimed.connection, CONNECTION_SYNCS_KEPT_MAX)? {
                    syncs::remove(tx, old)?;
                }
                Ok(next)
            })
            .await?;
        let code = result.error.map(SyncErrorCode::as_str);
        tracing::info!(connection = %self.claimed.connection, sync = %self.claimed.sync,
            synced = result.accounts_synced, failed = result.accounts_failed, code, %next,
            "a connection was synced");
        Ok(())
    }

    /// The key for the provider; `None` if this server can't decrypt it.
    async fn credentials(&self) -> Result<Option<Secret>> {
        let Some(sealed) = self.claimed.credentials.clone() else { return Ok(None) };
        let (keys, connection) = (self.app.providers.keys.clone(), self.claimed.connection);
        let read = move |tx: &mut FamilyTx<'_>| {
            let owner = SecretOwner::of(tx, connection)?;
            Ok(keys.open(&owner, &sealed))
        };
        match self.app.store.read_at_length(self.claimed.access.clone(), read).await? {
            Ok(credentials) => Ok(Some(credentials)),
            Err(error) => {
                tracing::error!(%connection, cause = %error, "a key of a provider can't be used");
                Ok(None)
            }
        }
    }

    /// Writes in one commit, if the connection is still this run's.
    pub(super) async fn write<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut FamilyTx<'_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let claimed = self.claimed.clone();
        let work = move |tx: &mut FamilyTx<'_>| {
            runs::hold(tx, &claimed)?;
            work(tx)
        };
        self.app.store.write(self.claimed.access.clone(), work).await
    }

    /// Notes how long the provider wants to be left alone.
    fn note(&mut self, error: &ProviderError) -> StepFailure {
        self.rest = self.rest.max(error.rest());
        failure_of(error)
    }
}

/// Whether a run asks for anything of an account. Of one that isn't linked only the currency is
/// wanted, if the list doesn't state it.
fn is_asked_for(account: &FoundAccount) -> bool {
    let is_to_be_linked = account.is_listed && !account.is_ignored && account.currency.is_none();
    account.account.is_some() || is_to_be_linked
}
