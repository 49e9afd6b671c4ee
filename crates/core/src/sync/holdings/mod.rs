//! Holdings that a provider reports, and what they mean for the positions of an account.
//!
//! [`plan`] is a pure function. Rows of one security are one position; a row is recognised by its
//! [`Clues`], first among what the same provider reported of the account before, then among the
//! securities of the family, and is a new security else. The position of a security changes only if
//! the ledger has another number of units, or if the provider's cost is the best that there is.
//!
//! An answer that isn't whole changes nothing. A position that a whole answer lacks is closed if
//! the provider has reported it before; one that only people or files know of stays.

mod clues;
mod cost;
mod price;
mod rows;
mod securities;
#[cfg(test)]
mod tests;
mod total;

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use num_traits::Signed as _;
use rust_decimal::Decimal;

use super::Warning;
use crate::ids::SecurityId;
use crate::ledger::holding::CostBasisSource;
use crate::ledger::security::Listing;
use crate::ledger::valuing::{Price, PriceSource};
use crate::money::Currency;
use crate::money::exact::{Fraction, whole};
use crate::named::text_enum;

pub use clues::Clues;
pub use securities::{KnownSecurity, NewSecurity, SecurityRef};

use rows::StatedPosition;
use securities::Securities;

/// Days after a trade for which a provider may not have noticed it.
pub const LAG_DAYS: i32 = 2;
/// Holdings of one account; an answer with more isn't used.
pub const HOLDINGS_MAX: usize = 2_000;

text_enum! {
    /// Why a position changes.
    HoldingReason {
        /// The account didn't have any of the security.
        Opened = "opened",
        /// The number of units is another one.
        Changed = "changed",
        /// The account has none of it any more.
        Closed = "closed",
        /// The cost is known now, or is another one.
        Cost = "cost",
    }
}

/// A holding as a provider reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedHolding {
    /// By what the security is recognised.
    pub clues: Clues,
    /// The number of units; negative if more was sold than was held.
    pub quantity: Decimal,
    /// The price of one unit.
    pub price: Option<Decimal>,
    /// The value of all units.
    pub value: Option<Decimal>,
    /// The cost of all units or of one.
    pub stated_cost: Option<Decimal>,
    /// The price that was paid for one unit.
    pub purchase_price: Option<Decimal>,
    /// The currency of the amounts; none if it isn't known, and then they aren't used.
    pub currency: Option<Currency>,
}

/// The answer about the holdings of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedHoldings {
    /// The rows in the order of the answer.
    pub rows: Vec<ReportedHolding>,
    /// Whether these are all, and each could be read.
    pub is_whole: bool,
    /// Whether some may be missing all the same: nothing is closed, and no position gets smaller.
    pub is_doubtful: bool,
    /// What the provider gives as the sum. It is compared and never used.
    pub total: Option<(Decimal, Currency)>,
    /// What it reports as the balance of the account.
    pub balance: Option<(Decimal, Currency)>,
}

/// What the same provider reported of the account before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RememberedHolding {
    /// By what the security was recognised.
    pub clues: Clues,
    /// The security that the row stands for, perhaps because a person corrected it.
    pub security: SecurityId,
}

/// A position as the ledger has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownPosition {
    /// The number of units.
    pub quantity: Decimal,
    /// The cost in the scale of the account's currency, with its source.
    pub cost: Option<(Fraction, CostBasisSource)>,
    /// The number of units before the trades of the latest days, if there were any.
    pub before_trades: Option<Decimal>,
}

/// What is known of an account and of securities at the end of the day of the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownHoldings {
    /// The currency of the account.
    pub currency: Currency,
    /// Whether it holds coins, of which the currency of the price is no property.
    pub is_crypto: bool,
    /// What the provider reported before.
    pub remembered: Vec<RememberedHolding>,
    /// The securities of the family, the oldest first.
    pub securities: Vec<KnownSecurity>,
    /// The positions of the account, closed ones too.
    pub positions: BTreeMap<SecurityId, KnownPosition>,
    /// The prices that count on the day.
    pub prices: BTreeMap<SecurityId, Price>,
}

