//! What a run of a connection would change now: the provider is asked, and nothing is written.

use std::sync::Arc;
use std::time::Duration;

use purser_core::connection::outcome::StepOutcome;
use purser_core::error::{Error, Result};
use purser_core::ids::{ConnectionId, SyncId};
use purser_providers::{Call, ErrorClass, ProviderError, ProviderKind};
use purser_store::connections::found::{self, FoundAccount};
use purser_store::connections::rests;
use purser_store::{Access, FamilyTx, Secret, connections};
use uuid::Uuid;

use super::asking::{self, StepResults};
use super::questions::Questions;
use super::setup::{provider, refused};
use crate::App;
use crate::secrets::SecretOwner;
use crate::sync::{self, AccountPlan, LinkedAccount, RunSettings};

/// What a run would change in a linked account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedAccount {
    /// The account at the provider.
    pub found: FoundAccount,
    /// What came of each step.
    pub outcomes: Vec<StepOutcome>,
    /// What would be changed.
    pub plan: AccountPlan,
}

/// What is known before the provider is asked.
struct Beginning {
    kind: ProviderKind,
    credentials: Option<Secret>,
    accounts: Vec<FoundAccount>,
    questions: Questions,
}

/// What a run of a connection would change now in each linked account.
///
/// # Errors
/// Those of a key that is tried, if the provider doesn't answer; `provider_rests` while it wants to
/// be left alone, whoever asks.
pub async fn plan(app: &App, access: Access, id: ConnectionId) -> Result<Vec<PlannedAccount>> {
    let (keys, planning) = (app.providers.keys.clone(), app.providers.planning());
    let begin = move |tx: &mut FamilyTx<'_>| {
        let connection = connections::get(tx, id)?;
        if connection.scheduled_for_deletion {
            return Err(Error::Conflict {
                code: "scheduled_for_deletion",
                message: "The connection is being deleted".to_owned(),
            });
        }
        require_rested(tx, id)?;
        let owner = SecretOwner::of(tx, id)?;
        let sealed = connection.credentials.as_deref();
        let credentials = sealed.and_then(|sealed| keys.open(&owner, sealed).ok());
        let kind = provider(&connection.provider)?;
        let mut accounts = found::list(tx, id)?;
        accounts.retain(|account| account.account.is_some());
        // Nothing is kept of the run.
        let settings = RunSettings::of(tx, SyncId(Uuid::nil()), kind, planning)?;
        let questions = Questions::of(tx, settings, &accounts)?;
        Ok(Beginning { kind, credentials, accounts, questions })
    };
    let Beginning { kind, credentials, accounts, questions } =
        app.store.read_at_length(access.clone(), begin).await?;
    let _share = app.enrolments.take((&access).into(), 1).await?;
    let Some(credentials) = credentials else {
        return Err(refused(ProviderError::new(ErrorClass::Auth, Call::Accounts)));
    };
    let client = app.providers.client()?;
    let opened = kind.open(&client, &credentials).map_err(refused)?;
    // Whether the key works, and whether the provider answers at all.
    if let Err(error) = opened.accounts().await {
        note_rest(app, access, id, error.rest()).await?;
        return Err(refused(error));
    }
    let questions = Arc::new(questions);
    let (mut planned, mut ended, mut rest) = (Vec::new(), None, None);
    for found in accounts {
        let asked = asking::ask(&questions, opened.as_ref(), &found, ended).await;
        ended = asked.ended;
        rest = rest.max(asked.rest);
        let questions = questions.clone();
        let work = move |tx: &mut FamilyTx<'_>| planned_account(tx, &questions, found, asked);
        planned.extend(app.store.read_at_length(access.clone(), work).await?);
    }
    note_rest(app, access, id, rest).await?;
    Ok(planned)
}

/// Refuses while the provider wants to be left alone.
pub(super) fn require_rested(tx: &mut FamilyTx<'_>, id: ConnectionId) -> Result<()> {
    match rests::rest_of(tx, id)? {
        None => Ok(()),
        Some(until) => Err(Error::Conflict {
            code: "provider_rests",
            message: format!("The provider wants to be left alone until {until:.0}"),
        }),
    }
}

/// Notes that the provider wants to be left alone, so that runs keep to it, too.
async fn note_rest(
    app: &App,
    access: Access,
    id: ConnectionId,
    rest: Option<Duration>,
) -> Result<()> {
    let Some(rest) = rest else { return Ok(()) };
    app.store.write(access, move |tx| rests::note_rest(tx, id, rest)).await
}

fn planned_account(
    tx: &mut FamilyTx<'_>,
    questions: &Questions,
    found: FoundAccount,
    asked: StepResults,
) -> Result<Option<PlannedAccount>> {
    // Somebody may have ended the link meanwhile.
    let now = found::get(tx, found.connection, found.id)?;
    let Some(account) = now.account.filter(|account| found.account == Some(*account)) else {
        return Ok(None);
    };
    let linked = LinkedAccount { account, watermark: now.watermark, stated: now.newest_currency() };
    let answers = asked.answers.as_answers();
    let prepared = sync::prepare(tx, &linked, &answers, &questions.settings)?;
    let outcomes = prepared.outcomes_of(&asked.outcomes);
    Ok(Some(PlannedAccount { found, outcomes, plan: prepared.shown() }))
}
