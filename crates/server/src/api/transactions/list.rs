//! `GET /api/v1/transactions`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::transactions;
use serde::Serialize;
use utoipa::ToSchema;

use super::filter::{self, TransactionFilter};
use super::shape::TransactionBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of transactions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionPage)]
struct Page {
    /// Newest first.
    transactions: Vec<TransactionBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// List transactions
///
/// Of active and draft accounts, by day, newest first; of one day, what was added last comes
/// first.
#[utoipa::path(
    get,
    path = "/transactions",
    operation_id = "list_transactions",
    tag = "transactions",
    params(PageParams, TransactionFilter),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let listing = filter::listing(&query, caller.accounts())?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            transactions::list(tx, caller.family, &listing, page.limit(), page.offset())
        })
        .await?;
    let transactions = found.into_iter().map(TransactionBody::from).collect();
    let body = Page { transactions, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}
