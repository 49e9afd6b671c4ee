//! What was reported and stated about positions.

use purser_core::error::Result;
use purser_core::import::native::{Record, RecordType};
use purser_core::money::decimal::quantity_text;
use purser_store::FamilyTx;
use purser_store::ledger::{RestoredCost, RestoredHolding};

use super::entries::Pointers;
use super::publication::Publication;

impl Publication {
    /// Adds reported positions and stated costs.
    pub(super) fn positions(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let import = self.basis.import.id;
        self.each(tx, &[RecordType::Holding, RecordType::HoldingCost], |this, tx, record| {
            let pointers = Pointers { collected: &this.basis.collected, ids: &this.ids };
            match record {
                Record::Holding(one) => {
                    let cost = one.cost.map(|(total, of)| (total, quantity_text(of)));
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
                    this.executor.restore_holding(tx, import, &holding)
                }
                Record::HoldingCost(one) => {
                    let quantity = one.quantity.map(quantity_text);
                    let cost = RestoredCost {
                        account: pointers.account(&one.account)?,
                        security: pointers.security(&one.security)?,
                        total: one.total,
                        quantity: quantity.as_deref(),
                        date: one.date,
                        stated_at: one.stated_at,
                        locked: one.locked,
                    };
                    this.executor.restore_cost(tx, import, &cost)
                }
                _ => Ok(()),
            }
        })
    }
}
