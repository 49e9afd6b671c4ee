//! The records of a file of which there are few, and what others need to know of the rest.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use purser_core::error::{Error, Result};
use purser_core::import::native::{
    Account, Budget, BudgetCategory, Category, Labels, Merchant, Record, RecordType, RecordTypes,
    RecurringTransaction, Rule, Security, SecurityName, SortedKeys, SourceId, Survey, Tag,
};
use purser_core::import::row_edit::RowChoice;
use purser_core::ledger::security::Listing;
use purser_core::limits::{IMPORT_MAPPINGS_MAX, IMPORT_WHOLE_ROWS_MAX};
use purser_core::named::Named as _;
use purser_core::text::label::name_key;
use uuid::Uuid;

use super::opening::Openings;
use crate::imports::reading::Source;

/// A record with the number of its row.
type Numbered<T> = Vec<(u64, T)>;

/// What was collected of a file.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) accounts: Numbered<Account>,
    pub(super) categories: Numbered<Category>,
    pub(super) tags: Numbered<Tag>,
    pub(super) merchants: Numbered<Merchant>,
    pub(super) securities: Numbered<Security>,
    pub(super) budgets: Numbered<Budget>,
    pub(super) lines: Numbered<BudgetCategory>,
    pub(super) series: Numbered<RecurringTransaction>,
    pub(super) rules: Numbered<Rule>,
    /// Names of merchants that entries have and the file has no record of, by their keys.
    pub(super) merchant_names: BTreeMap<String, String>,
    /// Securities that only their tickers name, with their names.
    pub(super) listings: BTreeMap<SourceId, (Listing, Option<String>)>,
    /// Entries that other records point to, and trades with something beside their terms.
    pub(super) sides: SortedKeys,
    /// Whether there are such trades.
    pub(super) has_belongings: bool,
    /// What the balances before the first entries follow from.
    pub(super) openings: Openings,
    /// Accounts that a person wants to be made, by their rows.
    pub(super) to_create: HashSet<u64>,
    /// What can be imported, but for entries.
    taken: HashMap<RecordType, HashSet<SourceId>>,
    /// The places of securities in their list.
    security_ids: HashMap<SourceId, usize>,
    /// The listings of securities that have an id, but no record.
    listings_of_ids: HashMap<SourceId, Listing>,
}

impl Collected {
    /// Reads what has to be read of a file once.
    pub(super) fn of(source: &Source) -> Result<Self> {
        let mut collected = Self::default();
        let mut labels = BTreeSet::new();
        source.visit_types(
            Self::types(source),
            1,
            |_| false,
            |visited| {
                let is_left_out = visited.is_left_out();
                if let Ok(row) = &visited.outcome
                    && !is_left_out
                    && let Some(record) = row.native()
                {
                    if visited.choice == RowChoice::Create {
                        collected.choose(visited.row, record)?;
                    }
                    collected.openings.take(record);
                    collected.take(visited.row, record)?;
                    collected.names(record, &mut labels)?;
                }
                Ok(())
            },
        )?;
        // Which merchants and securities have records is known only now.
        for (merchant, name) in labels {
            if merchant.is_none_or(|id| !collected.has(RecordType::Merchant, &id)) {
                collected.merchant_names.entry(name_key(&name)).or_insert(name);
            }
        }
        collected.listings = std::mem::take(&mut collected.listings)
            .into_iter()
            .map(|(id, (listing, name))| {
                let listing = collected.listings_of_ids.get(&id).cloned().unwrap_or(listing);
                (listing_id(&listing), (listing, name))
            })
            .collect();
        collected.sides.sort_once();
        Ok(collected)
    }

    /// The types of records that are read: of entries there may be a million.
    fn types(source: &Source) -> RecordTypes {
        use RecordType as T;
        let survey = source.row_set().and_then(|set| set.native.as_deref());
        let derives_openings = survey.is_none_or(Survey::derives_openings);
        let names_merchants = survey.is_none_or(Survey::names_merchants);
        let pointing = [T::Trade, T::Holding, T::HoldingCost, T::Transfer, T::RejectedTransfer];
        RecordTypes::FEW
            .and(RecordTypes::of(&pointing))
            .with_if(names_merchants, &[T::Transaction])
            .with_if(derives_openings, &[T::Valuation, T::Balance])
    }

