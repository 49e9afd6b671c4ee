//! What two trades are compared by, besides account, day, money and currency.
//!
//! It is a text that people can read, because tombstones keep it as the name of what was deleted.
//! The name that a trade was given is no part of it.

use rust_decimal::Decimal;

use crate::ledger::new_trade::Split;
use crate::ledger::security::Listing;
use crate::ledger::trade::TradeType;

/// The parts of a trade that make it what it is.
#[derive(Debug, Clone, Copy)]
pub struct TradeContent<'a> {
    /// The type of the trade.
    pub trade_type: TradeType,
    /// What the security is traded as.
    pub listing: &'a Listing,
    /// The number of shares; its sign follows from the type.
    pub quantity: Decimal,
    /// The price of one share; zero if there is none.
    pub price: Decimal,
    /// The fee in units of the currency's scale.
    pub fee: i64,
    /// The ratio of a share split.
    pub split: Option<Split>,
}

impl TradeContent<'_> {
    /// The text: equal ones are of equal trades.
    pub fn text(&self) -> String {
        let Listing { ticker, exchange_operating_mic: mic } = self.listing;
        let quantity = self.quantity.abs().normalize();
        let mut text = match quantity.is_zero() {
            true => format!("{} {ticker}", self.trade_type.as_str()),
            false => format!("{} {quantity} {ticker}", self.trade_type.as_str()),
        };
        if !mic.is_empty() {
            text = format!("{text} on {mic}");
        }
        if !self.price.is_zero() {
            text = format!("{text} at {}", self.price.normalize());
        }
        if self.fee != 0 {
            text = format!("{text}, fee {}", self.fee);
        }
        match self.split {
            Some(Split { to, from }) => format!("{text} {to}:{from}"),
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_differs_in_two_trades_differs_in_their_texts() {
        let listing = |ticker: &str, mic: &str| Listing {
            ticker: ticker.to_owned(),
            exchange_operating_mic: mic.to_owned(),
        };
        let (vti, arca) = (listing("VTI", ""), listing("VTI", "ARCX"));
        let trade = TradeContent {
            trade_type: TradeType::Buy,
            listing: &vti,
            quantity: "10.50".parse().unwrap(),
            price: "151.2500".parse().unwrap(),
            fee: 10_000,
            split: None,
        };
        assert_eq!(trade.text(), "buy 10.5 VTI at 151.25, fee 10000");
        let equal = TradeContent { quantity: "-10.5".parse().unwrap(), ..trade };
        assert_eq!(equal.text(), trade.text());
        let split = Some(Split { to: 4, from: 1 });
        for other in [
            TradeContent { trade_type: TradeType::Reinvestment, ..trade },
            TradeContent { listing: &arca, ..trade },
            TradeContent { quantity: "10.51".parse().unwrap(), ..trade },
            TradeContent { price: "151.26".parse().unwrap(), ..trade },
            TradeContent { fee: 0, ..trade },
            TradeContent { split, ..trade },
        ] {
            assert_ne!(other.text(), trade.text());
        }
    }
}
