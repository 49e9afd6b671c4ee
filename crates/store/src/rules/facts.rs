//! Transactions as rules see them, a slice of consecutive ids at a time, forwards or backwards.
//!
//! Left out are hidden accounts, transactions that are split (a person decided how), and their
//! parts.

use std::collections::{HashMap, HashSet};

use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::locks::Locks;
use purser_core::rules::Facts;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::accounts;
use crate::driver::{Row, Sql, Val, statements, vals};

statements! {
    /// A slice of transactions.
    FACTS_AFTER = "SELECT id, account_id, date, amount, currency, name, notes, category_id,
            merchant_id, excluded, locked
        FROM ledger_entries
        WHERE family_id = $1 AND id > $2 AND kind = 0 AND NOT is_split ORDER BY id LIMIT $3";
    /// A slice of transactions, backwards.
    FACTS_BEFORE = "SELECT id, account_id, date, amount, currency, name, notes, category_id,
            merchant_id, excluded, locked
        FROM ledger_entries
        WHERE family_id = $1 AND id < $2 AND kind = 0 AND NOT is_split ORDER BY id DESC LIMIT $3";
    /// The tags of a slice.
    FACTS_TAGS = "SELECT entry_id, tag_id FROM entry_tags
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3 ORDER BY entry_id, tag_id";
    /// The origins of transactions in a slice that were changed.
    FACTS_ORIGINS = "SELECT entry_id, name FROM entry_origins
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3 AND deleted_at IS NULL";
    /// Those of a slice where money went out in a transfer.
    FACTS_OUTFLOWS = "SELECT outflow_id FROM transfers
        WHERE family_id = $1 AND outflow_id >= $2 AND outflow_id <= $3 AND status = 'confirmed'";
    /// Those of a slice where it came in.
    FACTS_INFLOWS = "SELECT inflow_id FROM transfers
        WHERE family_id = $1 AND inflow_id >= $2 AND inflow_id <= $3 AND status = 'confirmed'";
}

/// A slice of transactions.
pub(super) struct Slice {
    /// The transactions in the order of ids, or backwards, without those that rules leave alone.
    pub(super) entries: Vec<(EntryId, Facts<'static>)>,
    /// The last that was looked at; `None` if there was none.
    pub(super) last: Option<EntryId>,
    /// Whether there may be more behind it.
    pub(super) is_last: bool,
}

/// Accounts that are hidden.
pub(super) fn hidden_accounts(tx: &mut FamilyTx<'_>) -> Result<HashSet<Uuid>> {
    let known = accounts::known(tx)?.into_iter().map(|account| account.summary);
    Ok(known.filter(|one| !one.status.is_visible()).map(|one| one.id.0).collect())
}

/// The next transactions after an id, at most `limit`.
pub(super) fn after(
    tx: &mut FamilyTx<'_>,
    hidden: &HashSet<Uuid>,
    after: EntryId,
    limit: usize,
) -> Result<Slice> {
    slice(tx, hidden, (&FACTS_AFTER, after), limit)
}

/// Like [`after`], for those before an id, the last first.
pub(super) fn before(
    tx: &mut FamilyTx<'_>,
    hidden: &HashSet<Uuid>,
    before: EntryId,
    limit: usize,
) -> Result<Slice> {
    slice(tx, hidden, (&FACTS_BEFORE, before), limit)
}

fn slice(
    tx: &mut FamilyTx<'_>,
    hidden: &HashSet<Uuid>,
    (sql, from): (&Sql, EntryId),
    limit: usize,
) -> Result<Slice> {
    let family = tx.family();
    let count = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut found = tx.query(sql, vals![family, from, count], read)?;
    let is_last = found.len() < limit;
    let (Some((first, _)), Some((last, _))) = (found.first(), found.last()) else {
        return Ok(Slice { entries: Vec::new(), last: None, is_last: true });
    };
    let (low, high) = (*first.min(last), *first.max(last));
    let range = vals![family, low, high].to_owned();
    let last = Some(*last);
    let mut tags: HashMap<EntryId, Vec<Uuid>> = HashMap::new();
    tx.for_each(&FACTS_TAGS, &range, |row| {
        tags.entry(row.id(0)?).or_default().push(row.uuid(1)?);
        Ok(())
    })?;
    let mut source_names: HashMap<EntryId, String> = HashMap::new();
    tx.for_each(&FACTS_ORIGINS, &range, |row| {
        source_names.insert(row.id(0)?, row.string(1)?);
        Ok(())
    })?;
    let mut transfers = ids(tx, &FACTS_OUTFLOWS, &range)?;
    transfers.extend(ids(tx, &FACTS_INFLOWS, &range)?);
    found.retain(|(_, facts)| !hidden.contains(&facts.account));
    for (id, facts) in &mut found {
        facts.tags = tags.remove(id).unwrap_or_default();
        facts.transfer = transfers.contains(id);
        if let Some(name) = source_names.remove(id) {
            facts.source_name = name.into();
        }
    }
    Ok(Slice { entries: found, last, is_last })
}

fn ids(tx: &mut FamilyTx<'_>, sql: &Sql, range: &[Val<'_>]) -> Result<HashSet<EntryId>> {
    Ok(tx.query(sql, range, |row| row.id(0))?.into_iter().collect())
}

fn read(row: &Row<'_>) -> Result<(EntryId, Facts<'static>)> {
    let name = row.string(5)?;
    let facts = Facts {
        account: row.id::<AccountId>(1)?.0,
        date: row.date(2)?,
        amount: row.int(3)?,
        currency: row.currency(4)?,
        source_name: name.clone().into(),
        name: name.into(),
        notes: row.opt_string(6)?.map(Into::into),
        category: row.opt_uuid(7)?,
        merchant: row.opt_uuid(8)?,
        tags: Vec::new(),
        excluded: row.bool(9)?,
        transfer: false,
        locked: Locks::from_bits(row.int(10)?),
    };
    Ok((row.id(0)?, facts))
}
