//! The value of holdings: the price of a security on a day, and the value of a position by it.
//!
//! The price of a day is the last one stated on or before it, else the first one after it; of one
//! day the most trusted, of equally trusted ones that in the wanted currency. A value is quantity ×
//! price × rate, exact until it is rounded once, half away from zero, to the wanted currency's
//! scale. Where a price or a rate is missing the value is 0 and names what is missing.
//!
//! A price from the other side of a share split is one of other shares. So a split counts as a
//! price of its day, where nobody states one ([`Prices::with_splits`]).
//!
//! [`each_day`] walks days, quantities and prices side by side, for reports over years.

use std::collections::HashMap;

use jiff::civil::Date;
use rust_decimal::Decimal;

use crate::limits::DECIMAL_PLACES_MAX;
use crate::money::Currency;
use crate::money::exact::{self, Fraction};
use crate::named::text_enum;
use crate::rates::{Book, Factor, Rate};

mod splits;
#[cfg(test)]
#[path = "valuing_tests.rs"]
mod tests;

pub use splits::{SPREAD_DAYS, Split};

text_enum! {
    /// Who stated a price. The order is the order of trust, the most trusted first.
    PriceSource {
        /// A person stated it.
        Manual = "manual",
        /// It comes from a file.
        File = "file",
        /// A bank or broker, through a connection.
        Provider = "provider",
        /// The feed of prices.
        Feed = "feed",
        /// The price of a trade of the family, as a by-product.
        Trade = "trade",
        /// A split: the price before it, for what each share became.
        Split = "split",
    }
}

/// What one share was worth on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    /// The day of the price.
    pub date: Date,
    /// The currency of the price.
    pub currency: Currency,
    /// The price of one unit, which is positive.
    pub price: Decimal,
    /// The source of the price.
    pub source: PriceSource,
}

/// The prices of one security. They need not be all there are: for a span of days it takes those
/// of its days, the last day with prices before it and the first one after it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prices(Vec<Price>);

impl Prices {
    /// Sorts what was stated. What is not positive is no price.
    pub fn new(stated: impl IntoIterator<Item = Price>) -> Self {
        let mut prices: Vec<Price> =
            stated.into_iter().filter(|price| price.price > Decimal::ZERO).collect();
        // Of several equally trusted ones the lowest comes first, so that no value is too high.
        prices.sort_by_key(|price| (price.date, price.source, price.currency, price.price));
        Self(prices)
    }

    /// Adds prices that follow from splits, each of which several accounts may report: if every
    /// `from` shares became `to` on a day, each is worth that much less from this day on, and was
    /// worth that much more before.
    pub fn with_splits(mut self, reported: &[Split]) -> Self {
        if self.0.is_empty() || reported.is_empty() {
            return self;
        }
        let ratios = splits::by_day(reported);
        // Of the days before the first price the nearest is asked for; so they are walked back.
        for (date, ratio) in ratios.iter().rev() {
            let is_before_all = self.0.first().is_some_and(|price| price.date >= *date);
            if let (true, Ok(eve)) = (is_before_all, date.yesterday()) {
                self.carry(0, eve, ratio);
            }
        }
        for (date, ratio) in &ratios {
            let after = self.0.partition_point(|price| price.date < *date);
            if after > 0 {
                self.carry(after, *date, &ratio.recip());
            }
        }
        self
    }

    /// States the prices around a position once more, on another day and times a ratio.
    fn carry(&mut self, after: usize, day: Date, ratio: &Fraction) {
        let Some(date) = self.0.get(after.saturating_sub(1)).map(|price| price.date) else {
            return;
        };
        let of_day = || self.0.iter().filter(|price| price.date == date);
        let best = of_day().map(|price| price.source).min();
        let carried = of_day().filter(|price| Some(price.source) == best).filter_map(|price| {
            let carried = exact::of_decimal(price.price) * ratio;
            let carried = exact::to_decimal(&carried, DECIMAL_PLACES_MAX)?;
            Some(Price { date: day, price: carried, source: PriceSource::Split, ..*price })
        });
        let carried: Vec<Price> = carried.collect();
        self.0.extend(carried);
        self.0.sort_by_key(|price| (price.date, price.source, price.currency, price.price));
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The currencies that they are in; some of them several times.
    pub fn currencies(&self) -> impl Iterator<Item = Currency> + '_ {
        self.0.iter().map(|price| price.currency)
    }

