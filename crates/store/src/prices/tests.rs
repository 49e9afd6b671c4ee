//! What is loaded for a day or a span decides as every price would.

use jiff::civil::{Date, date};
use purser_core::ids::SecurityId;
use purser_core::ledger::security::Listing;
use purser_core::money::Currency;
use rust_decimal::Decimal;

use super::feed::{FeedPrice, take_due, take_over};
use super::import::{FilePrice, import};
use super::*;
use crate::audit::Actor;
use crate::securities::find_or_create;
use crate::testing::on_both;

fn listing(ticker: &str) -> Listing {
    Listing { ticker: ticker.to_owned(), exchange_operating_mic: String::new() }
}

fn row(line: u64, ticker: &str, day: Date, price: i64) -> FilePrice {
    FilePrice {
        line,
        ticker: ticker.to_owned(),
        exchange_operating_mic: None,
        date: day,
        currency: Some(Currency::USD),
        price: Decimal::new(price, 2),
    }
}

#[test]
fn what_is_loaded_decides_as_every_price_would() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let day = |day| date(2024, 5, day);
        let rows: Vec<FilePrice> =
            [(1, "A", 3), (2, "A", 7), (3, "A", 8), (4, "B", 20), (5, "A", 15)]
                .map(|(line, ticker, on)| row(line, ticker, day(on), i64::from(on) * 100))
                .to_vec();
        let write = |tx: &mut Tx<'_>| {
            let ids =
                ["A", "B", "C"].map(|ticker| find_or_create(tx, family, &listing(ticker), None));
            import(tx, family, None, Actor::CommandLine, &rows)?;
            ids.into_iter().collect::<Result<Vec<SecurityId>>>()
        };
        let ids = fixture.store.write_blocking(family, write).unwrap();
        fixture
            .store
            .read_blocking(|tx| {
                let whole = book(tx, family, &ids, Date::MIN, Date::MAX)?;
                assert_eq!(whole.len(), 2, "without a price there is nothing");
                for first in 1..22 {
                    for last in first..22 {
                        let some = book(tx, family, &ids, day(first), day(last))?;
                        for on in first..=last {
                            for id in &ids[..2] {
                                let price = |book: &HashMap<SecurityId, Prices>| {
                                    book[id].on(day(on), Currency::USD).copied()
                                };
                                assert_eq!(price(&some), price(&whole), "{first} {last} {on}");
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
fn the_feed_replaces_nothing_that_is_more_trusted() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let day = |day| date(2024, 5, day);
        let price = |on, price| FeedPrice { date: on, currency: None, price: Decimal::from(price) };
        let write = |tx: &mut Tx<'_>| {
            let security = find_or_create(tx, family, &listing("A"), Some("Name"))?;
            import(tx, family, None, Actor::CommandLine, &[row(1, "A", day(3), 300)])?;
            let rest = jiff::SignedDuration::from_hours(20);
            assert_eq!(take_due(tx, family, rest, rest, 10)?, [], "nobody holds it");
            let mut due = feed::Due { security, symbol: "A".to_owned(), currency: None };
            let given = [price(day(3), 5), price(day(4), 6)];
            assert!(take_over(tx, family, &due, &given)?.is_err(), "in no known currency");
            due.currency = Some(Currency::USD);
            let imported = take_over(tx, family, &due, &given)?.unwrap();
            assert_eq!((imported.added, imported.kept), (1, 1));
            let again = take_over(tx, family, &due, &[price(day(4), 7)])?.unwrap();
            assert_eq!(again.changed, 1);
            book(tx, family, &[security], day(1), day(9))
        };
        let book = fixture.store.write_blocking(family, write).unwrap();
        let prices = book.into_values().next().unwrap();
        let on = |on| prices.on(day(on), Currency::USD).map(|one| (one.price, one.source)).unwrap();
        assert_eq!(on(3), (Decimal::from(3), PriceSource::File));
        assert_eq!(on(4), (Decimal::from(7), PriceSource::Feed));
    });
}
