//! Transfers between the family's own accounts: lists, single ones, and what transactions show.
//!
//! A transfer points to two transactions and is read together with them. A caller that may not see
//! one of the two accounts, or asks while one is hidden, doesn't see the transfer.
//!
//! * [`changes`]: changes by persons.
//! * [`matching`]: what the matching reads and writes.
//! * [`rejected`]: pairs that are not to be proposed again.
//! * [`stated`]: transfers that a file of an import states.

pub mod changes;
pub mod matching;
pub mod rejected;
pub(crate) mod sides;
pub mod stated;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, TransferId};
use purser_core::money::Currency;
use purser_core::transfers::{Maker, TransferStatus, TransferType};

use crate::access::FamilyTx;
use crate::accounts::{self, AccountSummary};
use crate::driver::{Filter, Query, Row, Sql, Val, statements, vals};
use crate::families::FamilyId;

pub use sides::Side;

statements! {
    /// The transfer with an id.
    TRANSFER_BY_ID = "SELECT t.id, t.status, t.made_by, t.score, t.reasons, t.created_at,
            t.updated_at,
            o.id, o.date, o.amount, o.currency, o.name, a.id, a.name, a.account_type, a.status,
            i.id, i.date, i.amount, i.currency, i.name, b.id, b.name, b.account_type, b.status
        FROM transfers t
        JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
        JOIN accounts a ON a.family_id = $1 AND a.id = o.account_id
        JOIN ledger_entries i ON i.family_id = $1 AND i.id = t.inflow_id
        JOIN accounts b ON b.family_id = $1 AND b.id = i.account_id
        WHERE t.family_id = $1 AND t.id = $2";
    /// The transfers that entries are sides of: the entry, the transfer, the other side with its
    /// account, and what went out.
    COUNTERPARTS = "SELECT t.outflow_id, t.id, t.status, t.score, t.inflow_id, o.amount,
            o.currency, a.id, a.name, a.account_type, a.status
        FROM transfers t
        JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
        JOIN ledger_entries i ON i.family_id = $1 AND i.id = t.inflow_id
        JOIN ledger_accounts a ON a.family_id = $1 AND a.id = i.account_id
        WHERE t.family_id = $1 AND t.outflow_id = ANY($2)
        UNION ALL
        SELECT t.inflow_id, t.id, t.status, t.score, t.outflow_id, o.amount,
            o.currency, a.id, a.name, a.account_type, a.status
        FROM transfers t
        JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
        JOIN ledger_accounts a ON a.family_id = $1 AND a.id = o.account_id
        WHERE t.family_id = $1 AND t.inflow_id = ANY($2)";
}

const SELECT: &str = "SELECT t.id, t.status, t.made_by, t.score, t.reasons, t.created_at,
        t.updated_at,
        o.id, o.date, o.amount, o.currency, o.name, a.id, a.name, a.account_type, a.status,
        i.id, i.date, i.amount, i.currency, i.name, b.id, b.name, b.account_type, b.status
    FROM transfers t
    JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
    JOIN accounts a ON a.family_id = $1 AND a.id = o.account_id
    JOIN ledger_entries i ON i.family_id = $1 AND i.id = t.inflow_id
    JOIN accounts b ON b.family_id = $1 AND b.id = i.account_id";
const SELECT_COUNT: &str = "SELECT COUNT(*) FROM transfers t
    JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
    JOIN ledger_entries i ON i.family_id = $1 AND i.id = t.inflow_id";
const NEWEST_FIRST: &str = "ORDER BY o.date DESC, t.id DESC LIMIT ? OFFSET ?";

/// A transfer with both sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// The id of the transfer.
    pub id: TransferId,
    /// Whether it is proposed or confirmed.
    pub status: TransferStatus,
    /// Who or what created it.
    pub made_by: Maker,
    /// The score, from 0 to 100.
    pub score: u8,
    /// The reasons for the score, in sentences.
    pub reasons: Vec<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// Where the money went out.
    pub outflow: Side,
    /// Where it came in.
    pub inflow: Side,
}

impl Transfer {
    /// What it is for.
    pub fn transfer_type(&self) -> TransferType {
        TransferType::into_account(self.inflow.account.account_type)
    }
}

/// What a transaction shows of the transfer that it is a side of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counterpart {
    /// The id of the transfer.
    pub id: TransferId,
    /// Whether it is proposed or confirmed.
    pub status: TransferStatus,
    /// The transaction on the other side.
    pub transaction: EntryId,
    /// The other side's account.
    pub account: AccountSummary,
    /// What went out, in the currency's scale; positive.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
}

/// Which transfers are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// Only of this status.
    pub status: Option<TransferStatus>,
    /// Only with this account on one side.
    pub account: Option<AccountId>,
    /// From this day on, by the day on which the money went out.
    pub start: Option<Date>,
    /// Up to this day.
    pub end: Option<Date>,
}

