//! Comparing amounts, exactly.

use std::cmp::Ordering;

use rust_decimal::Decimal;

use super::words::Operator;

/// How an amount is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// The amount is below the value.
    Less,
    /// The amount is below the value or equal to it.
    AtMost,
    /// The amount is equal to the value.
    Equal,
    /// The amount is not equal to the value.
    Unequal,
    /// The amount is equal to the value or above it.
    AtLeast,
    /// The amount is above the value.
    More,
}

impl Comparison {
    /// Every comparison, in the order of the documentation.
    pub const ALL: [Self; 6] =
        [Self::Less, Self::AtMost, Self::Equal, Self::Unequal, Self::AtLeast, Self::More];

    /// As it is written.
    pub fn operator(self) -> Operator {
        match self {
            Self::Less => Operator::Less,
            Self::AtMost => Operator::AtMost,
            Self::Equal => Operator::Is,
            Self::Unequal => Operator::IsNot,
            Self::AtLeast => Operator::AtLeast,
            Self::More => Operator::More,
        }
    }

    /// The comparison of a sign such as `<=`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.operator().as_str() == text)
    }

    fn admits(self, ordering: Ordering) -> bool {
        match self {
            Self::Less => ordering.is_lt(),
            Self::AtMost => ordering.is_le(),
            Self::Equal => ordering.is_eq(),
            Self::Unequal => ordering.is_ne(),
            Self::AtLeast => ordering.is_ge(),
            Self::More => ordering.is_gt(),
        }
    }
}

/// A condition on the size of an amount: its absolute value, in its own currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountTest {
    /// How the amount is compared.
    pub comparison: Comparison,
    /// With what; in whole units of whatever currency the transaction has.
    pub value: Decimal,
}

impl AmountTest {
    /// Whether an amount in its currency's scale meets it.
    pub(super) fn holds(self, amount: i64, scale: u32) -> bool {
        let size = Decimal::from_i128_with_scale(i128::from(amount).abs(), scale);
        self.comparison.admits(size.cmp(&self.value))
    }
}
