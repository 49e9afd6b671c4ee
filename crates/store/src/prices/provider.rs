//! Prices that a provider reports with the holdings of an account.

use purser_core::error::Result;
use purser_core::ids::SecurityId;
use purser_core::ledger::valuing::Price;

use super::import::known;
use super::record::{PriceImage, PriceRecord};
use crate::access::FamilyTx;
use crate::ledger::Executor;
use crate::ledger::records::Record as _;

/// States a price of a provider. Returns it with what it replaced, or `None` if the day has a more
/// trusted one or the same.
pub(crate) fn state(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    security: SecurityId,
    price: &Price,
) -> Result<Option<(PriceImage, Option<PriceImage>)>> {
    let place = (security, price.date, price.currency);
    let after = PriceImage::new(security, price);
    match known(tx, &[(security, *price)])?.get(&place) {
        None => {
            executor.insert::<PriceRecord>(tx, &after)?;
            Ok(Some((after, None)))
        }
        Some((_, stated, source)) if *stated == price.price || *source < price.source => Ok(None),
        Some((id, stated, source)) => {
            let before = Price { price: *stated, source: *source, ..*price };
            let before = PriceImage::new(security, &before);
            executor.update::<PriceRecord>(tx, id.0, (&before, &after))?;
            Ok(Some((after, Some(before))))
        }
    }
}

/// Takes a price back that was stated; false if it is another one by now.
pub(crate) fn take_back(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    after: &PriceImage,
    before: Option<&PriceImage>,
) -> Result<bool> {
    let Some(id) = PriceRecord::holder(tx, after)? else { return Ok(false) };
    let now = PriceRecord::read(tx, &[id])?.pop();
    if now.is_none_or(|(_, now)| now != *after) {
        return Ok(false);
    }
    match before {
        None => executor.delete::<PriceRecord>(tx, id, after)?,
        Some(before) => executor.update::<PriceRecord>(tx, id, (after, before))?,
    }
    Ok(true)
}
