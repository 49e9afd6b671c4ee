//! What a body says of a transaction that comes every month.

use purser_core::error::{Error, Problems};
use purser_core::recurring::input::RecurringInput;
use utoipa::ToSchema;

use crate::http::fields::Fields;

/// The fields. In a change, what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = RecurringTransactionFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
pub(super) struct RequestFields {
    /// The account that it comes in; null: in any. A restricted key must name one.
    account_id: Option<uuid::Uuid>,
    /// Who. One of `name` and this must be there.
    merchant_id: Option<uuid::Uuid>,
    /// The category that it has.
    category_id: Option<uuid::Uuid>,
    /// What it is called. Numbers in names don't count; with a merchant, the name doesn't.
    #[schema(example = "Rent", max_length = 500)]
    name: Option<String>,
    /// Positive for money out: a plain decimal as text or a number, read exactly. A transaction may
    /// be off by a tenth. Required in a new one.
    #[schema(example = "900.00")]
    amount: Option<String>,
    /// A currency's code; the account's, else the family's, if missing.
    #[schema(example = "USD")]
    currency: Option<String>,
    /// From 1 to 31, in shorter months the last day. Follows from the dates if missing.
    #[schema(example = 1, minimum = 1, maximum = 31)]
    expected_day_of_month: Option<u8>,
    /// When the last one came. A new one needs this, the next date or the day of the month.
    #[schema(format = Date, example = "2026-01-01")]
    last_occurrence_date: Option<String>,
    /// When the next one is expected; a month after the last one if missing.
    #[schema(format = Date, example = "2026-02-01")]
    next_expected_date: Option<String>,
    /// `active` or `inactive`.
    #[schema(example = "active")]
    status: Option<String>,
}

/// Reads the fields, inside of `recurring_transaction` or outside.
pub(super) fn read(body: &Fields) -> Result<RecurringInput, Error> {
    let wrapped = body.object("recurring_transaction")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let day = fields.nullable_scalar("expected_day_of_month", &mut problems).flatten();
    let mut nullable = |name| fields.nullable_text(name, &mut problems);
    let input = RecurringInput {
        account: nullable("account_id"),
        merchant: nullable("merchant_id"),
        category: nullable("category_id"),
        name: nullable("name"),
        amount: fields.amount("amount"),
        currency: nullable("currency").flatten(),
        day,
        last: nullable("last_occurrence_date").flatten(),
        next: nullable("next_expected_date").flatten(),
        status: nullable("status").flatten(),
        problems: Vec::new(),
    };
    Ok(RecurringInput { problems: problems.into_list(), ..input })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_with_and_without_the_wrapper() {
        for json in [
            r#"{"recurring_transaction": {"name": "A", "expected_day_of_month": 5}}"#,
            r#"{"name": "A", "expected_day_of_month": "5"}"#,
        ] {
            let input = read(&serde_json::from_str(json).unwrap()).unwrap();
            assert_eq!(input.name, Some(Some("A".into())));
            assert_eq!(input.day.as_deref(), Some("5"));
            assert!(input.account.is_none() && input.problems.is_empty());
        }
        let wrong = r#"{"name": 1, "status": [], "expected_day_of_month": {}}"#;
        assert_eq!(read(&serde_json::from_str(wrong).unwrap()).unwrap().problems.len(), 3);
    }
}
