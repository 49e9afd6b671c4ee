//! Budgets: what a month may cost, by category.
//!
//! A family has at most one for any day. Budgets are about all of its accounts, so keys that are
//! restricted to some of them get none. What was spent is not stored: [`overview`] computes it.

pub mod lines;
pub mod overview;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::budgets::{Amounts, BudgetInput, NewBudget, unknown_source};
use purser_core::error::{Error, Result};
use purser_core::ids::BudgetId;
use purser_core::money::Currency;
use purser_core::months::{month_end, month_name};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::calendar;
use crate::driver::{Filter, Query, Row, statements, vals};
use crate::families::{self, FamilyId};
use crate::ledger::records::undo::{Pointer, pointing};
use crate::ledger::records::{Record, execute, read_by_ids};
use lines::LineRecord;

statements! {
    /// The budget with an id.
    BUDGET_BY_ID = "SELECT id, start_date, end_date, currency, budgeted_spending, expected_income,
            created_at, updated_at
        FROM budgets WHERE family_id = $1 AND id = $2";
    /// Budgets with a day among some days.
    BUDGET_OF_DAYS = "SELECT start_date, end_date FROM budgets
        WHERE family_id = $1 AND start_date <= $2 AND end_date >= $3
        ORDER BY start_date LIMIT 1";
    /// Inserts a new budget.
    BUDGET_ADD = "INSERT INTO budgets (family_id, id, start_date, end_date, currency,
            budgeted_spending, expected_income, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)";
    /// Changes the amounts of a budget.
    BUDGET_UPDATE = "UPDATE budgets SET budgeted_spending = $1, expected_income = $2,
            updated_at = $3
        WHERE family_id = $4 AND id = $5";
    /// Budgets by their ids.
    BUDGETS_BY_IDS = "SELECT id, start_date, currency, budgeted_spending, expected_income
        FROM budgets WHERE family_id = $1 AND id = ANY($2)";
    /// Who has a day among some days.
    BUDGET_HOLDER = "SELECT id FROM budgets
        WHERE family_id = $1 AND start_date <= $2 AND end_date >= $3
        ORDER BY start_date LIMIT 1";
    /// The lines of a budget.
    BUDGET_LINES = "SELECT id FROM budget_categories WHERE family_id = $1 AND budget_id = $2";
    /// A budget without lines.
    BUDGET_REMOVE = "DELETE FROM budgets WHERE family_id = $1 AND id = $2";
}

const SELECT: &str =
    "SELECT id, start_date, end_date, currency, budgeted_spending, expected_income,
        created_at, updated_at
    FROM budgets";
const SELECT_COUNT: &str = "SELECT CAST(COUNT(*) AS BIGINT) FROM budgets";
const NEWEST_FIRST: &str = "ORDER BY start_date DESC, id DESC LIMIT ? OFFSET ?";

/// A budget of a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Budget {
    /// The id of the budget.
    pub id: BudgetId,
    /// The first day of its month.
    pub start: Date,
    /// The last day of its month.
    pub end: Date,
    /// The currency of its amounts.
    pub currency: Currency,
    /// What may be spent in all.
    pub budgeted_spending: Option<i64>,
    /// What should come in.
    pub expected_income: Option<i64>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

impl Budget {
    /// What it is called: see [`month_name`].
    pub fn name(&self) -> String {
        month_name(self.start, self.end)
    }
}

/// Which budgets are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// Only those that begin on this day or later.
    pub start: Option<Date>,
    /// Only those that end on this day or earlier.
    pub end: Option<Date>,
}

/// A page of budgets, newest first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Budget>, u64)> {
    let family = tx.family();
    let filter = filter(family, listing);
    let total = tx.query_one(&filter.query(SELECT_COUNT, "", []), &[], |row| row.count(0))?;
    let page = filter.query(SELECT, NEWEST_FIRST, [limit.into(), offset.into()]);
    Ok((tx.query(&page, &[], read)?, total))
}

