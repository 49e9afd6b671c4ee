//! Trades: what each type does to the number of shares, to money, and to the value that is held.
//!
//! A trade is an entry of one account and is about one security. Its quantity is positive if shares
//! come into the account and negative if they leave it. [`Terms`] computes the money from the
//! values that were sent; amounts are in the scale of the trade's currency, and the product of
//! quantity and price is rounded once, half away from zero. In an account of another currency the
//! value is [`converted_value`].

use rust_decimal::Decimal;

use crate::money::exact::{of_decimal, round, units, value_of};
use crate::money::noise::FLOAT_DIGITS;
use crate::named::Named;
use crate::named::text_enum;
use crate::rates::Rate;

text_enum! {
    /// What a trade is.
    TradeType {
        /// Shares are bought for money.
        Buy = "buy",
        /// Money for shares; more of them than there are opens a short position.
        Sell = "sell",
        /// Money that a share pays.
        Dividend = "dividend",
        /// Money that a bond or a balance pays.
        Interest = "interest",
        /// Money for nothing but the keeping.
        Fee = "fee",
        /// Every so many shares become so many.
        Split = "split",
        /// Income that became shares; no money moves.
        Reinvestment = "reinvestment",
        /// Shares that come from elsewhere.
        TransferIn = "transfer_in",
        /// Shares that go elsewhere.
        TransferOut = "transfer_out",
    }
}

text_enum! {
    /// The shares that a sale takes first, and their cost.
    CostMethod {
        /// What goes takes its share of the cost of all.
        Average = "average",
        /// The oldest go first.
        Fifo = "fifo",
        /// The newest go first.
        Lifo = "lifo",
    }
}

/// The direction in which a trade moves units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitFlow {
    /// Shares come into the account.
    In,
    /// Shares leave the account.
    Out,
    /// No shares move at all.
    None,
}

impl TradeType {
    /// The direction in which its units move.
    pub fn unit_flow(self) -> UnitFlow {
        match self {
            Self::Buy | Self::Reinvestment | Self::TransferIn => UnitFlow::In,
            Self::Sell | Self::TransferOut => UnitFlow::Out,
            Self::Dividend | Self::Interest | Self::Fee | Self::Split => UnitFlow::None,
        }
    }

    /// Whether shares are paid for, so that the trade has a price of its own.
    pub fn is_priced(self) -> bool {
        matches!(self, Self::Buy | Self::Sell | Self::Reinvestment)
    }

    /// Whether it is money alone, sent as one amount.
    pub fn is_money(self) -> bool {
        matches!(self, Self::Dividend | Self::Interest | Self::Fee)
    }

    /// Whether it is shares that come or go without money.
    pub fn is_transfer(self) -> bool {
        matches!(self, Self::TransferIn | Self::TransferOut)
    }

    /// Whether the number of shares depends on it.
    pub fn moves_shares(self) -> bool {
        !self.is_money()
    }

    /// The label that other programs have for it.
    pub fn activity_label(self) -> ActivityLabel {
        match self {
            Self::Buy => ActivityLabel::Buy,
            Self::Sell => ActivityLabel::Sell,
            Self::Dividend => ActivityLabel::Dividend,
            Self::Interest => ActivityLabel::Interest,
            Self::Fee => ActivityLabel::Fee,
            Self::Reinvestment => ActivityLabel::Reinvestment,
            Self::TransferIn | Self::TransferOut => ActivityLabel::Transfer,
            Self::Split => ActivityLabel::Other,
        }
    }
}

/// The label that other programs have for a type of trade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActivityLabel {
    /// A purchase of a security.
    Buy,
    /// A sale of a security.
    Sell,
    /// A dividend of a security.
    Dividend,
    /// Interest that is paid in cash.
    Interest,
    /// A fee that is paid in cash.
    Fee,
    /// Income that was reinvested.
    Reinvestment,
    /// Shares that came from elsewhere or went elsewhere.
    Transfer,
    /// Anything else, such as a split.
    Other,
    /// Money that a broker moved into a fund overnight; of no type here, like those that follow.
    SweepIn,
    /// Money that a broker moved out of a fund.
    SweepOut,
    /// Money that was paid in.
    Contribution,
    /// Money that was paid out.
    Withdrawal,
    /// A security that was exchanged for another.
    Exchange,
}

