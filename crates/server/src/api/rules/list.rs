//! `GET /api/v1/rules`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::rules;
use purser_core::error::{Error, Problems};
use purser_core::rules::RESOURCE_TYPE;
use utoipa::IntoParams;

use super::shape::RuleBody;
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
    /// Only `transaction`, which all of them are for.
    #[param(example = "transaction")]
    resource_type: Option<String>,
    /// Only those that run by themselves, or only the others.
    active: Option<bool>,
}

/// List rules
///
/// In the order in which they run.
#[utoipa::path(
    get,
    path = "/rules",
    operation_id = "list_rules",
    tag = "rules",
    params(PageParams, Filters),
    responses((status = 200, body = DataPage<RuleBody>), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let active = filter(&query)?;
    let (mut found, catalogue) = app
        .store
        .read(caller.access(), move |tx| match caller.accounts() {
            None => rules::all(tx, caller.family),
            Some(_) => Ok(Default::default()),
        })
        .await?;
    found.retain(|rule| active.is_none_or(|active| rule.is_active() == active));
    let meta = Meta::new(page, found.len() as u64);
    let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let shown = found.iter().skip(offset).take(page.per_page as usize);
    let data = shown.map(|rule| RuleBody::new(rule, &catalogue)).collect();
    Ok(crate::http::json(StatusCode::OK, &DataPage { data, meta }))
}

/// Whether they must be active.
fn filter(query: &QueryParams) -> Result<Option<bool>, Error> {
    let mut problems = Problems::new();
    let kind = collect(filters::value(query, "resource_type"), &mut problems);
    if kind.is_some_and(|kind| kind != RESOURCE_TYPE) {
        problems.push(format!("resource_type must be {RESOURCE_TYPE}"));
    }
    let active = collect(filters::flag(query, "active"), &mut problems);
    problems.into_result()?;
    Ok(active)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_of_the_filter_is_reported() {
        let read = |text: &str| {
            filter(&QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap())
        };
        assert_eq!(read("resource_type=transaction&active=1").unwrap(), Some(true));
        assert_eq!(read("resource_type=&active=").unwrap(), None);
        let Err(Error::Invalid { problems: errors, .. }) =
            read("resource_type=account&active=maybe")
        else {
            panic!("accepted");
        };
        assert_eq!(errors.len(), 2, "{errors:?}");
    }
}
