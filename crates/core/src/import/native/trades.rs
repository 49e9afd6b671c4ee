//! Trades: what a record states has to agree with itself.
//!
//! The amount is the money that moved, so it is never changed. A broker rounds prices and
//! quantities, so their product may differ from it by what the digits behind those that are shown
//! come to: the price is then the one that comes to the amount. Programs without a field for fees
//! have them within the amount: what is as little as a fee is one, and is named when the file was
//! published. Any other difference, and every sign that contradicts the type, is a reason to refuse
//! the record.

use jiff::Timestamp;
use rust_decimal::Decimal;

use super::entries::{EntryFacts, rate};
use super::fields::Fields;
use super::securities::{DECIMALS_OF_MONEY, SecurityName, comes_to};
use super::{Context, SourceId};
use crate::error::Problems;
use crate::ledger::positions::stored_lots;
use crate::ledger::trade::{ActivityLabel, Effect, TradeType, UnitFlow};
use crate::limits::{QUANTITY_MAX, SPLIT_PART_MAX};
use crate::money::Currency;
use crate::money::decimal::{amount_text, within_limits};
use crate::money::exact::{of_decimal, to_decimal, units, value_of, whole};
use crate::named::Named as _;

/// Decimals of a price that is computed from an amount.
const PRICE_DECIMALS: u32 = 18;

/// The costs within an amount are at most what the shares come to, divided by this: so much the
/// sellers of funds take.
const COSTS_PARTS: u64 = 20;

/// So many units of the currency may be costs of trades that are small, too.
const COSTS_UNITS: u64 = 20;

/// The costs of a trade so small are at most what the shares come to, divided by this.
const COSTS_PARTS_OF_SMALL: u64 = 2;

/// From so many hundredths of a unit on, costs explain a difference before rounding does.
const COSTS_HUNDREDTHS: u64 = 10;

/// A trade of a security.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trade {
    /// What other records of the file call it.
    pub id: Option<SourceId>,
    /// The account, the day, and the money that moved.
    pub facts: EntryFacts,
    /// The security that is traded.
    pub security: SecurityName,
    /// The type of the trade.
    pub trade_type: TradeType,
    /// The units, positive into the account.
    pub quantity: Decimal,
    /// The price of one unit.
    pub price: Decimal,
    /// The fee, which is inside the amount.
    pub fee: i64,
    /// The record states no fee: it is what the amount has beside the shares.
    pub is_fee_inferred: bool,
    /// The older server calls it a transfer, and money moved for it.
    pub is_transfer_for_money: bool,
    /// The cost of units that came without money.
    pub cost: Option<i64>,
    /// So many units for so many.
    pub split: Option<(i64, i64)>,
    /// When a share split was recorded.
    pub recorded_at: Option<Timestamp>,
    /// The other trade of a move.
    pub counterpart: Option<SourceId>,
    /// The lots that came with it, as JSON.
    pub lots: Option<String>,
    /// The rate that came with it.
    pub rate: Option<Decimal>,
    /// Free text of people.
    pub notes: Option<String>,
}

impl Trade {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let facts = EntryFacts::read(fields, context);
        let quantity = fields.required_decimal("qty");
        let price = fields.required_decimal("price");
        let parts =
            |fields: &mut Fields<'_, '_>, name| fields.whole(name, (1, i64::from(SPLIT_PART_MAX)));
        let (to, from) = (parts(fields, "split_to"), parts(fields, "split_from"));
        let (fee, currency) = (fields.amount(&["fee"], facts.currency), facts.currency);
        let (trade_type, is_transfer_for_money) = trade_type(fields, quantity, facts.amount);
        let mut trade = Self {
            id: fields.id("id"),
            security: SecurityName::read(fields),
            trade_type,
            is_transfer_for_money,
            quantity,
            price,
            fee: fee.unwrap_or_default(),
            is_fee_inferred: false,
            cost: fields.amount(&["cost"], currency),
            split: to.zip(from),
            recorded_at: fields.time("recorded_at"),
            counterpart: fields.id("counterpart_id"),
            lots: fields.raw("lots").map(str::to_owned),
            rate: rate(fields),
            notes: fields.notes("notes"),
            facts,
        };
        // What can't be read is no reason for more.
        if fields.is_sound() {
            let is_split = trade.trade_type == TradeType::Split;
            if (to.is_some(), from.is_some()) != (is_split, is_split) {
                let rule = "and split_from are there for a share split, and only then";
                fields.problem("split_to", rule);
            }
            fields.with(|problems| {
                trade.judge_fields(problems);
                trade.judge_money(fee.is_some(), problems);
            });
        }
        trade
    }
}

