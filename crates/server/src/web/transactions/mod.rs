//! Transactions: a filtered list, and a page to change or delete one.

mod edit;
mod filter;
mod list;
pub(super) mod rows;
mod statements;

use axum::Router;
use axum::routing::{get, post};
use purser_core::ids::EntryId;
use uuid::Uuid;

use crate::http::path::PathId;
use crate::state::AppState;

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/transactions", get(list::list))
        .route("/transactions/{id}", get(edit::show).post(edit::save))
        .route("/transactions/{id}/delete", post(edit::delete))
}

/// The entry that a path names as a transaction.
#[derive(Debug, Clone, Copy)]
struct TransactionId(EntryId);

impl From<Uuid> for TransactionId {
    fn from(id: Uuid) -> Self {
        Self(EntryId(id))
    }
}

impl PathId for TransactionId {
    const NOUN: &'static str = "Transaction";
}
