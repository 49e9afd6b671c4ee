//! What a body says of a category of a budget.

use purser_core::budgets::LineInput;
use purser_core::error::{Error, Problems};

use crate::http::fields::Fields;

/// Reads the fields, inside of `budget_category` or outside.
pub(super) fn read(body: &Fields) -> Result<LineInput, Error> {
    let wrapped = body.object("budget_category")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut text = |name| fields.text(name, &mut problems);
    let input = LineInput {
        budget: text("budget_id"),
        category: text("category_id"),
        budgeted_spending: fields.amount("budgeted_spending"),
        problems: Vec::new(),
    };
    Ok(LineInput { problems: problems.into_list(), ..input })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_and_without_the_wrapper() {
        for json in [
            r#"{"budget_category": {"budget_id": "a", "budgeted_spending": 1}}"#,
            r#"{"budget_id": "a", "budgeted_spending": 1}"#,
        ] {
            let input = read(&serde_json::from_str(json).unwrap()).unwrap();
            assert_eq!(input.budget.as_deref(), Some("a"));
            assert!(input.budgeted_spending.is_some() && input.category.is_none());
        }
        let wrong = serde_json::from_str(r#"{"budget_id": 1, "category_id": {}}"#).unwrap();
        assert_eq!(read(&wrong).unwrap().problems.len(), 2);
    }
}
