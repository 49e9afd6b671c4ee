//! A sorted book of stated rates, and the search for the best one.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use rust_decimal::Decimal;

use super::rank::{Rank, Timing};
use super::{Leg, Rate, Source};
use crate::money::Currency;

/// A stated rate: on a day, one unit of the base was worth `rate` units of the quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quote {
    /// The currency of which one unit is valued.
    pub base: Currency,
    /// The currency of the rate.
    pub quote: Currency,
    /// The day of the rate.
    pub date: Date,
    /// The worth of one unit of `base`, in units of `quote`.
    pub rate: Decimal,
    /// The source of the rate.
    pub source: Source,
}

/// Stated rates by pair and day. It need not hold everything that was ever stated: to be right for
/// a span of days it needs each pair's rates of those days, the last before and the first after.
#[derive(Debug, Clone, Default)]
pub struct Book {
    pairs: BTreeMap<(Currency, Currency), Vec<Quote>>,
    neighbours: BTreeMap<Currency, BTreeSet<Currency>>,
}

impl Book {
    /// Sorts what was stated. Of one pair and day the family's own word is kept; what is not
    /// positive, or of a currency in itself, is no rate.
    pub fn new(quotes: impl IntoIterator<Item = Quote>) -> Self {
        let mut book = Self::default();
        for quote in quotes {
            if quote.rate > Decimal::ZERO && quote.base != quote.quote {
                book.pairs.entry((quote.base, quote.quote)).or_default().push(quote);
                book.neighbours.entry(quote.base).or_default().insert(quote.quote);
                book.neighbours.entry(quote.quote).or_default().insert(quote.base);
            }
        }
        for series in book.pairs.values_mut() {
            series.sort_by_key(|quote| (quote.date, quote.source, quote.rate));
            series.dedup_by_key(|quote| quote.date);
        }
        book
    }

    /// Whether nothing was stated.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The best rate from one currency to another on a day; none if nothing leads from the one to
    /// the other, not even through a third.
    pub fn find(&self, from: Currency, to: Currency, day: Date) -> Option<Rate> {
        if from == to {
            return Some(Rate::one());
        }
        let between = self.leg(from, to, day);
        // What was stated for the very day can't be beaten by two legs.
        if let Some(leg) = between.filter(|leg| leg.date == day) {
            return Some(Rate { legs: vec![leg] });
        }
        let mut best = between.and_then(|leg| Some((Rank::of(&[leg], day)?, vec![leg])));
        for third in self.thirds(from, to) {
            if let (Some(first), Some(second)) =
                (self.leg(from, third, day), self.leg(third, to, day))
                && let Some(rank) = Rank::of(&[first, second], day)
                && best.as_ref().is_none_or(|(found, _)| rank < *found)
            {
                best = Some((rank, vec![first, second]));
            }
        }
        best.map(|(_, legs)| Rate { legs })
    }

    /// Currencies that both sides have rates with.
    fn thirds(&self, from: Currency, to: Currency) -> impl Iterator<Item = Currency> {
        let ends = self.neighbours.get(&from).zip(self.neighbours.get(&to));
        ends.into_iter().flat_map(|(of_from, of_to)| of_from.intersection(of_to)).copied()
    }

    /// The best leg between two currencies, directly or the other way round.
    fn leg(&self, from: Currency, to: Currency, day: Date) -> Option<Leg> {
        let direct = self.nearest(from, to, day, false);
        let inverse = self.nearest(to, from, day, true);
        let key = |leg: &Leg| (Timing::of(leg.date, day), leg.inverted);
        direct.into_iter().chain(inverse).min_by_key(key)
    }

    /// The stated rates of a pair next to a day: of the day itself, the last before it, the first
    /// after it.
    fn nearest(&self, base: Currency, quote: Currency, day: Date, inverted: bool) -> Option<Leg> {
        let series = self.pairs.get(&(base, quote))?;
        let after = series.partition_point(|stated| stated.date <= day);
        let stated = after.checked_sub(1).map_or_else(|| series.first(), |at| series.get(at))?;
        Some(Leg {
            base,
            quote,
            date: stated.date,
            rate: stated.rate,
            source: stated.source,
            inverted,
        })
    }
}
