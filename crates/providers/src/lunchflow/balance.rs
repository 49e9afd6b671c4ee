//! The balance of an account, in any of the three forms that the provider has had.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::Result;
use crate::error::{Call, ErrorClass, ProviderError};
use crate::snapshot::BalanceSnapshot;
use crate::wire::{Scalar, body};

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    balance: Option<Box<RawValue>>,
}

/// `{amount, currency}`; earlier `{available, current, currency}`; or a number alone.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Balance {
    amount: Scalar,
    current: Scalar,
    balance: Scalar,
    available: Scalar,
    currency: Scalar,
}

/// Reads the answer. What isn't a balance is an error, never zero.
pub(super) fn read(bytes: &[u8]) -> Result<BalanceSnapshot> {
    let unreadable = ProviderError::new(ErrorClass::InvalidResponse, Call::Balance);
    let answer: Answer = body(Call::Balance, bytes)?;
    let balance: Balance = match answer.balance {
        Some(inner) if inner.get().starts_with('{') => {
            serde_json::from_str(inner.get()).map_err(|_| unreadable)?
        }
        _ => body(Call::Balance, bytes)?,
    };
    let amounts = [&balance.amount, &balance.current, &balance.balance];
    let stated = amounts.into_iter().find(|amount| !amount.is_blank());
    let amount = stated.and_then(|amount| amount.decimal()).ok_or(unreadable)?;
    Ok(BalanceSnapshot {
        amount,
        available: balance.available.optional_decimal().map_err(|()| unreadable)?,
        currency: balance.currency.currency(),
        as_of: None,
    })
}

#[cfg(test)]
mod tests {
    use purser_core::money::Currency;

    use super::*;
    use crate::snapshot::StatedCurrency;

    #[test]
    fn every_form_is_read_exactly() {
        let euro = StatedCurrency::Known(Currency::EUR);
        for (text, amount, available, currency) in [
            (r#"{"balance":{"amount":1234.5,"currency":"EUR"}}"#, "1234.5", None, euro),
            (r#"{"balance":{"amount":"-1234.50","currency":"EUR"}}"#, "-1234.5", None, euro),
            (
                r#"{"balance":{"available":90,"current":100.10,"currency":"EUR"}}"#,
                "100.1",
                Some("90"),
                euro,
            ),
            (r#"{"amount":0,"currency":"EUR"}"#, "0", None, euro),
            (r#"{"balance":"7.00","currency":"EUR"}"#, "7", None, euro),
            (r#"{"balance":{"amount":7}}"#, "7", None, StatedCurrency::Absent),
            (
                r#"{"balance":{"amount":9007199254740993.01,"currency":"EUR"}}"#,
                "9007199254740993.01",
                None,
                euro,
            ),
        ] {
            let read = read(text.as_bytes()).unwrap();
            assert_eq!(read.amount.to_string(), amount, "{text}");
            assert_eq!(read.available.map(|amount| amount.to_string()).as_deref(), available);
            assert_eq!(read.currency, currency);
        }
    }

    /// A balance that isn't there was taken for zero by others, and its currency for US dollars.
    #[test]
    fn a_missing_balance_is_an_error_and_not_zero() {
        for text in [
            "{}",
            r#"{"balance":null}"#,
            r#"{"balance":{}}"#,
            r#"{"balance":{"amount":null,"currency":"EUR"}}"#,
            r#"{"balance":{"amount":"n/a","currency":"EUR"}}"#,
            r#"{"balance":{"available":5}}"#,
            r#"{"balance":[1]}"#,
            r#"{"balance":{"amount":1,"available":{}}}"#,
            "not found",
        ] {
            let error = read(text.as_bytes()).unwrap_err();
            assert_eq!(error.class, ErrorClass::InvalidResponse, "{text}");
        }
    }
}
