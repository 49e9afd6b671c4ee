//! `GET /connections/runs/{id}`: what came of each account in one run, and what it changed.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::syncs::{self, NamedOutcome};
use purser_app::{accounts, connections, sync};
use purser_core::connection::RevertStatus;
use purser_core::connection::outcome::{StepFailure, SyncStep};
use purser_core::error::Error;
use purser_core::ids::SyncId;

use super::changes::ChangesView;
use super::show::{people, requester};
use super::undo;
use super::words::{StateView, run_view};
use crate::http::error::ApiError;
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;
use crate::web::view;

#[derive(Template)]
#[template(path = "connections/run.html")]
struct Page {
    layout: Layout,
    connection: String,
    connection_name: String,
    at: String,
    by: String,
    state: StateView,
    /// Whether it waits or is under way, or its undo is.
    is_running: bool,
    id: String,
    accounts: Vec<AccountResult>,
    changes: Vec<ChangesView>,
    /// Whether there is something to undo.
    can_be_undone: bool,
}

/// What came of one account.
struct AccountResult {
    name: String,
    steps: Vec<StepResult>,
}

/// What came of one call about an account.
struct StepResult {
    name: &'static str,
    text: String,
    has_failed: bool,
}

impl StepResult {
    fn of(named: &NamedOutcome) -> Self {
        let outcome = &named.outcome;
        let name = match outcome.step {
            SyncStep::Balance => "Balance",
            SyncStep::Transactions => "Transactions",
            SyncStep::Holdings => "Holdings",
        };
        let text = match (outcome.failure, outcome.step) {
            (Some(failure), _) => failure.sentence().to_owned(),
            (None, SyncStep::Balance) => "retrieved".to_owned(),
            (None, _) => counted(outcome.rows, outcome.unreadable),
        };
        Self { name, text, has_failed: outcome.failure.is_some_and(StepFailure::counts) }
    }
}

fn counted(rows: u64, unreadable: u64) -> String {
    let rows = match rows {
        0 => "nothing".to_owned(),
        1 => "1 row".to_owned(),
        more => format!("{} rows", view::grouped(more)),
    };
    match unreadable {
        0 => format!("{rows} retrieved"),
        some => format!("{rows} retrieved, {} could not be read", view::grouped(some)),
    }
}

/// The outcomes by account; they come in the order of accounts.
fn by_account(outcomes: &[NamedOutcome]) -> Vec<AccountResult> {
    let same = |a: &NamedOutcome, b: &NamedOutcome| a.outcome.account == b.outcome.account;
    let account = |of_one: &[NamedOutcome]| AccountResult {
        name: of_one
            .first()
            .and_then(|first| first.account_name.clone())
            .unwrap_or_else(|| "An account that is gone".to_owned()),
        steps: of_one.iter().map(StepResult::of).collect(),
    };
    outcomes.chunk_by(same).map(account).collect()
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
    id: Result<Id<SyncId>, ApiError>,
) -> WebResult<Response> {
    let Id(id) = id?;
    let keys = app.providers.keys.clone();
    let (run, connection, outcomes, (people, changes, has_effects)) = app
        .store
        .read(who.access(), move |tx| {
            let run = syncs::get(tx, id)?;
            let connection = run.connection.ok_or(Error::NotFound { what: "Sync" })?;
            let connection = connections::get(tx, &keys, connection)?.connection;
            let mut changes = Vec::new();
            for plan in sync::changes_of(tx, id)? {
                let name = match accounts::get(tx, plan.account) {
                    Err(Error::NotFound { .. }) => "An account that is gone".to_owned(),
                    found => found?.summary.name,
                };
                changes.push((plan, name));
            }
            let has_effects = undo::has_effects(tx, id)?;
            let outcomes = syncs::outcomes(tx, id)?;
            Ok((run, connection, outcomes, (people(tx)?, changes, has_effects)))
        })
        .await?;
    let is_reverting =
        changes.iter().any(|(plan, _)| plan.revert_status == Some(RevertStatus::Reverting));
    let is_running = run.status.is_running() || is_reverting;
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Connections).with_notice(&query),
        connection: connection.id.to_string(),
        connection_name: connection.name,
        at: view::time(run.syncing_at.unwrap_or(run.created_at), &who.time_zone),
        by: requester(run.actor, &people),
        state: run_view(&run),
        is_running,
        id: run.id.to_string(),
        accounts: by_account(&outcomes),
        can_be_undone: !is_running && has_effects,
        changes: changes
            .into_iter()
            .map(|(plan, name)| ChangesView::of(plan, name, &who.time_zone))
            .collect(),
    }))
}

#[cfg(test)]
mod tests {
    use purser_core::connection::outcome::StepOutcome;
    use uuid::Uuid;

    use super::*;

    fn named(account: u128, step: SyncStep, failure: Option<StepFailure>) -> NamedOutcome {
        let account = Uuid::from_u128(account);
        let outcome = StepOutcome { account, step, failure, rows: 1200, unreadable: 2 };
        NamedOutcome { outcome, account_name: Some(format!("Account {account}")) }
    }

    #[test]
    fn outcomes_are_grouped_by_account() {
        let outcomes = [
            named(1, SyncStep::Balance, None),
            named(1, SyncStep::Transactions, None),
            named(1, SyncStep::Holdings, Some(StepFailure::Unsupported)),
            named(2, SyncStep::Balance, Some(StepFailure::ConsentExpired)),
        ];
        let accounts = by_account(&outcomes);
        let steps: Vec<usize> = accounts.iter().map(|account| account.steps.len()).collect();
        assert_eq!(steps, [3, 1]);
        let texts: Vec<(&str, bool)> = accounts
            .iter()
            .flat_map(|account| &account.steps)
            .map(|step| (step.text.as_str(), step.has_failed))
            .collect();
        assert_eq!(
            texts,
            [
                ("retrieved", false),
                ("1,200 rows retrieved, 2 could not be read", false),
                (StepFailure::Unsupported.sentence(), false),
                (StepFailure::ConsentExpired.sentence(), true),
            ]
        );
    }
}
