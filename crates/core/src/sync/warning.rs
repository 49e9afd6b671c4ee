//! What is worth knowing about the answers for an account, although they were applied.

use crate::named::text_enum;

text_enum! {
    /// What was wrong with an answer.
    Warning {
        /// Some rows can't be read.
        RowsUnreadable = "rows_unreadable",
        /// The provider reports more rows than it gives.
        AnswerIncomplete = "answer_incomplete",
        /// The provider reports a problem, and may lack rows because of it.
        ProviderProblem = "provider_problem",
        /// The provider reports another number of rows than it has.
        NumberDiffers = "number_differs",
        /// The balance is in another currency than the account.
        BalanceCurrencyDiffers = "balance_currency_differs",
        /// The balance isn't an amount of the account's currency.
        BalanceUnreadable = "balance_unreadable",
        /// Some holdings can't be read, or are missing.
        HoldingsIncomplete = "holdings_incomplete",
        /// The provider reports a problem, and may lack holdings because of it.
        HoldingsDoubtful = "holdings_doubtful",
        /// The provider's sum of the holdings is another one.
        HoldingsTotalDiffers = "holdings_total_differs",
        /// The account has positions that the provider never reported.
        HoldingsNotReported = "holdings_not_reported",
        /// The provider hasn't noticed a trade yet.
        HoldingsLag = "holdings_lag",
        /// Price and value of a holding contradict each other.
        HoldingPriceUnclear = "holding_price_unclear",
        /// Whether a cost is that of one unit or of all isn't certain.
        CostUnclear = "cost_unclear",
        /// A cost is in another currency than the account.
        CostCurrencyDiffers = "cost_currency_differs",
    }
}

impl Warning {
    /// Whether something of the answer is missing or was not used.
    pub fn is_gap(self) -> bool {
        matches!(
            self,
            Self::RowsUnreadable
                | Self::AnswerIncomplete
                | Self::ProviderProblem
                | Self::BalanceCurrencyDiffers
                | Self::BalanceUnreadable
                | Self::HoldingsIncomplete
                | Self::HoldingsDoubtful
        )
    }

    /// One sentence for people: the cause, and what follows.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::RowsUnreadable => {
                "Some rows could not be read. They are asked for again for 90 days."
            }
            Self::AnswerIncomplete => {
                "The provider did not give all rows. The days are asked for again in the next sync."
            }
            Self::ProviderProblem => {
                "The provider reports a problem. The days are asked for again for 90 days."
            }
            Self::NumberDiffers => {
                "The provider reports more rows than it has. Asking in parts brought no others."
            }
            Self::BalanceCurrencyDiffers => {
                "The balance is in another currency than the account. It was not used."
            }
            Self::BalanceUnreadable => {
                "The balance is no amount of the account's currency. It was not used."
            }
            Self::HoldingsIncomplete => {
                "Some holdings are missing or could not be read. No position was changed."
            }
            Self::HoldingsDoubtful => {
                "The provider reports a problem. Positions of which something may be missing were \
                 left alone."
            }
            Self::HoldingsTotalDiffers => {
                "The provider's sum of the holdings is not that of the single ones. It was not used."
            }
            Self::HoldingsNotReported => {
                "The account has positions that the provider never reported. They were left alone."
            }
            Self::HoldingsLag => {
                "The provider has not noticed the newest trades yet. Their positions were left alone."
            }
            Self::HoldingPriceUnclear => {
                "Price and value of a holding contradict each other. Neither was used."
            }
            Self::CostUnclear => {
                "Whether the cost of a holding is that of one unit or of all is not certain. It was \
                 not used."
            }
            Self::CostCurrencyDiffers => {
                "The cost of a holding is in another currency than the account. It was not used."
            }
        }
    }
}
