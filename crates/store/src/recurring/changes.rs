//! What persons and clients do to series.

use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::{AccountId, RecurringId};
use purser_core::labels::input::LabelKind;
use purser_core::ledger::account::AccountStatus;
use purser_core::ledger::transaction_values::disabled_account;
use purser_core::money::Currency;
use purser_core::recurring::input::{
    RecurringInput, RecurringMaker, RecurringReferences, RecurringValues,
};
use purser_core::recurring::series_key;

use super::record::{Pointing, SeriesImage, SeriesRecord};
use super::{Recurring, get, seen};
use crate::access::FamilyTx;
use crate::accounts;
use crate::calendar;
use crate::families;
use crate::labels;
use crate::labels::visibility::VisibleIds;
use crate::ledger::records::execute;
use crate::merchants;

impl Pointing {
    fn with(self, written: RecurringReferences) -> Self {
        Self {
            account: written.account.map_or(self.account, |id| id.map(AccountId)),
            merchant: written.merchant.unwrap_or(self.merchant),
            category: written.category.unwrap_or(self.category),
        }
    }
}

/// Creates a series of the family.
pub fn create(tx: &mut FamilyTx<'_>, input: &RecurringInput) -> Result<Recurring> {
    let nothing = Pointing { account: None, merchant: None, category: None };
    let (to, values) = judged(tx, input, (nothing, None))?;
    require_new(tx, to, &values, None)?;
    let event = ("recurring_transaction.create", "recurring_transaction");
    let id = execute(tx, event, |tx, executor| {
        let series = SeriesImage::new(to, &values, (0, RecurringMaker::Person));
        executor.insert::<SeriesRecord>(tx, &series)
    })?;
    get(tx, RecurringId(id))
}

/// Changes fields of a series.
pub fn revise(tx: &mut FamilyTx<'_>, id: RecurringId, input: &RecurringInput) -> Result<Recurring> {
    let before = get(tx, id)?;
    // What a restricted key doesn't see stays all the same.
    let stored = tx.with_all_accounts(seen)?.into_iter().find(|one| one.id == id);
    let was = Pointing::of(stored.as_ref().unwrap_or(&before));
    let (to, values) = judged(tx, input, (was, Some(&before.values)))?;
    if to == was && values == before.values {
        return Ok(before);
    }
    require_new(tx, to, &values, Some(id))?;
    let origin = (before.count, before.made_by);
    let was = SeriesImage::new(was, &before.values, origin);
    let is = SeriesImage::new(to, &values, origin);
    let event = ("recurring_transaction.update", "recurring_transaction");
    execute(tx, event, |tx, executor| {
        executor.update::<SeriesRecord>(tx, id.0, (&was, &is))?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// Removes a series; a detection may find it again. To keep it from that, make it inactive.
pub fn remove(tx: &mut FamilyTx<'_>, id: RecurringId) -> Result<()> {
    let before = get(tx, id)?;
    let to = Pointing::of(&before);
    let was = SeriesImage::new(to, &before.values, (before.count, before.made_by));
    let event = ("recurring_transaction.remove", "recurring_transaction");
    execute(tx, event, |tx, executor| {
        executor.delete::<SeriesRecord>(tx, id.0, &was)?;
        Ok(id.0)
    })
    .map(drop)
}

/// The values of an input, with every problem of it.
fn judged(
    tx: &mut FamilyTx<'_>,
    input: &RecurringInput,
    (was, before): (Pointing, Option<&RecurringValues>),
) -> Result<(Pointing, RecurringValues)> {
    let mut problems = Problems::new();
    let written = input.pointers();
    let to = was.with(written);
    let currency = account_currency(tx, to.account, &mut problems)?;
    if let Some(category) = written.category.flatten() {
        let visibility = VisibleIds::of_categories(tx)?;
        let gone = labels::unknown(tx, LabelKind::Category, &[category])?;
        if !gone.is_empty() || !visibility.shows(category) {
            problems.push(Problem::unknown("category_id", "category"));
        }
    }
    let mut merchant = None;
    if let Some(id) = to.merchant {
        match tx.with_all_accounts(|tx| merchants::get(tx, id.into())) {
            Ok(found) => merchant = Some(found.name),
            Err(Error::NotFound { .. }) => {
                problems.push(Problem::unknown("merchant_id", "merchant"))
            }
            Err(other) => return Err(other),
        }
        let visibility = VisibleIds::of_merchants(tx)?;
        if written.merchant.is_some() && merchant.is_some() && !visibility.shows(id) {
            problems.push(Problem::unknown("merchant_id", "merchant"));
        }
    }
    let today = calendar::today(tx)?;
    let context = (currency, merchant.as_deref());
    Ok((to, input.check(before, context, today, problems)?))
}

/// The currency of the account, else the family's. A restricted key names one of its accounts.
fn account_currency(
    tx: &mut FamilyTx<'_>,
    account: Option<AccountId>,
    problems: &mut Problems,
) -> Result<Currency> {
    let known = accounts::known(tx)?;
    let its = known.iter().find(|known| {
        Some(known.summary.id) == account
            && known.summary.status != AccountStatus::PendingDeletion
            && tx.allows(known.summary.id)
    });
    match (its, account) {
        (Some(its), _) if its.summary.status.is_visible() => return Ok(its.currency),
        (Some(_), _) => problems.push(disabled_account()),
        (None, Some(_)) => problems.push(Problem::unknown("account_id", "account")),
        (None, None) if tx.accounts().is_restricted() => problems.required("account_id"),
        (None, None) => {}
    }
    Ok(families::get(tx)?.currency)
}

/// Refuses a second series of the same account, name, merchant and amount.
fn require_new(
    tx: &mut FamilyTx<'_>,
    to: Pointing,
    values: &RecurringValues,
    own: Option<RecurringId>,
) -> Result<()> {
    let others = tx.with_all_accounts(seen)?;
    let is_same = |one: &Recurring| {
        let its = Pointing::of(one);
        Some(one.id) != own
            && (its.account, its.merchant) == (to.account, to.merchant)
            && (one.values.amount, one.values.currency) == (values.amount, values.currency)
            && series_key(&one.values.name) == series_key(&values.name)
    };
    if !others.iter().any(is_same) {
        return Ok(());
    }
    Err(Error::Conflict {
        code: "conflict",
        message: "There is already a recurring transaction of this account, name and amount"
            .to_owned(),
    })
}