/// So many hundredths of a unit of a currency.
fn hundredths(count: u64, currency: Currency) -> i64 {
    let unit = 10_u64.checked_pow(currency.scale()).unwrap_or(u64::MAX);
    i64::try_from(unit.saturating_mul(count) / 100).unwrap_or(i64::MAX)
}

/// The type: as it is stated, else by the label that the older server has for it, else by the sign
/// of the quantity; and whether the label is that of a transfer, but money moved.
fn trade_type(fields: &mut Fields<'_, '_>, quantity: Decimal, amount: i64) -> (TradeType, bool) {
    if let Some(stated) = fields.named("trade_type") {
        return (stated, false);
    }
    let label = fields.first_label(&["investment_activity_label", "activity_label"]);
    let by_sign = |buy, sell| if quantity.is_sign_negative() { sell } else { buy };
    let traded = by_sign(TradeType::Buy, TradeType::Sell);
    let (name, found) = match label {
        Some((name, text)) => match ActivityLabel::named(text.trim()) {
            Some(label) => (name, Some(label)),
            None => {
                let known: Vec<&str> = ActivityLabel::ALL.iter().map(|one| one.name()).collect();
                fields.problem(name, format!("must be one of {}", known.join(", ")));
                return (traded, false);
            }
        },
        None => ("trade_type", None),
    };
    let of_label = match found {
        Some(ActivityLabel::Buy) => Some(TradeType::Buy),
        Some(ActivityLabel::Sell) => Some(TradeType::Sell),
        Some(ActivityLabel::Dividend) => Some(TradeType::Dividend),
        Some(ActivityLabel::Interest) => Some(TradeType::Interest),
        Some(ActivityLabel::Fee) => Some(TradeType::Fee),
        // Money went out for the shares: the income has a record of its own.
        Some(ActivityLabel::Reinvestment) if amount > 0 => Some(TradeType::Buy),
        Some(ActivityLabel::Reinvestment) => Some(TradeType::Reinvestment),
        Some(ActivityLabel::Transfer) if !quantity.is_zero() && amount == 0 => {
            Some(by_sign(TradeType::TransferIn, TradeType::TransferOut))
        }
        // Shares that come or go for money, whatever the reason.
        _ if !quantity.is_zero() => Some(traded),
        Some(_) => {
            fields.problem(name, "is none of a trade without shares: state its trade_type");
            None
        }
        None => {
            fields.problem(name, "must be there where qty is 0: nothing else shows what it was");
            None
        }
    };
    let is_for_money = found == Some(ActivityLabel::Transfer) && of_label == Some(traded);
    (of_label.unwrap_or(traded), is_for_money)
}

