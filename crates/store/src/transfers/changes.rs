//! Changes of transfers by persons: link, confirm, reject, remove.
//!
//! A transaction is in at most one confirmed transfer; two indexes enforce that, and the code is
//! `already_in_transfer`. Once one is confirmed, the other proposals of both sides are removed. A
//! rejection is remembered ([`super::rejected`]); a pair that was only removed may be found again.
//! Both sides of a transfer that a person made or confirmed count as changed from then on, so an
//! undo of their imports keeps it. A rejection is not a change of the transactions themselves: it
//! is removed with them.
//!
//! Transfers don't go through the executor: they change no amount and no balance, so the plans of
//! imports stay current. What a person decides and what an edit breaks leaves an audit event with
//! the transfer as it was. Other proposals leave none: the matching makes them again.

use purser_core::error::{Error, Problems, Result};
use purser_core::ids::{AccountId, EntryId, TransferId};
use purser_core::transfers::{DAYS_BY_PERSON_MAX, Maker, TransferStatus};
use serde_json::{Value, json};

use super::{Side, Transfer, get, rejected, sides};
use crate::access::FamilyTx;
use crate::audit::{self};
use crate::driver::{Row, date_to_days, statements, vals};
use crate::ledger::mark_decided;
use crate::transactions;

statements! {
    /// The transfer of a pair, whatever its status.
    TRANSFER_OF_PAIR = "SELECT id FROM transfers
        WHERE family_id = $1 AND outflow_id = $2 AND inflow_id = $3";
    /// Confirmed transfers of either side but the pair's own.
    TRANSFERS_IN_THE_WAY = "SELECT CAST(COUNT(*) AS BIGINT) FROM transfers
        WHERE family_id = $1 AND status = 'confirmed'
            AND (outflow_id = $2 OR inflow_id = $3)
            AND NOT (outflow_id = $2 AND inflow_id = $3)";
    /// The confirmed transfers of an entry, with the accounts of both sides.
    TRANSFERS_CONFIRMED = "SELECT t.id, t.outflow_id, t.inflow_id, t.status, t.made_by, t.score,
            t.reasons, o.account_id, i.account_id
        FROM transfers t
        JOIN entries o ON o.family_id = $1 AND o.id = t.outflow_id
        JOIN entries i ON i.family_id = $1 AND i.id = t.inflow_id
        WHERE t.family_id = $1 AND t.status = 'confirmed'
            AND (t.outflow_id = $2 OR t.inflow_id = $2)";
    /// Inserts a transfer into the table.
    TRANSFER_ADD = "INSERT INTO transfers (family_id, id, outflow_id, inflow_id, status, made_by,
            score, reasons, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)";
    /// A person confirms a transfer.
    TRANSFER_CONFIRM = "UPDATE transfers
        SET status = 'confirmed', made_by = 'person', updated_at = $1
        WHERE family_id = $2 AND id = $3";
    /// Removes a transfer by its id.
    TRANSFER_REMOVE = "DELETE FROM transfers WHERE family_id = $1 AND id = $2";
    /// Takes away the other proposals of both sides.
    TRANSFERS_SETTLE = "DELETE FROM transfers
        WHERE family_id = $1 AND status = 'pending' AND (outflow_id = $2 OR inflow_id = $3)
            AND NOT (outflow_id = $2 AND inflow_id = $3)";
    /// Removes the transfers of an entry with two sides that no longer cancel.
    TRANSFERS_BROKEN = "DELETE FROM transfers
        WHERE family_id = $1 AND (outflow_id = $2 OR inflow_id = $2)
            AND NOT EXISTS (SELECT 1 FROM ledger_entries o
                JOIN ledger_entries i ON i.family_id = $1
                WHERE o.family_id = $1 AND o.id = transfers.outflow_id
                    AND i.id = transfers.inflow_id AND o.amount > 0 AND i.amount < 0
                    AND (o.amount = -i.amount
                        OR (o.currency <> i.currency AND transfers.made_by = 'person'))
                    AND o.account_id <> i.account_id)
        RETURNING id, outflow_id, inflow_id, status, made_by, score, reasons";
}

/// The score of what a person made, and why it has it.
const BY_PERSON: (i64, &str) = (100, "A person made it.");

/// Makes a confirmed transfer of two transactions; one that was proposed or rejected before becomes
/// it.
pub fn create(tx: &mut FamilyTx<'_>, (outflow, inflow): (EntryId, EntryId)) -> Result<Transfer> {
    let fields = ["outflow_transaction_id", "inflow_transaction_id"];
    let out = sides::find(tx, outflow, fields[0])?;
    let into = sides::find(tx, inflow, fields[1])?;
    check(&out, &into, fields)?;
    match of_pair(tx, outflow, inflow)? {
        None => add(tx, outflow, inflow),
        Some(id) if get(tx, id)?.status == TransferStatus::Confirmed => Err(already()),
        Some(id) => confirm(tx, id),
    }
}

