//! What the records of which there are few stand for: something that the family has, or something
//! new.

use std::collections::{BTreeMap, HashMap};

use purser_core::error::Result;
use purser_core::ids::{AccountId, BudgetId, CategoryId};
use purser_core::import::kinds::Kind;
use purser_core::import::native::{
    Account, Budget, Category, RecordType, RecurringTransaction, Rule, SourceId,
};
use purser_core::import::verdict::Verdict;
use purser_core::import::whole::FamilyRecords;
use purser_core::ledger::security::SecurityValues;
use purser_core::recurring::input::RecurringValues;
use purser_core::rules::{NameMatch, Noun, Reference, Rule as CoreRule};
use purser_core::text::label::name_key;
use purser_store::FamilyTx;
use purser_store::imports::{self, Planned};
use purser_store::restoring::Restorable;
use uuid::Uuid;

use super::collected::{Collected, Ids, merchant_id};

/// What was decided of the records of a file of which there are few.
#[derive(Default)]
pub(super) struct Decisions {
    /// The verdicts by the numbers of rows.
    pub(super) planned: BTreeMap<u64, Planned>,
    /// What exists, by its id in the file.
    pub(super) ids: Ids,
    /// Records that are the same as an earlier one.
    pub(super) same: HashMap<(RecordType, SourceId), SourceId>,
}

impl Decisions {
    /// Decides what the records stand for.
    pub(super) fn of(tx: &mut FamilyTx<'_>, collected: &Collected) -> Result<Self> {
        let view = imports::view(tx, Kind::Native)?;
        let mut decisions = Self::default();
        decisions.accounts(collected, &view);
        decisions.categories(collected, &view);
        decisions.labels(collected, &view);
        decisions.securities(tx, collected)?;
        decisions.budgets(tx, collected)?;
        decisions.series(tx, collected)?;
        decisions.rules(collected, &view);
        Ok(decisions)
    }

    /// What a record of the file stands for, if that exists.
    pub(super) fn existing(&self, of: RecordType, id: &SourceId) -> Option<Uuid> {
        self.ids.get(of, id)
    }

    /// Whether some record of the type exists.
    pub(super) fn has(&self, of: RecordType) -> bool {
        self.ids.has_any(of)
    }

    fn matched(&mut self, row: u64, of: RecordType, id: &SourceId, record: Uuid) {
        self.planned.insert(row, Planned { verdict: Verdict::MatchedByName, record: Some(record) });
        self.ids.put(of, id, record);
    }

    fn plain(&mut self, row: u64, verdict: Verdict) {
        self.planned.insert(row, Planned { verdict, record: None });
    }

    /// A record by what only one of the family can have. `seen` has earlier records of the file.
    fn unique(
        &mut self,
        (row, of, id): (u64, RecordType, &SourceId),
        key: String,
        found: Option<Uuid>,
        seen: &mut HashMap<String, SourceId>,
    ) {
        if let Some(first) = seen.get(&key) {
            self.same.insert((of, id.clone()), first.clone());
            if let Some(record) = self.existing(of, &first.clone()) {
                self.ids.put(of, id, record);
            }
            return self.plain(row, Verdict::Repeats);
        }
        seen.insert(key, id.clone());
        match found {
            Some(record) => self.matched(row, of, id, record),
            None => self.plain(row, Verdict::Create),
        }
    }

