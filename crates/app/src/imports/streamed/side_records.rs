//! Rows that are no entries: prices, budgets, categories and tags that a program's file states
//! beside its transactions. They are records of the family, of which each place has one: what is
//! there stays as it is.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::Hasher as _;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{BudgetId, CategoryId};
use purser_core::import::kinds::Kind;
use purser_core::import::mapping::MappingKind;
use purser_core::import::register::{BudgetRow, LabelRow, PriceRow, SideRecord};
use purser_core::import::verdict::Verdict;
use purser_core::ledger::valuing::{Price, PriceSource};
use purser_core::limits::NATIVE_ROWS_MAX;
use purser_core::money::Currency;
use purser_core::plan::Target;
use purser_store::restoring::Restorable;
use purser_store::{FamilyTx, budgets, securities};

use super::destinations::{Destinations, key_of, text_of};
use super::publication::PlanExecutor;

/// What was found out about the records of a file so far.
#[derive(Default)]
pub(super) struct SideRecords {
    /// They stand beside trades that don't need them, so that nobody has to choose a security.
    are_beside_trades: bool,
    /// Hashes of the places that earlier rows have, with those of their values.
    seen: HashMap<u64, u64>,
    /// Budgets that exist, or that rows make, by their months.
    budgets: HashMap<Date, KnownBudget>,
}

/// The budget of a month. All of its amounts are in one currency: that of the first row if no
/// budget was there before.
#[derive(Clone, Copy)]
struct KnownBudget {
    id: Option<BudgetId>,
    start: Date,
    currency: Currency,
}

impl KnownBudget {
    /// Whether the amount of a row can stand in it.
    fn fits(&self, row: &BudgetRow<'_>) -> bool {
        self.currency == row.currency && self.start == row.month
    }
}

/// Why a row has no place in the budget of its month.
const OTHER_BUDGET: &str = "The budget of that month begins on another day or is in another \
                            currency, or an earlier row has another amount for the category: leave \
                            one of them out";

/// Why a price isn't taken of which the security is known.
const OTHER_PRICE: &str = "An earlier row has another price of that security and day";

/// What is needed to explain why the place of a record isn't decided.
#[derive(Debug, Clone)]
pub(in crate::imports) enum RecordFacts {
    Price([Option<String>; 3]),
    Budget,
}

impl RecordFacts {
    /// Those of a row; nothing if its place is always decided.
    pub(in crate::imports) fn of(record: &SideRecord<'_>) -> Option<Self> {
        match record {
            SideRecord::Price(row) => Some(Self::Price(key_of(row.security))),
            SideRecord::Budget(_) => Some(Self::Budget),
            SideRecord::Category(_) | SideRecord::Tag(_) | SideRecord::Listed(_) => None,
        }
    }

    /// Why a person has to decide, as a sentence.
    pub(in crate::imports) fn explain(
        &self,
        tx: &mut FamilyTx<'_>,
        destinations: &mut Destinations,
    ) -> Result<Option<String>> {
        match self {
            Self::Price(key) => {
                let other = || OTHER_PRICE.to_owned();
                Ok(Some(destinations.security(tx, text_of(key))?.err().unwrap_or_else(other)))
            }
            Self::Budget => Ok(Some(OTHER_BUDGET.to_owned())),
        }
    }
}

impl SideRecords {
    /// Those of a file of a kind.
    pub(super) fn of(kind: Kind) -> Self {
        Self { are_beside_trades: kind == Kind::Trade, ..Self::default() }
    }

    /// What is to become of a row.
    pub(super) fn verdict(
        &mut self,
        tx: &mut FamilyTx<'_>,
        destinations: &mut Destinations,
        record: &SideRecord<'_>,
    ) -> Result<Verdict> {
        let place = match record {
            SideRecord::Price(row) => match destinations.security(tx, row.security)? {
                Err(_) if self.are_beside_trades => return Ok(Verdict::LeftOut),
                Err(_) => return Ok(Verdict::NeedsChoice),
                Ok(security) => {
                    let listing = &security.listing;
                    let known = match security.id {
                        Some(id) => Restorable::Price(id, price(row)).holder(tx)?,
                        None => None,
                    };
                    if known.is_some() {
                        return Ok(Verdict::MatchedByName);
                    }
                    let market = &listing.exchange_operating_mic;
                    let place = (&listing.ticker, market, row.date, row.currency.code());
                    (hash_of(&place), hash_of(&row.price.normalize()))
                }
            },
            SideRecord::Budget(row) => {
                let category = destinations.names.target(MappingKind::Category, row.category)?;
                let budget = self.budget(tx, row)?;
                if !budget.fits(row) {
                    return Ok(Verdict::NeedsChoice);
                }
                if let (Some(budget), Target::Existing(category)) = (budget.id, category)
                    && line(budget, CategoryId(category), row).holder(tx)?.is_some()
                {
                    return Ok(Verdict::MatchedByName);
                }
                (hash_of(&(row.month, target_key(category))), hash_of(&row.spending))
            }
            SideRecord::Category(row) => match label(destinations, MappingKind::Category, *row)? {
                None => return Ok(Verdict::MatchedByName),
                Some(place) => (place, 0),
            },
            SideRecord::Tag(row) => match label(destinations, MappingKind::Tag, *row)? {
                None => return Ok(Verdict::MatchedByName),
                Some(place) => (place, 0),
            },
            // A person may take it, but there is nothing to make of it.
            SideRecord::Listed(_) => return Ok(Verdict::MatchedByName),
        };
        let (place, value) = place;
        match self.seen.get(&place) {
            Some(known) if *known == value => return Ok(Verdict::Repeats),
            // Nobody knows which one is right, but a price may be missing, and histories of
            // programs have several of one day.
            Some(_) if matches!(record, SideRecord::Price(_)) => return Ok(Verdict::LeftOut),
            Some(_) => return Ok(Verdict::NeedsChoice),
            None => self.seen.insert(place, value),
        };
        if self.seen.len() as u64 > NATIVE_ROWS_MAX {
            // All of them are written in one commit, for which others wait.
            return Err(Error::invalid_code(
                "content_too_large",
                format!(
                    "The file has more than {NATIVE_ROWS_MAX} new prices and budgets: send it in \
                     parts"
                ),
            ));
        }
        Ok(Verdict::Create)
    }

