//! Reading the bodies that state and change prices.

use purser_app::prices::changes::PriceInput;
use purser_core::error::{Error, Problems};

use crate::http::fields::Fields;

/// Reads what a body says of a price. Null and blank count as not sent.
pub(super) fn read(body: &Fields) -> Result<PriceInput, Error> {
    let wrapped = body.object("security_price")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut text =
        |name: &str| fields.text(name, &mut problems).filter(|text| !text.trim().is_empty());
    let input = PriceInput {
        // What is no text is no id that anything has.
        security: fields.written("security_id"),
        date: text("date"),
        currency: text("currency"),
        price: fields.amount("price"),
    };
    problems.into_result()?;
    Ok(input)
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    #[test]
    fn a_price_is_read_with_and_without_its_wrapper() {
        let read = |json: &str| read(&serde_json::from_str(json).unwrap());
        let fields = r#"{"security_id": "x", "date": "2026-01-02", "price": 1.10, "currency": ""}"#;
        let input = read(fields).unwrap();
        assert_eq!(input.price, Some(AmountText::JsonNumber("1.10".into())));
        assert_eq!((input.security.as_deref(), input.currency.as_deref()), (Some("x"), None));
        assert_eq!(read(&format!(r#"{{"security_price": {fields}}}"#)).unwrap(), input);
        assert!(read(r#"{"date": 5}"#).is_err() && read(r#"{"security_price": 5}"#).is_err());
    }
}