    /// Accounts of one name, type and currency are taken in their order, as many as there are; if
    /// the family has more of them than the file, nobody knows which one is meant: a person
    /// chooses a new one, or gives the others other names.
    fn accounts(&mut self, collected: &Collected, view: &FamilyRecords) {
        let mut theirs: HashMap<_, Vec<Uuid>> = HashMap::new();
        for account in &view.accounts {
            let key = (name_key(&account.name), account.account_type, account.currency);
            theirs.entry(key).or_default().push(account.id);
        }
        let mut ours: HashMap<_, Vec<(u64, &Account)>> = HashMap::new();
        for (row, account) in &collected.accounts {
            let key = (name_key(&account.name), account.account_type, account.currency);
            ours.entry(key).or_default().push((*row, account));
        }
        for (key, accounts) in ours {
            let known = theirs.get(&key).map(Vec::as_slice).unwrap_or_default();
            let is_open = known.len() > accounts.len();
            for (at, (row, account)) in accounts.into_iter().enumerate() {
                match known.get(at) {
                    _ if is_open && collected.to_create.contains(&row) => {
                        self.plain(row, Verdict::Create);
                    }
                    _ if is_open => self.plain(row, Verdict::NeedsChoice),
                    Some(id) => self.matched(row, RecordType::Account, &account.id, *id),
                    None => self.plain(row, Verdict::Create),
                }
            }
        }
    }

    fn categories(&mut self, collected: &Collected, view: &FamilyRecords) {
        let by_id: HashMap<&SourceId, &Category> =
            collected.categories.iter().map(|(_, one)| (&one.id, one)).collect();
        let mut seen = HashMap::new();
        for (row, category) in &collected.categories {
            let parent = category.parent.as_ref().and_then(|id| by_id.get(id));
            if category.parent.is_some() && parent.is_none() {
                // It can't come without the one above it.
                continue;
            }
            let path = match parent {
                Some(parent) => format!("{}:{}", parent.name, category.name),
                None => category.name.clone(),
            };
            let found = view.names.category_of_path(&path);
            let key = purser_core::import::mapping::path_key(&path);
            self.unique((*row, RecordType::Category, &category.id), key, found, &mut seen);
        }
    }

    fn labels(&mut self, collected: &Collected, view: &FamilyRecords) {
        let find = |noun, name: &str| match view.names.find(noun, name) {
            NameMatch::One(id) => Some(id),
            _ => None,
        };
        let mut seen = HashMap::new();
        for (row, tag) in &collected.tags {
            let found = find(Noun::Tag, &tag.name);
            let key = name_key(&tag.name);
            self.unique((*row, RecordType::Tag, &tag.id), key, found, &mut seen);
        }
        let mut seen = HashMap::new();
        for (row, merchant) in &collected.merchants {
            let found = find(Noun::Merchant, &merchant.name);
            let key = name_key(&merchant.name);
            self.unique((*row, RecordType::Merchant, &merchant.id), key, found, &mut seen);
        }
        for (key, name) in &collected.merchant_names {
            let id = merchant_id(key);
            if let Some(record) = find(Noun::Merchant, name) {
                self.ids.put(RecordType::Merchant, &id, record);
            } else if let Some(first) = seen.get(key) {
                self.same.insert((RecordType::Merchant, id), first.clone());
            }
        }
    }

    fn securities(&mut self, tx: &mut FamilyTx<'_>, collected: &Collected) -> Result<()> {
        let mut seen = HashMap::new();
        for (row, security) in &collected.securities {
            let values = Restorable::Security(Box::new(security.values.clone()));
            let found = values.holder(tx)?;
            let key = super::collected::listing_id(&security.values.listing).0;
            self.unique((*row, RecordType::Security, &security.id), key, found, &mut seen);
        }
        for (id, (listing, _)) in &collected.listings {
            let values = Restorable::Security(Box::new(SecurityValues::new(listing.clone())));
            if let Some(record) = values.holder(tx)? {
                self.ids.put(RecordType::Security, id, record);
            } else if let Some(first) = seen.get(&id.0) {
                self.same.insert((RecordType::Security, id.clone()), first.clone());
            }
        }
        Ok(())
    }

