//! Money that moves in an account for trades and belongs to no security.
//!
//! Clients write it as a trade; what becomes of it is a transaction.

use super::nature::Nature;
use super::trade::TradeType;
use crate::named::Named;

/// What moves the money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CashMove {
    /// Money comes in from elsewhere.
    Deposit,
    /// Money leaves the account to somewhere else.
    Withdrawal,
    /// Interest on the account's cash.
    Interest,
    /// What the account itself costs.
    Fee,
}

impl CashMove {
    /// The direction of the money.
    pub fn nature(self) -> Nature {
        match self {
            Self::Deposit | Self::Interest => Nature::Income,
            Self::Withdrawal | Self::Fee => Nature::Expense,
        }
    }

    /// Whether the money may come from another account of the family, or go there.
    pub fn may_be_transfer(self) -> bool {
        matches!(self, Self::Deposit | Self::Withdrawal)
    }

    /// The name of a transaction that was sent without one.
    pub fn default_name(self) -> &'static str {
        match self {
            Self::Deposit => "Deposit",
            Self::Withdrawal => "Withdrawal",
            Self::Interest => "Interest",
            Self::Fee => "Fee",
        }
    }
}

/// The type of a new trade as clients send it: that of a trade in a security, or of a movement of
/// money alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewTradeType {
    /// A type of trades in securities. Without a security, interest and fees are money alone.
    Trade(TradeType),
    /// Money comes in from elsewhere.
    Deposit,
    /// Money leaves the account to somewhere else.
    Withdrawal,
}

impl NewTradeType {
    /// The movement of money alone that the type stands for, if it does.
    pub fn cash_move(self, has_security: bool) -> Option<CashMove> {
        match self {
            Self::Deposit => Some(CashMove::Deposit),
            Self::Withdrawal => Some(CashMove::Withdrawal),
            Self::Trade(TradeType::Interest) if !has_security => Some(CashMove::Interest),
            Self::Trade(TradeType::Fee) if !has_security => Some(CashMove::Fee),
            Self::Trade(_) => None,
        }
    }
}

impl Named for NewTradeType {
    const ALL: &'static [Self] = &[
        Self::Trade(TradeType::Buy),
        Self::Trade(TradeType::Sell),
        Self::Trade(TradeType::Dividend),
        Self::Trade(TradeType::Interest),
        Self::Trade(TradeType::Fee),
        Self::Trade(TradeType::Split),
        Self::Trade(TradeType::Reinvestment),
        Self::Trade(TradeType::TransferIn),
        Self::Trade(TradeType::TransferOut),
        Self::Deposit,
        Self::Withdrawal,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Trade(trade_type) => trade_type.as_str(),
            Self::Deposit => "deposit",
            Self::Withdrawal => "withdrawal",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_security_is_a_trade() {
        let cash = |name, has_security| {
            NewTradeType::named(name).and_then(|one| one.cash_move(has_security))
        };
        assert_eq!(cash("deposit", true), Some(CashMove::Deposit));
        assert_eq!(cash("fee", false), Some(CashMove::Fee));
        for (text, has_security) in [("fee", true), ("interest", true), ("dividend", false)] {
            assert_eq!(cash(text, has_security), None);
        }
    }

    #[test]
    fn every_type_of_trades_can_be_sent() {
        let sent = |one: &TradeType| NewTradeType::ALL.contains(&NewTradeType::Trade(*one));
        assert!(TradeType::ALL.iter().all(sent));
    }
}
