//! The costs that a person stated of a position for several days. A position's row has the newest
//! in columns of its own, and those of earlier days as a text beside it: what was sold before the
//! newest was stated was sold at the cost that counted then.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::limits::STATED_COSTS_MAX;
use purser_core::money::decimal::{quantity_text, read_quantity};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::driver::Row;
use crate::rates::decimal;

/// The cost that a person stated of shares of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StatedCost {
    /// The number of shares that the cost is of, as they were counted on the day; `None`: all
    /// shares of that day.
    pub(crate) quantity: Option<Decimal>,
    /// The cost of these shares, in the account's scale.
    pub(crate) total: i64,
    /// The day for which it was stated.
    pub(crate) date: Date,
    /// The time at which it was stated; splits that were known by then are included.
    pub(crate) at: Timestamp,
    /// Whether a provider never replaces it.
    pub(crate) locked: bool,
    /// The import that it came with.
    pub(crate) import: Option<ImportId>,
}

impl StatedCost {
    /// Whether it is the same cost of the same shares, whenever it was stated.
    pub(crate) fn is_same_cost(&self, other: &Self) -> bool {
        (self.quantity, self.total, self.date) == (other.quantity, other.total, other.date)
    }
}

/// All costs that were stated of a position, in the order of their days.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StatedCosts(Vec<StatedCost>);

impl StatedCosts {
    /// Reads them from a row that has, from this column on, what the table has of the newest one
    /// in its order (total, quantity, day, time, lock), the earlier ones, and the import.
    pub(crate) fn of_row(row: &Row<'_>, first: usize) -> Result<Self> {
        let earlier = row.opt_text(first + 5)?.map(parse);
        let unreadable = || Error::internal("the earlier costs of a position can't be read");
        let mut all = earlier.map_or(Some(Vec::new()), |costs| costs).ok_or_else(unreadable)?;
        let when = row.opt_date(first + 2)?.zip(row.opt_timestamp(first + 3)?);
        if let Some((total, (date, at))) = row.opt_int(first)?.zip(when) {
            let quantity = row.opt_text(first + 1)?.map(decimal).transpose()?;
            let (locked, import) = (row.bool(first + 4)?, row.opt_id(first + 6)?);
            all.push(StatedCost { quantity, total, date, at, locked, import });
        }
        Ok(Self(all))
    }

    /// All of them, the newest last.
    pub(crate) fn all(self) -> Vec<StatedCost> {
        self.0
    }

    /// The one that the position shows.
    pub(crate) fn newest(&self) -> Option<&StatedCost> {
        self.0.last()
    }

    /// Adds one, in place of that of the same day; false if there are as many as there can be.
    #[must_use]
    pub(crate) fn state(&mut self, new: StatedCost) -> bool {
        self.0.retain(|one| one.date != new.date);
        let at = self.0.partition_point(|one| one.date < new.date);
        let has_room = self.0.len() < STATED_COSTS_MAX;
        if has_room {
            self.0.insert(at, new);
        }
        has_room
    }

    /// Takes those of an import away.
    pub(crate) fn take_back(&mut self, import: ImportId) {
        self.0.retain(|one| one.import != Some(import));
    }

    /// The text of those before the newest; none if there are none.
    pub(crate) fn earlier_text(&self) -> Result<Option<String>> {
        let Some((_, earlier @ [_, ..])) = self.0.split_last() else { return Ok(None) };
        let stored: Vec<StoredCost> = earlier.iter().map(StoredCost::of).collect();
        serde_json::to_string(&stored).map(Some).map_err(Error::internal)
    }
}

/// What a cost of an earlier day is stored as.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredCost {
    date: Date,
    total: i64,
    quantity: Option<String>,
    stated_at: Timestamp,
    locked: bool,
    import_id: Option<ImportId>,
}

impl StoredCost {
    fn of(cost: &StatedCost) -> Self {
        let StatedCost { quantity, total, date, at: stated_at, locked, import } = *cost;
        let quantity = quantity.map(quantity_text);
        Self { date, total, quantity, stated_at, locked, import_id: import }
    }

    fn read(self) -> Option<StatedCost> {
        let Self { date, total, quantity, stated_at: at, locked, import_id: import } = self;
        let quantity = match quantity {
            Some(text) => Some(read_quantity(&text)?),
            None => None,
        };
        Some(StatedCost { quantity, total, date, at, locked, import })
    }
}

fn parse(text: &str) -> Option<Vec<StatedCost>> {
    let stored: Vec<StoredCost> = serde_json::from_str(text).ok()?;
    let is_in_order = stored.is_sorted_by(|one, next| one.date < next.date);
    is_in_order.then(|| stored.into_iter().map(StoredCost::read).collect())?
}

/// Whether a text is what costs of earlier days are stored as.
pub(crate) fn stored_costs_can_be_read(text: &str) -> bool {
    parse(text).is_some()
}
