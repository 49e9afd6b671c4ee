//! Where the direction of amounts comes from, and what an unusual sign means.

use crate::named::text_enum;

text_enum! {
    /// How the direction of an amount is known.
    AmountStrategy {
        /// By the sign of the amount.
        SignedAmount = "signed_amount",
        /// By a value in another column.
        CustomColumn = "custom_column",
        /// By the column or the word, and a sign that is rarer for it turns it round.
        DirectionAndSign = "direction_and_sign",
        /// By the column or the word, and a minus turns it round.
        MinusIsReversal = "minus_is_reversal",
        /// By the column or the word, and an amount without a minus is turned round.
        PlainIsReversal = "plain_is_reversal",
        /// By the column or the word, whatever the sign.
        DirectionOnly = "direction_only",
    }
}

impl AmountStrategy {
    /// Whether known words for money in and out decide.
    pub fn is_of_words(self) -> bool {
        self.is_of_reversals() || self == Self::DirectionOnly
    }

    /// Whether an amount with an unusual sign is money that came back.
    pub fn is_of_reversals(self) -> bool {
        matches!(self, Self::DirectionAndSign | Self::MinusIsReversal | Self::PlainIsReversal)
    }
}
