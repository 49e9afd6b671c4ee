//! On which days conversions may be others after rates were stated, replaced or removed.
//!
//! A rate of a pair counts from its day until the next one of the pair is stated; the first of a
//! pair also for all days before. Nothing outside of these days can change. What is to be made
//! again is found by [`super::applying`] and made by `ledger::revaluation`.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::money::Currency;
use uuid::Uuid;

use super::applying;
use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// The family's days of a pair around a day.
    OWN_AROUND = "SELECT (SELECT MAX(date) FROM family_rates
            WHERE family_id = $1 AND base = $2 AND quote = $3 AND date < $4),
        (SELECT MIN(date) FROM family_rates
            WHERE family_id = $1 AND base = $2 AND quote = $3 AND date > $4)";
}

/// Days on which conversions from or to some currencies may be others now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Both ends of every pair of which something was stated.
    pub currencies: BTreeSet<Currency>,
    /// From this day on
    pub first: Date,
    /// The last day in reach.
    pub last: Date,
}

impl Reach {
    /// Adds a pair: the days from the first to the last change, as far as they count. `around` are
    /// the pair's days before the first and after the last.
    pub(super) fn add(
        reach: &mut Option<Self>,
        pair: [Currency; 2],
        changed: (Date, Date),
        around: (Option<Date>, Option<Date>),
    ) {
        let first = around.0.map_or(Date::MIN, |_| changed.0);
        let last = around.1.unwrap_or(Date::MAX);
        let whole = reach.get_or_insert_with(|| Self { currencies: BTreeSet::new(), first, last });
        whole.currencies.extend(pair);
        whole.first = whole.first.min(first);
        whole.last = whole.last.max(last);
    }

    /// The union of both.
    #[must_use]
    pub fn joined(mut self, other: Self) -> Self {
        self.currencies.extend(other.currencies);
        Self {
            currencies: self.currencies,
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

/// Brings the ledger up to date after rates of the family were stated, replaced or removed: of each
/// pair the first and the last day that changed, since between them everything may have. `subject`
/// is the subject of the audit event.
pub(crate) fn own_rates_changed(
    tx: &mut FamilyTx<'_>,
    subject: Uuid,
    pairs: &BTreeMap<(Currency, Currency), (Date, Date)>,
) -> Result<()> {
    let family = tx.family();
    let mut reach = None;
    for ((base, quote), days) in pairs {
        let mut around = |day| {
            let key = vals![family, base.code(), quote.code(), day];
            tx.query_one(&OWN_AROUND, key, |row| Ok((row.opt_date(0)?, row.opt_date(1)?)))
        };
        let around = (around(days.0)?.0, around(days.1)?.1);
        Reach::add(&mut reach, [*base, *quote], *days, around);
    }
    match reach {
        Some(reach) => applying::apply(tx, subject, &reach),
        None => Ok(()),
    }
}
