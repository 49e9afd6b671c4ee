//! Reading the bodies that make and change trades.

use purser_core::error::{Error, Problems};
use purser_core::ledger::new_trade::{TradeInput, TradeValues};

use crate::api::fields::Fields;
use crate::api::holdings::update::nullable_amount;

/// Reads a trade below `trade` or bare.
pub(super) fn trade(body: &Fields) -> Result<TradeInput, Error> {
    let wrapped = body.object("trade")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    // What is there but of a wrong type is judged with the values.
    let written = |name: &str| fields.written(name).filter(|text| !text.trim().is_empty());
    let values = TradeValues {
        trade_type: written("type"),
        date: written("date"),
        quantity: fields.amount("qty"),
        price: fields.amount("price"),
        fee: fields.amount("fee"),
        amount: fields.amount("amount"),
        cost: nullable_amount(fields, "cost"),
        currency: written("currency"),
        rate: nullable_amount(fields, "exchange_rate"),
        split_to: written("split_to"),
        split_from: written("split_from"),
        name: fields.nullable_text("name", &mut problems),
        notes: fields.nullable_text("notes", &mut problems),
        problems: Vec::new(),
    };
    let restore = fields.flag("restore", &mut problems).unwrap_or_default();
    let mut text =
        |name: &str| fields.text(name, &mut problems).filter(|text| !text.trim().is_empty());
    let input = TradeInput {
        account: written("account_id"),
        to_account: written("to_account_id"),
        security: written("security_id"),
        ticker: text("ticker"),
        exchange_operating_mic: text("exchange_operating_mic"),
        security_name: text("security_name"),
        source: text("source"),
        external_id: text("external_id"),
        restore,
        values,
    };
    let values = TradeValues { problems: problems.into_list(), ..input.values };
    Ok(TradeInput { values, ..input })
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    fn read(json: &str) -> TradeInput {
        trade(&serde_json::from_str(json).unwrap()).unwrap()
    }

    #[test]
    fn what_clients_send_is_read() {
        let fields = r#"{"account_id": "a", "ticker": "VTI", "type": "buy", "qty": "1.0",
            "price": 187.12, "date": "2026-01-02", "cost": null, "split_to": 2, "name": null,
            "exchange_rate": 1.10,
            "security_id": "", "external_id": "x", "other": 5}"#;
        let input = read(fields);
        assert_eq!(input.account.as_deref(), Some("a"));
        assert_eq!(input.security, None);
        assert_eq!(input.external_id.as_deref(), Some("x"));
        let values = &input.values;
        assert_eq!(values.quantity, Some(AmountText::Text("1.0".into())));
        assert_eq!(values.price, Some(AmountText::JsonNumber("187.12".into())));
        assert_eq!(values.split_to.as_deref(), Some("2"));
        assert_eq!((&values.cost, &values.name), (&Some(None), &Some(None)));
        assert_eq!(values.rate, Some(Some(AmountText::JsonNumber("1.10".into()))));
        assert_eq!(values.fee, None);
        assert_eq!(read(&format!(r#"{{"trade": {fields}}}"#)), input);
    }

    #[test]
    fn wrong_types_are_problems_among_the_others() {
        let wrong = read(r#"{"name": 1, "notes": [], "ticker": 2, "source": 3, "account_id": 4}"#);
        assert_eq!(wrong.values.problems.len(), 4);
        assert_eq!(wrong.account.as_deref(), Some("4"));
        assert!(trade(&serde_json::from_str(r#"{"trade": 5}"#).unwrap()).is_err());
    }
}
