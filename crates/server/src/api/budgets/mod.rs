//! `/api/v1/budgets`: planned and actual spending and income of months.

pub(in crate::api) mod view;

use purser_app::budgets::{self, Listing, overview};
use purser_app::calendar;
use purser_core::budgets::BudgetInput;
use purser_core::error::{Problems, Result};
use purser_core::ids::BudgetId;
use serde::Serialize;
use utoipa::ToSchema;

use self::view::{BudgetBody, OverviewBody};
use crate::http::answer::{Answer, Created, Deleted, Json};
use crate::http::body::kinds::{self, CurrencyCode, Decimal, Form, Formed, Id};
use crate::http::body::presence::{Nullable, OnlyNew, Optional};
use crate::http::body::{Change, Checked, New, body};
use crate::http::call::{Call, Create, Delete, Update};
use crate::http::error::ApiResult;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::permit::{Unrestricted, UnrestrictedReader};
use crate::http::query::{Day, Paged, query};
use crate::http::table::routes;

routes! { "budgets":
    /// List budgets
    ///
    /// The newest come first. The actual spending is shown for a single budget only. Budgets cover
    /// all accounts, so a key that is restricted to chosen accounts gets 403 `restricted_key`.
    GET "/budgets" => list as list_budgets;
    /// Create a budget
    ///
    /// A family has at most one budget for any day; otherwise the answer is 409 `budget_exists`. A
    /// key that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/budgets" => create as create_budget;
    /// Show a budget with its actual spending
    ///
    /// A key that is restricted to chosen accounts gets 403 `restricted_key`.
    GET "/budgets/{id}" => show as show_budget;
    /// Change a budget
    ///
    /// Members that are missing stay as they are, and null clears a member. The month and the
    /// currency can't be changed. A key that is restricted to chosen accounts gets 403
    /// `restricted_key`.
    PATCH PUT "/budgets/{id}" => update as update_budget;
    /// Delete a budget
    ///
    /// The planned spending of its categories is deleted with it. A key that is restricted to
    /// chosen accounts gets 403 `restricted_key`.
    DELETE "/budgets/{id}" => delete as delete_budget;
}

path_id!(BudgetId, "Budget", |tx: &mut purser_app::FamilyTx<'_>, id| budgets::get(tx, id));

struct Month;

impl Form for Month {
    const PATTERN: &'static str = "^ *([0-9]{4}-[0-9]{2})? *$";
}

body! {
    /// The members of a budget. A new one needs `start_date` or `month`.
    struct BudgetFields as "Budget" in ["budget"] {
        /// Any day of the month that the budget is for.
        #[example("2026-01-01")]
        start_date: OnlyNew<Optional<kinds::Day>>,
        /// The month that the budget is for. It begins on the family's `month_start_day`.
        #[example("2026-01")]
        month: OnlyNew<Optional<Formed<Month>>>,
        /// The code of the currency. If missing, it is that of the budget that is copied, or else
        /// the family's.
        #[example("USD")]
        currency: OnlyNew<Optional<Formed<CurrencyCode>>>,
        /// The planned spending of the month. Null clears it.
        #[example("2000.00")]
        budgeted_spending: Nullable<Decimal>,
        /// The expected income of the month. Null clears it.
        #[example("3000.00")]
        expected_income: Nullable<Decimal>,
        /// The id of a budget to copy: its categories, and its amounts that are not sent.
        copy_from: OnlyNew<Optional<Id>>,
    }
}

impl Checked for BudgetFields {
    type Output = BudgetInput;

    fn check(self, problems: Problems) -> Result<BudgetInput> {
        Ok(BudgetInput {
            start_date: self.start_date,
            month: self.month,
            currency: self.currency,
            copy_from: self.copy_from,
            budgeted_spending: self.budgeted_spending,
            expected_income: self.expected_income,
            problems: problems.into_list(),
        })
    }
}

query! {
    /// The filter of a list of budgets.
    struct BudgetFilter {
        /// Only budgets that begin on this day or later.
        start_date: Day,
        /// Only budgets that end on this day or earlier.
        end_date: Day,
    }
}

/// A page of budgets.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetPage)]
struct Page {
    /// The budgets of the page, newest first.
    budgets: Vec<BudgetBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

async fn list(
    call: Call<UnrestrictedReader, (), Paged<BudgetFilter>>,
) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = Listing { start: filter.start_date, end: filter.end_date };
        let (found, total) = budgets::list(tx, listing, page.limit(), page.offset())?;
        let today = calendar::today(tx)?;
        let budgets = found.into_iter().map(|budget| BudgetBody::new(budget, today)).collect();
        Ok(Json(Page { budgets, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<BudgetFields>, Unrestricted>,
) -> ApiResult<Answer<Created<BudgetBody>>> {
    call.write(|tx, sent| {
        let budget = budgets::create(tx, &sent.body)?;
        Ok(Created(BudgetBody::new(budget, calendar::today(tx)?)))
    })
    .await
}

async fn show(call: Call<UnrestrictedReader, BudgetId>) -> ApiResult<Answer<Json<OverviewBody>>> {
    call.read(|tx, sent| {
        let seen = overview::show(tx, sent.id)?;
        Ok(Json(OverviewBody::new(seen, calendar::today(tx)?)))
    })
    .await
}

async fn update(
    call: Update<BudgetId, Change<BudgetFields>, Unrestricted>,
) -> ApiResult<Answer<Json<BudgetBody>>> {
    call.write(|tx, sent| {
        let budget = budgets::revise(tx, sent.id, &sent.body)?;
        Ok(Json(BudgetBody::new(budget, calendar::today(tx)?)))
    })
    .await
}

async fn delete(call: Delete<BudgetId, Unrestricted>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| budgets::remove(tx, sent.id)).await
}
