//! Rows that no entry or record stands for, as a file of this server has them: tombstones, holdings
//! as they were reported, transfers and rejected pairs. Each carries the id of its import: the
//! verification counts it by that, and the undo removes it.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, HoldingId, ImportId, SecurityId};
use purser_core::ledger::entry::EntryKind;
use purser_core::limits::STATED_COSTS_MAX;
use purser_core::money::Currency;
use purser_core::money::decimal::quantity_text;
use purser_core::transfers::{Maker, TransferStatus};
use rust_decimal::Decimal;
use serde_json::json;

use super::Executor;
use super::stated_costs::{StatedCost, StatedCosts};
use crate::access::FamilyTx;
use crate::driver::{Val, statements, vals};

statements! {
    /// What a deleted entry left behind.
    TOMBSTONE_ADD = "INSERT INTO entry_origins (family_id, entry_id, account_id, date, amount,
            currency, name, external_id, source, kind, deleted_at, import_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    /// A holding as a provider reported it.
    STATEMENT_ADD = "INSERT INTO position_statements (family_id, account_id, security_id, date,
            qty, price, currency, cost_total, cost_qty, import_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    /// Whether there is a report of a day.
    STATEMENT_ON = "SELECT 1 FROM position_statements
        WHERE family_id = $1 AND account_id = $2 AND security_id = $3 AND date = $4";
    /// Two entries that are one movement.
    TRANSFER_RESTORE = "INSERT INTO transfers (family_id, id, outflow_id, inflow_id, status,
            made_by, score, reasons, created_at, updated_at, import_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)";
    /// The transfer of a pair.
    TRANSFER_THERE = "SELECT id FROM transfers
        WHERE family_id = $1 AND outflow_id = $2 AND inflow_id = $3";
    /// A confirmed transfer with one of two entries.
    TRANSFER_CONFIRMED = "SELECT id FROM transfers
        WHERE family_id = $1 AND status = 'confirmed' AND (outflow_id = $2 OR inflow_id = $3)
        LIMIT 1";
    /// Two entries that are none.
    REJECTED_RESTORE = "INSERT INTO rejected_transfers
            (family_id, id, outflow_id, inflow_id, created_at, import_id)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (family_id, outflow_id, inflow_id) DO NOTHING";
    /// Whether a pair was rejected.
    REJECTED_THERE = "SELECT id FROM rejected_transfers
        WHERE family_id = $1 AND outflow_id = $2 AND inflow_id = $3";
    /// The row that keeps a position, with the costs that were stated.
    POSITION_THERE = "SELECT id, cost_total, cost_qty, cost_date, cost_said_at, cost_locked,
            earlier_costs, import_id FROM holdings
        WHERE family_id = $1 AND account_id = $2 AND security_id = $3";
    /// A position of which a cost is to be stored.
    POSITION_ADD = "INSERT INTO holdings (family_id, id, account_id, security_id, cost_locked,
            created_at, updated_at)
        VALUES ($1, $2, $3, $4, FALSE, $5, $5)";
    /// The costs that a person stated of a position.
    COST_SET = "UPDATE holdings SET cost_total = $1, cost_qty = $2, cost_date = $3,
            cost_said_at = $4, cost_locked = $5, earlier_costs = $6, import_id = $7
        WHERE family_id = $8 AND id = $9";
    /// Positions with costs that an import stated, for whatever day.
    COSTS_OF_IMPORT = "SELECT id, security_id, cost_total, cost_qty, cost_date, cost_said_at,
            cost_locked, earlier_costs, import_id FROM holdings
        WHERE family_id = $1 AND (import_id = $2 OR earlier_costs LIKE $3)";
    /// Which positions follow from reports of an import.
    STATEMENTS_OF_IMPORT = "SELECT DISTINCT security_id FROM position_statements
        WHERE family_id = $1 AND import_id = $2";
    /// Removes the reports of an import.
    STATEMENTS_TAKE_BACK = "DELETE FROM position_statements
        WHERE family_id = $1 AND import_id = $2";
    /// Removes the tombstones of an import.
    TOMBSTONES_TAKE_BACK = "DELETE FROM entry_origins WHERE family_id = $1 AND import_id = $2";
    /// Removes the transfers of an import that nobody has changed since.
    TRANSFERS_TAKE_BACK = "DELETE FROM transfers
        WHERE family_id = $1 AND import_id = $2 AND updated_at = created_at";
    /// Removes the rejected pairs of an import.
    REJECTED_TAKE_BACK = "DELETE FROM rejected_transfers WHERE family_id = $1 AND import_id = $2";
}

