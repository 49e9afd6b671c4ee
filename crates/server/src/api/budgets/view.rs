//! The answers about budgets.

use jiff::civil::Date;
use purser_app::budgets::Budget;
use purser_app::budgets::overview::{BudgetOverview, LineOverview};
use purser_app::cash_flow::Missing;
use purser_app::labels::CategoryPath;
use purser_core::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::budget_categories::view::LineBody;
use crate::api::categories::icon;
use crate::http::money::{Amount, Sum};
use crate::http::time::Time;

/// The planned spending and income of a month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Budget)]
pub(crate) struct BudgetBody {
    /// The id of the budget.
    id: Uuid,
    /// The name of the month, such as `January 2026`; its first and last day, such as `11 Jan – 10
    /// Feb 2026`, if the family's months begin on another day than the first.
    #[schema(example = "January 2026")]
    name: String,
    /// The first day of the month.
    #[schema(format = Date, example = "2026-01-01")]
    start_date: String,
    /// The last day of the month.
    #[schema(format = Date, example = "2026-01-31")]
    end_date: String,
    /// Whether the family's today is one of its days.
    #[schema(example = true)]
    current: bool,
    /// Whether its planned spending is set.
    #[schema(example = true)]
    initialized: bool,
    /// The code of the currency of the amounts.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The planned spending of the month, formatted; null if none is set.
    #[schema(required, example = "$2,000.00")]
    budgeted_spending: Option<String>,
    /// The exact planned spending; null if none is set.
    #[schema(required, example = "2000.00")]
    budgeted_spending_decimal: Option<String>,
    /// The planned spending in the smallest unit of the currency; null if none is set.
    #[schema(required, example = 200_000)]
    budgeted_spending_cents: Option<i64>,
    /// The expected income of the month, formatted; null if none is set.
    #[schema(required, example = "$3,000.00")]
    expected_income: Option<String>,
    /// The exact expected income; null if none is set.
    #[schema(required, example = "3000.00")]
    expected_income_decimal: Option<String>,
    /// The expected income in the smallest unit of the currency; null if none is set.
    #[schema(required, example = 300_000)]
    expected_income_cents: Option<i64>,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// The planned and the actual spending and income of a month.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetOverview)]
pub(super) struct OverviewBody {
    #[serde(flatten)]
    budget: BudgetBody,
    /// The actual spending, formatted: expenses minus refunds, without transfers and excluded
    /// transactions.
    #[schema(example = "$1,500.00")]
    actual_spending: String,
    /// The exact actual spending.
    #[schema(example = "1500.00")]
    actual_spending_decimal: String,
    /// The actual spending in the smallest unit of the currency. It may be larger than 64 bits
    /// hold.
    #[schema(example = 150_000)]
    actual_spending_cents: i128,
    /// The actual income of the month, formatted.
    #[schema(example = "$3,000.00")]
    actual_income: String,
    /// The exact actual income.
    #[schema(example = "3000.00")]
    actual_income_decimal: String,
    /// The actual income in the smallest unit of the currency. It may be larger than 64 bits hold.
    #[schema(example = 300_000)]
    actual_income_cents: i128,
    /// The sum of the planned spending of the categories, formatted. A subcategory doesn't add to
    /// it if its parent has planned spending.
    #[schema(example = "$1,800.00")]
    allocated_spending: String,
    /// The exact sum of the planned spending of the categories.
    #[schema(example = "1800.00")]
    allocated_spending_decimal: String,
    /// The sum of the planned spending of the categories in the smallest unit of the currency. It
    /// may be larger than 64 bits hold.
    #[schema(example = 180_000)]
    allocated_spending_cents: i128,
    /// The planned minus the actual spending, formatted; negative if more was spent than planned,
    /// and null if no spending is planned.
    #[schema(required, example = "$500.00")]
    remaining: Option<String>,
    /// The exact planned minus the actual spending; null if no spending is planned.
    #[schema(required, example = "500.00")]
    remaining_decimal: Option<String>,
    /// The planned minus the actual spending in the smallest unit of the currency; null if no
    /// spending is planned. It may be larger than 64 bits hold.
    #[schema(required, example = 50_000)]
    remaining_cents: Option<i128>,
    /// Whether more was spent than planned; null if no spending is planned.
    #[schema(required, example = false)]
    is_over: Option<bool>,
    /// The categories with planned spending, by path.
    budget_categories: Vec<LineOverviewBody>,
    /// The actual spending in other categories of the first level, and without a category.
    unbudgeted: Vec<UnbudgetedBody>,
    /// The amounts for which no exchange rate is known, or which are too large once they are
    /// converted. They are not counted.
    missing_rates: Vec<MissingRateBody>,
}

/// The category of a line of a budget.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetCategoryLabel)]
pub(crate) struct CategoryBody {
    /// The id of the category.
    id: Uuid,
    /// The name without the parent's.
    #[schema(example = "Groceries")]
    name: String,
    /// The name after the name of the parent, if there is one.
    #[schema(example = "Food: Groceries")]
    path: String,
    /// The id of the parent; null on the first level.
    #[schema(required)]
    parent_id: Option<Uuid>,
    /// The color as `#rrggbb`: the category's own, else its parent's, else one that follows from
    /// the id.
    #[schema(example = "#e07a3f")]
    color: String,
    /// The name of the icon; `shapes` if none was chosen.
    #[schema(example = "shopping-basket")]
    icon: String,
    /// The same as `icon`.
    #[schema(example = "shopping-basket")]
    lucide_icon: String,
}

/// The planned and the actual spending of a category.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetCategoryOverview)]
pub(crate) struct LineOverviewBody {
    #[serde(flatten)]
    line: LineBody,
    /// The actual spending in the category and its subcategories, formatted; negative if refunds
    /// exceed it.
    #[schema(example = "$300.00")]
    actual_spending: String,
    /// The exact actual spending.
    #[schema(example = "300.00")]
    actual_spending_decimal: String,
    /// The actual spending in the smallest unit of the currency. It may be larger than 64 bits
    /// hold.
    #[schema(example = 30_000)]
    actual_spending_cents: i128,
    /// The planned minus the actual spending, formatted; negative if more was spent than planned.
    #[schema(example = "$100.00")]
    remaining: String,
    /// The exact planned minus the actual spending.
    #[schema(example = "100.00")]
    remaining_decimal: String,
    /// The planned minus the actual spending in the smallest unit of the currency. It may be larger
    /// than 64 bits hold.
    #[schema(example = 10_000)]
    remaining_cents: i128,
    /// Whether more was spent than planned.
    #[schema(example = false)]
    is_over: bool,
    /// Whether amounts of the month could not be counted, as `missing_rates` of the budget lists
    /// them.
    #[schema(example = false)]
    is_incomplete: bool,
}

/// The actual spending that belongs to no category of the budget.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = UnbudgetedSpending)]
struct UnbudgetedBody {
    /// A category of the first level, with its subcategories; null for transactions without a
    /// category.
    #[schema(required)]
    category: Option<CategoryBody>,
    /// The actual spending, formatted.
    #[schema(example = "$20.00")]
    actual_spending: String,
    /// The exact actual spending.
    #[schema(example = "20.00")]
    actual_spending_decimal: String,
    /// The actual spending in the smallest unit of the currency. It may be larger than 64 bits
    /// hold.
    #[schema(example = 2_000)]
    actual_spending_cents: i128,
}

/// Amounts for which no exchange rate is known, or which are too large once they are converted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BudgetMissingRate)]
pub(crate) struct MissingRateBody {
    /// The code of the currency of the amounts.
    #[schema(example = "EUR")]
    from_currency: &'static str,
    /// The code of the currency that they would be counted in.
    #[schema(example = "USD")]
    to_currency: &'static str,
    /// The first day with such an amount.
    #[schema(format = Date, example = "2026-01-02")]
    first_date: String,
    /// The last day with such an amount.
    #[schema(format = Date, example = "2026-01-09")]
    last_date: String,
    /// The number of transactions with such an amount.
    #[schema(example = 3)]
    transactions_count: u64,
}

impl BudgetBody {
    /// A budget, and whether it is of the month that `today` is in.
    pub(super) fn new(budget: Budget, today: Date) -> Self {
        let amount = |amount: Option<i64>| amount.map(|it| Amount::new(it, budget.currency));
        let (spending, income) = (amount(budget.budgeted_spending), amount(budget.expected_income));
        Self {
            id: budget.id.0,
            name: budget.name(),
            start_date: budget.start.to_string(),
            end_date: budget.end.to_string(),
            current: (budget.start..=budget.end).contains(&today),
            initialized: budget.budgeted_spending.is_some(),
            currency: budget.currency.code(),
            budgeted_spending_cents: spending.as_ref().map(|it| it.minor_units),
            budgeted_spending_decimal: spending.as_ref().map(|it| it.decimal.clone()),
            budgeted_spending: spending.map(|it| it.text),
            expected_income_cents: income.as_ref().map(|it| it.minor_units),
            expected_income_decimal: income.as_ref().map(|it| it.decimal.clone()),
            expected_income: income.map(|it| it.text),
            created_at: budget.created_at.into(),
            updated_at: budget.updated_at.into(),
        }
    }
}

impl OverviewBody {
    /// A budget with its actual amounts, as [`BudgetBody::new`] shows it.
    pub(super) fn new(seen: BudgetOverview, today: Date) -> Self {
        let currency = seen.budget.currency;
        let sum = |sum| Sum::new(sum, currency);
        let (spending, income) = (sum(seen.spending), sum(seen.income));
        let allocated = sum(seen.allocated);
        let left = seen.budget.budgeted_spending.map(|may| i128::from(may) - seen.spending);
        let remaining = left.map(sum);
        let unbudgeted = seen.unbudgeted.into_iter();
        Self {
            budget: BudgetBody::new(seen.budget, today),
            actual_spending: spending.text,
            actual_spending_decimal: spending.decimal,
            actual_spending_cents: spending.minor_units,
            actual_income: income.text,
            actual_income_decimal: income.decimal,
            actual_income_cents: income.minor_units,
            allocated_spending: allocated.text,
            allocated_spending_decimal: allocated.decimal,
            allocated_spending_cents: allocated.minor_units,
            remaining_cents: remaining.as_ref().map(|it| it.minor_units),
            remaining_decimal: remaining.as_ref().map(|it| it.decimal.clone()),
            remaining: remaining.map(|it| it.text),
            is_over: left.map(|left| left < 0),
            budget_categories: seen.lines.into_iter().map(Into::into).collect(),
            unbudgeted: unbudgeted
                .map(|(category, spent)| UnbudgetedBody::new(category, spent, currency))
                .collect(),
            missing_rates: seen.missing.into_iter().map(Into::into).collect(),
        }
    }
}

impl UnbudgetedBody {
    fn new(category: Option<CategoryPath>, spent: i128, currency: Currency) -> Self {
        let spent = Sum::new(spent, currency);
        Self {
            category: category.map(Into::into),
            actual_spending: spent.text,
            actual_spending_decimal: spent.decimal,
            actual_spending_cents: spent.minor_units,
        }
    }
}

impl From<CategoryPath> for CategoryBody {
    fn from(category: CategoryPath) -> Self {
        let icon = icon(category.icon);
        Self {
            id: category.id.0,
            name: category.name,
            path: category.path,
            parent_id: category.parent.map(|parent| parent.0),
            color: category.color,
            lucide_icon: icon.clone(),
            icon,
        }
    }
}

impl From<LineOverview> for LineOverviewBody {
    fn from(seen: LineOverview) -> Self {
        let line = seen.line;
        let spent = Sum::new(seen.spending, line.currency);
        let left = i128::from(line.budgeted_spending) - seen.spending;
        let remaining = Sum::new(left, line.currency);
        Self {
            line: line.into(),
            actual_spending: spent.text,
            actual_spending_decimal: spent.decimal,
            actual_spending_cents: spent.minor_units,
            remaining: remaining.text,
            remaining_decimal: remaining.decimal,
            remaining_cents: remaining.minor_units,
            is_over: left < 0,
            is_incomplete: seen.is_incomplete,
        }
    }
}

impl From<Missing> for MissingRateBody {
    fn from(missing: Missing) -> Self {
        Self {
            from_currency: missing.from.code(),
            to_currency: missing.to.code(),
            first_date: missing.first.to_string(),
            last_date: missing.last.to_string(),
            transactions_count: missing.entries,
        }
    }
}
