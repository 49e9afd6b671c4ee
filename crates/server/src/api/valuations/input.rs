//! Reading the bodies that make and change valuations.

use purser_core::error::{Error, Problems};
use purser_core::ledger::new_valuation::{ValuationInput, ValuationValues};

use crate::http::fields::Fields;

/// What `POST /valuations` asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NewValuation {
    /// The account and the values.
    pub(super) input: ValuationInput,
    /// Answer 200 if the day had a valuation; changes nothing else.
    pub(super) upsert: bool,
}

/// Reads a body, below `valuation` or bare. What is missing is refused first, then a malformed
/// account.
pub(super) fn new_valuation(body: &Fields) -> Result<NewValuation, Error> {
    let wrapped = body.object("valuation")?;
    let valuation = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    // On the top level it wins, even as false.
    let outer = body.flag("upsert", &mut problems);
    let inner = wrapped.as_ref().and_then(|inner| inner.flag("upsert", &mut problems));
    let upsert = if body.has("upsert") { outer } else { inner };
    let values = read_values(valuation, problems);
    let account_id = valuation.written("account_id");
    let input = ValuationInput::require(account_id.as_deref(), values)?;
    Ok(NewValuation { input, upsert: upsert.unwrap_or(false) })
}

/// Reads a body with the values that change.
pub(super) fn changes(body: &Fields) -> Result<ValuationValues, Error> {
    let wrapped = body.object("valuation")?;
    Ok(read_values(wrapped.as_ref().unwrap_or(body), Problems::new()))
}

fn read_values(valuation: &Fields, mut problems: Problems) -> ValuationValues {
    // What is there but of a wrong type is judged with the values: it is not missing.
    let amount = valuation.amount("amount");
    let date = valuation.written("date").filter(|date| !date.trim().is_empty());
    let notes = valuation.nullable_text("notes", &mut problems);
    ValuationValues { amount, date, notes, problems: problems.into_list() }
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    const ID: &str = "0190f5f0-7c00-7a10-8000-00000000000a";

    fn read(valuation: &str, outside: &str) -> Result<NewValuation, String> {
        let json = format!(r#"{{"valuation": {valuation} {outside}}}"#);
        new_valuation(&serde_json::from_str(&json).unwrap()).map_err(|error| error.to_string())
    }

    fn with(fields: &str, outside: &str) -> NewValuation {
        let valuation =
            format!(r#"{{"account_id": "{ID}", "amount": "1.5", "date": "2026-01-12" {fields}}}"#);
        read(&valuation, outside).unwrap()
    }

    #[test]
    fn what_clients_send_is_read() {
        let read = with(r#", "notes": "n", "format": 7"#, r#", "source": "cli""#);
        assert_eq!(read.input.account.to_string(), ID);
        assert_eq!(read.input.values.amount, Some(AmountText::Text("1.5".into())));
        assert_eq!(read.input.values.date.as_deref(), Some("2026-01-12"));
        assert_eq!(read.input.values.notes, Some(Some("n".into())));
        assert!(!read.upsert && read.input.values.problems.is_empty());
    }

    #[test]
    fn upsert_on_the_top_level_wins() {
        assert!(with(r#", "upsert": true"#, "").upsert);
        assert!(with("", r#", "upsert": "true""#).upsert);
        assert!(!with(r#", "upsert": true"#, r#", "upsert": false"#).upsert);
        assert!(!with(r#", "upsert": true"#, r#", "upsert": null"#).upsert);
        assert_eq!(with("", r#", "upsert": "no""#).input.values.problems.len(), 1);
    }

    #[test]
    fn a_valuation_may_be_bare() {
        let bare = |upsert: &str| {
            let json =
                format!(r#"{{"account_id": "{ID}", "amount": 2, "date": "2026-01-12" {upsert}}}"#);
            new_valuation(&serde_json::from_str(&json).unwrap()).unwrap()
        };
        let read = bare("");
        assert_eq!(read.input.account.to_string(), ID);
        assert_eq!(read.input.values.date.as_deref(), Some("2026-01-12"));
        assert!(!read.upsert && bare(r#", "upsert": true"#).upsert);
        assert_eq!(bare(r#", "upsert": "no""#).input.values.problems.len(), 1);
    }

    #[test]
    fn what_is_missing_comes_first() {
        for (valuation, message) in [
            ("null", "Account ID is required"),
            ("{}", "Account ID is required"),
            (r#"{"account_id": 5}"#, "Amount is required"),
            (r#"{"account_id": 5, "amount": ""}"#, "Amount is required"),
            (r#"{"account_id": 5, "amount": true}"#, "Date is required"),
            (r#"{"account_id": 5, "amount": true, "date": 7}"#, "Account not found"),
            (r#""text""#, "valuation must be an object"),
        ] {
            assert_eq!(read(valuation, "").unwrap_err(), message, "{valuation}");
        }
    }

    #[test]
    fn changes_may_leave_the_wrapper_out() {
        for json in [r#"{"valuation": {"notes": null}}"#, r#"{"notes": null}"#] {
            let values = changes(&serde_json::from_str(json).unwrap()).unwrap();
            assert_eq!(values, ValuationValues { notes: Some(None), ..Default::default() });
        }
    }
}
