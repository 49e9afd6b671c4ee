//! What answers say of a holding.

use purser_app::holdings::{Holding, SecuritySummary};
use purser_core::ledger::valuing::Missing;
use purser_core::money::Currency;
use purser_core::money::decimal::quantity_text;
use purser_core::money::format::price_text;
use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::converted::ConvertedPriceBody;
use crate::api::accounts::view::AccountSummaryBody;
use crate::http::money::Sum;
use crate::http::time::Time;

/// How much of a security an account has at the end of a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Holding)]
pub(super) struct HoldingBody {
    /// Its id; stays the same when the holding is computed again.
    id: Uuid,
    /// The day that the values are of.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// How many shares, exact; negative when they are owed.
    #[schema(example = "10.0")]
    qty: String,
    /// Of one share, formatted; zero when no price is known.
    #[schema(example = "$187.12")]
    price: String,
    /// Of one share, exact (to 18 decimals if it was converted).
    #[schema(example = "187.1234")]
    price_decimal: String,
    /// The day of the price; null when none is known.
    #[schema(required, format = Date, example = "2026-01-14")]
    price_date: Option<String>,
    /// Who said the price: `manual`, `file`, `provider`, `feed`, `trade` or `split` (a split: the
    /// price before it, for what each share became); null when nobody did.
    #[schema(required, example = "feed")]
    price_source: Option<&'static str>,
    /// The price in its own currency; null when that is the account's, or no price is known.
    #[schema(required)]
    converted: Option<ConvertedPriceBody>,
    /// Of all shares, formatted.
    #[schema(example = "$1,871.23")]
    amount: String,
    /// Of all shares, exact.
    #[schema(example = "1871.234")]
    amount_decimal: String,
    /// The code of the account's currency: of price, amount and costs.
    #[schema(example = "USD")]
    currency: &'static str,
    /// Whether the amount is known; without a price or a rate it is zero.
    complete: bool,
    /// What is missing, such as `price` or `rate EUR/USD`; null when nothing is.
    #[schema(required, example = "price")]
    missing: Option<String>,
    /// Whose.
    account: AccountSummaryBody,
    /// Of what.
    security: SecurityBody,
    /// Who says what it cost: `manual`, `calculated` or `provider`; null when nobody does.
    #[schema(required, example = "calculated")]
    cost_basis_source: Option<&'static str>,
    /// Whether a person's word on the cost is never replaced.
    cost_basis_locked: bool,
    /// Cost of one share, formatted; null when unknown.
    #[schema(required, example = "$150.33")]
    avg_cost: Option<String>,
    /// Cost of one share, rounded to eight decimals; null when unknown.
    #[schema(required, example = "150.33333333")]
    avg_cost_decimal: Option<String>,
    /// Cost of all shares, formatted; null when unknown. What was received for a short position is
    /// negative.
    #[schema(required, example = "$1,503.33")]
    cost_basis: Option<String>,
    /// Cost of all shares, rounded to the scale of amounts; null when unknown.
    #[schema(required, example = "1503.3333")]
    cost_basis_decimal: Option<String>,
    /// What the amount is above the cost, formatted; null when either is unknown.
    #[schema(required, example = "$367.90")]
    unrealized_gain: Option<String>,
    /// What the amount is above the cost; null when either is unknown.
    #[schema(required, example = "367.9007")]
    unrealized_gain_decimal: Option<String>,
    /// When it was first seen.
    created_at: Time,
    /// When a person changed it last.
    updated_at: Time,
}

