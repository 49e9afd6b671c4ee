//! Whether a transaction is money in or money out.

use crate::named::Named;

/// The direction of the money of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// Money in: a negative amount.
    Income,
    /// Money out: a positive amount. Amounts of zero count as expenses.
    Expense,
}

impl Named for Nature {
    const ALL: &'static [Self] = &[Self::Income, Self::Expense];

    fn name(self) -> &'static str {
        match self {
            Self::Income => "income",
            Self::Expense => "expense",
        }
    }

    /// The nature that a text names, in any case; `inflow` and `outflow` are aliases.
    fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "income" | "inflow" => Some(Self::Income),
            "expense" | "outflow" => Some(Self::Expense),
            _ => None,
        }
    }
}

impl Nature {
    /// The nature of a transaction with this amount.
    pub fn of(amount: i64) -> Self {
        if amount < 0 { Self::Income } else { Self::Expense }
    }

    /// The nature of the other side of a transfer.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Income => Self::Expense,
            Self::Expense => Self::Income,
        }
    }

    /// The amount in this direction. Amounts are far from the ends of 64 bits.
    pub fn direct(self, amount: i64) -> i64 {
        let size = amount.saturating_abs();
        if self == Self::Income { -size } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natures_have_aliases() {
        for (text, nature) in [
            ("income", Some(Nature::Income)),
            ("Inflow", Some(Nature::Income)),
            ("EXPENSE", Some(Nature::Expense)),
            ("outflow", Some(Nature::Expense)),
            ("gift", None),
        ] {
            assert_eq!(Nature::named(text), nature, "{text}");
        }
    }

    #[test]
    fn a_nature_is_the_sign_of_an_amount() {
        for (amount, nature) in [(-1, Nature::Income), (0, Nature::Expense), (1, Nature::Expense)] {
            assert_eq!(Nature::of(amount), nature);
            assert_eq!(nature.direct(amount), amount);
            assert_eq!(nature.direct(-amount), amount);
            assert_eq!(nature.opposite().opposite(), nature);
        }
    }
}
