//! Money that moves in an account for trades and belongs to no security.
//!
//! Clients write it as a trade; what becomes of it is a transaction.

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
    /// From the type of a trade. Interest and fees of a security are trades.
    pub fn parse(text: &str, has_security: bool) -> Option<Self> {
        match text {
            "deposit" => Some(Self::Deposit),
            "withdrawal" => Some(Self::Withdrawal),
            "interest" if !has_security => Some(Self::Interest),
            "fee" if !has_security => Some(Self::Fee),
            _ => None,
        }
    }

    /// Whether the account has more money afterwards.
    pub fn comes_in(self) -> bool {
        matches!(self, Self::Deposit | Self::Interest)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_security_is_a_trade() {
        assert_eq!(CashMove::parse("deposit", true), Some(CashMove::Deposit));
        assert_eq!(CashMove::parse("fee", false), Some(CashMove::Fee));
        for (text, has_security) in [("fee", true), ("interest", true), ("dividend", false)] {
            assert_eq!(CashMove::parse(text, has_security), None);
        }
    }
}
