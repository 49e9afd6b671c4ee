//! A budget beside what was spent, computed when it is asked for.

use std::collections::{HashMap, HashSet};

use purser_core::budgets::overview::{Flow, Overview, overview};
use purser_core::error::{Error, Result};
use purser_core::ids::{BudgetCategoryId, BudgetId, CategoryId};

use super::lines::{self, BudgetLine};
use super::{Budget, get};
use crate::access::FamilyTx;
use crate::cash_flow::{CashFlowFilter, Missing, cash_flow};

use crate::labels::{self, CategoryPath};

/// A budget and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetOverview {
    /// The budget and its planned amounts.
    pub budget: Budget,
    /// The spending of the month.
    pub spending: i128,
    /// The income of the month.
    pub income: i128,
    /// The sum of the lines of the first level and of those without a line above them.
    pub allocated: i128,
    /// The lines with what was spent, by the paths of their categories.
    pub lines: Vec<LineOverview>,
    /// Spending that no line names, by path; those without a category first.
    pub unbudgeted: Vec<(Option<CategoryPath>, i128)>,
    /// Amounts that no rate is known for, or no sum holds: not counted.
    pub missing: Vec<Missing>,
}

/// A line and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineOverview {
    /// The line and its planned amount.
    pub line: BudgetLine,
    /// What was spent, with what is below the category.
    pub spending: i128,
    /// Whether amounts of the month could not be counted.
    pub is_incomplete: bool,
}

/// A budget with what was spent.
pub fn show(tx: &mut FamilyTx<'_>, id: BudgetId) -> Result<BudgetOverview> {
    let budget = get(tx, id)?;
    let lines = lines::of_budget(tx, id)?;
    let categories = labels::categories(tx)?;
    let (sums, missing) = sums(tx, &budget, &lines, &categories)?;
    let mut amounts: HashMap<CategoryId, BudgetLine> =
        lines.into_iter().map(|line| (line.category.id, line)).collect();
    let mut unbudgeted: Vec<(Option<CategoryPath>, i128)> = Vec::new();
    if let Some(spent) = sums.unbudgeted.get(&None) {
        unbudgeted.push((None, *spent));
    }
    let (mut shown, mut allocated) = (Vec::new(), 0_i128);
    let budgeted: HashSet<CategoryId> = amounts.keys().copied().collect();
    for category in categories {
        if let Some(spent) = sums.unbudgeted.get(&Some(category.id)) {
            unbudgeted.push((Some(category.clone()), *spent));
        }
        let Some(line) = amounts.remove(&category.id) else { continue };
        if category.parent.is_none_or(|parent| !budgeted.contains(&parent)) {
            allocated += i128::from(line.budgeted_spending);
        }
        let spending = sums.spent(category.id);
        let is_incomplete = !missing.is_empty();
        shown.push(LineOverview { line, spending, is_incomplete });
    }
    Ok(BudgetOverview {
        spending: sums.spending,
        income: sums.income,
        allocated,
        budget,
        lines: shown,
        unbudgeted,
        missing,
    })
}

/// One line with what was spent.
pub fn show_line(tx: &mut FamilyTx<'_>, id: BudgetCategoryId) -> Result<LineOverview> {
    let line = lines::get(tx, id)?;
    let seen = show(tx, line.budget)?;
    // While a publish that creates its category is unfinished, the line is as hidden as that.
    let found = seen.lines.into_iter().find(|one| one.line.id == id);
    found.ok_or(Error::NotFound { what: "Budget category" })
}

/// The sums are those of all accounts, as no caller who sees only some of them reaches budgets.
fn sums(
    tx: &mut FamilyTx<'_>,
    budget: &Budget,
    lines: &[BudgetLine],
    categories: &[CategoryPath],
) -> Result<(Overview, Vec<Missing>)> {
    let wanted = CashFlowFilter {
        first: budget.start,
        last: budget.end,
        currency: budget.currency,
        month_start_day: budget.start.day(),
        accounts: None,
    };
    let flow = cash_flow(tx, &wanted)?;
    let flows: Vec<Flow> = flow
        .lines
        .iter()
        .map(|line| Flow { category: line.category, income: line.income, expense: line.expense })
        .collect();
    let parents = categories.iter().filter_map(|one| Some((one.id, one.parent?))).collect();
    let budgeted = lines.iter().map(|line| line.category.id).collect();
    Ok((overview(&flows, &parents, &budgeted), flow.missing))
}
