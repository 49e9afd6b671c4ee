//! What the matching reads and writes.
//!
//! [`find`] reads in a snapshot: the entries of the days in question, by the index of days, and
//! around them as far as the result depends on it. [`apply`] writes in a transaction of its own, a
//! slice at a time, and checks each pair once more: in between, persons may have changed entries,
//! or rejected or confirmed pairs. Doing it again changes nothing.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{EntryId, TransferId};
use purser_core::transfers::{
    Account, CONTEXT_DAYS, Context, DAYS_MAX, Decision, Entry, Maker, MatchedPair, Matcher,
    TransferStatus,
};
use serde_json::json;

use super::changes::{TRANSFER_ADD, TRANSFER_REMOVE, TRANSFERS_SETTLE};
use crate::access::FamilyTx;
use crate::accounts;
use crate::audit::{self, Actor};
use crate::driver::{Row, date_to_days, statements, vals};

statements! {
    /// The days on which a range of ids has transactions.
    DAYS_OF_RANGE = "SELECT DISTINCT date FROM ledger_entries
        WHERE family_id = $1 AND id >= $2 AND id <= $3 AND kind = 0 ORDER BY date";
    /// The first and the last day on which a range of ids has transactions.
    BOUNDS_OF_RANGE = "SELECT MIN(date), MAX(date) FROM ledger_entries
        WHERE family_id = $1 AND id >= $2 AND id <= $3 AND kind = 0";
    /// The first and the last day with an entry.
    DAYS_OF_ALL = "SELECT MIN(date), MAX(date) FROM ledger_entries WHERE family_id = $1";
    /// The entries of some days, by day.
    ENTRIES_OF_DAYS = "SELECT e.id, e.account_id, e.date, e.amount, e.currency, e.name,
            SUBSTR(e.notes, 1, 200), e.category_id, e.pending,
            CASE WHEN e.amount > 0 THEN
                EXISTS (SELECT 1 FROM transfers t WHERE t.family_id = $1
                    AND t.outflow_id = e.id AND t.status = 'confirmed')
            ELSE
                EXISTS (SELECT 1 FROM transfers t WHERE t.family_id = $1
                    AND t.inflow_id = e.id AND t.status = 'confirmed')
            END
        FROM ledger_entries e
        WHERE e.family_id = $1 AND e.date >= $2 AND e.date <= $3 AND e.kind = 0 AND NOT e.is_split
        ORDER BY e.date";
    /// Names of categories, with their parents.
    CATEGORY_PATHS = "SELECT c.id, c.name, p.name FROM categories c
        LEFT JOIN categories p ON p.family_id = $1 AND p.id = c.parent_id
        WHERE c.family_id = $1";
    /// Pairs that are no transfers.
    REJECTED_PAIRS = "SELECT outflow_id, inflow_id FROM rejected_transfers WHERE family_id = $1";
    /// The proposals of the matching.
    PROPOSALS = "SELECT t.id, t.outflow_id, t.inflow_id, t.score, t.reasons, o.date, i.date
        FROM transfers t
        JOIN ledger_entries o ON o.family_id = $1 AND o.id = t.outflow_id
        JOIN ledger_entries i ON i.family_id = $1 AND i.id = t.inflow_id
        WHERE t.family_id = $1 AND t.status = 'pending' AND t.made_by = 'matching'";
    /// Whether a pair can be a transfer.
    PAIR_STANDS = "SELECT 1 FROM ledger_entries o
        JOIN ledger_entries i ON i.family_id = $1
        WHERE o.family_id = $1 AND o.id = $2 AND i.id = $3 AND o.kind = 0 AND i.kind = 0
            AND NOT o.is_split AND NOT i.is_split
            AND o.amount > 0 AND o.amount = -i.amount AND o.currency = i.currency
            AND o.account_id <> i.account_id AND NOT o.pending AND NOT i.pending
            AND o.date - i.date BETWEEN -CAST($4 AS BIGINT) AND CAST($4 AS BIGINT)
            AND NOT EXISTS (SELECT 1 FROM rejected_transfers r WHERE r.family_id = $1
                AND r.outflow_id = $2 AND r.inflow_id = $3)
            AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.family_id = $1
                AND t.outflow_id = $2 AND t.status = 'confirmed')
            AND NOT EXISTS (SELECT 1 FROM transfers t WHERE t.family_id = $1
                AND t.inflow_id = $3 AND t.status = 'confirmed')";
    /// What the matching thinks of a proposal by now.
    PROPOSAL_UPDATE = "UPDATE transfers
        SET status = $1, score = $2, reasons = $3, updated_at = $4
        WHERE family_id = $5 AND id = $6 AND status = 'pending'";
}

