//! Positions that bank statements state, beside those that follow from the ledger's trades.

use std::collections::{BTreeMap, BTreeSet};

use purser_core::bank_statement::{PositionComparison, PositionsComparison};
use purser_core::error::Result;
use purser_core::ids::{AccountId, BankStatementId, SecurityId};
use purser_core::ledger::positions::on;
use rust_decimal::Decimal;

use super::BankStatement;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::ledger::segments::segments;
use crate::rates::decimal;

statements! {
    /// The positions that statements state.
    OF_STATEMENTS = "SELECT statement_id, security_id, name, qty FROM bank_statement_positions
        WHERE family_id = $1 AND statement_id = ANY($2)";
    /// The tickers of securities.
    TICKERS = "SELECT id, ticker FROM securities WHERE family_id = $1 AND id = ANY($2)";
}

/// A position that a statement states.
struct Stated {
    security: Option<SecurityId>,
    name: String,
    quantity: Decimal,
}

/// Compares the positions of statements that state any.
pub(super) fn compare(tx: &mut FamilyTx<'_>, statements: &mut [BankStatement]) -> Result<()> {
    let with_positions = |one: &&BankStatement| one.positions.is_some();
    let (mut ids, mut accounts) = (BTreeSet::new(), BTreeSet::new());
    for one in statements.iter().filter(with_positions) {
        ids.insert(one.id);
        accounts.insert(one.account);
    }
    if ids.is_empty() {
        return Ok(());
    }
    let family = tx.family();
    let keys: Vec<Val<'_>> = ids.into_iter().map(Into::into).collect();
    let mut stated: BTreeMap<BankStatementId, Vec<Stated>> = BTreeMap::new();
    tx.lookup(&OF_STATEMENTS, &[family.into()], &keys, |row| {
        let quantity = decimal(row.text(3)?)?;
        let one = Stated { security: row.opt_id(1)?, name: row.string(2)?, quantity };
        stated.entry(row.id(0)?).or_default().push(one);
        Ok(())
    })?;
    let accounts: Vec<AccountId> = accounts.into_iter().collect();
    let held = segments(tx, &accounts)?;
    for one in statements.iter_mut() {
        let Some(positions) = &mut one.positions else { continue };
        let stated = stated.remove(&one.id).unwrap_or_default();
        positions.stated = stated.len() as u64;
        let of_account = held.get(&one.account).into_iter().flatten();
        let of_day = of_account.filter_map(|(security, segments)| {
            Some((*security, on(segments, positions.day)?.quantity))
        });
        positions.differing = differing(stated, of_day.collect());
        one.comparison.differing_positions = Some(positions.differing.len() as u64);
    }
    name(tx, statements)
}

/// What isn't held as it is stated. `held` is what the ledger has.
fn differing(
    stated: Vec<Stated>,
    mut held: BTreeMap<SecurityId, Decimal>,
) -> Vec<PositionComparison> {
    let mut found: Vec<PositionComparison> = Vec::new();
    for Stated { security, name, quantity } in stated {
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
fn name(tx: &mut FamilyTx<'_>, statements: &mut [BankStatement]) -> Result<()> {
    let positions = || statements.iter().filter_map(|one| one.positions.as_ref());
    let nameless = positions().flat_map(PositionsComparison::nameless);
    let keys: BTreeSet<SecurityId> = nameless.collect();
    if keys.is_empty() {
        return Ok(());
    }
    let family = tx.family();
    let keys: Vec<Val<'_>> = keys.into_iter().map(Into::into).collect();
    let mut tickers: BTreeMap<SecurityId, String> = BTreeMap::new();
    tx.lookup(&TICKERS, &[family.into()], &keys, |row| {
        tickers.insert(row.id(0)?, row.string(1)?);
        Ok(())
    })?;
    let positions = statements.iter_mut().filter_map(|one| one.positions.as_mut());
    for one in positions.flat_map(|positions| &mut positions.differing) {
        if one.name.is_empty()
            && let Some(ticker) = one.security.and_then(|security| tickers.get(&security))
        {
            one.name.clone_from(ticker);
        }
    }
    Ok(())
}