    fn choose(&mut self, row: u64, record: &Record) -> Result<()> {
        if record.record_type() == RecordType::Account {
            self.to_create.insert(row);
        }
        require_few(self.to_create.len(), "accounts")
    }

    /// Whether a record that others point to can be imported.
    pub(super) fn has(&self, of: RecordType, id: &SourceId) -> bool {
        self.taken.get(&of).is_some_and(|taken| taken.contains(id))
    }

    /// Whether a record can come: what it is nothing without can, too.
    pub(super) fn has_required(&self, record: &Record) -> bool {
        let mut has_all = true;
        record.required(&mut |of, id, _| has_all &= self.has(of, id));
        has_all
    }

    fn take(&mut self, row: u64, record: &Record) -> Result<()> {
        if let Some(id) = pointed_to(record) {
            self.taken.entry(record.record_type()).or_default().insert(id.clone());
        }
        match record {
            Record::Account(one) => push(&mut self.accounts, row, one, RecordType::Account),
            Record::Category(one) => push(&mut self.categories, row, one, RecordType::Category),
            Record::Tag(one) => push(&mut self.tags, row, one, RecordType::Tag),
            Record::Merchant(one) => push(&mut self.merchants, row, one, RecordType::Merchant),
            Record::Security(one) => {
                self.security_ids.insert(one.id.clone(), self.securities.len());
                push(&mut self.securities, row, one, RecordType::Security)
            }
            Record::Budget(one) => push(&mut self.budgets, row, one, RecordType::Budget),
            Record::BudgetCategory(one) => {
                push(&mut self.lines, row, one, RecordType::BudgetCategory)
            }
            Record::RecurringTransaction(one) => {
                push(&mut self.series, row, one, RecordType::RecurringTransaction)
            }
            Record::Rule(one) => push(&mut self.rules, row, one, RecordType::Rule),
            _ => Ok(()),
        }
    }

    /// What a record names without an id, and which entries it points to.
    fn names(
        &mut self,
        record: &Record,
        labels: &mut BTreeSet<(Option<SourceId>, String)>,
    ) -> Result<()> {
        let mut merchant = |of: &Labels| {
            if let Some(name) = &of.merchant_name {
                labels.insert((of.merchant.clone(), name.clone()));
            }
        };
        match record {
            Record::Transaction(one) => {
                merchant(&one.labels);
                one.parts.iter().for_each(|part| merchant(&part.labels));
            }
            Record::Trade(one) => {
                if one.has_belongings() {
                    self.has_belongings = true;
                    let ids = one.id.iter().chain(&one.counterpart);
                    ids.for_each(|id| self.sides.add(id.key()));
                }
                self.listing(&one.security);
            }
            Record::Holding(one) => self.listing(&one.security),
            Record::HoldingCost(one) => self.listing(&one.security),
            Record::Transfer(one) => self.pair([&one.outflow, &one.inflow]),
            Record::RejectedTransfer(one) => self.pair([&one.outflow, &one.inflow]),
            _ => {}
        }
        require_few(labels.len(), "names of merchants")?;
        require_few(self.listings.len(), "tickers of securities")
    }

    fn pair(&mut self, sides: [&SourceId; 2]) {
        sides.into_iter().for_each(|id| self.sides.add(id.key()));
    }

    /// The place of an entry among those that others point to.
    pub(super) fn side(&self, id: &SourceId) -> Option<usize> {
        if self.sides.count() == 0 { None } else { self.sides.position(id.key()) }
    }

    fn listing(&mut self, security: &SecurityName) {
        if security.listing.ticker.is_empty() {
            return;
        }
        let id = security.id.clone().unwrap_or_else(|| listing_id(&security.listing));
        if let Some(id) = &security.id {
            // The older server names the market only in some records of a security.
            let known = self.listings_of_ids.entry(id.clone());
            let known = known.or_insert_with(|| security.listing.clone());
            if known.exchange_operating_mic.is_empty() {
                known.exchange_operating_mic.clone_from(&security.listing.exchange_operating_mic);
            }
        }
        let known = self.listings.entry(id);
        let known = known.or_insert_with(|| (security.listing.clone(), None));
        if known.1.is_none() {
            known.1.clone_from(&security.name);
        }
    }

