//! `GET /api/v1/holdings`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::holdings::{self, Days};
use purser_core::error::{Error, Problems};
use purser_core::ids::{AccountId, SecurityId};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::shape::HoldingBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of holdings.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HoldingPage)]
struct Page {
    /// By day, the earliest first.
    holdings: Vec<HoldingBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only of this account.
    account_id: Option<Uuid>,
    /// Only of these accounts; also as `account_ids=a,b`.
    #[param(rename = "account_ids[]")]
    account_ids: Option<Vec<Uuid>>,
    /// Only of this security.
    security_id: Option<Uuid>,
    /// At the end of this day, as `YYYY-MM-DD`; today if no day is given.
    #[param(format = Date)]
    date: Option<String>,
    /// On each day from this one on, as `YYYY-MM-DD`. Not with `date`.
    #[param(format = Date)]
    start_date: Option<String>,
    /// On each day up to this one, as `YYYY-MM-DD`. Not with `date`.
    #[param(format = Date)]
    end_date: Option<String>,
}

/// What the filter says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    accounts: Vec<AccountId>,
    security: Option<SecurityId>,
    days: Days,
}

/// List holdings
///
/// Open positions of active and draft accounts: those of today, of a day, or of each day of a
/// span, up to today. By day, and then by the id of the position.
#[utoipa::path(
    get,
    path = "/holdings",
    operation_id = "list_holdings",
    tag = "holdings",
    params(PageParams, Params),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let Filter { accounts, security, days } = filter(&query)?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            let restriction = caller.accounts();
            let accounts = (!accounts.is_empty()).then_some(accounts.as_slice());
            let listing = holdings::Listing { accounts, security, days, restriction };
            holdings::list(tx, caller.family, listing, page.limit(), page.offset())
        })
        .await?;
    let holdings = found.into_iter().map(HoldingBody::from).collect();
    let body = Page { holdings, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Filter, Error> {
    let mut problems = Problems::new();
    let date = collect(filters::day(query, "date"), &mut problems);
    let start = collect(filters::day(query, "start_date"), &mut problems);
    let end = collect(filters::day(query, "end_date"), &mut problems);
    let days = match (date, start, end) {
        (None, None, None) => Days::Today,
        (Some(day), None, None) => Days::On(day),
        (None, start, end) => Days::Between(start, end),
        (Some(_), _, _) => {
            problems.push("date can't be given together with start_date or end_date");
            Days::Today
        }
    };
    let filter = Filter {
        accounts: collect(filters::ids(query, "account_id", "account_ids"), &mut problems),
        security: collect(filters::id(query, "security_id"), &mut problems),
        days,
    };
    problems.into_result()?;
    Ok(filter)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn read(text: &str) -> Result<Filter, Vec<String>> {
        let query = QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap();
        filter(&query).map_err(|error| match error {
            Error::Invalid { problems, .. } => purser_core::error::texts(&problems),
            other => panic!("{other}"),
        })
    }

    #[test]
    fn days_are_one_or_a_span() {
        let day = date(2024, 2, 29);
        assert_eq!(read("account_id=&date=").unwrap(), Filter::default());
        assert_eq!(read("date=2024-02-29").unwrap().days, Days::On(day));
        assert_eq!(read("end_date=2024-02-29").unwrap().days, Days::Between(None, Some(day)));
        assert_eq!(read("date=2024-02-29&end_date=2024-02-29").unwrap_err().len(), 1);
    }

    #[test]
    fn every_problem_is_reported() {
        let errors = read("account_ids[]=1&security_id=2&date=3&start_date=4&end_date=5");
        assert_eq!(errors.unwrap_err().len(), 5);
    }
}