/// Makes a transaction and its counterpart a confirmed transfer, whichever of the two takes the
/// money out. A transfer that they are already becomes the person's.
pub fn link(tx: &mut FamilyTx<'_>, entry: EntryId, other: EntryId) -> Result<Transfer> {
    // What the path names is answered as missing, before anything else is refused.
    transactions::get(tx, entry)?;
    let field = "other_transaction_id";
    let this = sides::find_any(tx, entry)?.ok_or_else(|| {
        Error::invalid("A transaction that is split, or a part of one, can't be in a transfer")
    })?;
    let counterpart = sides::find(tx, other, field)?;
    let (out, into) = if this.0.amount < 0 { (&counterpart, &this) } else { (&this, &counterpart) };
    // Only the counterpart was named in the body.
    check(out, into, [field, field])?;
    let (outflow, inflow) = (out.0.id, into.0.id);
    match of_pair(tx, outflow, inflow)? {
        None => add(tx, outflow, inflow),
        Some(id) => confirm(tx, id),
    }
}

/// Takes the confirmed transfer of a transaction away, if it is in one; the next matching may find
/// it again.
pub fn unlink(tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<()> {
    let transaction = transactions::get(tx, entry)?;
    match transaction.transfer {
        Some(one) if one.status == TransferStatus::Confirmed => remove(tx, one.id),
        _ => Ok(()),
    }
}

fn of_pair(tx: &mut FamilyTx<'_>, outflow: EntryId, inflow: EntryId) -> Result<Option<TransferId>> {
    let family = tx.family();
    tx.query_opt(&TRANSFER_OF_PAIR, vals![family, outflow, inflow], |row| row.id(0))
}

fn add(tx: &mut FamilyTx<'_>, outflow: EntryId, inflow: EntryId) -> Result<Transfer> {
    let family = tx.family();
    require_free(tx, outflow, inflow)?;
    let (id, now) = (TransferId(tx.new_id()?), tx.now());
    let (status, maker) = (TransferStatus::Confirmed.as_str(), Maker::Person.as_str());
    let (score, reason) = BY_PERSON;
    let reasons = json!([reason]).to_string();
    let row = vals![family, id, outflow, inflow, status, maker, score, &reasons, now];
    tx.execute(&TRANSFER_ADD, row)?;
    tx.execute(&TRANSFERS_SETTLE, vals![family, outflow, inflow])?;
    rejected::forget(tx, outflow, inflow)?;
    decided(tx, outflow, inflow)?;
    record(tx, "transfer.create", id, (outflow, inflow), None)?;
    get(tx, id)
}

/// Everything that keeps two transactions from being a transfer; the members that name the two are
/// in `fields`.
fn check(
    (out, out_pending): &(Side, bool),
    (into, into_pending): &(Side, bool),
    [out_field, into_field]: [&'static str; 2],
) -> Result<()> {
    let mut problems = Problems::new();
    if out.amount <= 0 {
        problems.field(out_field, "must name a transaction of money out");
    }
    if into.amount >= 0 {
        problems.field(into_field, "must name a transaction of money in");
    }
    if out.account.id == into.account.id {
        problems.push("The transactions must be in different accounts");
    }
    // What money of one currency comes to in another is the bank's affair.
    let is_exchanged = out.currency != into.currency;
    if !is_exchanged && out.amount.checked_neg() != Some(into.amount) {
        problems.push("The amounts must be equal and opposite");
    }
    if *out_pending || *into_pending {
        problems.push("A pending transaction can't be part of a transfer");
    }
    if date_to_days(out.date).abs_diff(date_to_days(into.date)) > DAYS_BY_PERSON_MAX.unsigned_abs()
    {
        problems.push(format!("The transactions must be at most {DAYS_BY_PERSON_MAX} days apart"));
    }
    problems.into_result()
}

/// Confirms a proposal, or what the matching made by itself: from then on it is the person's.
pub fn confirm(tx: &mut FamilyTx<'_>, id: TransferId) -> Result<Transfer> {
    let family = tx.family();
    let transfer = get(tx, id)?;
    if transfer.status == TransferStatus::Confirmed && transfer.made_by == Maker::Person {
        return Ok(transfer);
    }
    let (outflow, inflow) = (transfer.outflow.id, transfer.inflow.id);
    require_free(tx, outflow, inflow)?;
    let now = tx.now();
    tx.execute(&TRANSFER_CONFIRM, vals![now, family, id])?;
    tx.execute(&TRANSFERS_SETTLE, vals![family, outflow, inflow])?;
    decided(tx, outflow, inflow)?;
    record(tx, "transfer.confirm", id, (outflow, inflow), Some(image(&transfer)))?;
    get(tx, id)
}

/// Takes a transfer away for good: the pair is not proposed again. Returns what it was.
pub fn reject(tx: &mut FamilyTx<'_>, id: TransferId) -> Result<Transfer> {
    let family = tx.family();
    let transfer = get(tx, id)?;
    let (outflow, inflow) = (transfer.outflow.id, transfer.inflow.id);
    tx.execute(&TRANSFER_REMOVE, vals![family, id])?;
    rejected::add(tx, outflow, inflow)?;
    record(tx, "transfer.reject", id, (outflow, inflow), Some(image(&transfer)))?;
    Ok(transfer)
}

/// Takes a transfer away; the next matching may find it again.
pub fn remove(tx: &mut FamilyTx<'_>, id: TransferId) -> Result<()> {
    let family = tx.family();
    let transfer = get(tx, id)?;
    tx.execute(&TRANSFER_REMOVE, vals![family, id])?;
    let pair = (transfer.outflow.id, transfer.inflow.id);
    record(tx, "transfer.remove", id, pair, Some(image(&transfer)))
}

/// Takes away the transfers of an entry that changed, if its two sides don't cancel any more.
pub(crate) fn remove_broken(tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<()> {
    let family = tx.family();
    for (id, pair, before) in tx.query(&TRANSFERS_BROKEN, vals![family, entry], removed)? {
        record(tx, "transfer.remove", id, pair, Some(before))?;
    }
    Ok(())
}

/// A transfer that is removed: its id, its sides, and what the audit trail keeps of it.
fn removed(row: &Row<'_>) -> Result<(TransferId, (EntryId, EntryId), Value)> {
    let reasons: Value = serde_json::from_str(row.text(6)?).map_err(Error::internal)?;
    let (status, made_by, score) = (row.text(3)?, row.text(4)?, row.int(5)?);
    let before =
        json!({ "status": status, "made_by": made_by, "score": score, "reasons": reasons });
    Ok((row.id(0)?, (row.id(1)?, row.id(2)?), before))
}

/// Takes away the confirmed transfers of an entry that don't exist for the key, because it may not
/// see the account of the other side. What it is about to do can't be done beside them.
pub(crate) fn remove_unseen(tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<()> {
    let (family, visible) = (tx.family(), tx.accounts());
    if !visible.is_restricted() {
        return Ok(());
    }
    let confirmed = tx.query(&TRANSFERS_CONFIRMED, vals![family, entry], |row| {
        Ok((removed(row)?, [row.id::<AccountId>(7)?, row.id(8)?]))
    })?;
    for ((id, pair, before), accounts) in confirmed {
        if !accounts.into_iter().all(|account| visible.allows(account)) {
            tx.execute(&TRANSFER_REMOVE, vals![family, id])?;
            record(tx, "transfer.remove", id, pair, Some(before))?;
        }
    }
    Ok(())
}

fn require_free(tx: &mut FamilyTx<'_>, outflow: EntryId, inflow: EntryId) -> Result<()> {
    let family = tx.family();
    for side in [outflow, inflow] {
        remove_unseen(tx, side)?;
    }
    let pair = vals![family, outflow, inflow];
    match tx.query_one(&TRANSFERS_IN_THE_WAY, pair, |row| row.count(0))? {
        0 => Ok(()),
        _ => Err(already()),
    }
}

fn decided(tx: &mut FamilyTx<'_>, outflow: EntryId, inflow: EntryId) -> Result<()> {
    mark_decided(tx, outflow)?;
    mark_decided(tx, inflow)
}

fn already() -> Error {
    Error::Conflict {
        code: "already_in_transfer",
        message: "One of the transactions is in a confirmed transfer".to_owned(),
    }
}

/// A transfer as it was, for the audit trail.
fn image(transfer: &Transfer) -> Value {
    let Transfer { status, made_by, score, reasons, .. } = transfer;
    let (status, made_by) = (status.as_str(), made_by.as_str());
    json!({ "status": status, "made_by": made_by, "score": score, "reasons": reasons })
}

fn record(
    tx: &mut FamilyTx<'_>,
    action: &str,
    id: TransferId,
    (outflow, inflow): (EntryId, EntryId),
    before: Option<Value>,
) -> Result<()> {
    let actor = tx.actor();
    let event = audit::Event {
        actor,
        action,
        subject_kind: "transfer",
        subject_id: Some(id.0),
        details: json!({ "outflow": outflow, "inflow": inflow, "before": before }),
    };
    audit::record(tx, &event).map(drop)
}
