//! Positions that bank statements state, beside those that follow from the ledger's trades.
//!
//! The positions of one statement at a time are in memory, and the first of those that differ stay.

use std::collections::{BTreeMap, BTreeSet};

use purser_core::bank_statement::{DIFFERING_KEPT_MAX, PositionComparison};
use purser_core::error::Result;
use purser_core::ids::{AccountId, BankStatementId, SecurityId};
use purser_core::import::trade::security::{KnownSecurities, SecurityText};
use purser_core::ledger::positions::{Segment, on};
use rust_decimal::Decimal;

use super::BankStatement;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::ledger::segments::segments;
use crate::rates::decimal;
use crate::securities;

statements! {
    /// The positions that a statement states.
    OF_STATEMENT = "SELECT security_id, name, isin, qty FROM bank_statement_positions
        WHERE family_id = $1 AND statement_id = $2 ORDER BY number";
    /// The tickers of securities.
    TICKERS = "SELECT id, ticker FROM securities WHERE family_id = $1 AND id = ANY($2)";
}

/// A position that a statement states.
struct Stated {
    security: Option<SecurityId>,
    /// The ticker, if the file has one.
    name: String,
    isin: Option<String>,
    quantity: Decimal,
}

/// Compares the positions of statements that state any.
pub(super) fn compare(tx: &mut FamilyTx<'_>, statements: &mut [BankStatement]) -> Result<()> {
    let with_positions = statements.iter_mut().filter(|one| one.positions.is_some());
    let mut with_positions: Vec<&mut BankStatement> = with_positions.collect();
    // One account after the other.
    with_positions.sort_by_key(|one| one.account);
    let mut segments_of: Option<(AccountId, BTreeMap<SecurityId, Vec<Segment>>)> = None;
    let mut known = None;
    for one in with_positions {
        let Some(positions) = &mut one.positions else { continue };
        if segments_of.as_ref().is_none_or(|(account, _)| *account != one.account) {
            let its = segments(tx, &[one.account])?.remove(&one.account).unwrap_or_default();
            segments_of = Some((one.account, its));
        }
        let of_account = segments_of.iter().flat_map(|(_, its)| its);
        let of_day = of_account.filter_map(|(security, segments)| {
            Some((*security, on(segments, positions.day)?.quantity))
        });
        let held: BTreeMap<SecurityId, Decimal> = of_day.collect();
        let stated = of_statement(tx, one.id)?;
        let stated = summed(found_again(tx, stated, &held, &mut known)?);
        positions.stated = stated.len() as u64;
        let mut differing = differing(stated, held);
        positions.differing_count = differing.len() as u64;
        differing.truncate(DIFFERING_KEPT_MAX);
        name(tx, &mut differing)?;
        positions.differing = differing;
        one.comparison.differing_positions = Some(positions.differing_count);
    }
    Ok(())
}

fn of_statement(tx: &mut FamilyTx<'_>, id: BankStatementId) -> Result<Vec<Stated>> {
    let family = tx.family();
    let mut stated = Vec::new();
    tx.for_each(&OF_STATEMENT, &[family.into(), id.into()], |row| {
        let quantity = decimal(row.text(3)?)?;
        let (security, name, isin) = (row.opt_id(0)?, row.string(1)?, row.opt_string(2)?);
        stated.push(Stated { security, name, isin, quantity });
        Ok(())
    })?;
    Ok(stated)
}

/// Positions with their securities as they are now: one that was deleted may be there again, with
/// another id. What the account holds is there.
fn found_again(
    tx: &mut FamilyTx<'_>,
    mut stated: Vec<Stated>,
    held: &BTreeMap<SecurityId, Decimal>,
    known: &mut Option<KnownSecurities>,
) -> Result<Vec<Stated>> {
    let ids = stated.iter().filter_map(|one| one.security);
    let ids: BTreeSet<SecurityId> = ids.filter(|id| !held.contains_key(id)).collect();
    let there = tickers(tx, &ids)?;
    for one in &mut stated {
        let is_gone = |id: &SecurityId| ids.contains(id) && !there.contains_key(id);
        if !one.security.as_ref().is_some_and(is_gone) {
            continue;
        }
        if known.is_none() {
            *known = Some(securities::known(tx)?);
        }
        let ticker = Some(one.name.as_str()).filter(|name| !name.is_empty());
        let text = SecurityText { ticker, isin: one.isin.as_deref(), ..SecurityText::default() };
        let meant = known.as_ref().and_then(|known| known.find(text).ok());
        one.security = meant.and_then(|meant| meant.id);
    }
    Ok(stated)
}

/// One position of each security: a file may have several identifiers of one.
fn summed(stated: Vec<Stated>) -> Vec<Stated> {
    let mut places: BTreeMap<SecurityId, usize> = BTreeMap::new();
    let mut summed: Vec<Stated> = Vec::with_capacity(stated.len());
    for one in stated {
        let place = one.security.and_then(|security| places.get(&security).copied());
        if let Some(known) = place.and_then(|place| summed.get_mut(place))
            && let Some(sum) = known.quantity.checked_add(one.quantity)
        {
            known.quantity = sum;
            continue;
        }
        if let Some(security) = one.security {
            places.insert(security, summed.len());
        }
        summed.push(one);
    }
    summed
}

/// What isn't held as it is stated. `held` is what the ledger has.
fn differing(
    stated: Vec<Stated>,
    mut held: BTreeMap<SecurityId, Decimal>,
) -> Vec<PositionComparison> {
    let mut found: Vec<PositionComparison> = Vec::new();
    for Stated { security, name, quantity, .. } in stated {
        let ledger = security.and_then(|security| held.remove(&security)).unwrap_or_default();
        found.push(PositionComparison { security, name, stated: quantity, ledger });
    }
    let unstated = held.into_iter().map(|(security, ledger)| PositionComparison {
        security: Some(security),
        name: String::new(),
        stated: Decimal::ZERO,
        ledger,
    });
    found.extend(unstated);
    found.retain(|one| one.stated != one.ledger);
    found.sort_by(|one, other| (&one.name, one.security).cmp(&(&other.name, other.security)));
    found
}

/// Names what only the ledger holds.
fn name(tx: &mut FamilyTx<'_>, differing: &mut [PositionComparison]) -> Result<()> {
    let nameless = differing.iter().filter(|one| one.name.is_empty());
    let keys: BTreeSet<SecurityId> = nameless.filter_map(|one| one.security).collect();
    let tickers = tickers(tx, &keys)?;
    for one in differing.iter_mut().filter(|one| one.name.is_empty()) {
        if let Some(ticker) = one.security.and_then(|security| tickers.get(&security)) {
            one.name.clone_from(ticker);
        }
    }
    Ok(())
}

/// The tickers of those that are there.
fn tickers(
    tx: &mut FamilyTx<'_>,
    ids: &BTreeSet<SecurityId>,
) -> Result<BTreeMap<SecurityId, String>> {
    let mut tickers = BTreeMap::new();
    if ids.is_empty() {
        return Ok(tickers);
    }
    let family = tx.family();
    let keys: Vec<Val<'_>> = ids.iter().map(|id| (*id).into()).collect();
    tx.lookup(&TICKERS, &[family.into()], &keys, |row| {
        tickers.insert(row.id(0)?, row.string(1)?);
        Ok(())
    })?;
    Ok(tickers)
}
