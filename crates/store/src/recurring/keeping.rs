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

use super::Recurring;
use super::detection::{Findings, Move, known_to, seen_accounts};
use super::following::SeriesDates;
use super::record::{Pointing, SERIES, SeriesImage, SeriesRecord};
use crate::access::FamilyTx;
use crate::accounts::AccountSummary;
use crate::driver::{Inserter, Row, statements, vals};
use crate::families;
use crate::ledger::Executor;
use crate::ledger::records::execute;
use crate::transactions::Category;

statements! {
    /// The names of merchants.
    MERCHANT_NAMES = "SELECT id, name FROM ledger_merchants WHERE family_id = $1";
    /// Categories, as transactions show them.
    CATEGORIES_SHOWN = "SELECT c.id, c.name, c.parent_id, c.color, p.color, c.icon
        FROM ledger_categories c
        LEFT JOIN ledger_categories p ON p.family_id = $1 AND p.id = c.parent_id
        WHERE c.family_id = $1";
}

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
    // Another may have stored one since.
    let known = known_to(tx)?;
    let moves = moves_that_hold(&known, &findings.moves);
    let moved = moves.len() as u64;
    let index = Index::new(known.iter().map(Recurring::expected));
    let surroundings = Surroundings::read(tx)?;
    let unknown = |one: &&Series| index.covering(&one.last_seen()).next().is_none();
    let mut places = findings
        .series
        .iter()
        .filter(unknown)
        .filter_map(|one| Some((one, surroundings.place(one)?)));
    let mut chosen: Vec<(&Series, SeriesReferences)> =
        places.by_ref().take(SERIES_FOUND_MAX).collect();
    let remaining = places.count() as u64;
    chosen.sort_by(|(a, _), (b, _)| {
        (a.account, &a.name, a.amount).cmp(&(b.account, &b.name, b.amount))
    });
    let mut created = Vec::new();
    if !chosen.is_empty() || moved > 0 {
        let subject = families::get(tx)?.public_id;
        execute(tx, ("recurring_transaction.detect", "family"), |tx, executor| {
            for (one, after) in &moves {
                move_on(tx, executor, one, *after)?;
            }
            created = create(tx, executor, chosen)?;
            let ids: Vec<RecurringId> = created.iter().map(|one| one.id).collect();
            executor.add_detail("created", json!(ids));
            executor.add_detail("moved", json!(moved));
            Ok(subject)
        })?;
    }
    Ok(Detected { created, remaining, moved })
}

/// The new dates of series that are still as they were.
fn moves_that_hold<'k>(
    known: &'k [Recurring],
    moves: &[Move],
) -> Vec<(&'k Recurring, SeriesDates)> {
    let known: HashMap<RecurringId, &Recurring> = known.iter().map(|one| (one.id, one)).collect();
    let holds = |one: &Move| {
        let series = known.get(&one.id)?;
        let is_active = series.values.status == RecurringStatus::Active;
        (is_active && SeriesDates::of(series) == one.before).then_some((*series, one.after))
    };
    moves.iter().filter_map(holds).collect()
}

fn move_on(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    one: &Recurring,
    SeriesDates { last, next, count, .. }: SeriesDates,
) -> Result<()> {
    let to = Pointing::of(one);
    let before = SeriesImage::new(to, &one.values, (one.count, one.made_by));
    let values = RecurringValues { last, next, ..one.values.clone() };
    let after = SeriesImage::new(to, &values, (count, one.made_by));
    executor.update::<SeriesRecord>(tx, one.id.0, (&before, &after))
}

/// What series can point to when they are stored.
struct Surroundings {
    accounts: HashMap<AccountId, AccountSummary>,
    merchants: HashMap<Uuid, String>,
    categories: HashMap<Uuid, Category>,
}

/// What one series points to. A key that may see its account may see the others, too, because
/// transactions in the account have them.
struct SeriesReferences {
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
    fn place(&self, series: &Series) -> Option<SeriesReferences> {
        let account = self.accounts.get(&AccountId(series.account))?.clone();
        let merchant = match series.merchant {
            Some(id) => Some((MerchantId(id), self.merchants.get(&id)?.clone())),
            None => None,
        };
        let category = series.category.and_then(|id| self.categories.get(&id)).cloned();
        Some(SeriesReferences { account, merchant, category })
    }
}

/// Stores new series, in their order.
fn create(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    chosen: Vec<(&Series, SeriesReferences)>,
) -> Result<Vec<Recurring>> {
    let now = tx.now();
    let mut inserter = Inserter::new(&SERIES);
    let mut created = Vec::with_capacity(chosen.len());
    for (series, SeriesReferences { account, merchant, category }) in chosen {
        let currency = Currency::parse(series.currency)
            .ok_or_else(|| Error::internal("a series in an unknown currency"))?;
        let (status, made_by) = (RecurringStatus::Active, RecurringMaker::Detection);
        let values = RecurringValues {
            name: series.name.clone(),
            amount: series.amount,
            currency,
            day: series.day,
            last: series.last,
            next: series.next,
            status,
        };
        let to = Pointing {
            account: Some(account.id),
            merchant: merchant.as_ref().map(|(id, _)| id.0),
            category: category.as_ref().map(|category| category.id.0),
        };
        let image = SeriesImage::new(to, &values, (series.count, made_by));
        let id = executor.insert_among::<SeriesRecord>(tx, &mut inserter, &image)?;
        let id = RecurringId(id);
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
