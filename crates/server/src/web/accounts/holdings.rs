//! What an account holds today, for its page.

use purser_app::FamilyTx;
use purser_app::accounts::Account;
use purser_app::holdings::{self, Days, Holding, Listing};
use purser_core::error::Result;
use purser_core::money::format::price_text;

use crate::web::view::{Amount, grouped};

/// Holdings on the page.
const SHOWN_MAX: i64 = 200;

/// What an account holds, and the money beside it.
pub(super) struct HeldView {
    pub(super) rows: Vec<HeldRow>,
    /// How many aren't shown.
    pub(super) more: Option<String>,
    /// The part of the balance that is money.
    pub(super) cash: Amount,
}

/// A position as the page shows it.
pub(super) struct HeldRow {
    pub(super) name: String,
    pub(super) detail: String,
    /// What it is worth; none if a price or a rate is missing.
    pub(super) worth: Option<Amount>,
    /// What it has gained; none if the cost is unknown.
    pub(super) gain: Option<Amount>,
}

/// The positions of an account, the most valuable first; none if it has no securities.
pub(super) fn of(tx: &mut FamilyTx<'_>, account: &Account) -> Result<Option<HeldView>> {
    if !account.summary.account_type.holds_securities() {
        return Ok(None);
    }
    let accounts = [account.summary.id];
    let listing = Listing { accounts: Some(&accounts), security: None, days: Days::Today };
    let (mut found, total) = holdings::list(tx, listing, SHOWN_MAX, 0)?;
    if found.is_empty() {
        return Ok(None);
    }
    found.sort_by_key(|one| (std::cmp::Reverse(one.amount), one.security.ticker.clone()));
    let more = total.saturating_sub(found.len() as u64);
    Ok(Some(HeldView {
        rows: found.iter().map(HeldRow::of).collect(),
        more: (more > 0).then(|| grouped(more)),
        cash: Amount::new(account.cash, account.currency),
    }))
}

impl HeldRow {
    fn of(holding: &Holding) -> Self {
        let currency = holding.currency;
        let security = &holding.security;
        let quantity = holding.quantity.normalize();
        let is_known = holding.missing.is_none();
        let each = is_known.then(|| price_text(holding.price, currency));
        let detail = match each {
            Some(each) => format!("{quantity} {} at {each}", security.ticker),
            None => format!("{quantity} {}, no price known", security.ticker),
        };
        let cost = holding.cost.as_ref().and_then(|cost| cost.of(holding.quantity));
        let gain = cost.filter(|_| is_known).and_then(|cost| holding.amount.checked_sub(cost));
        Self {
            name: security.name.clone().unwrap_or_else(|| security.ticker.clone()),
            detail,
            worth: is_known.then(|| Amount::of_sum(holding.amount, currency)),
            gain: gain.map(|gain| Amount::of_sum(gain, currency)),
        }
    }
}
