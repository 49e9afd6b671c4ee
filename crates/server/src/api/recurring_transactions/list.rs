//! `GET /api/v1/recurring_transactions`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::recurring::{self, Listing};
use purser_core::error::{Error, Problems};
use purser_core::ids::AccountId;
use purser_core::recurring::input::RecurringStatus;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::RecurringBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of transactions that come every month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecurringTransactionPage)]
struct Page {
    /// By name.
    recurring_transactions: Vec<RecurringBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// `active` or `inactive`.
    #[param(example = "active")]
    status: Option<String>,
    /// Only in this account.
    account_id: Option<uuid::Uuid>,
}

/// What the filter says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    status: Option<RecurringStatus>,
    account: Option<AccountId>,
}

/// List transactions that come every month
///
/// A key that is restricted to chosen accounts sees those of its accounts.
#[utoipa::path(
    get,
    path = "/recurring_transactions",
    operation_id = "list_recurring_transactions",
    tag = "recurring_transactions",
    params(PageParams, Params),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let Filter { status, account } = filter(&query)?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            let listing = Listing { status, account, restriction: caller.accounts() };
            recurring::list(tx, caller.family, listing, page.limit(), page.offset())
        })
        .await?;
    let recurring_transactions = found.into_iter().map(RecurringBody::from).collect();
    let body = Page { recurring_transactions, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Filter, Error> {
    let mut problems = Problems::new();
    let filter = Filter {
        status: collect(status(query), &mut problems),
        account: collect(filters::id(query, "account_id"), &mut problems),
    };
    problems.into_result()?;
    Ok(filter)
}

fn status(query: &QueryParams) -> Result<Option<RecurringStatus>, Error> {
    let Some(text) = filters::value(query, "status")? else { return Ok(None) };
    match RecurringStatus::parse(text) {
        Some(status) => Ok(Some(status)),
        None => Err(Error::invalid("status must be active or inactive")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_of_the_filter_is_reported() {
        let read = |text: &str| {
            filter(&QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap())
        };
        assert_eq!(read("account_id=&status=").unwrap(), Filter::default());
        let inactive = read("status=inactive").unwrap().status;
        assert_eq!(inactive, Some(RecurringStatus::Inactive));
        let Err(Error::Invalid { problems: errors, .. }) = read("account_id=1&status=paused")
        else {
            panic!("accepted");
        };
        assert_eq!(errors.len(), 2, "{errors:?}");
    }
}
