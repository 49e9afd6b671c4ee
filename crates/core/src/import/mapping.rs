//! Mappings: what the names in a file stand for, and what must be created for them.
//!
//! A name is matched by its key (trimmed, case-folded, see [`crate::text::label`]) to what exists,
//! else it will be created. A person must choose only where a name is ambiguous: several accounts
//! of one name, an account with rows in several currencies or in another currency than its own, no
//! account at all.
//!
//! Categories have two levels. `Parent:Child` names both; the key of a second-level category is
//! the whole path, so `Fun:Other` and `Income:Other` stay two. A plain name means the first-level
//! category of that name, else the only second-level one that is called so. A parent is always of
//! the first level: if there is none of its name, it is created.

mod choice;
mod existing;
mod openings;

use std::collections::HashMap;

pub use choice::{Choice, MappingChoice, name_of_currency};
pub use existing::{DestinationAccount, ExistingRecords};
use unicode_normalization::UnicodeNormalization;
use uuid::Uuid;

use super::account::type_words;
use crate::ledger::account::{AccountType, NewAccount, Opening};
use crate::ledger::trade::CostMethod;
use crate::money::Currency;
use crate::named::text_enum;
use crate::plan::{Creation, Slot, Target};
use crate::text::label::name_key;

text_enum! {
    /// What a name stands for.
    MappingKind {
        /// An account of the family.
        Account = "account",
        /// A category, possibly `Parent:Child`.
        Category = "category",
        /// A tag of the family.
        Tag = "tag",
        /// A category of the first level that others are to be put below.
        Parent = "parent",
        /// What an account is, in the words of the file.
        AccountType = "account_type",
    }
}

impl MappingKind {
    /// What names of this kind are matched by.
    pub fn key_fn(self) -> fn(&str) -> String {
        if self == Self::Category { path_key } else { name_key }
    }

    /// What such a name stands for: a parent is a category.
    pub fn record(self) -> Self {
        if self == Self::Parent { Self::Category } else { self }
    }
}

/// Why a person must choose the account of rows that name none.
pub const NO_ACCOUNT: &str = "The file doesn't say which account the rows belong to";

/// Why a person must choose the account of rows that name one: the one that the name stood for was
/// deleted since the upload.
pub const ACCOUNT_DELETED: &str = "The account that the name stood for was deleted";

/// Why a person must choose the account of all rows: the one that was chosen was deleted since.
pub const CHOSEN_ACCOUNT_DELETED: &str = "The account that all rows were to go into was deleted";

/// Why a person must choose the type of accounts for which the file has none.
pub const NO_ACCOUNT_TYPE: &str = "The file has no type for some accounts";

/// A name that occurs in a file, once for all its rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistinctName {
    /// The kind of thing that it names.
    pub kind: MappingKind,
    /// The name in its first spelling.
    pub value: String,
    /// The key by which it is matched.
    pub key: String,
    /// The number of rows that name it.
    pub rows: u64,
    /// For accounts, the currencies of their rows.
    pub currencies: Vec<Currency>,
}

impl DistinctName {
    /// What rows without a name are listed as.
    pub fn nameless(kind: MappingKind, rows: u64) -> Self {
        Self { kind, value: String::new(), key: String::new(), rows, currencies: Vec::new() }
    }
}

/// The result of resolving a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution {
    /// The name stands for something that exists.
    Existing(Uuid),
    /// It will be created.
    Create,
    /// It stands for a type of accounts.
    AccountType(AccountType),
    /// A person must choose, for the given reason.
    Choose(String),
}

/// Resolves one name of a file.
pub fn resolve(found: &DistinctName, existing: &ExistingRecords) -> Resolution {
    let known = match found.kind {
        MappingKind::Account => return resolve_account(found, existing),
        MappingKind::Category => existing.find_category(&path_key(&found.value)),
        MappingKind::Tag => existing.tags.get(&found.key).copied(),
        MappingKind::Parent => return resolve_parent(found, existing),
        MappingKind::AccountType => return resolve_account_type(found),
    };
    known.map_or(Resolution::Create, Resolution::Existing)
}

/// As [`resolve`], for a name of which the account was deleted before the rows were published: they
/// make no new one by themselves, but a person chooses, for the given reason.
pub fn resolve_left(found: &DistinctName, existing: &ExistingRecords, why: &str) -> Resolution {
    match resolve(found, existing) {
        Resolution::Existing(id) => Resolution::Existing(id),
        _ => Resolution::Choose(why.to_owned()),
    }
}

