//! Holdings of every day over ten years, computed from positions and prices as they are asked for.
//!
//! Each security has twenty trades, and a price on every weekday. Families with half and with twice
//! as many securities, and half of the days, show that time grows with days × open positions.

use jiff::civil::Date;
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::trade::TradeType;
use purser_store::Access;
use purser_store::{Store, holdings};
use rust_decimal::Decimal;

use super::books::{self, Traded};
use super::{DAYS, Figure, all_days, day, median_time, newest_family};
use crate::Result;
use crate::prng::Prng;
use crate::server::Data;

const TRADES_EACH: u64 = 20;
const RUNS: u32 = 3;

/// Fills families and measures them.
pub(super) fn measure(data: &Data, securities: u64) -> Result<Vec<Figure>> {
    let mut figures = Vec::new();
    for (number, count) in [securities / 2, securities, securities * 2].into_iter().enumerate() {
        data.family_of(&format!("holdings-{number}@example.com"))?;
        let store = data.store()?;
        let (access, today) = newest_family(&store)?;
        let started = std::time::Instant::now();
        let account = fill(&store, &access, today, count)?;
        println!("{count} securities written in {:.1} s", started.elapsed().as_secs_f64());
        let days = all_days(today)?;
        let trades = count * TRADES_EACH;
        let what = format!("holdings of {count} securities, {trades} trades, {} days", days.len());
        let figure = Figure::new(what, values(&store, &access, account, &days)?);
        if count == securities {
            figures.push(figure.below(2_000));
            let (_, later) = days.split_at(days.len() / 2);
            let what = format!("the same on half of the days ({})", later.len());
            figures.push(Figure::new(what, values(&store, &access, account, later)?));
        } else {
            figures.push(figure);
        }
    }
    Ok(figures)
}

fn values(
    store: &Store,
    access: &Access,
    account: AccountId,
    days: &[Date],
) -> Result<std::time::Duration> {
    median_time(RUNS, |_| {
        let values =
            store.read_blocking(access.clone(), |tx| holdings::values_on(tx, account, days))?.days;
        if values.len() == days.len() && values.iter().all(|value| value.complete) {
            Ok(())
        } else {
            Err("a day's holdings are not complete".into())
        }
    })
}

fn fill(store: &Store, access: &Access, today: Date, count: u64) -> Result<AccountId> {
    let account = books::account(store, access, ("Broker", "investment", None))?;
    let tickers: Vec<String> = (0..count).map(|number| format!("S{number}")).collect();
    let securities = books::listed(store, access, &tickers)?;
    books::trades(store, access, account, &traded(&securities, today)?)?;
    books::weekday_prices(store, access, &tickers, today)?;
    Ok(account)
}

/// In turn for each security: two purchases, then a sale of less.
fn traded(securities: &[SecurityId], today: Date) -> Result<Vec<Traded>> {
    let mut prng = Prng::new(securities.len() as u64);
    let mut all = Vec::new();
    let total = securities.len() as u64 * TRADES_EACH;
    for round in 0..TRADES_EACH {
        for (at, security) in securities.iter().enumerate() {
            let number = round * securities.len() as u64 + at as u64;
            let date = day(today, i64::try_from(number)? * DAYS / i64::try_from(total)?)?;
            let is_sale = round % 3 == 2;
            let least = if is_sale { 1 } else { 20_000 };
            all.push(Traded {
                security: *security,
                date,
                trade_type: if is_sale { TradeType::Sell } else { TradeType::Buy },
                quantity: Decimal::new(i64::from(least + prng.below(20_000)), 4),
                price: Decimal::new(i64::from(5_000 + prng.below(40_000)), 2),
            });
        }
    }
    Ok(all)
}
