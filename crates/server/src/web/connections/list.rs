//! `GET /connections`

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use purser_app::{FamilyTx, connections};

use super::words::Summary;
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::duplicates;
use crate::web::error::WebResult;
use crate::web::layout::{Layout, Section};
use crate::web::session::SignedIn;

#[derive(Template)]
#[template(path = "connections/list.html")]
struct Page {
    layout: Layout,
    connections: Vec<Summary>,
    /// Whether anything changes by itself in the next seconds.
    is_busy: bool,
    /// Pairs of transactions that wait for a person.
    duplicates: u64,
    /// Pending transactions that the bank does not report any more.
    unreported: u64,
}

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let keys = app.providers.keys.clone();
    let read =
        move |tx: &mut FamilyTx<'_>| Ok((connections::list(tx, &keys)?, duplicates::counts(tx)?));
    let (found, (duplicates, unreported)) = app.store.read(who.access(), read).await?;
    let now = app.store.now();
    let summary = |state| Summary::of(state, now, &who.time_zone);
    let connections: Vec<Summary> = found.iter().map(summary).collect();
    Ok(answer::ok(&Page {
        layout: Layout::new(&who, Section::Connections).with_notice(&query),
        is_busy: connections.iter().any(Summary::is_busy),
        connections,
        duplicates,
        unreported,
    }))
}
