//! `GET /connections/{id}`: one connection, with what is under way and its newest runs;
//! `POST /connections/{id}/sync`: a run at once. A script loads what is under way again and again;
//! without it the page loads itself.

use std::collections::{HashMap, HashSet};

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::audit::Actor;
use purser_app::connections::links::{self, LinkableAccount};
use purser_app::connections::{self, ConnectionState, history};
use purser_app::syncs::{self, Sync};
use purser_app::{FamilyTx, users};
use purser_core::connection::{FoundAccountState, SyncStatus};
use purser_core::error::Error;
use purser_core::ids::{ConnectionId, UserId};

use super::words::{NOW, StateView, Summary, run_view};
use crate::http::error::ApiError;
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::Posted;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view;

/// Runs that the page shows.
const RUNS_SHOWN: i64 = 20;

#[derive(Template)]
#[template(path = "connections/show.html")]
struct Page {
    layout: Layout,
    connection: Summary,
    /// What is under way.
    progress: Option<Progress>,
    linked: Vec<LinkedAccount>,
    runs: Vec<RunRow>,
}

/// A run that waits or is under way.
struct Progress {
    text: String,
    done: u64,
    total: u64,
}

/// An account of the family and the one at the provider.
struct LinkedAccount {
    id: String,
    name: String,
    /// The name at the provider, if it is another, and the bank.
    detail: String,
    problem: Option<&'static str>,
}

pub(super) struct RunRow {
    id: String,
    at: String,
    by: String,
    state: StateView,
}

/// What the page needs of the database.
struct ConnectionPage {
    state: ConnectionState,
    accounts: Vec<LinkableAccount>,
    runs: Vec<Sync>,
    /// How many accounts the run that is under way has come to.
    accounts_done: u64,
    people: HashMap<UserId, String>,
}

impl ConnectionPage {
    fn read(tx: &mut FamilyTx<'_>, app: &AppState, id: ConnectionId) -> Result<Self, Error> {
        let state = connections::get(tx, &app.providers.keys, id)?;
        let running = state.connection.latest.as_ref();
        let running = running.filter(|run| run.status == SyncStatus::Syncing);
        let outcomes = match running {
            Some(run) => syncs::outcomes(tx, run.id)?,
            None => Vec::new(),
        };
        let done: HashSet<_> = outcomes.iter().map(|named| named.outcome.account).collect();
        Ok(Self {
            accounts: links::list(tx, id)?,
            runs: history::list(tx, id, RUNS_SHOWN)?,
            accounts_done: done.len() as u64,
            people: people(tx)?,
            state,
        })
    }

    fn progress(&self, summary: &Summary) -> Option<Progress> {
        let total = self.state.connection.coverage.linked.max(1);
        let done = self.accounts_done.min(total);
        let text = match self.state.connection.latest.as_ref().map(|run| run.status) {
            _ if !summary.is_syncing => return None,
            Some(SyncStatus::Syncing) => format!("{done} of {total} accounts"),
            Some(SyncStatus::Pending) if summary.next.as_deref().is_some_and(|at| at != NOW) => {
                let at = summary.next.as_deref().unwrap_or_default();
                format!("The provider wants to be left alone: it begins on {at}.")
            }
            _ => "It begins in a moment.".to_owned(),
        };
        Some(Progress { text, done, total })
    }
}

/// The names of users by their ids.
pub(super) fn people(tx: &mut FamilyTx<'_>) -> Result<HashMap<UserId, String>, Error> {
    Ok(users::list(tx)?.into_iter().map(|user| (user.id, user.name)).collect())
}

/// Who requested a run.
pub(super) fn requester(actor: Actor, people: &HashMap<UserId, String>) -> String {
    let known = |user| people.get(&user).cloned().unwrap_or_else(|| "somebody".to_owned());
    match actor {
        Actor::User(user) => format!("requested by {}", known(user)),
        Actor::Key(_) => "requested with an API key".to_owned(),
        Actor::CommandLine => "requested at the command line".to_owned(),
        Actor::Import(_) | Actor::System => "by itself".to_owned(),
    }
}

fn linked(account: LinkableAccount) -> Option<LinkedAccount> {
    let LinkableAccount { found, account_name, .. } = account;
    let (id, name) = (found.account?, account_name?);
    let mut detail: Vec<String> = Vec::new();
    detail.extend(Some(found.name).filter(|at_provider| *at_provider != name));
    detail.extend(found.institution_name);
    let problem = match (found.is_listed, found.state) {
        (false, _) => Some("The provider doesn't list it any more."),
        (true, FoundAccountState::ConsentExpired) => Some("The bank asks for a new consent."),
        (true, FoundAccountState::Failing) => Some("The provider has trouble with this bank."),
        (true, FoundAccountState::Active) => None,
    };
    Some(LinkedAccount { id: id.to_string(), name, detail: detail.join(" · "), problem })
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    id: Result<Id<ConnectionId>, ApiError>,
    query: QueryParams,
) -> WebResult<Response> {
    let Id(id) = id?;
    let reader = app.clone();
    let found =
        app.store.read(who.access(), move |tx| ConnectionPage::read(tx, &reader, id)).await?;
    if found.state.connection.scheduled_for_deletion {
        return Ok(answer::see_other("/connections"));
    }
    let zone = &who.time_zone;
    let connection = Summary::of(&found.state, app.store.now(), zone);
    let progress = found.progress(&connection);
    let row = |run: &Sync| RunRow {
        id: run.id.to_string(),
        at: view::time(run.syncing_at.unwrap_or(run.created_at), zone),
        by: requester(run.actor, &found.people),
        state: run_view(run),
    };
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Connections).with_notice(&query),
        progress,
        runs: found.runs.iter().map(row).collect(),
        linked: found.accounts.into_iter().filter_map(linked).collect(),
        connection,
    }))
}

/// A page that somebody reloads at the address of the button alone.
pub(super) async fn redirect_to_page(
    _: SignedIn,
    id: Result<Id<ConnectionId>, ApiError>,
) -> WebResult<Response> {
    let Id(id) = id?;
    Ok(answer::see_other(&format!("/connections/{id}")))
}

pub(super) async fn sync(
    State(app): State<AppState>,
    id: Result<Id<ConnectionId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| connections::request_sync(tx, id)).await?;
    Ok(answer::see_other(&format!("/connections/{id}")))
}