/// Proposals that one run makes at most: the best, and of those the newest. Nobody reviews more,
/// and each of them takes the writer's time.
const PROPOSALS_MAX: usize = 2_000;

/// Days by number, counted as the database does.
pub type Days = RangeInclusive<i64>;

/// What a run of the matching did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Applied {
    /// Pairs that were made without asking.
    pub confirmed: u64,
    /// Pairs that are proposed from now on.
    pub proposed: u64,
    /// Proposals that no longer hold.
    pub withdrawn: u64,
}

impl std::ops::AddAssign for Applied {
    fn add_assign(&mut self, other: Self) {
        self.confirmed += other.confirmed;
        self.proposed += other.proposed;
        self.withdrawn += other.withdrawn;
    }
}

/// The days with pairs that may be different because of the transactions in a range of ids. Days
/// that lie together are one range.
pub fn days_of_range(tx: &mut FamilyTx<'_>, first: EntryId, last: EntryId) -> Result<Vec<Days>> {
    let family = tx.family();
    let mut ranges: Vec<Days> = Vec::new();
    tx.for_each(&DAYS_OF_RANGE, vals![family, first, last], |row| {
        let day = row.int(0)?;
        let affected = widened(day..=day, CONTEXT_DAYS);
        match ranges.last_mut().filter(|last| needed(last).end() >= needed(&affected).start()) {
            Some(last) => *last = *last.start()..=*affected.end(),
            None => ranges.push(affected),
        }
        Ok(())
    })?;
    Ok(ranges)
}

/// The first and the last day on which a range of ids has transactions.
pub fn bounds_of_range(
    tx: &mut FamilyTx<'_>,
    first: EntryId,
    last: EntryId,
) -> Result<Option<(Date, Date)>> {
    let family = tx.family();
    let key = vals![family, first, last];
    let (first, last) =
        tx.query_one(&BOUNDS_OF_RANGE, key, |row| Ok((row.opt_date(0)?, row.opt_date(1)?)))?;
    Ok(first.zip(last))
}

/// The days with pairs that may be different because of what happened from `first` to `last`.
pub fn days_around(first: Date, last: Date) -> Days {
    widened(date_to_days(first)..=date_to_days(last), CONTEXT_DAYS)
}

/// All days of the family.
pub fn all_days(tx: &mut FamilyTx<'_>) -> Result<Vec<Days>> {
    let family = tx.family();
    let (first, last) =
        tx.query_one(&DAYS_OF_ALL, vals![family], |row| Ok((row.opt_int(0)?, row.opt_int(1)?)))?;
    Ok(first.zip(last).map(|(first, last)| first..=last).into_iter().collect())
}

/// Pairs of which at least one side lies in the days. Of proposals only the best are kept.
pub fn find(tx: &mut FamilyTx<'_>, days: &[Days]) -> Result<Vec<MatchedPair>> {
    let family = tx.family();
    let context = context(tx)?;
    let (mut certain, mut proposals) = (Vec::new(), Vec::new());
    if context.accounts.len() < 2 {
        return Ok(certain);
    }
    for range in days {
        let mut matcher = Matcher::new(&context);
        let mut take = |found: MatchedPair| {
            if range.contains(&found.days.0) || range.contains(&found.days.1) {
                let is_certain = found.decision == Decision::Confirm;
                if is_certain { certain.push(found) } else { keep(&mut proposals, found) }
            }
        };
        let needed = needed(range);
        tx.for_each(&ENTRIES_OF_DAYS, vals![family, *needed.start(), *needed.end()], |row| {
            matcher.push(entry(row)?, &mut take)
        })?;
        matcher.finish(&mut take);
    }
    cut(&mut proposals);
    certain.append(&mut proposals);
    Ok(certain)
}

/// The days that decide on the pairs of some days: the other side, and what is around that.
fn needed(days: &Days) -> Days {
    widened(days.clone(), DAYS_MAX + CONTEXT_DAYS)
}

fn widened(days: Days, by: i64) -> Days {
    days.start().saturating_sub(by)..=days.end().saturating_add(by)
}

fn keep(proposals: &mut Vec<MatchedPair>, found: MatchedPair) {
    proposals.push(found);
    if proposals.len() >= 2 * PROPOSALS_MAX {
        cut(proposals);
    }
}

fn cut(proposals: &mut Vec<MatchedPair>) {
    proposals.sort_unstable_by_key(|found| {
        std::cmp::Reverse((found.score, found.days.0, found.outflow, found.inflow))
    });
    proposals.truncate(PROPOSALS_MAX);
}