/// What is traded.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HoldingSecurity)]
pub(in crate::api) struct SecurityBody {
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

impl From<SecuritySummary> for SecurityBody {
    fn from(security: SecuritySummary) -> Self {
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
        let amount = Sum::new(holding.amount, currency);
        let average = holding.cost.as_ref().and_then(|cost| cost.average(currency));
        let cost = holding.cost.as_ref().and_then(|cost| cost.of(holding.quantity));
        let gain = cost
            .filter(|_| holding.missing.is_none())
            .and_then(|cost| holding.amount.checked_sub(cost))
            .map(|gain| Sum::new(gain, currency));
        let cost = cost.map(|cost| Sum::new(cost, currency));
        let decimal = |price: Decimal| price_decimal(price, currency);
        Self {
            id: holding.id,
            date: holding.date.to_string(),
            qty: quantity_text(holding.quantity),
            price: price_text(holding.price, currency),
            price_decimal: decimal(holding.price),
            price_date: holding.stated.map(|price| price.date.to_string()),
            price_source: holding.stated.map(|price| price.source.as_str()),
            converted: ConvertedPriceBody::of(&holding),
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: currency.code(),
            complete: holding.missing.is_none(),
            missing: holding.missing.map(missing_text),
            account: holding.account.into(),
            security: holding.security.into(),
            cost_basis_source: holding.cost.as_ref().map(|cost| cost.source.as_str()),
            cost_basis_locked: holding.cost_locked,
            avg_cost: average.map(|average| price_text(average, currency)),
            avg_cost_decimal: average.map(decimal),
            cost_basis: cost.as_ref().map(|cost| cost.text.clone()),
            cost_basis_decimal: cost.map(|cost| cost.decimal),
            unrealized_gain: gain.as_ref().map(|gain| gain.text.clone()),
            unrealized_gain_decimal: gain.map(|gain| gain.decimal),
            created_at: holding.created_at.into(),
            updated_at: holding.updated_at.into(),
        }
    }
}

/// What a figure lacks, in few words.
pub(in crate::api) fn missing_text(missing: Missing) -> String {
    match missing {
        Missing::Price => "price".to_owned(),
        Missing::Rate { from, to } => format!("rate {}/{}", from.code(), to.code()),
        Missing::Range => "range".to_owned(),
    }
}

/// A price as a plain decimal with at least the currency's decimals, as amounts have them.
pub(in crate::api) fn price_decimal(price: Decimal, currency: Currency) -> String {
    let mut price = price.normalize();
    if price.scale() < currency.precision() {
        price.rescale(currency.precision());
    }
    price.to_string()
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use purser_app::accounts::AccountSummary;
    use purser_core::ids::{AccountId, SecurityId};
    use purser_core::ledger::account::{AccountStatus, AccountType};
    use purser_core::ledger::holding::{Cost, CostBasisSource};
    use purser_core::ledger::valuing::{Price, PriceSource};
    use purser_core::money::exact::whole;
    use serde_json::json;

    use super::*;

    fn holding() -> Holding {
        let price = Price {
            date: jiff::civil::date(2026, 1, 4),
            currency: Currency::USD,
            price: "187.1234".parse().unwrap(),
            source: PriceSource::Feed,
        };
        Holding {
            id: Uuid::from_u128(1),
            date: jiff::civil::date(2026, 1, 5),
            quantity: Decimal::from(10),
            price: price.price,
            stated: Some(price),
            rate: None,
            amount: 18_712_340,
            missing: None,
            currency: Currency::USD,
            cost: None,
            cost_locked: false,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            account: AccountSummary {
                id: AccountId(Uuid::from_u128(2)),
                name: "Broker".into(),
                account_type: AccountType::Investment,
                status: AccountStatus::Active,
            },
            security: SecuritySummary {
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
                "price_date": "2026-01-04",
                "price_source": "feed",
                "converted": null,
                "amount": "$1,871.23",
                "amount_decimal": "1871.234",
                "currency": "USD",
                "complete": true,
                "missing": null,
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
                "cost_basis_locked": false,
                "avg_cost": null,
                "avg_cost_decimal": null,
                "cost_basis": null,
                "cost_basis_decimal": null,
                "unrealized_gain": null,
                "unrealized_gain_decimal": null,
                "created_at": "1970-01-01T00:00:00.000Z",
                "updated_at": "1970-01-01T00:00:00.000Z",
            })
        );
    }

    #[test]
    fn the_average_cost_is_rounded_only_as_text() {
        let cost = Cost {
            total: whole(10_000_000),
            quantity: Decimal::from(3),
            source: CostBasisSource::Calculated,
            locked: false,
        };
        let body = HoldingBody::from(Holding { cost: Some(cost), ..holding() });
        assert_eq!(body.avg_cost.as_deref(), Some("$333.33"));
        assert_eq!(body.avg_cost_decimal.as_deref(), Some("333.33333333"));
        assert_eq!(body.cost_basis_decimal.as_deref(), Some("3333.3333"));
        assert_eq!(body.unrealized_gain.as_deref(), Some("-$1,462.10"));
        assert_eq!(body.cost_basis_source, Some("calculated"));
    }

    #[test]
    fn what_is_missing_is_named_and_gains_nothing() {
        let missing = |missing| {
            let cost = Cost {
                total: whole(1),
                quantity: Decimal::ONE,
                source: CostBasisSource::Calculated,
                locked: false,
            };
            let missing = Some(missing);
            HoldingBody::from(Holding { missing, cost: Some(cost), ..holding() })
        };
        let body = missing(Missing::Rate { from: Currency::EUR, to: Currency::USD });
        assert_eq!((body.complete, body.missing.as_deref()), (false, Some("rate EUR/USD")));
        assert_eq!(body.unrealized_gain_decimal, None);
        assert_eq!(missing(Missing::Price).missing.as_deref(), Some("price"));
    }

    #[test]
    fn tiny_prices_keep_their_digits() {
        let price = "0.000012".parse().unwrap();
        let body = HoldingBody::from(Holding { price, ..holding() });
        assert_eq!((body.price.as_str(), body.price_decimal.as_str()), ("$0.000012", "0.000012"));
        let decimal =
            |text: &str, code| price_decimal(text.parse().unwrap(), Currency::parse(code).unwrap());
        assert_eq!(decimal("5", "USD"), "5.00");
        assert_eq!(decimal("5.1000", "JPY"), "5.1");
    }
}
