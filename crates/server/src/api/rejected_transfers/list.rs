//! `GET /api/v1/rejected_transfers`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_store::transfers::rejected;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::error::ApiResult;
use crate::api::openapi::{CommonErrors, InvalidError};
use crate::api::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::api::transfers::shape::RejectedBody;
use crate::edge::auth::Reader;
use crate::state::AppState;

/// A page of rejected pairs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RejectedTransferPage)]
struct Page {
    /// The latest first.
    rejected_transfers: Vec<RejectedBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// List rejected transfers
///
/// Pairs that are not proposed again, the one that was rejected last first. Those with a
/// transaction that is gone or out of sight are left out.
#[utoipa::path(
    get,
    path = "/rejected_transfers",
    operation_id = "list_rejected_transfers",
    tag = "transfers",
    params(PageParams),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let (found, total) = app
        .store
        .read(move |tx| {
            rejected::list(tx, caller.family, caller.accounts(), page.limit(), page.offset())
        })
        .await?;
    let rejected_transfers = found.into_iter().map(RejectedBody::from).collect();
    let body = Page { rejected_transfers, pagination: Pagination::new(page, total) };
    Ok(crate::api::json(StatusCode::OK, &body))
}
