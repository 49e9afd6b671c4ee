//! What is loaded for a day or a span decides as everything that was ever stated would.

use jiff::civil::{Date, date};
use purser_core::ledger::input::AmountText;
use purser_core::rates::{Leg, RateInput, StatedRate};

use super::feed::{self, RATES, take_turn};
use super::own::{self, Imported};
use super::*;
use crate::access::FamilyTx;
use crate::testing::on_both;

const CODES: [&str; 5] = ["EUR", "USD", "GBP", "JPY", "CHF"];

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn stated(base: &str, quote: &str, date: Date, rate: i64) -> StatedRate {
    let rate = Decimal::new(rate, 2);
    StatedRate { base: currency(base), quote: currency(quote), date, rate }
}

/// Numbers that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn rate(&mut self) -> Option<StatedRate> {
        let (base, quote) = (CODES[self.below(5) as usize], CODES[self.below(5) as usize]);
        let day = date(2024, 1, 1).checked_add(jiff::Span::new().days(self.below(60) as i64));
        (base != quote).then(|| stated(base, quote, day.unwrap(), self.below(900) as i64 + 1))
    }
}

/// As the store keeps them: of a pair and day the last that was stated.
fn quotes(rates: &[StatedRate], source: Source) -> Vec<Quote> {
    let mut kept: BTreeMap<(Currency, Currency, Date), Quote> = BTreeMap::new();
    for StatedRate { base, quote, date, rate } in rates.iter().copied() {
        kept.insert((base, quote, date), Quote { base, quote, date, rate, source });
    }
    kept.into_values().collect()
}

#[test]
fn what_is_loaded_decides_as_everything_would() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let (other, _) = fixture.family("g");
        let mut numbers = Numbers(7);
        let feed: Vec<StatedRate> = (0..60).filter_map(|_| numbers.rate()).collect();
        let own: Vec<StatedRate> = (0..25).filter_map(|_| numbers.rate()).collect();
        let own_quotes = quotes(&own, Source::File);
        let own: Vec<StatedRate> = own_quotes
            .iter()
            .map(|one| StatedRate {
                base: one.base,
                quote: one.quote,
                date: one.date,
                rate: one.rate,
            })
            .collect();
        fixture.store.write_directory_blocking(|tx| feed::put(tx, &feed).map(drop)).unwrap();
        let import = |tx: &mut FamilyTx<'_>| own::import(tx, &own);
        let imported = fixture.store.write_blocking(family, import).unwrap();
        assert_eq!(imported.added, own.len() as u64);
        // Another family's don't count.
        let theirs = [stated("EUR", "USD", date(2024, 1, 15), 1)];
        let import = |tx: &mut FamilyTx<'_>| own::import(tx, &theirs);
        fixture.store.write_blocking(other, import).unwrap();
        let whole = Book::new(quotes(&feed, Source::Feed).into_iter().chain(own_quotes));
        fixture
            .store
            .read_blocking(family, |tx| {
                let span = (date(2024, 1, 20), date(2024, 2, 10));
                let wanted = [currency("USD"), currency("JPY"), currency("CHF")];
                let some = book(tx, &wanted, span.0, span.1)?;
                for offset in (-3..65).step_by(2) {
                    let day = date(2024, 1, 1).checked_add(jiff::Span::new().days(offset)).unwrap();
                    for from in CODES.map(currency) {
                        for to in CODES.map(currency) {
                            let expected = whole.find(from, to, day);
                            assert_eq!(find(tx, from, to, day)?, expected, "{from} {to} {day}");
                            let in_span = span.0 <= day && day <= span.1;
                            if in_span && wanted.contains(&from) && wanted.contains(&to) {
                                assert_eq!(some.find(from, to, day), expected, "{from} {to} {day}");
                            }
                        }
                    }
                }
                Ok(())
            })
            .unwrap();
    });
}