/// A deleted entry, of which the row doesn't come again.
#[derive(Debug, Clone, Copy)]
pub struct RestoredTombstone<'a> {
    /// The account that it was in.
    pub account: AccountId,
    /// Whether it was a transaction or a trade.
    pub kind: EntryKind,
    /// The day that its source reported.
    pub date: Date,
    /// The amount in the scale of its currency.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name; of a trade what it contained.
    pub name: &'a str,
    /// The name of the source.
    pub source: Option<&'a str>,
    /// The id that the source gave it.
    pub external_id: Option<&'a str>,
    /// When it was deleted, if that is known.
    pub deleted_at: Option<Timestamp>,
}

/// A position as it was reported for a day.
#[derive(Debug, Clone, Copy)]
pub struct RestoredHolding<'a> {
    /// The account that holds it.
    pub account: AccountId,
    /// The security that is held.
    pub security: SecurityId,
    /// The day of the report.
    pub date: Date,
    /// The number of units.
    pub quantity: &'a str,
    /// The price of one unit.
    pub price: Option<&'a str>,
    /// The currency of the price.
    pub currency: Currency,
    /// What so many units cost.
    pub cost: Option<(i64, &'a str)>,
}

/// What a person stated about the cost of a position.
#[derive(Debug, Clone, Copy)]
pub struct RestoredCost {
    /// The cost in the account's currency.
    pub total: i64,
    /// The number of units that it is of; without one it is of all that there are on the day.
    pub quantity: Option<Decimal>,
    /// The day of which the units are meant.
    pub date: Date,
    /// When it was stated, if that is known.
    pub stated_at: Option<Timestamp>,
    /// Whether it is never replaced.
    pub locked: bool,
}

/// Two entries that are one movement of money.
#[derive(Debug, Clone, Copy)]
pub struct RestoredTransfer<'a> {
    /// The entry with the money out.
    pub outflow: EntryId,
    /// The entry with the money in.
    pub inflow: EntryId,
    /// Whether it is proposed or confirmed.
    pub status: TransferStatus,
    /// Who made the pair.
    pub made_by: Maker,
    /// How sure the pair is.
    pub score: i64,
    /// Why the two are a pair.
    pub reasons: &'a [String],
}

impl Executor {
    /// Adds what a deleted entry left behind.
    pub fn restore_tombstone(
        &mut self,
        tx: &mut FamilyTx<'_>,
        import: ImportId,
        new: &RestoredTombstone<'_>,
    ) -> Result<()> {
        let (id, now) = (tx.new_id()?, tx.now());
        let row = [
            self.family.into(),
            Val::Uuid(id),
            new.account.into(),
            new.date.into(),
            Val::Int(new.amount),
            Val::Text(new.currency.code()),
            Val::Text(new.name),
            new.external_id.into(),
            new.source.into(),
            Val::Int(new.kind.code()),
            new.deleted_at.unwrap_or(now).into(),
            import.into(),
        ];
        tx.execute(&TOMBSTONE_ADD, &row).map(drop)
    }

    /// Adds the report of a position.
    pub fn restore_holding(
        &mut self,
        tx: &mut FamilyTx<'_>,
        import: ImportId,
        new: &RestoredHolding<'_>,
    ) -> Result<()> {
        let (total, quantity) = new.cost.unzip();
        let row = [
            self.family.into(),
            new.account.into(),
            new.security.into(),
            new.date.into(),
            Val::Text(new.quantity),
            new.price.into(),
            Val::Text(new.currency.code()),
            total.into(),
            quantity.into(),
            import.into(),
        ];
        tx.execute(&STATEMENT_ADD, &row)?;
        self.positions.touch(new.security, new.date);
        Ok(())
    }

    /// States costs of the position of a security in an account, unless somebody else has stated
    /// one already. The position is written once, with all that are stated of it.
    pub fn restore_costs(
        &mut self,
        tx: &mut FamilyTx<'_>,
        import: ImportId,
        (account, security): (AccountId, SecurityId),
        new: &[RestoredCost],
    ) -> Result<()> {
        let (family, now) = (self.family, tx.now());
        let key = vals![family, account, security];
        let there = tx.query_opt(&POSITION_THERE, key, |row| {
            Ok((row.id(0)?, StatedCosts::of_row(row, 1)?))
        })?;
        let is_others = |costs: &StatedCosts| {
            costs.newest().is_some_and(|newest| newest.import != Some(import))
        };
        let (id, mut costs): (HoldingId, StatedCosts) = match there {
            Some((_, costs)) if is_others(&costs) => return Ok(()),
            Some((id, costs)) => (id, costs),
            None => {
                let id = HoldingId(tx.new_id()?);
                tx.execute(&POSITION_ADD, vals![family, id, account, security, now])?;
                (id, StatedCosts::default())
            }
        };
        for new in new {
            let has_room = costs.state(StatedCost {
                quantity: new.quantity,
                total: new.total,
                date: new.date,
                at: new.stated_at.unwrap_or(now),
                locked: new.locked,
                import: Some(import),
            });
            if !has_room {
                return Err(Error::invalid(format!(
                    "Costs of more than {STATED_COSTS_MAX} days are stated for one position"
                )));
            }
        }
        self.set_costs(tx, id, &costs)?;
        self.positions.refold(security);
        Ok(())
    }