    /// The price that counts on a day.
    pub fn on(&self, day: Date, wanted: Currency) -> Option<&Price> {
        let after = self.0.partition_point(|price| price.date <= day);
        self.around(after, wanted)
    }

    /// The best price of the last day before the position, else of the first day.
    fn around(&self, after: usize, wanted: Currency) -> Option<&Price> {
        let date = self.0.get(after.saturating_sub(1))?.date;
        let of_day = if after > 0 {
            let before = &self.0[..after];
            let count = before.iter().rev().take_while(|price| price.date == date).count();
            &before[after - count..]
        } else {
            let count = self.0.iter().take_while(|price| price.date == date).count();
            &self.0[..count]
        };
        of_day.iter().min_by_key(|price| (price.source, price.currency != wanted))
    }
}

/// Rates of a book, each looked up once, and kept for whoever asks which ones were used.
#[derive(Debug)]
pub struct Converter<'b> {
    book: &'b Book,
    found: HashMap<(Currency, Currency, Date), Option<(Factor, Rate)>>,
}

impl<'b> Converter<'b> {
    /// Nothing looked up yet.
    pub fn new(book: &'b Book) -> Self {
        Self { book, found: HashMap::new() }
    }

    /// What amounts of a currency are multiplied by on a day.
    fn factor(&mut self, from: Currency, to: Currency, day: Date) -> Option<&Factor> {
        let book = self.book;
        let look = || {
            let rate = book.find(from, to, day)?;
            Some((Factor::of(&rate)?, rate))
        };
        let found = self.found.entry((from, to, day)).or_insert_with(look);
        found.as_ref().map(|(factor, _)| factor)
    }

    /// An amount in another currency; none without a rate, or if 128 bits don't hold it. Nothing is
    /// worth nothing, whatever the rate.
    pub fn convert(
        &mut self,
        amount: i128,
        from: Currency,
        to: Currency,
        day: Date,
    ) -> Option<i128> {
        if from == to || amount == 0 {
            return Some(amount);
        }
        self.factor(from, to, day)?.apply(amount, from.scale(), to.scale())
    }

    /// The rates that were used, with the day of each, in order of days.
    pub fn into_used(self) -> Vec<(Date, Rate)> {
        let found = self.found.into_iter();
        let mut used: Vec<_> = found.filter_map(|(key, found)| Some((key, found?.1))).collect();
        used.sort_unstable_by_key(|((from, to, day), _)| (*day, *from, *to));
        used.into_iter().map(|((.., day), rate)| (day, rate)).collect()
    }
}

/// Why a value is not complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Missing {
    /// Nobody ever stated a price.
    Price,
    /// No rate leads from the price's currency to the wanted one.
    Rate {
        /// The currency of the price.
        from: Currency,
        /// The currency of the value.
        to: Currency,
    },
    /// The value is larger than 128 bits hold.
    Range,
}

/// What a position is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worth {
    /// In the scale of the wanted currency; 0 if something is missing. It may be more than one
    /// entry or balance holds.
    pub amount: i128,
    /// What is missing; none if the amount is complete.
    pub missing: Option<Missing>,
}

impl Worth {
    const NOTHING: Self = Self { amount: 0, missing: None };

    fn lacking(missing: Missing) -> Self {
        Self { amount: 0, missing: Some(missing) }
    }
}

