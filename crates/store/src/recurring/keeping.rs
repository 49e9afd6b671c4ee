//! Writing down what a detection found.
//!
//! The transaction is a short one: what is known is read once, and what is new goes in bulk. What
//! others did since the detection looked is left as it is: a series that appeared isn't made again,
//! one that changed isn't moved on.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, MerchantId, RecurringId};
use purser_core::limits::SERIES_FOUND_MAX;
use purser_core::money::Currency;
use purser_core::recurring::input::{RecurringMaker, RecurringStatus, RecurringValues};
use purser_core::recurring::{Index, Series};
use serde_json::json;
use uuid::Uuid;

use super::changes::note;
use super::detection::{Findings, Move, seen_accounts};
use super::following::Standing;
use super::{Recurring, seen};
use crate::access::FamilyTx;
use crate::accounts::AccountSummary;
use crate::driver::{Bulk, ColumnType, Inserter, Row, Val, statements, vals};
use crate::families;
use crate::transactions::Category;

statements! {
    /// The names of merchants.
    MERCHANT_NAMES = "SELECT id, name FROM merchants WHERE family_id = $1";
    /// Categories, as transactions show them.
    CATEGORIES_SHOWN = "SELECT c.id, c.name, c.parent_id, c.color, p.color, c.icon
        FROM ledger_categories c
        LEFT JOIN ledger_categories p ON p.family_id = c.family_id AND p.id = c.parent_id
        WHERE c.family_id = $1";
    /// What has come of a series.
    RECURRING_FOLLOWED = "UPDATE recurring_transactions SET last_occurrence_date = $1,
            next_expected_date = $2, occurrences_count = $3, updated_at = $4
        WHERE family_id = $5 AND id = $6";
}