fn context(tx: &mut FamilyTx<'_>) -> Result<Context> {
    let family = tx.family();
    let known = accounts::known(tx)?.into_iter().map(|account| account.summary);
    let accounts = known
        .filter(|account| account.status.is_visible())
        .map(|account| {
            let (name, account_type) = (account.name, account.account_type);
            (account.id, Account { name, account_type })
        })
        .collect();
    let categories = tx.query(&CATEGORY_PATHS, vals![family], |row| {
        let name = row.text(1)?;
        let path = match row.opt_text(2)? {
            Some(parent) => format!("{parent}:{name}"),
            None => name.to_owned(),
        };
        Ok((row.id(0)?, path))
    })?;
    let rejected = tx.query(&REJECTED_PAIRS, vals![family], |row| Ok((row.id(0)?, row.id(1)?)))?;
    Ok(Context {
        accounts,
        categories: categories.into_iter().collect(),
        rejected: rejected.into_iter().collect(),
    })
}

fn entry(row: &Row<'_>) -> Result<Entry> {
    Ok(Entry {
        id: row.id(0)?,
        account: row.id(1)?,
        day: row.int(2)?,
        amount: row.int(3)?,
        currency: row.currency(4)?,
        name: row.string(5)?,
        notes: row.opt_string(6)?,
        category: row.opt_id(7)?,
        pending: row.bool(8)?,
        // Nothing is split yet.
        split: false,
        taken: row.bool(9)?,
    })
}

/// A proposal that is there.
struct Proposal {
    id: TransferId,
    score: i64,
    reasons: String,
    days: (i64, i64),
}

type Proposals = HashMap<(EntryId, EntryId), Proposal>;

fn proposals(tx: &mut FamilyTx<'_>) -> Result<Proposals> {
    let family = tx.family();
    let found = tx.query(&PROPOSALS, vals![family], |row| {
        let proposal = Proposal {
            id: row.id(0)?,
            score: row.int(3)?,
            reasons: row.string(4)?,
            days: (row.int(5)?, row.int(6)?),
        };
        Ok(((row.id(1)?, row.id(2)?), proposal))
    })?;
    Ok(found.into_iter().collect())
}

/// Writes a slice of what was found, as far as it still holds.
pub fn apply(tx: &mut FamilyTx<'_>, found: &[MatchedPair]) -> Result<Applied> {
    let family = tx.family();
    let mut applied = Applied::default();
    let proposals = proposals(tx)?;
    let now = tx.now();
    for one in found {
        let (outflow, inflow) = (one.outflow, one.inflow);
        let pair = vals![family, outflow, inflow, DAYS_MAX];
        if tx.query_opt(&PAIR_STANDS, pair, |_| Ok(()))?.is_none() {
            continue;
        }
        let is_certain = one.decision == Decision::Confirm;
        let status =
            if is_certain { TransferStatus::Confirmed } else { TransferStatus::Pending }.as_str();
        let score = i64::from(one.score);
        let reasons = serde_json::to_string(&one.reasons).map_err(Error::internal)?;
        match proposals.get(&(outflow, inflow)) {
            Some(old) if !is_certain && old.score == score && old.reasons == reasons => continue,
            Some(Proposal { id, .. }) => {
                let values = vals![status, score, &reasons, now, family, *id];
                tx.execute(&PROPOSAL_UPDATE, values)?;
            }
            None => {
                let (id, maker) = (tx.new_id()?, Maker::Matching.as_str());
                let row = vals![family, id, outflow, inflow, status, maker, score, &reasons, now];
                tx.execute(&TRANSFER_ADD, row)?;
                applied.proposed += u64::from(!is_certain);
            }
        }
        if is_certain {
            tx.execute(&TRANSFERS_SETTLE, vals![family, outflow, inflow])?;
            applied.confirmed += 1;
        }
    }
    Ok(applied)
}

/// Withdraws proposals of the days that were not found again, and writes down what the run did.
pub fn finish(
    tx: &mut FamilyTx<'_>,
    days: &[Days],
    found: &[MatchedPair],
    mut applied: Applied,
) -> Result<Applied> {
    let family = tx.family();
    let mut stale = proposals(tx)?;
    for one in found {
        stale.remove(&(one.outflow, one.inflow));
    }
    let is_seen = |(out, into): (i64, i64)| {
        days.iter().any(|range| range.contains(&out) || range.contains(&into))
    };
    for proposal in stale.into_values().filter(|proposal| is_seen(proposal.days)) {
        applied.withdrawn += tx.execute(&TRANSFER_REMOVE, vals![family, proposal.id])?;
    }
    if applied != Applied::default() {
        let Applied { confirmed, proposed, withdrawn } = applied;
        let event = audit::Event {
            actor: Actor::System,
            action: "transfers.match",
            subject_kind: "transfer",
            subject_id: None,
            details: json!({
                "confirmed": confirmed, "proposed": proposed, "withdrawn": withdrawn
            }),
        };
        audit::record(tx, &event)?;
    }
    Ok(applied)
}
