//! What is loaded for a day or a span decides as every price would.

use jiff::civil::{Date, date};
use purser_core::ids::SecurityId;
use purser_core::ledger::entry::ValuationKind;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::security::Listing;
use purser_core::ledger::trade::TradeType;
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, ValuationDraft};
use rust_decimal::Decimal;

use super::feed::{FeedPrice, next_due, take_over};
use super::import::{FilePrice, import};
use super::record::{PRICES, PriceImage, PriceRecord};
use super::*;
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::audit::Actor;
use crate::driver::Inserter;
use crate::ledger::records::BulkRecord;
use crate::ledger::revaluation::prices_changed;
use crate::ledger::{Event, Executor, balances};
use crate::testing::{on_both, security};
use crate::trades;

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
        let write = |tx: &mut FamilyTx<'_>| {
            let ids = ["A", "B", "C"].map(|ticker| security(tx, &listing(ticker), None));
            import(tx, &rows)?;
            ids.into_iter().collect::<Result<Vec<SecurityId>>>()
        };
        let ids = fixture.store.write_blocking(family, write).unwrap();
        fixture
            .store
            .read_blocking(family, |tx| {
                let whole = book(tx, &ids, Date::MIN, Date::MAX)?;
                assert_eq!(whole.len(), 2, "without a price there is nothing");
                for first in 1..22 {
                    for last in first..22 {
                        let some = book(tx, &ids, day(first), day(last))?;
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
        let write = |tx: &mut FamilyTx<'_>| {
            let security = security(tx, &listing("A"), Some("Name"))?;
            import(tx, &[row(1, "A", day(3), 300)])?;
            let rest = jiff::SignedDuration::from_hours(20);
            assert_eq!(next_due(tx, rest, rest)?, None, "nobody holds it");
            let mut due = feed::Due { security, symbol: "A".to_owned(), currency: None };
            let given = [price(day(3), 5), price(day(4), 6)];
            assert!(take_over(tx, &due, &given)?.is_err(), "in no known currency");
            due.currency = Some(Currency::USD);
            let imported = take_over(tx, &due, &given)?.unwrap();
            assert_eq!((imported.added, imported.kept), (1, 1));
            let again = take_over(tx, &due, &[price(day(4), 7)])?.unwrap();
            assert_eq!(again.changed, 1);
            book(tx, &[security], day(1), day(9))
        };
        let book = fixture.store.write_blocking(family, write).unwrap();
        let prices = book.into_values().next().unwrap();
        let on = |on| prices.on(day(on), Currency::USD).map(|one| (one.price, one.source)).unwrap();
        assert_eq!(on(3), (Decimal::from(3), PriceSource::File));
        assert_eq!(on(4), (Decimal::from(7), PriceSource::Feed));
    });
}

/// The cash part of a valuation between two prices follows from the first of them, whichever is
/// named last.
#[test]
fn of_several_days_of_a_security_the_earliest_counts() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let account = make(fixture, family, &input("Broker", "investment", "1000")).summary.id;
        let amount = |text: &str| Some(AmountText::Text(text.to_owned()));
        let buy = TradeInput {
            account: Some(account.to_string()),
            ticker: Some("A".to_owned()),
            values: TradeValues {
                trade_type: Some(TradeType::Buy),
                date: Some("2024-05-02".to_owned()),
                quantity: amount("10"),
                price: amount("50"),
                ..TradeValues::default()
            },
            ..TradeInput::default()
        };
        let valuation = ValuationDraft {
            account: Target::Existing(account.0),
            date: date(2024, 5, 4),
            amount: 20_000_000,
            kind: ValuationKind::Reconciliation,
            notes: None,
        };
        let write = |tx: &mut FamilyTx<'_>| {
            let actor = Actor::CommandLine;
            let security = trades::create(tx, &buy)?.0.security.id;
            let mut executor = Executor::begin(tx, 1)?;
            executor.apply(tx, &Change::SetValuation(valuation.clone()))?;
            let (subject_kind, subject_id) = ("test", account.0);
            let details = serde_json::json!({});
            executor
                .finish(tx, Event { actor, action: "test", subject_kind, subject_id, details })?;
            let mut inserter = Inserter::new(&PRICES);
            for (day, price) in [(3, 60), (10, 70)] {
                let (date, price) = (date(2024, 5, day), Decimal::from(price));
                let (currency, source) = (Currency::EUR, PriceSource::Manual);
                let price = Price { date, currency, price, source };
                let image = PriceImage::new(security, &price);
                let id = tx.new_id()?;
                PriceRecord::push(tx, &mut inserter, id, &image)?;
            }
            inserter.flush(tx)?;
            let days = [3, 10].map(|day| (security, date(2024, 5, day)));
            prices_changed(tx, &days)?;
            balances::stored(tx, account.0)
        };
        let days = fixture.store.write_blocking(family, write).unwrap();
        let last = days.last().unwrap();
        assert_eq!((last.date, last.end), (date(2024, 5, 4), 14_000_000));
    });
}
