//! `GET /api/v1/trades`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use purser_app::trades;
use purser_core::error::{Error, Problems};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::trade::TradeType;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::shape::TradeBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of trades.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TradePage)]
struct Page {
    /// Newest day first.
    trades: Vec<TradeBody>,
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
    /// Only of this type.
    #[param(rename = "type", example = "buy")]
    trade_type: Option<String>,
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
    accounts: Vec<AccountId>,
    security: Option<SecurityId>,
    trade_type: Option<TradeType>,
    start: Option<Date>,
    end: Option<Date>,
}

/// List trades
///
/// Of active and draft accounts, by day, newest first; of one day, what was added last comes
/// first.
#[utoipa::path(
    get,
    path = "/trades",
    operation_id = "list_trades",
    tag = "trades",
    params(PageParams, Params),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let Filter { accounts, security, trade_type, start, end } = filter(&query)?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            let restriction = caller.accounts();
            let accounts = (!accounts.is_empty()).then_some(accounts.as_slice());
            let listing =
                trades::Listing { accounts, security, trade_type, start, end, restriction };
            trades::list(tx, caller.family, listing, page.limit(), page.offset())
        })
        .await?;
    let trades = found.into_iter().map(TradeBody::from).collect();
    let body = Page { trades, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Filter, Error> {
    let mut problems = Problems::new();
    let filter = Filter {
        accounts: collect(filters::ids(query, "account_id", "account_ids"), &mut problems),
        security: collect(filters::id(query, "security_id"), &mut problems),
        trade_type: collect(trade_type(query), &mut problems),
        start: collect(filters::day(query, "start_date"), &mut problems),
        end: collect(filters::day(query, "end_date"), &mut problems),
    };
    problems.into_result()?;
    Ok(filter)
}

fn trade_type(query: &QueryParams) -> Result<Option<TradeType>, Error> {
    let Some(text) = filters::value(query, "type")? else { return Ok(None) };
    match TradeType::parse(text) {
        Some(trade_type) => Ok(Some(trade_type)),
        None => {
            let all: Vec<&str> = TradeType::ALL.iter().map(|one| one.as_str()).collect();
            Err(Error::invalid(format!("type must be one of {}", all.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Filter, Vec<String>> {
        let query = QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap();
        filter(&query).map_err(|error| match error {
            Error::Invalid { problems, .. } => purser_core::error::texts(&problems),
            other => panic!("{other}"),
        })
    }

    #[test]
    fn every_problem_of_the_filter_is_reported() {
        assert_eq!(read("account_id=&type=&page=2").unwrap(), Filter::default());
        let sells = read("type=sell").unwrap().trade_type;
        assert_eq!(sells, Some(TradeType::Sell));
        let errors = read("account_ids[]=1&security_id=2&start_date=3&end_date=4&type=short");
        assert_eq!(errors.unwrap_err().len(), 5);
    }
}
