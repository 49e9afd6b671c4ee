//! Reading the bodies that make and change securities.

use purser_core::error::{Error, Problems};
use purser_core::ledger::security::SecurityInput;
use utoipa::ToSchema;

use crate::http::fields::Fields;

/// What can be said of a security. The fields may also stand inside of `security`.
#[derive(Debug, ToSchema)]
#[schema(as = SecurityFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
pub(super) struct Request {
    /// What it is traded as; kept in upper case. Required in a new one.
    #[schema(max_length = 40, example = "VTI")]
    ticker: Option<String>,
    /// The code of the market (ISO 10383); null when it isn't known. Ticker and market together are
    /// there once.
    #[schema(example = "ARCX")]
    exchange_operating_mic: Option<String>,
    /// As people call it.
    #[schema(max_length = 200)]
    name: Option<String>,
    /// `standard` or `cash`.
    #[schema(default = "standard")]
    kind: Option<String>,
    /// The international number, with its check digit.
    #[schema(example = "US9229087690")]
    isin: Option<String>,
    /// Two letters.
    #[schema(example = "US")]
    country_code: Option<String>,
    /// The code of the currency that it is traded in.
    #[schema(example = "USD")]
    currency: Option<String>,
    /// `true`: no feed is asked for its prices.
    #[schema(default = false)]
    offline: Option<bool>,
    /// As the feed of prices calls it; null: by its ticker.
    feed_symbol: Option<String>,
}

/// Reads what a body says of a security.
pub(super) fn read(body: &Fields) -> Result<SecurityInput, Error> {
    let wrapped = body.object("security")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut text = |name: &str| fields.nullable_text(name, &mut problems);
    let input = SecurityInput {
        ticker: text("ticker").map(Option::unwrap_or_default),
        exchange_operating_mic: text("exchange_operating_mic"),
        name: text("name"),
        kind: text("kind").flatten(),
        isin: text("isin"),
        country_code: text("country_code"),
        currency: text("currency"),
        feed_symbol: text("feed_symbol"),
        offline: fields.flag("offline", &mut problems),
        problems: Vec::new(),
    };
    Ok(SecurityInput { problems: problems.into_list(), ..input })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_left_alone_cleared_or_set() {
        let read = |json: &str| read(&serde_json::from_str(json).unwrap()).unwrap();
        let input = read(r#"{"security": {"ticker": "vti", "name": null, "offline": true}}"#);
        assert_eq!(input.ticker.as_deref(), Some("vti"));
        assert_eq!((input.name, input.isin, input.offline), (Some(None), None, Some(true)));
        let wrong = read(r#"{"ticker": 5, "offline": "maybe", "currency": []}"#);
        assert_eq!(wrong.problems.len(), 3);
        assert_eq!(read(r#"{"ticker": null}"#).ticker.as_deref(), Some(""));
    }
}
