//! `GET /duplicates`: pairs of transactions that may be one, because a sync was not certain, side
//! by side; `POST /duplicates/{id}/merge` and `/keep` answer one. Below them are pending
//! transactions that the bank does not report any more.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use purser_app::FamilyTx;
use purser_app::accounts;
use purser_app::sync::duplicates::{self, Duplicate, DuplicateSide, Unreported};
use purser_core::error::Error;
use purser_core::ids::{AccountId, DuplicateId, EntryId};

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
    unreported: Vec<UnreportedView>,
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
    /// The account that it is in, if that isn't the one of the pair.
    elsewhere: Option<String>,
}

/// A pending transaction that the bank does not report any more.
struct UnreportedView {
    link: String,
    name: String,
    account: String,
    date: String,
    amount: Amount,
}

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/duplicates", get(list))
        .route("/duplicates/{id}/merge", post(merge))
        .route("/duplicates/{id}/keep", post(keep))
}

/// How many pairs wait for a person, and how many pending transactions that the bank does not
/// report any more.
pub(super) fn counts(tx: &mut FamilyTx<'_>) -> Result<(u64, u64), Error> {
    let pairs = duplicates::list(tx, None)?.len() as u64;
    Ok((pairs, duplicates::unreported(tx)?.len() as u64))
}

async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let read = |tx: &mut FamilyTx<'_>| Ok((pairs(tx)?, unreported(tx)?));
    let ((pairs, total), unreported) = app.store.read(who.access(), read).await?;
    let layout = Layout::new(&who, Section::Connections).with_notice(&query);
    Ok(answer::ok(&Page { layout, pairs, total, unreported }))
}

fn pairs(tx: &mut FamilyTx<'_>) -> Result<(Vec<PairView>, u64), Error> {
    let found = duplicates::list(tx, None)?;
    let total = found.len() as u64;
    let mut pairs = Vec::new();
    for pair in found.into_iter().take(SHOWN_MAX) {
        let Some(account) = account_name(tx, pair.account)? else { continue };
        let mut elsewhere = |side: &DuplicateSide| match side.account == pair.account {
            true => Ok(None),
            false => account_name(tx, side.account),
        };
        let moved = [elsewhere(&pair.entry)?, elsewhere(&pair.other)?];
        pairs.push(PairView::of(pair, account, moved));
    }
    Ok((pairs, total))
}

/// The name of an account, if it may be seen.
fn account_name(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<Option<String>, Error> {
    match accounts::get(tx, id) {
        Err(Error::NotFound { .. }) => Ok(None),
        account => Ok(Some(account?.summary.name)),
    }
}

fn unreported(tx: &mut FamilyTx<'_>) -> Result<Vec<UnreportedView>, Error> {
    let mut shown = Vec::new();
    for one in duplicates::unreported(tx)?.into_iter().take(SHOWN_MAX) {
        let Unreported { id, account, date, amount, currency, name, .. } = one;
        let Some(account) = account_name(tx, account)? else { continue };
        let (date, amount) = (view::day(date), Amount::of_entry(amount, currency));
        shown.push(UnreportedView { link: link(id), name, account, date, amount });
    }
    Ok(shown)
}

fn link(entry: EntryId) -> String {
    format!("/transactions/{entry}?back=%2Fduplicates")
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
    fn of(pair: Duplicate, account: String, [stays_in, goes_in]: [Option<String>; 2]) -> Self {
        Self {
            id: pair.id.to_string(),
            account,
            doubt: pair.doubt.sentence(),
            stays: SideView { elsewhere: stays_in, ..pair.entry.into() },
            goes: SideView { elsewhere: goes_in, ..pair.other.into() },
        }
    }
}

impl From<DuplicateSide> for SideView {
    fn from(side: DuplicateSide) -> Self {
        Self {
            link: link(side.id),
            name: side.name,
            date: view::day(side.date),
            amount: Amount::of_entry(side.amount, side.currency),
            pending: side.pending,
            source: match side.source {
                Some(_) => "from the bank".to_owned(),
                None => "from you or a file".to_owned(),
            },
            elsewhere: None,
        }
    }
}
