//! Prices and values against what is written out by hand, and against exact fractions.

use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::*;
use crate::ids::AccountId;
use crate::money::exact::{of_decimal, round_sum, units};
use crate::rates::{Quote, Source};

fn decimal(text: &str) -> Decimal {
    Decimal::from_str_exact(text).unwrap()
}

fn stated(day: i8, price: &str, currency: Currency, source: PriceSource) -> Price {
    Price { date: date(2024, 5, day), currency, price: decimal(price), source }
}

fn book() -> Book {
    let rate = |day, rate| Quote {
        base: Currency::EUR,
        quote: Currency::USD,
        date: date(2024, 5, day),
        rate: decimal(rate),
        source: Source::Feed,
    };
    Book::new([rate(3, "1.1"), rate(6, "1.25")])
}

#[test]
fn the_price_of_a_day_is_the_last_known_else_the_first() {
    use PriceSource::{Feed, File, Manual, Trade};
    let prices = Prices::new([
        stated(6, "12", Currency::USD, Feed),
        stated(3, "10", Currency::USD, Trade),
        stated(3, "10.5", Currency::EUR, File),
        stated(3, "11", Currency::USD, File),
        stated(8, "14", Currency::USD, Manual),
        stated(8, "13", Currency::EUR, Feed),
        stated(9, "0", Currency::USD, Manual),
        stated(9, "15", Currency::USD, Trade),
        stated(9, "14.5", Currency::USD, Trade),
    ]);
    let on = |day, wanted| prices.on(date(2024, 5, day), wanted).unwrap().price.to_string();
    for (day, dollars, euros) in [
        (1, "11", "10.5"),
        (3, "11", "10.5"),
        (5, "11", "10.5"),
        (6, "12", "12"),
        (8, "14", "14"),
        (9, "14.5", "14.5"),
        (30, "14.5", "14.5"),
    ] {
        assert_eq!(on(day, Currency::USD), dollars, "USD on {day}");
        assert_eq!(on(day, Currency::EUR), euros, "EUR on {day}");
    }
    assert_eq!(Prices::default().on(date(2024, 5, 1), Currency::USD), None);
}

#[test]
fn a_value_has_its_price_and_rate_or_what_is_missing() {
    let prices = Prices::new([stated(3, "10.01", Currency::USD, PriceSource::Manual)]);
    let on = |quantity: &str, to, day| {
        value(decimal(quantity), &prices, to, date(2024, 5, day), &book())
    };
    let dollars = on("3", Currency::USD, 4);
    assert_eq!(dollars.worth, Worth { amount: 300_300, missing: None });
    assert_eq!((dollars.price.unwrap().date, dollars.rate), (date(2024, 5, 3), None));
    let euros = on("-3", Currency::EUR, 4);
    assert_eq!(euros.worth, Worth { amount: -273_000, missing: None });
    assert_eq!(euros.rate.unwrap().legs()[0].date, date(2024, 5, 3));
    assert_eq!(on("3", Currency::EUR, 6).worth.amount, 240_240);
    let yen = Currency::parse("JPY").unwrap();
    let missing = Missing::Rate { from: Currency::USD, to: yen };
    assert_eq!(on("3", yen, 4).worth, Worth { amount: 0, missing: Some(missing) });
    assert_eq!(on("0", yen, 4).worth, Worth::NOTHING);
    let large = on("99999999999999999999", Currency::USD, 4).worth;
    assert_eq!(large, Worth { amount: 10_009_999_999_999_999_999_899_900, missing: None });
    let euros = on("110000000000000000000", Currency::EUR, 4).worth;
    assert_eq!(euros, Worth { amount: 10_010_000_000_000_000_000_000_000, missing: None });
    let dear = Prices::new([Price { price: Decimal::MAX, ..prices.0[0] }]);
    let huge = value(Decimal::MAX, &dear, Currency::USD, date(2024, 5, 4), &book()).worth;
    assert_eq!(huge, Worth { amount: 0, missing: Some(Missing::Range) });
    let unknown = value(Decimal::ONE, &Prices::default(), Currency::USD, date(2024, 5, 4), &book());
    assert_eq!(unknown.worth, Worth { amount: 0, missing: Some(Missing::Price) });
}

