//! Ten thousand trades of one security: the fold alone, and a trade more through the executor.
//! Today's goes on from a kept state; after one of ten years ago, before them all, all is folded.
//!
//! Shares are divided as finely as people do it, and more is sold in pieces than in whole lots, so
//! costs become long fractions. What the fold gives is compared with what is stored. The peer is
//! Beancount with the same trades, if the benchmark of peers has installed it.

use std::collections::BTreeMap;

use jiff::civil::Date;
use purser_core::ids::{AccountId, EntryId, IdGenerator, SecurityId};
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::positions::{Event, Trade, fold};
use purser_core::ledger::trade::{CostMethod, TradeType};
use purser_core::money::Currency;
use purser_core::money::exact::exact_value;
use purser_store::Access;
use purser_store::ledger::positions::segments;
use purser_store::{Store, trades};
use rust_decimal::Decimal;

use super::books::{self, Traded};
use super::{DAYS, Figure, day, median_time, newest_family, peers};
use crate::Result;
use crate::prng::Prng;
use crate::server::Data;

const TRADES: u64 = 10_000;
const RUNS: u32 = 3;

/// Folds in memory and in the database.
pub(super) fn measure(data: &Data) -> Result<Vec<Figure>> {
    data.family_of("lots@example.com")?;
    let store = data.store()?;
    let (access, today) = newest_family(&store)?;
    let mut figures = Vec::new();
    for method in [CostMethod::Average, CostMethod::Fifo, CostMethod::Lifo] {
        let name = method.as_str();
        let account = books::account(&store, &access, (name, "investment", Some(name)))?;
        let security = books::listed(&store, &access, &[name.to_uppercase()])?;
        let security = security.first().copied().ok_or("no security")?;
        let traded = traded(security, today)?;
        books::trades(&store, &access, account, &traded)?;

        let subject = Subject { store: &store, access: access.clone(), account, security };
        let what = format!("{TRADES} trades of one security folded, {name}");
        figures.push(Figure::new(what, subject.fold(method, &traded)?).below(200));
        figures.extend(peers::beancount(data.folder(), method, &traded)?);
        for (what, on) in [("today", DAYS), ("ten years ago", 0)] {
            let date = day(today, on)?.to_string();
            let time = median_time(RUNS, |_| subject.add(&date))?;
            figures.push(Figure::new(format!("one trade more {what}, {name}"), time));
        }
    }
    Ok(figures)
}

struct Subject<'a> {
    store: &'a Store,
    access: Access,
    account: AccountId,
    security: SecurityId,
}

impl Subject<'_> {
    fn fold(&self, method: CostMethod, traded: &[Traded]) -> Result<std::time::Duration> {
        let methods = BTreeMap::from([(self.account, method)]);
        let known = known(self.account, traded)?;
        let mut folded = Vec::new();
        let time = median_time(RUNS, |_| {
            let mut all = fold(&methods, &known, &[], &[])?;
            folded = all.segments.remove(&self.account).unwrap_or_default();
            Ok(())
        })?;
        let mut stored = self
            .store
            .read_blocking(self.access.clone(), |tx| segments(tx, &[self.account]))?
            .remove(&self.account)
            .unwrap_or_default();
        if stored.remove(&self.security).as_ref() == Some(&folded) {
            Ok(time)
        } else {
            Err("the stored position is not the folded one".into())
        }
    }

    fn add(&self, date: &str) -> Result<()> {
        let text = |text: &str| Some(AmountText::Text(text.to_owned()));
        let values = TradeValues {
            trade_type: Some(TradeType::Buy),
            date: Some(date.to_owned()),
            quantity: text("1.2345"),
            price: text("101.25"),
            ..TradeValues::default()
        };
        let (account, security) = (self.account.to_string(), self.security.to_string());
        let (account, security) = (Some(account), Some(security));
        let input = TradeInput { account, security, values, ..TradeInput::default() };
        self.store.write_blocking(self.access.clone(), |tx| trades::create(tx, &input))?;
        Ok(())
    }
}

/// As the fold takes them.
fn known(account: AccountId, traded: &[Traded]) -> Result<Vec<Trade>> {
    let scale = Currency::USD.scale();
    let ids = IdGenerator::default().reserve(0, 0, traded.len() as u64);
    let trade = |(number, one): (u64, &Traded)| {
        let money = exact_value(one.quantity, one.price, scale);
        let quantity = one.quantity;
        let event = match one.trade_type {
            TradeType::Sell => Event::Sold { quantity, proceeds: Some(money) },
            _ => Event::Bought { quantity, cost: Some(money) },
        };
        Ok(Trade { id: EntryId(ids.get(number)), account, date: one.date, event })
    };
    (0..).zip(traded).map(trade).collect()
}

/// Purchases and sales in turn by chance; never more is sold than there is.
fn traded(security: SecurityId, today: Date) -> Result<Vec<Traded>> {
    let mut prng = Prng::new(TRADES);
    let mut present = 0_i64;
    let mut all = Vec::new();
    for number in 0..TRADES {
        let date = day(today, i64::try_from(number)? * DAYS / i64::try_from(TRADES)?)?;
        let size = i64::from(1 + prng.below(1_000_000));
        let is_sale = prng.below(2) == 0 && size <= present;
        present += if is_sale { -size } else { size };
        all.push(Traded {
            security,
            date,
            trade_type: if is_sale { TradeType::Sell } else { TradeType::Buy },
            quantity: Decimal::new(size, 4),
            price: Decimal::new(i64::from(5_000 + prng.below(40_000)), 2),
        });
    }
    Ok(all)
}