/// A position as it is from the day of the answer on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HoldingChange {
    /// The security that is held.
    pub security: SecurityRef,
    /// Why the position changes.
    pub reason: HoldingReason,
    /// The number of units that the ledger has.
    pub before: Decimal,
    /// The number of units that is stated.
    pub quantity: Decimal,
    /// The cost of so many units, in the scale of the account's currency.
    pub cost: Option<i64>,
    /// The price of one unit.
    pub price: Option<(Decimal, Currency)>,
}

/// How many positions and prices came to what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct HoldingCounts {
    /// Positions that are opened.
    pub opened: u64,
    /// Positions of which the number of units or the cost changes.
    pub changed: u64,
    /// Positions that are closed.
    pub closed: u64,
    /// Positions that stay as they are.
    pub known: u64,
    /// Prices that are stated.
    pub priced: u64,
}

/// What an answer about holdings changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HoldingsPlan {
    /// The securities that are made.
    pub securities: Vec<NewSecurity>,
    /// The positions that change.
    pub changes: Vec<HoldingChange>,
    /// The prices that are stated for the day.
    pub prices: Vec<(SecurityRef, Decimal, Currency)>,
    /// What is remembered from then on, as far as it is new.
    pub remembered: Vec<(Clues, SecurityRef)>,
    /// How many of what.
    pub counts: HoldingCounts,
    /// What is worth knowing about the answer.
    pub warnings: Vec<Warning>,
}

impl HoldingsPlan {
    /// Whether the plan changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.prices.is_empty() && self.remembered.is_empty()
    }
}

/// What an answer means for an account on a day.
pub fn plan(known: &KnownHoldings, reported: &ReportedHoldings, today: Date) -> HoldingsPlan {
    let mut planning = Planning { known, plan: HoldingsPlan::default(), warned: BTreeSet::new() };
    if reported.is_whole && reported.rows.len() <= HOLDINGS_MAX {
        let mut securities = Securities::of(known);
        let positions = planning.positions(reported, &mut securities);
        for position in &positions {
            planning.state(position, today, reported.is_doubtful);
        }
        if reported.is_doubtful {
            planning.warn(Some(Warning::HoldingsDoubtful));
        } else {
            planning.close(&positions);
        }
        planning.warn(total::differs(reported).then_some(Warning::HoldingsTotalDiffers));
        planning.plan.securities = securities.into_new();
    } else {
        planning.warn(Some(Warning::HoldingsIncomplete));
    }
    planning.plan.warnings = planning.warned.into_iter().collect();
    planning.plan
}

struct Planning<'a> {
    known: &'a KnownHoldings,
    plan: HoldingsPlan,
    warned: BTreeSet<Warning>,
}

