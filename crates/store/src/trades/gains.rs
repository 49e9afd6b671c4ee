//! Realised gains: computed when they are asked for, from all trades of the securities.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::SecurityId;
use purser_core::ledger::positions::Gain;
use purser_core::money::Currency;

use crate::access::FamilyTx;
use crate::accounts::{self, AccountFacts};
use crate::calendar;
use crate::ledger::positions;

/// What a trade realised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Realized {
    /// The security that it is about.
    pub security: SecurityId,
    /// The account's: of all amounts, which are in its scale.
    pub currency: Currency,
    /// The trade, and what it closed.
    pub gain: Gain,
}

/// The realised gains of trades in a span of days, by day; in visible accounts. Trades of later
/// days than the family's today haven't realised anything yet.
pub fn gains(tx: &mut FamilyTx<'_>, from: Date, to: Date) -> Result<Vec<Realized>> {
    let to = to.min(calendar::today(tx)?);
    let shown = accounts::shown(tx)?;
    // Shares can come from any account: all of them are folded.
    let securities = positions::securities(tx)?;
    let mut found = Vec::new();
    for (security, folded) in positions::folded(tx, &securities)? {
        for gain in folded.gains {
            let of = |account: &&AccountFacts| account.summary.id == gain.account;
            if let Some(account) = shown.iter().find(of)
                && gain.date >= from
                && gain.date <= to
            {
                found.push(Realized { security, currency: account.currency, gain });
            }
        }
    }
    found.sort_by_key(|one| (one.gain.date, one.gain.trade));
    Ok(found)
}
