//! The search against an exhaustive one, conversions against fractions.

use jiff::civil::{Date, date};
use proptest::prelude::*;

use super::*;
use crate::money::exact::{of_decimal, round, round_sum, units, whole};

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn quote(base: &str, quote: &str, day: i8, rate: &str, source: Source) -> Quote {
    let rate = Decimal::from_str_exact(rate).unwrap();
    Quote { base: currency(base), quote: currency(quote), date: date(2024, 5, day), rate, source }
}

/// Legs as texts: `EUR/USD 2024-05-02 feed`, with `1/` before those that are inverted.
fn found(book: &Book, from: &str, to: &str, day: i8) -> Vec<String> {
    let rate = book.find(currency(from), currency(to), date(2024, 5, day));
    let text = |leg: &Leg| {
        let way = if leg.inverted { "1/" } else { "" };
        format!("{way}{}/{} {} {}", leg.base, leg.quote, leg.date.day(), leg.source.as_str())
    };
    rate.map_or_else(|| vec!["none".to_owned()], |rate| rate.legs().iter().map(text).collect())
}

#[test]
fn time_comes_before_the_way_and_the_way_before_the_source() {
    use Source::{Feed, Manual};
    let book = Book::new([
        quote("EUR", "USD", 2, "1.10", Feed),
        quote("EUR", "GBP", 2, "0.85", Feed),
        quote("EUR", "GBP", 6, "0.86", Feed),
        quote("EUR", "USD", 6, "1.12", Feed),
        quote("USD", "EUR", 4, "0.9", Manual),
        quote("EUR", "USD", 4, "1.11", Feed),
        quote("EUR", "USD", 6, "1.13", Manual),
        quote("GBP", "USD", 1, "1.3", Manual),
    ]);
    for (from, to, day, legs) in [
        ("EUR", "USD", 2, vec!["EUR/USD 2 feed"]),
        ("EUR", "USD", 3, vec!["EUR/USD 2 feed"]),
        ("EUR", "USD", 1, vec!["EUR/USD 2 feed"]),
        ("USD", "EUR", 2, vec!["1/EUR/USD 2 feed"]),
        ("USD", "EUR", 4, vec!["USD/EUR 4 manual"]),
        ("EUR", "USD", 5, vec!["EUR/USD 4 feed"]),
        ("EUR", "USD", 6, vec!["EUR/USD 6 manual"]),
        ("GBP", "USD", 1, vec!["GBP/USD 1 manual"]),
        ("GBP", "USD", 2, vec!["1/EUR/GBP 2 feed", "EUR/USD 2 feed"]),
        ("USD", "GBP", 6, vec!["1/EUR/USD 6 manual", "EUR/GBP 6 feed"]),
        ("EUR", "JPY", 6, vec!["none"]),
        ("EUR", "EUR", 6, vec![]),
    ] {
        assert_eq!(found(&book, from, to, day), legs, "{from} to {to} on {day}");
    }
}

#[test]
fn amounts_are_rounded_once_and_origins_are_kept() {
    let book = Book::new([
        quote("EUR", "USD", 2, "1.0956", Source::Feed),
        quote("EUR", "JPY", 2, "155.97", Source::Feed),
        quote("BTC", "EUR", 2, "57123.4", Source::File),
    ]);
    let convert = |amount, from: &str, to: &str| {
        let (from, to) = (currency(from), currency(to));
        super::convert(amount, from, to, &book.find(from, to, date(2024, 5, 2)).unwrap())
    };
    assert_eq!(convert(10_000, "EUR", "USD"), Some(10_956));
    assert_eq!(convert(-10_000, "EUR", "USD"), Some(-10_956));
    assert_eq!(convert(10_956, "USD", "EUR"), Some(10_000));
    // 1 USD = 155.97 / 1.0956 JPY = 142.360350…
    assert_eq!(convert(10_000, "USD", "JPY"), Some(1_423_604));
    assert_eq!(convert(100_000_000, "BTC", "EUR"), Some(571_234_000));
    assert_eq!(convert(1, "BTC", "EUR"), Some(6), "0.000571… EUR");
    assert_eq!(convert(i64::MAX, "EUR", "USD"), None);
    let rate = book.find(currency("USD"), currency("JPY"), date(2024, 5, 3)).unwrap();
    let json = serde_json::to_string(&rate).unwrap();
    assert_eq!(
        json,
        concat!(
            r#"[{"base":"EUR","quote":"USD","date":"2024-05-02","rate":"1.0956","#,
            r#""source":"feed","inverted":true},"#,
            r#"{"base":"EUR","quote":"JPY","date":"2024-05-02","rate":"155.97","#,
            r#""source":"feed","inverted":false}]"#
        )
    );
    assert_eq!(serde_json::from_str::<Rate>(&json).unwrap(), rate);
    assert_eq!(rate.decimal(6).unwrap().to_string(), "142.36035");
    assert_eq!(Rate::one().fraction(), Some(whole(1)));
    assert_eq!(Rate::given(Currency::EUR, Currency::USD, date(2024, 5, 2), Decimal::ZERO), None);
}

