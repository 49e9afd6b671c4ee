//! What accounts that exist hold before a file with balances and after its publish, compared with
//! what the file states.

use std::collections::HashMap;

use jiff::ToSpan as _;
use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::import::layout::Layout;
use purser_core::import::mapping::ExistingRecords;
use purser_core::import::status::ImportStatus;
use purser_core::import::transaction::balance::own::OwnBalances;
use purser_core::import::transaction::balance::{BalanceEnds, Sense};
use purser_core::import::verdict::Counts;
use purser_core::plan::Target;
use purser_store::FamilyTx;
use purser_store::files::FileStore;
use purser_store::imports::{self, Blocks, Import, Mapping};
use purser_store::{accounts, balances};
use serde_json::Value;
use uuid::Uuid;

use super::names::{Names, resolve};
use super::reading::Source;
use super::streamed::entry_of;

/// Rows that are read again to find out which of them are added. With more, the balance after the
/// publish stays open.
const ROWS_MAX: u64 = 10_000;

/// A file with its plan.
pub(super) struct Planned<'a> {
    pub(super) source: &'a Source,
    pub(super) account: Option<AccountId>,
    pub(super) mappings: &'a [Mapping],
    pub(super) counts: Counts,
    pub(super) blocks: Option<&'a Blocks>,
}

/// The accounts that a stored import is to go into, if its file has balances; none while the plan
/// is being made anew, or once it is published, when there is nothing left to compare.
pub fn of_import(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
    mappings: &[Mapping],
) -> Result<Vec<OwnBalances>> {
    let is_open = matches!(import.status, ImportStatus::Pending | ImportStatus::Failed);
    let is_known = is_open && import.has_current_plan() && has_balance(import);
    let Some(counts) = import.plan.filter(|_| is_known) else {
        return Ok(Vec::new());
    };
    let source = Source::open(tx, files, import)?;
    let rows = import.rows_in_file();
    let blocks = match rows <= ROWS_MAX {
        true => Some(imports::plan_blocks(tx, import.id, 1, rows)?),
        false => None,
    };
    let (account, blocks) = (import.account, blocks.as_ref());
    of_plan(tx, &Planned { source: &source, account, mappings, counts, blocks })
}

/// Whether the stored layout has balances, in a column or in lines; without them nothing else is
/// read.
fn has_balance(import: &Import) -> bool {
    let layout = import.layout.as_deref().map(serde_json::from_str::<Layout>);
    let has_any = |layout: Layout| layout.balance.is_some() || layout.stated.is_some();
    layout.is_some_and(|layout| layout.is_ok_and(has_any))
}

/// The accounts that exist and that rows of a file go into. Without balances in the file there is
/// nothing to compare theirs with, but what they hold is known all the same.
pub(super) fn of_plan(tx: &mut FamilyTx<'_>, planned: &Planned<'_>) -> Result<Vec<OwnBalances>> {
    let layout = planned.source.layout();
    let (ends, sense): (Vec<BalanceEnds>, Option<Sense>) = match (&layout.balance, &layout.stated) {
        (Some(balance), _) => (balance.ends.clone(), Some(balance.sense)),
        // Lines state both as money of the account.
        (None, Some(stated)) => (vec![stated.clone()], Some(Sense::Money)),
        (None, None) => (layout.totals.iter().map(BalanceEnds::without_balance).collect(), None),
    };
    let existing = imports::existing(tx)?;
    let resolved = resolve(planned.mappings, &existing);
    let mut names = Names::new(resolved.preparation, planned.account);
    let mut by_account: Vec<(Uuid, Vec<&BalanceEnds>)> = Vec::new();
    for ends in &ends {
        let target = names.account(Some(&ends.account), ends.currency);
        let Some(Target::Existing(id)) = target else { continue };
        // Rows in another currency are no part of a balance in the account's.
        if existing.account_currency(id) != Some(ends.currency) {
            continue;
        }
        match by_account.iter_mut().find(|(known, _)| *known == id) {
            Some((_, known)) => known.push(ends),
            None => by_account.push((id, vec![ends])),
        }
    }
    if by_account.is_empty() {
        return Ok(Vec::new());
    }
    let added = added(planned, &mut names, &existing)?;
    let mut found = Vec::new();
    for (id, ends) in by_account {
        // With several chains for one account the file states no balance of the account.
        let [ends] = ends.as_slice() else { continue };
        let account = AccountId(id);
        let summary = accounts::get(tx, account)?.summary;
        let Ok(day_before) = ends.first_day.checked_sub(1.day()) else { continue };
        let before = balances::at_end_of(tx, account, day_before)?;
        let after = match &added {
            Some(added) if balances::follows_flows(tx, account, ends.first_day, ends.last_day)? => {
                let now = balances::at_end_of(tx, account, ends.last_day)?;
                let classification = summary.account_type.classification();
                let flow = added.get(&id).copied().unwrap_or(Some(0));
                let change = flow.map(|flow| i128::from(classification.sign()) * flow);
                change.and_then(|change| i64::try_from(i128::from(now) + change).ok())
            }
            _ => None,
        };
        let classification = summary.account_type.classification();
        // Without a balance there is no other sense than the account's own.
        let sense = sense.unwrap_or(Sense::of(classification));
        let account = (summary.name, classification);
        found.extend(OwnBalances::new(account, (ends, sense), before, after));
    }
    Ok(found)
}

/// Puts the comparison, if there is any, beside the column of balances that was found in the file.
pub fn show(source: &mut Value, own: &[OwnBalances]) {
    if own.is_empty() {
        return;
    }
    if let Some(Value::Object(balance)) = source.get_mut("balance") {
        balance.insert("ledger".into(), own.iter().map(OwnBalances::shown).collect());
    }
}

/// What the rows that are added come to in each account that exists, money out positive, and
/// nothing of an account that rows in another currency go into; nothing at all if that isn't
/// looked at.
fn added(
    planned: &Planned<'_>,
    names: &mut Names,
    existing: &ExistingRecords,
) -> Result<Option<HashMap<Uuid, Option<i128>>>> {
    let mut sums: HashMap<Uuid, Option<i128>> = HashMap::new();
    if planned.counts.created() == 0 {
        return Ok(Some(sums));
    }
    let Some(blocks) = planned.blocks.filter(|_| planned.counts.all() <= ROWS_MAX) else {
        return Ok(None);
    };
    planned.source.visit_all(|visited| {
        if !blocks.get(visited.row)?.verdict.creates() {
            return Ok(());
        }
        if let Ok(row) = visited.outcome
            && row.side_record().is_none()
        {
            let row = entry_of(&row)?.money();
            if let Some(Target::Existing(id)) = names.account(row.account, row.currency) {
                let is_same = existing.account_currency(id) == Some(row.currency);
                let sum = sums.entry(id).or_insert(Some(0));
                *sum = sum.filter(|_| is_same).map(|sum| sum + i128::from(row.amount));
            }
        }
        Ok(())
    })?;
    Ok(Some(sums))
}
