//! What answers say of a holding.

use purser_core::money::decimal::quantity_text;
use purser_core::money::format::price_text;
use purser_store::holdings::{Holding, Security};
use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::shape::AccountSummaryBody;
use crate::api::money::Amount;
use crate::api::time::Time;

/// How much of a security an account has.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Holding)]
pub(super) struct HoldingBody {
    /// Its id; stays the same when the holding is computed again.
    id: Uuid,
    /// The day that the values are of.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// How many shares, exact.
    #[schema(example = "10.0")]
    qty: String,
    /// Of one share, formatted.
    #[schema(example = "$187.12")]
    price: String,
    /// Of one share, exact.
    #[schema(example = "187.1234")]
    price_decimal: String,
    /// Of all shares, formatted.
    #[schema(example = "$1,871.23")]
    amount: String,
    /// Of all shares, exact.
    #[schema(example = "1871.234")]
    amount_decimal: String,
    /// The code of the currency of price, amount and average cost.
    #[schema(example = "USD")]
    currency: &'static str,
    /// Whose.
    account: AccountSummaryBody,
    /// Of what.
    security: SecurityBody,
    /// Who says what it cost: `manual`, `calculated` or `provider`; null when nobody does.
    #[schema(required, example = "calculated")]
    cost_basis_source: Option<&'static str>,
    /// Cost of one share, formatted; null when unknown.
    #[schema(required, example = "$150.33")]
    avg_cost: Option<String>,
    /// Cost of one share, rounded to eight decimals; null when unknown.
    #[schema(required, example = "150.33333333")]
    avg_cost_decimal: Option<String>,
    /// When it was first seen.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

/// What is traded.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HoldingSecurity)]
struct SecurityBody {
    /// Its id.
    id: Uuid,
    /// What it is traded as.
    #[schema(example = "VTI")]
    ticker: String,
    /// The code of the market; null when unknown.
    #[schema(required, example = "XNAS")]
    exchange_operating_mic: Option<String>,
    /// Shown name; null when unknown.
    #[schema(required, example = "Total Stock Market")]
    name: Option<String>,
}

impl From<Security> for SecurityBody {
    fn from(security: Security) -> Self {
        let mic = security.exchange_operating_mic;
        Self {
            id: security.id.0,
            ticker: security.ticker,
            exchange_operating_mic: (!mic.is_empty()).then_some(mic),
            name: security.name,
        }
    }
}

impl From<Holding> for HoldingBody {
    fn from(holding: Holding) -> Self {
        let currency = holding.currency;
        let amount = Amount::new(holding.amount, currency);
        let average = holding.cost.and_then(|cost| cost.average(currency));
        let decimal = |price: Decimal| price_decimal(price, currency.precision());
        Self {
            id: holding.id.0,
            date: holding.date.to_string(),
            qty: quantity_text(holding.quantity),
            price: price_text(holding.price, currency),
            price_decimal: decimal(holding.price),
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: currency.code(),
            account: holding.account.into(),
            security: holding.security.into(),
            cost_basis_source: holding.cost.map(|cost| cost.source.as_str()),
            avg_cost: average.map(|average| price_text(average, currency)),
            avg_cost_decimal: average.map(decimal),
            created_at: holding.created_at.into(),
            updated_at: holding.updated_at.into(),
        }
    }
}

/// A price as a plain decimal with at least the currency's decimals, as amounts have them.
fn price_decimal(price: Decimal, precision: u32) -> String {
    let mut price = price.normalize();
    if price.scale() < precision {
        price.rescale(precision);
    }
    price.to_string()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use purser_core::ids::{AccountId, HoldingId, SecurityId};
    use purser_core::ledger::account::{AccountStatus, AccountType};
    use purser_core::ledger::holding::{Cost, CostBasisSource};
    use purser_core::money::Currency;
    use purser_store::accounts::AccountSummary;
    use serde_json::json;

    use super::*;

    fn holding() -> Holding {
        Holding {
            id: HoldingId(Uuid::from_u128(1)),
            date: jiff::civil::date(2026, 1, 5),
            quantity: Decimal::from(10),
            price: "187.1234".parse().unwrap(),
            amount: 18_712_340,
            currency: Currency::USD,
            cost: None,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            account: AccountSummary {
                id: AccountId(Uuid::from_u128(2)),
                name: "Broker".into(),
                account_type: AccountType::Investment,
                status: AccountStatus::Active,
            },
            security: Security {
                id: SecurityId(Uuid::from_u128(3)),
                ticker: "VTI".into(),
                exchange_operating_mic: String::new(),
                name: None,
            },
        }
    }

    #[test]
    fn a_holding_has_every_field() {
        assert_eq!(
            serde_json::to_value(HoldingBody::from(holding())).unwrap(),
            json!({
                "id": "00000000-0000-0000-0000-000000000001",
                "date": "2026-01-05",
                "qty": "10.0",
                "price": "$187.12",
                "price_decimal": "187.1234",
                "amount": "$1,871.23",
                "amount_decimal": "1871.234",
                "currency": "USD",
                "account": {
                    "id": "00000000-0000-0000-0000-000000000002",
                    "name": "Broker",
                    "account_type": "investment",
                    "status": "active",
                },
                "security": {
                    "id": "00000000-0000-0000-0000-000000000003",
                    "ticker": "VTI",
                    "exchange_operating_mic": null,
                    "name": null,
                },
                "cost_basis_source": null,
                "avg_cost": null,
                "avg_cost_decimal": null,
                "created_at": "1970-01-01T00:00:00.000Z",
                "updated_at": "1970-01-01T00:00:00.000Z",
            })
        );
    }

    #[test]
    fn the_average_cost_is_rounded_only_as_text() {
        let cost = Cost {
            total: 10_000_000,
            quantity: Decimal::from(3),
            source: CostBasisSource::Calculated,
            locked: false,
        };
        let body = HoldingBody::from(Holding { cost: Some(cost), ..holding() });
        assert_eq!(body.avg_cost.as_deref(), Some("$333.33"));
        assert_eq!(body.avg_cost_decimal.as_deref(), Some("333.33333333"));
        assert_eq!(body.cost_basis_source, Some("calculated"));
    }

    #[test]
    fn tiny_prices_keep_their_digits() {
        let price = "0.000012".parse().unwrap();
        let body = HoldingBody::from(Holding { price, ..holding() });
        assert_eq!((body.price.as_str(), body.price_decimal.as_str()), ("$0.000012", "0.000012"));
        assert_eq!(price_decimal(Decimal::from(5), 2), "5.00");
        assert_eq!(price_decimal("5.1000".parse().unwrap(), 0), "5.1");
    }
}
