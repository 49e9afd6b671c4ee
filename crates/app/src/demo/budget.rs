//! The budget of the invented family for this month.

use jiff::civil::Date;
use purser_core::budgets::{BudgetInput, LineInput};
use purser_core::error::Result;
use purser_core::ledger::input::AmountText;
use purser_store::budgets::{self, lines};
use purser_store::{FamilyTx, labels};

/// Categories of the first level, with what is planned for them.
const LINES: [(&str, &str); 5] =
    [("Food", "900"), ("Home", "1750"), ("Transport", "160"), ("Leisure", "180"), ("Health", "80")];

/// Plans the month, all in one commit and once.
pub(super) fn plan(tx: &mut FamilyTx<'_>, today: Date) -> Result<()> {
    if budgets::list(tx, budgets::Listing::default(), 1, 0)?.1 > 0 {
        return Ok(());
    }
    let amount = |text: &str| AmountText::Text(text.to_owned());
    let budget = budgets::create(
        tx,
        &BudgetInput {
            start_date: Some(today.to_string()),
            budgeted_spending: Some(Some(amount("3200"))),
            expected_income: Some(Some(amount("4125"))),
            ..BudgetInput::default()
        },
    )?;
    let categories = labels::categories(tx)?;
    for (name, planned) in LINES {
        let its = categories.iter().find(|one| one.parent.is_none() && one.name == name);
        let Some(category) = its else { continue };
        let input = LineInput {
            budget: Some(budget.id.to_string()),
            category: Some(category.id.to_string()),
            budgeted_spending: Some(amount(planned)),
            ..LineInput::default()
        };
        lines::create(tx, &input)?;
    }
    Ok(())
}
