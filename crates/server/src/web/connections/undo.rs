//! `GET` and `POST /connections/runs/{id}/undo`: what an undo of a run does, and doing it.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::sync::revert::{self, UndoOutcome};
use purser_app::{FamilyTx, connections, syncs};
use purser_core::connection::RevertStatus;
use purser_core::error::Error;
use purser_core::ids::SyncId;

use crate::http::error::ApiError;
use crate::http::path::Id;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::form::Posted;
use crate::web::layout::{Layout, Section};
use crate::web::notice;
use crate::web::session::SignedIn;
use crate::web::view;

#[derive(Template)]
#[template(path = "connections/undo.html")]
struct Page {
    layout: Layout,
    id: String,
    connection: String,
    connection_name: String,
    at: String,
    /// What an undo does, in sentences.
    effects: Vec<String>,
    /// Why it can't be undone.
    refusal: Option<String>,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    id: Result<Id<SyncId>, ApiError>,
) -> WebResult<Response> {
    let Id(id) = id?;
    let keys = app.providers.keys.clone();
    let (run, connection, preview) = app
        .store
        .read(who.access(), move |tx| {
            let run = syncs::get(tx, id)?;
            let connection = run.connection.ok_or(Error::NotFound { what: "Sync" })?;
            let connection = connections::get(tx, &keys, connection)?.connection;
            Ok((run, connection, preview(tx, id)?))
        })
        .await?;
    let (effects, refusal) = match preview {
        Ok(outcome) => (effects(&outcome), None),
        Err(sentence) => (Vec::new(), Some(sentence)),
    };
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Connections),
        id: run.id.to_string(),
        connection: connection.id.to_string(),
        connection_name: connection.name,
        at: view::time(run.syncing_at.unwrap_or(run.created_at), &who.time_zone),
        effects,
        refusal,
    }))
}

pub(super) async fn undo(
    State(app): State<AppState>,
    id: Result<Id<SyncId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    let part_rows = app.imports.publish_part_rows;
    let work = move |tx: &mut FamilyTx<'_>| match revert::revert(tx, id, part_rows) {
        Err(Error::Conflict { .. }) => Ok(None),
        done => done.and_then(|_| revert::status(tx, id)),
    };
    let notice = match app.store.write(who.access(), work).await? {
        Some(RevertStatus::Reverting) => Some("sync-undo-begun"),
        status => status.map(|_| "sync-undone"),
    };
    match notice {
        Some(notice) => Ok(notice::done(&format!("/connections/runs/{id}"), notice)),
        // The page shows why.
        None => Ok(answer::see_other(&format!("/connections/runs/{id}/undo"))),
    }
}

/// What an undo would do, or the reason why it can't be done.
fn preview(tx: &mut FamilyTx<'_>, id: SyncId) -> Result<Result<UndoOutcome, String>, Error> {
    match revert::preview(tx, id) {
        Ok(outcome) => Ok(Ok(outcome)),
        Err(Error::Conflict { message, .. }) => Ok(Err(message)),
        Err(error) => Err(error),
    }
}

/// Whether there is something to undo, or a reason why it can't be undone.
pub(super) fn has_effects(tx: &mut FamilyTx<'_>, id: SyncId) -> Result<bool, Error> {
    let effects = |outcome: UndoOutcome| outcome.removed + outcome.restored + outcome.kept > 0;
    Ok(preview(tx, id)?.map_or(true, effects))
}

/// What an undo does, a sentence for each number that isn't zero.
fn effects(outcome: &UndoOutcome) -> Vec<String> {
    let numbers = [
        (outcome.removed, "transaction goes.", "transactions go."),
        (
            outcome.restored,
            "change of a transaction, a balance, a position or a price is taken back.",
            "changes of transactions, balances, positions and prices are taken back.",
        ),
        (
            outcome.kept,
            "transaction stays, because it was changed since.",
            "transactions stay, because they were changed since.",
        ),
    ];
    let some = numbers.into_iter().filter(|(count, ..)| *count > 0);
    some.map(|(count, one, many)| {
        format!("{} {}", view::grouped(count), if count == 1 { one } else { many })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_undo_is_described_by_what_it_does() {
        assert!(effects(&UndoOutcome::default()).is_empty());
        let outcome = UndoOutcome { removed: 1200, kept: 1, ..UndoOutcome::default() };
        let expected =
            ["1,200 transactions go.", "1 transaction stays, because it was changed since."];
        assert_eq!(effects(&outcome), expected);
    }
}