    fn budget(&mut self, tx: &mut FamilyTx<'_>, row: &BudgetRow<'_>) -> Result<KnownBudget> {
        if let Some(known) = self.budgets.get(&row.month) {
            return Ok(*known);
        }
        let known = match month(row).holder(tx)?.map(BudgetId) {
            Some(id) => {
                let its = budgets::get(tx, id)?;
                KnownBudget { id: Some(id), start: its.start, currency: its.currency }
            }
            None => KnownBudget { id: None, start: row.month, currency: row.currency },
        };
        self.budgets.insert(row.month, known);
        Ok(known)
    }
}

impl PlanExecutor {
    /// Adds what a row is; what has its place by now stays.
    pub(super) fn add_record(
        &mut self,
        tx: &mut FamilyTx<'_>,
        record: &SideRecord<'_>,
    ) -> Result<()> {
        let record = match record {
            // What a name stands for is made by the first row that needs it.
            SideRecord::Category(row) => {
                self.named(tx, MappingKind::Category, row.name)?;
                return Ok(());
            }
            SideRecord::Tag(row) => {
                self.named(tx, MappingKind::Tag, row.name)?;
                return Ok(());
            }
            SideRecord::Listed(_) => return Ok(()),
            SideRecord::Price(row) => {
                let meant = self.destinations.security(tx, row.security)?;
                let meant = meant.map_err(Error::invalid)?;
                let name = row.security.name;
                let security = securities::ensure(tx, &mut self.executor, &meant, name)?;
                Restorable::Price(security, price(row))
            }
            SideRecord::Budget(row) => {
                let category = self.named(tx, MappingKind::Category, row.category)?;
                let category = match category {
                    Target::Existing(id) => id,
                    Target::Created(slot) => self.executor.created_id(slot)?,
                };
                let known = self.side_records.budget(tx, row)?;
                if !known.fits(row) {
                    return Err(Error::internal("the budget of a row has no place for it"));
                }
                let budget = match known.id {
                    Some(budget) => budget,
                    None => BudgetId(month(row).restore(tx, &mut self.executor)?),
                };
                let known = KnownBudget { id: Some(budget), ..known };
                self.side_records.budgets.insert(row.month, known);
                line(budget, CategoryId(category), row)
            }
        };
        if record.holder(tx)?.is_none() {
            record.restore(tx, &mut self.executor)?;
        }
        Ok(())
    }
}

fn price(row: &PriceRow<'_>) -> Price {
    let PriceRow { date, price, currency, .. } = *row;
    Price { date, currency, price, source: PriceSource::File }
}

fn month(row: &BudgetRow<'_>) -> Restorable {
    let BudgetRow { month, currency, .. } = *row;
    Restorable::Budget { start: month, currency, spending: None, income: None }
}

fn line(budget: BudgetId, category: CategoryId, row: &BudgetRow<'_>) -> Restorable {
    Restorable::BudgetCategory { budget, category, spending: row.spending }
}

/// The place of a label that isn't there yet.
fn label(
    destinations: &mut Destinations,
    kind: MappingKind,
    row: LabelRow<'_>,
) -> Result<Option<u64>> {
    Ok(match destinations.names.target(kind, row.name)? {
        Target::Existing(_) => None,
        created => Some(hash_of(&(kind.as_str(), target_key(created)))),
    })
}

fn target_key(target: Target) -> (u128, u32) {
    match target {
        Target::Existing(id) => (id.as_u128(), u32::MAX),
        Target::Created(slot) => (0, slot.0),
    }
}

fn hash_of(place: &impl std::hash::Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    place.hash(&mut hasher);
    hasher.finish()
}