    fn budgets(&mut self, tx: &mut FamilyTx<'_>, collected: &Collected) -> Result<()> {
        let mut seen = HashMap::new();
        let mut foreign = Vec::new();
        for (row, budget) in &collected.budgets {
            let found = of_budget(budget).holder(tx)?;
            let key = budget.start.to_string();
            self.unique((*row, RecordType::Budget, &budget.id), key, found, &mut seen);
            if let Some(id) = found
                && purser_store::budgets::get(tx, BudgetId(id))?.currency != budget.currency
            {
                foreign.push(budget.id.clone());
            }
        }
        let mut lines = HashMap::new();
        for (row, line) in &collected.lines {
            if !collected.has(RecordType::Budget, &line.budget)
                || !collected.has(RecordType::Category, &line.category)
            {
                continue;
            }
            let budget = self.existing(RecordType::Budget, &line.budget);
            let category = self.existing(RecordType::Category, &line.category);
            if foreign.contains(&line.budget) {
                // The family's budget of that month is in another currency.
                self.plain(*row, Verdict::NeedsChoice);
                continue;
            }
            let found = match budget.zip(category) {
                Some((budget, category)) => {
                    let (budget, category) = (BudgetId(budget), CategoryId(category));
                    let spending = line.spending;
                    Restorable::BudgetCategory { budget, category, spending }.holder(tx)?
                }
                None => None,
            };
            let key = format!(
                "{} {}",
                self.first(RecordType::Budget, &line.budget).0,
                self.first(RecordType::Category, &line.category).0
            );
            let id = SourceId(format!("line {row}"));
            self.unique((*row, RecordType::BudgetCategory, &id), key, found, &mut lines);
        }
        Ok(())
    }

    /// The first record of the file that is the same.
    fn first<'a>(&'a self, of: RecordType, id: &'a SourceId) -> &'a SourceId {
        self.same.get(&(of, id.clone())).unwrap_or(id)
    }

    fn series(&mut self, tx: &mut FamilyTx<'_>, collected: &Collected) -> Result<()> {
        let mut seen = HashMap::new();
        for (row, series) in &collected.series {
            let points_to =
                [(RecordType::Account, &series.account), (RecordType::Merchant, &series.merchant)];
            let is_known = points_to
                .iter()
                .all(|(of, id)| id.as_ref().is_none_or(|id| self.existing(*of, id).is_some()));
            let found =
                if is_known { of_series(series, collected, &self.ids).holder(tx)? } else { None };
            let ends = points_to.map(|(of, id)| id.as_ref().map(|id| self.first(of, id)));
            let name = series_name(series, collected);
            let key = format!("{ends:?} {name} {} {:?}", series.amount, series.currency);
            let id = series.id.clone();
            self.unique((*row, RecordType::RecurringTransaction, &id), key, found, &mut seen);
        }
        Ok(())
    }

    /// A rule is there if one has its name and equal contents. Names needn't be unique.
    fn rules(&mut self, collected: &Collected, view: &FamilyRecords) {
        let mut taken = Vec::new();
        for (row, rule) in &collected.rules {
            let name = rule.rule.name.clone().flatten();
            let resolved = resolved(rule, collected, &self.ids);
            let found = resolved.as_ref().and_then(|resolved| {
                let is_same = |one: &&purser_core::import::whole::RuleRecord| {
                    one.name == name && one.rule == *resolved && !taken.contains(&one.id)
                };
                view.rules.iter().find(is_same).map(|one| one.id)
            });
            match found {
                Some(id) => {
                    taken.push(id);
                    self.matched(*row, RecordType::Rule, &rule.id, id);
                }
                None => self.plain(*row, Verdict::Create),
            }
        }
    }
}

/// A budget of the file.
pub(super) fn of_budget(budget: &Budget) -> Restorable {
    Restorable::Budget {
        start: budget.start,
        currency: budget.currency,
        spending: budget.spending,
        income: budget.income,
    }
}

