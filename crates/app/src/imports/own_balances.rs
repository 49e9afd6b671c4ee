//! What accounts that exist hold before a file with balances and after its publish, compared with
//! what the file states.

use jiff::ToSpan as _;
use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::import::layout::Layout;
use purser_core::import::planned_flow::PlannedFlow;
use purser_core::import::status::ImportStatus;
use purser_core::import::transaction::balance::own::OwnBalances;
use purser_core::import::transaction::balance::{BalanceEnds, Sense};
use purser_core::plan::Target;
use purser_store::FamilyTx;
use purser_store::imports::{self, Import, Mapping};
use purser_store::{accounts, balances};
use serde_json::Value;
use uuid::Uuid;

use super::names::{Names, resolve};

/// A file with its plan.
pub(super) struct Planned<'a> {
    pub(super) layout: &'a Layout,
    pub(super) account: Option<AccountId>,
    pub(super) mappings: &'a [Mapping],
    /// What the rows that the plan adds come to in accounts that exist, if that is known.
    pub(super) flows: Option<&'a [PlannedFlow]>,
}

/// The accounts that a stored import is to go into, if its file has balances; none while the plan
/// is being made anew, or once it is published, when there is nothing left to compare.
pub fn of_import(
    tx: &mut FamilyTx<'_>,
    import: &Import,
    mappings: &[Mapping],
) -> Result<Vec<OwnBalances>> {
    let is_open = matches!(import.status, ImportStatus::Pending | ImportStatus::Failed);
    let stored = import.layout.as_deref().filter(|_| is_open && import.has_current_plan());
    let layout = stored.map(serde_json::from_str::<Layout>).and_then(std::result::Result::ok);
    let has_balance = |layout: &Layout| layout.stated_ends().is_some();
    let Some(layout) = layout.filter(has_balance) else { return Ok(Vec::new()) };
    let flows = import.plan_flows.as_deref();
    of_plan(tx, &Planned { layout: &layout, account: import.account, mappings, flows })
}

/// The accounts that exist and that rows of a file go into. Without balances in the file there is
/// nothing to compare theirs with, but what they hold is known all the same.
pub(super) fn of_plan(tx: &mut FamilyTx<'_>, planned: &Planned<'_>) -> Result<Vec<OwnBalances>> {
    let layout = planned.layout;
    let (ends, sense): (Vec<BalanceEnds>, Option<Sense>) = match layout.stated_ends() {
        Some((ends, sense)) => (ends.to_vec(), Some(sense)),
        None => (layout.totals.iter().map(BalanceEnds::without_balance).collect(), None),
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
    let mut found = Vec::new();
    for (id, ends) in by_account {
        // With several chains for one account the file states no balance of the account.
        let [ends] = ends.as_slice() else { continue };
        let account = AccountId(id);
        let summary = accounts::summary(tx, account)?;
        let Ok(day_before) = ends.first_day.checked_sub(1.day()) else { continue };
        let before = balances::at_end_of(tx, account, day_before)?;
        let after = match planned.flows {
            Some(flows) if balances::follows_flows(tx, account, ends.first_day, ends.last_day)? => {
                let now = balances::at_end_of(tx, account, ends.last_day)?;
                let classification = summary.account_type.classification();
                let flow = flows.iter().find(|flow| flow.account == account);
                let flow = flow.map_or(Some(0), |flow| flow.amount);
                let change = flow.map(|flow| i128::from(classification.sign()) * i128::from(flow));
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

/// Puts the comparison, if there is any, beside the balances that were found in the file: in a
/// column, or in lines.
pub fn show(source: &mut Value, own: &[OwnBalances]) {
    if own.is_empty() {
        return;
    }
    let has_ends = source["balance"]["accounts"].as_array().is_some_and(|ends| !ends.is_empty());
    let stated = if has_ends { "balance" } else { "stated_balances" };
    if let Some(Value::Object(stated)) = source.get_mut(stated) {
        stated.insert("ledger".into(), own.iter().map(OwnBalances::shown).collect());
    }
}