/// A value, and what it was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value {
    /// What the position is worth.
    pub worth: Worth,
    /// The price that was taken.
    pub price: Option<Price>,
    /// The rate that was taken, if the price is in another currency.
    pub rate: Option<Rate>,
}

/// What a quantity is worth in a currency on a day, by which price and which rate.
pub fn value(quantity: Decimal, prices: &Prices, to: Currency, day: Date, book: &Book) -> Value {
    let price = prices.on(day, to).copied();
    let rate = price
        .filter(|price| price.currency != to)
        .and_then(|price| book.find(price.currency, to, day));
    let worth = worth(quantity, price.as_ref(), to, day, &mut Converter::new(book));
    Value { worth, price, rate }
}

/// What a quantity is worth by a price. Nothing is worth 0, whatever is missing.
pub fn worth(
    quantity: Decimal,
    price: Option<&Price>,
    to: Currency,
    day: Date,
    converter: &mut Converter<'_>,
) -> Worth {
    if quantity.is_zero() {
        return Worth::NOTHING;
    }
    let Some(price) = price else { return Worth::lacking(Missing::Price) };
    let amount = if price.currency == to {
        exact::worth_of(quantity, price.price, to.scale())
    } else {
        let Some(factor) = converter.factor(price.currency, to, day) else {
            return Worth::lacking(Missing::Rate { from: price.currency, to });
        };
        converted(quantity, price.price, factor, to)
    };
    match amount {
        Some(amount) => Worth { amount, missing: None },
        None => Worth::lacking(Missing::Range),
    }
}

/// Quantity × price × rate, rounded once.
fn converted(quantity: Decimal, price: Decimal, factor: &Factor, to: Currency) -> Option<i128> {
    match quantity.mantissa().checked_mul(price.mantissa()) {
        Some(product) => factor.apply(product, quantity.scale() + price.scale(), to.scale()),
        None => {
            let product = exact::of_decimal(quantity) * exact::of_decimal(price);
            exact::round_sum(&(product * factor.fraction() * exact::units(to.scale())))
        }
    }
}

/// A quantity that counts from a day on, and the prices of what it is a quantity of.
#[derive(Debug, Clone, Copy)]
pub struct Position<'p> {
    /// From the end of a day on so many, until the next; sorted by day, each day once.
    pub quantities: &'p [(Date, Decimal)],
    /// The prices of the security.
    pub prices: &'p Prices,
}

/// Visits what a position is worth on each day from `first` to `last`, beginning with the first
/// day on which something is held. Takes time by days, not by days times prices.
pub fn each_day(
    position: Position<'_>,
    to: Currency,
    (first, last): (Date, Date),
    converter: &mut Converter<'_>,
    mut visit: impl FnMut(Date, Worth),
) {
    let Position { quantities, prices } = position;
    let Some((begin, _)) = quantities.first() else { return };
    let mut day = first.max(*begin);
    let mut held = quantities.partition_point(|(from, _)| *from <= day);
    let mut known = prices.0.partition_point(|price| price.date <= day);
    let mut price = prices.around(known, to);
    let mut last_worth = None;
    while day <= last {
        let quantity = held.checked_sub(1).map_or(Decimal::ZERO, |at| quantities[at].1);
        let is_foreign = price.is_some_and(|price| price.currency != to);
        let found = match last_worth {
            // Neither quantity nor price is another than yesterday, and there is no rate to change.
            Some(same) if !is_foreign => same,
            _ => worth(quantity, price, to, day, converter),
        };
        visit(day, found);
        last_worth = Some(found);
        let Ok(tomorrow) = day.tomorrow() else { return };
        day = tomorrow;
        while quantities.get(held).is_some_and(|(from, _)| *from <= day) {
            (held, last_worth) = (held + 1, None);
        }
        let before = known;
        while prices.0.get(known).is_some_and(|price| price.date <= day) {
            known += 1;
        }
        if known != before {
            (price, last_worth) = (prices.around(known, to), None);
        }
    }
}
