//! Transactions by their ids: the row with the names of what it points to, its tags, and the
//! transfer that it is a side of. One statement each, however many transactions.
//!
//! A change reads the transaction before and after, and reads only what it can't know: nothing of a
//! transfer before, and tags after only if they changed.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::locks::Locks;

use super::{Booked, Category, Merchant, Tag, Transaction};
use crate::access::FamilyTx;
use crate::accounts;
use crate::driver::{Row, Val, statements};
use crate::rates::decimal;
use crate::transfers;

statements! {
    /// Transactions, each with its account, its labels and its conversion. A part is converted as
    /// the transaction that it is a part of.
    TRANSACTIONS = "SELECT e.id, e.date, e.amount, e.currency, e.name, e.notes, e.pending,
            e.source, e.external_id, e.created_at, e.updated_at, e.locked, e.excluded, e.is_split,
            e.parent_id, e.booked, v.to_currency, v.rate, v.given, v.origin,
            a.id, a.name, a.account_type, a.status,
            c.id, c.name, c.parent_id, c.color, p.color, c.icon, m.id, m.name,
            e.has_origin
        FROM ledger_entries e
        JOIN ledger_accounts a ON a.family_id = $1 AND a.id = e.account_id
        LEFT JOIN categories c ON c.family_id = $1 AND c.id = e.category_id
        LEFT JOIN categories p ON p.family_id = $1 AND p.id = c.parent_id
        LEFT JOIN merchants m ON m.family_id = $1 AND m.id = e.merchant_id
        LEFT JOIN entry_conversions v
            ON v.family_id = $1 AND v.entry_id = COALESCE(e.parent_id, e.id)
        WHERE e.family_id = $1 AND e.id = ANY($2) AND e.kind IN (0, 3)";
    /// The tags of transactions. Each is there; but with an inner join PostgreSQL looks for every
    /// tag of the family at each of the transactions.
    TAGS = "SELECT e.entry_id, t.id, t.name, t.color, t.name_key
        FROM entry_tags e LEFT JOIN tags t ON t.family_id = $1 AND t.id = e.tag_id
        WHERE e.family_id = $1 AND e.entry_id = ANY($2)";
}

/// A transaction with what its change has to know besides.
pub(crate) struct LoadedTransaction {
    pub(crate) transaction: Transaction,
    /// The amount that the balance of its account includes, in the account's currency.
    pub(crate) booked: i64,
    /// Whether its origin is stored, because it was changed before.
    pub(crate) has_origin: bool,
}

/// The transactions with some ids, in the order of the ids. Hidden ones are left out.
pub(super) fn of_ids(tx: &mut FamilyTx<'_>, ids: &[EntryId]) -> Result<Vec<Transaction>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<Val<'_>> = ids.iter().map(|id| Val::from(*id)).collect();
    let loaded = load(tx, &keys)?;
    let mut tags = tags(tx, &keys)?;
    let mut counterparts = transfers::counterparts(tx, &keys)?;
    let complete = |LoadedTransaction { transaction, .. }: LoadedTransaction| {
        let tags = tags.remove(&transaction.id).unwrap_or_default();
        let transfer = counterparts.remove(&transaction.id);
        Transaction { tags, transfer, ..transaction }
    };
    let mut found: Vec<Transaction> = loaded.into_iter().map(complete).collect();
    let positions: HashMap<EntryId, usize> =
        ids.iter().enumerate().map(|(position, id)| (*id, position)).collect();
    found.sort_by_key(|transaction| positions.get(&transaction.id).copied());
    Ok(found)
}

