//! Which conversions follow from rates that were stated, replaced or removed.
//!
//! A rate of a pair counts from its day until the next one of the pair is stated; the first of a
//! pair also for all days before. Nothing outside of these days can change. What is to be made
//! again is made by `ledger::revaluation`, in the same transaction.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::money::Currency;
use purser_core::rates::{Rate, StatedRate};
use uuid::Uuid;

use super::book;
use crate::audit::Actor;
use crate::driver::{Tx, Val, statements, vals};
use crate::families::FamilyId;
use crate::ledger::revaluation::rates_changed;

statements! {
    /// The family's days of a pair around a day.
    OWN_AROUND = "SELECT (SELECT MAX(date) FROM family_rates
            WHERE family_id = $1 AND base = $2 AND quote = $3 AND date < $4),
        (SELECT MIN(date) FROM family_rates
            WHERE family_id = $1 AND base = $2 AND quote = $3 AND date > $4)";
    /// Conversions from a currency that were not given with their entries.
    CONVERSIONS_FROM = "SELECT entry_id, date, from_currency, to_currency, origin
        FROM entry_conversions
        WHERE family_id = $1 AND NOT given AND date >= $2 AND date <= $3
            AND from_currency = ANY($4)";
    /// The same, to a currency.
    CONVERSIONS_TO = "SELECT entry_id, date, from_currency, to_currency, origin
        FROM entry_conversions
        WHERE family_id = $1 AND NOT given AND date >= $2 AND date <= $3
            AND to_currency = ANY($4)";
}

/// Days on which conversions from or to some currencies may be others now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Both ends of every pair of which something was stated.
    pub currencies: BTreeSet<Currency>,
    /// From this day on
    pub first: Date,
    /// to this one.
    pub last: Date,
}

impl Reach {
    /// Of a pair: the days from the first to the last change, as far as they count. `around` are
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

    /// Both together.
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

/// Brings the ledger up to date after rates of the family were stated, replaced or removed.
/// `subject` is what the audit trail says that it was about.
pub(super) fn after_own(
    tx: &mut Tx<'_>,
    family: FamilyId,
    actor: Actor,
    subject: Uuid,
    changed: &[StatedRate],
) -> Result<()> {
    // Per pair the first and the last day that changed: between them everything may have.
    let mut pairs: BTreeMap<(Currency, Currency), (Date, Date)> = BTreeMap::new();
    for stated in changed {
        let days = pairs.entry((stated.base, stated.quote)).or_insert((stated.date, stated.date));
        *days = (days.0.min(stated.date), days.1.max(stated.date));
    }
    let mut reach = None;
    for ((base, quote), days) in pairs {
        let mut around = |day| {
            let key = vals![family, base.code(), quote.code(), day];
            tx.query_one(&OWN_AROUND, key, |row| Ok((row.opt_date(0)?, row.opt_date(1)?)))
        };
        let around = (around(days.0)?.0, around(days.1)?.1);
        Reach::add(&mut reach, [base, quote], days, around);
    }
    match reach {
        Some(reach) => rates_changed(tx, family, actor, subject, &reach),
        None => Ok(()),
    }
}

/// The entries whose conversions are to be made again.
pub(crate) fn outdated(tx: &mut Tx<'_>, family: FamilyId, reach: &Reach) -> Result<Vec<EntryId>> {
    let keys: Vec<Val<'_>> = reach.currencies.iter().map(|one| one.code().into()).collect();
    let mut made: BTreeMap<EntryId, (Date, Currency, Currency, Option<Rate>)> = BTreeMap::new();
    for sql in [&CONVERSIONS_FROM, &CONVERSIONS_TO] {
        tx.lookup(sql, vals![family, reach.first, reach.last], &keys, |row| {
            let rate = serde_json::from_str(row.text(4)?).map_err(Error::internal)?;
            made.insert(row.id(0)?, (row.date(1)?, row.currency(2)?, row.currency(3)?, rate));
            Ok(())
        })?;
    }
    let currencies: BTreeSet<Currency> =
        made.values().flat_map(|(_, from, to, _)| [*from, *to]).collect();
    let currencies: Vec<Currency> = currencies.into_iter().collect();
    let days = || made.values().map(|(date, ..)| *date);
    let (Some(first), Some(last)) = (days().min(), days().max()) else { return Ok(Vec::new()) };
    let book = book(tx, family, &currencies, first, last)?;
    let other = |(date, from, to, used): &(Date, Currency, Currency, Option<Rate>)| {
        book.find(*from, *to, *date) != *used
    };
    Ok(made.into_iter().filter(|(_, made)| other(made)).map(|(entry, _)| entry).collect())
}