fn filter<'a>(family: FamilyId, listing: Listing) -> Filter<'a> {
    Filter::of_family("family_id = ?", family)
        .and_opt("start_date >= ?", listing.start)
        .and_opt("end_date <= ?", listing.end)
}

/// The budget with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: BudgetId) -> Result<Budget> {
    find(tx, id)?.ok_or(Error::NotFound { what: "Budget" })
}

fn find(tx: &mut FamilyTx<'_>, id: BudgetId) -> Result<Option<Budget>> {
    let family = tx.family();
    tx.query_opt(&BUDGET_BY_ID, vals![family, id], read)
}

/// Creates the budget of a month.
pub fn create(tx: &mut FamilyTx<'_>, input: &BudgetInput) -> Result<Budget> {
    let its = families::get(tx)?.preferences;
    let source = match input.copy_from()? {
        None => None,
        Some(id) => Some(find(tx, id)?.ok_or_else(unknown_source)?),
    };
    let currency = source.as_ref().map_or(its.currency, |source| source.currency);
    let today = calendar::today(tx)?;
    let new = input.check_new(its.month_start_day, (currency, source.is_some()), today)?;
    require_free(tx, new.start)?;
    let budget = planned(&new, source.as_ref());
    let id = execute(tx, ("budget.create", "budget"), |tx, executor| {
        let id = executor.insert::<BudgetRecord>(tx, &budget)?;
        if let Some(source) = &source {
            executor.add_detail("copied_from", json!(source.id));
            lines::copy(tx, executor, source.id, BudgetId(id))?;
        }
        Ok(id)
    })?;
    get(tx, BudgetId(id))
}

/// A budget that is to be added.
fn planned(new: &NewBudget, source: Option<&Budget>) -> BudgetImage {
    let Amounts { budgeted_spending, expected_income } = new.amounts;
    BudgetImage {
        start_date: new.start,
        currency: new.currency,
        budgeted_spending: budgeted_spending.unwrap_or_else(|| source?.budgeted_spending),
        expected_income: expected_income.unwrap_or_else(|| source?.expected_income),
    }
}

/// The family may have begun its months on another day: budgets don't overlap all the same.
fn require_free(tx: &mut FamilyTx<'_>, start: Date) -> Result<()> {
    let family = tx.family();
    let days = vals![family, month_end(start), start];
    let taken = tx.query_opt(&BUDGET_OF_DAYS, days, |row| Ok((row.date(0)?, row.date(1)?)))?;
    match taken {
        None => Ok(()),
        Some((first, last)) => Err(Error::Conflict {
            code: "budget_exists",
            message: format!("There is already a budget from {first} to {last}"),
        }),
    }
}

