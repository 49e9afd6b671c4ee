//! `/api/v1/budget_categories`: the planned spending of the categories of a budget.

pub(in crate::api) mod view;

use purser_app::budgets::lines::{self, Listing};
use purser_app::budgets::overview;
use purser_core::budgets::LineInput;
use purser_core::error::{Problems, Result};
use purser_core::ids::{BudgetCategoryId, BudgetId, CategoryId};
use serde::Serialize;
use utoipa::ToSchema;

use self::view::LineBody;
use super::budgets::view::LineOverviewBody;
use crate::http::answer::{Answer, Created, Deleted, Json};
use crate::http::body::kinds::{self, Decimal};
use crate::http::body::presence::{OnlyNew, Required};
use crate::http::body::{Change, Checked, New, body};
use crate::http::call::{Call, Create, Delete, Update};
use crate::http::error::ApiResult;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::permit::{Unrestricted, UnrestrictedReader};
use crate::http::query::{Id, Paged, query};
use crate::http::table::routes;

routes! { "budget_categories":
    /// List categories of budgets
    ///
    /// The categories of the newest budgets come first. The actual spending is shown for a single
    /// one only. A key that is restricted to chosen accounts gets 403 `restricted_key`.
    GET "/budget_categories" => list as list_budget_categories;
    /// Add a category to a budget
    ///
    /// A budget has each category at most once; otherwise the answer is 409
    /// `budget_category_exists`. A key that is restricted to chosen accounts gets 403
    /// `restricted_key`.
    POST "/budget_categories" => create as create_budget_category;
    /// Show a category of a budget with its actual spending
    ///
    /// A key that is restricted to chosen accounts gets 403 `restricted_key`.
    GET "/budget_categories/{id}" => show as show_budget_category;
    /// Change a category of a budget
    ///
    /// Its budget and its category can't be changed. A key that is restricted to chosen accounts
    /// gets 403 `restricted_key`.
    PATCH PUT "/budget_categories/{id}" => update as update_budget_category;
    /// Remove a category from a budget
    ///
    /// The category itself stays. A key that is restricted to chosen accounts gets 403
    /// `restricted_key`.
    DELETE "/budget_categories/{id}" => delete as delete_budget_category;
}

path_id!(BudgetCategoryId, "Budget category", |tx: &mut purser_app::FamilyTx<'_>, id| {
    lines::get(tx, id)
});

body! {
    /// The members of a category of a budget.
    struct LineFields as "BudgetCategory" in ["budget_category"] {
        /// The id of the budget.
        budget_id: OnlyNew<Required<kinds::Id>>,
        /// The id of the category, which may be of either level.
        category_id: OnlyNew<Required<kinds::Id>>,
        /// The planned spending of the category and its subcategories.
        #[example("400.00")]
        budgeted_spending: Required<Decimal>,
    }
}

impl Checked for LineFields {
    type Output = LineInput;

    fn check(self, problems: Problems) -> Result<LineInput> {
        Ok(LineInput {
            budget: self.budget_id,
            category: self.category_id,
            budgeted_spending: self.budgeted_spending,
            problems: problems.into_list(),
        })
    }
}

query! {
    /// The filter of a list of categories of budgets.
    struct LineFilter {
        /// Only categories of this budget.
        budget_id: Id<BudgetId>,
        /// Only lines of this category.
        category_id: Id<CategoryId>,
    }
}

/// A page of categories of budgets.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetCategoryPage)]
struct Page {
    /// The items of the page, those of the newest budgets first.
    budget_categories: Vec<LineBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

async fn list(
    call: Call<UnrestrictedReader, (), Paged<LineFilter>>,
) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = Listing { budget: filter.budget_id, category: filter.category_id };
        let (found, total) = lines::list(tx, listing, page.limit(), page.offset())?;
        let budget_categories = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { budget_categories, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<LineFields>, Unrestricted>,
) -> ApiResult<Answer<Created<LineBody>>> {
    call.write(|tx, sent| Ok(Created(lines::create(tx, &sent.body)?.into()))).await
}

async fn show(
    call: Call<UnrestrictedReader, BudgetCategoryId>,
) -> ApiResult<Answer<Json<LineOverviewBody>>> {
    call.read(|tx, sent| Ok(Json(overview::show_line(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<BudgetCategoryId, Change<LineFields>, Unrestricted>,
) -> ApiResult<Answer<Json<LineBody>>> {
    call.write(|tx, sent| Ok(Json(lines::revise(tx, sent.id, &sent.body)?.into()))).await
}

async fn delete(call: Delete<BudgetCategoryId, Unrestricted>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| lines::remove(tx, sent.id)).await
}
