//! `GET /api/v1/accounts`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::accounts;
use purser_core::error::Error;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::AccountBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters;
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of accounts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccountPage)]
struct Page {
    /// By name.
    accounts: Vec<AccountBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Filter {
    /// Also list `disabled` and `pending_deletion` accounts.
    #[param(default = false)]
    include_disabled: Option<bool>,
}

/// List accounts
///
/// Active and draft accounts by name, each with its balance of today.
#[utoipa::path(
    get,
    path = "/accounts",
    operation_id = "list_accounts",
    tag = "accounts",
    params(PageParams, Filter),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let include_disabled = include_disabled(&query)?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            let listing = accounts::Listing { include_disabled, restriction: caller.accounts() };
            accounts::list(tx, caller.family, listing, page.limit(), page.offset())
        })
        .await?;
    let accounts = found.into_iter().map(AccountBody::from).collect();
    let body = Page { accounts, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn include_disabled(query: &QueryParams) -> Result<bool, Error> {
    Ok(filters::flag(query, "include_disabled")?.unwrap_or(false))
}
