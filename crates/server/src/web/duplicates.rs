//! `GET /duplicates`: pairs of transactions that may be one, because a sync was not certain, side
//! by side; `POST /duplicates/{id}/merge` and `/keep` answer one.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use purser_app::FamilyTx;
use purser_app::accounts;
use purser_app::sync::duplicates::{self, Duplicate, DuplicateSide};
use purser_core::error::Error;
use purser_core::ids::DuplicateId;

use super::answer;
use super::error::WebResult;
use super::form::Posted;
use super::layout::{Layout, Section};
use super::notice;
use super::session::SignedIn;
use super::view::{self, Amount};
use crate::http::error::ApiError;
use crate::http::pagination::QueryParams;
use crate::http::path::Id;
use crate::state::AppState;

/// Pairs of one page; answered ones make room for others.
const SHOWN_MAX: usize = 50;

#[derive(Template)]
#[template(path = "duplicates.html")]
struct Page {
    layout: Layout,
    pairs: Vec<PairView>,
    total: u64,
}

/// A pair as the page shows it.
struct PairView {
    id: String,
    account: String,
    doubt: &'static str,
    stays: SideView,
    goes: SideView,
}

/// One of the two transactions.
struct SideView {
    link: String,
    name: String,
    date: String,
    amount: Amount,
    pending: bool,
    /// Where it came from.
    source: String,
}

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/duplicates", get(list))
        .route("/duplicates/{id}/merge", post(merge))
        .route("/duplicates/{id}/keep", post(keep))
}

/// How many pairs wait for a person.
pub(super) fn count(tx: &mut FamilyTx<'_>) -> Result<u64, Error> {
    Ok(duplicates::list(tx, None)?.len() as u64)
}

async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let (pairs, total) = app.store.read(who.access(), read).await?;
    let layout = Layout::new(&who, Section::Connections).with_notice(&query);
    Ok(answer::ok(&Page { layout, pairs, total }))
}

fn read(tx: &mut FamilyTx<'_>) -> Result<(Vec<PairView>, u64), Error> {
    let found = duplicates::list(tx, None)?;
    let total = found.len() as u64;
    let mut pairs = Vec::new();
    for pair in found.into_iter().take(SHOWN_MAX) {
        let account = match accounts::get(tx, pair.account) {
            Err(Error::NotFound { .. }) => continue,
            account => account?.summary.name,
        };
        pairs.push(PairView::of(pair, account));
    }
    Ok((pairs, total))
}

async fn merge(
    State(app): State<AppState>,
    id: Result<Id<DuplicateId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| duplicates::merge(tx, id).map(drop)).await?;
    Ok(notice::done("/duplicates", "duplicate-merged"))
}

async fn keep(
    State(app): State<AppState>,
    id: Result<Id<DuplicateId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| duplicates::dismiss(tx, id)).await?;
    Ok(notice::done("/duplicates", "duplicate-kept"))
}

impl PairView {
    fn of(pair: Duplicate, account: String) -> Self {
        Self {
            id: pair.id.to_string(),
            account,
            doubt: pair.doubt.sentence(),
            stays: pair.entry.into(),
            goes: pair.other.into(),
        }
    }
}

impl From<DuplicateSide> for SideView {
    fn from(side: DuplicateSide) -> Self {
        Self {
            link: format!("/transactions/{}?back=%2Fduplicates", side.id),
            name: side.name,
            date: view::day(side.date),
            amount: Amount::of_entry(side.amount, side.currency),
            pending: side.pending,
            source: match side.source {
                Some(_) => "from the bank".to_owned(),
                None => "from you or a file".to_owned(),
            },
        }
    }
}