impl Planning<'_> {
    fn warn(&mut self, warning: Option<Warning>) {
        self.warned.extend(warning);
    }

    /// The positions of the answer, by security. Cash that is listed among them is none: it follows
    /// from the balance.
    fn positions(
        &mut self,
        reported: &ReportedHoldings,
        securities: &mut Securities<'_>,
    ) -> Vec<StatedPosition> {
        let mut positions: Vec<StatedPosition> = Vec::new();
        for row in reported.rows.iter().filter(|row| !rows::is_cash(row)) {
            let found = securities.find(&row.clues);
            // What nobody knows and nobody has needs no security.
            let security = match (found, row.quantity.is_zero()) {
                (None, true) => continue,
                (Some(known), _) => known,
                (None, false) => securities.add(&row.clues),
            };
            if !row.quantity.is_zero() && !self.is_remembered(&row.clues, security) {
                self.plan.remembered.push((row.clues.clone(), security));
            }
            let mut stated = StatedPosition::of(row, security, self.known.currency);
            self.warned.append(&mut stated.warnings);
            match positions.iter_mut().find(|one| one.security == security) {
                Some(position) => position.add(stated),
                None => positions.push(stated),
            }
        }
        for position in &mut positions {
            position.decide_cost(self.position(position.security));
            self.warned.append(&mut position.warnings);
        }
        positions
    }

    /// Whether nothing new is known of a row.
    fn is_remembered(&self, clues: &Clues, security: SecurityRef) -> bool {
        let same = |one: &RememberedHolding| {
            one.clues == *clues && SecurityRef::Known(one.security) == security
        };
        self.known.remembered.iter().any(same)
            || self.plan.remembered.iter().any(|(of, to)| of == clues && *to == security)
    }

    fn position(&self, security: SecurityRef) -> Option<&KnownPosition> {
        match security {
            SecurityRef::Known(id) => self.known.positions.get(&id),
            SecurityRef::New(_) => None,
        }
    }

    /// States a position if the ledger has another one, and its price if another one counts.
    fn state(&mut self, stated: &StatedPosition, today: Date, is_doubtful: bool) {
        let before = self.position(stated.security);
        let quantity = before.map_or(Decimal::ZERO, |one| one.quantity);
        let is_late = before.is_some_and(|one| one.before_trades == Some(stated.quantity));
        let is_other = stated.quantity != quantity;
        let is_cost_news = before.is_none_or(|one| has_better_cost(stated, one));
        self.state_price(stated, today);
        // A lot may be missing, or a part in another sub-account.
        if is_doubtful && stated.quantity.abs() < quantity.abs() {
            self.plan.counts.known += 1;
            return;
        }
        if is_other && is_late {
            self.plan.counts.known += 1;
            return self.warn(Some(Warning::HoldingsLag));
        }
        let reason = match (quantity.is_zero(), stated.quantity.is_zero()) {
            (true, true) => return,
            (true, false) => HoldingReason::Opened,
            (false, true) => HoldingReason::Closed,
            (false, false) if is_other => HoldingReason::Changed,
            (false, false) if is_cost_news && stated.cost.is_some() => HoldingReason::Cost,
            (false, false) => {
                self.plan.counts.known += 1;
                return;
            }
        };
        let &StatedPosition { security, quantity: now, cost, price, .. } = stated;
        self.add(HoldingChange { security, reason, before: quantity, quantity: now, cost, price });
    }

    fn add(&mut self, change: HoldingChange) {
        let counts = &mut self.plan.counts;
        let counted = match change.reason {
            HoldingReason::Opened => &mut counts.opened,
            HoldingReason::Changed | HoldingReason::Cost => &mut counts.changed,
            HoldingReason::Closed => &mut counts.closed,
        };
        *counted += 1;
        self.plan.changes.push(change);
    }

    /// States a price, unless the one that counts is the same, or more trusted and of this day.
    fn state_price(&mut self, stated: &StatedPosition, today: Date) {
        let Some((price, currency)) = stated.price.filter(|_| !stated.quantity.is_zero()) else {
            return;
        };
        let counting = match stated.security {
            SecurityRef::Known(id) => self.known.prices.get(&id),
            SecurityRef::New(_) => None,
        };
        let is_settled = counting.is_some_and(|one| {
            let is_same = (one.price, one.currency) == (price, currency) && one.date <= today;
            is_same || (one.date == today && one.source < PriceSource::Provider)
        });
        if !is_settled {
            self.plan.prices.push((stated.security, price, currency));
            self.plan.counts.priced += 1;
        }
    }

    /// Closes what the provider reported before and doesn't report any more.
    fn close(&mut self, stated: &[StatedPosition]) {
        let known = self.known;
        let reported: BTreeSet<SecurityRef> = stated.iter().map(|one| one.security).collect();
        let remembered: BTreeSet<SecurityId> =
            known.remembered.iter().map(|one| one.security).collect();
        for (id, position) in &known.positions {
            let security = SecurityRef::Known(*id);
            if position.quantity.is_zero() || reported.contains(&security) {
                continue;
            }
            let is_late = position.before_trades == Some(Decimal::ZERO);
            if !remembered.contains(id) {
                self.warn(Some(Warning::HoldingsNotReported));
                self.plan.counts.known += 1;
            } else if is_late {
                self.warn(Some(Warning::HoldingsLag));
                self.plan.counts.known += 1;
            } else {
                let (before, quantity) = (position.quantity, Decimal::ZERO);
                let (reason, cost, price) = (HoldingReason::Closed, None, None);
                self.add(HoldingChange { security, reason, before, quantity, cost, price });
            }
        }
    }
}

/// Whether a stated cost is better than what the ledger has: where the cost is unknown, or another
/// one of the same provider.
fn has_better_cost(stated: &StatedPosition, before: &KnownPosition) -> bool {
    let Some(cost) = stated.cost else { return false };
    match &before.cost {
        None => true,
        Some((known, CostBasisSource::Provider)) => known.abs() != whole(cost),
        Some(_) => false,
    }
}

/// The place of a security that has no market.
fn unlisted(ticker: String) -> Listing {
    Listing { ticker, exchange_operating_mic: String::new() }
}