/// A series of the file, with what it points to.
pub(super) fn of_series(
    series: &RecurringTransaction,
    collected: &Collected,
    ids: &Ids,
) -> Restorable {
    let find = |of: RecordType, id: &Option<SourceId>| id.as_ref().and_then(|id| ids.get(of, id));
    Restorable::Recurring {
        account: find(RecordType::Account, &series.account).map(AccountId),
        merchant: find(RecordType::Merchant, &series.merchant),
        category: find(RecordType::Category, &series.category),
        values: RecurringValues {
            name: series_name(series, collected),
            amount: series.amount,
            currency: series.currency,
            day: i8::try_from(series.day).unwrap_or(1),
            last: series.last,
            next: series.next,
            status: series.status,
        },
        count: u64::try_from(series.count).unwrap_or_default(),
        manual: series.manual,
    }
}

/// Series of other programs may have the name of their merchant.
fn series_name(series: &RecurringTransaction, collected: &Collected) -> String {
    let of_merchant = || {
        let merchant =
            collected.merchants.iter().find(|(_, one)| Some(&one.id) == series.merchant.as_ref());
        merchant.map(|(_, merchant)| merchant.name.clone())
    };
    series.name.clone().or_else(of_merchant).unwrap_or_default()
}

/// A rule with the ids of everything that it names; nothing if some of it isn't there yet.
pub(super) fn resolved(rule: &Rule, collected: &Collected, ids: &Ids) -> Option<CoreRule> {
    let mut found = core_rule(rule);
    let mut visit = |noun: Noun, reference: &mut Reference| -> std::result::Result<(), ()> {
        let source = match reference {
            Reference::Id(id) => Some(SourceId(id.to_string())),
            Reference::Name(name) => source_of(noun, name, collected),
        };
        let Some(source) = source else { return Ok(()) };
        if let Some(id) = ids.get(type_of(noun), &source) {
            *reference = Reference::Id(id);
            return Ok(());
        }
        // What the file has no record of is gone: the rule keeps the id, and doesn't run.
        if has(noun, &source, collected) { Err(()) } else { Ok(()) }
    };
    found.conditions.iter_mut().try_for_each(|one| one.for_each_reference(&mut visit)).ok()?;
    found.actions.iter_mut().try_for_each(|one| one.for_each_reference(&mut visit)).ok()?;
    Some(found)
}

fn core_rule(rule: &Rule) -> CoreRule {
    let checked = rule.rule.clone();
    CoreRule {
        effective_date: checked.effective_date.flatten(),
        conditions: checked.conditions.unwrap_or_default(),
        actions: checked.actions.unwrap_or_default(),
    }
}

fn type_of(noun: Noun) -> RecordType {
    match noun {
        Noun::Category => RecordType::Category,
        Noun::Merchant => RecordType::Merchant,
        Noun::Tag => RecordType::Tag,
        Noun::Account => RecordType::Account,
    }
}

fn has(noun: Noun, id: &SourceId, collected: &Collected) -> bool {
    match noun {
        Noun::Category => collected.categories.iter().any(|(_, one)| one.id == *id),
        Noun::Merchant => collected.merchants.iter().any(|(_, one)| one.id == *id),
        Noun::Tag => collected.tags.iter().any(|(_, one)| one.id == *id),
        Noun::Account => collected.accounts.iter().any(|(_, one)| one.id == *id),
    }
}

/// The record of the file that a rule names: by an id that is no UUID, or by its name.
fn source_of(noun: Noun, text: &str, collected: &Collected) -> Option<SourceId> {
    let id = SourceId(text.to_owned());
    if has(noun, &id, collected) {
        return Some(id);
    }
    let key = name_key(text);
    let is_named = |name: &str| name_key(name) == key;
    let found = match noun {
        Noun::Category => {
            collected.categories.iter().find(|(_, one)| is_named(&one.name)).map(|(_, one)| &one.id)
        }
        Noun::Merchant => {
            collected.merchants.iter().find(|(_, one)| is_named(&one.name)).map(|(_, one)| &one.id)
        }
        Noun::Tag => {
            collected.tags.iter().find(|(_, one)| is_named(&one.name)).map(|(_, one)| &one.id)
        }
        Noun::Account => {
            collected.accounts.iter().find(|(_, one)| is_named(&one.name)).map(|(_, one)| &one.id)
        }
    };
    found.cloned()
}
