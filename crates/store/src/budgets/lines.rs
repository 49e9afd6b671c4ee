//! Lines of budgets: what a category may cost in a month.

use jiff::Timestamp;
use purser_core::budgets::LineInput;
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::{BudgetCategoryId, BudgetId, CategoryId};
use purser_core::labels::input::LabelKind;
use purser_core::money::Currency;
use purser_core::months::month_name;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::find;
use crate::access::FamilyTx;
use crate::driver::{Filter, Query, Row, statements, vals};
use crate::families::FamilyId;
use crate::labels::{self, CategoryPath};
use crate::ledger::Executor;
use crate::ledger::records::{Record, execute, read_by_ids};

statements! {
    /// The line with an id.
    LINE_BY_ID = "SELECT l.id, l.budget_id, l.budgeted_spending, l.created_at, l.updated_at,
            b.currency, b.start_date, b.end_date,
            c.id, c.name, c.parent_id, c.color, p.color, c.icon, p.name
        FROM budget_categories l
        JOIN budgets b ON b.family_id = $1 AND b.id = l.budget_id
        JOIN categories c ON c.family_id = $1 AND c.id = l.category_id
        LEFT JOIN categories p ON p.family_id = $1 AND p.id = c.parent_id
        WHERE l.family_id = $1 AND l.id = $2";
    /// The line of a budget for a category.
    LINE_OF_PAIR = "SELECT id FROM budget_categories
        WHERE family_id = $1 AND budget_id = $2 AND category_id = $3";
    /// The amounts of a budget's lines.
    LINES_OF_BUDGET = "SELECT category_id, budgeted_spending FROM budget_categories
        WHERE family_id = $1 AND budget_id = $2 ORDER BY id";
    /// Lines by their ids.
    LINES_BY_IDS = "SELECT id, budget_id, category_id, budgeted_spending FROM budget_categories
        WHERE family_id = $1 AND id = ANY($2)";
    /// Inserts a new line.
    LINE_ADD = "INSERT INTO budget_categories (family_id, id, budget_id, category_id,
            budgeted_spending, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)";
    /// Changes what a line is for, and its amount.
    LINE_UPDATE = "UPDATE budget_categories SET category_id = $1, budgeted_spending = $2,
            updated_at = $3
        WHERE family_id = $4 AND id = $5";
    /// Removes the line with an id.
    LINE_REMOVE = "DELETE FROM budget_categories WHERE family_id = $1 AND id = $2";
}

const SELECT: &str = "SELECT l.id, l.budget_id, l.budgeted_spending, l.created_at, l.updated_at,
        b.currency, b.start_date, b.end_date,
        c.id, c.name, c.parent_id, c.color, p.color, c.icon, p.name
    FROM budget_categories l
    JOIN budgets b ON b.family_id = $1 AND b.id = l.budget_id
    JOIN categories c ON c.family_id = $1 AND c.id = l.category_id
    LEFT JOIN categories p ON p.family_id = $1 AND p.id = c.parent_id";
const SELECT_COUNT: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM budget_categories l";
const NEWEST_FIRST: &str = "ORDER BY b.start_date DESC, l.id LIMIT ? OFFSET ?";

/// What a category may cost in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetLine {
    /// The id of the line.
    pub id: BudgetCategoryId,
    /// The budget of the line.
    pub budget: BudgetId,
    /// What the budget is called.
    pub budget_name: String,
    /// The category, of either level.
    pub category: CategoryPath,
    /// In the budget's currency.
    pub budgeted_spending: i64,
    /// The currency of the budget.
    pub currency: Currency,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// Which lines are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// Only of this budget.
    pub budget: Option<BudgetId>,
    /// Only for this category.
    pub category: Option<CategoryId>,
}

/// A page of lines, those of the newest budgets first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<BudgetLine>, u64)> {
    let family = tx.family();
    let filter = filter(family, listing);
    let total = tx.query_one(&filter.query(SELECT_COUNT, "", []), &[], |row| row.count(0))?;
    let page = filter.query(SELECT, NEWEST_FIRST, [limit.into(), offset.into()]);
    Ok((tx.query(&page, &[], read)?, total))
}

fn filter<'a>(family: FamilyId, listing: Listing) -> Filter<'a> {
    Filter::of_family("l.family_id = ?", family)
        .and_opt("l.budget_id = ?", listing.budget)
        .and_opt("l.category_id = ?", listing.category)
}

/// Every line of a budget; there are at most as many as categories.
pub(super) fn of_budget(tx: &mut FamilyTx<'_>, budget: BudgetId) -> Result<Vec<BudgetLine>> {
    let family = tx.family();
    let filter = filter(family, Listing { budget: Some(budget), category: None });
    tx.query(&filter.query(SELECT, "ORDER BY l.id", []), &[], read)
}

/// The line with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: BudgetCategoryId) -> Result<BudgetLine> {
    let family = tx.family();
    tx.query_opt(&LINE_BY_ID, vals![family, id], read)?
        .ok_or(Error::NotFound { what: "Budget category" })
}

