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
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Recurring, get, seen};
use crate::access::FamilyTx;
use crate::accounts::{self, allows};
use crate::audit::{self};
use crate::calendar;
use crate::driver::{statements, vals};
use crate::families;
use crate::labels;
use crate::labels::sight::Sight;
use crate::ledger::records::{Record, execute};
use crate::merchants;

statements! {
    /// Inserts a new series.
    RECURRING_ADD = "INSERT INTO recurring_transactions (family_id, id, account_id, merchant_id,
            category_id, name, amount, currency, expected_day, last_occurrence_date,
            next_expected_date, status, occurrences_count, made_by, created_at, updated_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)";
    /// What a series is from now on.
    RECURRING_UPDATE = "UPDATE recurring_transactions SET account_id = $1, merchant_id = $2,
            category_id = $3, name = $4, amount = $5, currency = $6, expected_day = $7,
            last_occurrence_date = $8, next_expected_date = $9, status = $10,
            occurrences_count = $11, updated_at = $12
        WHERE family_id = $13 AND id = $14";
    /// Removes the series with an id.
    RECURRING_REMOVE = "DELETE FROM recurring_transactions WHERE family_id = $1 AND id = $2";
}

/// What a series points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pointing {
    account: Option<AccountId>,
    merchant: Option<Uuid>,
    category: Option<Uuid>,
}

impl Pointing {
    fn of(one: &Recurring) -> Self {
        Self {
            account: one.account.as_ref().map(|account| account.id),
            merchant: one.merchant.as_ref().map(|(id, _)| id.0),
            category: one.category.as_ref().map(|category| category.id.0),
        }
    }

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
        executor.insert::<SeriesRecord>(tx, &SeriesValues { to, values, count: 0 })
    })?;
    get(tx, RecurringId(id))
}

/// Changes fields of a series.
pub fn revise(tx: &mut FamilyTx<'_>, id: RecurringId, input: &RecurringInput) -> Result<Recurring> {
    let before = get(tx, id)?;
    // What a restricted key doesn't see stays all the same.
    let stored = seen(tx, None)?.into_iter().find(|one| one.id == id);
    let was = Pointing::of(stored.as_ref().unwrap_or(&before));
    let (to, values) = judged(tx, input, (was, Some(&before.values)))?;
    if to == was && values == before.values {
        return Ok(before);
    }
    require_new(tx, to, &values, Some(id))?;
    let count = before.count;
    let was = SeriesValues { to: was, values: before.values, count };
    let is = SeriesValues { to, values, count };
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
    let was = SeriesValues { to, values: before.values, count: before.count };
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
        let sight = Sight::of_categories(tx)?;
        let gone = labels::unknown(tx, LabelKind::Category, &[category])?;
        if !gone.is_empty() || !sight.shows(category) {
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
        let sight = Sight::of_merchants(tx)?;
        if written.merchant.is_some() && merchant.is_some() && !sight.shows(id) {
            problems.push(Problem::unknown("merchant_id", "merchant"));
        }
    }
    let today = calendar::today(tx)?;
    let ground = (currency, merchant.as_deref());
    Ok((to, input.check(before, ground, today, problems)?))
}

/// The currency of the account, else the family's. A restricted key names one of its accounts.
fn account_currency(
    tx: &mut FamilyTx<'_>,
    account: Option<AccountId>,
    problems: &mut Problems,
) -> Result<Currency> {
    let visible = tx.accounts();
    let restriction = visible.only();
    let known = accounts::known(tx)?;
    let its = known.iter().find(|known| {
        Some(known.summary.id) == account
            && known.summary.status != AccountStatus::PendingDeletion
            && allows(restriction, known.summary.id)
    });
    match (its, account) {
        (Some(its), _) if its.summary.status.is_visible() => return Ok(its.currency),
        (Some(_), _) => problems.push(disabled_account()),
        (None, Some(_)) => problems.push(Problem::unknown("account_id", "account")),
        (None, None) if restriction.is_some() => problems.required("account_id"),
        (None, None) => {}
    }
    Ok(families::get(tx)?.currency)
}

/// Of the same account, name, merchant and amount there is one.
fn require_new(
    tx: &mut FamilyTx<'_>,
    to: Pointing,
    values: &RecurringValues,
    own: Option<RecurringId>,
) -> Result<()> {
    let others = seen(tx, None)?;
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

/// A series of a person as it is written.
struct SeriesValues {
    to: Pointing,
    values: RecurringValues,
    /// How often it has come.
    count: u64,
}

/// Series as the executor writes them.
struct SeriesRecord;

impl Record for SeriesRecord {
    const KIND: &'static str = "recurring_transaction";
    type Values = SeriesValues;

    fn image(series: &SeriesValues) -> Value {
        image(series.to, &series.values)
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, series: &SeriesValues) -> Result<()> {
        let family = tx.family();
        let SeriesValues { to, values, count } = series;
        let RecurringValues { name, amount, currency, day, last, next, status } = values;
        let (currency, day, status) = (currency.code(), i64::from(*day), status.as_str());
        let (count, now) = (i64::try_from(*count).map_err(Error::internal)?, tx.now());
        tx.execute(
            &RECURRING_ADD,
            vals![
                family,
                id,
                to.account,
                to.merchant,
                to.category,
                name,
                *amount,
                currency,
                day,
                *last,
                *next,
                status,
                count,
                RecurringMaker::Person.as_str(),
                now
            ],
        )
        .map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, series: &SeriesValues) -> Result<()> {
        let family = tx.family();
        let SeriesValues { to, values, count } = series;
        let RecurringValues { name, amount, currency, day, last, next, status } = values;
        let (currency, day, status) = (currency.code(), i64::from(*day), status.as_str());
        let (count, now) = (i64::try_from(*count).map_err(Error::internal)?, tx.now());
        tx.execute(
            &RECURRING_UPDATE,
            vals![
                to.account,
                to.merchant,
                to.category,
                name,
                *amount,
                currency,
                day,
                *last,
                *next,
                status,
                count,
                now,
                family,
                id
            ],
        )
        .map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&RECURRING_REMOVE, vals![family, id]).map(drop)
    }
}

/// Notes a change in the audit trail.
pub(super) fn note(
    tx: &mut FamilyTx<'_>,
    action: &str,
    (noun, id): (&str, Uuid),
    details: Value,
) -> Result<()> {
    let actor = tx.actor();
    families::bump_version(tx)?;
    let event = audit::Event { actor, action, subject_kind: noun, subject_id: Some(id), details };
    audit::record(tx, &event).map(drop)
}

fn image(to: Pointing, values: &RecurringValues) -> Value {
    json!({
        "account": to.account, "merchant": to.merchant, "category": to.category,
        "name": values.name, "amount": values.amount, "currency": values.currency,
        "day": values.day, "last": values.last, "next": values.next, "status": values.status,
    })
}
