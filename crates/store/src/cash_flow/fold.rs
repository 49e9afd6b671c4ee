//! Adding up entry after entry, and converting what is in other currencies.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::CategoryId;
use purser_core::limits::{REPORT_LINES_MAX, REPORT_RATES_MAX};
use purser_core::money::{Currency, sum};
use purser_core::months::month_of;
use purser_core::rates::{Factor, Rate, UsedRates};
use uuid::Uuid;

use super::{CashFlow, CashFlowFilter, Flow, Line, Missing};
use crate::access::FamilyTx;
use crate::rates;
use crate::reports::require_at_most;

/// Sums; 128 bits, because single amounts may fill 64.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    income: i128,
    expense: i128,
    entries: u64,
}

impl Sums {
    /// Whether no rate is needed to know its worth.
    fn is_nothing(&self) -> bool {
        self.income == 0 && self.expense == 0
    }

    fn add(&mut self, amount: i64, entries: u64) {
        let amount = i128::from(amount);
        if amount < 0 {
            self.income -= amount;
        } else {
            self.expense += amount;
        }
        self.entries += entries;
    }
}

/// The rate of a currency on a day, as it is used for one category after the other.
struct CachedRate {
    of: (Currency, Date),
    factor: Option<Factor>,
    /// The rate, until an amount has been converted with it: then the report lists it.
    unlisted: Option<Rate>,
}

impl CachedRate {
    fn new(of: (Currency, Date), rate: Option<Rate>) -> Self {
        Self { of, factor: rate.as_ref().and_then(Factor::of), unlisted: rate }
    }

    /// Income and expense by the rate; none without one, or if 128 bits don't hold them.
    fn convert(&self, sums: Sums, scale: u32, to_scale: u32) -> Option<(i128, i128)> {
        let worth = |units| self.factor.as_ref()?.apply(units, scale, to_scale);
        Some((worth(sums.income)?, worth(sums.expense)?))
    }
}

/// The sums so far.
pub(super) struct Fold {
    currency: Currency,
    month_start_day: i8,
    days: (Date, Date),
    /// Entries come by day: the month of the last one.
    month: (Date, Date),
    own: HashMap<(Date, Option<Uuid>), Sums>,
    /// The sums of amounts in other currencies, by day.
    foreign: BTreeMap<(Currency, Date, Option<Uuid>), Sums>,
    missing: BTreeMap<(Currency, Currency), Missing>,
    used: UsedRates,
}

impl Fold {
    pub(super) fn new(filter: &CashFlowFilter<'_>) -> Self {
        let month = month_of(filter.first, filter.month_start_day);
        Self {
            currency: filter.currency,
            month_start_day: filter.month_start_day,
            days: (filter.first, filter.last),
            month: (filter.first, month),
            own: HashMap::new(),
            foreign: BTreeMap::new(),
            missing: BTreeMap::new(),
            used: UsedRates::default(),
        }
    }

    pub(super) fn add(&mut self, flow: &Flow) {
        if flow.currency == self.currency {
            let month = self.month(flow.date);
            self.own.entry((month, flow.category)).or_default().add(flow.amount, flow.entries);
        } else {
            let key = (flow.currency, flow.date, flow.category);
            self.foreign.entry(key).or_default().add(flow.amount, flow.entries);
        }
    }

    /// Notes entries that can't be counted.
    fn miss(&mut self, from: Currency, to: Currency, date: Date, entries: u64) {
        let new = Missing { from, to, first: date, last: date, entries: 0 };
        let missing = self.missing.entry((from, to)).or_insert(new);
        missing.first = missing.first.min(date);
        missing.last = missing.last.max(date);
        missing.entries += entries;
    }

    fn month(&mut self, date: Date) -> Date {
        if self.month.0 != date {
            self.month = (date, month_of(date, self.month_start_day));
        }
        self.month.1
    }

    /// Converts what is in other currencies, and lists the sums.
    pub(super) fn finish(mut self, tx: &mut FamilyTx<'_>) -> Result<CashFlow> {
        self.convert(tx)?;
        let mut lines = self
            .own
            .into_iter()
            .map(|((month, category), sums)| {
                let category = category.map(CategoryId);
                Line { month, category, income: sums.income, expense: sums.expense }
            })
            .collect::<Vec<_>>();
        require_at_most(REPORT_LINES_MAX, lines.len(), "months and categories")?;
        require_at_most(REPORT_RATES_MAX, self.used.count(), "exchange rates")?;
        lines.sort_by_key(|line| (line.month, line.category));
        let missing = self.missing.into_values().collect();
        Ok(CashFlow { currency: self.currency, lines, missing, rates: self.used.into_list() })
    }

    fn convert(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let foreign = std::mem::take(&mut self.foreign);
        let mut currencies: Vec<Currency> = foreign.keys().map(|(from, ..)| *from).collect();
        currencies.dedup();
        if currencies.is_empty() {
            return Ok(());
        }
        currencies.push(self.currency);
        let book = rates::book(tx, &currencies, self.days.0, self.days.1)?;
        // Nothing is negative, so whatever is added up of the lines is within the sum of all.
        let mut all: i128 = self.own.values().map(|sums| sums.income + sums.expense).sum();
        let mut known: Option<CachedRate> = None;
        for ((from, date, category), sums) in foreign {
            if sums.is_nothing() {
                let month = self.month(date);
                self.own.entry((month, category)).or_default();
                continue;
            }
            let of_day = known.take().filter(|known| known.of == (from, date));
            let of_day = of_day.unwrap_or_else(|| {
                CachedRate::new((from, date), book.find(from, self.currency, date))
            });
            let of_day = known.insert(of_day);
            let converted = of_day.convert(sums, from.scale(), self.currency.scale());
            let counted = converted.and_then(|(income, expense)| {
                Some((income, expense, sum::add(sum::add(all, income)?, expense)?))
            });
            let Some((income, expense, with_both)) = counted else {
                self.miss(from, self.currency, date, sums.entries);
                continue;
            };
            all = with_both;
            self.used.extend(of_day.unlisted.take().map(|rate| (date, rate)));
            let month = self.month(date);
            let own = self.own.entry((month, category)).or_default();
            own.income += income;
            own.expense += expense;
        }
        Ok(())
    }
}
