//! Reading the bodies that make and change trades.

use purser_core::error::{Error, Problems};
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::trade::TradeType;

use super::shape::label;
use crate::api::holdings::update::nullable_amount;
use crate::http::fields::Fields;

/// What stands below `trade`, or bare.
pub(super) fn unwrapped(body: Fields) -> Result<Fields, Error> {
    Ok(body.object("trade")?.unwrap_or(body))
}

/// Reads a trade.
pub(super) fn trade(fields: &Fields) -> TradeInput {
    let mut problems = Problems::new();
    for name in ["nature", "category_id", "transfer_account_id"] {
        if fields.raw(name).is_some() {
            problems.push(format!("{name} is not for a trade of this type"));
        }
    }
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
    require_label(fields, &mut problems);
    let restore = fields.flag("restore", &mut problems).unwrap_or_default();
    let mut text =
        |name: &str| fields.text(name, &mut problems).filter(|text| !text.trim().is_empty());
    let input = TradeInput {
        account: written("account_id"),
        to_account: written("to_account_id"),
        security: written("security_id"),
        // As other programs' clients call one that no list has.
        ticker: text("ticker").or_else(|| text("manual_ticker")),
        exchange_operating_mic: text("exchange_operating_mic"),
        security_name: text("security_name"),
        source: text("source"),
        external_id: text("external_id"),
        restore,
        values,
    };
    let values = TradeValues { problems: problems.into_list(), ..input.values };
    TradeInput { values, ..input }
}

/// The label follows from the type: another one would mean another trade.
fn require_label(fields: &Fields, problems: &mut Problems) {
    let Some(said) = fields.written("investment_activity_label") else { return };
    let trade_type = fields.written("type").and_then(|text| TradeType::parse(text.trim()));
    let Some(meant) = trade_type.map(label) else { return };
    if !said.trim().is_empty() && !said.trim().eq_ignore_ascii_case(meant) {
        problems
            .push(format!("investment_activity_label follows from the type: it would be {meant}"));
    }
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    fn read(json: &str) -> TradeInput {
        trade(&unwrapped(serde_json::from_str(json).unwrap()).unwrap())
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
        assert!(unwrapped(serde_json::from_str(r#"{"trade": 5}"#).unwrap()).is_err());
        let foreign = read(r#"{"nature": "inflow", "category_id": "c", "manual_ticker": "X"}"#);
        assert_eq!(foreign.values.problems.len(), 2);
        assert_eq!(foreign.ticker.as_deref(), Some("X"));
    }
}
