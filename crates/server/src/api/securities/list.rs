//! `GET /api/v1/securities`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::securities;
use purser_core::error::{Error, Problems};
use purser_core::ledger::security::SecurityKind;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::SecurityBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of securities.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SecurityPage)]
struct Page {
    /// By ticker.
    securities: Vec<SecurityBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only of this ticker, in any case.
    ticker: Option<String>,
    /// Only on the market with this code.
    exchange_operating_mic: Option<String>,
    /// `standard` or `cash`.
    kind: Option<String>,
    /// `true`: only those that no feed is asked for; `false`: only the others.
    offline: Option<bool>,
}

/// What the filter says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    ticker: Option<String>,
    exchange_operating_mic: Option<String>,
    kind: Option<SecurityKind>,
    offline: Option<bool>,
}

/// List securities
///
/// By ticker. With a key that is restricted to chosen accounts those that the accounts hold, held
/// or traded.
#[utoipa::path(
    get,
    path = "/securities",
    operation_id = "list_securities",
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
    let filter = filter(&query)?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            let selection = securities::Selection {
                ticker: filter.ticker.as_deref(),
                exchange_operating_mic: filter.exchange_operating_mic.as_deref(),
                kind: filter.kind,
                offline: filter.offline,
                restriction: caller.accounts(),
            };
            securities::list(tx, caller.family, selection, page.limit(), page.offset())
        })
        .await?;
    let securities = found.into_iter().map(SecurityBody::from).collect();
    let body = Page { securities, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Filter, Error> {
    let mut problems = Problems::new();
    let upper = |name: &str| Ok(filters::value(query, name)?.map(str::to_uppercase));
    let filter = Filter {
        ticker: collect(upper("ticker"), &mut problems),
        exchange_operating_mic: collect(upper("exchange_operating_mic"), &mut problems),
        kind: collect(kind(query), &mut problems),
        offline: collect(filters::flag(query, "offline"), &mut problems),
    };
    problems.into_result()?;
    Ok(filter)
}

fn kind(query: &QueryParams) -> Result<Option<SecurityKind>, Error> {
    let Some(text) = filters::value(query, "kind")? else { return Ok(None) };
    match SecurityKind::parse(text) {
        Some(kind) => Ok(Some(kind)),
        None => Err(Error::invalid("kind must be standard or cash")),
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
        assert_eq!(read("ticker=&kind=&page=2").unwrap(), Filter::default());
        assert_eq!(read("ticker=vti").unwrap().ticker.as_deref(), Some("VTI"));
        let Err(Error::Invalid { problems: errors, .. }) = read("kind=bond&offline=2") else {
            panic!("accepted");
        };
        assert_eq!(errors.len(), 2, "{errors:?}");
    }
}
