//! What the names of rows stand for: resolved once for a file, then found quickly for each row.
//!
//! Planning and publishing resolve names with the same function, so a plan and what it becomes
//! can't differ. A large file has few distinct names: each spelling is looked up once and
//! remembered.

use std::collections::{HashMap, HashSet};

use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::import::mapping::{
    self, ACCOUNT_DELETED, CHOSEN_ACCOUNT_DELETED, ExistingRecords, MappingKind, Preparation,
    Resolution,
};
use purser_core::limits::LABELS_MAX;
use purser_core::money::Currency;
use purser_core::plan::Target;
use purser_store::imports::Mapping;
use uuid::Uuid;

/// The names of a file, resolved to what exists and what is to be created.
pub(super) struct Resolved {
    /// What they stand for.
    pub(super) preparation: Preparation,
    /// Mappings that stand for something else by now than is stored.
    pub(super) changed: Vec<Mapping>,
}

/// Resolves the names of a file once more: what was to be created may exist by now, and what
/// existed may be gone.
pub(super) fn resolve(mappings: &[Mapping], existing: &ExistingRecords) -> Resolved {
    let mut preparation = Preparation::default();
    let known: HashMap<MappingKind, HashSet<Uuid>> =
        MappingKind::ALL.iter().map(|kind| (*kind, existing.ids(*kind))).collect();
    let mut resolved: Vec<Mapping> = Vec::with_capacity(mappings.len());
    for mapping in mappings {
        let exists = |id: &Uuid| known.get(&mapping.kind).is_some_and(|ids| ids.contains(id));
        let target = mapping.target.filter(exists);
        if let Some(target) = target {
            preparation.assign(mapping.kind, &mapping.value, target);
            resolved.push(mapping.clone());
            continue;
        }
        let found = mapping.found();
        let choose = |choice| preparation.choose(&found, choice, existing).is_ok();
        let mut now = Mapping { target, ..mapping.clone() };
        if mapping.choice.as_ref().is_some_and(choose) {
            now.problem = None;
        } else {
            // What was chosen doesn't fit any more: as if nobody had chosen.
            now.choice = None;
            let asks =
                |why| matches!(mapping::resolve_left(&found, existing, why), Resolution::Choose(_));
            if left_because(mapping).is_some_and(asks) {
                resolved.push(now);
                continue;
            }
            now.problem = preparation.create(&found, existing).err();
            let resolved = preparation.target(mapping.kind, &mapping.value);
            now.creates = matches!(resolved, Some(Target::Created(_)));
            now.target = match resolved {
                Some(Target::Existing(id)) => Some(id),
                _ => None,
            };
        }
        resolved.push(now);
    }
    require_room(&mut resolved, &preparation, existing);
    let is_changed = |(now, before): &(Mapping, &Mapping)| now != *before;
    let changed = resolved.into_iter().zip(mappings).filter(is_changed);
    Resolved { preparation, changed: changed.map(|(now, _)| now).collect() }
}

/// Why a person must choose for the name, if its account, or that of all rows, was deleted, and
/// nobody has chosen another since.
pub(super) fn left_because(mapping: &Mapping) -> Option<&str> {
    let left = [ACCOUNT_DELETED, CHOSEN_ACCOUNT_DELETED];
    mapping.problem.as_deref().filter(|problem| left.contains(problem))
}

/// Has a person choose for names that would make more categories or tags than a family may have.
fn require_room(mappings: &mut [Mapping], preparation: &Preparation, existing: &ExistingRecords) {
    for (kind, plural) in [(MappingKind::Category, "categories"), (MappingKind::Tag, "tags")] {
        let count = existing.ids(kind).len() + preparation.created(kind);
        if count as u64 <= LABELS_MAX {
            continue;
        }
        let why = format!(
            "With the names of the file there would be {count} {plural}, and a family has at most \
             {LABELS_MAX}"
        );
        let creates = |one: &&mut Mapping| one.kind.record() == kind && one.creates;
        for mapping in mappings.iter_mut().filter(creates) {
            mapping.problem = Some(why.clone());
        }
    }
}

/// The names of one import.
pub(super) struct Names {
    preparation: Preparation,
    account: Option<Target>,
    /// A name can stand for an account in each currency.
    accounts: HashMap<String, Vec<(Currency, Option<Target>)>>,
    categories: HashMap<String, Target>,
    tags: HashMap<String, Target>,
}

impl Names {
    /// With `account`, every row goes there, whatever account it has.
    pub(super) fn new(preparation: Preparation, account: Option<AccountId>) -> Self {
        Self {
            preparation,
            account: account.map(|id| Target::Existing(id.0)),
            accounts: HashMap::new(),
            categories: HashMap::new(),
            tags: HashMap::new(),
        }
    }

    /// The account of a row; `None` if a person must choose it first.
    pub(super) fn account(&mut self, name: Option<&str>, currency: Currency) -> Option<Target> {
        if self.account.is_some() {
            return self.account;
        }
        let name = name.unwrap_or_default();
        let known = self.accounts.get(name).map(Vec::as_slice).unwrap_or_default();
        if let Some((_, target)) = known.iter().find(|(its, _)| *its == currency) {
            return *target;
        }
        let target = self.preparation.account(name, currency);
        self.accounts.entry(name.to_owned()).or_default().push((currency, target));
        target
    }

    /// What the name of a category or a tag stands for.
    pub(super) fn target(&mut self, kind: MappingKind, name: &str) -> Result<Target> {
        let known = if kind == MappingKind::Tag { &mut self.tags } else { &mut self.categories };
        if let Some(target) = known.get(name) {
            return Ok(*target);
        }
        let target = self.preparation.target(kind, name).ok_or_else(|| {
            Error::internal(format!("the {} {name:?} was not found at upload", kind.as_str()))
        })?;
        known.insert(name.to_owned(), target);
        Ok(target)
    }

    /// What a mapping stands for as a whole, if it stands for one thing.
    pub(super) fn of_mapping(&self, mapping: &Mapping) -> Option<Target> {
        self.preparation.target(mapping.kind, &mapping.value)
    }
}