/// A parent is never made by itself: what looks like one may be a spelling mistake.
fn resolve_parent(found: &DistinctName, existing: &ExistingRecords) -> Resolution {
    match existing.categories.get(&found.key).filter(|_| !found.key.contains(':')) {
        Some(id) => Resolution::Existing(*id),
        None => Resolution::Choose(format!(
            "Neither the file nor the family has a category {:?} on the first level",
            found.value
        )),
    }
}

/// Words that nobody knows, and rows that state nothing, are a question.
fn resolve_account_type(found: &DistinctName) -> Resolution {
    match type_words::meaning(&found.value) {
        Some((account_type, _)) => Resolution::AccountType(account_type),
        None if found.key.is_empty() => Resolution::Choose(NO_ACCOUNT_TYPE.to_owned()),
        None => Resolution::Choose(format!(
            "{:?} is no known type of accounts: which one is meant?",
            found.value
        )),
    }
}

fn resolve_account(found: &DistinctName, existing: &ExistingRecords) -> Resolution {
    let name = &found.value;
    if found.key.is_empty() {
        return Resolution::Choose(NO_ACCOUNT.to_owned());
    }
    let currency = match found.currencies.as_slice() {
        // Trades go into an account that exists, whatever currency they are in.
        [] => None,
        [only] => Some(*only),
        several => {
            let codes: Vec<&str> = several.iter().map(|currency| currency.code()).collect();
            let codes = codes.join(", ");
            return Resolution::Choose(format!(
                "The rows of {name} have several currencies: {codes}"
            ));
        }
    };
    let called = existing.accounts.get(&found.key).map(Vec::as_slice).unwrap_or_default();
    match (called, currency) {
        ([], _) => resolve_former_name(found, currency, existing),
        ([(id, its)], currency) if currency.is_none_or(|currency| currency == *its) => {
            Resolution::Existing(*id)
        }
        ([(_, its)], currency) => Resolution::Choose(format!(
            "{name} is an account in {}, but its rows are in {}",
            its.code(),
            currency.map_or("", Currency::code)
        )),
        (several, _) => Resolution::Choose(format!("{} accounts are called {name}", several.len())),
    }
}

/// A name that no account has stands for the one that it stood for in earlier files, if that takes
/// the currency of the rows.
fn resolve_former_name(
    found: &DistinctName,
    currency: Option<Currency>,
    existing: &ExistingRecords,
) -> Resolution {
    let known = existing.former_names.get(&found.key).into_iter().flatten();
    let fits = |its: Currency| currency.is_none_or(|currency| currency == its);
    let fitting: Vec<Uuid> = known.filter(|(_, its)| fits(*its)).map(|(id, _)| *id).collect();
    match fitting.as_slice() {
        [] if currency.is_none() => Resolution::Choose(format!(
            "No account is called {}: choose one of type investment or crypto",
            found.value
        )),
        [] => Resolution::Create,
        [only] => Resolution::Existing(*only),
        several => Resolution::Choose(format!(
            "In earlier files {} stood for {} different accounts",
            found.value,
            several.len()
        )),
    }
}

/// The key of a category's path: `Food : Groceries` and `food:groceries` are the same.
pub fn path_key(value: &str) -> String {
    match split_path(value) {
        (Some(parent), leaf) => format!("{}:{}", name_key(parent), name_key(leaf)),
        (None, leaf) => name_key(leaf),
    }
}

/// `Parent:Child` at the first colon; a name with nothing on one side of it has one level.
pub fn split_path(value: &str) -> (Option<&str>, &str) {
    match value.split_once(is_colon) {
        Some((parent, leaf)) if !parent.trim().is_empty() && !leaf.trim().is_empty() => {
            (Some(parent.trim()), leaf.trim())
        }
        _ => (None, value.trim()),
    }
}

/// Whether a character is a colon in a key: those of full width are too. Otherwise the key of a
/// path could have more levels than the path.
fn is_colon(c: char) -> bool {
    c == ':' || (!c.is_ascii() && c.nfkc().next() == Some(':'))
}

/// What must be created before the rows, and what every name then stands for.
#[derive(Debug, Default)]
pub struct Preparation {
    /// The creations in their order: what a creation points to comes before it.
    pub creations: Vec<Creation>,
    targets: HashMap<(MappingKind, String), Target>,
    /// Categories of the first level that are created, by key.
    first_level: HashMap<String, Target>,
    /// Categories of the second level that are created, by the key of their path.
    second_level: HashMap<String, Target>,
    /// Tags that are created, by key.
    new_tags: HashMap<String, Target>,
    /// Types of accounts, by the key of the text that stands for them.
    account_types: HashMap<String, AccountType>,
    /// Accounts of names that stand for one in each currency, by key and currency.
    accounts_by_currency: HashMap<(String, Currency), Target>,
}