    /// What stands for the merchant of an entry.
    pub(super) fn merchant_of<'l>(&self, labels: &'l Labels) -> Option<Cow<'l, SourceId>> {
        let is_recorded = |id: &&SourceId| self.has(RecordType::Merchant, id);
        let recorded = labels.merchant.as_ref().filter(is_recorded);
        let by_name = || labels.merchant_name.as_ref().map(|name| merchant_id(&name_key(name)));
        recorded.map(Cow::Borrowed).or_else(|| by_name().map(Cow::Owned))
    }

    /// What stands for the security of a record.
    pub(super) fn security_of<'s>(&self, security: &'s SecurityName) -> Cow<'s, SourceId> {
        let recorded = security.id.as_ref().filter(|id| self.security_ids.contains_key(id));
        let by_listing = || Cow::Owned(listing_id(self.unrecorded(security)));
        recorded.map_or_else(by_listing, Cow::Borrowed)
    }

    /// The listing of a security without a record: all records with its id are about one.
    fn unrecorded<'a>(&'a self, security: &'a SecurityName) -> &'a Listing {
        let by_id = security.id.as_ref().and_then(|id| self.listings_of_ids.get(id));
        by_id.unwrap_or(&security.listing)
    }

    /// The listing of the security of a record.
    pub(super) fn listing_of<'a>(&'a self, security: &'a SecurityName) -> &'a Listing {
        let place = security.id.as_ref().and_then(|id| self.security_ids.get(id));
        match place.and_then(|place| self.securities.get(*place)) {
            Some((_, recorded)) => &recorded.values.listing,
            None => self.unrecorded(security),
        }
    }
}

/// What stands for a merchant that only a name in an entry names. No id has such a character.
pub(super) fn merchant_id(key: &str) -> SourceId {
    SourceId(format!("\u{0}{key}"))
}

/// The same of a security that only its ticker names.
pub(super) fn listing_id(listing: &Listing) -> SourceId {
    SourceId(format!("\u{0}{}\u{0}{}", listing.ticker, listing.exchange_operating_mic))
}

/// The ids of a file, with what they stand for.
#[derive(Clone, Default)]
pub(super) struct Ids(HashMap<RecordType, HashMap<SourceId, Uuid>>);

impl Ids {
    pub(super) fn get(&self, of: RecordType, id: &SourceId) -> Option<Uuid> {
        self.0.get(&of)?.get(id).copied()
    }

    pub(super) fn put(&mut self, of: RecordType, id: &SourceId, record: Uuid) {
        self.0.entry(of).or_default().insert(id.clone(), record);
    }

    /// Whether some id of the type stands for something.
    pub(super) fn has_any(&self, of: RecordType) -> bool {
        self.0.contains_key(&of)
    }
}

/// The id of a record that others are nothing without, or have as a label.
fn pointed_to(record: &Record) -> Option<&SourceId> {
    match record {
        Record::Account(one) => Some(&one.id),
        Record::Category(one) => Some(&one.id),
        Record::Tag(one) => Some(&one.id),
        Record::Merchant(one) => Some(&one.id),
        Record::Security(one) => Some(&one.id),
        Record::Budget(one) => Some(&one.id),
        _ => None,
    }
}

fn require_few(count: usize, what: &str) -> Result<()> {
    if count <= IMPORT_MAPPINGS_MAX {
        return Ok(());
    }
    Err(Error::invalid(format!("The file has more than {IMPORT_MAPPINGS_MAX} different {what}")))
}

fn push<T: Clone>(to: &mut Numbered<T>, row: u64, record: &T, of: RecordType) -> Result<()> {
    if to.len() >= IMPORT_WHOLE_ROWS_MAX {
        let name = of.name();
        return Err(Error::invalid(format!(
            "The file has more than {IMPORT_WHOLE_ROWS_MAX} records of the type {name}"
        )));
    }
    to.push((row, record.clone()));
    Ok(())
}
