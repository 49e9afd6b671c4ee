//! What the investment account holds, as a function of the day and of what the banks do wrong.

use super::{World, history};
use crate::misbehaviour::Quirk;

/// A holding of the investment account, as a client sees it on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// The symbol at the exchange, if it is sent.
    pub ticker: Option<&'static str>,
    /// The name of the security.
    pub name: &'static str,
    /// The international number of the security, if it is sent.
    pub isin: Option<&'static str>,
    /// The code of the currency of all amounts.
    pub currency: &'static str,
    /// The number of units, as text; no number in a row that can't be read.
    pub quantity: String,
    /// The value of all units, in hundredths.
    pub value: i64,
    /// The cost of all units or of one, in hundredths, if it is known.
    pub cost: Option<i64>,
}

/// Units of the fund, in tenths, and what one costs now and when it was bought, in hundredths.
const FUND_TENTHS: i64 = 405;
const FUND_PRICE: i64 = 26_050;
const FUND_COST: i64 = 800_000;

impl World {
    /// The holdings of the investment account today.
    pub fn holdings(&self) -> Vec<Holding> {
        let mut held = self.fund();
        if !self.has(Quirk::SoldHolding) {
            held.push(Holding {
                ticker: Some("BTC"),
                quantity: "0.012345678901234567".to_owned(),
                ..of("Bitcoin", 98_765, None)
            });
        }
        let old = of("Sold out", 0, Some(0));
        held.push(Holding { ticker: Some("OLD"), quantity: "0".to_owned(), ..old });
        if self.has(Quirk::ForeignHolding) {
            held.push(Holding {
                ticker: Some("SAP"),
                isin: Some("DE0007164600"),
                currency: "EUR",
                quantity: "2".to_owned(),
                ..of("SAP SE", 30_000, Some(20_000))
            });
        }
        if self.has(Quirk::CashHolding) {
            let cash = of("US dollar", 3_000_000, None);
            held.push(Holding { ticker: Some("CUR:USD"), quantity: "30000".to_owned(), ..cash });
        }
        if self.has(Quirk::NamelessHoldings) {
            held.iter_mut().for_each(|one| (one.ticker, one.isin) = (None, None));
        }
        if self.has(Quirk::BrokenHoldings) {
            let broken = of("Broken", 100, None);
            held.push(Holding { ticker: Some("BRK"), quantity: "many".to_owned(), ..broken });
        }
        held
    }

    /// The sum that is stated beside them, in hundredths.
    pub fn holdings_sum(&self) -> i64 {
        let sum: i64 = self.holdings().iter().map(|holding| holding.value).sum();
        if self.has(Quirk::WrongSum) { sum * 2 } else { sum }
    }

    /// By how much prices have moved what was held at first, in hundredths.
    pub(super) fn holdings_moved(&self) -> i64 {
        FUND_TENTHS * (self.fund_price() - FUND_PRICE) / 10
    }

    fn fund_price(&self) -> i64 {
        match self.has(Quirk::MovingPrices) {
            true => FUND_PRICE + 100 * (history::day_number(self.today) % 5) as i64,
            false => FUND_PRICE,
        }
    }

    /// The fund: as one row, or as two lots.
    fn fund(&self) -> Vec<Holding> {
        let bought = if self.has(Quirk::BoughtHolding) { 100 } else { 0 };
        let lot = |tenths: i64, cost: i64| {
            let value = tenths * self.fund_price() / 10;
            let cost = if self.has(Quirk::UnitCosts) { cost * 10 / tenths } else { cost };
            Holding {
                ticker: Some("VTI"),
                isin: Some("US9229087690"),
                quantity: format!("{}.{}", tenths / 10, tenths % 10),
                ..of("Total market fund", value, Some(cost))
            }
        };
        let (tenths, cost) = (FUND_TENTHS + bought, FUND_COST + bought * FUND_PRICE / 10);
        match self.has(Quirk::Lots) {
            true => vec![lot(200, 400_000), lot(tenths - 200, cost - 400_000)],
            false => vec![lot(tenths, cost)],
        }
    }
}

/// A holding in dollars, without anything to recognise the security by but its name.
fn of(name: &'static str, value: i64, cost: Option<i64>) -> Holding {
    let (ticker, isin, quantity) = (None, None, String::new());
    Holding { ticker, name, isin, currency: "USD", quantity, value, cost }
}