impl Preparation {
    /// What a name of the file stands for.
    pub fn target(&self, kind: MappingKind, value: &str) -> Option<Target> {
        self.targets.get(&(kind, key_of(kind, value))).copied()
    }

    /// The type of account that a text of the file stands for.
    pub fn account_type(&self, text: &str) -> Option<AccountType> {
        self.account_types.get(&name_key(text)).copied()
    }

    /// The number of categories or tags that are created.
    pub fn created(&self, kind: MappingKind) -> usize {
        let is_one = |creation: &&Creation| match creation {
            Creation::Category { .. } => kind.record() == MappingKind::Category,
            Creation::Tag { .. } => kind == MappingKind::Tag,
            Creation::Account(_) | Creation::Merchant { .. } | Creation::Rule(_) => false,
        };
        self.creations.iter().filter(is_one).count()
    }

    /// Takes in what was already chosen for a name.
    pub fn assign(&mut self, kind: MappingKind, value: &str, id: Uuid) {
        self.targets.insert((kind, key_of(kind, value)), Target::Existing(id));
    }

    /// Takes in a name that is to be created, unless it exists by now.
    ///
    /// # Errors
    /// Why a person must choose first.
    pub fn create(
        &mut self,
        found: &DistinctName,
        existing: &ExistingRecords,
    ) -> Result<(), String> {
        let target = match resolve(found, existing) {
            Resolution::Existing(id) => Target::Existing(id),
            Resolution::Choose(why) => return Err(why),
            Resolution::AccountType(account_type) => {
                self.account_types.insert(found.key.clone(), account_type);
                return Ok(());
            }
            Resolution::Create => match found.kind {
                MappingKind::Account => self.push(account(found)?),
                MappingKind::Category => self.category(&found.value, existing),
                MappingKind::Tag => self.tag(&found.value, existing),
                MappingKind::Parent => self.first_level(&found.value, existing),
                MappingKind::AccountType => return Err(NO_ACCOUNT_TYPE.to_owned()),
            },
        };
        self.targets.insert((found.kind, key_of(found.kind, &found.value)), target);
        Ok(())
    }

    fn category(&mut self, value: &str, existing: &ExistingRecords) -> Target {
        let key = path_key(value);
        let known = existing.find_category(&key).map(Target::Existing);
        if let Some(target) = known.or(self.second_level.get(&key).copied()) {
            return target;
        }
        match split_path(value) {
            (None, name) => self.first_level(name, existing),
            (Some(parent), leaf) => {
                let parent = Some(self.first_level(parent, existing));
                let name = leaf.to_owned();
                let creation =
                    Creation::Category { name, key: key.clone(), parent, color: None, icon: None };
                let target = self.push(creation);
                self.second_level.insert(key, target);
                target
            }
        }
    }

    /// The first-level category of a name. What the plain name stands for may be another one: the
    /// only second-level category that is called so.
    fn first_level(&mut self, name: &str, existing: &ExistingRecords) -> Target {
        let key = name_key(name);
        let known = existing.categories.get(&key).copied().map(Target::Existing);
        if let Some(target) = known.or(self.first_level.get(&key).copied()) {
            return target;
        }
        let creation = Creation::Category {
            name: name.to_owned(),
            key: key.clone(),
            parent: None,
            color: None,
            icon: None,
        };
        let target = self.push(creation);
        self.first_level.insert(key, target);
        target
    }

    fn push(&mut self, creation: Creation) -> Target {
        self.creations.push(creation);
        Target::Created(Slot(self.creations.len() as u32 - 1))
    }
}

fn key_of(kind: MappingKind, value: &str) -> String {
    kind.key_fn()(value)
}

/// An account that a file names and the family doesn't have: a depository in the currency of its
/// rows, empty before the first of them unless the file has balances (`openings`).
fn account(found: &DistinctName) -> Result<Creation, String> {
    let [currency] = found.currencies.as_slice() else {
        return Err(format!("The rows of {} have no single currency", found.value));
    };
    Ok(Creation::Account(NewAccount {
        name: found.value.clone(),
        account_type: AccountType::Depository,
        subtype: None,
        currency: *currency,
        opening: Opening { amount: 0, date: None },
        institution_name: None,
        institution_domain: None,
        notes: None,
        owner: None,
        cost_method: CostMethod::Average,
        current_amount: None,
    }))
}

#[cfg(test)]
mod tests;
