//! Prices of a file: all of them or none.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::Date;
use purser_core::error::{Problems, Result};
use purser_core::ids::{PriceId, SecurityId};
use purser_core::ledger::valuing::{Price, PriceSource};
use purser_core::money::Currency;
use rust_decimal::Decimal;

use super::record::{PRICES, PriceImage, PriceRecord};
use super::traded_in;
use crate::access::FamilyTx;
use crate::driver::{Inserter, Val, statements, vals};
use crate::families;
use crate::labels::require_unrestricted;
use crate::ledger::Executor;
use crate::ledger::records::execute;
use crate::rates::decimal;
use crate::rates::own::Imported;
use crate::securities;

statements! {
    /// What is stated of securities on the days of a file.
    PRICES_KNOWN = "SELECT security_id, date, currency, id, price, source FROM security_prices
        WHERE family_id = $1 AND date >= $2 AND date <= $3 AND security_id = ANY($4)";
}

/// The number of problems of a file that are reported.
const PROBLEMS_REPORTED_MAX: usize = 20;

/// A price of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePrice {
    /// The line in the file.
    pub line: u64,
    /// The ticker in upper case.
    pub ticker: String,
    /// The code of the market in upper case, if the file has it.
    pub exchange_operating_mic: Option<String>,
    /// The day of the price.
    pub date: Date,
    /// The security's own if the file has none.
    pub currency: Option<Currency>,
    /// The price of one unit, which is positive.
    pub price: Decimal,
}

/// States every price of a file. Tickers must be those of securities that are there: a typing
/// error would make one that nobody holds.
pub fn import(tx: &mut FamilyTx<'_>, rows: &[FilePrice]) -> Result<Imported> {
    require_unrestricted(tx)?;
    let prices = resolve(tx, rows)?;
    let mut imported = Imported::default();
    let family = families::get(tx)?.public_id;
    execute(tx, ("security_price.import", "family"), |tx, executor| {
        imported = put(tx, executor, &prices)?;
        executor.add_detail("added", imported.added.into());
        executor.add_detail("changed", imported.changed.into());
        Ok(family)
    })?;
    Ok(imported)
}

/// Writes prices of one source. What is more trusted stays as it is.
pub(super) fn put(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    prices: &[(SecurityId, Price)],
) -> Result<Imported> {
    let known = known(tx, prices)?;
    let mut inserter = Inserter::new(&PRICES);
    let mut imported = Imported::default();
    for (security, price) in prices {
        match known.get(&(*security, price.date, price.currency)) {
            None => {
                let image = PriceImage::new(*security, price);
                executor.insert_among::<PriceRecord>(tx, &mut inserter, &image)?;
                imported.added += 1;
            }
            Some((_, same, _)) if *same == price.price => {
                imported.unchanged += 1;
            }
            Some((_, _, source)) if *source < price.source => {
                imported.kept += 1;
            }
            Some((id, stated, source)) => {
                let before = Price { price: *stated, source: *source, ..*price };
                let before = PriceImage::new(*security, &before);
                let after = PriceImage::new(*security, price);
                executor.update::<PriceRecord>(tx, id.0, (&before, &after))?;
                imported.changed += 1;
            }
        }
    }
    inserter.flush(tx)?;
    Ok(imported)
}

/// A security, and the currency that it is traded in, if known.
type Tradeable = (SecurityId, Option<Currency>);

/// The securities and the currencies of a file's rows.
fn resolve(tx: &mut FamilyTx<'_>, rows: &[FilePrice]) -> Result<Vec<(SecurityId, Price)>> {
    let mut found: HashMap<(&str, Option<&str>), Option<Tradeable>> = HashMap::new();
    let mut problems = Problems::new();
    let mut reported = 0;
    let mut prices: Vec<(SecurityId, Price)> = Vec::with_capacity(rows.len());
    let mut places: HashMap<(SecurityId, Date, Currency), u64> = HashMap::new();
    for row in rows {
        let key = (row.ticker.as_str(), row.exchange_operating_mic.as_deref());
        let security = match found.get(&key) {
            Some(known) => *known,
            None => *found.entry(key).or_insert(security_of(tx, key)?),
        };
        let problem = match security {
            None => format!("Line {}: no security is traded as {}", row.line, row.ticker),
            Some((id, own)) => match row.currency.or(own) {
                None => {
                    let line = row.line;
                    format!(
                        "Line {line}: neither the file nor the security nor a trade of it has a currency"
                    )
                }
                Some(currency) => {
                    let place = (id, row.date, currency);
                    match places.insert(place, row.line) {
                        Some(line) => format!("Line {}: the same day as line {line}", row.line),
                        None => {
                            let (date, price) = (row.date, row.price);
                            let source = PriceSource::File;
                            prices.push((id, Price { date, currency, price, source }));
                            continue;
                        }
                    }
                }
            },
        };
        reported += 1;
        if reported <= PROBLEMS_REPORTED_MAX {
            problems.push(problem);
        }
    }
    problems.into_result()?;
    Ok(prices)
}

/// The security of a ticker: on the market that is named; else the one that there is, or of several
/// the one on an unknown market.
fn security_of(
    tx: &mut FamilyTx<'_>,
    (ticker, mic): (&str, Option<&str>),
) -> Result<Option<Tradeable>> {
    let there = securities::of_ticker(tx, ticker)?;
    let id = match (mic, &there[..]) {
        (Some(mic), _) => there.iter().find(|(_, one)| one.exchange_operating_mic == mic),
        (None, [only]) => Some(only),
        (None, [first, ..]) if first.1.exchange_operating_mic.is_empty() => Some(first),
        (None, _) => None,
    };
    let Some((id, _)) = id else { return Ok(None) };
    Ok(Some((*id, traded_in(tx, *id)?)))
}

pub(super) type StoredPrices =
    HashMap<(SecurityId, Date, Currency), (PriceId, Decimal, PriceSource)>;

pub(super) fn known(tx: &mut FamilyTx<'_>, prices: &[(SecurityId, Price)]) -> Result<StoredPrices> {
    let family = tx.family();
    let days = || prices.iter().map(|(_, price)| price.date);
    let (Some(first), Some(last)) = (days().min(), days().max()) else {
        return Ok(StoredPrices::new());
    };
    let keys: BTreeSet<SecurityId> = prices.iter().map(|(security, _)| *security).collect();
    let keys: Vec<Val<'_>> = keys.into_iter().map(Into::into).collect();
    let mut known = StoredPrices::new();
    tx.lookup(&PRICES_KNOWN, vals![family, first, last], &keys, |row| {
        let place = (row.id(0)?, row.date(1)?, row.currency(2)?);
        known.insert(place, (row.id(3)?, decimal(row.text(4)?)?, row.named(5)?));
        Ok(())
    })?;
    Ok(known)
}