/// A page of the transfers with both sides in visible accounts, by the day on which the money went
/// out, newest first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Transfer>, u64)> {
    let family = tx.family();
    let filter = filter(family, &listing, &shown(tx)?);
    let total = tx.query_one(&filter.query(SELECT_COUNT, "", []), &[], |row| row.count(0))?;
    let page = filter.query(SELECT, NEWEST_FIRST, [limit.into(), offset.into()]);
    Ok((tx.query(&page, &[], read)?, total))
}

fn filter<'a>(family: FamilyId, listing: &Listing, shown: &[AccountId]) -> Filter<'a> {
    let accounts = || shown.iter().map(|id| Val::from(*id));
    let mut filter = Filter::of_family("t.family_id = ?", family)
        .and_opt("t.status = ?", listing.status.map(TransferStatus::as_str))
        .and_in("o.account_id", accounts())
        .and_in("i.account_id", accounts())
        .and_opt("o.date >= ?", listing.start)
        .and_opt("o.date <= ?", listing.end);
    if let Some(account) = listing.account {
        let either = "o.account_id = ? OR i.account_id = ?";
        filter = filter.and(either, [account.into(), account.into()]);
    }
    filter
}

/// The transfer with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: TransferId) -> Result<Transfer> {
    let (family, visible) = (tx.family(), tx.accounts());
    tx.query_opt(&TRANSFER_BY_ID, vals![family, id], read)?
        .filter(|transfer| {
            visible.shows(&transfer.outflow.account) && visible.shows(&transfer.inflow.account)
        })
        .ok_or(Error::NotFound { what: "Transfer" })
}

/// The transfers that some entries are sides of, as far as the account of the other side may be
/// seen. Of several it is the confirmed one, or the proposal with the highest score.
pub(crate) fn counterparts(
    tx: &mut FamilyTx<'_>,
    entries: &[Val<'_>],
) -> Result<HashMap<EntryId, Counterpart>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let mut found: HashMap<EntryId, (Rank, Counterpart)> = HashMap::new();
    tx.lookup(&COUNTERPARTS, &[family.into()], entries, |row| {
        let account = accounts::read_summary(row, 7)?;
        if !visible.shows(&account) {
            return Ok(());
        }
        let (id, status) = (row.id(1)?, row.named(2)?);
        let rank = (status == TransferStatus::Confirmed, row.int(3)?, Reverse(id));
        let counterpart = Counterpart {
            id,
            status,
            transaction: row.id(4)?,
            account,
            amount: row.int(5)?,
            currency: row.currency(6)?,
        };
        let entry = row.id(0)?;
        if found.get(&entry).is_none_or(|(best, _)| *best < rank) {
            found.insert(entry, (rank, counterpart));
        }
        Ok(())
    })?;
    Ok(found.into_iter().map(|(entry, (_, counterpart))| (entry, counterpart)).collect())
}

/// What makes one transfer of an entry come before another: confirmed, score, the older one.
type Rank = (bool, i64, Reverse<TransferId>);

/// The accounts with entries that lists show.
fn shown(tx: &mut FamilyTx<'_>) -> Result<Vec<AccountId>> {
    Ok(accounts::shown(tx)?.into_iter().map(|account| account.summary.id).collect())
}

fn read(row: &Row<'_>) -> Result<Transfer> {
    Ok(Transfer {
        id: row.id(0)?,
        status: row.named(1)?,
        made_by: row.named(2)?,
        score: u8::try_from(row.int(3)?).map_err(Error::internal)?,
        reasons: serde_json::from_str(row.text(4)?).map_err(Error::internal)?,
        created_at: row.timestamp(5)?,
        updated_at: row.timestamp(6)?,
        outflow: sides::read(row, 7)?,
        inflow: sides::read(row, 16)?,
    })
}

/// The statements of these modules, for the test that prepares them.
pub(crate) fn statements() -> [(&'static str, &'static [(&'static str, Sql)]); 6] {
    [
        ("transfers", STATEMENTS),
        ("transfers::changes", changes::STATEMENTS),
        ("transfers::matching", matching::STATEMENTS),
        ("transfers::rejected", rejected::STATEMENTS),
        ("transfers::sides", sides::STATEMENTS),
        ("transfers::stated", stated::STATEMENTS),
    ]
}

/// The widest queries of these modules, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let family = FamilyId::from_number(1);
    let (account, day) = (AccountId(uuid::Uuid::nil()), Some(Date::constant(2000, 1, 1)));
    let listing = Listing {
        status: Some(TransferStatus::Pending),
        account: Some(account),
        start: day,
        end: day,
    };
    let filter = filter(family, &listing, &[account]);
    let mut examples = vec![
        filter.query(SELECT, NEWEST_FIRST, [1.into(), 1.into()]),
        filter.query(SELECT_COUNT, "", []),
    ];
    examples.extend(rejected::query_examples(family, account));
    examples
}