impl Named for ActivityLabel {
    const ALL: &'static [Self] = &[
        Self::Buy,
        Self::Sell,
        Self::Dividend,
        Self::Interest,
        Self::Fee,
        Self::Reinvestment,
        Self::Transfer,
        Self::Other,
        Self::SweepIn,
        Self::SweepOut,
        Self::Contribution,
        Self::Withdrawal,
        Self::Exchange,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Buy => "Buy",
            Self::Sell => "Sell",
            Self::Dividend => "Dividend",
            Self::Interest => "Interest",
            Self::Fee => "Fee",
            Self::Reinvestment => "Reinvestment",
            Self::Transfer => "Transfer",
            Self::Other => "Other",
            Self::SweepIn => "Sweep In",
            Self::SweepOut => "Sweep Out",
            Self::Contribution => "Contribution",
            Self::Withdrawal => "Withdrawal",
            Self::Exchange => "Exchange",
        }
    }

    /// The label that a text names, in any case.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|label| label.name().eq_ignore_ascii_case(name))
    }
}

/// What a trade is called that nobody named: `Buy 10 VTI`. The noise of floats in a quantity is not
/// part of it.
pub fn default_name(
    trade_type: TradeType,
    quantity: Decimal,
    split: Option<(u32, u32)>,
    ticker: &str,
) -> String {
    let word = match trade_type {
        TradeType::Buy => "Buy",
        TradeType::Sell => "Sell",
        TradeType::Dividend => "Dividend",
        TradeType::Interest => "Interest",
        TradeType::Fee => "Fee",
        TradeType::Split => "Split",
        TradeType::Reinvestment => "Reinvestment",
        TradeType::TransferIn => "Transfer in",
        TradeType::TransferOut => "Transfer out",
    };
    match (trade_type.unit_flow(), split) {
        (UnitFlow::None, None) => format!("{word} {ticker}"),
        (UnitFlow::None, Some((to, from))) => format!("{word} {to}:{from} {ticker}"),
        _ => {
            let shown = quantity.abs().round_sf(FLOAT_DIGITS).unwrap_or(quantity.abs());
            format!("{word} {} {ticker}", shown.normalize())
        }
    }
}

/// The money and the shares of a trade, without signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The type of the trade.
    pub trade_type: TradeType,
    /// How many shares, never negative.
    pub quantity: Decimal,
    /// The price of one share.
    pub price: Decimal,
    /// The fee, which is never negative.
    pub fee: i64,
    /// The whole amount of income or of a fee, before [`Terms::fee`].
    pub amount: i64,
}

/// What a trade does, in the scale of its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// Shares, with the sign of their way.
    pub quantity: Decimal,
    /// Money, positive when it goes out.
    pub cash: i64,
    /// Quantity times price, positive when it comes into the holdings.
    pub value: i64,
    /// The cost of shares that came without money; `None` if it follows from money or is unknown.
    pub cost: Option<i64>,
}

impl Terms {
    /// What the trade does; none if an amount leaves 64 bits.
    pub fn effect(&self, scale: u32) -> Option<Effect> {
        let value = value_of(self.quantity, self.price, scale)?;
        let (quantity, value) = match self.trade_type.unit_flow() {
            UnitFlow::In => (self.quantity, value),
            UnitFlow::Out => (-self.quantity, -value),
            UnitFlow::None => (Decimal::ZERO, 0),
        };
        let cash = match self.trade_type {
            TradeType::Buy | TradeType::Sell => value.checked_add(self.fee)?,
            TradeType::Dividend | TradeType::Interest => self.fee.checked_sub(self.amount)?,
            TradeType::Fee => self.amount.checked_add(self.fee)?,
            TradeType::Split
            | TradeType::Reinvestment
            | TradeType::TransferIn
            | TradeType::TransferOut => 0,
        };
        let cost = match self.trade_type {
            // The fee was part of the income.
            TradeType::Reinvestment => Some(value.checked_add(self.fee)?),
            _ => None,
        };
        Some(Effect { quantity, cash, value, cost })
    }
}

