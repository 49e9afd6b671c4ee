//! An import may have any number of prices: its undo reads, judges and writes them page by page.

use std::collections::HashMap;

use jiff::Span;
use jiff::civil::date;
use purser_core::ids::ImportId;
use serde_json::{Value, json};
use uuid::Uuid;

use super::alone::{LISTED_MAX, Tally};
use super::*;
use crate::ledger::records::kinds::find;
use crate::ledger::records::undo_tests::{import, plan, undo_survey};
use crate::testing::on_both;

/// A security that was there before, and one that the import creates.
const HELD: Uuid = Uuid::from_u128(0x5ec0);
const NEW: Uuid = Uuid::from_u128(0x5ec1);
/// Several pages of each, and one that is not full.
const CREATED: u32 = 1_150;
const CHANGED: u32 = 1_050;
const REMOVED: u32 = 200;

fn security(ticker: &str) -> Value {
    json!({ "ticker": ticker, "exchange_operating_mic": "", "name": null, "kind": "standard",
        "isin": null, "country_code": null, "currency": "EUR", "offline": false,
        "feed_symbol": null })
}

fn price(security: Uuid, number: u32, price: &str) -> Value {
    let day = date(2000, 1, 1).saturating_add(Span::new().days(i64::from(number)));
    json!({ "security": security, "date": day, "currency": "EUR", "price": price,
        "source": "manual" })
}

fn id(number: u32) -> Uuid {
    Uuid::from_u128(0x9_0000 + u128::from(number))
}

/// Prices of before, of which the import changes some and removes the others.
fn before() -> HashMap<Uuid, Value> {
    (0..CHANGED + REMOVED).map(|number| (id(number), price(HELD, number, "1"))).collect()
}

/// An import with many prices, the first of which take the days of prices that it removes.
fn imported(tx: &mut FamilyTx<'_>) -> Result<ImportId> {
    let (securities, prices) = (kind_named("security")?, kind_named("security_price")?);
    plan(tx, None, |tx, executor| {
        securities.write(tx, executor, HELD, (None, Some(&security("HELD"))))?;
        before()
            .iter()
            .try_for_each(|(id, image)| prices.write(tx, executor, *id, (None, Some(image))))
    })?;
    let import = import(tx)?;
    plan(tx, Some(import), |tx, executor| {
        securities.write(tx, executor, NEW, (None, Some(&security("NEW"))))?;
        for number in 0..CHANGED {
            let images = (price(HELD, number, "1"), price(HELD, number, "2"));
            prices.write(tx, executor, id(number), (Some(&images.0), Some(&images.1)))?;
        }
        for number in CHANGED..CHANGED + REMOVED {
            prices.write(tx, executor, id(number), (Some(&price(HELD, number, "1")), None))?;
        }
        for number in 0..CREATED {
            let of = if number < 10 { HELD } else { NEW };
            let image = price(of, CHANGED + number, "3");
            prices.write(tx, executor, id(10_000 + number), (None, Some(&image)))?;
        }
        Ok(())
    })?;
    Ok(import)
}

/// The prices that are there, of those that were before and those that the import created.
fn present(tx: &mut FamilyTx<'_>) -> Result<HashMap<Uuid, Value>> {
    let ids: Vec<Uuid> = (0..CHANGED + REMOVED).chain(10_000..10_000 + CREATED).map(id).collect();
    find("security_price").unwrap().read(tx, &ids)
}

fn tally(survey: &RecordSurvey) -> Tally {
    survey.alone["security_price"]
}

#[test]
fn many_prices_are_taken_back_page_by_page() {
    on_both(|fixture| {
        let (family, _) = fixture.family("many");
        let write = |tx: &mut FamilyTx<'_>| {
            let import = imported(tx)?;
            assert_eq!(present(tx)?.len(), (CHANGED + CREATED) as usize);
            let survey = undo_survey(tx, import)?;
            let restored = u64::from(CHANGED + REMOVED);
            let expected = Tally { restored, removed: u64::from(CREATED), ..Tally::default() };
            assert_eq!((tally(&survey), survey.restored_count()), (expected, restored));
            // Whatever the import has of prices, the survey has a few names of them.
            assert_eq!((survey.steps.len(), survey.steps[0].id), (1, NEW));
            assert_eq!(survey.restored.len() as u64, LISTED_MAX);
            assert_eq!(survey.created.len() as u64, LISTED_MAX + 1);
            let unlisted: Vec<_> = survey.unlisted().collect();
            let (restored, removed) = (restored - LISTED_MAX, u64::from(CREATED) - LISTED_MAX);
            let rest = Tally { restored, removed, ..Tally::default() };
            assert_eq!(unlisted, [("security_price", rest)]);
            plan(tx, None, |tx, executor| take_back(tx, executor, import, &survey))?;
            assert_eq!(present(tx)?, before());
            assert_eq!(find("security").unwrap().read(tx, &[NEW])?, HashMap::new());
            Ok(())
        };
        fixture.store.write_blocking(family, write).unwrap();
    });
}

#[test]
fn what_was_changed_since_of_many_prices_stays() {
    on_both(|fixture| {
        let (family, _) = fixture.family("kept");
        let write = |tx: &mut FamilyTx<'_>| {
            let import = imported(tx)?;
            let prices = kind_named("security_price")?;
            // A price that the import changed, one that it created, and one on the day of a price
            // that it removed.
            let (changed, created, taken) = (id(7), id(10_000 + 1_100), id(20_000));
            let of_created = price(NEW, CHANGED + 1_100, "9");
            let of_taken = price(HELD, CHANGED + 100, "9");
            plan(tx, None, |tx, executor| {
                let images = (price(HELD, 7, "2"), price(HELD, 7, "9"));
                prices.write(tx, executor, changed, (Some(&images.0), Some(&images.1)))?;
                let was = price(NEW, CHANGED + 1_100, "3");
                prices.write(tx, executor, created, (Some(&was), Some(&of_created)))?;
                prices.write(tx, executor, taken, (None, Some(&of_taken)))
            })?;
            let survey = undo_survey(tx, import)?;
            let expected = Tally {
                restored: u64::from(CHANGED + REMOVED) - 2,
                kept: 2,
                removed: u64::from(CREATED) - 1,
                staying: 1,
            };
            assert_eq!(tally(&survey), expected);
            let kept: Vec<_> = survey.kept.iter().map(|one| (one.id, one.fields.len())).collect();
            assert_eq!(kept, [(changed, 1), (id(CHANGED + 100), 0)]);
            let stays = survey.created.iter().filter(|one| !one.goes());
            let stays: HashMap<_, _> = stays.map(|one| (one.id, one.removal.clone())).collect();
            let expected = HashMap::from([
                (created, Removal::Stays("it was changed since")),
                (NEW, Removal::Stays("it has prices")),
            ]);
            assert_eq!(stays, expected);
            plan(tx, None, |tx, executor| take_back(tx, executor, import, &survey))?;
            let mut expected = before();
            expected.insert(changed, price(HELD, 7, "9"));
            expected.remove(&id(CHANGED + 100));
            expected.insert(created, of_created);
            assert_eq!(present(tx)?, expected);
            assert_eq!(prices.read(tx, &[taken])?, HashMap::from([(taken, of_taken)]));
            Ok(())
        };
        fixture.store.write_blocking(family, write).unwrap();
    });
}
