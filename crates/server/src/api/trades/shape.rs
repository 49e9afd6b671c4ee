//! What answers say of a trade.

use purser_app::trades::{Counterpart, Trade};
use purser_core::ledger::trade::TradeType;
use purser_core::money::decimal::quantity_text;
use purser_core::money::format::price_text;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::converted::ConvertedBody;
use crate::api::holdings::shape::{SecurityBody, price_decimal};
use crate::http::money::Amount;
use crate::http::time::Time;

/// Something that was done with a security.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Trade)]
pub(super) struct TradeBody {
    /// The id of the ledger entry.
    id: Uuid,
    /// Which day.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// `buy`, `sell`, `dividend`, `interest`, `fee`, `split`, `reinvestment`, `transfer_in` or
    /// `transfer_out`.
    #[serde(rename = "type")]
    #[schema(example = "buy")]
    trade_type: &'static str,
    /// The type as people call it.
    #[schema(example = "Buy")]
    investment_activity_label: &'static str,
    /// What it is called.
    #[schema(example = "Buy 10 VTI")]
    name: String,
    /// Free text; null when there is none.
    #[schema(required)]
    notes: Option<String>,
    /// How many shares, exact: into the account positive, out of it negative.
    #[schema(example = "10.0")]
    qty: String,
    /// Of one share, formatted; zero when nobody said.
    #[schema(example = "$187.12")]
    price: String,
    /// Of one share, exact.
    #[schema(example = "187.1234")]
    price_decimal: String,
    /// Inside of the amount, formatted.
    #[schema(example = "$1.50")]
    fee: String,
    /// Inside of the amount, exact.
    #[schema(example = "1.50")]
    fee_decimal: String,
    /// What moved in cash, formatted; positive = money out.
    #[schema(example = "$1,872.73")]
    amount: String,
    /// What moved in cash, in the currency's smallest unit.
    #[schema(example = 187_273)]
    amount_cents: i64,
    /// What moved in cash, exact.
    #[schema(example = "1872.734")]
    amount_decimal: String,
    /// Quantity times price, formatted; positive = into the holdings.
    #[schema(example = "$1,871.23")]
    value: String,
    /// Quantity times price, exact.
    #[schema(example = "1871.234")]
    value_decimal: String,
    /// What shares that came without money cost, formatted; null when money says it, or nothing.
    #[schema(required, example = "$1,000.00")]
    cost: Option<String>,
    /// What shares that came without money cost, exact; null as `cost`.
    #[schema(required, example = "1000.00")]
    cost_decimal: Option<String>,
    /// Of a split: so many for every `split_from`; null for other types.
    #[schema(required, example = 2)]
    split_to: Option<u32>,
    /// Of a split: every so many become `split_to`; null for other types.
    #[schema(required, example = 1)]
    split_from: Option<u32>,
    /// The code of the currency of price, fee, amount, value and cost.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The amount in the account's currency, if the trade is in another; null otherwise.
    #[schema(required)]
    converted: Option<ConvertedBody>,
    /// The value in the account's currency, formatted, if the trade is in another; null otherwise.
    /// Zero while no rate is known.
    #[schema(required, example = "$2,047.69")]
    converted_value: Option<String>,
    /// The value in the account's currency, exact; null as `converted_value`.
    #[schema(required, example = "2047.6912")]
    converted_value_decimal: Option<String>,
    /// In which account.
    account: AccountSummaryBody,
    /// Of what.
    security: SecurityBody,
    /// The other side of a move between accounts of the family; null if it isn't one.
    #[schema(required)]
    transfer: Option<CounterpartBody>,
    /// Who brought it; null when nobody said.
    #[schema(required, example = "api")]
    source: Option<String>,
    /// The id of whoever brought it; null when it has none.
    #[schema(required)]
    external_id: Option<String>,
    /// When it was added.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

/// The other side of a move between accounts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TradeCounterpart)]
struct CounterpartBody {
    /// The trade there; null when the key may not see it.
    #[schema(required)]
    trade_id: Option<Uuid>,
    /// Its account; null when the key may not see it.
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
        let booked = trade.booked.as_ref();
        let worth = booked.map(|booked| Amount::new(trade.booked_value, booked.currency));
        Self {
            id: trade.id.0,
            date: trade.date.to_string(),
            trade_type: trade.trade_type.as_str(),
            investment_activity_label: label(trade.trade_type),
            name: trade.name(),
            notes: trade.notes,
            qty: quantity_text(trade.quantity),
            price: price_text(trade.price, currency),
            price_decimal: price_decimal(trade.price, currency),
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

/// What other programs call a type of trade.
pub(super) fn label(trade_type: TradeType) -> &'static str {
    match trade_type {
        TradeType::Buy => "Buy",
        TradeType::Sell => "Sell",
        TradeType::Dividend => "Dividend",
        TradeType::Interest => "Interest",
        TradeType::Fee => "Fee",
        TradeType::Split => "Other",
        TradeType::Reinvestment => "Reinvestment",
        TradeType::TransferIn | TradeType::TransferOut => "Transfer",
    }
}
