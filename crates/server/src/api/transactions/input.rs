//! Reading the bodies that change transactions.

use purser_core::error::{Error, Problems};
use purser_core::ledger::transaction_values::TransactionValues;

use crate::api::fields::Fields;

/// Reads a body with the values that change, below `transaction` or bare.
pub(super) fn changes(body: &Fields) -> Result<TransactionValues, Error> {
    let wrapped = body.object("transaction")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    // What is there but of a wrong type is judged with the values.
    let blank = |text: &String| !text.trim().is_empty();
    Ok(TransactionValues {
        date: fields.written("date").filter(blank),
        amount: fields.amount("amount"),
        nature: fields.written("nature").filter(blank),
        name: fields.nullable_text("name", &mut problems),
        notes: fields.nullable_text("notes", &mut problems),
        category: fields.nullable_text("category_id", &mut problems),
        tags: fields.texts("tag_ids", &mut problems),
        problems: problems.into_list(),
    })
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    fn read(json: &str) -> TransactionValues {
        changes(&serde_json::from_str(json).unwrap()).unwrap()
    }

    #[test]
    fn what_clients_send_is_read() {
        let fields = r#"{"date": "2026-01-02", "amount": 1.10, "nature": "income", "name": "n",
            "notes": null, "category_id": "c", "tag_ids": ["t"], "other": 5}"#;
        let expected = TransactionValues {
            date: Some("2026-01-02".into()),
            amount: Some(AmountText::JsonNumber("1.10".into())),
            nature: Some("income".into()),
            name: Some(Some("n".into())),
            notes: Some(None),
            category: Some(Some("c".into())),
            tags: Some(vec!["t".into()]),
            problems: Vec::new(),
        };
        assert_eq!(read(fields), expected);
        assert_eq!(read(&format!(r#"{{"transaction": {fields}}}"#)), expected);
        assert_eq!(read(r#"{"transaction": {}, "name": "x"}"#), TransactionValues::default());
        let wrong = read(r#"{"name": 1, "notes": 2, "category_id": 3, "tag_ids": 4}"#);
        assert_eq!(wrong.problems.len(), 4);
        assert!(changes(&serde_json::from_str(r#"{"transaction": 5}"#).unwrap()).is_err());
    }
}
