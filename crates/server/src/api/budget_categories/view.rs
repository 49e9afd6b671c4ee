//! The answers about a category of a budget. A single one has the actual spending too, in the shape
//! that it has in its budget.

use purser_app::budgets::lines::BudgetLine;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::budgets::view::CategoryBody;
use crate::http::money::Amount;
use crate::http::time::Time;

/// The planned spending of a category in a month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetCategory)]
pub(in crate::api) struct LineBody {
    /// The id of the category of the budget.
    id: Uuid,
    /// The id of the budget.
    budget_id: Uuid,
    /// The name of the budget.
    #[schema(example = "January 2026")]
    budget_name: String,
    /// The id of the category.
    category_id: Uuid,
    /// The category with planned spending.
    category: CategoryBody,
    /// Whether the category has a parent.
    #[schema(example = false)]
    subcategory: bool,
    /// Whether it has a parent and no planned spending of its own.
    #[schema(example = false)]
    inherits_parent_budget: bool,
    /// The code of the currency of the budget.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The planned spending of the category and its subcategories, formatted.
    #[schema(example = "$400.00")]
    budgeted_spending: String,
    /// The exact planned spending.
    #[schema(example = "400.00")]
    budgeted_spending_decimal: String,
    /// The planned spending in the smallest unit of the currency.
    #[schema(example = 40_000)]
    budgeted_spending_cents: i64,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

impl From<BudgetLine> for LineBody {
    fn from(line: BudgetLine) -> Self {
        let amount = Amount::new(line.budgeted_spending, line.currency);
        let subcategory = line.category.parent.is_some();
        Self {
            id: line.id.0,
            budget_id: line.budget.0,
            budget_name: line.budget_name,
            category_id: line.category.id.0,
            category: line.category.into(),
            subcategory,
            inherits_parent_budget: subcategory && line.budgeted_spending == 0,
            currency: line.currency.code(),
            budgeted_spending: amount.text,
            budgeted_spending_decimal: amount.decimal,
            budgeted_spending_cents: amount.minor_units,
            created_at: line.created_at.into(),
            updated_at: line.updated_at.into(),
        }
    }
}
