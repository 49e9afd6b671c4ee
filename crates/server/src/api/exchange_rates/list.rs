//! `GET /api/v1/exchange_rates`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::rates::listing::{self, Selection};
use purser_core::error::{Error, Problems};
use purser_core::rates::Source;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::RateBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of exchange rates.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ExchangeRatePage)]
struct Page {
    /// Newest day first.
    exchange_rates: Vec<RateBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only of one unit of the currency with this code.
    base: Option<String>,
    /// Only in the currency with this code.
    quote: Option<String>,
    /// From this day on, as `YYYY-MM-DD`.
    #[param(format = Date)]
    start_date: Option<String>,
    /// Up to this day, as `YYYY-MM-DD`.
    #[param(format = Date)]
    end_date: Option<String>,
    /// `manual` or `file`.
    source: Option<String>,
}

/// List exchange rates
///
/// Those that the family stated, newest day first. What the feed says is found by
/// `/exchange_rates/lookup`.
#[utoipa::path(
    get,
    path = "/exchange_rates",
    operation_id = "list_exchange_rates",
    tag = "exchange_rates",
    params(PageParams, Params),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let selection = selection(&query)?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            listing::list(tx, caller.family, selection, page.limit(), page.offset())
        })
        .await?;
    let exchange_rates = found.into_iter().map(RateBody::from).collect();
    let body = Page { exchange_rates, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn selection(query: &QueryParams) -> Result<Selection, Error> {
    let mut problems = Problems::new();
    let selection = Selection {
        base: collect(filters::currency(query, "base"), &mut problems),
        quote: collect(filters::currency(query, "quote"), &mut problems),
        start: collect(filters::day(query, "start_date"), &mut problems),
        end: collect(filters::day(query, "end_date"), &mut problems),
        source: collect(source(query), &mut problems),
    };
    problems.into_result()?;
    Ok(selection)
}

fn source(query: &QueryParams) -> Result<Option<Source>, Error> {
    match filters::value(query, "source")? {
        None => Ok(None),
        Some("manual") => Ok(Some(Source::Manual)),
        Some("file") => Ok(Some(Source::File)),
        Some(_) => Err(Error::invalid("source must be manual or file")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_of_the_filter_is_reported() {
        let read = |text: &str| {
            selection(&QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap())
        };
        assert_eq!(read("base=eur&source=").unwrap().base.unwrap().code(), "EUR");
        let wrong = "base=EURO&quote=XXY&start_date=2&end_date=3&source=feed";
        let Err(Error::Invalid { problems: errors, .. }) = read(wrong) else { panic!("accepted") };
        assert_eq!(errors.len(), 5, "{errors:?}");
    }
}
