//! What answers say of a category of a budget. Shown alone it has what was spent too, in the shape
//! that it has below its budget.

use purser_app::budgets::lines::BudgetLine;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::budgets::view::CategoryBody;
use crate::http::money::Amount;
use crate::http::time::Time;

/// What a category may cost in a month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetCategory)]
pub(in crate::api) struct LineBody {
    /// Its id.
    id: Uuid,
    /// The budget.
    budget_id: Uuid,
    /// What the budget is called: its `name`.
    #[schema(example = "January 2026")]
    budget_name: String,
    /// The category's id.
    category_id: Uuid,
    /// The category.
    category: CategoryBody,
    /// The code of the currency of its amount: the budget's.
    #[schema(example = "USD")]
    currency: &'static str,
    /// What the category may cost, formatted.
    #[schema(example = "$400.00")]
    budgeted_spending: String,
    /// The same, exact.
    #[schema(example = "400.00")]
    budgeted_spending_decimal: String,
    /// The same, in the currency's smallest unit.
    #[schema(example = 40_000)]
    budgeted_spending_cents: i64,
    /// When it was made.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

impl From<BudgetLine> for LineBody {
    fn from(line: BudgetLine) -> Self {
        let amount = Amount::new(line.budgeted_spending, line.currency);
        Self {
            id: line.id.0,
            budget_id: line.budget.0,
            budget_name: line.budget_name,
            category_id: line.category.id.0,
            category: line.category.into(),
            currency: line.currency.code(),
            budgeted_spending: amount.text,
            budgeted_spending_decimal: amount.decimal,
            budgeted_spending_cents: amount.minor_units,
            created_at: line.created_at.into(),
            updated_at: line.updated_at.into(),
        }
    }
}