/// A visible transaction that is about to change; its transfer is not read.
pub(super) fn before_change(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<LoadedTransaction> {
    let mut loaded = load_one(tx, id)?;
    loaded.transaction.tags = tags_of(tx, id)?;
    Ok(loaded)
}

/// A transaction that was changed. `tags` are its tags, if they are known.
pub(super) fn after_change(
    tx: &mut FamilyTx<'_>,
    id: EntryId,
    tags: Option<Vec<Tag>>,
) -> Result<Transaction> {
    let changed = after_creation(tx, id, tags)?;
    with_transfer(tx, changed)
}

/// A transaction that was just added, so that it is in no transfer. `tags` are its tags, if they
/// are known.
pub(super) fn after_creation(
    tx: &mut FamilyTx<'_>,
    id: EntryId,
    tags: Option<Vec<Tag>>,
) -> Result<Transaction> {
    let LoadedTransaction { transaction, .. } = load_one(tx, id)?;
    let tags = match tags {
        Some(tags) => tags,
        None => tags_of(tx, id)?,
    };
    Ok(Transaction { tags, ..transaction })
}

/// A transaction with the transfer that it is a side of.
pub(super) fn with_transfer(
    tx: &mut FamilyTx<'_>,
    transaction: Transaction,
) -> Result<Transaction> {
    let id = transaction.id;
    let transfer = transfers::counterparts(tx, &[id.into()])?.remove(&id);
    Ok(Transaction { transfer, ..transaction })
}

fn load_one(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<LoadedTransaction> {
    let found = load(tx, &[id.into()])?;
    found.into_iter().next().ok_or(Error::NotFound { what: "Transaction" })
}

/// The visible transactions with some ids, without tags and transfers.
fn load(tx: &mut FamilyTx<'_>, ids: &[Val<'_>]) -> Result<Vec<LoadedTransaction>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let mut found = Vec::with_capacity(ids.len());
    tx.lookup(&TRANSACTIONS, &[family.into()], ids, |row| {
        let loaded = read(row)?;
        if visible.shows(&loaded.transaction.account) {
            found.push(loaded);
        }
        Ok(())
    })?;
    Ok(found)
}

fn tags_of(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Vec<Tag>> {
    Ok(tags(tx, &[id.into()])?.remove(&id).unwrap_or_default())
}

/// The tags of some entries, by name.
fn tags(tx: &mut FamilyTx<'_>, entries: &[Val<'_>]) -> Result<HashMap<EntryId, Vec<Tag>>> {
    let family = tx.family();
    let mut found: HashMap<EntryId, Vec<(String, Tag)>> = HashMap::new();
    tx.lookup(&TAGS, &[family.into()], entries, |row| {
        let named = (row.string(4)?, Tag::read(row, 1)?);
        found.entry(row.id(0)?).or_default().push(named);
        Ok(())
    })?;
    let by_name = found.into_iter().map(|(entry, mut tags)| {
        tags.sort_by(|(one, a), (other, b)| (one, a.id).cmp(&(other, b.id)));
        (entry, tags.into_iter().map(|(_, tag)| tag).collect())
    });
    Ok(by_name.collect())
}

fn read(row: &Row<'_>) -> Result<LoadedTransaction> {
    let transaction = Transaction {
        id: row.id(0)?,
        date: row.date(1)?,
        amount: row.int(2)?,
        currency: row.currency(3)?,
        name: row.string(4)?,
        notes: row.opt_string(5)?,
        pending: row.bool(6)?,
        source: row.opt_string(7)?,
        external_id: row.opt_string(8)?,
        created_at: row.timestamp(9)?,
        updated_at: row.timestamp(10)?,
        locked: Locks::from_bits(row.int(11)?),
        excluded: row.bool(12)?,
        is_split: row.bool(13)?,
        parent: row.opt_id(14)?,
        booked: booked(row)?,
        account: accounts::read_summary(row, 20)?,
        category: row.opt_uuid(24)?.map(|_| Category::read(row, 24)).transpose()?,
        merchant: match row.opt_id(30)? {
            Some(id) => Some(Merchant { id, name: row.string(31)? }),
            None => None,
        },
        tags: Vec::new(),
        transfer: None,
    };
    let booked = row.opt_int(15)?.unwrap_or(transaction.amount);
    Ok(LoadedTransaction { transaction, booked, has_origin: row.bool(32)? })
}

/// What the transaction was booked as, if it is converted.
fn booked(row: &Row<'_>) -> Result<Option<Booked>> {
    let (Some(amount), Some(origin)) = (row.opt_int(15)?, row.opt_text(19)?) else {
        return Ok(None);
    };
    Ok(Some(Booked {
        amount,
        currency: row.currency(16)?,
        rate: row.opt_text(17)?.map(decimal).transpose()?,
        given: row.bool(18)?,
        origin: serde_json::from_str(origin).map_err(Error::internal)?,
    }))
}
