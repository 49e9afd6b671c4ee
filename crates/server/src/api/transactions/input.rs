//! Reading the bodies that change transactions.

use purser_core::error::{Error, Problems};
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::split::PartInput;
use purser_core::ledger::transaction_values::TransactionValues;

use crate::http::fields::Fields;

/// Reads a body with the values that change, below `transaction` or bare.
pub(super) fn changes(body: &Fields) -> Result<TransactionValues, Error> {
    let wrapped = body.object("transaction")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut values = values_of(fields);
    let mut problems = Problems::new();
    values.currency = fields.text("currency", &mut problems);
    values.account = fields.written("account_id");
    values.problems.extend(problems.into_list());
    Ok(values)
}

fn values_of(fields: &Fields) -> TransactionValues {
    let mut problems = Problems::new();
    // What is there but of a wrong type is judged with the values.
    let blank = |text: &String| !text.trim().is_empty();
    TransactionValues {
        date: fields.written("date").filter(blank),
        amount: fields.amount("amount"),
        rate: fields.has("exchange_rate").then(|| fields.amount("exchange_rate")),
        nature: fields.written("nature").filter(blank),
        name: fields
            .nullable_text("name", &mut problems)
            .or_else(|| described(fields, &mut problems)),
        notes: fields.nullable_text("notes", &mut problems),
        category: fields.nullable_text("category_id", &mut problems),
        merchant: fields.nullable_text("merchant_id", &mut problems),
        tags: fields.texts("tag_ids", &mut problems),
        excluded: fields.flag("excluded", &mut problems),
        unlock: fields.texts("unlock", &mut problems).unwrap_or_default(),
        problems: problems.into_list(),
        ..TransactionValues::default()
    }
}

/// Other programs' word for the name.
fn described(fields: &Fields, problems: &mut Problems) -> Option<Option<String>> {
    fields.text("description", problems).map(Some)
}

/// Reads a body that describes a new transaction, below `transaction` or bare.
pub(super) fn new_transaction(body: &Fields) -> Result<TransactionInput, Error> {
    let wrapped = body.object("transaction")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut values = values_of(fields);
    let mut problems = Problems::new();
    values.name = values.name.flatten().or_else(|| described(fields, &mut problems)?).map(Some);
    let mut text = |name| fields.text(name, &mut problems);
    let input = TransactionInput {
        account: fields.written("account_id"),
        currency: text("currency"),
        external_id: text("external_id"),
        source: text("source"),
        restore: fields.flag("restore", &mut problems).unwrap_or_default(),
        values,
    };
    let mut values = input.values;
    values.problems.extend(problems.into_list());
    Ok(TransactionInput { values, ..input })
}

/// Reads a body that lists the parts of a transaction, below `split` or bare.
pub(super) fn parts(body: &Fields) -> Result<Vec<PartInput>, Error> {
    let wrapped = body.object("split")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let parts = fields.objects("parts")?.unwrap_or_default();
    let read = |part: &Fields| {
        let values = values_of(part);
        Ok(PartInput { amount: part.amount("amount"), values })
    };
    parts.iter().map(read).collect()
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
            "notes": null, "category_id": "c", "merchant_id": "m", "excluded": true, "tag_ids": ["t"], "unlock": ["name"],
            "other": 5}"#;
        let expected = TransactionValues {
            date: Some("2026-01-02".into()),
            amount: Some(AmountText::JsonNumber("1.10".into())),
            nature: Some("income".into()),
            name: Some(Some("n".into())),
            notes: Some(None),
            category: Some(Some("c".into())),
            merchant: Some(Some("m".into())),
            tags: Some(vec!["t".into()]),
            excluded: Some(true),
            unlock: vec!["name".into()],
            ..TransactionValues::default()
        };
        assert_eq!(read(fields), expected);
        assert_eq!(read(&format!(r#"{{"transaction": {fields}}}"#)), expected);
        assert_eq!(read(r#"{"transaction": {}, "name": "x"}"#), TransactionValues::default());
        let wrong = read(
            r#"{"name": 1, "notes": 2, "category_id": 3, "merchant_id": 3,
            "tag_ids": 4, "excluded": 5}"#,
        );
        assert_eq!(wrong.problems.len(), 6);
        assert!(changes(&serde_json::from_str(r#"{"transaction": 5}"#).unwrap()).is_err());
    }
}
