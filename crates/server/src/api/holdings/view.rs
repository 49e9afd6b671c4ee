//! Answers about holdings.

use purser_app::holdings::{Holding, SecuritySummary};
use purser_core::ledger::valuing::Missing;
use purser_core::limits::DECIMAL_PLACES_MAX;
use purser_core::money::Currency;
use purser_core::money::decimal::quantity_text;
use purser_core::money::format::price_text;
use purser_core::rates::Rate;
use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::rate_leg::RateLegBody;
use crate::http::money::Sum;
use crate::http::named::{CostBasisSourceName, PriceSourceName};
use crate::http::time::Time;

/// A position in a security at the end of a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Holding)]
pub(super) struct HoldingBody {
    /// The id of the holding, which stays the same when it is computed again.
    id: Uuid,
    /// The day at the end of which the position has these values.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The exact number of shares; negative for a short position.
    #[schema(example = "10.0")]
    qty: String,
    /// The price of one share, formatted; null if no price or no rate is known.
    #[schema(required, example = "$187.12")]
    price: Option<String>,
    /// The exact price of one share; rounded to 18 decimals if it was converted. Null as `price`.
    #[schema(required, example = "187.1234")]
    price_decimal: Option<String>,
    /// The day of the price; null if no price is known.
    #[schema(required, format = Date, example = "2026-01-14")]
    price_date: Option<String>,
    /// The source of the price; null if no price is known. `split` is the price before a share
    /// split, divided among the shares after it.
    #[schema(required)]
    price_source: Option<PriceSourceName>,
    /// The price in its own currency; null if that is the currency of the account, or if no price
    /// is known.
    #[schema(required)]
    converted: Option<ConvertedPriceBody>,
    /// The value of all shares, formatted.
    #[schema(example = "$1,871.23")]
    amount: String,
    /// The exact value of all shares.
    #[schema(example = "1871.234")]
    amount_decimal: String,
    /// The code of the account's currency, in which price, amount and cost are.
    #[schema(example = "USD")]
    currency: &'static str,
    /// Whether the amount is known. Without a price or a rate it is zero.
    complete: bool,
    /// What is missing for the amount, such as `price` or `rate EUR/USD`; null if nothing is
    /// missing.
    #[schema(required, example = "price")]
    missing: Option<String>,
    /// The account of the holding.
    account: AccountSummaryBody,
    /// The security of the holding.
    security: SecurityBody,
    /// The source of the cost basis; null if it is unknown. `manual` is one that a person set.
    #[schema(required)]
    cost_basis_source: Option<CostBasisSourceName>,
    /// Whether a cost basis that a person set is never replaced.
    cost_basis_locked: bool,
    /// The cost of one share, formatted; null if it is unknown.
    #[schema(required, example = "$150.33")]
    avg_cost: Option<String>,
    /// The cost of one share, rounded to eight decimals; null if it is unknown.
    #[schema(required, example = "150.33333333")]
    avg_cost_decimal: Option<String>,
    /// The cost of all shares, formatted; null if it is unknown. For a short position it is
    /// negative: the money that was received.
    #[schema(required, example = "$1,503.33")]
    cost_basis: Option<String>,
    /// The cost of all shares, rounded to the scale of amounts; null if it is unknown.
    #[schema(required, example = "1503.3333")]
    cost_basis_decimal: Option<String>,
    /// The amount minus the cost, formatted; null if one of them is unknown.
    #[schema(required, example = "$367.90")]
    unrealized_gain: Option<String>,
    /// The exact amount minus the cost; null if one of them is unknown.
    #[schema(required, example = "367.9007")]
    unrealized_gain_decimal: Option<String>,
    /// The time at which the position was first computed.
    created_at: Time,
    /// The time of the latest change by a person.
    updated_at: Time,
}

/// A price in its own currency, and the rate that it was converted with.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ConvertedPrice)]
struct ConvertedPriceBody {
    /// The price of one share as it was stated, formatted.
    #[schema(example = "€171.00")]
    price: String,
    /// The exact price of one share as it was stated.
    #[schema(example = "171.00")]
    price_decimal: String,
    /// The code of the currency of the price.
    #[schema(example = "EUR")]
    currency: &'static str,
    /// The value of one unit of this currency in the currency of the account, with at most 18
    /// decimals. Null while no rate is known, or if it has too many digits to be shown.
    #[schema(required, example = "1.0943")]
    exchange_rate: Option<String>,
    /// The stated rates that the rate was made of, in the order in which they were applied.
    rates: Vec<RateLegBody>,
}

