//! `GET /connections/{id}`: the state of a connection, its accounts and its latest syncs.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;
use purser_app::connections::links::{self, LinkableAccount};
use purser_app::connections::{self, ConnectionState};
use purser_app::syncs::{self, NamedOutcome, Sync};
use purser_app::{FamilyTx, accounts};
use purser_core::connection::proposal::can_be_linked;
use purser_core::connection::{ConnectionStatus, FoundAccountState, SyncStatus};
use purser_core::error::Result;
use purser_core::ids::ConnectionId;
use purser_core::money::decimal::quantity_text;

use super::{state_of, title_of};
use crate::http::error::ApiError;
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer::{self, see_other};
use crate::web::error::WebResult;
use crate::web::form::{Filled, Form};
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view::{self, Choice};

/// Syncs that the page shows.
const RUNS_SHOWN: i64 = 10;

#[derive(Template)]
#[template(path = "connections/show.html")]
pub(super) struct Page {
    layout: Layout,
    form: Filled,
    id: String,
    name: String,
    provider: &'static str,
    summary: String,
    state: &'static str,
    warnings: Vec<String>,
    is_syncing: bool,
    is_leaving: bool,
    last: Option<String>,
    next: Option<String>,
    unlinked: Vec<UnlinkedRow>,
    linked: Vec<LinkedRow>,
    types: Vec<Choice>,
    currencies: Vec<Choice>,
    runs: Vec<RunRow>,
}

struct UnlinkedRow {
    id: String,
    /// The name of the form's field for the choice.
    target_field: String,
    name: String,
    bank: Option<String>,
    balance: Option<String>,
    note: Option<&'static str>,
    choices: Vec<Choice>,
    proposed: &'static str,
    needs_currency: bool,
    is_ignored: bool,
}

struct LinkedRow {
    id: String,
    name: String,
    account: String,
    account_id: String,
    note: Option<&'static str>,
}

struct RunRow {
    time: String,
    state: String,
    failures: Vec<String>,
}

/// What the page needs of the database.
struct Content {
    state: ConnectionState,
    found: Vec<LinkableAccount>,
    own: Vec<accounts::Account>,
    runs: Vec<(Sync, Vec<NamedOutcome>)>,
}

impl Content {
    fn read(
        tx: &mut FamilyTx<'_>,
        keys: &purser_app::secrets::SecretKeys,
        id: ConnectionId,
    ) -> Result<Self> {
        let state = connections::get(tx, keys, id)?;
        let found = links::list(tx, id)?;
        let own = accounts::list(tx, accounts::Listing::default(), i64::MAX, 0)?.0;
        let mut runs = Vec::new();
        for run in syncs::of_connection(tx, id, RUNS_SHOWN)? {
            let outcomes = syncs::outcomes(tx, run.id)?;
            runs.push((run, outcomes));
        }
        Ok(Self { state, found, own, runs })
    }
}

/// The page, with a form that was refused, if one was.
pub(super) async fn page(
    app: &AppState,
    who: &SignedIn,
    id: ConnectionId,
    form: Option<Filled>,
) -> WebResult<Page> {
    let keys = app.providers.keys.clone();
    let content = app.store.read(who.access(), move |tx| Content::read(tx, &keys, id)).await?;
    let Content { state, found, own, runs } = content;
    let time = |time: Timestamp| view::time(time, &who.time_zone);
    let (linked, unlinked): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|one| one.found.account.is_some());
    let taken: Vec<_> = linked.iter().filter_map(|one| one.found.account).collect();
    let is_free = |account: &&accounts::Account| {
        can_be_linked(account.summary.account_type) && !taken.contains(&account.summary.id)
    };
    let free: Vec<&accounts::Account> = own.iter().filter(is_free).collect();
    let connection = &state.connection;
    let form = form.unwrap_or_else(|| Filled::new(Form::of([("name", &connection.name)])));
    let is_type = |choice: &Choice| {
        purser_core::ledger::account::AccountType::read(&choice.value).is_some_and(can_be_linked)
    };
    Ok(Page {
        layout: Layout::new(who, Section::Accounts),
        form,
        id: id.to_string(),
        name: connection.name.clone(),
        provider: title_of(&connection.provider),
        summary: connection.coverage.summary(),
        state: state_of(&state),
        warnings: warnings(&state),
        is_syncing: connection.latest.as_ref().is_some_and(|run| run.status.is_running()),
        is_leaving: connection.scheduled_for_deletion,
        last: connection.last_synced_at.map(time),
        next: connection.next_attempt_at.map(time),
        unlinked: unlinked.into_iter().map(|one| unlinked_row(one, &free)).collect(),
        linked: linked.into_iter().map(linked_row).collect(),
        types: view::account_types().into_iter().filter(is_type).collect(),
        currencies: view::currencies(),
        runs: runs.iter().map(|(run, outcomes)| run_row(run, outcomes, &time)).collect(),
    })
}

