//! What a body says of a budget.

use purser_core::budgets::BudgetInput;
use purser_core::error::{Error, Problems};

use crate::http::fields::Fields;

/// Reads the fields, inside of `budget` or outside.
pub(super) fn read(body: &Fields) -> Result<BudgetInput, Error> {
    let wrapped = body.object("budget")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut text = |name| fields.text(name, &mut problems);
    let amount = |name| fields.has(name).then(|| fields.amount(name));
    let input = BudgetInput {
        start_date: text("start_date"),
        month: text("month"),
        currency: text("currency"),
        copy_from: text("copy_from"),
        budgeted_spending: amount("budgeted_spending"),
        expected_income: amount("expected_income"),
        problems: Vec::new(),
    };
    Ok(BudgetInput { problems: problems.into_list(), ..input })
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    #[test]
    fn amounts_are_left_out_cleared_or_set() {
        let json = r#"{"budget": {"month": "2026-01", "budgeted_spending": null,
            "expected_income": 10.50, "copy_from": 1}}"#;
        let input = read(&serde_json::from_str(json).unwrap()).unwrap();
        assert_eq!(input.month.as_deref(), Some("2026-01"));
        assert_eq!(input.budgeted_spending, Some(None));
        assert_eq!(input.expected_income, Some(Some(AmountText::JsonNumber("10.50".into()))));
        assert_eq!(input.problems.len(), 1);
        let empty = read(&serde_json::from_str("{}").unwrap()).unwrap();
        assert_eq!(empty, BudgetInput::default());
    }
}
