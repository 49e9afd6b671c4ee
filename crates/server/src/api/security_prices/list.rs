//! `GET /api/v1/security_prices`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use purser_app::prices::listing;
use purser_core::error::{Error, Problems};
use purser_core::ids::SecurityId;
use purser_core::ledger::valuing::PriceSource;
use purser_core::money::Currency;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::PriceBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of prices.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SecurityPricePage)]
struct Page {
    /// Newest day first.
    security_prices: Vec<PriceBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only of this security.
    security_id: Option<uuid::Uuid>,
    /// Only in the currency with this code.
    currency: Option<String>,
    /// From this day on, as `YYYY-MM-DD`.
    #[param(format = Date)]
    start_date: Option<String>,
    /// Up to this day, as `YYYY-MM-DD`.
    #[param(format = Date)]
    end_date: Option<String>,
    /// `manual`, `file`, `provider` or `feed`.
    source: Option<String>,
    /// Only those that are (`true`) or are not (`false`) provisional. None is, so `true` lists
    /// none.
    provisional: Option<bool>,
}

/// What the filter says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    security: Option<SecurityId>,
    currency: Option<Currency>,
    start: Option<Date>,
    end: Option<Date>,
    source: Option<PriceSource>,
    provisional: Option<bool>,
}

/// List prices
///
/// Those that were stated, newest day first; what trades say of prices stands with the trades. With
/// a key that is restricted to chosen accounts those of the securities that it may see.
#[utoipa::path(
    get,
    path = "/security_prices",
    operation_id = "list_security_prices",
    tag = "securities",
    params(PageParams, Params),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let Filter { security, currency, start, end, source, provisional } = filter(&query)?;
    if provisional == Some(true) {
        let body = Page { security_prices: Vec::new(), pagination: Pagination::new(page, 0) };
        return Ok(crate::http::json(StatusCode::OK, &body));
    }
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            let restriction = caller.accounts();
            let selection =
                listing::Selection { security, currency, start, end, source, restriction };
            listing::list(tx, caller.family, selection, page.limit(), page.offset())
        })
        .await?;
    let security_prices = found.into_iter().map(PriceBody::from).collect();
    let body = Page { security_prices, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Filter, Error> {
    let mut problems = Problems::new();
    let filter = Filter {
        security: collect(filters::id(query, "security_id"), &mut problems),
        currency: collect(filters::currency(query, "currency"), &mut problems),
        start: collect(filters::day(query, "start_date"), &mut problems),
        end: collect(filters::day(query, "end_date"), &mut problems),
        source: collect(source(query), &mut problems),
        provisional: collect(provisional(query), &mut problems),
    };
    problems.into_result()?;
    Ok(filter)
}

/// A blank one is refused too: clients that send it mean one of both.
fn provisional(query: &QueryParams) -> Result<Option<bool>, Error> {
    match query.one("provisional")?.map(str::trim) {
        Some("") => Err(Error::invalid("provisional must be true or false")),
        _ => filters::flag(query, "provisional"),
    }
}

/// Prices of trades aren't listed, so nobody can ask for them.
fn source(query: &QueryParams) -> Result<Option<PriceSource>, Error> {
    let Some(text) = filters::value(query, "source")? else { return Ok(None) };
    match PriceSource::parse(text)
        .filter(|source| !matches!(source, PriceSource::Trade | PriceSource::Split))
    {
        Some(source) => Ok(Some(source)),
        None => Err(Error::invalid("source must be manual, file, provider or feed")),
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
        assert_eq!(read("security_id=&source=&page=2").unwrap(), Filter::default());
        assert_eq!(read("currency=usd").unwrap().currency, Some(Currency::USD));
        assert_eq!(read("provisional=false").unwrap().provisional, Some(false));
        assert!(read("provisional=").is_err());
        let wrong = "security_id=1&currency=XXY&start_date=2&end_date=3&source=trade&provisional=x";
        let Err(Error::Invalid { problems: errors, .. }) = read(wrong) else { panic!("accepted") };
        assert_eq!(errors.len(), 6, "{errors:?}");
    }
}
