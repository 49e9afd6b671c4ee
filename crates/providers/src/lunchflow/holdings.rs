//! Holdings of an account.

use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

use crate::Result;
use crate::error::Call;
use crate::snapshot::{Completeness, HoldingSnapshot, HoldingsSnapshot, RowProblem, SecurityClues};
use crate::wire::{Rows, Scalar, body};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(borrow)]
    holdings: Rows<'a>,
    #[serde(default)]
    total_value: Scalar,
    #[serde(default)]
    currency: Scalar,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Row {
    security: Security,
    quantity: Scalar,
    price: Scalar,
    value: Scalar,
    cost_basis: Scalar,
    currency: Scalar,
    raw: Option<Box<RawValue>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Security {
    name: Scalar,
    currency: Scalar,
    ticker_symbol: Scalar,
    figi: Scalar,
    /// The provider's own spelling; the right one is read, too.
    cusp: Scalar,
    cusip: Scalar,
    isin: Scalar,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Upstream {
    id: Scalar,
}

/// Reads the holdings of an answer.
pub(super) fn read(bytes: &[u8]) -> Result<HoldingsSnapshot> {
    let answer: Answer<'_> = body(Call::Holdings, bytes)?;
    let (rows, unreadable) = answer.holdings.read(holding);
    let (total, currency) = (answer.total_value.decimal(), answer.currency.currency());
    let completeness = Completeness::Whole;
    Ok(HoldingsSnapshot { rows, unreadable, total, currency, completeness })
}

fn holding(row: &Row) -> std::result::Result<HoldingSnapshot, (RowProblem, Option<String>)> {
    let id = row.raw.as_deref().and_then(upstream_id);
    let amount = || (RowProblem::Amount, id.clone());
    let optional = |value: &Scalar| value.optional_decimal().map_err(|()| amount());
    let security = &row.security;
    let cusip = security.cusip.label().or_else(|| security.cusp.label());
    Ok(HoldingSnapshot {
        security: SecurityClues {
            isin: security.isin.label(),
            figi: security.figi.label(),
            cusip,
            ticker: security.ticker_symbol.label(),
            name: security.name.label(),
            currency: security.currency.currency(),
        },
        quantity: row.quantity.decimal().ok_or_else(amount)?,
        price: optional(&row.price)?,
        value: optional(&row.value)?,
        stated_cost: optional(&row.cost_basis)?,
        purchase_price: None,
        currency: row.currency.currency(),
        id,
    })
}

/// The id of the service behind the provider: `{"snaptrade": {"id": …}}`.
fn upstream_id(raw: &RawValue) -> Option<String> {
    let services: BTreeMap<String, Box<RawValue>> = serde_json::from_str(raw.get()).ok()?;
    services.values().find_map(|service| {
        let upstream: Upstream = serde_json::from_str(service.get()).ok()?;
        upstream.id.id().ok().flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holdings_are_read_whatever_is_missing() {
        let snapshot = read(
            br#"{"holdings":[
                {"security":{"name":"Fund","currency":"USD","tickerSymbol":"VTI","figi":null,
                    "cusp":"922908769","isin":"US9229087690"},
                 "quantity":"10.5","price":260.5,"value":2735.25,"costBasis":2000,
                 "currency":"USD","raw":{"snaptrade":{"id":"s1","other":[1]}}},
                {"security":{"name":"Coin"},"quantity":0.123456789012345678,"price":null,
                 "value":"8000","raw":{"x":7}},
                {"security":{"name":"None"},"price":1},
                {"quantity":0}
            ],"totalValue":10735.25,"currency":"USD"}"#,
        )
        .unwrap();
        let first = &snapshot.rows[0];
        assert_eq!(first.id.as_deref(), Some("s1"));
        assert_eq!(first.security.cusip.as_deref(), Some("922908769"));
        assert_eq!(first.security.isin.as_deref(), Some("US9229087690"));
        assert_eq!(first.quantity.to_string(), "10.5");
        assert_eq!(first.stated_cost.map(|cost| cost.to_string()).as_deref(), Some("2000"));
        let second = &snapshot.rows[1];
        assert_eq!(second.quantity.to_string(), "0.123456789012345678");
        assert_eq!((second.price, second.id.as_deref()), (None, None));
        assert_eq!(snapshot.rows.len(), 3);
        assert_eq!(snapshot.unreadable[0].problem, RowProblem::Amount);
        assert_eq!(snapshot.total.map(|total| total.to_string()).as_deref(), Some("10735.25"));
    }
}