fn any_decimal() -> impl Strategy<Value = Decimal> {
    (-9_999_999_i64..=9_999_999, 0_u32..=18)
        .prop_map(|(mantissa, scale)| Decimal::from_i128_with_scale(i128::from(mantissa), scale))
}

fn any_day() -> impl Strategy<Value = Date> {
    (1_i8..=20).prop_map(|day| date(2024, 5, day))
}

fn any_currency() -> impl Strategy<Value = Currency> {
    prop::sample::select(vec![Currency::USD, Currency::EUR, Currency::parse("JPY").unwrap()])
}

fn any_price() -> impl Strategy<Value = Price> {
    let source = prop::sample::select(PriceSource::ALL);
    (any_day(), any_currency(), any_decimal(), source)
        .prop_map(|(date, currency, price, source)| Price { date, currency, price, source })
}

/// The price according to the rules, found without any order.
fn naive_price(stated: &[Price], day: Date, wanted: Currency) -> Option<Price> {
    let known = || stated.iter().filter(|price| price.price > Decimal::ZERO);
    let before = known().map(|price| price.date).filter(|date| *date <= day).max();
    let date = before.or_else(|| known().map(|price| price.date).min())?;
    let key =
        |price: &&Price| (price.source, price.currency != wanted, price.currency, price.price);
    known().filter(|price| price.date == date).min_by_key(key).copied()
}

fn naive_worth(
    quantity: Decimal,
    price: Option<Price>,
    to: Currency,
    day: Date,
    book: &Book,
) -> Option<i128> {
    if quantity.is_zero() {
        return Some(0);
    }
    let price = price?;
    let rate = book.find(price.currency, to, day)?.fraction()?;
    round_sum(&(of_decimal(quantity) * of_decimal(price.price) * rate * units(to.scale())))
}

/// 100 on day 2; two for one on day 5, three for two on day 9; 40 on day 12.
#[test]
fn a_price_from_the_other_side_of_a_split_is_of_other_shares() {
    let day = |number| date(2024, 5, number);
    let split = |number, to, from, teller| {
        let account = AccountId(uuid::Uuid::from_u128(teller));
        Split { date: day(number), to, from, account }
    };
    let splits = [split(9, 3, 2, 1), split(5, 2, 1, 1), split(6, 2, 1, 2)];
    let stated = [
        stated(2, "100", Currency::USD, PriceSource::Manual),
        stated(2, "99", Currency::USD, PriceSource::Trade),
        stated(12, "40", Currency::USD, PriceSource::Feed),
    ];
    let prices = Prices::new(stated).with_splits(&splits);
    let on = |number| prices.on(day(number), Currency::USD).unwrap().price.to_string();
    assert_eq!([1, 4, 5, 8].map(on), ["100", "100", "50", "50"]);
    assert_eq!(on(9), "33.333333333333333333");
    assert_eq!([12, 20].map(on), ["40", "40"]);
    // Before the first price the shares were fewer and dearer.
    let later = Prices::new(stated[2..].iter().copied()).with_splits(&splits);
    let on = |number| later.on(day(number), Currency::USD).unwrap().price.to_string();
    assert_eq!([1, 4, 5, 8, 9, 12].map(on), ["120", "120", "60", "60", "40", "40"]);
    assert_eq!(Prices::default().with_splits(&splits), Prices::default());
    // What somebody states on the day of the split is what counts.
    let both = [stated[0], Price { date: day(5), price: Decimal::from(51), ..stated[0] }];
    let prices = Prices::new(both).with_splits(&splits[1..]);
    let found = prices.on(day(6), Currency::USD).unwrap();
    assert_eq!((found.price, found.source), (Decimal::from(51), PriceSource::Manual));
}

