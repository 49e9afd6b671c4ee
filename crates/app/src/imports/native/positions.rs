//! What was reported and stated about positions.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, SecurityId};
use purser_core::import::native::{Holding, Record, RecordType};
use purser_core::money::decimal::quantity_text;
use purser_store::FamilyTx;
use purser_store::ledger::{RestoredCost, RestoredHolding};

use super::entries::Pointers;
use super::publication::Publication;

/// Costs are written when so many are known, each position with all that it has by then.
const COSTS_TOGETHER_MAX: usize = 100_000;

/// The security that an account holds.
type Position = (AccountId, SecurityId);

/// The newest day of which a person stated the cost of a position.
type StatedDays = HashMap<Position, Date>;

/// Costs that aren't written yet.
#[derive(Default)]
struct StatedCosts {
    of: BTreeMap<Position, Vec<RestoredCost>>,
    count: usize,
}

impl Publication {
    /// Adds reported positions and stated costs.
    pub(super) fn positions(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let mut stated = StatedDays::new();
        self.each(tx, &[RecordType::Holding], |this, _, record| {
            if let Record::Holding(one) = record
                && let Some(position) = this.stated_position(one)?
            {
                let newest = stated.entry(position).or_insert(one.date);
                *newest = one.date.max(*newest);
            }
            Ok(())
        })?;
        let import = self.basis.import.id;
        let mut costs = StatedCosts::default();
        self.each(tx, &[RecordType::Holding, RecordType::HoldingCost], |this, tx, record| {
            let pointers = Pointers { collected: &this.basis.collected, ids: &this.ids };
            match record {
                Record::Holding(one) => {
                    let position = this.stated_position(one)?;
                    let reported = one.cost.filter(|_| position.is_none());
                    let cost = reported.map(|(total, of)| (total, quantity_text(of)));
                    let price = one.price.map(|price| price.normalize().to_string());
                    let holding = RestoredHolding {
                        account: pointers.account(&one.account)?,
                        security: pointers.security(&one.security)?,
                        date: one.date,
                        quantity: &quantity_text(one.quantity),
                        price: price.as_deref(),
                        currency: one.currency,
                        cost: cost.as_ref().map(|(total, of)| (*total, of.as_str())),
                    };
                    this.executor.restore_holding(tx, import, &holding)?;
                    let newest = position.filter(|one_of| stated.get(one_of) == Some(&one.date));
                    let (Some(position), Some((total, of))) = (newest, one.cost) else {
                        return Ok(());
                    };
                    let cost = RestoredCost {
                        total,
                        quantity: Some(of),
                        date: one.date,
                        stated_at: None,
                        locked: one.is_cost_locked == Some(true),
                    };
                    this.state_cost(tx, &mut costs, position, cost)
                }
                Record::HoldingCost(one) => {
                    let account = pointers.account(&one.account)?;
                    let position = (account, pointers.security(&one.security)?);
                    let cost = RestoredCost {
                        total: one.total,
                        quantity: one.quantity,
                        date: one.date,
                        stated_at: one.stated_at,
                        locked: one.locked,
                    };
                    this.state_cost(tx, &mut costs, position, cost)
                }
                _ => Ok(()),
            }
        })?;
        self.write_costs(tx, &mut costs)
    }

    fn state_cost(
        &mut self,
        tx: &mut FamilyTx<'_>,
        costs: &mut StatedCosts,
        position: Position,
        cost: RestoredCost,
    ) -> Result<()> {
        costs.of.entry(position).or_default().push(cost);
        costs.count += 1;
        if costs.count < COSTS_TOGETHER_MAX { Ok(()) } else { self.write_costs(tx, costs) }
    }

    fn write_costs(&mut self, tx: &mut FamilyTx<'_>, costs: &mut StatedCosts) -> Result<()> {
        let import = self.basis.import.id;
        for (position, its) in std::mem::take(costs).of {
            self.executor.restore_costs(tx, import, position, &its)?;
        }
        Ok(())
    }

    /// The position of which a holding has the cost that a person stated, in an account that the
    /// import makes: what people stated of one that is there stays.
    fn stated_position(&self, one: &Holding) -> Result<Option<Position>> {
        let is_there = self.basis.decisions.existing(RecordType::Account, &one.account).is_some();
        if one.is_cost_locked.is_none() || is_there {
            return Ok(None);
        }
        let pointers = Pointers { collected: &self.basis.collected, ids: &self.ids };
        let account = pointers.account(&one.account)?;
        Ok(Some((account, pointers.security(&one.security)?)))
    }
}
