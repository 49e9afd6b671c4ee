//! `GET /transfers`: pairs that look like transfers between the family's accounts, best first, each
//! with its score and its reasons; `POST /transfers/{id}/confirm` and `/reject` answer one.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::{get, post};
use purser_app::transfers::{self, Listing, Side, Transfer, changes};
use purser_core::ids::TransferId;
use purser_core::transfers::TransferStatus;

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

/// Those that nobody has answered.
pub(super) const PROPOSED: Listing =
    Listing { status: Some(TransferStatus::Pending), account: None, start: None, end: None };
/// Proposals of one page; answered ones make room for others.
const SHOWN_MAX: i64 = 50;

#[derive(Template)]
#[template(path = "transfers.html")]
struct Page {
    layout: Layout,
    proposals: Vec<Proposal>,
    total: u64,
}

struct Proposal {
    id: String,
    amount: String,
    score: u8,
    reasons: Vec<String>,
    outflow: SideView,
    inflow: SideView,
}

struct SideView {
    link: String,
    name: String,
    account: String,
    date: String,
}

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/transfers", get(list))
        .route("/transfers/{id}/confirm", post(confirm))
        .route("/transfers/{id}/reject", post(reject))
}

async fn list(
    State(app): State<AppState>,
    who: SignedIn,
    query: QueryParams,
) -> WebResult<Response> {
    let listed =
        app.store.read(who.access(), move |tx| transfers::list(tx, PROPOSED, SHOWN_MAX, 0));
    let (found, total) = listed.await?;
    let layout = Layout::new(&who, Section::Transactions).with_notice(&query);
    let proposals = found.into_iter().map(Proposal::from).collect();
    Ok(answer::ok(&Page { layout, proposals, total }))
}

async fn confirm(
    State(app): State<AppState>,
    id: Result<Id<TransferId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| changes::confirm(tx, id)).await?;
    Ok(notice::done("/transfers", "transfer-confirmed"))
}

async fn reject(
    State(app): State<AppState>,
    id: Result<Id<TransferId>, ApiError>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let Id(id) = id?;
    app.store.write(who.access(), move |tx| changes::reject(tx, id)).await?;
    Ok(notice::done("/transfers", "transfer-rejected"))
}

impl From<Transfer> for Proposal {
    fn from(transfer: Transfer) -> Self {
        Self {
            id: transfer.id.to_string(),
            amount: Amount::of_entry(transfer.inflow.amount, transfer.inflow.currency).text,
            score: transfer.score,
            reasons: transfer.reasons,
            outflow: transfer.outflow.into(),
            inflow: transfer.inflow.into(),
        }
    }
}

impl From<Side> for SideView {
    fn from(side: Side) -> Self {
        Self {
            link: format!("/transactions/{}?back=%2Ftransfers", side.id),
            name: side.name,
            account: side.account.name,
            date: view::day(side.date),
        }
    }
}
