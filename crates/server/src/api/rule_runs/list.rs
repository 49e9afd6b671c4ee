//! `GET /api/v1/rule_runs`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use purser_app::rules::runs::{self, Execution, Listing, RunStatus};
use purser_core::error::{Error, Problems};
use utoipa::IntoParams;

use super::shape::RuleRunBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{DataPage, Meta, PageParams, PageRequest, QueryParams};
use crate::state::AppState;

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Filters {
    /// Only of this rule.
    rule_id: Option<uuid::Uuid>,
    /// `pending`, `success` or `failed`.
    #[param(example = "success")]
    status: Option<String>,
    /// `manual` or `import`; `scheduled` is another word for the latter.
    #[param(example = "manual")]
    execution_type: Option<String>,
    /// From this time on, in RFC 3339.
    #[param(format = DateTime)]
    start_executed_at: Option<String>,
    /// Up to this time, in RFC 3339.
    #[param(format = DateTime)]
    end_executed_at: Option<String>,
}

/// List runs of rules
///
/// Newest first.
#[utoipa::path(
    get,
    path = "/rule_runs",
    operation_id = "list_rule_runs",
    tag = "rule_runs",
    params(PageParams, Filters),
    responses((status = 200, body = DataPage<RuleRunBody>), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let listing = listing(&query)?;
    let (data, total) = app
        .store
        .read(caller.access(), move |tx| {
            if caller.accounts().is_some() {
                return Ok((Vec::new(), 0));
            }
            let family = caller.family;
            let (found, total) = runs::list(tx, family, listing, page.limit(), page.offset())?;
            Ok((RuleRunBody::read_all(tx, family, found)?, total))
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &DataPage { data, meta: Meta::new(page, total) }))
}

fn listing(query: &QueryParams) -> Result<Listing, Error> {
    let mut problems = Problems::new();
    let found = &mut problems;
    let listing = Listing {
        rule: collect(filters::id(query, "rule_id"), found),
        status: collect(status(query), found),
        execution: collect(execution(query), found),
        from: collect(time(query, "start_executed_at"), found),
        to: collect(time(query, "end_executed_at"), found),
    };
    problems.into_result()?;
    Ok(listing)
}

fn status(query: &QueryParams) -> Result<Option<RunStatus>, Error> {
    let Some(text) = filters::value(query, "status")? else { return Ok(None) };
    let invalid = || Error::invalid("status must be pending, success or failed");
    RunStatus::parse(text).map(Some).ok_or_else(invalid)
}

fn execution(query: &QueryParams) -> Result<Option<Execution>, Error> {
    match filters::value(query, "execution_type")? {
        None => Ok(None),
        // What runs without being asked for is called so by other programs.
        Some("scheduled") => Ok(Some(Execution::Import)),
        Some(text) => {
            let invalid = || Error::invalid("execution_type must be manual or import");
            Execution::parse(text).map(Some).ok_or_else(invalid)
        }
    }
}

fn time(query: &QueryParams, name: &str) -> Result<Option<Timestamp>, Error> {
    let Some(text) = filters::value(query, name)? else { return Ok(None) };
    match text.parse() {
        Ok(time) => Ok(Some(time)),
        Err(_) => Err(Error::invalid(format!(
            "{name} must be a time with its offset, such as 2026-01-15T10:30:00Z"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Listing, Error> {
        listing(&QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap())
    }

    #[test]
    fn every_problem_of_the_filter_is_reported() {
        assert_eq!(read("status=&rule_id=&start_executed_at=").unwrap(), Listing::default());
        let found = read(
            "status=failed&execution_type=scheduled&start_executed_at=2026-01-15T10:30:00Z\
             &end_executed_at=2026-01-15T10:30:00%2B01:00",
        )
        .unwrap();
        assert_eq!(found.status, Some(RunStatus::Failed));
        assert_eq!(found.execution, Some(Execution::Import));
        assert!(found.from > found.to);
        let Err(Error::Invalid { problems: errors, .. }) = read(
            "rule_id=1&status=done&execution_type=x&start_executed_at=monday\
             &end_executed_at=2026-01-15",
        ) else {
            panic!("accepted");
        };
        assert_eq!(errors.len(), 5, "{errors:?}");
    }
}