impl Trade {
    /// What the type doesn't have must not be there, and what it needs must.
    fn judge_fields(&mut self, problems: &mut Problems) {
        let name = self.trade_type.as_str();
        let (flow, is_move) = (self.trade_type.unit_flow(), self.trade_type.is_transfer());
        let sign = |of: Decimal| (!of.is_zero()).then_some(of.is_sign_negative());
        let expected = match flow {
            UnitFlow::In => Some(false),
            UnitFlow::Out => Some(true),
            UnitFlow::None => None,
        };
        if sign(self.quantity) != expected {
            let predicate = match flow {
                UnitFlow::In => format!("must be above 0 for a trade of type {name}"),
                UnitFlow::Out => format!("must be below 0 for a trade of type {name}"),
                UnitFlow::None => format!("must be 0 for a trade of type {name}"),
            };
            problems.field("qty", predicate);
        }
        if self.quantity.abs() > Decimal::from(QUANTITY_MAX) {
            problems.field("qty", format!("must be at most {QUANTITY_MAX}"));
        }
        let below: [(&str, bool); 3] = [
            ("price", self.price < Decimal::ZERO),
            ("fee", self.fee < 0),
            ("cost", self.cost.is_some_and(|cost| cost < 0)),
        ];
        for (field, _) in below.iter().filter(|(_, is_below)| *is_below) {
            problems.field(*field, "must not be below 0");
        }
        let has_fee = self.trade_type.is_priced() || self.trade_type.is_money();
        let has_cost = matches!(self.trade_type, TradeType::TransferIn | TradeType::Reinvestment);
        let foreign: [(&str, bool); 4] = [
            ("fee", self.fee != 0 && !has_fee),
            ("cost", self.cost.is_some() && !has_cost),
            ("counterpart_id", self.counterpart.is_some() && !is_move),
            ("lots", self.lots.is_some() && (!is_move || self.counterpart.is_some())),
        ];
        for (field, _) in foreign.iter().filter(|(_, is_foreign)| *is_foreign) {
            problems.field(*field, format!("is not for a trade of type {name}"));
        }
        if let Some(text) = &self.lots {
            let lots = stored_lots::read(text);
            let sum: Option<Decimal> = lots.as_ref().and_then(|lots| {
                lots.iter().try_fold(Decimal::ZERO, |sum, lot| sum.checked_add(lot.quantity))
            });
            if sum != Some(self.quantity.abs()) {
                problems.field("lots", "must be lots of as many shares as move");
            }
            self.lots = lots.and_then(|lots| stored_lots::write(&lots).ok());
        }
    }

    /// The money must be that of the type, and what shares, price and fee come to.
    fn judge_money(&mut self, states_fee: bool, problems: &mut Problems) {
        if !problems.is_empty() {
            return;
        }
        let (amount, name) = (self.facts.amount, self.trade_type.as_str());
        let refused = match self.trade_type {
            TradeType::Buy | TradeType::Sell => return self.judge_price(states_fee, problems),
            TradeType::Dividend | TradeType::Interest => (amount > self.fee)
                .then(|| format!("is money out, which a trade of type {name} doesn't have")),
            TradeType::Fee => {
                (amount < self.fee).then(|| format!("must be money out for a trade of type {name}"))
            }
            TradeType::Split
            | TradeType::Reinvestment
            | TradeType::TransferIn
            | TradeType::TransferOut => (amount != 0)
                .then(|| format!("must be 0 for a trade of type {name}, which moves no money")),
        };
        if let Some(predicate) = refused {
            return problems.field("amount", predicate);
        }
        let scale = self.facts.currency.scale();
        let value = self.effect().map(|effect| effect.value);
        let Some(value) = value.filter(|value| within_limits(*value, scale)) else {
            return problems.field("price", "comes to more than an amount may be");
        };
        if self.trade_type == TradeType::Reinvestment && self.cost.is_none() {
            // The fee was part of the income.
            self.cost = value.checked_add(self.fee);
        }
    }