#[test]
fn several_splits_of_a_day_carry_a_price_once() {
    let day = |day| date(2024, 5, day);
    let split = |to, from| Split { date: day(5), to, from, account: AccountId(uuid::Uuid::nil()) };
    let stated = |number| [stated(number, "60", Currency::USD, PriceSource::Trade)];
    for (splits, after, before) in [
        (vec![split(2, 1), split(3, 1)], "10", "360"),
        (vec![split(2, 1), split(2, 1)], "15", "240"),
        (vec![split(1, 100), split(100, 1)], "60", "60"),
        (vec![split(1, 100), split(100, 1), split(2, 1)], "30", "120"),
    ] {
        let on = |first, asked| {
            let prices = Prices::new(stated(first)).with_splits(&splits);
            prices.on(day(asked), Currency::USD).unwrap().price.to_string()
        };
        assert_eq!([on(2, 4), on(2, 5), on(2, 9)], ["60", after, after], "{splits:?}");
        assert_eq!([on(7, 4), on(7, 5), on(7, 9)], [before, "60", "60"], "{splits:?}");
    }
}

#[test]
fn a_converter_lists_which_rates_it_used_on_which_days() {
    let (euro, dollar, pound) = (Currency::EUR, Currency::USD, Currency::parse("GBP").unwrap());
    let book = book();
    let mut converter = Converter::new(&book);
    for (amount, from, to, day, expected) in [
        (10_000, euro, dollar, 7, Some(12_500)),
        (20_000, euro, dollar, 7, Some(25_000)),
        (0, euro, dollar, 8, Some(0)),
        (11_000, dollar, euro, 4, Some(10_000)),
        (5, euro, euro, 4, Some(5)),
        (5, pound, euro, 4, None),
        (10_000_000_000_000_000_000, euro, dollar, 7, Some(12_500_000_000_000_000_000)),
        (i128::MAX, euro, dollar, 7, None),
    ] {
        assert_eq!(converter.convert(amount, from, to, date(2024, 5, day)), expected);
    }
    let price = stated(3, "2", euro, PriceSource::Feed);
    worth(Decimal::ONE, Some(&price), dollar, date(2024, 5, 3), &mut converter);
    worth(Decimal::ZERO, Some(&price), dollar, date(2024, 5, 5), &mut converter);
    let used = converter.into_used();
    let days: Vec<i8> = used.iter().map(|(day, _)| day.day()).collect();
    assert_eq!(days, [3, 4, 7]);
    for (day, rate) in used {
        let (from, to) = rate.ends().unwrap();
        assert_eq!(book.find(from, to, day), Some(rate));
    }
}

proptest! {
    #[test]
    fn every_day_follows_the_rules(
        stated in prop::collection::vec(any_price(), 0..12),
        quantities in prop::collection::btree_map(any_day(), any_decimal(), 0..6),
        to in any_currency(), first in any_day(), last in any_day(),
    ) {
        let prices = Prices::new(stated.iter().copied());
        let quantities: Vec<(Date, Decimal)> = quantities.into_iter().collect();
        let book = book();
        let mut found = Vec::new();
        let position = Position { quantities: &quantities, prices: &prices };
        let mut converter = Converter::new(&book);
        each_day(position, to, (first, last), &mut converter, |day, worth| {
            found.push((day, worth));
        });
        let mut expected = Vec::new();
        let mut day = first;
        while day <= last {
            let held = quantities.iter().rfind(|(from, _)| *from <= day);
            if let Some((_, quantity)) = held {
                let price = naive_price(&stated, day, to);
                let amount = naive_worth(*quantity, price, to, day, &book);
                prop_assert_eq!(prices.on(day, to).copied(), price);
                let whole = value(*quantity, &prices, to, day, &book);
                expected.push((day, whole.worth));
                prop_assert_eq!(whole.worth.missing.is_none(), amount.is_some());
                prop_assert_eq!(whole.worth.amount, amount.unwrap_or(0));
            }
            day = day.tomorrow().unwrap();
        }
        prop_assert_eq!(found, expected);
    }
}
