//! Holdings of a plan: securities, what they are called, prices and positions; and their way back.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::SecurityId;
use purser_core::ledger::security::SecurityValues;
use purser_core::ledger::valuing::{Price, PriceSource};
use purser_core::money::decimal::quantity_text;
use purser_core::sync::holdings::{HoldingChange, HoldingsPlan, SecurityRef};
use uuid::Uuid;

use super::images::{HoldingImage, Image};
use crate::access::FamilyTx;
use crate::driver::{statements, vals};
use crate::ledger::Executor;
use crate::ledger::position_statements::{ReportImage, ReportKey, report};
use crate::ledger::records::Record as _;
use crate::prices::provider;
use crate::securities::record::SecurityRecord;
use crate::sync_rows::SourceAccount;
use crate::{sync_holdings, sync_rows};

statements! {
    /// A security that somebody has changed or uses.
    SECURITY_STAYS = "SELECT 1 FROM securities s WHERE s.family_id = $1 AND s.id = $2 AND (
        s.updated_at <> s.created_at
        OR EXISTS (SELECT 1 FROM trades t WHERE t.family_id = $1 AND t.security_id = s.id)
        OR EXISTS (SELECT 1 FROM position_statements p
            WHERE p.family_id = $1 AND p.security_id = s.id)
        OR EXISTS (SELECT 1 FROM position_segments g
            WHERE g.family_id = $1 AND g.security_id = s.id)
        OR EXISTS (SELECT 1 FROM security_prices r
            WHERE r.family_id = $1 AND r.security_id = s.id)
        OR EXISTS (SELECT 1 FROM sync_holdings c
            WHERE c.family_id = $1 AND c.security_id = s.id)
        OR EXISTS (SELECT 1 FROM holdings h WHERE h.family_id = $1 AND h.security_id = s.id
            AND (h.cost_total IS NOT NULL OR h.cost_locked)))";
}

/// What the holdings of an answer change on a day.
#[derive(Debug, Clone, Copy)]
pub struct HoldingsOf<'a> {
    /// The day at the end of which the positions are held.
    pub date: Date,
    /// What is to be changed.
    pub plan: &'a HoldingsPlan,
}

/// Executes what holdings change, and adds what was before.
pub(super) fn execute(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    of: SourceAccount<'_>,
    holdings: HoldingsOf<'_>,
    images: &mut Vec<Image>,
) -> Result<()> {
    let HoldingsOf { date, plan } = holdings;
    let mut keep = |image: HoldingImage| images.push(Image::Holding(image));
    let mut new: Vec<SecurityId> = Vec::with_capacity(plan.securities.len());
    for one in &plan.securities {
        let values = SecurityValues {
            name: one.name.clone(),
            isin: one.isin.clone(),
            currency: one.currency,
            ..SecurityValues::new(one.listing.clone())
        };
        let security = SecurityId(executor.insert::<SecurityRecord>(tx, &(&values).into())?);
        keep(HoldingImage::Made { security });
        new.push(security);
    }
    let id = |security: SecurityRef| match security {
        SecurityRef::Known(id) => Ok(id),
        SecurityRef::New(at) => new
            .get(at)
            .copied()
            .ok_or_else(|| Error::internal("a plan points to a security that it doesn't make")),
    };
    for (clues, security) in &plan.remembered {
        let before = sync_holdings::remembered(tx, of, clues)?;
        sync_holdings::remember(tx, of, clues, Some(id(*security)?))?;
        keep(HoldingImage::Remembered { clues: clues.clone(), before });
    }
    for (security, price, currency) in &plan.prices {
        let (security, source) = (id(*security)?, PriceSource::Provider);
        let price = Price { date, currency: *currency, price: *price, source };
        if let Some((after, before)) = provider::state(tx, executor, security, &price)? {
            keep(HoldingImage::Priced { after, before });
        }
    }
    let (_, home) = sync_rows::account_of(tx, of.account)?;
    for change in &plan.changes {
        let HoldingChange { security, quantity, cost, price, .. } = change;
        let key = ReportKey { account: of.account, security: id(*security)?, date };
        let before = report(tx, key)?;
        let quantity = quantity_text(*quantity);
        let after = ReportImage {
            cost: cost.map(|cost| (cost, quantity.clone())),
            quantity,
            price: price.map(|(price, _)| quantity_text(price)),
            currency: price.map_or(home, |(_, currency)| currency),
            import: None,
        };
        executor.report_position(tx, key, Some(&after))?;
        keep(HoldingImage::Reported { key, after, before });
    }
    Ok(())
}

/// Takes one change back; false if somebody has changed the same since.
pub(super) fn take_back(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    of: SourceAccount<'_>,
    image: HoldingImage,
) -> Result<bool> {
    match image {
        HoldingImage::Reported { key, after, before } => {
            if report(tx, key)?.as_ref() != Some(&after) {
                return Ok(false);
            }
            executor.report_position(tx, key, before.as_ref())?;
            Ok(true)
        }
        HoldingImage::Priced { after, before } => {
            provider::take_back(tx, executor, &after, before.as_ref())
        }
        HoldingImage::Remembered { clues, before } => {
            sync_holdings::remember(tx, of, &clues, before)?;
            Ok(true)
        }
        HoldingImage::Made { security } => take_security_back(tx, executor, security.0),
    }
}

/// Removes a security that the run made, unless somebody has changed it or uses it.
fn take_security_back(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    security: Uuid,
) -> Result<bool> {
    executor.settle(tx)?;
    let family = tx.family();
    if tx.query_opt(&SECURITY_STAYS, vals![family, security], |_| Ok(()))?.is_some() {
        return Ok(false);
    }
    let Some((id, image)) = SecurityRecord::read(tx, &[security])?.pop() else { return Ok(true) };
    executor.delete::<SecurityRecord>(tx, id, &image)?;
    Ok(true)
}