#[test]
fn a_better_rate_is_known_by_its_rank() {
    let rate = |source, day, number: &str| {
        let stated = quote("EUR", "USD", day, number, source);
        Book::new([stated]).find(Currency::EUR, Currency::USD, date(2024, 5, day)).unwrap()
    };
    let day = date(2024, 5, 5);
    let feed = |day, number| rate(Source::Feed, day, number);
    let better = |new: &Rate, old: &Rate| is_better(new, Some(old), day);
    assert!(is_better(&feed(1, "1.1"), None, day));
    assert!(better(&feed(5, "1.1"), &feed(4, "1.1")));
    assert!(better(&feed(4, "1.1"), &feed(6, "1.1")));
    assert!(better(&feed(6, "1.1"), &feed(7, "1.1")));
    assert!(!better(&feed(3, "1.1"), &feed(4, "1.1")));
    assert!(better(&rate(Source::Manual, 4, "1.1"), &feed(4, "1.1")));
    assert!(!better(&feed(4, "1.1"), &rate(Source::File, 4, "1.1")));
    assert!(better(&feed(4, "1.2"), &feed(4, "1.1")), "stated anew");
    assert!(!better(&feed(4, "1.1"), &feed(4, "1.1")));
    let given = Rate::given(Currency::EUR, Currency::USD, date(2024, 5, 1), Decimal::ONE).unwrap();
    assert!(!better(&feed(5, "1.1"), &given));
}

const CODES: [&str; 4] = ["EUR", "USD", "GBP", "BTC"];

fn any_currency() -> impl Strategy<Value = Currency> {
    prop::sample::select(&CODES[..]).prop_map(currency)
}

fn any_day() -> impl Strategy<Value = Date> {
    (1_i8..=12).prop_map(|day| date(2024, 5, day))
}

fn any_rate() -> impl Strategy<Value = Decimal> {
    (1_u64..=u64::MAX, 0_u32..=18)
        .prop_map(|(mantissa, scale)| Decimal::from_i128_with_scale(i128::from(mantissa), scale))
}

fn any_quote() -> impl Strategy<Value = Quote> {
    let source = prop::sample::select(&[Source::Manual, Source::Feed][..]);
    (any_currency(), any_currency(), any_day(), any_rate(), source)
        .prop_map(|(base, quote, date, rate, source)| Quote { base, quote, date, rate, source })
}

/// Every leg that leads from one currency to another.
fn legs(quotes: &[Quote], from: Currency, to: Currency) -> Vec<Leg> {
    let leg = |stated: &Quote| {
        let Quote { base, quote, date, rate, source } = *stated;
        let inverted = base != from;
        let leg = Leg { base, quote, date, rate, source, inverted };
        (leg.ends() == (from, to)).then_some(leg)
    };
    quotes.iter().filter_map(leg).collect()
}

/// The best of every way there is.
fn exhaustive(quotes: &[Quote], from: Currency, to: Currency, day: Date) -> Option<rank::Rank> {
    let mut ways: Vec<Vec<Leg>> = legs(quotes, from, to).into_iter().map(|leg| vec![leg]).collect();
    for third in CODES.map(currency).into_iter().filter(|third| ![from, to].contains(third)) {
        for first in legs(quotes, from, third) {
            ways.extend(legs(quotes, third, to).into_iter().map(|second| vec![first, second]));
        }
    }
    ways.iter().filter_map(|legs| rank::Rank::of(legs, day)).min()
}

proptest! {
    #[test]
    fn the_best_of_all_ways_is_found(
        quotes in prop::collection::vec(any_quote(), 0..24),
        from in any_currency(), to in any_currency(), day in any_day(),
    ) {
        prop_assume!(from != to);
        let rate = Book::new(quotes.iter().copied()).find(from, to, day);
        let rank = rate.as_ref().and_then(|rate| rank::Rank::of(rate.legs(), day));
        prop_assert_eq!(rank, exhaustive(&quotes, from, to, day));
        if let Some(rate) = rate {
            prop_assert_eq!(rate.legs()[0].ends().0, from);
            prop_assert_eq!(rate.legs()[rate.legs().len() - 1].ends().1, to);
            for leg in rate.legs() {
                let Leg { base, quote, date, rate, source, .. } = *leg;
                let stated = Quote { base, quote, date, rate, source };
                prop_assert!(quotes.contains(&stated));
            }
        }
    }

    #[test]
    fn the_order_of_arrival_does_not_matter(
        quotes in prop::collection::vec(any_quote(), 0..24).prop_shuffle(),
        from in any_currency(), to in any_currency(), day in any_day(),
    ) {
        let book = Book::new(quotes.iter().copied());
        let again = Book::new(quotes.iter().rev().copied());
        prop_assert_eq!(book.find(from, to, day), again.find(from, to, day));
    }

    #[test]
    fn conversions_are_the_rounded_fractions(
        amount in any::<i64>(), first in any_rate(), second in any_rate(),
        inverted in any::<[bool; 2]>(), from in any_currency(), to in any_currency(),
    ) {
        let leg = |rate, inverted| Leg {
            base: from, quote: to, date: date(2024, 5, 1), rate, source: Source::Feed, inverted,
        };
        let rate = Rate { legs: vec![leg(first, inverted[0]), leg(second, inverted[1])] };
        let number = |rate, inverted| {
            let value = of_decimal(rate);
            if inverted { value.recip() } else { value }
        };
        let exact = whole(amount) * number(first, inverted[0]) * number(second, inverted[1])
            * units(to.scale()) / units(from.scale());
        prop_assert_eq!(convert(amount, from, to, &rate), round(&exact));
        let factor = Factor::of(&rate).unwrap();
        let sum = factor.apply(i128::from(amount) * 1_000, from.scale(), to.scale());
        prop_assert_eq!(sum, round_sum(&(exact * whole(1_000))));
    }

    #[test]
    fn origins_survive_being_stored(rate in any_rate(), inverted in any::<bool>()) {
        let leg = Leg {
            base: Currency::EUR, quote: Currency::USD, date: date(2024, 5, 1),
            rate: rate.normalize(), source: Source::File, inverted,
        };
        let rate = Rate { legs: vec![leg] };
        let text = serde_json::to_string(&rate).unwrap();
        prop_assert_eq!(serde_json::from_str::<Rate>(&text).unwrap(), rate);
    }
}
