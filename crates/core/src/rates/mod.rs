//! Exchange rates: which one counts on a day, and what an amount is worth by it.
//!
//! A [`Rate`] is made of one or two [`Leg`]s, each a rate that was stated for a day, used as it is
//! or inverted. So a converted amount can always show where it came from. Factors are exact
//! fractions; [`convert`] rounds once, at the end. A [`Book`] holds the stated rates and finds the
//! best one; without any there is no rate, and never 1:1 in its place. [`UsedRates`] collects the
//! rates that a report was made with.
//!
//! Ranks, best first: by time (the very day, the nearest earlier, the nearest later one), then
//! directly, as the inverse, through a third currency; then the family's own before the feed's.

mod book;
mod factor;
pub mod input;
mod rank;
#[cfg(test)]
mod tests;
mod used;

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::money::Currency;
use crate::money::exact::{self, Fraction};
use crate::named::text_enum;
pub use book::{Book, Quote};
pub use factor::Factor;
pub use input::{RateInput, StatedRate, currency, positive_decimal};
pub use rank::is_better;
pub use used::{UsedRate, UsedRates};

text_enum! {
    /// Where a rate comes from.
    Source {
        /// It came with the entry that it converts: from a bank, or from a person.
        Given = "given",
        /// A person of the family entered it.
        Manual = "manual",
        /// A file of the family.
        File = "file",
        /// The feed of rates, which is the same for every family.
        Feed = "feed",
    }
}

impl Source {
    /// Whether the family itself stated it, by hand or in a file.
    pub fn is_own(self) -> bool {
        self != Self::Feed
    }
}

/// A stated rate as a conversion uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Leg {
    /// The currency of which one unit is valued.
    pub base: Currency,
    /// The currency of the rate.
    pub quote: Currency,
    /// The day of the rate.
    pub date: Date,
    /// The worth of one unit of `base`, in units of `quote`; always positive.
    #[serde(with = "decimal_text")]
    pub rate: Decimal,
    /// The source of the rate.
    pub source: Source,
    /// Whether the rate is inverted, so that it leads from the quote to the base.
    pub inverted: bool,
}

impl Leg {
    /// The currency that is converted, and the one that it is converted into.
    pub fn ends(&self) -> (Currency, Currency) {
        if self.inverted { (self.quote, self.base) } else { (self.base, self.quote) }
    }
}

/// The worth of one unit of a currency in another, and the sources of that: the product of its
/// legs. As JSON it is the list of its legs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rate {
    legs: Vec<Leg>,
}

impl Rate {
    /// The rate of a currency in itself: one, without any leg.
    pub fn one() -> Self {
        Self { legs: Vec::new() }
    }

    /// A rate that came with an entry; `None` unless it is positive.
    pub fn given(from: Currency, to: Currency, date: Date, rate: Decimal) -> Option<Self> {
        let leg = Leg { base: from, quote: to, date, rate, source: Source::Given, inverted: false };
        (rate > Decimal::ZERO).then(|| Self { legs: vec![leg] })
    }

    /// What it is made of, in the order in which an amount passes through.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// From which currency it leads to which; none for a currency in itself, which has no leg.
    pub fn ends(&self) -> Option<(Currency, Currency)> {
        let (first, last) = (self.legs.first()?, self.legs.last()?);
        Some((first.ends().0, last.ends().1))
    }

    /// The exact number; none if a leg is zero, which no rate of a [`Book`] is.
    pub fn fraction(&self) -> Option<Fraction> {
        self.legs.iter().try_fold(exact::whole(1), |product, leg| {
            let rate = (!leg.rate.is_zero()).then(|| exact::of_decimal(leg.rate))?;
            Some(if leg.inverted { product / rate } else { product * rate })
        })
    }

    /// The number with at most so many decimals, to be shown.
    pub fn decimal(&self, decimals: u32) -> Option<Decimal> {
        exact::to_decimal(&self.fraction()?, decimals)
    }
}

/// What an amount in the scale of `from` is worth in the scale of `to`, rounded once, half away
/// from zero; none if 64 bits don't hold it.
pub fn convert(amount: i64, from: Currency, to: Currency, rate: &Rate) -> Option<i64> {
    let converted = Factor::of(rate)?.apply(i128::from(amount), from.scale(), to.scale())?;
    i64::try_from(converted).ok()
}

/// Rates in JSON are texts: a number would go through a float somewhere.
mod decimal_text {
    use rust_decimal::Decimal;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        value: &Decimal,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&value.normalize())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Decimal, D::Error> {
        let text = String::deserialize(deserializer)?;
        Decimal::from_str_exact(&text).map_err(de::Error::custom)
    }
}
