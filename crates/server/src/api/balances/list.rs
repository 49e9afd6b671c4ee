//! `GET /api/v1/balances`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use purser_app::balances::daily::{self, BalanceListing};
use purser_core::error::{Error, Problems};
use purser_core::ids::AccountId;
use purser_core::money::Currency;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::BalanceBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of daily balances.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BalancePage)]
struct Page {
    /// Newest day first, then by account.
    balances: Vec<BalanceBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only of this account.
    account_id: Option<uuid::Uuid>,
    /// Only of accounts in this currency.
    #[param(example = "USD")]
    currency: Option<String>,
    /// From this day on, as `YYYY-MM-DD`.
    #[param(format = Date)]
    start_date: Option<String>,
    /// Up to this day, as `YYYY-MM-DD`.
    #[param(format = Date)]
    end_date: Option<String>,
}

/// What the filter says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    account: Option<AccountId>,
    currency: Option<Currency>,
    start: Option<Date>,
    end: Option<Date>,
}

/// List daily balances
///
/// A row for every account in sight and every day from its first one to the family's today, newest
/// day first. A change is seen by the very next request.
#[utoipa::path(
    get,
    path = "/balances",
    operation_id = "list_balances",
    tag = "balances",
    params(PageParams, Params),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let Filter { account, currency, start, end } = filter(&query)?;
    let (found, total) = app
        .compute(caller.access(), move |tx| {
            let restriction = caller.accounts();
            let listing = BalanceListing { account, currency, start, end, restriction };
            daily::list(tx, caller.family, listing, page.limit(), page.offset())
        })
        .await?;
    let balances = found.into_iter().map(BalanceBody::from).collect();
    let body = Page { balances, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Filter, Error> {
    let mut problems = Problems::new();
    let filter = Filter {
        account: collect(filters::id(query, "account_id"), &mut problems),
        currency: collect(filters::currency(query, "currency"), &mut problems),
        start: collect(filters::day(query, "start_date"), &mut problems),
        end: collect(filters::day(query, "end_date"), &mut problems),
    };
    problems.into_result()?;
    Ok(filter)
}