    fn judge_price(&mut self, states_fee: bool, problems: &mut Problems) {
        let (amount, currency) = (self.facts.amount, self.facts.currency);
        let shown = |amount: i64| amount_text(amount, currency);
        let is_sale = self.trade_type == TradeType::Sell;
        // What the shares themselves come to by the amount: positive for a purchase.
        let shares =
            amount.checked_sub(self.fee).filter(|shares| *shares == 0 || (*shares < 0) == is_sale);
        let Some(shares) = shares else {
            let name = self.trade_type.as_str();
            let way = if is_sale { "money in, below 0," } else { "money out, above 0," };
            let predicate = format!("must be {way} for a trade of type {name}, but for its fee");
            return problems.field("amount", predicate);
        };
        let worth = value_of(self.quantity, self.price, currency.scale());
        if worth == Some(shares) {
            return;
        }
        let costs = worth.filter(|_| !states_fee).and_then(|worth| self.costs_beside(worth));
        let is_clear = costs.is_some_and(|costs| costs >= hundredths(COSTS_HUNDREDTHS, currency));
        if !(is_clear && self.is_exact_product()) && self.take_price_of(shares) {
            return;
        }
        if let Some(costs) = costs {
            self.fee = costs;
            self.is_fee_inferred = true;
            return;
        }
        let (quantity, price) = (self.quantity.normalize(), self.price.normalize());
        let fee = if self.fee == 0 { String::new() } else { format!(" + {}", shown(self.fee)) };
        let stated = shown(amount);
        problems.field("amount", format!("is {stated}, which {quantity} × {price}{fee} is not"));
    }

    /// What the amount has beside the shares, if it is as little as costs are.
    fn costs_beside(&self, worth: i64) -> Option<i64> {
        let costs = self.facts.amount.checked_sub(worth).filter(|costs| *costs > 0)?;
        let of_shares = worth.unsigned_abs();
        let small = hundredths(100 * COSTS_UNITS, self.facts.currency).unsigned_abs();
        let most = (of_shares / COSTS_PARTS).max(small.min(of_shares / COSTS_PARTS_OF_SMALL));
        (costs.unsigned_abs() <= most).then_some(costs)
    }

    /// Whether quantity × price has no more decimals than people write of money.
    fn is_exact_product(&self) -> bool {
        let product = self.quantity.checked_mul(self.price);
        product.is_some_and(|product| product.normalize().scale() <= DECIMALS_OF_MONEY)
    }

    /// Takes the price that comes to what the shares cost, if the stated one is that one rounded.
    fn take_price_of(&mut self, shares: i64) -> bool {
        let currency = self.facts.currency;
        let is_rounded = || comes_to((self.quantity, self.price), shares, currency);
        if !self.price.is_zero() && !is_rounded() {
            return false;
        }
        let exact = of_decimal(self.quantity) * units(currency.scale());
        let price = to_decimal(&(whole(shares) / exact), PRICE_DECIMALS)
            .filter(|price| value_of(self.quantity, *price, currency.scale()) == Some(shares));
        self.price = price.unwrap_or(self.price);
        price.is_some()
    }

    /// What has to be named because the record doesn't state it.
    pub fn inferred(&self) -> Option<String> {
        let fee = amount_text(self.fee, self.facts.currency);
        let of_fee = self.is_fee_inferred.then(|| {
            format!("no fee is stated, and the amount has {fee} beside the shares: taken as a fee")
        });
        let name = self.trade_type.as_str();
        let of_transfer = self.is_transfer_for_money.then(|| {
            format!("a transfer of shares for which money moved: taken as a trade of type {name}")
        });
        let found: Vec<String> = of_fee.into_iter().chain(of_transfer).collect();
        (!found.is_empty()).then(|| found.join("; "))
    }

    /// Whether it has something beside its terms, that can only be written when all trades are
    /// there.
    pub fn has_belongings(&self) -> bool {
        self.counterpart.is_some() || self.lots.is_some() || self.recorded_at.is_some()
    }

    /// What the trade does; none if an amount leaves 64 bits.
    pub fn effect(&self) -> Option<Effect> {
        let (quantity, value) = match self.trade_type.unit_flow() {
            UnitFlow::None => (Decimal::ZERO, 0),
            UnitFlow::In | UnitFlow::Out => {
                let scale = self.facts.currency.scale();
                (self.quantity, value_of(self.quantity, self.price, scale)?)
            }
        };
        Some(Effect { quantity, cash: self.facts.amount, value, cost: self.cost })
    }
}

#[cfg(test)]
#[path = "trades_tests.rs"]
mod tests;