/// What shares are worth in another currency than that of their price: `quantity × price × rate` in
/// units of the other currency's scale, rounded once, half away from zero; none if 64 bits don't
/// hold it.
pub fn converted_value(quantity: Decimal, price: Decimal, rate: &Rate, scale: u32) -> Option<i64> {
    round(&(of_decimal(quantity) * of_decimal(price) * rate.fraction()? * units(scale)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_moves_shares_money_and_value_its_own_way() {
        use TradeType::*;
        let dec = |text: &str| -> Decimal { text.parse().unwrap() };
        for (trade_type, quantity, cash, value, cost) in [
            (Buy, "10", 10_000_500, 10_000_000, None),
            (Sell, "-10", -9_999_500, -10_000_000, None),
            (Dividend, "0", -249_500, 0, None),
            (Interest, "0", -249_500, 0, None),
            (Fee, "0", 250_500, 0, None),
            (Split, "0", 0, 0, None),
            (Reinvestment, "10", 0, 10_000_000, Some(10_000_500)),
            (TransferIn, "10", 0, 10_000_000, None),
            (TransferOut, "-10", 0, -10_000_000, None),
        ] {
            let terms = Terms {
                trade_type,
                quantity: dec("10"),
                price: dec("100"),
                fee: 500,
                amount: 250_000,
            };
            let effect = Effect { quantity: dec(quantity), cash, value, cost };
            assert_eq!(terms.effect(4), Some(effect), "{trade_type:?}");
        }
    }

    #[test]
    fn a_trade_without_a_name_is_named_after_its_type() {
        let name =
            |trade_type, split| default_name(trade_type, "-1.50".parse().unwrap(), split, "VTI");
        assert_eq!(name(TradeType::Sell, None), "Sell 1.5 VTI");
        assert_eq!(name(TradeType::Dividend, None), "Dividend VTI");
        let sum = "0.30000000000000004".parse().unwrap();
        assert_eq!(default_name(TradeType::Buy, sum, None, "VTI"), "Buy 0.3 VTI");
        assert_eq!(name(TradeType::Split, Some((3, 2))), "Split 3:2 VTI");
    }

    #[test]
    fn values_are_rounded_once_and_stay_in_range() {
        let terms = |quantity: &str, price: &str| Terms {
            trade_type: TradeType::Buy,
            quantity: quantity.parse().unwrap(),
            price: price.parse().unwrap(),
            fee: 0,
            amount: 0,
        };
        assert_eq!(terms("3", "0.00005").effect(4).unwrap().cash, 2);
        assert_eq!(terms("3", "0.000049").effect(4).unwrap().cash, 1);
        assert_eq!(terms("1000000000000", "1000000000000").effect(4), None);
        assert_eq!(Terms { fee: i64::MAX, ..terms("1", "1") }.effect(4), None);
    }

    #[test]
    fn a_value_in_another_currency_is_rounded_once() {
        use crate::money::Currency;
        let dec = |text: &str| -> Decimal { text.parse().unwrap() };
        let day = jiff::civil::date(2026, 1, 5);
        let rate = Rate::given(Currency::EUR, Currency::USD, day, dec("0.3")).unwrap();
        // 0.00015 EUR would be 0.0002 first, and then 0.0001 USD.
        for (quantity, price, value) in
            [("3", "0.00005", 0), ("10", "0.00005", 2), ("-10", "0.00005", -2), ("0", "5", 0)]
        {
            assert_eq!(converted_value(dec(quantity), dec(price), &rate, 4), Some(value));
        }
        assert_eq!(converted_value(dec("1000000000000"), dec("1000000000000"), &rate, 4), None);
    }
}