/// Creates a budget line.
pub fn create(tx: &mut FamilyTx<'_>, input: &LineInput) -> Result<BudgetLine> {
    let family = tx.family();
    let (budget, category) = input.ids()?;
    let mut problems = Problems::new();
    let its = find(tx, budget)?;
    if its.is_none() {
        problems.field("budget_id", "is not the id of a budget");
    }
    if !labels::unknown(tx, LabelKind::Category, &[category.0])?.is_empty() {
        problems.field("category_id", "is not the id of a category");
    }
    problems.into_result()?;
    let currency = its.map_or(Currency::USD, |budget| budget.currency);
    let amount = input.amount(currency)?.unwrap_or_default();
    let pair = vals![family, budget, category];
    if tx.query_opt(&LINE_OF_PAIR, pair, |_| Ok(()))?.is_some() {
        return Err(Error::Conflict {
            code: "budget_category_exists",
            message: "The budget has a line for this category already".to_owned(),
        });
    }
    let line = LineImage { budget, category, budgeted_spending: amount };
    let event = ("budget_category.create", "budget_category");
    let id = execute(tx, event, |tx, executor| executor.insert::<LineRecord>(tx, &line))?;
    get(tx, BudgetCategoryId(id))
}

/// A line as it is kept before and after a change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct LineImage {
    budget: BudgetId,
    category: CategoryId,
    budgeted_spending: i64,
}

impl LineImage {
    /// What a category may cost.
    pub(crate) fn new(budget: BudgetId, category: CategoryId, budgeted_spending: i64) -> Self {
        Self { budget, category, budgeted_spending }
    }

    fn of(line: &BudgetLine) -> Self {
        let BudgetLine { budget, category, budgeted_spending, .. } = line;
        Self { budget: *budget, category: category.id, budgeted_spending: *budgeted_spending }
    }
}

/// Lines as the executor writes them.
pub(crate) struct LineRecord;

impl Record for LineRecord {
    const KIND: &'static str = "budget_category";
    const PLACE: &'static [&'static str] = &["budget", "category"];
    const POINTS_TO: &'static [(&'static str, &'static str)] =
        &[("budget", "budget"), ("category", "category")];
    type Values = LineImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, LineImage)>> {
        read_by_ids(tx, &LINES_BY_IDS, ids, |row| {
            let (budget, category) = (row.id(1)?, row.id(2)?);
            Ok(LineImage { budget, category, budgeted_spending: row.int(3)? })
        })
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, line: &LineImage) -> Result<()> {
        let (family, now, amount) = (tx.family(), tx.now(), line.budgeted_spending);
        tx.execute(&LINE_ADD, vals![family, id, line.budget, line.category, amount, now]).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, line: &LineImage) -> Result<()> {
        let (family, now, amount) = (tx.family(), tx.now(), line.budgeted_spending);
        tx.execute(&LINE_UPDATE, vals![line.category, amount, now, family, id]).map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&LINE_REMOVE, vals![family, id]).map(drop)
    }

    fn title(_line: &LineImage) -> String {
        "a line of a budget".to_owned()
    }

    fn holder(tx: &mut FamilyTx<'_>, line: &LineImage) -> Result<Option<Uuid>> {
        let family = tx.family();
        tx.query_opt(&LINE_OF_PAIR, vals![family, line.budget, line.category], |row| row.uuid(0))
    }
}

/// Gives a budget the lines of another.
pub(super) fn copy(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    from: BudgetId,
    to: BudgetId,
) -> Result<()> {
    let family = tx.family();
    let lines = tx.query(&LINES_OF_BUDGET, vals![family, from], |row| {
        Ok((row.id::<CategoryId>(0)?, row.int(1)?))
    })?;
    for (category, budgeted_spending) in lines {
        let line = LineImage { budget: to, category, budgeted_spending };
        executor.insert::<LineRecord>(tx, &line)?;
    }
    Ok(())
}

/// Changes what a category may cost.
pub fn revise(
    tx: &mut FamilyTx<'_>,
    id: BudgetCategoryId,
    input: &LineInput,
) -> Result<BudgetLine> {
    let before = get(tx, id)?;
    let amount = input.amount(before.currency)?.unwrap_or(before.budgeted_spending);
    if amount == before.budgeted_spending {
        return Ok(before);
    }
    let was = LineImage::of(&before);
    let is = LineImage { budgeted_spending: amount, ..LineImage::of(&before) };
    let event = ("budget_category.update", "budget_category");
    execute(tx, event, |tx, executor| {
        executor.update::<LineRecord>(tx, id.0, (&was, &is))?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// Removes a budget line.
pub fn remove(tx: &mut FamilyTx<'_>, id: BudgetCategoryId) -> Result<()> {
    let before = get(tx, id)?;
    let event = ("budget_category.remove", "budget_category");
    execute(tx, event, |tx, executor| {
        executor.delete::<LineRecord>(tx, id.0, &LineImage::of(&before))?;
        Ok(id.0)
    })
    .map(drop)
}

fn read(row: &Row<'_>) -> Result<BudgetLine> {
    Ok(BudgetLine {
        id: row.id(0)?,
        budget: row.id(1)?,
        budgeted_spending: row.int(2)?,
        created_at: row.timestamp(3)?,
        updated_at: row.timestamp(4)?,
        currency: row.currency(5)?,
        budget_name: month_name(row.date(6)?, row.date(7)?),
        category: CategoryPath::read(row, 8)?,
    })
}

/// The widest queries of this module, for the test that prepares them.
pub(super) fn query_examples(family: FamilyId) -> Vec<Query<'static>> {
    let nil = uuid::Uuid::nil();
    let listing = Listing { budget: Some(BudgetId(nil)), category: Some(CategoryId(nil)) };
    let filter = filter(family, listing);
    vec![
        filter.query(SELECT, NEWEST_FIRST, [1.into(), 1.into()]),
        filter.query(SELECT, "ORDER BY l.id", []),
        filter.query(SELECT_COUNT, "", []),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_columns_are_read_of_one_and_of_many() {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(LINE_BY_ID.text()).starts_with(&words(SELECT)));
    }
}
