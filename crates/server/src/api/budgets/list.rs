//! `GET /api/v1/budgets`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::budgets::{self, Listing};
use purser_app::labels::require_unrestricted;
use purser_core::error::{Error, Problems};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::BudgetBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of budgets.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetPage)]
struct Page {
    /// Newest first.
    budgets: Vec<BudgetBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only those that begin on this day or later, as `YYYY-MM-DD`.
    #[param(format = Date)]
    start_date: Option<String>,
    /// Only those that end on this day or earlier, as `YYYY-MM-DD`.
    #[param(format = Date)]
    end_date: Option<String>,
}

/// List budgets
///
/// What was spent is shown with a single one. Budgets are about all accounts, so a key that is
/// restricted to some gets 403 `restricted_key`.
#[utoipa::path(
    get,
    path = "/budgets",
    operation_id = "list_budgets",
    tag = "budgets",
    params(PageParams, Params),
    responses((status = 200, body = Page), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    require_unrestricted(caller.accounts())?;
    let page = PageRequest::from_query(&query)?;
    let listing = filter(&query)?;
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| {
            budgets::list(tx, caller.family, listing, page.limit(), page.offset())
        })
        .await?;
    let budgets = found.into_iter().map(BudgetBody::from).collect();
    let body = Page { budgets, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Listing, Error> {
    let mut problems = Problems::new();
    let listing = Listing {
        start: collect(filters::day(query, "start_date"), &mut problems),
        end: collect(filters::day(query, "end_date"), &mut problems),
    };
    problems.into_result()?;
    Ok(listing)
}