pub(super) async fn show(
    State(app): State<AppState>,
    id: std::result::Result<Id<ConnectionId>, ApiError>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let Id(id) = id?;
    let mut page = page(&app, &who, id, None).await?;
    page.layout = page.layout.with_notice(&query);
    Ok(answer::ok(&page))
}

/// A refused form stays at an address that only takes POST.
pub(super) async fn redirect(
    id: std::result::Result<Id<ConnectionId>, ApiError>,
    _who: SignedIn,
) -> WebResult<Response> {
    let Id(id) = id?;
    Ok(see_other(&format!("/connections/{id}")))
}

/// What a person should do, in words.
fn warnings(state: &ConnectionState) -> Vec<String> {
    let connection = &state.connection;
    let mut warnings = Vec::new();
    if connection.scheduled_for_deletion {
        return warnings;
    }
    if !state.is_key_readable {
        let sentence = "The stored key can't be decrypted with the server's secret key. Enter it \
                        again below.";
        warnings.push(sentence.to_owned());
    }
    let error = connection.latest.as_ref().and_then(|run| run.error);
    match error {
        Some(error) => warnings.push(error.sentence().to_owned()),
        None if connection.status == ConnectionStatus::RequiresUpdate => {
            warnings.push("A bank asks for a new consent: renew it at the provider.".to_owned());
        }
        None => {}
    }
    if connection.coverage.synced_once && connection.coverage.total == 0 {
        let sentence = "The key may not see any account: choose at the provider what it shares.";
        warnings.push(sentence.to_owned());
    }
    warnings
}

fn unlinked_row(account: LinkableAccount, free: &[&accounts::Account]) -> UnlinkedRow {
    let note = note(&account);
    let LinkableAccount { found, proposal, .. } = account;
    let fits = |own: &&&accounts::Account| {
        found.currency.is_none_or(|currency| currency == own.currency)
    };
    let choices = free.iter().filter(fits).map(|own| {
        Choice::new(own.summary.id.to_string(), own.summary.name.clone())
    });
    let code = found.currency.map(|currency| currency.code());
    let balance = found.reported_balance.map(|balance| {
        format!("{} {}", quantity_text(balance), code.unwrap_or_default()).trim_end().to_owned()
    });
    UnlinkedRow {
        id: found.id.to_string(),
        target_field: format!("target-{}", found.id),
        choices: choices.collect(),
        name: found.name,
        bank: found.institution_name,
        balance,
        note,
        proposed: proposal.account_type.as_str(),
        needs_currency: found.currency.is_none(),
        is_ignored: found.is_ignored,
    }
}

fn linked_row(account: LinkableAccount) -> LinkedRow {
    let note = note(&account);
    let LinkableAccount { found, account_name, .. } = account;
    LinkedRow {
        id: found.id.to_string(),
        name: found.name,
        account: account_name.unwrap_or_default(),
        account_id: found.account.map(|account| account.to_string()).unwrap_or_default(),
        note,
    }
}

fn note(account: &LinkableAccount) -> Option<&'static str> {
    let found = &account.found;
    match found.state {
        _ if !found.is_listed => Some("The provider doesn't list it any more."),
        FoundAccountState::Active => None,
        FoundAccountState::ConsentExpired => Some("The bank asks for a new consent."),
        FoundAccountState::Failing => Some("The bank has a failure that may pass."),
    }
}

fn run_row(run: &Sync, outcomes: &[NamedOutcome], time: &dyn Fn(Timestamp) -> String) -> RunRow {
    let state = match (run.status, run.error) {
        (_, Some(error)) => error.sentence().to_owned(),
        (SyncStatus::Completed, None) if run.accounts_failed > 0 => {
            format!("Completed; accounts that failed: {}", run.accounts_failed)
        }
        (SyncStatus::Completed, None) => "Completed".to_owned(),
        (SyncStatus::Pending, None) => "Queued".to_owned(),
        (SyncStatus::Syncing, None) => "Under way".to_owned(),
        (SyncStatus::Failed | SyncStatus::Stale, None) => "Failed".to_owned(),
    };
    let failed = outcomes.iter().filter_map(|named| {
        let failure = named.outcome.failure.filter(|failure| failure.counts())?;
        let account = named.account_name.as_deref().unwrap_or("An account");
        Some(format!("{account}, {}: {}", named.outcome.step.as_str(), failure.sentence()))
    });
    RunRow { time: time(run.updated_at()), state, failures: failed.collect() }
}
