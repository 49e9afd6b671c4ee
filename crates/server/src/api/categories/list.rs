//! `GET /api/v1/categories`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::categories;
use purser_core::error::{Error, Problems};
use purser_core::ids::CategoryId;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::CategoryBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of categories.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CategoryPage)]
struct Page {
    /// By path: those below another come right after it.
    categories: Vec<CategoryBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// `true`: only those of the first level.
    roots_only: Option<bool>,
    /// Only those below this category.
    parent_id: Option<uuid::Uuid>,
    /// Only those whose path holds this text, in any case.
    name: Option<String>,
}

/// What the filter says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Filter {
    roots_only: bool,
    parent: Option<CategoryId>,
    name: Option<String>,
}

/// List categories
///
/// A key that is restricted to chosen accounts sees those that transactions of its accounts have,
/// and those that none has.
#[utoipa::path(
    get,
    path = "/categories",
    operation_id = "list_categories",
    tag = "categories",
    params(PageParams, Params),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let Filter { roots_only, parent, name } = filter(&query)?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            let restriction = caller.accounts();
            let listing = categories::Listing { roots_only, parent, name, restriction };
            categories::list(tx, caller.family, &listing, page.limit(), page.offset())
        })
        .await?;
    let categories = found.into_iter().map(CategoryBody::from).collect();
    let body = Page { categories, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Filter, Error> {
    let mut problems = Problems::new();
    let filter = Filter {
        roots_only: collect(filters::flag(query, "roots_only"), &mut problems).unwrap_or(false),
        parent: collect(filters::id(query, "parent_id"), &mut problems),
        name: collect(filters::value(query, "name"), &mut problems).map(str::to_owned),
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
        assert_eq!(read("roots_only=&parent_id=&name=+").unwrap(), Filter::default());
        assert!(read("roots_only=1").unwrap().roots_only);
        let Err(Error::Invalid { problems: errors, .. }) =
            read("roots_only=x&parent_id=1&name=a&name=b")
        else {
            panic!("accepted");
        };
        assert_eq!(errors.len(), 3, "{errors:?}");
    }
}
