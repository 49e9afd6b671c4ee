//! How good a rate is for a day: the one order by which rates are compared.

use std::cmp::Reverse;

use jiff::civil::Date;

use super::{Leg, Rate, Source};
use crate::money::Currency;

/// When a rate was stated, as seen from the day that it is for; better ones are smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timing {
    /// On the very day.
    Exact,
    /// Before it; the nearest is the latest.
    Earlier(Reverse<Date>),
    /// After it; the nearest is the first.
    Later(Date),
}

impl Timing {
    pub(super) fn of(stated: Date, day: Date) -> Self {
        match stated.cmp(&day) {
            std::cmp::Ordering::Equal => Self::Exact,
            std::cmp::Ordering::Less => Self::Earlier(Reverse(stated)),
            std::cmp::Ordering::Greater => Self::Later(stated),
        }
    }
}

/// The rank of a rate; better ones are smaller. Two legs are as good as the worse of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    not_given: bool,
    timing: Timing,
    legs: usize,
    better_timing: Timing,
    inverted: usize,
    from_feed: usize,
    /// Decides between third currencies that are otherwise equal.
    through: Option<Currency>,
}

impl Rank {
    /// The rank of at least one leg, for a day.
    pub(super) fn of(legs: &[Leg], day: Date) -> Option<Self> {
        let timings = || legs.iter().map(|leg| Timing::of(leg.date, day));
        Some(Self {
            not_given: legs.iter().any(|leg| leg.source != Source::Given),
            timing: timings().max()?,
            legs: legs.len(),
            better_timing: timings().min()?,
            inverted: legs.iter().filter(|leg| leg.inverted).count(),
            from_feed: legs.iter().filter(|leg| !leg.source.is_own()).count(),
            through: legs.first().filter(|_| legs.len() > 1).map(|leg| leg.ends().1),
        })
    }
}

/// Whether a rate is to replace the one that a conversion of the day used. A rate that was given
/// with the entry is replaced by none that wasn't; one that was stated anew, with another number,
/// replaces the old one.
pub fn is_better(candidate: &Rate, used: Option<&Rate>, day: Date) -> bool {
    let Some(used) = used else { return true };
    match (Rank::of(candidate.legs(), day), Rank::of(used.legs(), day)) {
        (Some(better), Some(worse)) => better < worse || (better == worse && candidate != used),
        // An amount in its own currency needs no rate, so there is none that is better.
        _ => false,
    }
}