#[test]
fn the_familys_own_comes_first_and_a_persons_word_stays() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let day = date(2024, 5, 16);
        let feed = [stated("EUR", "USD", day, 110)];
        fixture.store.write_directory_blocking(|tx| feed::put(tx, &feed).map(drop)).unwrap();
        let input = |rate: &str| RateInput {
            base: Some("EUR".into()),
            quote: Some("USD".into()),
            date: Some(day.to_string()),
            rate: Some(AmountText::Text(rate.into())),
        };
        let set = |rate: &str| {
            let input = input(rate);
            let set = |tx: &mut FamilyTx<'_>| own::set(tx, &input);
            fixture.store.write_blocking(family, set).unwrap()
        };
        let source = || -> Leg {
            let found = |tx: &mut FamilyTx<'_>| find(tx, Currency::EUR, Currency::USD, day);
            fixture.store.read_blocking(family, found).unwrap().unwrap().legs()[0]
        };
        assert_eq!(source().source, Source::Feed);
        let (first, existed) = set("1.2");
        assert!(!existed);
        assert_eq!((source().source, source().rate), (Source::Manual, Decimal::new(12, 1)));
        let (again, existed) = set("1.3");
        assert!(existed && again.id == first.id);
        let file = [stated("EUR", "USD", day, 140)];
        let import = |tx: &mut FamilyTx<'_>| own::import(tx, &file);
        let imported = fixture.store.write_blocking(family, import).unwrap();
        assert_eq!(imported, Imported { kept: 1, ..Imported::default() });
        assert_eq!(source().rate, Decimal::new(13, 1));
        let remove = |tx: &mut FamilyTx<'_>| own::remove(tx, first.id);
        fixture.store.write_blocking(family, remove).unwrap();
        assert_eq!(source().source, Source::Feed);
    });
}

#[test]
fn the_feed_returns_the_days_on_which_something_changed() {
    on_both(|fixture| {
        let put = |rates: &[StatedRate]| {
            fixture.store.write_directory_blocking(|tx| feed::put(tx, rates)).unwrap()
        };
        let day = |day| date(2024, 5, day);
        let first = put(&[stated("EUR", "USD", day(10), 110), stated("EUR", "USD", day(14), 111)]);
        let first = first.unwrap();
        assert_eq!((first.first, first.last), (Date::MIN, Date::MAX));
        assert_eq!(put(&[stated("EUR", "USD", day(10), 110)]), None, "nothing new");
        let between = put(&[stated("EUR", "USD", day(12), 112)]).unwrap();
        assert_eq!((between.first, between.last), (day(12), day(14)));
        let changed = put(&[stated("EUR", "USD", day(14), 115)]).unwrap();
        assert_eq!((changed.first, changed.last), (day(14), Date::MAX));
        let both = between.joined(changed);
        assert_eq!((both.first, both.last), (day(12), Date::MAX));
        assert_eq!(both.currencies, BTreeSet::from([Currency::EUR, Currency::USD]));
    });
}

#[test]
fn a_feed_rests_after_it_was_asked() {
    on_both(|fixture| {
        let turn = || {
            let (rest, short) =
                (jiff::SignedDuration::from_hours(20), jiff::SignedDuration::from_hours(1));
            fixture.store.write_directory_blocking(|tx| take_turn(tx, RATES, rest, short)).unwrap()
        };
        let note = |result: std::result::Result<(), &'static str>| {
            fixture.store.write_directory_blocking(|tx| feed::note(tx, RATES, result)).unwrap();
        };
        let hours = |hours| fixture.clock.advance(jiff::SignedDuration::from_hours(hours));
        assert!(turn() && !turn(), "one of two gets it");
        note(Err("It is away."));
        assert!(!turn());
        hours(1);
        assert!(turn());
        note(Ok(()));
        hours(19);
        assert!(!turn());
        hours(1);
        assert!(turn());
        let status =
            fixture.store.read_directory_blocking(|tx| feed::status(tx, RATES)).unwrap().unwrap();
        assert!(status.succeeded_at.unwrap() < status.asked_at);
    });
}