/// The security of a position.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HoldingSecurity)]
pub(in crate::api) struct SecurityBody {
    /// The id of the security.
    id: Uuid,
    /// The symbol that it is traded under.
    #[schema(example = "VTI")]
    ticker: String,
    /// The code of the market (ISO 10383); null if it is unknown.
    #[schema(required, example = "XNAS")]
    exchange_operating_mic: Option<String>,
    /// The name that people see; null if it is unknown.
    #[schema(required, example = "Total Stock Market")]
    name: Option<String>,
}

impl ConvertedPriceBody {
    /// `None` if there is no price, or one in the currency of the account.
    fn of(holding: &Holding) -> Option<Self> {
        let price = holding.stated.filter(|price| price.currency != holding.currency)?;
        let rate = holding.rate.as_ref();
        let number = rate.and_then(|rate| rate.decimal(DECIMAL_PLACES_MAX));
        let legs = rate.map_or(&[][..], Rate::legs);
        Some(Self {
            price: price_text(price.price, price.currency),
            price_decimal: price_decimal(price.price, price.currency),
            currency: price.currency.code(),
            exchange_rate: number.map(|number| number.normalize().to_string()),
            rates: legs.iter().copied().map(Into::into).collect(),
        })
    }
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
        let is_known = holding.missing.is_none() || !holding.price.is_zero();
        let price = is_known.then_some(holding.price);
        Self {
            id: holding.id,
            date: holding.date.to_string(),
            qty: quantity_text(holding.quantity),
            price: price.map(|price| price_text(price, currency)),
            price_decimal: price.map(decimal),
            price_date: holding.stated.map(|price| price.date.to_string()),
            price_source: holding.stated.map(|price| price.source.into()),
            converted: ConvertedPriceBody::of(&holding),
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: currency.code(),
            complete: holding.missing.is_none(),
            missing: holding.missing.map(missing_text),
            account: holding.account.into(),
            security: holding.security.into(),
            cost_basis_source: holding.cost.as_ref().map(|cost| cost.source.into()),
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

/// What is missing for a figure.
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
        };
        let body = HoldingBody::from(Holding { cost: Some(cost), ..holding() });
        assert_eq!(body.avg_cost.as_deref(), Some("$333.33"));
        assert_eq!(body.avg_cost_decimal.as_deref(), Some("333.33333333"));
        assert_eq!(body.cost_basis_decimal.as_deref(), Some("3333.3333"));
        assert_eq!(body.unrealized_gain.as_deref(), Some("-$1,462.10"));
        assert_eq!(body.cost_basis_source, Some(CostBasisSource::Calculated.into()));
    }

    #[test]
    fn what_is_missing_is_named_and_gains_nothing() {
        let missing = |missing| {
            let cost = Cost {
                total: whole(1),
                quantity: Decimal::ONE,
                source: CostBasisSource::Calculated,
            };
            let missing = Some(missing);
            HoldingBody::from(Holding { missing, cost: Some(cost), ..holding() })
        };
        let body = missing(Missing::Rate { from: Currency::EUR, to: Currency::USD });
        assert_eq!((body.complete, body.missing.as_deref()), (false, Some("rate EUR/USD")));
        assert_eq!(body.unrealized_gain_decimal, None);
        assert_eq!(missing(Missing::Price).missing.as_deref(), Some("price"));
        let (missing, price) = (Some(Missing::Price), Decimal::ZERO);
        let body = HoldingBody::from(Holding { missing, price, ..holding() });
        assert_eq!((body.price, body.price_decimal), (None, None));
    }

    #[test]
    fn tiny_prices_keep_their_digits() {
        let price = "0.000012".parse().unwrap();
        let body = HoldingBody::from(Holding { price, ..holding() });
        assert_eq!(body.price.as_deref(), Some("$0.000012"));
        assert_eq!(body.price_decimal.as_deref(), Some("0.000012"));
        let decimal =
            |text: &str, code| price_decimal(text.parse().unwrap(), Currency::parse(code).unwrap());
        assert_eq!(decimal("5", "USD"), "5.00");
        assert_eq!(decimal("5.1000", "JPY"), "5.1");
    }
}
