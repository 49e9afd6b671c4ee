//! Answers about trades.

use purser_app::trades::{Counterpart, Trade};
use purser_core::money::decimal::quantity_text;
use purser_core::money::format::price_text;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::converted::ConvertedBody;
use crate::api::holdings::view::{SecurityBody, price_decimal};
use crate::api::transactions::view::TransactionBody;
use crate::http::money::Amount;
use crate::http::named::{ActivityLabelName, TradeTypeName};
use crate::http::time::Time;

/// A new trade, or the transaction that money without a security became.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CreatedTrade)]
#[serde(untagged)]
pub(super) enum CreatedTradeBody {
    /// A trade in a security.
    Trade(Box<TradeBody>),
    /// A transaction of money without a security.
    Transaction(Box<TransactionBody>),
}

/// A trade in a security.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Trade)]
pub(super) struct TradeBody {
    /// The id of the trade.
    id: Uuid,
    /// The day of the trade.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The type of the trade.
    #[serde(rename = "type")]
    trade_type: TradeTypeName,
    /// The label that other programs have for the type.
    investment_activity_label: ActivityLabelName,
    /// The name that people see: its own, or one that follows from type, quantity and ticker.
    #[schema(example = "Buy 10 VTI")]
    name: String,
    /// Free text; null if there is none.
    #[schema(required)]
    notes: Option<String>,
    /// The exact number of shares: positive into the account, negative out of it.
    #[schema(example = "10.0")]
    qty: String,
    /// The price of one share, formatted; null if there is none.
    #[schema(required, example = "$187.12")]
    price: Option<String>,
    /// The exact price of one share; null if there is none.
    #[schema(required, example = "187.1234")]
    price_decimal: Option<String>,
    /// The fee, which is part of the amount, formatted.
    #[schema(example = "$1.50")]
    fee: String,
    /// The exact fee, which is part of the amount.
    #[schema(example = "1.50")]
    fee_decimal: String,
    /// The money that moved, formatted; positive for money out.
    #[schema(example = "$1,872.73")]
    amount: String,
    /// The money that moved, in the smallest unit of the currency; positive for money out.
    #[schema(example = 187_273)]
    amount_cents: i64,
    /// The exact amount of money that moved; positive for money out.
    #[schema(example = "1872.734")]
    amount_decimal: String,
    /// Quantity times price, formatted; positive into the holdings.
    #[schema(example = "$1,871.23")]
    value: String,
    /// The exact quantity times price; positive into the holdings.
    #[schema(example = "1871.234")]
    value_decimal: String,
    /// The cost of shares that came without money, formatted; null for other trades, and if it is
    /// unknown.
    #[schema(required, example = "$1,000.00")]
    cost: Option<String>,
    /// The exact cost of shares that came without money; null as `cost`.
    #[schema(required, example = "1000.00")]
    cost_decimal: Option<String>,
    /// The number of shares that every `split_from` shares become; null if it is no split.
    #[schema(required, example = 2)]
    split_to: Option<u32>,
    /// The number of shares that become `split_to` shares; null if it is no split.
    #[schema(required, example = 1)]
    split_from: Option<u32>,
    /// The code of the currency of price, fee, amount, value and cost.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The amount in the currency of the account, if the two currencies differ; null otherwise.
    #[schema(required)]
    converted: Option<ConvertedBody>,
    /// The value in the currency of the account, formatted, if the two currencies differ; null
    /// otherwise. Zero while no rate is known.
    #[schema(required, example = "$2,047.69")]
    converted_value: Option<String>,
    /// The exact value in the currency of the account; null as `converted_value`.
    #[schema(required, example = "2047.6912")]
    converted_value_decimal: Option<String>,
    /// The account that it is in.
    account: AccountSummaryBody,
    /// The security that is traded.
    security: SecurityBody,
    /// The other side of a move between accounts of the family; null if the trade is none.
    #[schema(required)]
    transfer: Option<CounterpartBody>,
    /// The source that it came from; null if none is known.
    #[schema(required, example = "api")]
    source: Option<String>,
    /// The id that the source gave it; null if there is none.
    #[schema(required)]
    external_id: Option<String>,
    /// The time at which it was added.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// The other side of a move between accounts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TradeCounterpart)]
struct CounterpartBody {
    /// The id of the other trade; null if the key may not see it.
    #[schema(required)]
    trade_id: Option<Uuid>,
    /// The account of the other trade; null if the key may not see it.
    #[schema(required)]
    account: Option<AccountSummaryBody>,
}

impl From<Counterpart> for CounterpartBody {
    fn from(other: Counterpart) -> Self {
        Self { trade_id: other.trade.map(|id| id.0), account: other.account.map(Into::into) }
    }
}

impl From<Trade> for TradeBody {
    fn from(trade: Trade) -> Self {
        let currency = trade.currency;
        let [fee, amount, value] =
            [trade.fee, trade.amount, trade.value].map(|amount| Amount::new(amount, currency));
        let cost = trade.cost.map(|cost| Amount::new(cost, currency));
        let has_price = trade.trade_type.is_priced() || !trade.price.is_zero();
        let price = has_price.then_some(trade.price);
        let booked = trade.booked.as_ref();
        let worth = booked.map(|booked| Amount::new(trade.booked_value, booked.currency));
        Self {
            id: trade.id.0,
            date: trade.date.to_string(),
            trade_type: trade.trade_type.into(),
            investment_activity_label: trade.trade_type.activity_label().into(),
            name: trade.name(),
            notes: trade.notes,
            qty: quantity_text(trade.quantity),
            price: price.map(|price| price_text(price, currency)),
            price_decimal: price.map(|price| price_decimal(price, currency)),
            fee: fee.text,
            fee_decimal: fee.decimal,
            amount: amount.text,
            amount_cents: amount.minor_units,
            amount_decimal: amount.decimal,
            value: value.text,
            value_decimal: value.decimal,
            cost: cost.as_ref().map(|cost| cost.text.clone()),
            cost_decimal: cost.map(|cost| cost.decimal),
            split_to: trade.split.map(|split| split.to),
            split_from: trade.split.map(|split| split.from),
            currency: currency.code(),
            converted: trade.booked.map(Into::into),
            converted_value: worth.as_ref().map(|worth| worth.text.clone()),
            converted_value_decimal: worth.map(|worth| worth.decimal),
            account: trade.account.into(),
            security: trade.security.into(),
            transfer: trade.counterpart.map(Into::into),
            source: trade.source,
            external_id: trade.external_id,
            created_at: trade.created_at.into(),
            updated_at: trade.updated_at.into(),
        }
    }
}
