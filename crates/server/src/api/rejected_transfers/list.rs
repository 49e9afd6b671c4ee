//! `GET /api/v1/rejected_transfers`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use purser_app::transfers::rejected;
use purser_core::error::{Error, Problems};
use purser_core::ids::AccountId;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::api::transfers::shape::RejectedBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
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

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only with this account on one side.
    account_id: Option<uuid::Uuid>,
    /// From this day on, as `YYYY-MM-DD`, by the day on which the money went out.
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
    start: Option<Date>,
    end: Option<Date>,
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
    params(PageParams, Params),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let Filter { account, start, end } = filter(&query)?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            let restriction = caller.accounts();
            let listing = rejected::Listing { account, start, end, restriction };
            rejected::list(tx, caller.family, listing, page.limit(), page.offset())
        })
        .await?;
    let rejected_transfers = found.into_iter().map(RejectedBody::from).collect();
    let body = Page { rejected_transfers, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Filter, Error> {
    let mut problems = Problems::new();
    let filter = Filter {
        account: collect(filters::id(query, "account_id"), &mut problems),
        start: collect(filters::day(query, "start_date"), &mut problems),
        end: collect(filters::day(query, "end_date"), &mut problems),
    };
    problems.into_result()?;
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_of_the_filter_is_reported() {
        let read = |text: &str| {
            filter(&QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap())
        };
        assert_eq!(read("account_id=&page=2").unwrap(), Filter::default());
        let Err(Error::Invalid { problems: errors, .. }) =
            read("account_id=1&start_date=2&end_date=3")
        else {
            panic!("accepted");
        };
        assert_eq!(errors.len(), 3, "{errors:?}");
    }
}
