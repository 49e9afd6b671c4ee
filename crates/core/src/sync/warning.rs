//! What is worth knowing about the answers for an account, although they were applied.

use crate::named::text_enum;

text_enum! {
    /// What was wrong with an answer.
    Warning {
        /// Some rows can't be read.
        RowsUnreadable = "rows_unreadable",
        /// The provider reports more rows than it gives.
        AnswerIncomplete = "answer_incomplete",
        /// The balance is in another currency than the account.
        BalanceCurrencyDiffers = "balance_currency_differs",
        /// The balance isn't an amount of the account's currency.
        BalanceUnreadable = "balance_unreadable",
    }
}

impl Warning {
    /// One sentence for people: the cause, and what follows.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::RowsUnreadable => {
                "Some rows could not be read. They are asked for again in the next sync."
            }
            Self::AnswerIncomplete => {
                "The provider did not give all rows. The days are asked for again in the next sync."
            }
            Self::BalanceCurrencyDiffers => {
                "The balance is in another currency than the account. It was not used."
            }
            Self::BalanceUnreadable => {
                "The balance is no amount of the account's currency. It was not used."
            }
        }
    }
}
