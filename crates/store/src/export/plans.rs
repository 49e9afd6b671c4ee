//! Budgets and recurring series.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::money::Currency;
use purser_core::recurring::input::RecurringMaker;
use uuid::Uuid;

use super::line::{Amount, Lines};
use super::records::{Budget, BudgetCategory, RecurringTransaction};
use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// The budgets by their months.
    BUDGETS = "SELECT id, start_date, end_date, currency, budgeted_spending, expected_income
        FROM budgets WHERE family_id = $1 ORDER BY start_date";
    /// The lines of all budgets.
    BUDGET_LINES = "SELECT id, budget_id, category_id, budgeted_spending
        FROM budget_categories WHERE family_id = $1 ORDER BY budget_id, id";
    /// Every recurring series of the family.
    SERIES = "SELECT id, name, amount, currency, expected_day, last_occurrence_date,
            next_expected_date, status, occurrences_count, made_by, account_id, merchant_id,
            category_id
        FROM recurring_transactions WHERE family_id = $1 ORDER BY id";
}

/// Writes what is planned and what is expected.
pub(super) fn write(tx: &mut FamilyTx<'_>, lines: &mut Lines<'_>) -> Result<()> {
    let family = tx.family();
    let mut currencies: HashMap<Uuid, Currency> = HashMap::new();
    tx.for_each(&BUDGETS, vals![family], |row| {
        let (id, currency) = (row.uuid(0)?, row.currency(3)?);
        currencies.insert(id, currency);
        let amount = |amount: Option<i64>| amount.map(|amount| Amount(amount, currency));
        lines.put(&Budget {
            id,
            start_date: row.date(1)?,
            end_date: row.date(2)?,
            currency,
            budgeted_spending: amount(row.opt_int(4)?),
            expected_income: amount(row.opt_int(5)?),
        })
    })?;
    tx.for_each(&BUDGET_LINES, vals![family], |row| {
        let budget_id = row.uuid(1)?;
        let unknown = || Error::internal(format!("a line of the budget {budget_id} has none"));
        let currency = currencies.get(&budget_id).copied().ok_or_else(unknown)?;
        lines.put(&BudgetCategory {
            id: row.uuid(0)?,
            budget_id,
            category_id: row.uuid(2)?,
            budgeted_spending: Amount(row.int(3)?, currency),
            currency,
        })
    })?;
    tx.for_each(&SERIES, vals![family], |row| {
        let currency = row.currency(3)?;
        lines.put(&RecurringTransaction {
            id: row.uuid(0)?,
            name: row.text(1)?,
            amount: Amount(row.int(2)?, currency),
            currency,
            expected_day_of_month: row.int(4)?,
            last_occurrence_date: row.date(5)?,
            next_expected_date: row.date(6)?,
            status: row.text(7)?,
            occurrence_count: row.int(8)?,
            manual: row.named::<RecurringMaker>(9)? == RecurringMaker::Person,
            account_id: row.opt_uuid(10)?,
            merchant_id: row.opt_uuid(11)?,
            category_id: row.opt_uuid(12)?,
        })
    })
}
