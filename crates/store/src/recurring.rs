//! Recurring series: stored, followed and detected.
//!
//! The stored row has the day of the last transaction and the day on which the next is expected.
//! Transactions that arrived since are added when it is read (`following`), so the dates are right
//! whatever brought the transaction; a detection stores them. A family has few, so all are read at
//! once.

pub mod changes;
pub mod detection;
pub(crate) mod following;
pub mod keeping;
pub(crate) mod record;

use std::collections::HashMap;

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, MerchantId, RecurringId};
use purser_core::recurring::Expected;
use purser_core::recurring::input::{RecurringMaker, RecurringStatus, RecurringValues};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::accounts::{self, AccountFacts, AccountSummary};
use crate::driver::{Row, statements, vals};
use crate::labels::visibility::VisibleIds;
use crate::transactions::Category;

statements! {
    /// Every series, by name.
    RECURRING_ALL = "SELECT r.id, r.account_id, r.merchant_id, m.name, r.name, r.amount,
            r.currency, r.expected_day, r.last_occurrence_date, r.next_expected_date, r.status,
            r.occurrences_count, r.made_by, r.created_at, r.updated_at,
            c.id, c.name, c.parent_id, c.color, p.color, c.icon
        FROM recurring_transactions r
        LEFT JOIN merchants m ON m.family_id = $1 AND m.id = r.merchant_id
        LEFT JOIN ledger_categories c ON c.family_id = $1 AND c.id = r.category_id
        LEFT JOIN ledger_categories p ON p.family_id = $1 AND p.id = c.parent_id
        WHERE r.family_id = $1 ORDER BY r.name, r.id";
}

/// What comes every month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recurring {
    /// The id of the series.
    pub id: RecurringId,
    /// In which account; none: in any.
    pub account: Option<AccountSummary>,
    /// Who, with the name.
    pub merchant: Option<(MerchantId, String)>,
    /// As its transactions show it.
    pub category: Option<Category>,
    /// Name, amount, days, status.
    pub values: RecurringValues,
    /// How many have come.
    pub count: u64,
    /// Who or what created it.
    pub made_by: RecurringMaker,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

impl Recurring {
    /// What the next one looks like.
    fn expected(&self) -> Expected<'_> {
        Expected {
            account: self.account.as_ref().map(|account| account.id.0),
            merchant: self.merchant.as_ref().map(|(id, _)| id.0),
            name: &self.values.name,
            amount: self.values.amount,
            currency: self.values.currency.code(),
        }
    }
}

/// Which series are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// Only of this status.
    pub status: Option<RecurringStatus>,
    /// Only in this account.
    pub account: Option<AccountId>,
}

/// A page of the visible series by name, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Recurring>, u64)> {
    let mut found = seen(tx)?;
    found.retain(|one| {
        listing.status.is_none_or(|status| one.values.status == status)
            && listing.account.is_none_or(|wanted| account_of(one) == Some(wanted))
    });
    let total = found.len() as u64;
    let page = found
        .into_iter()
        .skip(usize::try_from(offset).unwrap_or(usize::MAX))
        .take(usize::try_from(limit).unwrap_or(usize::MAX));
    let mut page: Vec<Recurring> = page.collect();
    following::follow(tx, &mut page)?;
    Ok((page, total))
}

/// The series with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: RecurringId) -> Result<Recurring> {
    let mut found = seen(tx)?;
    found.retain(|one| one.id == id);
    following::follow(tx, &mut found)?;
    found.pop().ok_or(Error::NotFound { what: "Recurring transaction" })
}

fn account_of(one: &Recurring) -> Option<AccountId> {
    one.account.as_ref().map(|account| account.id)
}

/// The series that may be seen, as they are stored. A restricted key sees those of its accounts.
fn seen(tx: &mut FamilyTx<'_>) -> Result<Vec<Recurring>> {
    let (family, visible) = (tx.family(), tx.accounts());
    let known = accounts::known(tx)?;
    let accounts: HashMap<Uuid, AccountSummary> =
        known.into_iter().map(|AccountFacts { summary, .. }| (summary.id.0, summary)).collect();
    let mut found = tx.query(&RECURRING_ALL, vals![family], |row| read(row, &accounts))?;
    if visible.is_restricted() {
        let categories = VisibleIds::of_categories(tx)?;
        let merchants = VisibleIds::of_merchants(tx)?;
        found.retain(|one| visible.covers(account_of(one)));
        for one in &mut found {
            one.category.take_if(|category| !categories.shows(category.id.0));
            one.merchant.take_if(|(id, _)| !merchants.shows(id.0));
        }
    }
    Ok(found)
}

fn read(row: &Row<'_>, accounts: &HashMap<Uuid, AccountSummary>) -> Result<Recurring> {
    let merchant = row.opt_uuid(2)?.zip(row.opt_string(3)?);
    let category = match row.opt_uuid(15)? {
        Some(_) => Some(Category::read(row, 15)?),
        None => None,
    };
    Ok(Recurring {
        id: row.id(0)?,
        account: row.opt_uuid(1)?.and_then(|id| accounts.get(&id).cloned()),
        merchant: merchant.map(|(id, name)| (MerchantId(id), name)),
        category,
        values: RecurringValues {
            name: row.string(4)?,
            amount: row.int(5)?,
            currency: row.currency(6)?,
            day: i8::try_from(row.int(7)?).map_err(Error::internal)?,
            last: row.date(8)?,
            next: row.date(9)?,
            status: row.named(10)?,
        },
        count: row.count(11)?,
        made_by: row.named(12)?,
        created_at: row.timestamp(13)?,
        updated_at: row.timestamp(14)?,
    })
}

#[cfg(test)]
mod tests;