/// Changes a budget's amounts; its month and its currency stay.
pub fn revise(tx: &mut FamilyTx<'_>, id: BudgetId, input: &BudgetInput) -> Result<Budget> {
    let before = get(tx, id)?;
    let amounts = input.check_amounts(before.currency)?;
    let after = Budget {
        budgeted_spending: amounts.budgeted_spending.unwrap_or(before.budgeted_spending),
        expected_income: amounts.expected_income.unwrap_or(before.expected_income),
        ..before.clone()
    };
    if after == before {
        return Ok(before);
    }
    execute(tx, ("budget.update", "budget"), |tx, executor| {
        executor.update::<BudgetRecord>(tx, id.0, (&(&before).into(), &(&after).into()))?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// Removes a budget with its lines.
pub fn remove(tx: &mut FamilyTx<'_>, id: BudgetId) -> Result<()> {
    let family = tx.family();
    let before = get(tx, id)?;
    execute(tx, ("budget.remove", "budget"), |tx, executor| {
        let ids = tx.query(&BUDGET_LINES, vals![family, id], |row| row.uuid(0))?;
        executor.add_detail("lines", ids.len().into());
        for (line, values) in LineRecord::read(tx, &ids)? {
            executor.delete::<LineRecord>(tx, line, &values)?;
        }
        executor.delete::<BudgetRecord>(tx, id.0, &BudgetImage::from(&before))?;
        Ok(id.0)
    })
    .map(drop)
}

/// A budget as it is kept before and after a change. It ends with the month that it starts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct BudgetImage {
    start_date: Date,
    currency: Currency,
    budgeted_spending: Option<i64>,
    expected_income: Option<i64>,
}

impl BudgetImage {
    /// The budget of the month that starts on a day, with its spending and its income.
    pub(crate) fn new(
        start_date: Date,
        currency: Currency,
        (budgeted_spending, expected_income): (Option<i64>, Option<i64>),
    ) -> Self {
        Self { start_date, currency, budgeted_spending, expected_income }
    }
}

impl From<&Budget> for BudgetImage {
    fn from(budget: &Budget) -> Self {
        Self {
            start_date: budget.start,
            currency: budget.currency,
            budgeted_spending: budget.budgeted_spending,
            expected_income: budget.expected_income,
        }
    }
}

/// Budgets as the executor writes them.
pub(crate) struct BudgetRecord;

impl Record for BudgetRecord {
    const KIND: &'static str = "budget";
    const PLACE: &'static [&'static str] = &["start_date"];
    type Values = BudgetImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, BudgetImage)>> {
        read_by_ids(tx, &BUDGETS_BY_IDS, ids, |row| {
            Ok(BudgetImage {
                start_date: row.date(1)?,
                currency: row.currency(2)?,
                budgeted_spending: row.opt_int(3)?,
                expected_income: row.opt_int(4)?,
            })
        })
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, budget: &BudgetImage) -> Result<()> {
        let BudgetImage { start_date, currency, budgeted_spending, expected_income } = budget;
        let (start, end, currency) = (*start_date, month_end(*start_date), currency.code());
        let (family, now) = (tx.family(), tx.now());
        let (spending, income) = (*budgeted_spending, *expected_income);
        tx.execute(&BUDGET_ADD, vals![family, id, start, end, currency, spending, income, now])
            .map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, budget: &BudgetImage) -> Result<()> {
        let (family, now) = (tx.family(), tx.now());
        let (spending, income) = (budget.budgeted_spending, budget.expected_income);
        tx.execute(&BUDGET_UPDATE, vals![spending, income, now, family, id]).map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&BUDGET_REMOVE, vals![family, id]).map(drop)
    }

    fn title(budget: &BudgetImage) -> String {
        month_name(budget.start_date, month_end(budget.start_date))
    }

    fn holder(tx: &mut FamilyTx<'_>, budget: &BudgetImage) -> Result<Option<Uuid>> {
        let (family, start) = (tx.family(), budget.start_date);
        let days = vals![family, month_end(start), start];
        tx.query_opt(&BUDGET_HOLDER, days, |row| row.uuid(0))
    }

    fn pointers(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Vec<Pointer>> {
        pointing(tx, &BUDGET_LINES, id, "it has lines")
    }
}

fn read(row: &Row<'_>) -> Result<Budget> {
    Ok(Budget {
        id: row.id(0)?,
        start: row.date(1)?,
        end: row.date(2)?,
        currency: row.currency(3)?,
        budgeted_spending: row.opt_int(4)?,
        expected_income: row.opt_int(5)?,
        created_at: row.timestamp(6)?,
        updated_at: row.timestamp(7)?,
    })
}

/// The widest queries of these modules, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let family = FamilyId::from_number(1);
    let day = Some(Date::constant(2000, 1, 1));
    let filter = filter(family, Listing { start: day, end: day });
    let mut examples = vec![
        filter.query(SELECT, NEWEST_FIRST, [1.into(), 1.into()]),
        filter.query(SELECT_COUNT, "", []),
    ];
    examples.extend(lines::query_examples(family));
    examples
}
