//! Records of a file of this server: which record of the family has the place of one, and adding it
//! if none has. Categories, tags, merchants and rules are creations of a plan like any others.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, BudgetId, CategoryId, SecurityId};
use purser_core::ledger::security::SecurityValues;
use purser_core::ledger::valuing::Price;
use purser_core::money::Currency;
use purser_core::rates::{Source, StatedRate};
use purser_core::recurring::input::{RecurringMaker, RecurringValues};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::budgets::lines::{LineImage, LineRecord};
use crate::budgets::{BudgetImage, BudgetRecord};
use crate::ledger::Executor;
use crate::ledger::records::Record;
use crate::prices::record::{PriceImage, PriceRecord};
use crate::rates::record::{RateImage, RateRecord};
use crate::recurring::record::{Pointing, SeriesImage, SeriesRecord};
use crate::securities::record::SecurityRecord;

/// A record of which a family has at most one in its place.
#[derive(Debug, Clone)]
pub enum Restorable {
    /// The budget of a month.
    Budget {
        /// The first day of the month.
        start: Date,
        /// The currency of all amounts.
        currency: Currency,
        /// The planned spending of the month.
        spending: Option<i64>,
        /// The income that is expected.
        income: Option<i64>,
    },
    /// What a category may cost in a budget.
    BudgetCategory {
        /// The budget of the line.
        budget: BudgetId,
        /// The category of the line.
        category: CategoryId,
        /// The planned spending in the budget's currency.
        spending: i64,
    },
    /// Transactions that come every month.
    Recurring {
        /// The account in which they are expected.
        account: Option<AccountId>,
        /// The merchant that they are from.
        merchant: Option<Uuid>,
        /// The category that they get.
        category: Option<Uuid>,
        /// Name, amount and days.
        values: RecurringValues,
        /// The number of transactions so far.
        count: u64,
        /// Whether a person made the series.
        manual: bool,
    },
    /// A security by its ticker and market.
    Security(Box<SecurityValues>),
    /// The price of a security on a day.
    Price(SecurityId, Price),
    /// A rate of a pair and day.
    Rate(StatedRate, Source),
}

fn series(one: &Restorable) -> Option<SeriesImage> {
    let Restorable::Recurring { account, merchant, category, values, count, manual } = one else {
        return None;
    };
    let to = Pointing { account: *account, merchant: *merchant, category: *category };
    let made_by = if *manual { RecurringMaker::Person } else { RecurringMaker::Detection };
    Some(SeriesImage::new(to, values, (*count, made_by)))
}

impl Restorable {
    /// The record of the family that has its place.
    pub fn holder(&self, tx: &mut FamilyTx<'_>) -> Result<Option<Uuid>> {
        match self {
            Self::Budget { start, currency, spending, income } => {
                let budget = BudgetImage::new(*start, *currency, (*spending, *income));
                BudgetRecord::holder(tx, &budget)
            }
            Self::BudgetCategory { budget, category, spending } => {
                LineRecord::holder(tx, &LineImage::new(*budget, *category, *spending))
            }
            Self::Recurring { .. } => match series(self) {
                Some(series) => SeriesRecord::holder(tx, &series),
                None => Ok(None),
            },
            Self::Security(values) => SecurityRecord::holder(tx, &values.as_ref().into()),
            Self::Price(security, price) => {
                PriceRecord::holder(tx, &PriceImage::new(*security, price))
            }
            Self::Rate(rate, source) => RateRecord::holder(tx, &RateImage::new(rate, *source)),
        }
    }

    /// Adds it as a step of a plan.
    pub fn restore(&self, tx: &mut FamilyTx<'_>, executor: &mut Executor) -> Result<Uuid> {
        match self {
            Self::Budget { start, currency, spending, income } => {
                let budget = BudgetImage::new(*start, *currency, (*spending, *income));
                executor.insert::<BudgetRecord>(tx, &budget)
            }
            Self::BudgetCategory { budget, category, spending } => {
                let line = LineImage::new(*budget, *category, *spending);
                executor.insert::<LineRecord>(tx, &line)
            }
            Self::Recurring { .. } => match series(self) {
                Some(series) => executor.insert::<SeriesRecord>(tx, &series),
                None => Ok(Uuid::nil()),
            },
            Self::Security(values) => {
                executor.insert::<SecurityRecord>(tx, &values.as_ref().into())
            }
            Self::Price(security, price) => {
                executor.insert::<PriceRecord>(tx, &PriceImage::new(*security, price))
            }
            Self::Rate(rate, source) => {
                executor.insert::<RateRecord>(tx, &RateImage::new(rate, *source))
            }
        }
    }
}
