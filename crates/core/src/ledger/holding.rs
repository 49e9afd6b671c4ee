//! Holdings: how much of a security an account has, what it is worth and what it cost.

use rust_decimal::{Decimal, RoundingStrategy};

use super::account::text_enum;
use crate::money::Currency;

text_enum! {
    /// Who says what a holding cost. The order is the order of trust.
    CostBasisSource {
        /// The bank-data provider.
        Provider = "provider",
        /// Follows from the trades.
        Calculated = "calculated",
        /// A person.
        Manual = "manual",
    }
}

/// Decimals of an average cost as text; the total and the quantity themselves lose nothing.
const AVERAGE_DECIMALS: u32 = 8;

/// What a holding cost. Kept as a total and the quantity that it paid for, never as a quotient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// In the scale of the holding's currency.
    pub total: i64,
    /// Never zero.
    pub quantity: Decimal,
    /// Who says so.
    pub source: CostBasisSource,
    /// A locked cost is never replaced.
    pub locked: bool,
}

impl Cost {
    /// Cost of one share, rounded half away from zero to eight decimals for showing.
    pub fn average(&self, currency: Currency) -> Option<Decimal> {
        let total = Decimal::new(self.total, currency.scale());
        total.checked_div(self.quantity).map(|average| {
            average.round_dp_with_strategy(AVERAGE_DECIMALS, RoundingStrategy::MidpointAwayFromZero)
        })
    }

    /// The cost after somebody says another: a person beats the trades, the trades beat the
    /// provider, and a locked cost stays.
    pub fn updated(before: Option<Self>, said: Option<Self>) -> Option<Self> {
        match (before, said) {
            (Some(before), Some(said)) if before.locked || said.source < before.source => {
                Some(before)
            }
            (before, None) => before,
            (_, Some(said)) => Some(said),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(total: i64, source: CostBasisSource, locked: bool) -> Cost {
        Cost { total, quantity: Decimal::from(3), source, locked }
    }

    #[test]
    fn the_average_is_rounded_only_as_text() {
        let average = cost(1_000_000, CostBasisSource::Manual, false).average(Currency::USD);
        assert_eq!(average.unwrap().to_string(), "33.33333333");
        let average = cost(2_000_000, CostBasisSource::Manual, false).average(Currency::USD);
        assert_eq!(average.unwrap().to_string(), "66.66666667");
    }

    #[test]
    fn a_person_beats_trades_beat_the_provider_and_locked_stays() {
        use CostBasisSource::{Calculated, Manual, Provider};
        for (before, said, wins) in [
            (Provider, Calculated, true),
            (Calculated, Provider, false),
            (Calculated, Manual, true),
            (Manual, Calculated, false),
            (Manual, Manual, true),
        ] {
            let (old, new) = (cost(1, before, false), cost(2, said, false));
            let after = Cost::updated(Some(old), Some(new)).unwrap();
            assert_eq!(after.total == 2, wins, "{before:?} then {said:?}");
            let locked = Cost { locked: true, ..old };
            assert_eq!(Cost::updated(Some(locked), Some(new)), Some(locked));
        }
        let known = Some(cost(1, Provider, false));
        assert_eq!(Cost::updated(known, None), known);
        assert_eq!(Cost::updated(None, known), known);
    }
}