pub(crate) static SERIES: Bulk = Bulk {
    table: "recurring_transactions",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("account_id", ColumnType::Uuid),
        ("merchant_id", ColumnType::Uuid),
        ("category_id", ColumnType::Uuid),
        ("name", ColumnType::Text),
        ("amount", ColumnType::Int),
        ("currency", ColumnType::Text),
        ("expected_day", ColumnType::Int),
        ("last_occurrence_date", ColumnType::Int),
        ("next_expected_date", ColumnType::Int),
        ("status", ColumnType::Text),
        ("occurrences_count", ColumnType::Int),
        ("made_by", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

/// What a detection did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// Series that are new, by account and name.
    pub created: Vec<Recurring>,
    /// How many more were found than one detection creates; the next one finds them again.
    pub remaining: u64,
    /// How many of those that were known have moved on.
    pub moved: u64,
}

/// Stores what was found, at most [`SERIES_FOUND_MAX`] new series.
pub fn keep(tx: &mut FamilyTx<'_>, findings: &Findings) -> Result<Detected> {
    let known = seen(tx, None)?;
    let moved = store_moves(tx, &known, &findings.moves)?;
    let index = Index::new(known.iter().map(Recurring::expected));
    let surroundings = Surroundings::read(tx)?;
    let unknown = |one: &&Series| index.covering(&one.last_seen()).next().is_none();
    let mut places = findings
        .series
        .iter()
        .filter(unknown)
        .filter_map(|one| Some((one, surroundings.place(one)?)));
    let mut chosen: Vec<(&Series, Place)> = places.by_ref().take(SERIES_FOUND_MAX).collect();
    let remaining = places.count() as u64;
    chosen.sort_by(|(a, _), (b, _)| {
        (a.account, &a.name, a.amount).cmp(&(b.account, &b.name, b.amount))
    });
    let created = create(tx, chosen)?;
    if !created.is_empty() || moved > 0 {
        let subject = families::get(tx)?.public_id;
        let ids: Vec<RecurringId> = created.iter().map(|one| one.id).collect();
        let details = json!({ "created": ids, "moved": moved });
        note(tx, "recurring_transaction.detect", ("family", subject), details)?;
    }
    Ok(Detected { created, remaining, moved })
}

/// Stores the new dates of series that are still as they were, and returns how many they are.
fn store_moves(tx: &mut FamilyTx<'_>, known: &[Recurring], moves: &[Move]) -> Result<u64> {
    let family = tx.family();
    let standings: HashMap<Uuid, (Standing, RecurringStatus)> =
        known.iter().map(|one| (one.id.0, (Standing::of(one), one.values.status))).collect();
    let (mut moved, now) = (0, tx.now());
    for one in moves {
        if standings.get(&one.id.0) != Some(&(one.before, RecurringStatus::Active)) {
            continue;
        }
        let Standing { last, next, count, .. } = one.after;
        let count = i64::try_from(count).map_err(Error::internal)?;
        tx.execute(&RECURRING_FOLLOWED, vals![last, next, count, now, family, one.id])?;
        moved += 1;
    }
    Ok(moved)
}

/// What series can point to when they are stored.
struct Surroundings {
    accounts: HashMap<AccountId, AccountSummary>,
    merchants: HashMap<Uuid, String>,
    categories: HashMap<Uuid, Category>,
}

/// What one series points to. A key that may see its account may see the others, too, because
/// transactions in the account have them.
struct Place {
    account: AccountSummary,
    merchant: Option<(MerchantId, String)>,
    category: Option<Category>,
}

impl Surroundings {
    fn read(tx: &mut FamilyTx<'_>) -> Result<Self> {
        let family = tx.family();
        let named = |row: &Row<'_>| Ok((row.uuid(0)?, row.string(1)?));
        let categories =
            tx.query(&CATEGORIES_SHOWN, vals![family], |row| Category::read(row, 0))?;
        Ok(Self {
            accounts: seen_accounts(tx)?,
            merchants: tx.query(&MERCHANT_NAMES, vals![family], named)?.into_iter().collect(),
            categories: categories.into_iter().map(|one| (one.id.0, one)).collect(),
        })
    }

    /// None if the account or the merchant is gone: then it is another series, or none.
    fn place(&self, series: &Series) -> Option<Place> {
        let account = self.accounts.get(&AccountId(series.account))?.clone();
        let merchant = match series.merchant {
            Some(id) => Some((MerchantId(id), self.merchants.get(&id)?.clone())),
            None => None,
        };
        let category = series.category.and_then(|id| self.categories.get(&id)).cloned();
        Some(Place { account, merchant, category })
    }
}

/// Stores new series, in their order.
fn create(tx: &mut FamilyTx<'_>, chosen: Vec<(&Series, Place)>) -> Result<Vec<Recurring>> {
    let family = tx.family();
    let now = tx.now();
    let mut inserter = Inserter::new(&SERIES);
    let mut created = Vec::with_capacity(chosen.len());
    for (series, Place { account, merchant, category }) in chosen {
        let currency = Currency::parse(series.currency)
            .ok_or_else(|| Error::internal("a series in an unknown currency"))?;
        let (status, made_by) = (RecurringStatus::Active, RecurringMaker::Detection);
        let id = RecurringId(tx.new_id()?);
        let row: [Val<'_>; 16] = [
            family.into(),
            id.into(),
            account.id.into(),
            merchant.as_ref().map(|(id, _)| id.0).into(),
            category.as_ref().map(|category| category.id).into(),
            Val::Text(&series.name),
            Val::Int(series.amount),
            Val::Text(currency.code()),
            Val::Int(series.day.into()),
            series.last.into(),
            series.next.into(),
            Val::Text(status.as_str()),
            Val::Int(i64::try_from(series.count).map_err(Error::internal)?),
            Val::Text(made_by.as_str()),
            now.into(),
            now.into(),
        ];
        inserter.push(tx, &row)?;
        let values = RecurringValues {
            name: series.name.clone(),
            amount: series.amount,
            currency,
            day: series.day,
            last: series.last,
            next: series.next,
            status,
        };
        created.push(Recurring {
            id,
            account: Some(account),
            merchant,
            category,
            values,
            count: series.count,
            made_by,
            created_at: now,
            updated_at: now,
        });
    }
    inserter.flush(tx)?;
    Ok(created)
}
