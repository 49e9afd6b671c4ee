//! Making, changing and removing securities.

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::SecurityId;
use purser_core::import::trade::security::MeantSecurity;
use purser_core::ledger::security::{Listing, SecurityInput, SecurityValues};

use super::record::{SecurityImage, SecurityRecord};
use super::{SECURITY_FIND, SECURITY_PRICES_OF, SECURITY_USED, Security, get};
use crate::access::FamilyTx;
use crate::driver::vals;
use crate::labels::require_unrestricted;
use crate::ledger::Executor;
use crate::ledger::records::{Record, execute};
use crate::prices::record::PriceRecord;

/// Prices of a removed security that are in memory at once.
const PRICES_AT_ONCE: usize = 1_000;

/// The security of a listing, created in the plan of the trade that names it if it is new. A name
/// is taken over if none is known yet.
pub(crate) fn find_or_create(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    listing: &Listing,
    name: Option<&str>,
) -> Result<SecurityId> {
    let name = name.map(str::to_owned);
    let Some(id) = find(tx, listing)? else {
        let values = SecurityValues { name, ..SecurityValues::new(listing.clone()) };
        return executor.insert::<SecurityRecord>(tx, &(&values).into()).map(SecurityId);
    };
    if name.is_some() {
        let unnamed = |one: &SecurityImage| one.name.is_none();
        let found = SecurityRecord::read(tx, &[id.0])?.pop().map(|(_, image)| image);
        if let Some(before) = found.filter(unnamed) {
            let mut after = before.clone();
            after.name = name;
            executor.update::<SecurityRecord>(tx, id.0, (&before, &after))?;
        }
    }
    Ok(id)
}

/// The security that a row of an import means, created in the plan of the import if it is new.
pub fn ensure(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    meant: &MeantSecurity,
    name: Option<&str>,
) -> Result<SecurityId> {
    if let Some(id) = meant.id {
        return Ok(id);
    }
    if let Some(id) = find(tx, &meant.listing)? {
        return Ok(id);
    }
    let values = SecurityValues {
        name: name.map(str::to_owned),
        isin: meant.isin.clone(),
        ..SecurityValues::new(meant.listing.clone())
    };
    executor.insert::<SecurityRecord>(tx, &(&values).into()).map(SecurityId)
}

/// Makes a security; its listing must be free.
pub fn create(tx: &mut FamilyTx<'_>, input: &SecurityInput) -> Result<Security> {
    require_unrestricted(tx)?;
    let values = input.new_values()?;
    require_free(tx, &values.listing)?;
    let id = execute(tx, ("security.create", "security"), |tx, executor| {
        executor.insert::<SecurityRecord>(tx, &(&values).into())
    })?;
    get(tx, SecurityId(id))
}

/// Changes a security; another one's listing can't be taken.
pub fn update(tx: &mut FamilyTx<'_>, id: SecurityId, input: &SecurityInput) -> Result<Security> {
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    let values = input.changed(before.values.clone())?;
    if values == before.values {
        return Ok(before);
    }
    if values.listing != before.values.listing {
        require_free(tx, &values.listing)?;
    }
    execute(tx, ("security.update", "security"), |tx, executor| {
        let images = (&(&before.values).into(), &(&values).into());
        executor.update::<SecurityRecord>(tx, id.0, images)?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// Takes a security away, with its prices. One that is or was held or traded stays.
pub fn remove(tx: &mut FamilyTx<'_>, id: SecurityId) -> Result<()> {
    let family = tx.family();
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    if tx.query_opt(&SECURITY_USED, vals![family, id], |_| Ok(()))?.is_some() {
        return Err(Error::Conflict {
            code: "security_in_use",
            message: "The security has trades or holdings".to_owned(),
        });
    }
    execute(tx, ("security.remove", "security"), |tx, executor| {
        let prices = tx.query(&SECURITY_PRICES_OF, vals![family, id], |row| row.uuid(0))?;
        executor.add_detail("prices", prices.len().into());
        for slice in prices.chunks(PRICES_AT_ONCE) {
            for (price, image) in PriceRecord::read(tx, slice)? {
                executor.delete::<PriceRecord>(tx, price, &image)?;
            }
        }
        executor.delete::<SecurityRecord>(tx, id.0, &(&before.values).into())?;
        Ok(id.0)
    })
    .map(drop)
}

/// The security of a listing, if there is one.
pub(crate) fn find(tx: &mut FamilyTx<'_>, listing: &Listing) -> Result<Option<SecurityId>> {
    let family = tx.family();
    let key = vals![family, &listing.ticker, &listing.exchange_operating_mic];
    tx.query_opt(&SECURITY_FIND, key, |row| row.id(0))
}

fn require_free(tx: &mut FamilyTx<'_>, listing: &Listing) -> Result<()> {
    match find(tx, listing)? {
        None => Ok(()),
        Some(_) => {
            let sentence = "There is already a security with this ticker on this exchange";
            Err(Problem::about("ticker", sentence).into())
        }
    }
}