    fn set_costs(
        &mut self,
        tx: &mut FamilyTx<'_>,
        position: HoldingId,
        costs: &StatedCosts,
    ) -> Result<()> {
        let newest = costs.newest();
        let quantity = newest.and_then(|newest| newest.quantity).map(quantity_text);
        let earlier = costs.earlier_text()?;
        let row = vals![
            newest.map(|newest| newest.total),
            quantity.as_deref(),
            newest.map(|newest| newest.date),
            newest.map(|newest| newest.at),
            newest.is_some_and(|newest| newest.locked),
            earlier.as_deref(),
            newest.and_then(|newest| newest.import),
            self.family,
            position
        ];
        tx.execute(&COST_SET, row).map(drop)
    }

    /// Takes the costs of an import back that nobody has stated again since.
    fn take_costs_back(&mut self, tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
        let pattern = format!("%{import}%");
        let key = vals![self.family, import, pattern.as_str()];
        let positions = tx.query(&COSTS_OF_IMPORT, key, |row| {
            Ok((row.id(0)?, row.id::<SecurityId>(1)?, StatedCosts::of_row(row, 2)?))
        })?;
        for (id, security, mut costs) in positions {
            costs.take_back(import);
            self.set_costs(tx, id, &costs)?;
            self.positions.refold(security);
        }
        Ok(())
    }

    /// Takes back what an import added that no entry or record stands for.
    pub fn take_rows_back(&mut self, tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
        let key = [self.family.into(), import.into()];
        let held: Vec<SecurityId> = tx.query(&STATEMENTS_OF_IMPORT, &key, |row| row.id(0))?;
        self.refold_securities(held);
        self.take_costs_back(tx, import)?;
        for statement in [
            &STATEMENTS_TAKE_BACK,
            &TOMBSTONES_TAKE_BACK,
            &TRANSFERS_TAKE_BACK,
            &REJECTED_TAKE_BACK,
        ] {
            tx.execute(statement, &key)?;
        }
        Ok(())
    }
}

/// Whether a position was reported for a day.
pub fn is_holding_reported(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    security: SecurityId,
    date: Date,
) -> Result<bool> {
    let key = vals![tx.family(), account, security, date];
    Ok(tx.query_opt(&STATEMENT_ON, key, |_| Ok(()))?.is_some())
}

/// Adds a transfer; its entries must be there. False if the pair is a transfer already, if a person
/// rejected it, or if one of the two is in another confirmed transfer of the family.
pub fn restore_transfer(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    new: &RestoredTransfer<'_>,
) -> Result<bool> {
    let pair = (new.outflow, new.inflow);
    let key = vals![tx.family(), new.outflow, new.inflow];
    let is_taken = new.status == TransferStatus::Confirmed
        && tx.query_opt(&TRANSFER_CONFIRMED, key, |_| Ok(()))?.is_some();
    if is_taken || is_transfer(tx, pair)? || is_rejected(tx, pair)? {
        return Ok(false);
    }
    let (id, now, reasons) = (tx.new_id()?, tx.now(), json!(new.reasons).to_string());
    let row = [
        tx.family().into(),
        Val::Uuid(id),
        new.outflow.into(),
        new.inflow.into(),
        Val::Text(new.status.as_str()),
        Val::Text(new.made_by.as_str()),
        Val::Int(new.score),
        Val::Text(&reasons),
        now.into(),
        import.into(),
    ];
    tx.execute(&TRANSFER_RESTORE, &row)?;
    Ok(true)
}

/// Whether two entries are a transfer, proposed or confirmed.
pub fn is_transfer(tx: &mut FamilyTx<'_>, (outflow, inflow): (EntryId, EntryId)) -> Result<bool> {
    let key = vals![tx.family(), outflow, inflow];
    Ok(tx.query_opt(&TRANSFER_THERE, key, |_| Ok(()))?.is_some())
}

/// Whether a person rejected two entries as a transfer.
pub fn is_rejected(tx: &mut FamilyTx<'_>, (outflow, inflow): (EntryId, EntryId)) -> Result<bool> {
    let key = vals![tx.family(), outflow, inflow];
    Ok(tx.query_opt(&REJECTED_THERE, key, |_| Ok(()))?.is_some())
}

/// Adds a rejected pair; a side that is gone gets an id that nothing has.
pub fn restore_rejected(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    (outflow, inflow): (Option<EntryId>, Option<EntryId>),
) -> Result<()> {
    let (id, now) = (tx.new_id()?, tx.now());
    let outflow = outflow.map_or_else(|| tx.new_id().map(EntryId), Ok)?;
    let inflow = inflow.map_or_else(|| tx.new_id().map(EntryId), Ok)?;
    let row = vals![tx.family(), id, outflow, inflow, now, import];
    tx.execute(&REJECTED_RESTORE, row).map(drop)
}
