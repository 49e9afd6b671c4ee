//! `GET /api/v1/budget_categories`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::budgets::lines::{self, Listing};
use purser_app::labels::require_unrestricted;
use purser_core::error::{Error, Problems};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::shape::LineBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::filters::{self, collect};
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{PageParams, PageRequest, Pagination, QueryParams};
use crate::state::AppState;

/// A page of categories of budgets.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetCategoryPage)]
struct Page {
    /// Those of the newest budgets first.
    budget_categories: Vec<LineBody>,
    /// Where they stand in the list.
    pagination: Pagination,
}

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Params {
    /// Only of this budget.
    budget_id: Option<uuid::Uuid>,
    /// Only for this category.
    category_id: Option<uuid::Uuid>,
}

/// List categories of budgets
///
/// What was spent is shown with a single one. Not with a key that is restricted to chosen accounts:
/// 403 `restricted_key`.
#[utoipa::path(
    get,
    path = "/budget_categories",
    operation_id = "list_budget_categories",
    tag = "budget_categories",
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
            lines::list(tx, caller.family, listing, page.limit(), page.offset())
        })
        .await?;
    let budget_categories = found.into_iter().map(LineBody::from).collect();
    let body = Page { budget_categories, pagination: Pagination::new(page, total) };
    Ok(crate::http::json(StatusCode::OK, &body))
}

fn filter(query: &QueryParams) -> Result<Listing, Error> {
    let mut problems = Problems::new();
    let listing = Listing {
        budget: collect(filters::id(query, "budget_id"), &mut problems),
        category: collect(filters::id(query, "category_id"), &mut problems),
    };
    problems.into_result()?;
    Ok(listing)
}
