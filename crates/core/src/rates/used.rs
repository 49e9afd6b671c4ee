//! Which rates a figure was made with: each once, with the days that it was used for.

use std::collections::HashMap;

use jiff::civil::Date;

use super::Rate;
use crate::money::Currency;

/// A rate, and the days of the amounts that were converted by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedRate {
    /// The currency of the amounts.
    pub from: Currency,
    /// The currency into which they were converted.
    pub to: Currency,
    /// The rate, with its legs and their sources.
    pub rate: Rate,
    /// The first day that it was used for.
    pub first: Date,
    /// The last day that it was used for.
    pub last: Date,
}

/// Collects rates as they are used. One that counts for many days is kept once, so a report keeps
/// as many as were stated, and not as many as it has days.
#[derive(Debug, Clone, Default)]
pub struct UsedRates(HashMap<Rate, (Date, Date)>);

impl UsedRates {
    /// An amount of the day was converted by the rate. A currency in itself isn't converted.
    pub fn note(&mut self, day: Date, rate: Rate) {
        if rate.legs().is_empty() {
            return;
        }
        let (first, last) = self.0.entry(rate).or_insert((day, day));
        (*first, *last) = ((*first).min(day), (*last).max(day));
    }

    /// The number of different rates.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// What was used, by the two currencies and then by day.
    pub fn into_list(self) -> Vec<UsedRate> {
        let used = self.0.into_iter().filter_map(|(rate, (first, last))| {
            let (from, to) = rate.ends()?;
            Some(UsedRate { from, to, rate, first, last })
        });
        let mut list: Vec<UsedRate> = used.collect();
        list.sort_by_key(|used| (used.from, used.to, used.first, used.last));
        list
    }
}

impl Extend<(Date, Rate)> for UsedRates {
    fn extend<T: IntoIterator<Item = (Date, Rate)>>(&mut self, used: T) {
        for (day, rate) in used {
            self.note(day, rate);
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use rust_decimal::Decimal;

    use super::*;
    use crate::rates::{Book, Quote, Source};

    fn currency(code: &str) -> Currency {
        Currency::parse(code).unwrap()
    }

    #[test]
    fn each_rate_is_listed_once_with_its_days() {
        let quote = |base: &str, quote: &str, day, rate: i64| Quote {
            base: currency(base),
            quote: currency(quote),
            date: date(2024, 5, day),
            rate: Decimal::new(rate, 2),
            source: Source::Manual,
        };
        let book = Book::new([
            quote("EUR", "USD", 2, 125),
            quote("EUR", "USD", 6, 160),
            quote("EUR", "GBP", 2, 80),
        ]);
        let mut used = UsedRates::default();
        // Not in order, and some days more than once: accounts are gone through one by one.
        for (from, to, days) in [
            ("USD", "EUR", [5, 3, 5]),
            ("GBP", "USD", [7, 6, 6]),
            ("EUR", "USD", [7, 6, 1]),
            ("EUR", "USD", [4, 1, 5]),
            ("EUR", "EUR", [1, 2, 3]),
        ] {
            let (from, to) = (currency(from), currency(to));
            used.extend(days.map(|day| {
                let day = date(2024, 5, day);
                (day, book.find(from, to, day).unwrap())
            }));
        }
        let shown = |used: &UsedRate| {
            let legs = used.rate.legs().iter().map(|leg| (leg.date.day(), leg.inverted));
            let number = used.rate.decimal(4).unwrap().to_string();
            let days = (used.first.day(), used.last.day());
            (used.from.code(), used.to.code(), number, days, legs.collect::<Vec<_>>())
        };
        let expected = [
            ("EUR", "USD", "1.25", (1, 5), vec![(2, false)]),
            ("EUR", "USD", "1.6", (6, 7), vec![(6, false)]),
            ("GBP", "USD", "2", (6, 7), vec![(2, true), (6, false)]),
            ("USD", "EUR", "0.8", (3, 5), vec![(2, true)]),
        ];
        let expected = expected
            .map(|(from, to, number, days, legs)| (from, to, number.to_owned(), days, legs));
        assert_eq!(used.into_list().iter().map(shown).collect::<Vec<_>>(), expected);
        assert_eq!(UsedRates::default().into_list(), []);
    }
}
